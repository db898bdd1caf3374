package dev.holdfast.policies.engine.breaker;

import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.protocol.BrakeId;
import dev.holdfast.policies.engine.protocol.BreakerSettings;
import dev.holdfast.policies.engine.protocol.ledger.RememberedBrakes;
import dev.holdfast.policies.engine.report.BrakeReport;
import dev.holdfast.policies.engine.report.BreakerReport;
import dev.holdfast.policies.engine.report.DynamicLabel;
import dev.holdfast.policies.evaluate.Evaluator;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.forgive.Cause;
import dev.holdfast.policies.index.change.LabelChanges;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.move.BreakerScope;
import dev.holdfast.policies.plan.move.ChangeCounter;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.NodeKeys;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The breakers for node labels, one for each label key. A breaker opens when a label changed on a large share of nodes:
 * probably a mistake of whatever sets the label. While the breaker is open, no pod is evicted for a rule that reads the
 * label. The breaker closes when enough of these changes are undone, when the nodes are deleted, or when a user
 * acknowledges the changes.
 *
 * <p>A value that leaves a node counts if a rule needs the label, as {@code disk In [ssd]} does, and if an enforced
 * rule broke on any of the nodes that it left, at once or later. A value that comes to a node counts if it breaks an
 * enforced rule of a pod on that node. A changed value does both. The share of a value that leaves is of the nodes that
 * had it. The share of a value that comes is of the nodes that have the label, or pods whose enforced rules read it.
 * Values of {@linkplain DynamicLabels dynamic} labels open no breaker: only nodes that lose such a label altogether
 * count, if that breaks a rule. A breaker that is open already stays open until a user acknowledges it, or until the
 * label is dynamic no longer.
 *
 * <p>A change counts for an hour, or as long as the longest forgiveness with which a cluster policy enforces a rule
 * that reads the label: only then are all violations due that the change caused. Policies of a namespace that enforce
 * such a rule with a longer forgiveness have a breaker of their own, with that longer time. So do policies whose rules
 * broke because a value came. Such a breaker holds only what these policies request, because no tenant shall stop what
 * a cluster policy or another tenant enforces.
 *
 * <p>Deleted nodes do not count. To save time, nodes are counted only for labels that changed on some nodes.
 *
 * <p>Example: label disk leaves 3 of 10 nodes, one each day. A cluster policy forgives for 5 minutes, and a policy of
 * namespace shop for a week. Pods move for the cluster policy, and none for the policy of shop.
 */
final class LabelBreaker {
    /** The maximum number of changes that the ledger has: four labels of each of 5,000 nodes. */
    private static final int MOST_REMEMBERED = 20_000;

    /** The minimum time for which a changed label of a node counts. */
    private static final Duration LEAST_WINDOW = Duration.ofHours(1);

    private final LiveCluster cluster;
    private final BreakerSettings settings;
    private final ChangeCounter changes;
    private final NavigableMap<String, ChangedLabel> labels = new TreeMap<>();
    private final DynamicLabels dynamic = new DynamicLabels();
    private final DeletedNodes deleted = new DeletedNodes();
    private final NavigableMap<Counted, Opening> open = new TreeMap<>();

    /** When users acknowledged changes for the policies of a namespace; changes up to then do not count for them. */
    private final Map<Counted, Instant> accepted = new HashMap<>();

    /** The label keys whose breakers the next {@link #update} checks, because labels changed or nodes came or left. */
    private final Set<String> changed = new TreeSet<>();

    /**
     * The nodes that were created again since the last {@link #update}: no label is the cause if a rule broke there.
     */
    private final Set<String> returned = new TreeSet<>();

    /** The last change of a node, until the next change of any object. */
    private NodeChange last = NodeChange.NONE;

    LabelBreaker(LiveCluster cluster, BreakerSettings settings, ChangeCounter changes) {
        this.cluster = cluster;
        this.settings = settings;
        this.changes = changes;
    }

    /** The labels that a change of a node changed, if rules read them. */
    private record NodeChange(String node, List<Cause.LabelChange> labels) {
        private static final NodeChange NONE = new NodeChange("", List.of());
    }

    /**
     * The scope in which the changes of a label are counted.
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

    /** @param from changes from this instant on count while the breaker is open, however old they become */
    private record Opening(BreakerOpening opening, Instant from) {}

