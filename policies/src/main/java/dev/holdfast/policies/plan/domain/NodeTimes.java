package dev.holdfast.policies.plan.domain;

import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Taint;
import dev.holdfast.policies.plan.capacity.LeavingNodes;
import dev.holdfast.policies.rule.NodeEligibility;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Records since when each node has been usable with its present labels and taints. These times show for any rule since
 * when a node has been eligible, even if the rule is newer than the change of the node.
 *
 * <p>For a node without recorded changes, its own creation and Ready times count. What was true when the operator
 * started counts as true before.
 */
final class NodeTimes {
    /**
     * The maximum number of label keys, and of taints, recorded for one node. If there are more, the node counts as
     * changed altogether at the last of these changes.
     */
    static final int MOST = 32;

    /** The maximum number of nodes whose changes the next process gets. */
    static final int MOST_REMEMBERED = 5_000;

    private static final int MOST_REMEMBERED_OF_NODE = 8;

    private final Map<String, OfNode> byName = new HashMap<>();

    /**
     * The changes of one node.
     *
     * @param usableSince since when the node has been usable; the times of the node itself count if they are later
     * @param labels when each label key last got another value, appeared or disappeared
     * @param taints when each taint was removed that the node had before
     */
    private record OfNode(Instant usableSince, Map<String, Instant> labels, Map<Taint, Instant> taints) {
        static OfNode since(Instant usableSince) {
            return new OfNode(usableSince, new HashMap<>(), new HashMap<>());
        }

        Instant last() {
            return Stream.of(labels.values(), taints.values())
                    .flatMap(Collection::stream)
                    .reduce(usableSince, NodeTimes::latest);
        }

        /** {@return the stored form} A node with many changes counts as changed altogether at the last change. */
        RememberedNodes.Changed remembered(String node) {
            boolean many = labels.size() + taints.size() > MOST_REMEMBERED_OF_NODE;
            Instant since = many ? last() : usableSince;
            return new RememberedNodes.Changed(
                    node,
                    Optional.of(since).filter(Instant.MIN::isBefore),
                    many ? Map.of() : labels,
                    many
                            ? List.of()
                            : taints.entrySet().stream()
                                    .map(one -> new RememberedNodes.RemovedTaint(
                                            one.getKey().key(),
                                            one.getKey().value(),
                                            one.getKey().effect(),
                                            one.getValue()))
                                    .sorted(Comparator.comparing(RememberedNodes.RemovedTaint::at)
                                            .thenComparing(RememberedNodes.RemovedTaint::key))
                                    .toList());
        }
    }

    /** {@return whether the node is Ready, schedulable and not leaving} */
    static boolean isUsable(Node node) {
        return node.ready()
                && !node.unschedulable()
                && LeavingNodes.leaving(node).isEmpty();
    }

    /** {@return whether the node was replaced, or was not Ready for some time between the two states} */
    static boolean isAnother(Node before, Node after) {
        return !before.uid().equals(after.uid())
                || after.life().readySince().isAfter(before.life().readySince());
    }

    /**
     * {@return since when a changed node has been usable} A node that only became Ready has been so since its own Ready
     * time: pods may be bound to it before the operator sees that.
     */
    static Instant usableSince(Node before, Node after, Instant now) {
        Instant ready = latest(after.life().readySince(), after.life().creationTime());
        boolean onlyReady = !before.ready()
                && after.ready()
                && after.life().readyChanged().isPresent()
                && !ready.isBefore(before.life().readySince())
                && before.unschedulable() == after.unschedulable()
                && before.labels().equals(after.labels())
                && before.life().deletionTime().equals(after.life().deletionTime())
                && before.life().condition().leaving()
                        == after.life().condition().leaving();
        return onlyReady && ready.isBefore(now) ? ready : now;
    }

    /** Records the change of a node that stays. */
    void changed(Node before, Node after, Instant now) {
        if (!isUsable(before) || isAnother(before, after)) {
            byName.put(after.name(), OfNode.since(usableSince(before, after, now)));
            return;
        }
        if (before.labels().equals(after.labels()) && before.taints().equals(after.taints())) {
            return;
        }
        OfNode times = byName.computeIfAbsent(after.name(), _ -> OfNode.since(Instant.MIN));
        labelsChanged(before.labels(), after.labels(), times, now);
        for (Taint taint : before.taints()) {
            if (!after.taints().contains(taint)) {
                times.taints().put(taint, now);
            }
        }
        if (times.labels().size() > MOST || times.taints().size() > MOST) {
            byName.put(after.name(), OfNode.since(now));
        }
    }

    private static void labelsChanged(Labels before, Labels after, OfNode times, Instant now) {
        for (int i = 0; i < before.size(); i++) {
            if (!after.has(before.key(i), before.value(i))) {
                times.labels().put(before.key(i), now);
            }
        }
        for (int i = 0; i < after.size(); i++) {
            if (!before.has(after.key(i), after.value(i))) {
                times.labels().put(after.key(i), now);
            }
        }
    }

    /** {@return the changes of nodes, for the next process of the operator: of very many, the last ones} */
    List<RememberedNodes.Changed> remembered() {
        Instant from = byName.size() <= MOST_REMEMBERED
                ? Instant.MIN
                : byName.values().stream()
                        .map(OfNode::last)
                        .sorted(Comparator.reverseOrder())
                        .skip(MOST_REMEMBERED - 1L)
                        .findFirst()
                        .orElseThrow();
        return byName.entrySet().stream()
                .filter(one ->
                        from.equals(Instant.MIN) || !one.getValue().last().isBefore(from))
                .limit(MOST_REMEMBERED)
                .map(one -> one.getValue().remembered(one.getKey()))
                .sorted(Comparator.comparing(RememberedNodes.Changed::node))
                .toList();
    }

    /** Takes over the changes of a present node that an earlier process saw. What this process saw later counts too. */
    void recall(RememberedNodes.Changed remembered) {
        OfNode times = byName.computeIfAbsent(remembered.node(), _ -> OfNode.since(Instant.MIN));
        remembered.labels().forEach((key, at) -> times.labels().merge(key, at, NodeTimes::latest));
        remembered
                .taints()
                .forEach(one -> times.taints()
                        .merge(new Taint(one.key(), one.value(), one.effect()), one.at(), NodeTimes::latest));
        byName.put(
                remembered.node(),
                new OfNode(
                        latest(times.usableSince(), remembered.usableSince().orElse(Instant.MIN)),
                        times.labels(),
                        times.taints()));
    }

    /** Forgets a node that is gone. */
    void gone(String name) {
        byName.remove(name);
    }

    /**
     * {@return since when a node that is usable and eligible now has been both} If the node was eligible with other
     * values of the same labels before, the time may be later than the true one, never earlier.
     *
     * @param labelKeys the label keys of the eligibility
     */
    Instant eligibleSince(Node node, NodeEligibility eligibility, Set<String> labelKeys) {
        Instant since = latest(node.life().readySince(), node.life().creationTime());
        OfNode times = byName.get(node.name());
        if (times == null) {
            return since;
        }
        since = latest(since, times.usableSince());
        if (!times.labels().isEmpty()) {
            for (String key : labelKeys) {
                since = latest(since, times.labels().getOrDefault(key, Instant.MIN));
            }
        }
        for (Map.Entry<Taint, Instant> removed : times.taints().entrySet()) {
            if (eligibility.isExcludedBy(removed.getKey())) {
                since = latest(since, removed.getValue());
            }
        }
        return since;
    }

    private static Instant latest(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    /** {@return the number of nodes with recorded changes} */
    int size() {
        return byName.size();
    }
}
