package dev.holdfast.policies.engine.planning;

import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodTemplate;
import dev.holdfast.policies.plan.feasibility.PlacementCache;
import java.util.Optional;

/**
 * Notes the changes after which a node may take a pod that no node would take before. All other changes leave the
 * remembered results as they are: they can only make nodes less suitable. A doubtful change counts.
 */
public final class PlacementChanges {
    private final LiveCluster cluster;
    private final PlacementCache placementCache;

    public PlacementChanges(LiveCluster cluster, PlacementCache placementCache) {
        this.cluster = cluster;
        this.placementCache = placementCache;
    }

    /**
     * Notes an event that is no change of a cluster object, for example a policy edit. Then all results are checked
     * again, and all holds are decided again.
     */
    public void happened(Event event) {
        switch (event) {
            case Event.PolicyChanged _,
                    Event.PolicyRemoved _,
                    Event.PolicyAcknowledged _,
                    Event.PauseChanged _,
                    Event.PauseRemoved _,
                    Event.ViewSynced _,
                    Event.ViewLost _,
                    Event.LeadershipGained _,
                    Event.LeadershipRegained _,
                    Event.LeadershipLost _,
                    Event.ModeCapped _ -> placementCache.nodesChanged();
            case Event.ClaimRead _ -> placementCache.othersChanged();
            case Event.ObjectChanged _,
                    Event.WallClockRead _,
                    Event.TimePassed _,
                    Event.NothingChanged _,
                    Event.TimeToCompare _,
                    Event.Confirmed _,
                    Event.ConfirmFailed _,
                    Event.DryRunAnswered _,
                    Event.Answered _,
                    Event.LedgerRead _,
                    Event.LedgerWritten _,
                    Event.LedgerNotWritten _,
                    Event.ClocksWritten _,
                    Event.Ending _ -> {
                // No node is more suitable than before. Each plan compares the moves in flight itself.
            }
        }
    }

    /** Notes a change of a cluster object. Must be called before the change is applied to the cluster state. */
    public void beforeChange(ClusterEvent fact) {
        switch (fact) {
            case ClusterEvent.NodeChanged(Node node) -> {
                if (mayHelp(cluster.node(node.name()), node)) {
                    placementCache.nodesChanged();
                }
            }
            case ClusterEvent.PodChanged(Pod pod) -> {
                if (mayHelp(cluster.pod(pod.uid()), pod)) {
                    placementCache.othersChanged();
                }
            }
            case ClusterEvent.PodGone(String uid) ->
                cluster.pod(uid).filter(Pod::counts).ifPresent(_ -> placementCache.othersChanged());
            case ClusterEvent.NodeUnread _,
                    ClusterEvent.NodeGone _,
                    ClusterEvent.OfNamespace _,
                    ClusterEvent.CsiNodeChanged _,
                    ClusterEvent.CsiNodeGone _,
                    ClusterEvent.LimitRangeChanged _,
                    ClusterEvent.LimitRangeGone _ -> placementCache.othersChanged();
            case ClusterEvent.OwnerChanged(Owner owner) -> {
                if (!template(cluster.owner(owner.uid())).equals(template(Optional.of(owner)))) {
                    placementCache.othersChanged();
                }
            }
            case ClusterEvent.OwnerGone _,
                    ClusterEvent.OfBudget _,
                    ClusterEvent.QuotaChanged _,
                    ClusterEvent.QuotaGone _ -> {
                // No node depends on them.
            }
        }
    }

    /** {@return the template of the owner, which shows what a node must have for its pods} */
    private static Optional<PodTemplate> template(Optional<Owner> owner) {
        return owner.flatMap(it -> it.podCreation().template());
    }

    private static boolean mayHelp(Optional<Node> before, Node node) {
        return before.filter(it -> (it.ready() || !node.ready())
                        && (!it.unschedulable() || node.unschedulable())
                        && it.life().deletionTime().equals(node.life().deletionTime())
                        && it.life().condition() == node.life().condition()
                        && it.taints().equals(node.taints())
                        && it.labels().equals(node.labels())
                        && it.allocatable().equals(node.allocatable()))
                .isEmpty();
    }

    private static boolean mayHelp(Optional<Pod> before, Pod pod) {
        return before.isEmpty()
                ? pod.counts()
                : !pod.hasSameVerdictInputsAs(before.get())
                        || !pod.podRequirements().equals(before.get().podRequirements());
    }
}
