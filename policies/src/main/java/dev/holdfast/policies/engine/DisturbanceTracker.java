package dev.holdfast.policies.engine;

import dev.holdfast.policies.engine.eviction.ReplacementTracker;
import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.state.Decisions;
import dev.holdfast.policies.engine.state.MovesInFlight;
import dev.holdfast.policies.engine.state.PlannerMemory;
import dev.holdfast.policies.engine.state.Readiness;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.domain.DomainHistory;
import dev.holdfast.policies.plan.input.Disturbance;
import dev.holdfast.policies.plan.input.Disturbance.What;
import dev.holdfast.policies.plan.move.ChangeCounter;
import dev.holdfast.policies.plan.move.Workload;
import java.time.Instant;
import java.util.Optional;

/**
 * Records disturbances of workloads: a pod is created, is deleted or stops being Ready. Also records when nodes and
 * domains appear and disappear. The time of a change is when the engine received it; for a change that only a relist
 * revealed, that is the time of the relist. Until all views have synced once, nothing is recorded, because the pods of
 * the first lists are not new.
 *
 * <p>An eviction by Holdfast is no disturbance. The replacement of the evicted pod is first recorded as a new pod, and
 * therefore as a disturbance, until {@link ReplacementTracker} recognizes it as the replacement.
 */
final class DisturbanceTracker {
    private final LiveCluster cluster;
    private final PlannerMemory memory;
    private final MovesInFlight moves;
    private final Decisions decisions;
    private final Readiness readiness;
    private final ChangeCounter changes;

    DisturbanceTracker(
            LiveCluster cluster,
            PlannerMemory memory,
            MovesInFlight moves,
            Decisions decisions,
            Readiness readiness,
            ChangeCounter changes) {
        this.cluster = cluster;
        this.memory = memory;
        this.moves = moves;
        this.decisions = decisions;
        this.readiness = readiness;
        this.changes = changes;
    }

    /**
     * Records the change if it disturbs a workload, or if it makes a node or domain appear or disappear. Must be called
     * before the change is applied to the cluster state.
     */
    void beforeChange(ClusterEvent fact, Instant now) {
        memory.workloadDisturbances().forget(now);
        memory.vanished().forget(now);
        memory.formerNodes().forget(now);
        if (!readiness.isComplete()) {
            return;
        }
        switch (fact) {
            case ClusterEvent.PodChanged(Pod pod) -> changed(cluster.pod(pod.uid()), pod, now);
            case ClusterEvent.PodGone(String uid) ->
                cluster.pod(uid).filter(pod -> !pod.terminating()).ifPresent(pod -> deleted(pod, now));
            case ClusterEvent.OwnerChanged(Owner owner) -> {
                Workload.Id top = Workload.of(owner, cluster).id();
                // The pods of a new ReplicaSet may arrive before the ReplicaSet itself.
                memory.workloadDisturbances()
                        .belongsTo(new Workload.Id(owner.name().namespace(), owner.uid()), top);
                scaled(owner, top, now);
            }
            case ClusterEvent.NodeChanged(Node node) -> {
                memory.vanished().exists(node.name());
                cluster.node(node.name())
                        .ifPresent(before -> memory.formerNodes().changed(before, node, now));
                changed(cluster.node(node.name()), Optional.of(node), now);
            }
            case ClusterEvent.NodeUnread(Node node) -> {
                memory.vanished().exists(node.name());
                memory.formerNodes().gone(node.name());
                changed(cluster.node(node.name()), Optional.empty(), now);
            }
            case ClusterEvent.NodeGone(String name) -> {
                memory.formerNodes().gone(name);
                if (cluster.node(name)
                        .filter(node -> memory.vanished().vanished(node, now))
                        .isPresent()) {
                    changes.changed();
                }
                changed(cluster.node(name), Optional.empty(), now);
            }
            case ClusterEvent.OwnerGone _,
                    ClusterEvent.OfNamespace _,
                    ClusterEvent.OfBudget _,
                    ClusterEvent.OfCapacity _ -> {
                // None of these changes disturbs a workload.
            }
        }
    }

    /**
     * Records a change of the scale of a workload. A roll-out changes the replicas of ReplicaSets too, so those of a
     * ReplicaSet with a controller do not count.
     */
    private void scaled(Owner owner, Workload.Id top, Instant now) {
        Optional<Owner> before = cluster.owner(owner.name().namespace(), owner.uid());
        if (before.isPresent()
                && before.get().replicas().isPresent()
                && owner.replicas().isPresent()
                && (top.uid().equals(owner.uid()) || owner.revisions().isPresent())) {
            int more = owner.replicas().getAsInt() - before.get().replicas().getAsInt();
            memory.workloadDisturbances().scaled(top, more, now);
        }
    }

    private void changed(Optional<Node> before, Optional<Node> after, Instant now) {
        if (DomainHistory.matters(before, after)) {
            memory.domains().follow(cluster.index().spreadDomains());
            memory.domains().changed(before, after, now);
            changes.nodeChanged();
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

    /** Records the creation of a pod as a disturbance, unless the pod has already finished. */
    private void created(Pod pod, Instant now) {
        if (!pod.finished()) {
            note(pod, What.CREATED, now);
        }
    }

    /**
     * Records the deletion of a pod as a disturbance, unless the pod had finished or Holdfast requested its eviction.
     */
    private void deleted(Pod pod, Instant now) {
        if (!pod.finished() && !moves.isEvicting(pod.uid())) {
            note(pod, What.DELETED, now);
        }
    }

    private void note(Pod pod, What what, Instant now) {
        Workload.Id.of(pod, cluster).ifPresent(workload -> {
            memory.workloadDisturbances().note(workload, new Disturbance(pod.uid(), pod.name(), what, now));
            decisions.reconsider();
        });
    }
}