    /** Records which labels of a node change. Must be called before the change is applied to the cluster state. */
    void beforeChange(ClusterEvent fact, Instant now) {
        last = NodeChange.NONE;
        if (fact instanceof ClusterEvent.NodeChanged(Node node)) {
            Optional<Labels> present = cluster.node(node.name()).map(Node::labels);
            Optional<Labels> before = present.or(() -> deleted.take(node.name()));
            if (present.isEmpty()) {
                changed.addAll(labels.keySet());
                before.ifPresent(_ -> returned.add(node.name()));
            }
            last = new NodeChange(node.name(), changed(node, before.orElse(Labels.none()), now));
            if (present.isPresent()) {
                last.labels().forEach(label -> dynamic.changed(label.key(), node.name(), now));
            }
        } else if (fact instanceof ClusterEvent.NodeUnread(Node node)) {
            // What it had counts again once it is read.
            cluster.node(node.name())
                    .ifPresent(before -> deleted.deleted(before, cluster.index()::dependsOnNodeLabel, now));
            changed.addAll(labels.keySet());
        } else if (fact instanceof ClusterEvent.NodeGone(String name)) {
            cluster.node(name).ifPresent(node -> deleted.deleted(node, cluster.index()::dependsOnNodeLabel, now));
            changed.addAll(labels.keySet());
        }
    }

    /** {@return the changed labels that rules read} */
    private List<Cause.LabelChange> changed(Node node, Labels before, Instant now) {
        Labels after = node.labels();
        if (after.equals(before)) {
            return List.of();
        }
        List<Cause.LabelChange> read = LabelChanges.all(before, after)
                .filter(label -> cluster.index().dependsOnNodeLabel(label.key()) || labels.containsKey(label.key()))
                .toList();
        read.forEach(label -> changed(node.name(), label, now));
        return read;
    }

    private void changed(String node, Cause.LabelChange label, Instant now) {
        String key = label.key();
        Optional<String> left =
                label.from().filter(_ -> !dynamic.has(key) && cluster.index().needsNodeLabel(key));
        changed.add(key);
        if ((left.isPresent() || labels.containsKey(key))
                && labels.computeIfAbsent(key, ChangedLabel::new).changed(node, left, label.to(), now)) {
            changes.changed();
        }
    }

    /**
     * Records that a rule of a pod broke. The break counts if the last change of a node caused it, or if a node
     * affinity would hold with a value that left the node earlier. A label that another node gets is no mistake,
     * because it makes that node a new place. If no policy enforces the rule, only a value that left counts, so that an
     * audit shows the breaker.
     *
     * @param cause what broke the rule
     */
    void broke(Pod pod, AppliedRule rule, Cause cause, Instant now) {
        brokeWithout(pod, rule);
        boolean own = cause instanceof Cause.NodeLabelChanged(String node, var _) && node.equals(last.node());
        if (!own && !(cause instanceof Cause.DomainChanged(String node, var _) && node.equals(last.node()))) {
            return;
        }
        Set<String> read = NodeKeys.of(rule.rule(), pod.scheduling());
        for (Cause.LabelChange label : last.labels()) {
            if (read.contains(label.key()) && (own || label.from().isPresent())) {
                broke(label, rule.enforcers(), now);
            }
        }
    }

    /**
     * Records that a node affinity is broken which would hold if an earlier value of a label had not left the node. The
     * last change may be of another label that the rule accepts instead, or may have brought the pod.
     */
    private void brokeWithout(Pod pod, AppliedRule rule) {
        if (labels.isEmpty() || !(rule.rule() instanceof Rule.NodeAffinity affinity)) {
            return;
        }
        Optional<Node> node = pod.nodeName().flatMap(cluster::node);
        for (String key : affinity.labelKeys()) {
            ChangedLabel label = labels.get(key);
            if (label != null
                    && node.filter(it -> !(dynamic.has(key) && it.labels().has(key)))
                            .filter(it -> label.brokeWithout(it, Evaluator.prepare(affinity), rule.enforcers()))
                            .isPresent()) {
                changed.add(key);
                changes.changed();
            }
        }
    }

    private void broke(Cause.LabelChange label, Set<Optional<String>> namespaces, Instant now) {
        if (dynamic.has(label.key()) && label.to().isPresent()) {
            return;
        }
        if (namespaces.isEmpty()) {
            Optional.ofNullable(labels.get(label.key())).ifPresent(it -> it.isBrokenWithout(last.node()));
        } else {
            labels.computeIfAbsent(label.key(), ChangedLabel::new)
                    .broke(last.node(), label.from(), label.to(), namespaces, now);
        }
        changed.add(label.key());
        changes.changed();
    }

    /** {@return the changes of labels, for the next process of the operator: of very many, the last ones} */
    List<RememberedBrakes.Changed> rememberedChanges() {
        return labels.values().stream()
                .flatMap(label -> label.remembered().stream())
                .sorted(Comparator.comparing(RememberedBrakes.Changed::at).reversed())
                .limit(MOST_REMEMBERED)
                .sorted(Comparator.comparing(RememberedBrakes.Changed::at))
                .toList();
    }

