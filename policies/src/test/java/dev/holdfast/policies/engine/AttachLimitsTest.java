package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.testing.Changes.csiNodeChanged;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.needing;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.priority;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClaimedVolume;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.CsiVolume;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.Resources;
import dev.holdfast.policies.model.VolumeReach;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.PodTrait;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests a pod with two volumes of driver {@code disk}. Its only other node runs pods with volumes, too. The names of
 * the claims say what they are bound to: {@code disk-1} to volume 1 of that driver.
 */
class AttachLimitsTest {
    private static final String FULL = "at the limit of attached volumes";
    private static final String NO_DRIVER = "without the CSI driver of a volume";

    private static PodTrait claiming(String... claims) {
        return needing(new PodRequirements(Resources.none(), Resources.none(), List.of(), List.of(claims)));
    }

    private static ClaimedVolume volume(String claim) {
        String driver = claim.substring(0, claim.indexOf('-'));
        return switch (driver) {
            case "local" -> new ClaimedVolume.Bound("pv", VolumeReach.everywhere(), Optional.empty());
            case "new" -> new ClaimedVolume.OnDemand("fast", VolumeReach.everywhere(), "disk");
            case "broken" -> new ClaimedVolume.Unreadable("forbidden");
            default ->
                new ClaimedVolume.Bound("pv", VolumeReach.everywhere(), Optional.of(new CsiVolume(driver, claim)));
        };
    }

    private static ClusterBuilder db() {
        return cluster()
                .node("n1", labels("disk", "hdd"))
                .node("n2", labels("disk", "ssd"))
                .replicaSet("db", 1)
                .pod("db-0", on("n1"), replicaOf("db"), nodeSelector("disk", "ssd"), claiming("disk-1", "disk-2"));
    }

    private static EngineScenario begin(ClusterBuilder facts) {
        return EngineScenario.begin(facts, enforcing())
                .replacingOn("n2")
                .readingVolumes(AttachLimitsTest::volume)
                .afterSeconds(70);
    }

    private static Arguments moves(String name, ClusterEvent csiNode, String... claims) {
        return argumentSet(name, csiNode, List.of(claims), "");
    }

    private static Arguments held(String name, String why, ClusterEvent csiNode, String... claims) {
        return argumentSet(name, csiNode, List.of(claims), why);
    }

    private static ClusterEvent limit(int volumes) {
        return csiNodeChanged("n2", Map.of("disk", volumes));
    }

