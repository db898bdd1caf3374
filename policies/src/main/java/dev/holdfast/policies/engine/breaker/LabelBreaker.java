package dev.holdfast.policies.engine.breaker;

import dev.holdfast.policies.engine.ledger.RememberedBrakes;
import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.protocol.BreakerSettings;
import dev.holdfast.policies.engine.report.BrakeReport;
import dev.holdfast.policies.engine.report.BreakerReport;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.plan.move.BreakerScope;
import dev.holdfast.policies.plan.move.ChangeCounter;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The breakers for node labels, one for each label key. A breaker opens when a large share of the nodes that had a
 * label have lost it: probably a mistake of whatever sets the label. While the breaker is open, no pod is evicted for a
 * rule that reads the label. The breaker closes when enough of these nodes have the label again or are deleted, or when
 * a user acknowledges the loss. A changed value counts as the loss of the old value.
 *
 * <p>A loss counts for an hour, or as long as the longest forgiveness with which a cluster policy enforces a rule that
 * reads the label: only then are all violations due that the loss caused. Policies of a namespace that enforce such a
 * rule with a longer forgiveness have a breaker of their own, which counts as long as that. It holds only what these
 * policies request, because no tenant shall stop what a cluster policy or another tenant enforces.
 *
 * <p>Deleted nodes do not count. To save time, nodes are counted only for labels that some nodes have lost.
 *
 * <p>Example: label disk leaves 3 of 10 nodes, one each day. A cluster policy forgives for 5 minutes, and a policy of
 * namespace shop for a week. Pods move for the cluster policy, and none for the policy of shop.
 */
final class LabelBreaker {
    /**
     * The maximum number of deleted nodes whose labels are stored. If a node with the same name is created without one
     * of these labels, the label counts as lost.
     */
    private static final int MOST_GONE = 10_000;

    /** The maximum number of losses that the ledger has: four labels of each of 5,000 nodes. */
    private static final int MOST_REMEMBERED = 20_000;

    /** The maximum number of deleted nodes that the ledger has. */
    private static final int MOST_REMEMBERED_GONE = 2_000;

    /** For how long a lost label of a node counts at least. */
    private static final Duration LEAST_WINDOW = Duration.ofHours(1);

    private final LiveCluster cluster;
    private final BreakerSettings settings;
    private final ChangeCounter changes;
    private final NavigableMap<String, LostLabel> lost = new TreeMap<>();
    private final NavigableMap<Counted, Opening> open = new TreeMap<>();

    /** When users acknowledged losses for the policies of a namespace; losses up to then do not count for them. */
    private final Map<Counted, Instant> accepted = new HashMap<>();

    /**
     * The labels that deleted nodes had, by node name. They show which labels are missing when a node is created again.
     * The most recently deleted node is at the end.
     */
    private final SequencedMap<String, Gone> gone = new LinkedHashMap<>();

    /**
     * The label keys whose breakers the next {@link #update} checks: a node lost the label or got it back, or a node
     * was created or deleted.
     */
    private final Set<String> changed = new TreeSet<>();

    LabelBreaker(LiveCluster cluster, BreakerSettings settings, ChangeCounter changes) {
        this.cluster = cluster;
        this.settings = settings;
        this.changes = changes;
    }

    private record Gone(Labels labels, Instant at) {}

    /**
     * For whom the losses of a label are counted.
     *
     * @param namespace the namespace whose policies alone are held; absent if all violations are
     */
    private record Counted(String key, Optional<String> namespace) implements Comparable<Counted> {
        private static final Comparator<Counted> ORDER = Comparator.comparing(Counted::key)
                .thenComparing(it -> it.namespace().orElse(""));

        @Override
        public int compareTo(Counted other) {
            return ORDER.compare(this, other);
        }

        String id() {
            return namespace.map(name -> key + "-" + name).orElse(key);
        }

        BreakerScope scope() {
            return namespace
                    .<BreakerScope>map(name -> new BreakerScope.NodeLabelForPolicies(key, name))
                    .orElseGet(() -> new BreakerScope.NodeLabel(key));
        }
    }

    /** @param from losses from this instant on count while the breaker is open, however old they become */
    private record Opening(BreakerOpening opening, Instant from) {}

    /**
     * Records which labels a node lost or got back. Must be called before the change is applied to the cluster state.
     */
    void beforeChange(ClusterEvent fact, Instant now) {
        if (fact instanceof ClusterEvent.NodeChanged(Node node)) {
            Optional<Node> before = cluster.node(node.name());
            Optional<Labels> had = before.map(Node::labels)
                    .or(() -> Optional.ofNullable(gone.remove(node.name())).map(Gone::labels));
            if (before.isEmpty()) {
                changed.addAll(lost.keySet());
            }
            changed(node, had.orElse(Labels.none()), now);
        } else if (fact instanceof ClusterEvent.NodeGone(String name)) {
            cluster.node(name).ifPresent(node -> gone(node, now));
        }
    }