    List<RememberedBrakes.Dynamic> rememberedDynamic() {
        return dynamic.remembered();
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
     * Takes over the changes that an earlier process stored. Changes that only this process can know stay. A change
     * that was undone since does not count. If a deleted node was created again, the labels that the new node lacks
     * count as lost.
     *
     * @param written when the earlier process last wrote the ledger
     */
    void recall(RememberedBrakes remembered, Instant written, Instant now) {
        List<RememberedBrakes.Changed> own = rememberedChanges();
        labels.clear();
        Stream.concat(
                        remembered.lost().stream(),
                        own.stream().filter(one -> one.at().isAfter(written.minus(BreakerOpening.INEXACT))))
                .forEach(one ->
                        labels.computeIfAbsent(one.key(), ChangedLabel::new).recall(one, cluster.node(one.node())));
        dynamic.recall(remembered.dynamic().orElse(List.of()));
        deleted.recall(remembered.gone().orElse(List.of()));
        remembered
                .gone()
                .orElse(List.of())
                .forEach(one -> cluster.node(one.node())
                        .ifPresent(node -> deleted.take(one.node()).ifPresent(had -> {
                            changed(node, had, now);
                            returned.add(node.name());
                        })));
        accepted.clear();
        remembered.accepted().forEach(one -> accepted.put(new Counted(one.key(), one.namespace()), one.at()));
        open.values().removeIf(it -> !it.opening().isAfter(written));
        for (RememberedBrakes.LabelOpening one : remembered.labels()) {
            Counted counted = new Counted(one.key(), one.namespace());
            open.put(counted, new Opening(BreakerOpening.of(one.opening()), one.from()));
            labels.computeIfAbsent(one.key(), ChangedLabel::new);
        }
        changed.addAll(labels.keySet());
    }

    List<RememberedBrakes.Gone> rememberedGone() {
        return deleted.remembered();
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
    List<BrakeReport> update(Set<String> acknowledged, Instant now) {
        List<BrakeReport> reports = new ArrayList<>();
        for (Counted counted : List.copyOf(open.keySet())) {
            if (open.containsKey(counted) && acknowledged.contains(idOf(counted))) {
                reports.addAll(acknowledge(counted, now));
            }
        }
        for (String key : changed) {
            reports.addAll(update(key, now));
        }
        changed.clear();
        returned.clear();
        return reports;
    }

    /** Closes breakers that users acknowledged. From now on, the changes of this label are counted from zero. */
    private List<BreakerReport> acknowledge(Counted acknowledged, Instant now) {
        if (acknowledged.namespace().isPresent()) {
            accepted.put(acknowledged, now);
            return List.of(closed(acknowledged, BrakeReport.Change.ACKNOWLEDGED));
        }
        // Who accepts the changes for all accepts it for each namespace.
        labels.remove(acknowledged.key());
        return List.copyOf(open.keySet()).stream()
                .filter(counted -> counted.key().equals(acknowledged.key()))
                .map(counted -> closed(counted, BrakeReport.Change.ACKNOWLEDGED))
                .toList();
    }

    private List<BrakeReport> update(String key, Instant now) {
        List<BrakeReport> reports = new ArrayList<>();
        dynamic.begin(key, cluster, settings, now).ifPresent(nodes -> reports.add(dynamic(key, nodes)));
        ChangedLabel label = labels.get(key);
        if (label != null && dynamic.has(key) && !isOpen(key)) {
            label.forgetChangesOfValue(cluster);
        }
        if (label != null) {
            label.forgetHarmless(node -> isBrokenOn(node, key));
            returned.stream().filter(node -> isBrokenOn(node, key)).forEach(label::isBrokenWithout);
        }
        // Usually the label changed on too few nodes, and reading all nodes is not necessary.
        if (label == null || (label.size() < settings.labelNodes() && !isOpen(key))) {
            return reports;
        }
        ChangedLabel.Changes changes =
                (dynamic.has(key) ? label.withoutChangesOfValue(cluster) : label).changes(cluster);
        Map<String, Duration> longer = longerWindows(key);
        Counted all = new Counted(key, Optional.empty());
        update(all, windowOfAll(key), changes, now).ifPresent(reports::add);
        Set<String> namespaces = new TreeSet<>(longer.keySet());
        namespaces.addAll(label.namespaces());
        for (String namespace : namespaces(key, namespaces)) {
            Counted own = new Counted(key, Optional.of(namespace));
            if (open.containsKey(own) || !open.containsKey(all)) {
                Duration window = longer.getOrDefault(namespace, windowOfAll(key));
                update(own, window, changes, now).ifPresent(reports::add);
            }
        }
        return reports;
    }

    /** {@return whether a pod on the node violates an enforced rule that reads the label} */
    private boolean isBrokenOn(String node, String key) {
        for (Pod pod : cluster.podsOn(node)) {
            for (AppliedRule rule : cluster.index().rulesOf(pod.uid())) {
                if (!rule.enforcers().isEmpty()
                        && NodeKeys.of(rule.rule(), pod.scheduling()).contains(key)
                        && cluster.index().isBroken(pod.uid(), rule.identity())) {
                    return true;
                }
            }
        }
        return false;
    }

    private DynamicLabel dynamic(String key, DynamicLabels.Nodes nodes) {
        changes.changed();
        return new DynamicLabel(
                key,
                "label " + key + " is dynamic: within a day, it changed in four different hours on " + nodes
                        + (isOpen(key) ? ". Its breaker stays open until you acknowledge it" : "")
                        + ". Changes of its value no longer open the label breaker, and violations of rules that read"
                        + " it are acted on at the pace of the limits. If pods shall not move each time it changes,"
                        + " let no rule read it, or raise the forgiveness of these rules above the time for which a"
                        + " value stays");
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

    private Set<String> namespaces(String key, Set<String> counted) {
        Set<String> namespaces = new TreeSet<>(counted);
        open.keySet().stream()
                .filter(it -> it.key().equals(key))
                .flatMap(it -> it.namespace().stream())
                .forEach(namespaces::add);
        return namespaces;
    }

    private Optional<BreakerReport> update(
            Counted counted, Duration window, ChangedLabel.Changes changes, Instant now) {
        Optional<Opening> before = Optional.ofNullable(open.get(counted));
        if (before.isPresent() && dynamic.has(counted.key())) {
            // What opened it is not undone by becoming usual.
            return Optional.empty();
        }
        Instant from = before.map(Opening::from).orElseGet(() -> from(counted, window, now));
        Optional<ChangedLabel.Share> tooMuch = changes.tooMuch(from, counted.namespace(), settings);
        if (tooMuch.isEmpty()) {
            return before.map(_ -> closed(counted, BrakeReport.Change.HEALED));
        }
        String id = before.map(opening -> opening.opening().id()).orElseGet(() -> BrakeId.of(counted.id(), now));
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

    private String message(Counted counted, ChangedLabel.Share share, String id) {
        String which = counted.namespace()
                .map(namespace -> " of policies in namespace " + namespace)
                .orElse("");
        return share + "; probably a mistake of whatever sets it. No pod is evicted for rules" + which
                + " that read this label until it is " + (share.came() ? "as it was" : "back")
                + ", or until you acknowledge that this is intended: "
                + BrakeId.acknowledging(id, settings);
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
                ? "a user acknowledged that label " + counted.key() + " changed on many nodes"
                : "label " + counted.key() + " is as it was on enough nodes, or nodes on which it changed are gone";
        return opening.closed(Reason.LABEL_BREAKER, counted.scope(), change, why);
    }

    /**
     * Forgets changes of labels that are older than the longest forgiveness of any policy. While a breaker of a label
     * is open, forgets only the changes of deleted nodes.
     */
    void sweep(Instant now) {
        // Reading all forgivenesses of a key takes long, and thousands of deleted nodes had the same keys.
        Map<String, Duration> windows = new HashMap<>();
        for (Map.Entry<String, ChangedLabel> entry : labels.entrySet()) {
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
        labels.entrySet().removeIf(entry -> entry.getValue().size() == 0 && !isOpen(entry.getKey()));
        accepted.keySet().removeIf(counted -> !labels.containsKey(counted.key()));
        changed.addAll(dynamic.sweep(now));
        deleted.forget((had, at) -> at.isBefore(now.minus(longestWindow(had, windows))));
    }

    private Duration longestWindow(Labels labels, Map<String, Duration> windows) {
        Duration longest = LEAST_WINDOW;
        for (int i = 0; i < labels.size(); i++) {
            Duration window = windows.computeIfAbsent(labels.key(i), this::longestWindow);
            longest = window.compareTo(longest) > 0 ? window : longest;
        }
        return longest;
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

    /** {@return the number of stored entries: changed labels by node, open and acknowledged breakers, deleted nodes} */
    int size() {
        return labels.values().stream().mapToInt(ChangedLabel::size).sum()
                + open.size()
                + accepted.size()
                + dynamic.size()
                + deleted.size();
    }
}
