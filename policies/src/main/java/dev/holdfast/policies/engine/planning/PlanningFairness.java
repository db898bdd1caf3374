package dev.holdfast.policies.engine.planning;

import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.PolicyId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Selects the violations of the next plan if more are due than one plan considers. Violations of enforced rules take
 * precedence, but a tenth of the plan is reserved for those of audited rules. All namespaces have equal shares of the
 * plan, as far as they need them, and so have the policies within a namespace. The violations of one policy and
 * namespace are selected round robin by key. A violation that starts again keeps its key, and therefore its place in
 * the order.
 *
 * <p>Example: one plan considers at most 3,000 violations, and 10 enforced and 9,000 audited ones are due. Each plan
 * considers the 10 enforced ones and 2,990 audited ones. If 8,999 of these are of one namespace, the one of another
 * namespace is in each plan.
 */
final class PlanningFairness {
    private static final int TENTH = 10;

    private final int most;
    private final Function<ViolationKey, Lane> laneOf;

    /** The last selection from each lane (a group of violations) that still has due violations. */
    private final Map<Lane, Selected> selected = new HashMap<>();

    private long plans;

    /**
     * The violations that are selected round robin.
     *
     * @param mode AUDIT or ENFORCE
     * @param namespace the namespace of the rule owners
     * @param policy the first policy that requests the rule
     */
    record Lane(Mode mode, String namespace, PolicyId policy) {}

    /**
     * The last selection from a lane.
     *
     * @param plan the number of the last plan that selected any
     * @param last the violation after which the round robin continues; it may have ended since
     */
    private record Selected(long plan, ViolationKey last) {
        static final Selected NONE = new Selected(0, ViolationKey.LEAST);
    }

    /**
     * @param most the maximum number of violations in one plan
     * @param laneOf the lane of each due violation
     */
    PlanningFairness(int most, Function<ViolationKey, Lane> laneOf) {
        this.most = most;
        this.laneOf = laneOf;
    }

    /** Selects and returns the due violations that the next plan considers: all, if they fit into one plan. */
    List<ViolationKey> next(List<ViolationKey> due) {
        if (due.size() <= most) {
            return due;
        }
        SequencedMap<Lane, List<ViolationKey>> enforced = new LinkedHashMap<>();
        SequencedMap<Lane, List<ViolationKey>> others = new LinkedHashMap<>();
        for (ViolationKey key : due) {
            Lane lane = laneOf.apply(key);
            (lane.mode() == Mode.ENFORCE ? enforced : others)
                    .computeIfAbsent(lane, _ -> new ArrayList<>())
                    .add(key);
        }
        selected.keySet().removeIf(lane -> !enforced.containsKey(lane) && !others.containsKey(lane));
        plans++;
        int kept = Math.min(others.values().stream().mapToInt(List::size).sum(), most / TENTH);
        List<ViolationKey> turn = new ArrayList<>(select(enforced, most - kept));
        turn.addAll(select(others, most - turn.size()));
        return turn;
    }

    private List<ViolationKey> select(SequencedMap<Lane, List<ViolationKey>> lanes, int most) {
        Map<Lane, Integer> seats = seats(lanes, most);
        List<ViolationKey> turn = new ArrayList<>();
        lanes.forEach((lane, keys) -> turn.addAll(nextOf(lane, keys, seats.getOrDefault(lane, 0))));
        return turn;
    }

    /**
     * {@return how many violations of each lane the plan considers: one of each namespace in turn, until it is full}
     */
    private Map<Lane, Integer> seats(SequencedMap<Lane, List<ViolationKey>> lanes, int most) {
        Comparator<Lane> longestAgoFirst = Comparator.comparingLong(
                lane -> selected.getOrDefault(lane, Selected.NONE).plan());
        SequencedMap<String, Deque<Lane>> byNamespace = new LinkedHashMap<>();
        lanes.keySet().stream()
                .sorted(longestAgoFirst)
                .forEach(lane -> byNamespace
                        .computeIfAbsent(lane.namespace(), _ -> new ArrayDeque<>())
                        .add(lane));
        Deque<Deque<Lane>> waiting = byNamespace.values().stream()
                .sorted(Comparator.comparing(Deque::getLast, longestAgoFirst))
                .collect(Collectors.toCollection(ArrayDeque::new));
        Map<Lane, Integer> seats = new HashMap<>();
        for (int free = most; free > 0 && !waiting.isEmpty(); free--) {
            Deque<Lane> namespace = waiting.removeFirst();
            Lane lane = namespace.removeFirst();
            if (seats.merge(lane, 1, Integer::sum)
                    < Objects.requireNonNull(lanes.get(lane)).size()) {
                namespace.addLast(lane);
            }
            if (!namespace.isEmpty()) {
                waiting.addLast(namespace);
            }
        }
        return seats;
    }

    /** Selects violations of a lane, beginning after the one that was selected last. */
    private List<ViolationKey> nextOf(Lane lane, List<ViolationKey> keys, int most) {
        if (most == 0) {
            return List.of();
        }
        if (keys.size() <= most) {
            selected.put(lane, new Selected(plans, ViolationKey.LEAST));
            return keys;
        }
        ViolationKey after = selected.getOrDefault(lane, Selected.NONE).last();
        Comparator<ViolationKey> order = Comparator.comparing((ViolationKey key) -> key.compareTo(after) <= 0)
                .thenComparing(Comparator.naturalOrder());
        NavigableSet<ViolationKey> turn = new TreeSet<>(order);
        for (ViolationKey key : keys) {
            if (turn.size() < most) {
                turn.add(key);
            } else if (order.compare(key, turn.last()) < 0) {
                turn.pollLast();
                turn.add(key);
            }
        }
        selected.put(lane, new Selected(plans, turn.last()));
        return List.copyOf(turn);
    }
}
