package dev.holdfast.policies.plan.feasibility;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.function.Function;

/**
 * Takes elements in turn from groups, so that a large group does not delay a small one.
 *
 * <p>Example: of the elements a1, a2, a3, b1 and c1, grouped by letter, the order is a1, b1, c1, a2, a3.
 */
public final class RoundRobin {
    private RoundRobin() {}

    /**
     * {@return the elements in turn by their outer group, and within each outer group in turn by their inner group}
     * Groups take turns in the order of their first elements. Elements of one inner group stay in their order.
     */
    public static <T> List<T> by(Function<T, ?> outer, Function<T, ?> inner, List<T> elements) {
        return inTurn(groups(outer, elements).stream()
                .map(group -> inTurn(groups(inner, group)))
                .toList());
    }

    private static <T> Collection<List<T>> groups(Function<T, ?> group, List<T> elements) {
        SequencedMap<Object, List<T>> groups = new LinkedHashMap<>();
        elements.forEach(element -> groups.computeIfAbsent(group.apply(element), _ -> new ArrayList<>())
                .add(element));
        return groups.values();
    }

    /** {@return the first element of each list, then the second of each list, and so on} */
    private static <T> List<T> inTurn(Collection<List<T>> lists) {
        if (lists.size() == 1) {
            return lists.iterator().next();
        }
        List<T> inTurn = new ArrayList<>();
        Deque<Deque<T>> waiting = new ArrayDeque<>();
        lists.forEach(list -> waiting.add(new ArrayDeque<>(list)));
        while (!waiting.isEmpty()) {
            Deque<T> next = waiting.removeFirst();
            inTurn.add(next.removeFirst());
            if (!next.isEmpty()) {
                waiting.addLast(next);
            }
        }
        return inTurn;
    }
}
