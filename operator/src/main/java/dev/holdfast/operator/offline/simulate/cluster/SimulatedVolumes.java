package dev.holdfast.operator.offline.simulate.cluster;

import dev.holdfast.operator.offline.dump.ClaimVolumes;
import dev.holdfast.operator.offline.simulate.object.PodStages;
import dev.holdfast.operator.offline.simulate.object.Zones;
import dev.holdfast.policies.model.ClaimedVolume;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.VolumeReach;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The volumes of claims, with those of the claims that StatefulSets create for further pods. Such a claim is like that
 * of another pod. Its volume is made for the first node of its pod, and stays in the zone of that node if the other
 * volume cannot be used everywhere.
 */
public final class SimulatedVolumes implements Function<NamespacedName, ClaimedVolume> {
    private final ClaimVolumes known;

    /** The claims that were created, each with the one that it is like. */
    private final Map<NamespacedName, NamespacedName> created = new HashMap<>();

    /** The volumes that were made for them. */
    private final Map<NamespacedName, ClaimedVolume> made = new HashMap<>();

    public SimulatedVolumes(ClaimVolumes known) {
        this.known = known;
    }

    @Override
    public ClaimedVolume apply(NamespacedName claim) {
        NamespacedName like = created.get(claim);
        return like == null
                ? known.apply(claim)
                : Optional.ofNullable(made.get(claim)).orElseGet(() -> known.next(like));
    }

    /** Creates the claims that a further pod of a StatefulSet has, as far as they do not exist. */
    public void createFor(String further, Pod like) {
        List<String> claims = like.podRequirements().claims();
        List<String> created = PodStages.claims(like, further);
        for (int i = 0; i < claims.size(); i++) {
            NamespacedName claim = new NamespacedName(like.namespace(), created.get(i));
            if (!created.get(i).equals(claims.get(i)) && !(known.apply(claim) instanceof ClaimedVolume.Bound)) {
                this.created.put(claim, new NamespacedName(like.namespace(), claims.get(i)));
            }
        }
    }

    /** Makes the volumes of the claims of a pod if it is on a node now. */
    public void changed(ClusterEvent event, ClusterView cluster) {
        if (!created.isEmpty() && event instanceof ClusterEvent.PodChanged(Pod pod)) {
            pod.nodeName().flatMap(cluster::node).ifPresent(node -> bound(pod, node));
        }
    }

    private void bound(Pod pod, Node node) {
        for (String name : pod.podRequirements().claims()) {
            NamespacedName claim = new NamespacedName(pod.namespace(), name);
            NamespacedName like = created.get(claim);
            if (like != null && known.next(like) instanceof ClaimedVolume.OnDemand) {
                made.computeIfAbsent(
                        claim, _ -> new ClaimedVolume.Bound("of claim " + name, reach(like, node), Optional.empty()));
            }
        }
    }

    private VolumeReach reach(NamespacedName like, Node node) {
        boolean everywhere = known.apply(like) instanceof ClaimedVolume.Bound(var _, VolumeReach reach, var _)
                && reach.isEverywhere();
        return node.labels()
                .get(Zones.KEY)
                .filter(_ -> !everywhere)
                .map(zone -> new VolumeReach(Optional.empty(), Map.of(Zones.KEY, Set.of(zone))))
                .orElse(VolumeReach.everywhere());
    }
}
