package dev.holdfast.policies.plan.capacity;

import dev.holdfast.policies.evaluate.NodeRejection;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClaimedVolume;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.NodeSelector;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.selector.NodeMatcher;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * On which nodes the volumes of claims can be used, as far as that was read lately. A claim is read when a plan needs it for
 * the first time, and again after a while; what cannot be read lets no pod be moved. Owned by one thread.
 */
public final class VolumeTopology {
    /** Neither which volume a claim is bound to changes, nor, but for rare edits, where that can be used. */
    private static final Duration READ_LASTS = Duration.ofMinutes(10);

    /** What could not be read is tried again, and so is a read of which nothing was heard. */
    private static final Duration UNREAD_LASTS = Duration.ofMinutes(1);

    /** The objection to a node that everything but a volume would let the pod go to. */
    public static final String OUT_OF_REACH = "out of reach of its volumes";

    private static final int MOST_BEING_READ = 10;
    private static final int MOST = 5_000;

    private final Map<NamespacedName, Known> known = new HashMap<>();

    /** @param volume absent while it is being read */
    private record Known(Optional<ClaimedVolume> volume, Instant at) {
        boolean isOld(Instant now) {
            boolean lasts = volume.filter(it -> !(it instanceof ClaimedVolume.Unreadable))
                    .isPresent();
            return !now.isBefore(at.plus(lasts ? READ_LASTS : UNREAD_LASTS));
        }
    }

    /** Takes what was read of a claim. */
    public void put(NamespacedName claim, ClaimedVolume volume, Instant now) {
        known.put(claim, new Known(Optional.of(volume), now));
    }

    /** Forgets what was read too long ago. */
    public void forgetOld(Instant now) {
        known.values().removeIf(it -> it.isOld(now));
    }

    /** {@return the claims of a pod that are to be read now, noted as being read; none while many are} */
    public List<NamespacedName> toRead(Pod pod, Instant now) {
        if (areRead(pod)) {
            return List.of();
        }
        long reading =
                known.values().stream().filter(it -> it.volume().isEmpty()).count();
        List<NamespacedName> claims = claims(pod)
                .filter(claim -> !known.containsKey(claim))
                .limit(Math.max(0, Math.min(MOST_BEING_READ - reading, MOST - known.size())))
                .toList();
        claims.forEach(claim -> known.put(claim, new Known(Optional.empty(), now)));
        return claims;
    }

    /** {@return how many claims are remembered} */
    public int size() {
        return known.size();
    }

    private static Stream<NamespacedName> claims(Pod pod) {
        return pod.podRequirements().claims().stream().map(name -> new NamespacedName(pod.namespace(), name));
    }

    private Optional<ClaimedVolume> volume(NamespacedName claim) {
        return Optional.ofNullable(known.get(claim)).flatMap(Known::volume);
    }

    /** {@return whether all claims of a pod were read, be it in vain} */
    public boolean areRead(Pod pod) {
        return claims(pod).allMatch(claim -> volume(claim).isPresent());
    }

    /** {@return why it is not known where the pod's volumes can be used; absent where it is} */
    public Optional<Infeasibility> unreadable(Pod pod) {
        return claims(pod)
                .flatMap(claim -> whyUnreadable(claim).stream()
                        .map(why -> new Infeasibility(
                                Reason.VOLUME_UNREADABLE,
                                "where the volume of claim " + claim + " can be used is not known: " + why)))
                .findFirst();
    }

    private Optional<String> whyUnreadable(NamespacedName claim) {
        return switch (volume(claim).orElseGet(() -> new ClaimedVolume.Unreadable("it is still to be read"))) {
            case ClaimedVolume.Unreadable(String why) -> Optional.of(why);
            case ClaimedVolume.Bound _, ClaimedVolume.OfItsPod _ -> Optional.empty();
        };
    }

    /** {@return an objection to nodes on which a volume of the pod cannot be used} */
    public NodeRejection of(Pod pod) {
        List<NodeMatcher> matchers = claims(pod)
                .flatMap(claim -> pinned(claim).stream())
                .map(pinned -> NodeMatcher.of(Labels.none(), Optional.of(pinned.nodes())))
                .toList();
        return matchers.isEmpty()
                ? NodeRejection.NONE
                : NodeRejection.unless(
                        node -> matchers.stream().allMatch(matcher -> matcher.matches(node)), OUT_OF_REACH);
    }

    /** {@return the pod's claims with the volumes that are not everywhere, in words} */
    public String describe(Pod pod) {
        return claims(pod)
                .flatMap(claim -> pinned(claim).stream()
                        .map(pinned -> "claim " + claim + " is bound to volume " + pinned.volume()
                                + ", which can only be used on nodes with " + pinned.nodes()))
                .collect(Collectors.joining("; "));
    }

    private record Pinned(String volume, NodeSelector nodes) {}

    private Optional<Pinned> pinned(NamespacedName claim) {
        return volume(claim)
                .flatMap(volume -> volume instanceof ClaimedVolume.Bound(String name, Optional<NodeSelector> nodes)
                        ? nodes.map(it -> new Pinned(name, it))
                        : Optional.empty());
    }
}
