package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.FORGIVENESS;
import static dev.holdfast.policies.engine.TestPolicies.alsoAsking;
import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.engine.TestPolicies.insisting;
import static dev.holdfast.policies.testing.Changes.csiNodeChanged;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.replicaSetChangedIn;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.expression;
import static dev.holdfast.policies.testing.Demands.nodeTerm;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.pod;
import static dev.holdfast.policies.testing.PodTraits.needing;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClaimedVolume;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.NodeSelector;
import dev.holdfast.policies.model.PodCreation;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.PodTemplate;
import dev.holdfast.policies.model.Resources;
import dev.holdfast.policies.model.VolumeReach;
import dev.holdfast.policies.plan.capacity.VolumeTopology;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.PodTrait;
import dev.holdfast.policies.testing.Templates;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests a pod with claims for volumes that can only be used on some nodes. Its node lost a label, and another node with
 * the label is in zone b.
 */
class VolumesTest {
    private static final ClaimedVolume IN_A = in("a");
    private static final ClaimedVolume IN_B = in("b");
    private static final ClaimedVolume ANYWHERE =
            new ClaimedVolume.Bound("pv-1", VolumeReach.everywhere(), Optional.empty());

    private static ClaimedVolume in(String zone) {
        return new ClaimedVolume.Bound("pv-1", reach(zone), Optional.empty());
    }

    private static VolumeReach reach(String zone) {
        return VolumeReach.of(new NodeSelector(List.of(nodeTerm(expression(ZONE, "In", zone)))));
    }

    private static ClaimedVolume zoneLabel(String zone) {
        return zoneLabel(ZONE, zone);
    }

    private static ClaimedVolume zoneLabel(String key, String value) {
        return new ClaimedVolume.Bound(
                "pv-1", VolumeReach.of(Optional.empty(), Labels.of(Map.of(key, value))), Optional.empty());
    }

    private static PodTrait claiming(String... claims) {
        return needing(new PodRequirements(Resources.none(), Resources.none(), List.of(), List.of(claims)));
    }

    private static ClusterBuilder db(PodTrait claims) {
        return cluster()
                .node("a1", labels(ZONE, "a"))
                .node("b1", labels(ZONE, "b", "disk", "ssd"))
                .with(csiNodeChanged("b1", Map.of("csi.example.com", -1)))
                .replicaSet("db", 1)
                .pod("db-0", on("a1"), replicaOf("db"), nodeSelector("disk", "ssd"), claims);
    }

    private static EngineScenario begin(Policy policy, ClaimedVolume volume) {
        return EngineScenario.begin(db(claiming("data-db-0")), policy)
                .replacingOn("b1")
                .readingVolumes(_ -> volume);
    }

    static Stream<Arguments> volumes() {
        return Stream.of(
                argumentSet("its volume is in the zone of the other node", IN_B, Optional.empty()),
                argumentSet("its volume has no node affinity", ANYWHERE, Optional.empty()),
                argumentSet("its volume has the zone label of the other node", zoneLabel("b"), Optional.empty()),
                argumentSet("its volume has a zone label with both zones", zoneLabel("a__b"), Optional.empty()),
                argumentSet(
                        "its volume has the older zone label of the other node",
                        zoneLabel("failure-domain.beta.kubernetes.io/zone", "b"),
                        Optional.empty()),
                argumentSet(
                        "its volume has the zone label of its own node",
                        zoneLabel("a"),
                        Optional.of(Reason.VOLUME_PINNED)),
                argumentSet(
                        "its volume has a region label, and the other node has none",
                        zoneLabel("topology.kubernetes.io/region", "r"),
                        Optional.of(Reason.VOLUME_PINNED)),
                argumentSet(
                        "its claim is deleted with the pod, and volumes are made only in its own zone",
                        new ClaimedVolume.OnDemand("fast", reach("a"), "csi.example.com"),
                        Optional.of(Reason.VOLUME_PINNED)),
                argumentSet(
                        "its claim is deleted with the pod",
                        new ClaimedVolume.OnDemand("fast", VolumeReach.everywhere(), "csi.example.com"),
                        Optional.empty()),
                argumentSet("its volume is in its own zone", IN_A, Optional.of(Reason.VOLUME_PINNED)),
                argumentSet(
                        "its volume cannot be read",
                        new ClaimedVolume.Unreadable("forbidden"),
                        Optional.of(Reason.VOLUME_UNREADABLE)));
    }

