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
 * Records on which nodes the volumes of PersistentVolumeClaims can be used. A claim is read when a plan first needs it,
 * and again after some time. A pod with an unreadable claim is not moved. Owned by one thread.
 */
public final class VolumeTopology {
    /** How long the result of reading a claim is used. It rarely changes: a claim keeps its volume. */
    private static final Duration READ_LASTS = Duration.ofMinutes(10);

    /** How long until a claim is read again if the last read failed or gave no result. */
    private static final Duration UNREAD_LASTS = Duration.ofMinutes(1);

    /** A part of messages, about nodes that suit a pod except for a volume: {@code 3 where a volume ...}. */
    public static final String OUT_OF_REACH = "where a volume of the pod cannot be used";

    private static final int MOST_BEING_READ = 10;
    private static final int MOST = 5_000;

    private final Map<NamespacedName, Known> known = new HashMap<>();

    /**
     * The result of reading a claim.
     *
     * @param volume absent while the claim is being read
     * @param at when the read began, or ended if there is a result
     */
    private record Known(Optional<ClaimedVolume> volume, Instant at) {
        boolean isOld(Instant now) {
            boolean lasts = volume.filter(it -> !(it instanceof ClaimedVolume.Unreadable))
                    .isPresent();
            return !now.isBefore(at.plus(lasts ? READ_LASTS : UNREAD_LASTS));
        }
    }

    /** Records the result of reading a claim. */
    public void put(NamespacedName claim, ClaimedVolume volume, Instant now) {
        known.put(claim, new Known(Optional.of(volume), now));
    }

    /** Forgets results that are too old, so that their claims are read again when needed. */
    public void forgetOld(Instant now) {
        known.values().removeIf(it -> it.isOld(now));
    }

    /**
     * Marks unread claims of a pod as being read, and returns them for the caller to read. Returns fewer or none while
     * many other claims are being read.
     */
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

    /** {@return the number of claims remembered} */
    public int size() {
        return known.size();
    }

    private static Stream<NamespacedName> claims(Pod pod) {
        return pod.podRequirements().claims().stream().map(name -> new NamespacedName(pod.namespace(), name));
    }

    private Optional<ClaimedVolume> volume(NamespacedName claim) {
        return Optional.ofNullable(known.get(claim)).flatMap(Known::volume);
    }

    /** {@return whether all claims of a pod were read, successfully or not} */
    public boolean areRead(Pod pod) {
        return claims(pod).allMatch(claim -> volume(claim).isPresent());
    }

    /** {@return why it is unknown on which nodes the volumes of a pod can be used; empty if it is known} */
    public Optional<Infeasibility> unreadable(Pod pod) {
        return claims(pod)
                .flatMap(claim -> whyUnreadable(claim).stream()
                        .map(why -> new Infeasibility(
                                Reason.VOLUME_UNREADABLE,
                                "it is unknown on which nodes the volume of claim " + claim + " can be used: " + why)))
                .findFirst();
    }

    private Optional<String> whyUnreadable(NamespacedName claim) {
        return switch (volume(claim).orElseGet(() -> new ClaimedVolume.Unreadable("the claim has not been read yet"))) {
            case ClaimedVolume.Unreadable(String why) -> Optional.of(why);
            case ClaimedVolume.Bound _, ClaimedVolume.Ephemeral _ -> Optional.empty();
        };
    }

    /** {@return a check that rejects nodes on which a volume of the pod cannot be used} */
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

    /** {@return the claims of a pod whose volumes can be used only on some nodes, as text; empty if there are none} */
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
