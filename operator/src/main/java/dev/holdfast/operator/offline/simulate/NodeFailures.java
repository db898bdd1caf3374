package dev.holdfast.operator.offline.simulate;

import dev.holdfast.operator.offline.simulate.cluster.Agenda;
import dev.holdfast.operator.offline.simulate.cluster.NodeStages;
import dev.holdfast.operator.offline.simulate.cluster.SimulatedCluster;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.VictimProtection;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Nodes that fail and recover, as the node lifecycle controller treats them. The node and its pods are not Ready. After
 * five minutes the pods are deleted, and stay on the node as terminating ones until it recovers.
 */
final class NodeFailures {
    /** How long pods tolerate an unreachable node, unless they say another time. */
    private static final Duration TOLERATED = Duration.ofMinutes(5);

    private final SimulatedCluster cluster;
    private final Agenda agenda;

    /** The nodes that have failed, with the UIDs of the pods that were Ready there. */
    private final Map<String, Failure> failures = new HashMap<>();

    private record Failure(Instant at, Set<String> wereReady) {}

    NodeFailures(SimulatedCluster cluster, Agenda agenda) {
        this.cluster = cluster;
        this.agenda = agenda;
    }

    /** Lets a node fail. Returns why that is impossible; empty if it failed. */
    Optional<String> fail(String name) {
        Optional<Node> node = cluster.view().node(name);
        if (node.isEmpty()) {
            return Optional.of("there is no node " + name);
        }
        if (!node.get().ready()) {
            return Optional.of("node " + name + " is not Ready already");
        }
        cluster.change(new ClusterEvent.NodeChanged(NodeStages.failed(node.get(), agenda.instant())));
        List<Pod> ready = podsOn(name).stream().filter(Pod::ready).toList();
        Failure failure =
                new Failure(agenda.instant(), ready.stream().map(Pod::uid).collect(Collectors.toSet()));
        failures.put(name, failure);
        ready.forEach(cluster::becomesUnready);
        agenda.in(TOLERATED, () -> {
            // The node may have recovered, and failed again, since.
            if (failure.equals(failures.get(name))) {
                podsOn(name).stream().filter(NodeFailures::isDeleted).forEach(cluster::terminate);
            }
        });
        return Optional.empty();
    }

    private List<Pod> podsOn(String node) {
        return List.copyOf(cluster.view().podsOn(node));
    }

    private static boolean isDeleted(Pod pod) {
        VictimProtection protection = pod.victimProtection();
        return !pod.finished() && !pod.terminating() && !protection.ofDaemonSet() && !protection.mirror();
    }

    /** Records that a node was removed: a later node of the same name has not failed. */
    void removed(String name) {
        failures.remove(name);
    }

    /** Lets a node recover. Returns why that is impossible; empty if it recovered. */
    Optional<String> recover(String name) {
        Optional<Node> node = cluster.view().node(name);
        if (node.isEmpty()) {
            return Optional.of("there is no node " + name);
        }
        if (node.get().ready()) {
            return Optional.of("node " + name + " is Ready already");
        }
        cluster.change(new ClusterEvent.NodeChanged(NodeStages.recovered(node.get(), agenda.instant())));
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