    @ParameterizedTest
    @MethodSource("volumes")
    void aPodMovesOnlyWhereItsVolumesCanBeUsed(ClaimedVolume volume, Optional<Reason> held) {
        EngineScenario engineScenario = begin(enforcing(), volume).afterSeconds(62);

        assertThat(engineScenario.holds()).isEqualTo(held.stream().toList());
        assertThat(engineScenario.evicted()).hasSize(held.isPresent() ? 0 : 1);
    }

    /** Of a ReplicaSet without a Deployment: the template got a claim that the pod does not have. */
    @Test
    void theClaimsOfAnEditedTemplateAreReadToo() {
        PodTemplate template = new PodTemplate(
                Templates.template().scheduling(),
                new PodRequirements(Resources.none(), Resources.none(), List.of(), List.of("data-db-0")));
        ClusterEvent.OwnerChanged plain = (ClusterEvent.OwnerChanged) replicaSetChangedIn("shop", "db");
        ClusterEvent edited = new ClusterEvent.OwnerChanged(
                plain.owner().with(PodCreation.atOnce().withTemplate(template)));
        PodTrait withoutClaim = needing(PodRequirements.none().with(PodRequirements.NextRequests.LARGER));

        EngineScenario inReach = EngineScenario.begin(db(withoutClaim).with(edited), enforcing())
                .replacingOn("b1")
                .readingVolumes(_ -> IN_B)
                .afterSeconds(62);
        EngineScenario pinned = EngineScenario.begin(db(withoutClaim).with(edited), enforcing())
                .readingVolumes(_ -> IN_A)
                .afterSeconds(62);

        assertThat(inReach.evicted()).hasSize(1);
        assertThat(pinned.holds()).containsExactly(Reason.VOLUME_PINNED);
    }

    @Test
    void theHoldNamesTheClaimTheVolumeAndItsNodes() {
        EngineScenario engineScenario = begin(enforcing(), IN_A).afterSeconds(62);

        assertThat(engineScenario.heldBecause())
                .isEqualTo("claim shop/data-db-0 is bound to volume pv-1, which can only be used on nodes with " + ZONE
                        + " In [a], and no other node would take the pod now: of 1 other node: 1 where a"
                        + " volume of the pod cannot be used");
    }

    @Test
    void aNodeWithoutAnyZoneLabelSuitsAVolumeWithZoneLabels() {
        EngineScenario engineScenario = begin(enforcing(), zoneLabel("a"))
                .happens(nodeChanged("b1", labels("disk", "ssd")))
                .afterSeconds(62);

        assertThat(engineScenario.evicted()).hasSize(1);
    }

    @Test
    void theHoldNamesTheZoneLabelsOfTheVolumeAndTheStorageClassOfAnEphemeralOne() {
        assertThat(begin(enforcing(), zoneLabel("a__c")).afterSeconds(62).heldBecause())
                .startsWith("claim shop/data-db-0 is bound to volume pv-1, which can only be used on nodes with " + ZONE
                        + " In [a, c], and no other node would take the pod now: ");
        assertThat(begin(enforcing(), new ClaimedVolume.OnDemand("fast", reach("a"), "csi.example.com"))
                        .afterSeconds(62)
                        .heldBecause())
                .startsWith("claim shop/data-db-0 is of StorageClass fast, which has volumes only for nodes with "
                        + ZONE + " In [a], and no other node would take the pod now: ");
    }

