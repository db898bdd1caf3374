package dev.holdfast.policies.engine.breaker;

import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.protocol.BreakerSettings;
import dev.holdfast.policies.engine.protocol.ledger.RememberedBrakes;
import dev.holdfast.policies.evaluate.NodeFilter;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Node;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The changes of the node label with one key: the values that left nodes, and the values that came to nodes and broke
 * enforced rules. A change is stored until it is undone: the value that left is back, or the value that came is gone.
 */
final class ChangedLabel {
    /**
     * The maximum number of changes stored per node. The limit saves memory if a value keeps changing.
     */
    private static final int CHANGES = 4;

    /** A change that breaks rules of policies in more namespaces than this counts for all policies. */
    private static final int NAMESPACES = 8;

    private final String key;

    /**
     * The changes of each node: {@code node-1 -> {ssd left -> 10:00, nvme came -> 10:05}}. The latest change of a node
     * is at the end.
     */
    private final Map<String, SequencedMap<Value, Change>> byNode = new HashMap<>();

    ChangedLabel(String key) {
        this.key = key;
    }

    /** @param came whether the value came to the node; otherwise the value left the node */
    private record Value(String text, boolean came) {
        boolean isUndone(Optional<String> now) {
            return came != now.equals(Optional.of(text));
        }

        Value opposite() {
            return new Value(text, !came);
        }
    }

    /**
     * @param broke the namespaces of the policies that enforce a rule which the change broke; an empty one stands for
     *     cluster policies
     * @param carried whether this value replaced another one that broke the rules: the change counts as long as the
     *     rules are broken
     */
    private record Change(Instant at, Set<Optional<String>> broke, boolean carried) {
        Change {
            broke = Set.copyOf(broke);
        }

        Change(Instant at, Set<Optional<String>> broke) {
            this(at, broke, false);
        }

        Change alsoBreaking(Collection<Optional<String>> namespaces) {
            if (broke.containsAll(namespaces)) {
                return this;
            }
            Set<Optional<String>> all = new HashSet<>(broke);
            all.addAll(namespaces);
            return new Change(at, all.size() > NAMESPACES ? Set.of(Optional.empty()) : all, carried);
        }
    }

    /**
     * The number of nodes that a label left or came to.
     *
     * @param label the label key if every value counts, or {@code key=value} if only one value counts
     * @param came whether the label came to the nodes; otherwise it left them
     * @param nodes the number of existing nodes that the label left or came to
     * @param ofNodes the number of existing nodes that have the label or that the label left; if the label came, the
     *     nodes that have it, or pods whose rules read it
     * @param first when the label left or came to the first of these nodes
     * @param last when the label left or came to the last of these nodes
     */
    record Share(String label, boolean came, int nodes, int ofNodes, Instant first, Instant last) {
        private static final int PERCENT = 100;
        private static final Duration IN_SECONDS = Duration.ofMinutes(10);

        boolean isTooMuch(BreakerSettings settings) {
            return nodes >= settings.labelNodes() && (long) nodes * PERCENT >= (long) ofNodes * settings.labelPercent();
        }

        @Override
        public String toString() {
            return "label " + label + (came ? " came to " : " left ") + nodes + " of " + ofNodes + " nodes in " + time()
                    + (came ? " and broke rules there" : "");
        }

        private String time() {
            Duration time = Duration.between(first, last);
            return time.compareTo(IN_SECONDS) < 0 ? Math.max(1, time.toSeconds()) + " s" : time.toMinutes() + " min";
        }
    }