    private void changed(Node node, Labels before, Instant now) {
        Labels after = node.labels();
        if (after.equals(before)) {
            return;
        }
        for (int i = 0; i < before.size(); i++) {
            String key = before.key(i);
            if (!after.has(key, before.value(i)) && cluster.index().dependsOnNodeLabel(key)) {
                lost.computeIfAbsent(key, LostLabel::new).lost(node.name(), before.value(i), now);
                changed.add(key);
                changes.changed();
            }
        }
        lost.forEach((key, label) -> after.get(key)
                .filter(value -> !before.has(key, value))
                .ifPresent(value -> {
                    if (label.found(node.name(), value)) {
                        changes.changed();
                    }
                    changed.add(key);
                }));
    }

    private void gone(Node node, Instant now) {
        Map<String, String> kept = new TreeMap<>(node.labels().toMap());
        kept.keySet().removeIf(key -> !cluster.index().dependsOnNodeLabel(key));
        if (!kept.isEmpty()) {
            gone.putLast(node.name(), new Gone(Labels.of(kept), now));
        }
        if (gone.size() > MOST_GONE) {
            gone.pollFirstEntry();
        }
        changed.addAll(lost.keySet());
    }

    /** {@return the labels that nodes lost, for the next process of the operator: of very many, the last ones} */
    List<RememberedBrakes.Lost> rememberedLosses() {
        return lost.values().stream()
                .flatMap(label -> label.remembered().stream())
                .sorted(Comparator.comparing(RememberedBrakes.Lost::at).reversed())
                .limit(MOST_REMEMBERED)
                .sorted(Comparator.comparing(RememberedBrakes.Lost::at))
                .toList();
    }

    List<RememberedBrakes.LabelOpening> rememberedOpenings() {
        return open.entrySet().stream()
                .map(one -> new RememberedBrakes.LabelOpening(
                        one.getKey().key(),
                        one.getKey().namespace(),
                        one.getValue().opening().remembered(),
                        one.getValue().from()))
                .toList();
    }

    List<RememberedBrakes.Accepted> rememberedAcceptances() {
        return accepted.entrySet().stream()
                .map(one -> new RememberedBrakes.Accepted(
                        one.getKey().key(), one.getKey().namespace(), one.getValue()))
                .toList();
    }

    /**
     * Takes over what an earlier process remembered. Losses that only this process can know stay. A label that a node has
     * got back meanwhile is not lost. If a deleted node was created again meanwhile, the labels that it lacks count as lost.
     *
     * @param written when the earlier process last remembered something
     */
    void recall(RememberedBrakes remembered, Instant written, Instant now) {
        List<RememberedBrakes.Lost> own = rememberedLosses();
        lost.clear();
        Stream.concat(
                        remembered.lost().stream(),
                        own.stream().filter(one -> one.at().isAfter(written.minus(BreakerOpening.INEXACT))))
                .filter(one -> cluster.node(one.node())
                        .filter(node -> node.labels().has(one.key(), one.value()))
                        .isEmpty())
                .forEach(
                        one -> lost.computeIfAbsent(one.key(), LostLabel::new).lost(one.node(), one.value(), one.at()));
        SequencedMap<String, Gone> newer = new LinkedHashMap<>(gone);
        gone.clear();
        remembered.gone().orElse(List.of()).forEach(one -> recall(one, now));
        newer.forEach(gone::putLast);
        accepted.clear();
        remembered.accepted().forEach(one -> accepted.put(new Counted(one.key(), one.namespace()), one.at()));
        open.values().removeIf(it -> !it.opening().isAfter(written));
        for (RememberedBrakes.LabelOpening one : remembered.labels()) {
            Counted counted = new Counted(one.key(), one.namespace());
            open.put(counted, new Opening(BreakerOpening.of(one.opening()), one.from()));
            lost.computeIfAbsent(one.key(), LostLabel::new);
        }
        changed.addAll(lost.keySet());
    }

    private void recall(RememberedBrakes.Gone remembered, Instant now) {
        Labels had = Labels.of(remembered.labels());
        cluster.node(remembered.node())
                .ifPresentOrElse(
                        node -> changed(node, had, now),
                        () -> gone.put(remembered.node(), new Gone(had, remembered.at())));
    }

