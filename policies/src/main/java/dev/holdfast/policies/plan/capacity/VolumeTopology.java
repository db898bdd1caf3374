package dev.holdfast.policies.plan.capacity;

import dev.holdfast.policies.evaluate.NodeRejection;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClaimedVolume;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.VolumeReach;
import dev.holdfast.policies.selector.NodeMatcher;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Records on which nodes the volumes of PersistentVolumeClaims can be used. A claim is read when a plan first needs it,
 * and again after some time. A pod with an unreadable claim is not moved. Owned by one thread.
 */
public final class VolumeTopology {
    /** How long the result of reading a claim is used. The result rarely changes: a claim keeps its volume. */
    private static final Duration READ_LASTS = Duration.ofMinutes(10);

    /** How long until a claim is read again if the last read failed or gave no result. */
    private static final Duration UNREAD_LASTS = Duration.ofMinutes(1);

    /** A part of messages, about nodes that suit a pod except for a volume: {@code 3 where a volume ...}. */
    public static final String OUT_OF_REACH = "where a volume of the pod cannot be used";

    private static final int MOST_BEING_READ = 10;
    private static final int MOST = 5_000;
    private static final int MOST_WANTED = 100;

    private final Map<NamespacedName, Known> known = new HashMap<>();

    /** The number of claims that are being read. */
    private int reading;

    /** Claims of other pods that the present plan needs to count the volumes on a node, in the order of need. */
    private final SequencedSet<NamespacedName> wanted = new LinkedHashSet<>();

    /**
     * The result of reading a claim.
     *
     * @param volume absent while the claim is being read
     * @param at when the read began, or ended if there is a result
     */
    private record Known(Optional<ClaimedVolume> volume, Instant at) {
        boolean isOld(Instant now) {
            boolean lasts = volume.filter(it -> switch (it) {
                        case ClaimedVolume.Bound _, ClaimedVolume.OnDemand _ -> true;
                        case ClaimedVolume.Unreadable _, ClaimedVolume.Missing _ -> false;
                    })
                    .isPresent();
            return !now.isBefore(at.plus(lasts ? READ_LASTS : UNREAD_LASTS));
        }
    }

    /** Records the result of reading a claim. */
    public void put(NamespacedName claim, ClaimedVolume volume, Instant now) {
        Known before = known.put(claim, new Known(Optional.of(volume), now));
        reading -= before != null && before.volume().isEmpty() ? 1 : 0;
    }

    /** Forgets results that are too old, so that their claims are read again when needed. */
    public void forgetOld(Instant now) {
        if (known.values().removeIf(it -> it.isOld(now))) {
            reading = (int)
                    known.values().stream().filter(it -> it.volume().isEmpty()).count();
        }
    }

    /**
     * Marks unread claims of a pod as being read, and returns them for the caller to read. Returns fewer or none while
     * many other claims are being read.
     */
    public List<NamespacedName> toRead(Pod pod, Instant now) {
        if (areRead(pod)) {
            return List.of();
        }
        return begin(claims(pod), now);
    }

    /**
     * Remembers that claims are needed to count the volumes on a node, so that {@link #wanted} returns them. Claims
     * that were read or are being read are ignored.
     */
    void want(Collection<NamespacedName> claims) {
        claims.stream()
                .filter(claim -> !known.containsKey(claim))
                .limit(Math.max(0, MOST_WANTED - wanted.size()))
                .forEach(wanted::add);
    }

    /** Remembers that the claims of a pod that comes next are needed, as {@link #want(Collection)} does. */
    public void want(Pod pod) {
        want(claims(pod).toList());
    }

    /**
     * Marks some of the claims that are needed to count volumes as being read, and returns them for the caller to read.
     * The others are forgotten: the next plan needs them again.
     */
    public List<NamespacedName> wanted(Instant now) {
        List<NamespacedName> next = begin(wanted.stream(), now);
        wanted.clear();
        return next;
    }

    private List<NamespacedName> begin(Stream<NamespacedName> claims, Instant now) {
        List<NamespacedName> next = claims.filter(claim -> !known.containsKey(claim))
                .limit(Math.max(0, Math.min(MOST_BEING_READ - reading, MOST - known.size())))
                .toList();
        next.forEach(claim -> known.put(claim, new Known(Optional.empty(), now)));
        reading += next.size();
        return next;
    }

    /** {@return the number of claims remembered} */
    public int size() {
        return known.size();
    }

    static Stream<NamespacedName> claims(Pod pod) {
        return pod.podRequirements().claims().stream().map(name -> new NamespacedName(pod.namespace(), name));
    }

    /** {@return the volume of a claim, which may be unreadable; empty if the claim has not been read} */
    Optional<ClaimedVolume> volume(NamespacedName claim) {
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
            case ClaimedVolume.Missing _ -> Optional.of("there is no such claim");
            case ClaimedVolume.Bound _, ClaimedVolume.OnDemand _ -> Optional.empty();
        };
    }

    /** {@return the first claim of a pod that does not exist, so that no node can use its volume} */
    public Optional<NamespacedName> missing(Pod pod) {
        return claims(pod)
                .filter(claim -> volume(claim)
                        .filter(ClaimedVolume.Missing.class::isInstance)
                        .isPresent())
                .findFirst();
    }

    /** {@return a check that rejects nodes on which a volume of the pod cannot be used} */
    public NodeRejection of(Pod pod) {
        if (missing(pod).isPresent()) {
            return NodeRejection.unless(_ -> false, OUT_OF_REACH);
        }
        List<Predicate<Node>> usable = claims(pod)
                .flatMap(claim -> pinned(claim).stream())
                .map(Pinned::on)
                .toList();
        return usable.isEmpty()
                ? NodeRejection.NONE
                : NodeRejection.unless(node -> usable.stream().allMatch(it -> it.test(node)), OUT_OF_REACH);
    }

    /** {@return the claims of a pod whose volumes can be used only on some nodes, as text; empty if there are none} */
    public String describe(Pod pod) {
        return claims(pod)
                .flatMap(claim -> pinned(claim).stream()
                        .map(pinned -> "claim " + claim + " " + pinned.words() + " " + pinned.reach()))
                .collect(Collectors.joining("; "));
    }

    /**
     * A volume that cannot be used on every node.
     *
     * @param words the part of messages between the claim and the nodes
     */
    private record Pinned(String words, VolumeReach reach) {
        Predicate<Node> on() {
            Optional<NodeMatcher> matcher =
                    reach.nodes().map(nodes -> NodeMatcher.of(Labels.none(), Optional.of(nodes)));
            return node -> matcher.filter(it -> !it.matches(node)).isEmpty() && reach.hasZoneOf(node.labels());
        }
    }

    private Optional<Pinned> pinned(NamespacedName claim) {
        return volume(claim)
                .flatMap(volume -> switch (volume) {
                    case ClaimedVolume.Bound(String name, VolumeReach reach, var _) ->
                        Optional.of(new Pinned(
                                "is bound to volume " + name + ", which can only be used on nodes with", reach));
                    case ClaimedVolume.OnDemand(String storageClass, VolumeReach reach, var _) ->
                        Optional.of(new Pinned(
                                "is of StorageClass " + storageClass + ", which has volumes only for nodes with",
                                reach));
                    case ClaimedVolume.Unreadable _, ClaimedVolume.Missing _ -> Optional.<Pinned>empty();
                })
                .filter(pinned -> !pinned.reach().isEverywhere());
    }
}
