package dev.holdfast.operator.offline.simulate.cluster;

import dev.holdfast.operator.offline.dump.admission.TaintTimes;
import dev.holdfast.operator.offline.simulate.object.LeavingOrder;
import dev.holdfast.operator.offline.simulate.object.NodeStages;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.Taint;
import dev.holdfast.policies.model.VictimProtection;
import dev.holdfast.policies.selector.TolerationMatcher;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/**
 * Deletes the pods that do not tolerate a NoExecute taint of their node, as the taint eviction controller does: at
 * once, or when their {@code tolerationSeconds} are over. These count from the taint, or from when a pod gets to the
 * node. Disruption budgets do not matter. Static pods stay. Pods of DaemonSets stay on failed nodes, as their
 * controller gives them such tolerations; other taints delete them, and the controller creates none there.
 */
final class TaintEvictions {
    /** How long a pod tolerates a failed node if its spec does not say: the API server adds this toleration. */
    private static final long TOLERATED_SECONDS = 300;

    /** A longer toleration has no end, as far as simulations are concerned. */
    private static final long MOST_SECONDS = Duration.ofDays(3_650).toSeconds();

    private final SimulatedCluster cluster;
    private final Agenda agenda;
    private final BiConsumer<Pod, Optional<Pod>> deleted;

    /** Since when nodes have their taints; a taint that is removed and comes again counts from then. */
    private final Map<NodeTaint, Instant> since = new HashMap<>();

    /** The pods whose deletion was planned. */
    private final Set<Planned> planned = new HashSet<>();

    /** When pods are deleted because of what changed of their nodes. */
    private final NavigableSet<Instant> deletions = new TreeSet<>();

    /** All commands judge the input as it is, so that pods of it whose time is over leave a moment later. */
    private Duration soonest = Duration.ofSeconds(2);

    private boolean begun;

    private record NodeTaint(String node, Taint taint) {}

    private record Planned(String pod, NodeTaint key, Instant begun) {}

    /** @param deleted gets each pod that is deleted, and the one that takes its place */
    TaintEvictions(SimulatedCluster cluster, Agenda agenda, BiConsumer<Pod, Optional<Pod>> deleted) {
        this.cluster = cluster;
        this.agenda = agenda;
        this.deleted = deleted;
    }

    /** Plans the deletions that follow from the taints of a node of the input. */
    void begin(Node node, TaintTimes times) {
        begun = true;
        NodeStages.noExecute(node).forEach(taint -> begin(new NodeTaint(node.name(), taint), set(node, taint, times)));
    }

    /** {@return when a taint was set} A node gets the taint of its failure as soon as it is not Ready. */
    private Instant set(Node node, Taint taint, TaintTimes times) {
        Instant now = agenda.instant();
        return times.of(node.name(), taint)
                .or(() -> node.life().readyChanged().filter(_ -> NodeStages.isOfFailure(taint)))
                .filter(at -> at.isBefore(now))
                .orElse(now);
    }

    /** Plans the deletions that follow from the new taints of a node, and forgets those of its former taints. */
    void changed(Node before, Node after) {
        NodeStages.noExecute(before).stream()
                .filter(taint -> !after.taints().contains(taint))
                .forEach(taint -> since.remove(new NodeTaint(after.name(), taint)));
        NodeStages.noExecute(after).stream()
                .filter(taint -> !before.taints().contains(taint))
                .forEach(taint -> begin(new NodeTaint(after.name(), taint), agenda.instant()));
    }

    /** Forgets the taints of a node that was removed: a later node of the same name has others. */
    void removed(String node) {
        since.keySet().removeIf(key -> key.node().equals(node));
    }

    private void begin(NodeTaint key, Instant from) {
        since.put(key, from);
        deletions.addAll(plan(LeavingOrder.podsOn(key.node(), cluster.view()), key, from));
    }

    /** Ends the input: from now on, pods leave as soon as their time is over. */
    void begun() {
        soonest = Duration.ZERO;
    }

    /** Plans the deletion of a pod that is new on its node. */
    void arrived(Pod pod) {
        if (begun) {
            pod.nodeName()
                    .flatMap(cluster.view()::node)
                    .ifPresent(node -> NodeStages.noExecute(node).forEach(taint -> {
                        NodeTaint key = new NodeTaint(node.name(), taint);
                        since.putIfAbsent(key, agenda.instant());
                        plan(List.of(pod), key, agenda.instant());
                    }));
        }
    }

    /**
     * Plans deletions, and returns when they are.
     *
     * @param from when the tolerations of the pods begin to count
     */
    private Set<Instant> plan(List<Pod> pods, NodeTaint key, Instant from) {
        Instant tainted = since.getOrDefault(key, from);
        NavigableMap<Instant, List<Pod>> byTime = new TreeMap<>();
        pods.stream()
                .filter(TaintEvictions::isDeleted)
                .forEach(pod -> secondsTolerated(pod, key.taint()).ifPresent(seconds -> {
                    if (planned.add(new Planned(pod.uid(), key, tainted))) {
                        byTime.computeIfAbsent(from.plusSeconds(seconds), _ -> new ArrayList<>())
                                .add(pod);
                    }
                }));
        byTime.forEach((at, alike) -> {
            Duration left = Duration.between(agenda.instant(), at);
            agenda.in(left.compareTo(soonest) < 0 ? soonest : left, () -> delete(alike, key, tainted));
        });
        return byTime.keySet();
    }

    private void delete(List<Pod> pods, NodeTaint key, Instant tainted) {
        boolean ready = cluster.view().node(key.node()).filter(Node::ready).isPresent();
        // The taint of a failure that a Ready node has is taken away before it deletes a pod.
        if (!tainted.equals(since.get(key)) || (ready && NodeStages.isOfFailure(key.taint()))) {
            return;
        }
        pods.stream()
                .flatMap(pod -> cluster.view().pod(pod.uid()).stream())
                .filter(TaintEvictions::isDeleted)
                .forEach(pod -> deleted.accept(pod, ready ? cluster.remove(pod) : cluster.terminate(pod)));
    }

    private static boolean isDeleted(Pod pod) {
        VictimProtection protection = pod.victimProtection();
        return !pod.finished() && !pod.terminating() && !protection.mirror();
    }

    /** {@return how long a pod stays on a node that has got a taint; empty if it stays for ever} */
    static OptionalLong secondsTolerated(Pod pod, Taint taint) {
        if (pod.victimProtection().ofDaemonSet() && NodeStages.isOfFailure(taint)) {
            return OptionalLong.empty();
        }
        TolerationMatcher tolerations = new TolerationMatcher(pod.scheduling().tolerations());
        if (!tolerations.tolerates(taint)) {
            return OptionalLong.of(NodeStages.isOfFailure(taint) ? TOLERATED_SECONDS : 0);
        }
        return tolerations.secondsWith(taint).stream()
                .filter(seconds -> seconds <= MOST_SECONDS)
                .findFirst();
    }

    /** {@return when the next pod is deleted unless its node loses its taint; empty if none is} */
    Optional<Instant> next() {
        return Optional.ofNullable(deletions.higher(agenda.instant()));
    }
}
