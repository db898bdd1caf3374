package dev.holdfast.operator.offline.simulate;

import static dev.holdfast.policies.testing.PodTraits.needing;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static dev.holdfast.policies.testing.PodTraits.unbound;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.offline.dump.ClaimVolumes;
import dev.holdfast.operator.offline.simulate.cluster.SimulatedVolumes;
import dev.holdfast.policies.model.ClaimedVolume;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.VolumeReach;
import dev.holdfast.policies.testing.Facts;
import dev.holdfast.policies.testing.NodeTraits;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A StatefulSet db has a pod db-0 with claim data-db-0, and gets a pod db-1, which is bound to a node in zone b. */
class SimulatedVolumesTest {
    private static final VolumeReach ZONE_A =
            new VolumeReach(Optional.empty(), Map.of("topology.kubernetes.io/zone", Set.of("a")));
    private static final VolumeReach ZONE_B =
            new VolumeReach(Optional.empty(), Map.of("topology.kubernetes.io/zone", Set.of("b")));
    private static final ClaimedVolume NONE = new ClaimedVolume.Unreadable("there is no such claim");
    private static final ClaimedVolume EPHEMERAL =
            new ClaimedVolume.OnDemand("disk", VolumeReach.everywhere(), "disk.example.com");
    private static final ClaimedVolume IMMEDIATE = new ClaimedVolume.Unreadable("unknown");

    private static ClaimedVolume bound(String name, VolumeReach reach) {
        return new ClaimedVolume.Bound(name, reach, Optional.empty());
    }

    static Stream<Arguments> claims() {
        return Stream.of(
                argumentSet(
                        "a volume of a zone: the next one is made in the zone of its first node",
                        bound("pv-0", ZONE_A),
                        NONE,
                        EPHEMERAL,
                        EPHEMERAL,
                        bound("of claim data-db-1", ZONE_B)),
                argumentSet(
                        "a volume that every node can use",
                        bound("pv-0", VolumeReach.everywhere()),
                        NONE,
                        EPHEMERAL,
                        EPHEMERAL,
                        bound("of claim data-db-1", VolumeReach.everywhere())),
                argumentSet(
                        "a claim that is left from an earlier pod",
                        bound("pv-0", ZONE_A),
                        bound("pv-1", ZONE_A),
                        EPHEMERAL,
                        bound("pv-1", ZONE_A),
                        bound("pv-1", ZONE_A)),
                argumentSet(
                        "a class whose volumes are made before the pod has a node",
                        bound("pv-0", ZONE_A),
                        NONE,
                        IMMEDIATE,
                        IMMEDIATE,
                        IMMEDIATE));
    }

    @ParameterizedTest
    @MethodSource("claims")
    void aClaimThatIsCreatedIsLikeThatOfAnotherPod(
            ClaimedVolume first, ClaimedVolume second, ClaimedVolume next, ClaimedVolume before, ClaimedVolume after) {
        SimulatedVolumes volumes = new SimulatedVolumes(new ClaimVolumes() {
            @Override
            public ClaimedVolume apply(NamespacedName claim) {
                return claim.name().equals("data-db-0") ? first : claim.name().equals("data-db-1") ? second : NONE;
            }

            @Override
            public ClaimedVolume next(NamespacedName claim) {
                return claim.name().equals("data-db-0") ? next : NONE;
            }
        });
        Pod db0 = pod("db-0");
        Pod db1 = pod("db-1");
        NamespacedName claim = new NamespacedName(db1.namespace(), "data-db-1");

        ClusterView nodes = Facts.cluster()
                .node("n1", NodeTraits.zone("a"))
                .node("n2", NodeTraits.zone("b"))
                .build();

        volumes.createFor("db-1", db0);

        assertThat(volumes.apply(claim)).isEqualTo(before);
        volumes.changed(bound(db1, "n2"), nodes);
        volumes.changed(bound(db1, "n1"), nodes);
        assertThat(volumes.apply(claim)).isEqualTo(after);
        assertThat(volumes.apply(new NamespacedName(db1.namespace(), "data-db-0")))
                .isEqualTo(first);
    }

    private static ClusterEvent bound(Pod pod, String node) {
        return new ClusterEvent.PodChanged(Facts.pod(pod.name().name(), on(node), needing(pod.podRequirements())));
    }

    private static Pod pod(String name) {
        return Facts.pod(
                name,
                unbound(),
                ownedBy("StatefulSet", "db", "db"),
                needing(PodRequirements.none().withClaims(List.of("data-" + name))));
    }
}