    /**
     * Records the new value of a node's label, and forgets the changes that the new value undoes. A value that comes
     * and leaves within the time that counts is no change.
     *
     * @param left the value that left the node; absent if there was none, or if it does not count
     * @param now the value that the node has now
     * @return whether the changes to remember differ now
     */
    boolean changed(String node, Optional<String> left, Optional<String> now, Instant at) {
        SequencedMap<Value, Change> changes = byNode.getOrDefault(node, new LinkedHashMap<>());
        Optional<Value> counts =
                left.map(value -> new Value(value, false)).filter(value -> !changes.containsKey(value.opposite()));
        Optional<Change> carried = changes.entrySet().stream()
                .filter(it -> it.getKey().came()
                        && !it.getValue().broke().isEmpty()
                        && it.getKey().isUndone(now))
                .map(Map.Entry::getValue)
                .findFirst();
        boolean undone = changes.keySet().removeIf(change -> change.isUndone(now));
        if (changes.isEmpty()) {
            byNode.remove(node);
        }
        counts.ifPresent(value -> put(node, value, new Change(at, Set.of())));
        now.ifPresent(value -> carried.ifPresent(
                change -> put(node, new Value(value, true), new Change(change.at(), change.broke(), true))));
        return undone || counts.isPresent();
    }

    /**
     * Stores that a change of a node broke rules.
     *
     * @param from the value that left; absent if it does not count
     * @param to the value that came; absent if none did, or if it does not count
     * @param namespaces the namespaces of the policies that enforce the rules, as in {@link Change}
     */
    void broke(
            String node,
            Optional<String> from,
            Optional<String> to,
            Collection<Optional<String>> namespaces,
            Instant now) {
        from.ifPresent(value -> broke(node, new Value(value, false), namespaces, now));
        to.ifPresent(value -> broke(node, new Value(value, true), namespaces, now));
    }

    /** Stores that a rule is broken on a node that values of the label left. */
    void isBrokenWithout(String node) {
        byNode.getOrDefault(node, new LinkedHashMap<>())
                .replaceAll((value, change) -> value.came() ? change : change.alsoBreaking(Set.of(Optional.empty())));
    }

    /**
     * Stores that a broken rule would hold with any of the values that left the node.
     *
     * @param namespaces the namespaces of the policies that enforce the rule; if none does, an audit shows it for all
     * @return whether the break was not known before
     */
    boolean brokeWithout(Node node, NodeFilter rule, Collection<Optional<String>> namespaces) {
        Collection<Optional<String>> counted = namespaces.isEmpty() ? Set.of(Optional.empty()) : namespaces;
        SequencedMap<Value, Change> changes = byNode.getOrDefault(node.name(), new LinkedHashMap<>());
        boolean any = false;
        for (Map.Entry<Value, Change> one : changes.entrySet()) {
            Change breaking = one.getValue().alsoBreaking(counted);
            if (!one.getKey().came()
                    && !breaking.equals(one.getValue())
                    && rule.accepts(with(node, one.getKey().text()))) {
                one.setValue(breaking);
                any = true;
            }
        }
        return any;
    }

    private Node with(Node node, String value) {
        Map<String, String> labels = new HashMap<>(node.labels().toMap());
        labels.put(key, value);
        return node.withLabels(Labels.of(labels));
    }

    private void broke(String node, Value value, Collection<Optional<String>> namespaces, Instant now) {
        Change known = byNode.getOrDefault(node, new LinkedHashMap<>()).getOrDefault(value, new Change(now, Set.of()));
        put(node, value, known.alsoBreaking(namespaces));
    }

    private void put(String node, Value value, Change change) {
        SequencedMap<Value, Change> changes = byNode.computeIfAbsent(node, _ -> new LinkedHashMap<>());
        changes.putLast(value, change);
        if (changes.size() > CHANGES) {
            changes.pollFirstEntry();
        }
    }

    /** {@return all changes, in order for each node} */
    List<RememberedBrakes.Changed> remembered() {
        List<RememberedBrakes.Changed> all = new ArrayList<>();
        byNode.forEach((node, changes) -> changes.forEach((value, change) -> all.add(new RememberedBrakes.Changed(
                key,
                node,
                value.text(),
                change.at(),
                value.came() ? Optional.of(true) : Optional.empty(),
                change.broke().isEmpty() && value.came()
                        ? Optional.empty()
                        : Optional.of(change.broke().stream()
                                .map(namespace -> namespace.orElse(""))
                                .sorted()
                                .toList())))));
        return all;
    }

