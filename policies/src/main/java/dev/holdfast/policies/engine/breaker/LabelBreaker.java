package dev.holdfast.policies.engine.breaker;

import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.protocol.BreakerSettings;
import dev.holdfast.policies.engine.report.BrakeReport;
import dev.holdfast.policies.engine.report.BreakerReport;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.plan.move.BreakerScope;
import dev.holdfast.policies.plan.move.Hold;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The breakers for node labels, one for each label key. A breaker opens when a large share of the nodes that had a
 * label have lost it: probably a mistake of whatever sets the label. While the breaker is open, no pod is evicted for a
 * rule that reads the label. The breaker closes when enough of these nodes have the label again or are deleted, or when
 * a user acknowledges the loss. A changed value counts as the loss of the old value.
 *
 * <p>Deleted nodes do not count. To save time, nodes are counted only for labels that some nodes have lost.
 */
final class LabelBreaker {
    /**
     * The maximum number of deleted nodes whose labels are stored. If a node with the same name is created without one
     * of these labels, the label counts as lost.
     */
    private static final int MOST_GONE = 10_000;

    private final LiveCluster cluster;
    private final BreakerSettings settings;
    private final NavigableMap<String, LostLabel> lost = new TreeMap<>();
    private final NavigableMap<String, BreakerOpening> open = new TreeMap<>();

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

    LabelBreaker(LiveCluster cluster, BreakerSettings settings) {
        this.cluster = cluster;
        this.settings = settings;
    }

    private record Gone(Labels labels, Instant at) {}

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
            }
        }
        lost.forEach((key, label) -> after.get(key)
                .filter(value -> !before.has(key, value))
                .ifPresent(value -> {
                    label.found(node.name(), value);
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

    /** {@return whether a change since the last check may open or close one of the breakers} */
    boolean isStale() {
        return !changed.isEmpty();
    }

    /**
     * Opens and closes the breakers.
     *
     * @param window how long the loss of a label counts toward opening its breaker; while the breaker is open, older
     *     losses count too
     * @param acknowledged the ids that users have acknowledged
     * @return the reports of the breakers that opened or closed
     */
    List<BreakerReport> update(Duration window, Set<String> acknowledged, Instant now) {
        List<BreakerReport> reports = new ArrayList<>();
        for (String key : List.copyOf(open.keySet())) {
            if (acknowledged.contains(idOf(key))) {
                // From now on, the nodes that lose this label are counted from zero.
                lost.remove(key);
                reports.add(closed(key, BrakeReport.Change.ACKNOWLEDGED));
            }
        }
        for (String key : changed) {
            update(key, window, now).ifPresent(reports::add);
        }
        changed.clear();
        return reports;
    }

    private Optional<BreakerReport> update(String key, Duration window, Instant now) {
        LostLabel label = lost.get(key);
        if (label == null) {
            return Optional.empty();
        }
        boolean wasOpen = open.containsKey(key);
        if (!wasOpen) {
            label.forgetBefore(now.minus(window));
        }
        Optional<LostLabel.Loss> tooMuch = label.tooMuch(cluster, settings);
        if (tooMuch.isEmpty()) {
            return wasOpen ? Optional.of(closed(key, BrakeReport.Change.HEALED)) : Optional.empty();
        }
        String id = wasOpen ? idOf(key) : BreakerOpening.newId(key, now);
        String message = tooMuch.get()
                + "; probably a mistake of whatever sets it. No pod is evicted for rules that read this label until it"
                + " is back, or until you acknowledge that this is intended: "
                + BreakerOpening.acknowledging(id, settings);
        BreakerOpening opening = new BreakerOpening(id, message);
        open.put(key, opening);
        return wasOpen
                ? Optional.empty()
                : Optional.of(opening.opened(Reason.LABEL_BREAKER, new BreakerScope.NodeLabel(key)));
    }

    private String idOf(String key) {
        return open(key).id();
    }

    private BreakerOpening open(String key) {
        return Optional.ofNullable(open.get(key)).orElseThrow();
    }

    private BreakerReport closed(String key, BrakeReport.Change change) {
        BreakerOpening opening = open(key);
        open.remove(key);
        String why = change == BrakeReport.Change.ACKNOWLEDGED
                ? "a user acknowledged that label " + key + " left many nodes"
                : "label " + key + " is back, or nodes without it are gone";
        return opening.closed(Reason.LABEL_BREAKER, new BreakerScope.NodeLabel(key), change, why);
    }

    /**
     * Forgets losses of labels that are older than {@code window}. While the breaker of a label is open, forgets only
     * the losses of deleted nodes.
     */
    void sweep(Duration window, Instant now) {
        Instant over = now.minus(window);
        lost.forEach((key, label) -> {
            if (open.containsKey(key)) {
                label.forgetGone(cluster, over);
            } else {
                label.forgetBefore(over);
            }
        });
        lost.entrySet().removeIf(entry -> entry.getValue().size() == 0 && !open.containsKey(entry.getKey()));
        gone.values().removeIf(one -> one.at().isBefore(over));
    }

    /**
     * {@return the hold of a violation whose rule reads node labels with these keys; empty if the breakers of all these
     * keys are closed}
     */
    Optional<Hold> against(Set<String> nodeKeys) {
        return nodeKeys.stream()
                .filter(open::containsKey)
                .findFirst()
                .map(key -> open(key).hold(Reason.LABEL_BREAKER));
    }

    /** {@return the ids of the open breakers, ordered by label key} */
    List<String> ids() {
        return open.values().stream().map(BreakerOpening::id).toList();
    }

    boolean isOpen() {
        return !open.isEmpty();
    }

    /** {@return the number of stored entries: lost labels by node, open breakers and deleted nodes} */
    int size() {
        return lost.values().stream().mapToInt(LostLabel::size).sum() + open.size() + gone.size();
    }
}
