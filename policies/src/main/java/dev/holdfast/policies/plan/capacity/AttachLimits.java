package dev.holdfast.policies.plan.capacity;

import dev.holdfast.policies.evaluate.NodeRejection;
import dev.holdfast.policies.model.ClaimedVolume;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.CsiNode;
import dev.holdfast.policies.model.CsiVolume;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Checks whether nodes can attach the CSI volumes of one more pod, as the scheduler's NodeVolumeLimits plugin does: the
 * volumes of one driver on a node are at most the number in its CSINode object. A volume that several pods use counts
 * once. Unlike the scheduler, it also rejects nodes without the driver, because the pod could not start there.
 *
 * <p>Example: the CSINode of n2 allows 25 volumes of {@code ebs.csi.aws.com}, and the pods on n2 have 25 of them. There
 * is no room for a pod with another one. There is room for a pod that shares one of the 25, also if n2 had more.
 *
 * <p>Claims of the other pods on a node are read only if the node would be full if each of them were a volume of the
 * driver. Until then the node counts as full.
 */
public final class AttachLimits {
    private static final String FULL = "at the limit of attached volumes";
    static final String UNCOUNTED = "with volumes that are not counted yet";
    private static final String WITHOUT_DRIVER = "without the CSI driver of a volume";

    private final ClusterView view;
    private final VolumeTopology volumeTopology;

    /**
     * Creates checks of the nodes of a view.
     *
     * @param volumeTopology the volumes of the claims that were read, of all pods
     */
    public AttachLimits(ClusterView view, VolumeTopology volumeTopology) {
        this.view = view;
        this.volumeTopology = volumeTopology;
    }

    /**
     * {@return a check that rejects nodes that cannot attach the volumes of the pod, besides the volumes of the
     * expected replacements of moves in flight}
     */
    public NodeRejection of(Pod pod, PendingMoves pendingMoves) {
        Map<String, Set<CsiVolume>> wanted = new TreeMap<>();
        VolumeTopology.claims(pod)
                .flatMap(claim -> volumeTopology.volume(claim).flatMap(volume -> csi(claim, volume)).stream())
                .forEach(volume -> wanted.computeIfAbsent(volume.driver(), _ -> new HashSet<>())
                        .add(volume));
        return wanted.isEmpty() ? NodeRejection.NONE : node -> against(wanted, node, pendingMoves);
    }

    private Optional<String> against(Map<String, Set<CsiVolume>> wanted, Node node, PendingMoves pendingMoves) {
        Optional<CsiNode> csiNode =
                view.csiNode(node.name()).filter(it -> it.drivers().keySet().containsAll(wanted.keySet()));
        if (csiNode.isEmpty()) {
            return Optional.of(WITHOUT_DRIVER);
        }
        for (Map.Entry<String, Set<CsiVolume>> entry : wanted.entrySet()) {
            OptionalInt limit = csiNode.get().limit(entry.getKey());
            if (limit.isPresent()) {
                Optional<String> full = against(entry.getKey(), entry.getValue(), limit.getAsInt(), node, pendingMoves);
                if (full.isPresent()) {
                    return full;
                }
            }
        }
        return Optional.empty();
    }

    private Optional<String> against(
            String driver, Set<CsiVolume> wanted, int limit, Node node, PendingMoves pendingMoves) {
        List<NamespacedName> claims = Stream.concat(
                        view.podsOn(node.name()).stream().filter(Pod::counts),
                        pendingMoves.arrivingOn(node.name()).stream())
                .flatMap(VolumeTopology::claims)
                .distinct()
                .toList();
        List<NamespacedName> unread = claims.stream()
                .filter(claim -> volumeTopology.volume(claim).isEmpty())
                .toList();
        Stream<NamespacedName> staying = view.podsOn(node.name()).stream()
                .filter(Pod::counts)
                .filter(pod -> !pendingMoves.leaving().contains(pod.uid()))
                .flatMap(VolumeTopology::claims);
        if (volumes(driver, staying).containsAll(wanted)) {
            // The node takes no further volume, even if it is beyond its limit.
            return Optional.empty();
        }
        if (view.podsOn(node.name()).stream()
                .anyMatch(pod -> pod.counts() && pod.podRequirements().hasUnreadClaims())) {
            return Optional.of(FULL);
        }
        Set<CsiVolume> attached = volumes(driver, claims.stream());
        attached.addAll(wanted);
        if (attached.size() + unread.size() <= limit) {
            return Optional.empty();
        }
        if (attached.size() > limit) {
            return Optional.of(FULL);
        }
        volumeTopology.want(unread);
        return Optional.of(UNCOUNTED);
    }

    /** {@return the volumes of a driver, as far as the claims have been read} */
    private Set<CsiVolume> volumes(String driver, Stream<NamespacedName> claims) {
        return claims.flatMap(
                        claim -> volumeTopology.volume(claim).flatMap(volume -> mayBe(driver, claim, volume)).stream())
                .collect(Collectors.toCollection(HashSet::new));
    }

    /**
     * {@return the volume of a claim, if it is of the driver or the claim is unreadable and so may be of the driver}
     */
    private static Optional<CsiVolume> mayBe(String driver, NamespacedName claim, ClaimedVolume volume) {
        return volume instanceof ClaimedVolume.Unreadable || volume instanceof ClaimedVolume.Missing
                ? Optional.of(unnamed(driver, claim))
                : csi(claim, volume).filter(it -> it.driver().equals(driver));
    }

    private static Optional<CsiVolume> csi(NamespacedName claim, ClaimedVolume volume) {
        return switch (volume) {
            case ClaimedVolume.Bound(var _, var _, Optional<CsiVolume> csi) -> csi;
            case ClaimedVolume.OnDemand(var _, var _, String driver) -> Optional.of(unnamed(driver, claim));
            case ClaimedVolume.Unreadable _, ClaimedVolume.Missing _ -> Optional.empty();
        };
    }

    /**
     * {@return a volume that is the same only for the same claim: a slash is in no claim's name, so no handle equals
     * it}
     */
    private static CsiVolume unnamed(String driver, NamespacedName claim) {
        return new CsiVolume(driver, "claim " + claim);
    }
}