    /** {@return the labels of deleted nodes, for the next process of the operator: of very many, the last ones} */
    List<RememberedBrakes.Gone> rememberedGone() {
        return gone.entrySet().stream()
                .skip(Math.max(0, gone.size() - MOST_REMEMBERED_GONE))
                .map(one -> new RememberedBrakes.Gone(
                        one.getKey(),
                        one.getValue().labels().toMap(),
                        one.getValue().at()))
                .toList();
    }

    /** {@return a report of each open breaker, for a replica that begins to lead} */
    List<BreakerReport> takenOver() {
        return open.entrySet().stream()
                .map(one -> one.getValue()
                        .opening()
                        .takenOver(Reason.LABEL_BREAKER, one.getKey().scope()))
                .toList();
    }

    /** {@return whether a change since the last check may open or close one of the breakers} */
    boolean isStale() {
        return !changed.isEmpty();
    }

    /**
     * Opens and closes the breakers.
     *
     * @param acknowledged the ids that users have acknowledged
     * @return the reports of the breakers that opened or closed
     */
    List<BreakerReport> update(Set<String> acknowledged, Instant now) {
        List<BreakerReport> reports = new ArrayList<>();
        for (Counted counted : List.copyOf(open.keySet())) {
            if (open.containsKey(counted) && acknowledged.contains(idOf(counted))) {
                reports.addAll(acknowledge(counted, now));
            }
        }
        for (String key : changed) {
            reports.addAll(update(key, now));
        }
        changed.clear();
        return reports;
    }

    /** From now on, the nodes that lose this label are counted from zero. */
    private List<BreakerReport> acknowledge(Counted acknowledged, Instant now) {
        if (acknowledged.namespace().isPresent()) {
            accepted.put(acknowledged, now);
            return List.of(closed(acknowledged, BrakeReport.Change.ACKNOWLEDGED));
        }
        // Who accepts the loss for all accepts it for each namespace.
        lost.remove(acknowledged.key());
        return List.copyOf(open.keySet()).stream()
                .filter(counted -> counted.key().equals(acknowledged.key()))
                .map(counted -> closed(counted, BrakeReport.Change.ACKNOWLEDGED))
                .toList();
    }

    private List<BreakerReport> update(String key, Instant now) {
        LostLabel label = lost.get(key);
        // Usually too few nodes lost the label, and reading all nodes is not necessary.
        if (label == null || (label.size() < settings.labelNodes() && !isOpen(key))) {
            return List.of();
        }
        LostLabel.Losses losses = label.losses(cluster);
        Map<String, Duration> longer = longerWindows(key);
        List<BreakerReport> reports = new ArrayList<>();
        Counted all = new Counted(key, Optional.empty());
        update(all, windowOfAll(key), losses, now).ifPresent(reports::add);
        for (String namespace : namespaces(key, longer.keySet())) {
            Counted own = new Counted(key, Optional.of(namespace));
            if (open.containsKey(own) || !open.containsKey(all)) {
                Duration window = longer.getOrDefault(namespace, LEAST_WINDOW);
                update(own, window, losses, now).ifPresent(reports::add);
            }
        }
        return reports;
    }

    private Duration windowOfAll(String key) {
        return atLeast(cluster.index().longestForgiveness(key).getOrDefault(Optional.empty(), Duration.ZERO));
    }

    private static Duration atLeast(Duration forgiveness) {
        return forgiveness.compareTo(LEAST_WINDOW) > 0 ? forgiveness : LEAST_WINDOW;
    }

    /** {@return the windows of the namespaces whose policies forgive longer than the window for all} */
    private Map<String, Duration> longerWindows(String key) {
        Duration ofAll = windowOfAll(key);
        Map<String, Duration> longer = new TreeMap<>();
        cluster.index().longestForgiveness(key).forEach((namespace, forgiveness) -> {
            if (forgiveness.compareTo(ofAll) > 0) {
                namespace.ifPresent(name -> longer.put(name, forgiveness));
            }
        });
        return longer;
    }

    private Set<String> namespaces(String key, Set<String> withLongerWindow) {
        Set<String> namespaces = new TreeSet<>(withLongerWindow);
        open.keySet().stream()
                .filter(counted -> counted.key().equals(key))
                .flatMap(counted -> counted.namespace().stream())
                .forEach(namespaces::add);
        return namespaces;
    }

    private Optional<BreakerReport> update(Counted counted, Duration window, LostLabel.Losses losses, Instant now) {
        Optional<Opening> before = Optional.ofNullable(open.get(counted));
        Instant from = before.map(Opening::from).orElseGet(() -> from(counted, window, now));
        Optional<LostLabel.Loss> tooMuch = losses.tooMuch(from, settings);
        if (tooMuch.isEmpty()) {
            return before.map(_ -> closed(counted, BrakeReport.Change.HEALED));
        }
        String id =
                before.map(opening -> opening.opening().id()).orElseGet(() -> BreakerOpening.newId(counted.id(), now));
        BreakerOpening opening = new BreakerOpening(id, message(counted, tooMuch.get(), id));
        open.put(counted, new Opening(opening, from));
        return before.isPresent()
                ? Optional.empty()
                : Optional.of(opening.opened(Reason.LABEL_BREAKER, counted.scope()));
    }

