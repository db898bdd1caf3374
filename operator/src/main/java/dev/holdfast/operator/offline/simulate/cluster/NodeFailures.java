package dev.holdfast.operator.offline.simulate.cluster;

import dev.holdfast.operator.offline.dump.admission.TaintTimes;
import dev.holdfast.operator.offline.simulate.object.LeavingOrder;
import dev.holdfast.operator.offline.simulate.object.NodeStages;
import dev.holdfast.operator.offline.simulate.object.PodStages;
import dev.holdfast.operator.offline.simulate.object.ZoneDisruption;
import dev.holdfast.operator.offline.simulate.object.Zones;
import dev.holdfast.operator.offline.waiting.AlikePods;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.Taint;
import dev.holdfast.policies.model.VictimProtection;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Nodes that fail and recover, as the node lifecycle controller treats them. The node and its pods are not Ready. After
 * the time that its tolerations say, a pod is deleted, and stays on the node as a terminating one until it recovers.
 *
 * <p>The taints come at once. In a cluster with many failed nodes, the controller taints one node after the other.
 */
public final class NodeFailures {
    private final SimulatedCluster cluster;
    private final Agenda agenda;
    private final TaintEvictions evictions;

    /** The nodes that have failed, with the UIDs of the pods that were Ready there. */
    private final Map<String, Failure> failures = new HashMap<>();

    /** Whether the controller has yet to see what changed of nodes, as it does when time passes. */
    private boolean unseen;

    private record Failure(Set<String> wereReady) {}

    /** @param deleted gets each pod that is deleted because its node failed, and the one that takes its place */
    public NodeFailures(SimulatedCluster cluster, Agenda agenda, BiConsumer<Pod, Optional<Pod>> deleted) {
        this.cluster = cluster;
        this.agenda = agenda;
        this.evictions = new TaintEvictions(cluster, agenda, deleted);
    }

    /**
     * Begins with the nodes of the input: those that are not Ready have failed, and taints that delete pods count from
     * when they were set. Pods that run on a failed node were Ready before, as nothing says otherwise.
     */
    public void begin(TaintTimes taints) {
        Zones.nodes(cluster.view()).sorted(Comparator.comparing(Node::name)).forEach(node -> {
            evictions.begin(node, taints);
            if (!node.ready()) {
                begin(node.name(), pod -> pod.started() && !pod.finished());
            }
        });
        evictions.begun();
        unseen = true;
        taint();
    }

    /** Lets a node fail. Returns why that is impossible; empty if it failed. */
    public Optional<String> fail(String name) {
        Optional<Node> node = node(name);
        if (node.isEmpty()) {
            return Optional.of("there is no node " + name);
        }
        if (!node.get().ready()) {
            return Optional.of("node " + name + " is not Ready already");
        }
        change(node.get(), NodeStages.failed(node.get(), agenda.instant()));
        return Optional.empty();
    }

    /** {@return a node, of which perhaps only name, zone and region are read} */
    private Optional<Node> node(String name) {
        return cluster.view().node(name).or(() -> cluster.view().unreadNode(name));
    }

    private void put(Node node) {
        cluster.change(
                node.tooComplex().isEmpty() ? new ClusterEvent.NodeChanged(node) : new ClusterEvent.NodeUnread(node));
    }

    /** Replaces a node by another version, whose pods follow it: they fail, recover, or do not tolerate its taints. */
    void change(Node before, Node after) {
        put(after);
        evictions.changed(before, after);
        if (before.ready() && !after.ready()) {
            begin(after.name(), Pod::ready);
        }
        if (!before.ready() && after.ready()) {
            end(after.name());
        }
    }

    /** Notes that nodes may have changed. */
    public void nodesChanged() {
        unseen = true;
    }

    /** Notes a change of a pod, which may be new on its node. */
    public void changed(ClusterEvent event) {
        if (event instanceof ClusterEvent.PodChanged(Pod pod)) {
            evictions.arrived(pod);
        }
    }

    /** Taints failed nodes, except while too many have failed for the controller to delete pods. */
    public void taint() {
        if (!unseen) {
            return;
        }
        unseen = false;
        List<Node> failed = Zones.nodes(cluster.view())
                .filter(node -> !node.ready())
                .sorted(Comparator.comparing(Node::name))
                .toList();
        if (failed.isEmpty()) {
            return;
        }
        ZoneDisruption disruption = new ZoneDisruption(cluster.view());
        for (Node node : failed) {
            boolean tainted = NodeStages.failure(node).isPresent();
            if (tainted && disruption.isOfAll()) {
                change(node, NodeStages.sparing(node));
            } else if (!tainted && disruption.at(node.name()).isEmpty()) {
                change(node, NodeStages.deleting(node));
            }
        }
    }

