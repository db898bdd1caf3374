package dev.holdfast.operator.offline.simulate.cluster;

import dev.holdfast.operator.offline.simulate.object.NodeStages;
import dev.holdfast.operator.offline.simulate.object.PodStages;
import dev.holdfast.operator.offline.waiting.AlikePods;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.VictimProtection;
import dev.holdfast.policies.selector.TolerationMatcher;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/**
 * Nodes that fail and recover, as the node lifecycle controller treats them. The node and its pods are not Ready. After
 * the time that its tolerations say, a pod is deleted, and stays on the node as a terminating one until it recovers.
 *
 * <p>The taints come at once. In a cluster with many failed nodes, the controller taints one node after the other.
 */
public final class NodeFailures {
    /** How long a pod tolerates an unreachable node if its spec does not say: the API server adds this toleration. */
    private static final long TOLERATED_SECONDS = 300;

    /** A longer toleration has no end, as far as simulations are concerned. */
    private static final long MOST_SECONDS = Duration.ofDays(3_650).toSeconds();

    private final SimulatedCluster cluster;
    private final Agenda agenda;
    private final BiConsumer<Pod, Optional<Pod>> deleted;

    /** The nodes that have failed, with the UIDs of the pods that were Ready there. */
    private final Map<String, Failure> failures = new HashMap<>();

    /** When pods of failed nodes are deleted. */
    private final NavigableSet<Instant> deletions = new TreeSet<>();

    private record Failure(Instant at, Set<String> wereReady) {}

    /** @param deleted gets each pod that is deleted because its node failed, and the one that takes its place */
    public NodeFailures(SimulatedCluster cluster, Agenda agenda, BiConsumer<Pod, Optional<Pod>> deleted) {
        this.cluster = cluster;
        this.agenda = agenda;
        this.deleted = deleted;
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
        put(NodeStages.failed(node.get(), agenda.instant()));
        List<Pod> ready = podsOn(name).stream().filter(Pod::ready).toList();
        Failure failure =
                new Failure(agenda.instant(), ready.stream().map(Pod::uid).collect(Collectors.toSet()));
        failures.put(name, failure);
        ready.forEach(cluster::becomesUnready);
        Map<Long, List<Pod>> byTime = new TreeMap<>();
        podsOn(name).stream()
                .filter(NodeFailures::isDeleted)
                .forEach(pod -> secondsTolerated(pod)
                        .ifPresent(seconds -> byTime.computeIfAbsent(seconds, _ -> new ArrayList<>())
                                .add(pod)));
        byTime.forEach((seconds, pods) -> {
            deletions.add(agenda.instant().plusSeconds(seconds));
            agenda.in(Duration.ofSeconds(seconds), () -> delete(pods, name, failure));
        });
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

    /** Deletes pods of a node. The node may have recovered since, and failed again. */
    private void delete(List<Pod> pods, String node, Failure failure) {
        if (failure.equals(failures.get(node))) {
            pods.stream()
                    .flatMap(pod -> cluster.view().pod(pod.uid()).stream())
                    .filter(NodeFailures::isDeleted)
                    .forEach(pod -> deleted.accept(pod, cluster.terminate(pod)));
        }
    }

    /** {@return how long a pod stays on a node that has failed; empty if it stays for ever} */
    private static OptionalLong secondsTolerated(Pod pod) {
        TolerationMatcher tolerations = new TolerationMatcher(pod.scheduling().tolerations());
        return tolerations.tolerates(NodeStages.UNREACHABLE_NOW)
                ? tolerations.secondsWith(NodeStages.UNREACHABLE_NOW).stream()
                        .filter(seconds -> seconds <= MOST_SECONDS)
                        .findFirst()
                : OptionalLong.of(TOLERATED_SECONDS);
    }

    /** {@return the pods on a node by name, so that the order of objects in a file changes nothing} */
    private List<Pod> podsOn(String node) {
        return cluster.view().podsOn(node).stream()
                .sorted(Comparator.comparing(Pod::namespace)
                        .thenComparing(pod -> pod.name().name()))
                .toList();
    }

    private static boolean isDeleted(Pod pod) {
        VictimProtection protection = pod.victimProtection();
        return !pod.finished() && !pod.terminating() && !protection.ofDaemonSet() && !protection.mirror();
    }

    /**
     * {@return the pods that have no other pod in their place because their nodes failed, by node and name} Pods of
     * DaemonSets and static pods are left out, as they belong to their nodes.
     */
    public List<Pod> lost() {
        return failures.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .flatMap(entry -> podsOn(entry.getKey()).stream()
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
        Map<Pod, String> reasons = new LinkedHashMap<>();
        pods.forEach(pod -> reasons.put(pod, reasons.size() < most ? whyLost(pod) : withoutNodes(pod)));
        return reasons;
    }

    /** {@return why a lost pod has no other pod in its place, and which node would take that} */
    public String whyLost(Pod pod) {
        String why = withoutNodes(pod);
        return pod.terminating() && PodStages.isOfStatefulSet(pod)
                ? why + ", and then " + cluster.whereAfter(pod)
                : why;
    }

    private static String withoutNodes(Pod pod) {
        if (!pod.terminating()) {
            OptionalLong seconds = secondsTolerated(pod);
            return "it tolerates the failure of its node "
                    + (seconds.isEmpty() ? "without an end" : "for " + seconds.getAsLong() + " s");
        }
        return PodStages.isOfStatefulSet(pod)
                ? "its StatefulSet creates no other pod until it is gone from the failed node"
                : "no controller creates another pod";
    }

    /** {@return when the next pod of a failed node is deleted unless the node recovers; empty if none is} */
    public Optional<Instant> nextDeletion() {
        return Optional.ofNullable(deletions.higher(agenda.instant()));
    }

    /** Records that a node was removed: a later node of the same name has not failed. */
    public void removed(String name) {
        failures.remove(name);
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
        put(NodeStages.recovered(node.get(), agenda.instant()));
        Set<String> wereReady = Optional.ofNullable(failures.remove(name))
                .map(Failure::wereReady)
                .orElse(Set.of());
        for (Pod pod : podsOn(name)) {
            if (pod.terminating()) {
                cluster.remove(pod);
            } else if (wereReady.contains(pod.uid())) {
                cluster.becomesReady(pod.uid());
            } else if (!pod.started()) {
                cluster.start(pod.uid());
            }
        }
        return Optional.empty();
    }
}
