package dev.holdfast.policies.engine;

import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.memory.Decisions;
import dev.holdfast.policies.engine.memory.MovesInFlight;
import dev.holdfast.policies.engine.memory.PlannerMemory;
import dev.holdfast.policies.engine.memory.Readiness;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.move.Workload;
import dev.holdfast.policies.plan.situation.Disturbance;
import dev.holdfast.policies.plan.situation.Disturbance.What;
import dev.holdfast.policies.plan.situation.DomainHistory;
import java.time.Instant;
import java.util.Optional;

/**
 * Sees what disturbs workloads, and when nodes and domains come and go, in the facts as they come, by the clock of those who are
 * told: what a list tells after a watch was lost happened when it is told. What is told before everything was seen once has
 * not just happened.
 *
 * <p>A pod that we evict ourselves disturbs nothing. Its replacement does until it is known to be that, see
 * {@link ReplacementTracker}: any other pod that comes meanwhile is unrest.
 */
final class DisturbanceTracker {
    private final LiveCluster cluster;
    private final PlannerMemory memory;
    private final MovesInFlight moves;
    private final Decisions decisions;
    private final Readiness readiness;

    DisturbanceTracker(
            LiveCluster cluster, PlannerMemory memory, MovesInFlight moves, Decisions decisions, Readiness readiness) {
        this.cluster = cluster;
        this.memory = memory;
        this.moves = moves;
        this.decisions = decisions;
        this.readiness = readiness;
    }

    /** Looks at a fact that is not applied yet. */
    void see(ClusterEvent fact, Instant now) {
        memory.workloadDisturbances().forget(now);
        memory.vanished().forget(now);
        if (!readiness.isComplete()) {
            return;
        }
        switch (fact) {
            case ClusterEvent.PodChanged(Pod pod) -> changed(cluster.pod(pod.uid()), pod, now);
            case ClusterEvent.PodGone(String uid) ->
                cluster.pod(uid).filter(pod -> !pod.terminating()).ifPresent(pod -> deleted(pod, now));
            case ClusterEvent.OwnerChanged(Owner owner) ->
                // Of a new ReplicaSet the pods may be told of before it is.
                memory.workloadDisturbances().belongsTo(owner.uid(), Workload.uid(owner, cluster));
            case ClusterEvent.NodeChanged(Node node) -> {
                memory.vanished().there(node.name());
                changed(cluster.node(node.name()), Optional.of(node), now);
            }
            case ClusterEvent.NodeGone(String name) -> {
                cluster.node(name).ifPresent(node -> memory.vanished().gone(node, now));
                changed(cluster.node(name), Optional.empty(), now);
            }
            case ClusterEvent.OwnerGone _, ClusterEvent.OfNamespace _, ClusterEvent.OfBudget _ -> {
                // None of them disturbs a workload.
            }
        }
    }

    private void changed(Optional<Node> before, Optional<Node> after, Instant now) {
        if (DomainHistory.matters(before, after)) {
            memory.domains().follow(cluster.index().spreadKeys());
            memory.domains().changed(before, after, now);
        }
    }

    private void changed(Optional<Pod> before, Pod pod, Instant now) {
        if (before.isEmpty()) {
            created(pod, now);
        } else if (pod.terminating()) {
            before.filter(it -> !it.terminating()).ifPresent(it -> deleted(it, now));
        } else if (before.get().ready() && !pod.ready()) {
            note(pod, What.UNREADY, now);
        }
    }

    /** One that has finished before it is seen counts for nothing. */
    private void created(Pod pod, Instant now) {
        if (!pod.finished()) {
            note(pod, What.CREATED, now);
        }
    }

    /** One that has finished is only cleared away. */
    private void deleted(Pod pod, Instant now) {
        if (!pod.finished() && !moves.isEvicting(pod.uid())) {
            note(pod, What.DELETED, now);
        }
    }

    private void note(Pod pod, What what, Instant now) {
        Workload.uid(pod, cluster).ifPresent(workload -> {
            memory.workloadDisturbances().note(workload, new Disturbance(pod.uid(), pod.name(), what, now));
            decisions.reconsider();
        });
    }
}