    private Instant from(Counted counted, Duration window, Instant now) {
        Instant from = now.minus(window);
        return Optional.ofNullable(accepted.get(counted))
                .map(at -> at.plusNanos(1))
                .filter(from::isBefore)
                .orElse(from);
    }

    private String message(Counted counted, LostLabel.Loss loss, String id) {
        String which = counted.namespace()
                .map(namespace -> " of policies in namespace " + namespace)
                .orElse("");
        return loss + "; probably a mistake of whatever sets it. No pod is evicted for rules" + which
                + " that read this label until it is back, or until you acknowledge that this is intended: "
                + BreakerOpening.acknowledging(id, settings);
    }

    private String idOf(Counted counted) {
        return open(counted).id();
    }

    private BreakerOpening open(Counted counted) {
        return Optional.ofNullable(open.get(counted)).orElseThrow().opening();
    }

    private boolean isOpen(String key) {
        return open.keySet().stream().anyMatch(counted -> counted.key().equals(key));
    }

    private BreakerReport closed(Counted counted, BrakeReport.Change change) {
        BreakerOpening opening = open(counted);
        open.remove(counted);
        String why = change == BrakeReport.Change.ACKNOWLEDGED
                ? "a user acknowledged that label " + counted.key() + " left many nodes"
                : "label " + counted.key() + " is back, or nodes without it are gone";
        return opening.closed(Reason.LABEL_BREAKER, counted.scope(), change, why);
    }

    /**
     * Forgets losses of labels that are older than the longest forgiveness of any policy. While a breaker of a label is
     * open, forgets only the losses of deleted nodes.
     */
    void sweep(Instant now) {
        // Reading all forgivenesses of a key takes long, and thousands of deleted nodes had the same keys.
        Map<String, Duration> windows = new HashMap<>();
        for (Map.Entry<String, LostLabel> entry : lost.entrySet()) {
            String key = entry.getKey();
            Instant over = now.minus(windows.computeIfAbsent(key, this::longestWindow));
            if (isOpen(key)) {
                entry.getValue().forgetGone(cluster, over);
            } else {
                entry.getValue().forgetBefore(over);
            }
            accepted.entrySet()
                    .removeIf(
                            it -> it.getKey().key().equals(key) && it.getValue().isBefore(over));
        }
        lost.entrySet().removeIf(entry -> entry.getValue().size() == 0 && !isOpen(entry.getKey()));
        accepted.keySet().removeIf(counted -> !lost.containsKey(counted.key()));
        forgetGone(windows, now);
    }

    private void forgetGone(Map<String, Duration> windows, Instant now) {
        gone.values().removeIf(one -> {
            Duration longest = LEAST_WINDOW;
            for (int i = 0; i < one.labels().size(); i++) {
                Duration window = windows.computeIfAbsent(one.labels().key(i), this::longestWindow);
                longest = window.compareTo(longest) > 0 ? window : longest;
            }
            return one.at().isBefore(now.minus(longest));
        });
    }

    private Duration longestWindow(String key) {
        return cluster.index().longestForgiveness(key).values().stream()
                .map(LabelBreaker::atLeast)
                .max(Comparator.naturalOrder())
                .orElse(LEAST_WINDOW);
    }

    /**
     * {@return the hold of a violation whose rule reads node labels with these keys; empty if the breakers of all these
     * keys are closed}
     *
     * @param requesting the policy that requests the rule
     */
    Optional<Hold> against(Set<String> nodeKeys, PolicyId requesting) {
        return nodeKeys.stream()
                .flatMap(key -> Stream.of(new Counted(key, Optional.empty()), new Counted(key, requesting.namespace())))
                .flatMap(counted -> Stream.ofNullable(open.get(counted)))
                .findFirst()
                .map(opening -> opening.opening().hold(Reason.LABEL_BREAKER));
    }

    /** {@return the ids of the open breakers, ordered by label key} */
    List<String> ids() {
        return open.values().stream().map(opening -> opening.opening().id()).toList();
    }

    boolean isOpen() {
        return !open.isEmpty();
    }

    /** {@return the number of stored entries: lost labels by node, open and acknowledged breakers, deleted nodes} */
    int size() {
        return lost.values().stream().mapToInt(LostLabel::size).sum() + open.size() + accepted.size() + gone.size();
    }
}