    @Test
    void whereAllElseSpeaksAgainstTheNodesTheVolumeIsNotNamed() {
        EngineScenario engineScenario = begin(enforcing(), IN_A)
                .happens(nodeChanged("b1", labels(ZONE, "b", "disk", "hdd")))
                .afterSeconds(62);

        assertThat(engineScenario.holds()).containsExactly(Reason.INFEASIBLE);
    }

    @Test
    void ofTwoVolumesEachMustBeInReach() {
        EngineScenario engineScenario = EngineScenario.begin(db(claiming("data", "logs")), enforcing())
                .replacingOn("b1")
                .readingVolumes(claim -> claim.equals("logs") ? IN_A : IN_B)
                .afterSeconds(62);

        assertThat(engineScenario.holds()).containsExactly(Reason.VOLUME_PINNED);
        assertThat(engineScenario.evicted()).isEmpty();
    }

    @Test
    void whoInsistsIsEvictedFromAPinnedVolumeAndNeverFromOneThatCannotBeRead() {
        assertThat(begin(insisting("web"), IN_A).afterSeconds(62).evicted()).hasSize(1);
        assertThat(begin(insisting("web"), new ClaimedVolume.Unreadable("forbidden"))
                        .afterSeconds(62)
                        .evicted())
                .isEmpty();
    }

    static Stream<Arguments> ends() {
        Consumer<EngineScenario> labelled = it -> it.happens(nodeChanged("a2", labels(ZONE, "a", "disk", "ssd")));
        Consumer<EngineScenario> readable = it -> it.readingVolumes(_ -> IN_B);
        return Stream.of(
                argumentSet("a node in the zone of its volume has the label", IN_A, Reason.VOLUME_PINNED, labelled),
                argumentSet(
                        "its claim can be read",
                        new ClaimedVolume.Unreadable("forbidden"),
                        Reason.VOLUME_UNREADABLE,
                        readable));
    }

    @ParameterizedTest
    @MethodSource("ends")
    void aHeldPodMovesOnce(ClaimedVolume volume, Reason reason, Consumer<EngineScenario> end) {
        EngineScenario engineScenario = begin(enforcing(), volume).afterSeconds(62);
        assertThat(engineScenario.holds()).containsExactly(reason);
        assertThat(engineScenario.evicted()).isEmpty();

        end.accept(engineScenario);
        engineScenario.afterSeconds(3_600);

        assertThat(engineScenario.evicted()).containsExactly("db-0");
    }

    @Test
    void aClaimIsReadOnceInTenMinutesAndOneThatCouldNotBeReadOnceAMinute() {
        EngineScenario pinned = begin(enforcing(), IN_A).afterSeconds(60 + 9 * 60);
        assertThat(pinned.claimsRead).hasSize(1);
        pinned.afterSeconds(2 * 60);
        assertThat(pinned.claimsRead).hasSize(2);

        EngineScenario unreadable =
                begin(enforcing(), new ClaimedVolume.Unreadable("forbidden")).afterSeconds(60 + 10 * 60);

        assertThat(unreadable.claimsRead).hasSizeBetween(7, 12);
    }

    @Test
    void aPodWaitsWhileItsClaimIsBeingReadAndOneThatIsNeverAnsweredIsReadAgain() {
        EngineScenario engineScenario =
                begin(enforcing(), IN_B).neverAnswering(Effect.ReadClaim.class).afterSeconds(62);
        assertThat(engineScenario.requests).isEmpty();
        assertThat(engineScenario.claimsRead).hasSize(1);

        engineScenario.answeringAgain().afterSeconds(62);

        assertThat(engineScenario.evicted()).containsExactly("db-0");
    }

