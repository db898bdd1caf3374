package dev.holdfast.policies.model;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A LimitRange, reduced to its items about pods and their containers. Amounts are in thousandths: of a core, a byte or
 * a device.
 *
 * @param items the items, in the order of the object; items about other kinds, such as claims, are left out
 * @see <a href="https://kubernetes.io/docs/concepts/policy/limit-range/">Limit Ranges</a>
 */
public record LimitRange(String uid, NamespacedName name, List<Item> items) {
    /** The kind of object that an item limits. */
    public enum Type {
        CONTAINER,
        POD
    }

    /**
     * The limits for all containers, or for the sum of a pod. All maps are by resource name, in natural order.
     *
     * @param max the largest request and limit
     * @param min the least request and limit
     * @param defaultLimits the limits of containers that name none
     * @param defaultRequests the requests of containers that name none
     * @param maxLimitRequestRatio the largest quotient of limit and request, in thousandths
     */
    public record Item(
            Type type,
            Map<String, Long> max,
            Map<String, Long> min,
            Map<String, Long> defaultLimits,
            Map<String, Long> defaultRequests,
            Map<String, Long> maxLimitRequestRatio) {
        public Item {
            max = sorted(max);
            min = sorted(min);
            defaultLimits = sorted(defaultLimits);
            defaultRequests = sorted(defaultRequests);
            maxLimitRequestRatio = sorted(maxLimitRequestRatio);
        }

        private static Map<String, Long> sorted(Map<String, Long> amounts) {
            return amounts.isEmpty() ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(amounts));
        }
    }

    /** Two items that stand for items that were not read. The API server accepts one item of a type. */
    private static final List<Item> UNREAD =
            Collections.nCopies(2, new Item(Type.POD, Map.of(), Map.of(), Map.of(), Map.of(), Map.of("not read", 0L)));

    public LimitRange {
        items = List.copyOf(items);
    }

    /** {@return a LimitRange whose items were not read, because they have more amounts than Holdfast reads} */
    public static LimitRange unread(String uid, NamespacedName name) {
        return new LimitRange(uid, name, UNREAD);
    }

    /** {@return whether the items were not read, so that nothing is known about them} */
    public boolean isUnread() {
        return items.equals(UNREAD);
    }
}