    /** Takes over a change that an earlier process stored, unless the change is undone on this node. */
    void recall(RememberedBrakes.Changed remembered, Optional<Node> node) {
        Value value = new Value(remembered.value(), remembered.came().orElse(false));
        if (node.filter(it -> value.isUndone(it.labels().get(key))).isEmpty()) {
            Set<Optional<String>> broke = new HashSet<>();
            remembered
                    .broke()
                    .orElse(value.came() ? List.of() : List.of(""))
                    .forEach(namespace -> broke.add(Optional.of(namespace).filter(it -> !it.isEmpty())));
            put(remembered.node(), value, new Change(remembered.at(), broke));
        }
    }

    /** Forgets the changes before an instant. */
    void forgetBefore(Instant instant) {
        forget(change -> change.at().isBefore(instant));
    }

    private void forget(Predicate<Change> which) {
        byNode.values().removeIf(changes -> {
            changes.values().removeIf(which);
            return changes.isEmpty();
        });
    }

    /**
     * Forgets the values that took the place of one that broke rules, on nodes where no rule is broken any more.
     *
     * @param broken a test whether a rule that reads the label is broken on a node
     */
    void forgetHarmless(Predicate<String> broken) {
        byNode.entrySet().removeIf(entry -> {
            entry.getValue().values().removeIf(change -> change.carried() && !broken.test(entry.getKey()));
            return entry.getValue().isEmpty();
        });
    }

    /** Forgets the nodes that do not exist any more and were not changed since an instant. */
    void forgetGone(ClusterView cluster, Instant instant) {
        byNode.entrySet()
                .removeIf(entry -> cluster.node(entry.getKey()).isEmpty()
                        && entry.getValue().lastEntry().getValue().at().isBefore(instant));
    }

    /** {@return a copy without the changes that {@link #forgetChangesOfValue} forgets} */
    ChangedLabel withoutChangesOfValue(ClusterView cluster) {
        ChangedLabel copy = new ChangedLabel(key);
        byNode.forEach((node, changes) -> copy.byNode.put(node, new LinkedHashMap<>(changes)));
        copy.forgetChangesOfValue(cluster);
        return copy;
    }

    /** Forgets all changes except that nodes lost the label altogether, and that this broke rules. */
    void forgetChangesOfValue(ClusterView cluster) {
        byNode.entrySet()
                .removeIf(entry -> cluster.node(entry.getKey())
                        .filter(node -> node.labels().has(key))
                        .isPresent());
        forget(change -> change.broke().isEmpty());
    }

    /** {@return the namespaces of the policies that enforce rules which values broke that came} */
    Set<String> namespaces() {
        Set<String> namespaces = new HashSet<>();
        byNode.values()
                .forEach(changes -> changes.values()
                        .forEach(change -> change.broke().forEach(one -> one.ifPresent(namespaces::add))));
        return namespaces;
    }

    /** {@return the changes of the present nodes} Reads all nodes. */
    Changes changes(LiveCluster cluster) {
        Census left = new Census(key);
        Map<String, Census> leftByValue = new HashMap<>();
        Map<String, Map.Entry<Value, Change>> came = new HashMap<>();
        for (Node node : cluster.nodes()) {
            Optional<String> value = node.labels().get(key);
            value.ifPresent(it -> {
                left.carriers++;
                census(it, leftByValue).carriers++;
            });
            SequencedMap<Value, Change> changes = byNode.get(node.name());
            if (changes != null) {
                changes.forEach((one, change) -> {
                    if (one.came()) {
                        came.put(node.name(), Map.entry(one, change));
                    } else {
                        census(one.text(), leftByValue).lost(change, change.at());
                        if (value.isEmpty()) {
                            left.brokeSince(change);
                        }
                    }
                });
                if (value.isEmpty()) {
                    left.lost(
                            changes.lastEntry().getValue(),
                            changes.lastEntry().getValue().at());
                }
            }
        }
        return new Changes(left, List.copyOf(leftByValue.values()), came, cluster);
    }

    private Census census(String value, Map<String, Census> byValue) {
        return byValue.computeIfAbsent(value, _ -> new Census(key + "=" + value));
    }