    private void begin(String name, Predicate<Pod> wasReady) {
        List<Pod> ready = LeavingOrder.podsOn(name, cluster.view()).stream()
                .filter(wasReady)
                .toList();
        failures.put(name, new Failure(ready.stream().map(Pod::uid).collect(Collectors.toSet())));
        ready.forEach(cluster::becomesUnready);
    }

    private void end(String name) {
        Set<String> wereReady = Optional.ofNullable(failures.remove(name))
                .map(Failure::wereReady)
                .orElse(Set.of());
        for (Pod pod : LeavingOrder.podsOn(name, cluster.view())) {
            if (pod.terminating()) {
                cluster.remove(pod);
            } else if (wereReady.contains(pod.uid())) {
                cluster.becomesReady(pod.uid());
            } else if (!pod.started()) {
                cluster.start(pod.uid());
            }
        }
    }

    /**
     * {@return the pods that have no other pod in their place because their nodes failed, by node and name} Pods of
     * DaemonSets and static pods are left out, as they belong to their nodes.
     */
    public List<Pod> lost() {
        return failures.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .flatMap(entry -> LeavingOrder.podsOn(entry.getKey(), cluster.view()).stream()
                        .filter(pod -> entry.getValue().wereReady().contains(pod.uid())))
                .filter(NodeFailures::isLost)
                .toList();
    }

    /** {@return whether a pod of a failed node has no other pod in its place} */
    public static boolean isLost(Pod pod) {
        VictimProtection protection = pod.victimProtection();
        boolean isOfNode = protection.ofDaemonSet() || protection.mirror();
        boolean replaced = pod.terminating() && protection.controller().isPresent() && !PodStages.isOfStatefulSet(pod);
        return !pod.finished() && !isOfNode && !replaced;
    }

    /**
     * {@return why lost pods have no other pods in their places} If they are too many, the last ones have no word about
     * the node that would take them.
     */
    public Map<Pod, String> reasons(Collection<Pod> pods) {
        long most = AlikePods.mostAsked(cluster.view().nodes().size());
        ZoneDisruption disruption = new ZoneDisruption(cluster.view());
        Map<Pod, String> reasons = new LinkedHashMap<>();
        for (Pod pod : pods) {
            String why = why(pod, disruption);
            boolean comesBack = pod.terminating() && PodStages.isOfStatefulSet(pod);
            reasons.put(pod, comesBack && reasons.size() < most ? why + ", and then " + cluster.whereAfter(pod) : why);
        }
        return reasons;
    }

    private String why(Pod pod, ZoneDisruption disruption) {
        if (pod.terminating()) {
            return PodStages.isOfStatefulSet(pod)
                    ? "its StatefulSet creates no other pod until it is gone from the failed node"
                    : "no controller creates another pod";
        }
        String node = pod.nodeName().orElseThrow();
        Optional<Taint> taint = node(node).flatMap(NodeStages::failure);
        OptionalLong seconds = TaintEvictions.secondsTolerated(pod, taint.orElse(NodeStages.UNREACHABLE_NOW));
        return seconds.isEmpty()
                ? "it tolerates the failure of its node without an end"
                : disruption
                        .at(node)
                        .filter(_ -> taint.isEmpty())
                        .orElse("it tolerates the failure of its node for " + seconds.getAsLong() + " s");
    }

    /** {@return when the next pod of a failed node is deleted unless the node recovers; empty if none is} */
    public Optional<Instant> nextDeletion() {
        return evictions.next();
    }

    /** Records that a node was removed: a later node of the same name has not failed. */
    public void removed(String name) {
        failures.remove(name);
        evictions.removed(name);
    }

    /** Lets a node recover. Returns why that is impossible; empty if it recovered. */
    public Optional<String> recover(String name) {
        Optional<Node> node = node(name);
        if (node.isEmpty()) {
            return Optional.of("there is no node " + name);
        }
        if (node.get().ready()) {
            return Optional.of("node " + name + " is Ready already");
        }
        change(node.get(), NodeStages.recovered(node.get(), agenda.instant()));
        return Optional.empty();
    }
}
