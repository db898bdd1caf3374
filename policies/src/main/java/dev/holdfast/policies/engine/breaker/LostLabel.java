package dev.holdfast.policies.engine.breaker;

import dev.holdfast.policies.engine.ledger.RememberedBrakes;
import dev.holdfast.policies.engine.protocol.BreakerSettings;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/** The nodes that lost the label with one key, and the values that they lost. */
final class LostLabel {
    /**
     * The maximum number of lost values stored per node. It limits memory if the value of a label changes again and
     * again.
     */
    private static final int VALUES = 3;

    private final String key;

    /**
     * When each node lost each value: {@code node-1 -> {ssd -> 10:00, nvme -> 10:05}}. The latest loss of a node is at
     * the end.
     */
    private final Map<String, SequencedMap<String, Instant>> byNode = new HashMap<>();

    LostLabel(String key) {
        this.key = key;
    }

    /**
     * How many nodes lost a label.
     *
     * @param label the label key if every value counts, or {@code key=value} if only one value counts
     * @param nodes the number of existing nodes that lost the label
     * @param nodesWithOrWithout the number of existing nodes that have the label or lost it
     * @param first when the first of them lost it
     * @param last when the last of them lost it
     */
    record Loss(String label, int nodes, int nodesWithOrWithout, Instant first, Instant last) {
        private static final int PERCENT = 100;
        private static final Duration IN_SECONDS = Duration.ofMinutes(10);

        boolean isTooMuch(BreakerSettings settings) {
            return nodes >= settings.labelNodes()
                    && (long) nodes * PERCENT >= (long) nodesWithOrWithout * settings.labelPercent();
        }

        @Override
        public String toString() {
            return "label " + label + " left " + nodes + " of " + nodesWithOrWithout + " nodes in " + time();
        }

        private String time() {
            Duration time = Duration.between(first, last);
            return time.compareTo(IN_SECONDS) < 0 ? Math.max(1, time.toSeconds()) + " s" : time.toMinutes() + " min";
        }
    }

    void lost(String node, String value, Instant now) {
        SequencedMap<String, Instant> values = byNode.computeIfAbsent(node, _ -> new LinkedHashMap<>());
        values.putLast(value, now);
        if (values.size() > VALUES) {
            values.pollFirstEntry();
        }
    }

    /** {@return whether the loss of this value was known} */
    boolean found(String node, String value) {
        SequencedMap<String, Instant> values = byNode.get(node);
        if (values == null || values.remove(value) == null) {
            return false;
        }
        if (values.isEmpty()) {
            byNode.remove(node);
        }
        return true;
    }

    /** {@return all losses, those of a node in the order in which it lost the values} */
    List<RememberedBrakes.Lost> remembered() {
        List<RememberedBrakes.Lost> all = new ArrayList<>();
        byNode.forEach((node, values) ->
                values.forEach((value, at) -> all.add(new RememberedBrakes.Lost(key, node, value, at))));
        return all;
    }

    /** Forgets the values that were lost before an instant. */
    void forgetBefore(Instant instant) {
        byNode.values().removeIf(values -> {
            values.values().removeIf(at -> at.isBefore(instant));
            return values.isEmpty();
        });
    }

    /** Forgets the nodes that do not exist any more and lost no value since an instant. */
    void forgetGone(ClusterView cluster, Instant instant) {
        byNode.entrySet()
                .removeIf(entry -> cluster.node(entry.getKey()).isEmpty()
                        && entry.getValue().lastEntry().getValue().isBefore(instant));
    }

    /** {@return the present nodes that have the label or lost it} It reads all nodes. */
    Losses losses(ClusterView cluster) {
        Census all = new Census(key);
        Map<String, Census> byValue = new HashMap<>();
        for (Node node : cluster.nodes()) {
            Optional<String> value = node.labels().get(key);
            value.ifPresent(it -> {
                all.carriers++;
                census(it, byValue).carriers++;
            });
            SequencedMap<String, Instant> lost = byNode.get(node.name());
            if (lost != null) {
                lost.forEach((one, at) -> census(one, byValue).lost.add(at));
                if (value.isEmpty()) {
                    all.lost.add(lost.lastEntry().getValue());
                }
            }
        }
        return new Losses(all, List.copyOf(byValue.values()));
    }

    private Census census(String value, Map<String, Census> byValue) {
        return byValue.computeIfAbsent(value, _ -> new Census(key + "=" + value));
    }

    /** {@return the number of nodes for which a loss is stored} */
    int size() {
        return byNode.size();
    }

    /** The nodes that have a label or lost it, for the whole label and for each of its values. */
    static final class Losses {
        private final Census ofLabel;
        private final List<Census> ofValues;

        private Losses(Census ofLabel, List<Census> ofValues) {
            this.ofLabel = ofLabel;
            this.ofValues = ofValues;
        }

        /**
         * {@return the loss since an instant that is large enough to open the breaker; empty if none is} This is the
         * loss of the whole label ({@code disk}). If too few nodes lost that, it is the loss of the value that most
         * nodes lost ({@code disk=ssd}).
         */
        Optional<Loss> tooMuch(Instant from, BreakerSettings settings) {
            return ofLabel.since(from)
                    .filter(loss -> loss.isTooMuch(settings))
                    .or(() -> ofValues.stream()
                            .flatMap(census -> census.since(from).stream())
                            .filter(loss -> loss.isTooMuch(settings))
                            .max(Comparator.comparingInt(Loss::nodes)
                                    .thenComparing(Loss::label, Comparator.reverseOrder())));
        }
    }

    /** Counts the nodes that have a label, and has when others lost it. */
    private static final class Census {
        private final String label;
        private int carriers;
        private final List<Instant> lost = new ArrayList<>();

        Census(String label) {
            this.label = label;
        }

        Optional<Loss> since(Instant from) {
            List<Instant> since = lost.stream().filter(at -> !at.isBefore(from)).toList();
            return since.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Loss(
                            label,
                            since.size(),
                            carriers + since.size(),
                            Collections.min(since),
                            Collections.max(since)));
        }
    }
}
