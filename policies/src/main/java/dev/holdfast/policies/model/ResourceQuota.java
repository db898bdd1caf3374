package dev.holdfast.policies.model;

import java.math.BigDecimal;
import java.util.Map;
import java.util.Set;

/**
 * A ResourceQuota with the latest status from the quota controller. Amounts are in the units of the resource: cores,
 * bytes, or a number of objects.
 *
 * @param scopes the names of all scopes, including those in {@code scopeSelector}; only pods in all of them count
 * @param hard the limits by resource name, for example {@code requests.cpu}: the smaller one of spec and status
 * @param used the used amounts by resource name; empty until the controller has set its status
 */
public record ResourceQuota(
        String uid,
        NamespacedName name,
        Set<String> scopes,
        Map<String, BigDecimal> hard,
        Map<String, BigDecimal> used) {
    /** The name in {@code hard} that stands for limits that were not read. No resource has such a name. */
    private static final String UNREAD = "not read";

    public ResourceQuota {
        scopes = Set.copyOf(scopes);
        hard = Map.copyOf(hard);
        used = Map.copyOf(used);
    }

    /** {@return a quota whose limits were not read, because there are more than Holdfast reads} */
    public static ResourceQuota unread(String uid, NamespacedName name) {
        return new ResourceQuota(uid, name, Set.of(), Map.of(UNREAD, BigDecimal.ZERO), Map.of());
    }

    /** {@return the same quota, of which these amounts are used} */
    public ResourceQuota withUsed(Map<String, BigDecimal> amounts) {
        return new ResourceQuota(uid, name, scopes, hard, amounts);
    }

    /** {@return whether the limits were not read, so that nothing is known about them} */
    public boolean isUnread() {
        return hard.containsKey(UNREAD);
    }
}