    /** {@return the number of nodes for which a change is stored} */
    int size() {
        return byNode.size();
    }

    /** The changes of present nodes. */
    final class Changes {
        private final Census left;
        private final List<Census> leftByValue;
        private final Map<String, Map.Entry<Value, Change>> came;
        private final LiveCluster cluster;

        private Changes(
                Census left,
                List<Census> leftByValue,
                Map<String, Map.Entry<Value, Change>> came,
                LiveCluster cluster) {
            this.left = left;
            this.leftByValue = leftByValue;
            this.came = came;
            this.cluster = cluster;
        }

        /**
         * {@return the changes since an instant that are enough to open the breaker; empty if none are} The first group
         * that suffices counts: nodes that lost the whole label ({@code disk}), nodes that lost the value that most
         * nodes lost ({@code disk=ssd}), or nodes to which a value came that broke rules.
         *
         * @param namespace the namespace whose policies are held; absent if all are
         */
        Optional<Share> tooMuch(Instant from, Optional<String> namespace, BreakerSettings settings) {
            return left.since(from)
                    .filter(share -> share.isTooMuch(settings))
                    .or(() -> leftByValue.stream()
                            .flatMap(census -> census.since(from).stream())
                            .filter(share -> share.isTooMuch(settings))
                            .max(Comparator.comparingInt(Share::nodes)
                                    .thenComparing(Share::label, Comparator.reverseOrder())))
                    .or(() -> came(from, namespace, settings));
        }

        /**
         * {@return the nodes to which values came that broke rules of these policies} Nodes where such a value broke
         * rules of others count too. Rules are read only for the other nodes, and only if the value came to enough
         * nodes.
         */
        private Optional<Share> came(Instant from, Optional<String> namespace, BreakerSettings settings) {
            Map<String, Map.Entry<Value, Change>> nodes = new HashMap<>(came);
            nodes.values().removeIf(one -> one.getValue().at().isBefore(from));
            Set<Value> own = new HashSet<>();
            nodes.values().stream()
                    .filter(one -> one.getValue().broke().contains(namespace))
                    .forEach(one -> own.add(one.getKey()));
            nodes.values().removeIf(one -> !own.contains(one.getKey()));
            if (nodes.size() < settings.labelNodes()) {
                return Optional.empty();
            }
            int others = 0;
            for (Node node : cluster.nodes()) {
                if (!nodes.containsKey(node.name())
                        && (node.labels().has(key) || cluster.index().isEnforcedOn(node.name(), key, namespace))) {
                    others++;
                }
            }
            Set<String> values = new HashSet<>();
            List<Instant> times = new ArrayList<>();
            nodes.values().forEach(one -> {
                values.add(one.getKey().text());
                times.add(one.getValue().at());
            });
            return Optional.of(new Share(
                            values.size() == 1 ? key + "=" + values.iterator().next() : key,
                            true,
                            nodes.size(),
                            nodes.size() + others,
                            Collections.min(times),
                            Collections.max(times)))
                    .filter(share -> share.isTooMuch(settings));
        }
    }

    /**
     * Counts the nodes that have a label, and stores when others lost it, which count only if a rule broke there.
     */
    private static final class Census {
        private final String label;
        private int carriers;
        private final List<Instant> lost = new ArrayList<>();

        /** When the label last left a node so that a rule broke. */
        private Instant broke = Instant.MIN;

        Census(String label) {
            this.label = label;
        }

        void lost(Change change, Instant at) {
            lost.add(at);
            brokeSince(change);
        }

        void brokeSince(Change change) {
            if (!change.broke().isEmpty() && change.at().isAfter(broke)) {
                broke = change.at();
            }
        }

        Optional<Share> since(Instant from) {
            if (broke.isBefore(from)) {
                return Optional.empty();
            }
            List<Instant> since = lost.stream().filter(at -> !at.isBefore(from)).toList();
            return since.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Share(
                            label,
                            false,
                            since.size(),
                            carriers + since.size(),
                            Collections.min(since),
                            Collections.max(since)));
        }
    }
}