    static Stream<Arguments> rows() {
        return Stream.of(
                moves("an empty node with room for two", limit(2)),
                held("an empty node with room for one", FULL, limit(1)),
                held("a driver that allows none", FULL, limit(0)),
                moves("more volumes than the limit, the pod's own among them", limit(1), "disk-1", "disk-2", "disk-3"),
                moves("a driver without a limit", limit(-1), "disk-3", "disk-4"),
                moves("room for three, one volume", limit(3), "disk-3"),
                held("room for three, two volumes", FULL, limit(3), "disk-3", "disk-4"),
                moves("room for three, two volumes, of which the pod shares one", limit(3), "disk-3", "disk-1"),
                moves("volumes of another driver do not count", limit(2), "other-3", "other-4"),
                moves("volumes without a driver do not count", limit(2), "local-3"),
                held("an ephemeral volume counts", FULL, limit(2), "new-3"),
                held("a volume that cannot be read counts", FULL, limit(2), "broken-3"),
                held("a node without the driver", NO_DRIVER, csiNodeChanged("n2", Map.of("other", -1))),
                held("a node without a CSINode object", NO_DRIVER, csiNodeChanged("n3", Map.of("disk", -1))));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void aPodMovesOnlyWhereItsVolumesCanBeAttached(ClusterEvent csiNode, List<String> claims, String why) {
        EngineScenario engineScenario = begin(
                db().with(csiNode).pod("web-0", on("n2"), replicaOf("web"), claiming(claims.toArray(String[]::new))));

        assertThat(engineScenario.evicted()).hasSize(why.isEmpty() ? 1 : 0);
        assertThat(engineScenario.holds()).isEqualTo(why.isEmpty() ? List.of() : List.of(Reason.INFEASIBLE));
        if (!why.isEmpty()) {
            assertThat(engineScenario.heldBecause())
                    .isEqualTo("no other node would take the pod now: of 1 other node: 1 " + why);
        }
    }

    @Test
    void aPodThatIsGoneLeavesItsRoom() {
        EngineScenario engineScenario =
                begin(db().with(limit(2)).pod("web-0", on("n2"), replicaOf("web"), claiming("disk-3")));
        assertThat(engineScenario.evicted()).isEmpty();

        engineScenario.happens(podGone("web-0")).afterSeconds(40);

        assertThat(engineScenario.evicted()).containsExactly("db-0");
    }

    @Test
    void claimsOfOtherPodsAreReadOnlyWhereTheyMatterAndTenAtATime() {
        ClusterBuilder facts = db();
        IntStream.range(10, 30).forEach(i -> facts.pod("web-" + i, on("n2"), replicaOf("web"), claiming("other-" + i)));

        assertThat(begin(facts.with(limit(22))).claimsRead)
                .as("those of the pod")
                .hasSize(2);
        assertThat(begin(facts.with(limit(21))).claimsRead).as("and ten others").hasSize(12);
        assertThat(begin(facts.with(limit(2))).claimsRead).as("and all others").hasSize(22);
        assertThat(begin(facts.with(limit(2))).evicted()).containsExactly("db-0");
    }

    @Test
    void aNodeWhoseVolumesAreBeingReadCountsAsFull() {
        EngineScenario engineScenario = EngineScenario.begin(
                        db().with(limit(2)).pod("web-0", on("n2"), replicaOf("web"), claiming("other-3")), enforcing())
                .readingVolumes(AttachLimitsTest::volume)
                .afterSeconds(10)
                .neverAnswering(Effect.ReadClaim.class);
        engineScenario.afterSeconds(60);

        assertThat(engineScenario.evicted()).isEmpty();
    }

    /** Two pods move to n2, which has room for three volumes: for those of the first pod, and not for the second's. */
    @Test
    void theVolumesOfMovesInFlightCount() {
        EngineScenario engineScenario = EngineScenario.begin(
                        db().with(limit(3))
                                .replicaSet("api", 1)
                                .pod(
                                        "api-0",
                                        on("n1"),
                                        replicaOf("api"),
                                        nodeSelector("disk", "ssd"),
                                        claiming("disk-5", "disk-6")),
                        enforcing())
                .readingVolumes(AttachLimitsTest::volume)
                .neverAnswering(Effect.Confirm.class)
                .afterSeconds(70);

        assertThat(engineScenario.reads).hasSize(1);
        assertThat(engineScenario.holds()).containsExactly(Reason.INFEASIBLE);
    }

    /** The node is beyond its limit. So the pod may go there only while another pod keeps its volumes attached. */
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "the other pod stays because no node suits it, c, db-0",
        "the other pod moves to n3 first, a, web-0",
    })
    void volumesOfAPodThatLeavesDoNotCountAsAttached(String name, String zone, String moving) {
        EngineScenario engineScenario = EngineScenario.begin(
                        cluster()
                                .node("n1", labels("disk", "hdd"))
                                .node("n2", labels("disk", "ssd", "zone", "b"))
                                .node("n3", labels("disk", "hdd", "zone", zone))
                                .replicaSet("db", 1)
                                .replicaSet("web", 1)
                                .pod(
                                        "db-0",
                                        on("n1"),
                                        replicaOf("db"),
                                        nodeSelector("disk", "ssd"),
                                        claiming("disk-1", "disk-2"))
                                .pod(
                                        "web-0",
                                        on("n2"),
                                        replicaOf("web"),
                                        nodeSelector("zone", "a"),
                                        priority(-1),
                                        claiming("disk-1", "disk-2"))
                                .with(limit(1))
                                .with(csiNodeChanged("n3", Map.of("disk", 2))),
                        enforcing())
                .readingVolumes(AttachLimitsTest::volume)
                .neverAnswering(Effect.Confirm.class)
                .afterSeconds(70);

        assertThat(engineScenario.reads).extracting(read -> read.pod().name()).containsExactly(moving);
    }

    @Test
    void aNodeTakesNoVolumeWhereAPodHasMoreClaimsThanHoldfastReads() {
        EngineScenario engineScenario = begin(db().with(limit(100))
                .pod(
                        "web-0",
                        on("n2"),
                        replicaOf("web"),
                        needing(PodRequirements.none().withUnreadClaims())));

        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.heldBecause()).contains(FULL);
    }

    @Test
    void aPodWhoseVolumesAreAttachedThereAlreadyNeedsNoCountOfOthers() {
        EngineScenario engineScenario = begin(db().with(limit(1))
                .pod("web-0", on("n2"), replicaOf("web"), claiming("disk-1", "disk-2"))
                .pod(
                        "odd",
                        on("n2"),
                        replicaOf("odd"),
                        needing(PodRequirements.none().withUnreadClaims())));

        assertThat(engineScenario.evicted()).containsExactly("db-0");
    }
}