    static Stream<Arguments> moments() {
        Event unreadable =
                new Event.ClaimRead(new NamespacedName("shop", "data-db-0"), new ClaimedVolume.Unreadable("forbidden"));
        return Stream.of(
                argumentSet("while the pod is read", begin(enforcing(), IN_B).duringReads(unreadable)),
                argumentSet("during the dry run", begin(enforcing(), IN_B).duringDryRun(unreadable)));
    }

    @ParameterizedTest
    @MethodSource("moments")
    void aVolumeThatCannotBeReadAnyMoreHoldsWhatWasChosenBefore(EngineScenario engineScenario) {
        engineScenario.afterSeconds(62);

        assertThat(engineScenario.holds()).containsExactly(Reason.VOLUME_UNREADABLE);
        assertThat(engineScenario.evicted()).isEmpty();
    }

    @Test
    void aVolumeIsOutOfReachWhileAnotherPodIsBeingMovedToo() {
        EngineScenario engineScenario = EngineScenario.begin(
                        db(claiming("data-db-0")).pod("api-0", on("a1"), replicaOf("api"), nodeSelector("disk", "ssd")),
                        enforcing())
                .readingVolumes(_ -> IN_A)
                .neverAnswering(Effect.Confirm.class)
                .afterSeconds(62);

        assertThat(engineScenario.reads).extracting(read -> read.pod().name()).containsExactly("api-0");
        assertThat(engineScenario.holds()).containsExactly(Reason.VOLUME_PINNED);
    }

    @Test
    void noPolicyInsistsWhereOneNodeIsOutOfReachAndAnotherWouldBreakTheRulesOfOthers() {
        Policy insisting = alsoAsking(
                "apart",
                new Rule.PodAntiAffinity(term(app("db"), HOSTNAME)),
                new Enforcement(Mode.AUDIT, FORGIVENESS, WhenInfeasible.WAIT),
                insisting("web"));
        EngineScenario engineScenario = EngineScenario.begin(
                        db(claiming("data-db-0"))
                                .node("b1", labels(ZONE, "b", HOSTNAME, "b1", "disk", "ssd"))
                                .node("c1", labels(ZONE, "c", HOSTNAME, "c1", "disk", "ssd"))
                                .pod("web-0", on("b1"), replicaOf("web")),
                        insisting)
                .readingVolumes(_ -> IN_B)
                .afterSeconds(62);

        assertThat(engineScenario.holds()).containsExactly(Reason.TRADES_VIOLATIONS);
        assertThat(engineScenario.evicted()).isEmpty();
    }

    @Test
    void noMoreThanTenClaimsAreReadAtOnce() {
        EngineScenario engineScenario = EngineScenario.begin(
                        db(claiming(IntStream.range(0, 12)
                                .mapToObj("data-%02d"::formatted)
                                .toArray(String[]::new))),
                        enforcing())
                .neverAnswering(Effect.ReadClaim.class)
                .afterSeconds(62);

        assertThat(engineScenario.claimsRead).hasSize(10).doesNotContain("data-10", "data-11");
    }

    @Test
    void noMoreThanFiveThousandClaimsAreRemembered() {
        VolumeTopology volumeTopology = new VolumeTopology();
        IntStream.range(0, 5_000)
                .forEach(i ->
                        volumeTopology.put(new NamespacedName("shop", "data-" + i), ANYWHERE, EngineScenario.START));

        assertThat(volumeTopology.toRead(pod("db-0", claiming("data")), EngineScenario.START))
                .isEmpty();
    }

    @Test
    void ofAPodWithoutClaimsAndOfOneThatIsHeldAnywayNothingIsRead() {
        EngineScenario without = EngineScenario.begin(db(claiming()), enforcing())
                .replacingOn("b1")
                .afterSeconds(62);
        assertThat(without.evicted()).hasSize(1);
        EngineScenario forgiving = begin(enforcing(), IN_A).afterSeconds(59);

        assertThat(without.claimsRead).isEmpty();
        assertThat(forgiving.claimsRead).isEmpty();
    }
}
