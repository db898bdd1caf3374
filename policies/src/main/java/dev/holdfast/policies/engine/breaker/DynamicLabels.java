package dev.holdfast.policies.engine.breaker;

import dev.holdfast.policies.engine.protocol.BreakerSettings;
import dev.holdfast.policies.engine.protocol.ledger.RememberedBrakes;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The dynamic node labels: labels whose value changes all the time on most nodes, for example a measured load. A label
 * is dynamic if it changed in four different hours on at least half of the nodes that have it or had it, without a day
 * between two changes of a node. After a day without such changes, the label is no longer dynamic. Several changes of a
 * node within an hour count once, so that a labeller which goes wrong does not make a label dynamic at once.
 */
final class DynamicLabels {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration DAY = Duration.ofDays(1);
    private static final int HOURS = 4;

    /** The maximum number of dynamic labels that the ledger has. */
    private static final int MOST_REMEMBERED = 1_000;

    /** When each dynamic label was last seen to be dynamic. */
    private final Map<String, Instant> dynamic = new TreeMap<>();

    /** How often labels changed on nodes, by label key. */
    private final Map<String, Counts> byKey = new HashMap<>();

    /** How often one label changed on nodes. */
    private static final class Counts {
        private final Map<String, Hours> byNode = new HashMap<>();

        /** The number of nodes on which the label changed often. Deleted nodes count until the next {@link #sweep}. */
        private int often;

        /** A label is dynamic only if it changed often on at least this many nodes; before, none are counted. */
        private int needed;

        /** When a dynamic label was last checked. */
        private Instant looked = Instant.MIN;

        void changed(String node, Instant now) {
            Hours before = byNode.get(node);
            Hours after = before == null ? new Hours(now, 1) : before.and(now);
            byNode.put(node, after);
            often += (after.isOften() ? 1 : 0) - (before != null && before.isOften() ? 1 : 0);
        }

        /** Forgets the nodes on which the label did not change since an instant. */
        void forgetBefore(Instant instant) {
            byNode.values().removeIf(hours -> hours.last().isBefore(instant));
            often = (int) byNode.values().stream().filter(Hours::isOften).count();
            needed = 0;
        }
    }

    /**
     * The number of different hours in which a label of a node changed.
     *
     * @param last when the last of these hours began with a change
     */
    private record Hours(Instant last, int hours) {
        boolean isOften() {
            return hours == HOURS;
        }

        Hours and(Instant now) {
            if (last.isBefore(now.minus(DAY))) {
                return new Hours(now, 1);
            }
            return last.isAfter(now.minus(HOUR)) ? this : new Hours(now, Math.min(hours + 1, HOURS));
        }
    }

    /** Counts a change of a label of a present node. */
    void changed(String key, String node, Instant now) {
        byKey.computeIfAbsent(key, _ -> new Counts()).changed(node, now);
    }

    boolean has(String key) {
        return dynamic.containsKey(key);
    }

    /**
     * {@return on how many nodes the label changes all the time, if it is dynamic from now on; otherwise empty} The
     * nodes are read only if the label may have become dynamic, and once an hour while it is dynamic. So the time
     * usually does not depend on the size of the cluster.
     */
    Optional<Nodes> begin(String key, ClusterView cluster, BreakerSettings settings, Instant now) {
        Counts counts = byKey.get(key);
        if (counts == null || counts.often < Math.max(settings.labelNodes(), counts.needed)) {
            return Optional.empty();
        }
        if (dynamic.containsKey(key) && counts.looked.isAfter(now.minus(HOUR))) {
            return Optional.empty();
        }
        counts.looked = now;
        int often = 0;
        int all = 0;
        for (Node node : cluster.nodes()) {
            Optional<Hours> hours = Optional.ofNullable(counts.byNode.get(node.name()));
            often += hours.filter(Hours::isOften).isPresent() ? 1 : 0;
            all += hours.isPresent() || node.labels().has(key) ? 1 : 0;
        }
        if (often < settings.labelNodes() || 2 * often < all) {
            counts.needed = counts.often + Math.max(1, (all + 1) / 2 - often);
            return Optional.empty();
        }
        return dynamic.put(key, now) == null ? Optional.of(new Nodes(often, all)) : Optional.empty();
    }

    /** @param often the number of nodes on which a label changes all the time, of {@code all} that have it or had it */
    record Nodes(int often, int all) {
        @Override
        public String toString() {
            return often + " of " + all + " nodes";
        }
    }

    /** Forgets changes that are older than a day, and returns the keys of the labels that are no longer dynamic. */
    Set<String> sweep(Instant now) {
        Instant over = now.minus(DAY);
        Set<String> ended = new TreeSet<>(dynamic.keySet());
        dynamic.values().removeIf(at -> at.isBefore(over));
        ended.removeAll(dynamic.keySet());
        byKey.values().removeIf(counts -> {
            counts.forgetBefore(over);
            return counts.byNode.isEmpty();
        });
        return ended;
    }

    List<RememberedBrakes.Dynamic> remembered() {
        return dynamic.entrySet().stream()
                .map(one -> new RememberedBrakes.Dynamic(one.getKey(), one.getValue()))
                .sorted(Comparator.comparing(RememberedBrakes.Dynamic::at).reversed())
                .limit(MOST_REMEMBERED)
                .toList();
    }

    /** Takes over the dynamic labels that an earlier process stored. */
    void recall(List<RememberedBrakes.Dynamic> remembered) {
        remembered.forEach(one -> dynamic.merge(one.key(), one.at(), (own, other) -> own.isAfter(other) ? own : other));
    }

    /** {@return the number of stored entries: labels of nodes that changed, and dynamic labels} */
    int size() {
        return dynamic.size()
                + byKey.values().stream()
                        .mapToInt(counts -> counts.byNode.size())
                        .sum();
    }
}
