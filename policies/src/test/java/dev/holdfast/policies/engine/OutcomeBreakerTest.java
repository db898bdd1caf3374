package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.testing.Changes.acknowledged;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Changes.replicaSetChanged;
import static dev.holdfast.policies.testing.Changes.replicaSetGone;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.notReady;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.like;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.restartPolicy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.protocol.EngineSettings;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.ReplacementTimes;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.engine.report.BreakerReport;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.RestartPolicy;
import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.plan.controls.OperatorLimits;
import dev.holdfast.policies.testing.ChecksWithout;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.ControlsDraft;
import dev.holdfast.policies.testing.PodTrait;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests the slow start of moves, and the breaker for replacements that do not become Ready. Eight Deployments have one
 * pod each, and each pod is on a node that lost the label that the pod needs.
 */
class OutcomeBreakerTest {
    private static final int WORKLOADS = 8;
    private static final Duration HOUR = Duration.ofHours(1);

    /** The time that a replacement may take. */
    private static final long TIMEOUT = 600;

    private static ClusterBuilder broken() {
        return broken(WORKLOADS);
    }

    /** {@return all workloads, of which the first have their pods already} */
    private static ClusterBuilder broken(int first) {
        ClusterBuilder facts = cluster().node("spare", labels("disk", "ssd"));
        for (int i = 1; i <= WORKLOADS; i++) {
            facts.node("n" + i, labels("disk", "hdd")).replicaSet("web-" + i, 1);
        }
        for (int i = 1; i <= first; i++) {
            facts.pod("web-" + i, on("n" + i), replicaOf("web-" + i), nodeSelector("disk", "ssd"));
        }
        return facts;
    }

    private static void comes(EngineScenario engineScenario, int workload) {
        engineScenario.happens(podChanged(
                "web-" + workload, on("n" + workload), replicaOf("web-" + workload), nodeSelector("disk", "ssd")));
    }

    private static EngineScenario scenario() {
        return EngineScenario.begin(broken(), enforcing());
    }

    /** {@return the scenario after three moves without a Ready replacement} */
    private static EngineScenario opened() {
        return scenario().replacingOn("spare", notReady()).afterSeconds(60 + 2 * TIMEOUT);
    }

    private static EngineScenario becomesReady(EngineScenario engineScenario, String pod, int workload) {
        return engineScenario.happens(
                podChanged(pod, on("spare"), replicaOf("web-" + workload), nodeSelector("disk", "ssd")));
    }

    static Stream<Arguments> troubles() {
        return Stream.of(
                trouble("no pod can be created", it -> it),
                trouble("no image can be pulled", it -> it.replacingOn("spare", notReady())));
    }

    private static Arguments trouble(String name, UnaryOperator<EngineScenario> trouble) {
        return argumentSet(name, trouble);
    }

    @ParameterizedTest
    @MethodSource("troubles")
    void ofEightPodsThreeAreLostIfNoReplacementBecomesReady(UnaryOperator<EngineScenario> trouble) {
        EngineScenario engineScenario = trouble.apply(scenario());

        engineScenario.after(Duration.ofDays(1));

        assertThat(engineScenario.evicted()).hasSize(3);
        assertThat(engineScenario.report(enforcing()).holds()).containsEntry(Reason.OUTCOME_BREAKER, 5);
        assertThat(engineScenario.turns).extracting(turn -> turn.reason()).containsExactly(Reason.OUTCOME_BREAKER);
        String id = engineScenario.turns.getFirst().id();
        assertThat(id).startsWith("moves-shop@");
        assertThat(engineScenario.turns.getFirst().message())
                .isEqualTo("the last 3 moves in namespace shop got no Ready replacement in time (Deployment shop/web-1,"
                        + " Deployment shop/web-2, Deployment shop/web-3), so another move would probably lose another"
                        + " pod. No pod in namespace shop is evicted until one of these replacements is Ready, or"
                        + " until an administrator acknowledges that evictions shall go on: kubectl annotate namespace"
                        + " holdfast --overwrite holdfast.dev/acknowledge=" + id);
        assertThat(engineScenario.heldBecause())
                .isEqualTo("the last 3 moves in namespace shop got no Ready replacement in time, so another move would"
                        + " probably lose another pod. No pod in namespace shop is evicted until one of these"
                        + " replacements is Ready, or until an administrator acknowledges that evictions shall"
                        + " go on. The event EnforcementFrozen about namespace holdfast, which is in namespace"
                        + " default, names the workloads, and how to acknowledge it");
    }

    /**
     * {@return the workloads in these namespaces, one letter each: {@code aab} has web-1 and web-2 in a, web-3 in b}
     */
    private static ClusterBuilder ofNamespaces(String namespaces) {
        ClusterBuilder facts = withoutPods(namespaces);
        for (int i = 1; i <= namespaces.length(); i++) {
            facts.pod("web-" + i, traits(namespaces, i));
        }
        return facts;
    }

    private static ClusterBuilder withoutPods(String namespaces) {
        ClusterBuilder facts = broken(0);
        for (int i = 1; i <= namespaces.length(); i++) {
            facts.namespace(namespaceOf(namespaces, i), labels("team", namespaceOf(namespaces, i)))
                    .node("n" + i, labels("disk", "hdd"))
                    .replicaSetIn(namespaceOf(namespaces, i), "web-" + i);
        }
        return facts;
    }

    private static String namespaceOf(String namespaces, int workload) {
        return namespaces.substring(workload - 1, workload);
    }

    private static PodTrait[] traits(String namespaces, int workload) {
        return new PodTrait[] {
            on("n" + workload),
            in(namespaceOf(namespaces, workload)),
            replicaOf("web-" + workload),
            nodeSelector("disk", "ssd")
        };
    }

    private static List<String> openings(EngineScenario engineScenario) {
        return engineScenario.turns.stream()
                .map(report -> report.change() + " " + report.id().replaceAll("@.*", ""))
                .toList();
    }

    @Test
    void failuresOfThreeNamespacesHoldThemAll() {
        EngineScenario engineScenario = EngineScenario.begin(
                        ofNamespaces("aaabbbcc"), TestPolicies.everywhere(enforcing()))
                .after(Duration.ofDays(1));

        assertThat(engineScenario.evicted()).hasSize(3);
        assertThat(engineScenario.turns).hasSize(1);
        String id = engineScenario.turns.getFirst().id();
        assertThat(id).startsWith("moves@");
        assertThat(engineScenario.turns.getFirst().message())
                .startsWith("the last 3 moves got no Ready replacement in time (ReplicaSet a/web-1,")
                .endsWith("No pod is evicted until one of these replacements is Ready, or until an administrator"
                        + " acknowledges that evictions shall go on: kubectl annotate namespace holdfast --overwrite"
                        + " holdfast.dev/acknowledge=" + id);
        assertThat(engineScenario.held()).isEqualTo(Reason.OUTCOME_BREAKER);
    }

    @Test
    void twoNamespacesLoseThreePodsEachIfNoReplacementBecomesReady() {
        EngineScenario engineScenario = EngineScenario.begin(
                        ofNamespaces("aaaabbbb"), TestPolicies.everywhere(enforcing()))
                .after(Duration.ofDays(1));

        assertThat(engineScenario.evicted()).hasSize(6);
        assertThat(openings(engineScenario)).containsExactly("OPENED moves-a", "OPENED moves-b");
    }

    @Test
    void sevenPodsAreLostIfTwoNamespacesLoseThreeEachBeforeAThirdIsDue() {
        String namespaces = "aaaabbbbccd";
        EngineScenario engineScenario =
                EngineScenario.begin(withoutPods(namespaces), TestPolicies.everywhere(enforcing()));
        for (int i = 1; i <= namespaces.length(); i++) {
            boolean isNext = i > 1 && !namespaceOf(namespaces, i).equals(namespaceOf(namespaces, i - 1));
            if (isNext && i < namespaces.length()) {
                engineScenario.after(HOUR);
            }
            engineScenario.happens(podChanged("web-" + i, traits(namespaces, i)));
        }
        engineScenario.after(HOUR);

        assertThat(engineScenario.evicted()).hasSize(7);
        assertThat(openings(engineScenario)).containsExactly("OPENED moves-a", "OPENED moves-b", "OPENED moves");
    }

    @Test
    void manyFailuresOfOneNamespaceAndTwoOfAnotherDoNotHoldAThird() {
        EngineScenario engineScenario = EngineScenario.begin(
                        ofNamespaces("aaaabb"), TestPolicies.everywhere(enforcing()))
                .after(HOUR);
        assertThat(engineScenario.evicted()).hasSize(5);
        assertThat(openings(engineScenario)).containsExactly("OPENED moves-a");

        engineScenario
                .happens(podChanged("web-7", on("n7"), replicaOf("web-7"), nodeSelector("disk", "ssd")))
                .afterSeconds(61);

        assertThat(engineScenario.evicted()).endsWith("web-7");
    }

    @Test
    void anAcknowledgedNamespaceDoesNotCountForAllAnyMore() {
        EngineScenario engineScenario = EngineScenario.begin(ofNamespaces("aaa"), TestPolicies.everywhere(enforcing()))
                .after(HOUR);
        engineScenario.happens(acknowledged(engineScenario.turns.getFirst().id()));
        engineScenario
                .happens(podChanged("web-4", traits("aaabc", 4)))
                .happens(podChanged("web-5", traits("aaabc", 5)))
                .after(HOUR);

        assertThat(engineScenario.evicted()).hasSize(5);
        assertThat(openings(engineScenario)).containsExactly("OPENED moves-a", "ACKNOWLEDGED moves-a");
    }

    @Test
    void anAcknowledgementForAllIsOneForEachNamespace() {
        EngineScenario engineScenario = EngineScenario.begin(ofNamespaces("abc"), TestPolicies.everywhere(enforcing()))
                .after(HOUR);
        assertThat(openings(engineScenario)).containsExactly("OPENED moves");
        engineScenario.happens(acknowledged(engineScenario.turns.getFirst().id()));

        engineScenario
                .happens(podChanged("web-4", traits("aaaaa", 4)))
                .happens(podChanged("web-5", traits("aaaaa", 5)))
                .after(HOUR);

        assertThat(engineScenario.evicted()).hasSize(5);
        assertThat(openings(engineScenario)).containsExactly("OPENED moves", "ACKNOWLEDGED moves");
    }

    @Test
    void theAcknowledgementOfOneNamespaceClosesTheBreakerOfAllIfTheOthersAreTooFew() {
        String namespaces = "aaabc";
        EngineScenario engineScenario =
                EngineScenario.begin(withoutPods(namespaces), TestPolicies.everywhere(enforcing()));
        for (int i = 1; i <= namespaces.length(); i++) {
            engineScenario.happens(podChanged("web-" + i, traits(namespaces, i)));
            if (i >= 3) {
                engineScenario.after(HOUR);
            }
        }
        assertThat(openings(engineScenario)).containsExactly("OPENED moves-a", "OPENED moves");

        engineScenario
                .happens(acknowledged(engineScenario.turns.getFirst().id()))
                .afterSeconds(1);

        assertThat(openings(engineScenario))
                .containsExactly("OPENED moves-a", "OPENED moves", "HEALED moves", "ACKNOWLEDGED moves-a");
    }

    /** Lets a hundred pods move whose failures do not count, because they are not Ready themselves. */
    @Test
    void theBreakerClosesByItselfHoweverManyOtherMovesFailMeanwhile() {
        EngineSettings plain = EngineScenario.settings(new OperatorLimits(1_000, 1_000, 1_000, 1_000, 1_000));
        EngineSettings settings = new EngineSettings(
                plain.operatorLimits(),
                plain.protectedPods(),
                plain.exemptNamespaces(),
                plain.replacementTimes(),
                plain.breakers(),
                ChecksWithout.reasons(
                        Set.of(Reason.OUTCOME_BREAKER, Reason.SLOW_START, Reason.VOLUME_BREAKER, Reason.RESUMING)),
                false);
        EngineScenario engineScenario = EngineScenario.begin(settings, broken(3), enforcing())
                .replacingOn("spare", notReady())
                .afterSeconds(60 + TIMEOUT);
        assertThat(openings(engineScenario)).containsExactly("OPENED moves-shop");
        for (int i = 0; i < 100; i++) {
            String name = "ill-" + i;
            engineScenario
                    .happens(replicaSetChanged(name, name, 1))
                    .happens(podChanged(name, on("n1"), replicaOf(name), nodeSelector("disk", "ssd"), notReady()));
        }
        engineScenario.afterSeconds(60 + TIMEOUT);
        assertThat(engineScenario.evicted()).hasSize(103);

        becomesReady(engineScenario, "web-1-r1", 1).afterSeconds(1);

        assertThat(openings(engineScenario))
                .filteredOn(opening -> opening.contains("moves"))
                .containsExactly("OPENED moves-shop", "HEALED moves-shop");
    }

    @Test
    void aNamespaceWithDoomedMovesDoesNotHoldUpAnother() {
        EngineScenario engineScenario = EngineScenario.begin(ofNamespaces("aaaa"), TestPolicies.everywhere(enforcing()))
                .afterSeconds(61);
        assertThat(engineScenario.evicted()).containsExactly("web-1", "web-2");

        engineScenario
                .replacingOn("spare")
                .happens(podChanged("web-5", on("n5"), replicaOf("web-5"), nodeSelector("disk", "ssd")))
                .happens(podChanged("web-6", on("n6"), replicaOf("web-6"), nodeSelector("disk", "ssd")))
                .afterSeconds(61);

        assertThat(engineScenario.evicted()).containsExactly("web-1", "web-2", "web-5", "web-6");
    }

    @Test
    void aNamespaceWhoseMovesOftenFailMovesOnePodAtATimeAndLetsOthersGoOn() {
        EngineScenario engineScenario =
                EngineScenario.begin(ofNamespaces("aaaabbbb"), TestPolicies.everywhere(enforcing()));
        engineScenario.replacing(victim -> {
            if (victim.namespace().equals("b")) {
                engineScenario.happens(podChanged(victim.name().name() + "-r", like(victim), on("spare")));
            }
        });

        engineScenario.afterSeconds(60 + TIMEOUT - 1);
        assertThat(engineScenario.evicted())
                .containsExactlyInAnyOrder("web-1", "web-2", "web-5", "web-6", "web-7", "web-8");
        engineScenario.afterSeconds(2);

        assertThat(engineScenario.evicted()).hasSize(7);
        assertThat(engineScenario
                        .report(TestPolicies.everywhere(enforcing()))
                        .oldest()
                        .getFirst()
                        .hold()
                        .orElseThrow()
                        .message())
                .isEqualTo(
                        "1 eviction in namespace a is in flight or planned, and the outcomes of the last moves of this"
                                + " namespace allow 1; each replacement that becomes Ready allows one more");
    }

    @Test
    void threeFailuresOfOneNamespaceHoldItAloneWhileOthersMove() {
        EngineScenario engineScenario =
                EngineScenario.begin(ofNamespaces("aaaaaabb"), TestPolicies.everywhere(enforcing()));
        engineScenario.replacing(victim -> {
            if (victim.namespace().equals("b")) {
                engineScenario.happens(podChanged(victim.name().name() + "-r", like(victim), on("spare")));
            }
        });

        engineScenario.after(Duration.ofDays(1));

        assertThat(engineScenario.turns)
                .extracting(BreakerReport::id)
                .singleElement()
                .asString()
                .startsWith("moves-a@");
        assertThat(engineScenario.evicted()).containsExactly("web-1", "web-7", "web-2", "web-8", "web-3");
    }

    @Test
    void withoutTheBreakerAndTheSlowStartAllAreLost() {
        EngineScenario engineScenario = EngineScenario.begin(
                EngineScenario.settingsWithout(Set.of(Reason.OUTCOME_BREAKER, Reason.SLOW_START)),
                broken(),
                enforcing());

        engineScenario.after(HOUR);

        assertThat(engineScenario.evicted()).hasSize(WORKLOADS);
    }

    @Test
    void withoutTheBreakerOneMoreIsLostEveryTenMinutes() {
        EngineScenario engineScenario = EngineScenario.begin(
                EngineScenario.settingsWithout(Set.of(Reason.OUTCOME_BREAKER)), broken(), enforcing());

        engineScenario.afterSeconds(60 + 4 * TIMEOUT);

        assertThat(engineScenario.evicted()).hasSize(6);
    }

    @Test
    void twoMoveAtFirstAndOneMoreAtOnceWithEachReadyReplacement() {
        EngineScenario engineScenario =
                scenario().replacingOn("spare", notReady()).afterSeconds(61);
        assertThat(engineScenario.evicted()).hasSize(2);
        assertThat(engineScenario.heldBecause())
                .isEqualTo(
                        "2 evictions in the cluster are in flight or planned, and the outcomes of the last moves allow"
                                + " 2; each replacement that becomes Ready allows one more");

        becomesReady(engineScenario, "web-1-r1", 1).afterSeconds(61);
        assertThat(engineScenario.evicted()).hasSize(4);

        becomesReady(engineScenario, "web-2-r2", 2).afterSeconds(61);
        assertThat(engineScenario.evicted()).hasSize(6);
    }

    @Test
    void afterOneFailureNoMoreStartUntilTheOthersHaveEnded() {
        EngineScenario engineScenario =
                scenario().replacingOn("spare", notReady()).afterSeconds(61);
        becomesReady(engineScenario, "web-1-r1", 1).afterSeconds(TIMEOUT - 2);
        assertThat(engineScenario.evicted()).hasSize(4);

        engineScenario.afterSeconds(1);
        becomesReady(engineScenario, "web-3-r3", 3);
        becomesReady(engineScenario, "web-4-r4", 4).afterSeconds(61);

        assertThat(engineScenario.events()).contains("Moved web-2 NOT_READY");
        assertThat(engineScenario.evicted()).hasSize(7);
    }

    @Test
    void ofFiveInFlightWhenTheTroubleBeginsFiveAreLost() {
        EngineScenario engineScenario =
                scenario().replacingOn("spare", notReady()).afterSeconds(61);
        for (int i = 1; i <= 3; i++) {
            becomesReady(engineScenario, "web-" + i + "-r" + i, i).afterSeconds(1);
        }
        assertThat(engineScenario.evicted()).hasSize(8);

        engineScenario.after(HOUR);

        assertThat(engineScenario.turns).extracting(turn -> turn.reason()).containsExactly(Reason.OUTCOME_BREAKER);
        assertThat(engineScenario.turns.getFirst().message())
                .startsWith(
                        "the last 3 moves in namespace shop got no Ready replacement in time (Deployment shop/web-4,"
                                + " Deployment shop/web-5, Deployment shop/web-6)");
    }

    @Test
    void afterAQuietTimeThreeAreLostHoweverManySucceededBefore() {
        EngineScenario engineScenario = EngineScenario.begin(broken(4), enforcing())
                .replacingOn("spare", notReady())
                .afterSeconds(61);
        becomesReady(engineScenario, "web-1-r1", 1);
        becomesReady(engineScenario, "web-2-r2", 2).afterSeconds(1);
        becomesReady(engineScenario, "web-3-r3", 3);
        becomesReady(engineScenario, "web-4-r4", 4).afterSeconds(60);

        IntStream.rangeClosed(5, WORKLOADS).forEach(i -> comes(engineScenario, i));
        engineScenario.after(HOUR);

        assertThat(engineScenario.evicted()).hasSize(4 + 3);
    }

    @Test
    void whenOnePodAfterAnotherHasMovedThreeAreLostOfManyThatAreDueTogether() {
        EngineScenario engineScenario =
                EngineScenario.begin(broken(0), enforcing()).replacingOn("spare", notReady());
        for (int i = 1; i <= 4; i++) {
            comes(engineScenario, i);
            engineScenario.afterSeconds(5);
        }
        IntStream.rangeClosed(5, WORKLOADS).forEach(i -> comes(engineScenario, i));
        engineScenario.afterSeconds(40);
        for (int i = 1; i <= 4; i++) {
            assertThat(engineScenario.afterSeconds(1).evicted()).hasSize(i);
            becomesReady(engineScenario, "web-" + i + "-r" + i, i).afterSeconds(4);
        }

        engineScenario.after(HOUR);

        assertThat(engineScenario.evicted()).hasSize(4 + 3);
    }

    @Test
    void evictionsGoOnByThemselvesWhenOneOfTheReplacementsIsReady() {
        EngineScenario engineScenario = opened();
        assertThat(engineScenario.after(HOUR).evicted()).hasSize(3);

        becomesReady(engineScenario, "web-2-r2", 2).afterSeconds(1);

        assertThat(engineScenario.turns.getLast().message())
                .isEqualTo("a replacement of Deployment shop/web-2 is Ready; evictions resume slowly, and each"
                        + " replacement that becomes Ready allows one more");
        assertThat(engineScenario.evicted()).hasSize(5);
        becomesReady(engineScenario, "web-4-r4", 4).afterSeconds(1);
        assertThat(engineScenario.evicted()).hasSize(7);
    }

    @Test
    void replacementsThatAreLateTogetherLetTwoMovesStart() {
        EngineScenario engineScenario = opened().loses(View.NODES);

        for (int i = 1; i <= 3; i++) {
            becomesReady(engineScenario, "web-" + i + "-r" + i, i);
        }
        engineScenario.event(new Event.ViewSynced(View.NODES)).afterSeconds(61);

        assertThat(engineScenario.evicted()).hasSize(3 + 2);
    }

    @Test
    void daysLaterTheReplacementStillClosesTheBreaker() {
        EngineScenario engineScenario = opened().after(Duration.ofDays(3));
        engineScenario
                .happens(podChanged("api-1", on("spare"), replicaOf("api")))
                .afterSeconds(1);

        becomesReady(engineScenario, "web-2-r2", 2).afterSeconds(1);

        assertThat(engineScenario.turns.getLast().message()).startsWith("a replacement of Deployment shop/web-2");
    }

    @Test
    void aLateReplacementOfAMoveThatDidNotCountDoesNotCloseTheBreaker() {
        EngineScenario engineScenario = EngineScenario.begin(
                        broken().pod("web-1", on("n1"), replicaOf("web-1"), nodeSelector("disk", "ssd"), notReady()),
                        enforcing())
                .replacingOn("spare", notReady())
                .afterSeconds(60 + 3 * TIMEOUT);
        assertThat(engineScenario.held()).isEqualTo(Reason.OUTCOME_BREAKER);

        becomesReady(engineScenario, "web-1-r1", 1).after(HOUR);

        assertThat(engineScenario.turns).hasSize(1);
        assertThat(engineScenario.evicted()).hasSize(4);
    }

    @Test
    void anotherPodThatIsReadyDoesNotCloseTheBreaker() {
        EngineScenario engineScenario = opened();

        engineScenario
                .happens(podChanged("api-1", on("spare"), replicaOf("api")))
                .after(HOUR);

        assertThat(engineScenario.evicted()).hasSize(3);
    }

    @Test
    void anAcknowledgementLetsOneMoveAtATime() {
        EngineScenario engineScenario = opened();

        engineScenario
                .happens(acknowledged(engineScenario.turns.getFirst().id()))
                .afterSeconds(1);

        assertThat(engineScenario.turns.getLast().message())
                .startsWith("a user acknowledged that replacements do not become Ready; evictions resume slowly");
        assertThat(engineScenario.evicted()).hasSize(4);
        assertThat(engineScenario.held()).isEqualTo(Reason.SLOW_START);
    }

    @Test
    void itClosesWhenTheWorkloadsOfAllThreeWantNoReplacementAnyMore() {
        EngineScenario engineScenario = opened();

        engineScenario.happens(replicaSetGone("web-1"));
        engineScenario.happens(replicaSetGone("web-2")).after(HOUR);
        assertThat(engineScenario.evicted()).hasSize(3);
        engineScenario.happens(replicaSetGone("web-3")).afterSeconds(1);

        assertThat(engineScenario.turns.getLast().message())
                .startsWith("the workloads of the moves without a Ready replacement want none any more");
        assertThat(engineScenario.evicted()).hasSize(4);
    }

    @Test
    void movesOfPodsThatAreNotReadyThemselvesDoNotCount() {
        ClusterBuilder facts = broken();
        for (int i = 1; i <= WORKLOADS; i++) {
            facts.pod("web-" + i, on("n" + i), replicaOf("web-" + i), nodeSelector("disk", "ssd"), notReady());
        }
        EngineScenario engineScenario = EngineScenario.begin(facts, enforcing())
                .replacingOn("spare", notReady())
                .after(HOUR);

        assertThat(engineScenario.turns).isEmpty();
        assertThat(engineScenario.evicted()).hasSize(WORKLOADS);
    }

    @Test
    void movesOfPodsThatRunToCompletionDoNotCount() {
        ClusterBuilder facts = broken();
        for (int i = 1; i <= WORKLOADS; i++) {
            facts.pod(
                    "web-" + i,
                    on("n" + i),
                    replicaOf("web-" + i),
                    nodeSelector("disk", "ssd"),
                    restartPolicy(RestartPolicy.NEVER));
        }
        DisruptionControls allowing =
                ControlsDraft.plain().allowed(Set.of(Reason.RUNS_TO_COMPLETION)).controls();
        EngineScenario engineScenario = EngineScenario.begin(facts)
                .event(new Event.PolicyChanged(enforcing(), allowing))
                .after(HOUR);

        assertThat(engineScenario.turns).isEmpty();
        assertThat(engineScenario.evicted()).hasSize(WORKLOADS);
    }

    @Test
    void movesWithoutANodeDoNotCount() {
        ClusterBuilder facts = broken().node("spare", labels("disk", "hdd"));
        EngineScenario engineScenario =
                EngineScenario.begin(facts, TestPolicies.insisting("web")).after(HOUR);

        assertThat(engineScenario.turns).isEmpty();
        assertThat(engineScenario.evicted()).hasSizeGreaterThan(3);
    }

    @Test
    void aReplacementThatIsReadyTooLateIsASuccessFromThenOn() {
        EngineScenario engineScenario =
                scenario().replacingOn("spare", notReady()).afterSeconds(60 + TIMEOUT);
        assertThat(engineScenario.evicted()).hasSize(3);

        becomesReady(engineScenario, "web-1-r1", 1).afterSeconds(1);

        assertThat(engineScenario.evicted()).hasSize(4);
    }

    @Test
    void aReplacementThatIsReadyTooLateWasNoFutileMove() {
        EngineScenario engineScenario = EngineScenario.begin(
                        cluster()
                                .node("n1", labels("disk", "hdd"))
                                .node("spare", labels("disk", "ssd"))
                                .node("third", labels("disk", "ssd"))
                                .replicaSet("web-1", 1)
                                .pod("web-1", on("n1"), replicaOf("web-1"), nodeSelector("disk", "ssd")),
                        enforcing())
                .replacingOn("spare", notReady())
                .afterSeconds(60 + TIMEOUT);
        assertThat(engineScenario.events()).contains("Moved web-1 NOT_READY");

        becomesReady(engineScenario, "web-1-r1", 1);
        engineScenario.happens(nodeChanged("spare", labels("disk", "hdd"))).afterSeconds(61);

        assertThat(engineScenario.evicted()).containsExactly("web-1", "web-1-r1");
    }

    /** {@return the scenario in which replacements must be Ready for 10 s, after two evictions} */
    private static EngineScenario readyForTenSeconds() {
        return EngineScenario.begin(
                        EngineScenario.settings(new ReplacementTimes(Duration.ofSeconds(10), Duration.ofMinutes(10))),
                        broken(),
                        enforcing())
                .replacingOn("spare", notReady())
                .afterSeconds(61);
    }

    private static EngineScenario crashes(EngineScenario engineScenario, int workload) {
        String pod = "web-" + workload + "-r" + workload;
        return engineScenario.happens(
                podChanged(pod, on("spare"), replicaOf("web-" + workload), nodeSelector("disk", "ssd"), notReady()));
    }

    @Test
    void aReplacementIsASuccessOnceItHasBeenReadyForTenSeconds() {
        EngineScenario engineScenario = readyForTenSeconds();

        becomesReady(engineScenario, "web-1-r1", 1).afterSeconds(9);
        assertThat(engineScenario.events()).doesNotContain("Moved web-1 MOVED");
        engineScenario.afterSeconds(1);

        assertThat(engineScenario.events()).contains("Moved web-1 MOVED");
    }

    @Test
    void ifReplacementsCrashEightSecondsAfterEachStartThreePodsAreLost() {
        EngineScenario engineScenario = readyForTenSeconds();

        for (int again = 0; again < 60; again++) {
            for (int i = 1; i <= engineScenario.evicted().size(); i++) {
                becomesReady(engineScenario, "web-" + i + "-r" + i, i);
            }
            engineScenario.afterSeconds(8);
            for (int i = 1; i <= engineScenario.evicted().size(); i++) {
                crashes(engineScenario, i);
            }
            engineScenario.afterSeconds(22);
        }

        assertThat(engineScenario.evicted()).hasSize(3);
        assertThat(engineScenario.held()).isEqualTo(Reason.OUTCOME_BREAKER);
    }

    @Test
    void theTenSecondsBeginAgainAfterAGapInWhichTheReplacementMayHaveCrashed() {
        EngineScenario engineScenario = readyForTenSeconds();

        becomesReady(engineScenario, "web-1-r1", 1).afterSeconds(5).loses(View.PODS);
        engineScenario.afterSeconds(20).event(new Event.ViewSynced(View.PODS)).afterSeconds(9);
        assertThat(engineScenario.events()).doesNotContain("Moved web-1 MOVED");
        engineScenario.afterSeconds(1);

        assertThat(engineScenario.events()).contains("Moved web-1 MOVED");
    }

    @Test
    void aReplacementThatIsReadyAtTheTimeoutHasItsTenSeconds() {
        EngineScenario engineScenario = readyForTenSeconds().afterSeconds(TIMEOUT - 4);

        becomesReady(engineScenario, "web-1-r1", 1).afterSeconds(9);
        assertThat(engineScenario.events())
                .contains("Moved web-2 NOT_READY")
                .doesNotContain("Moved web-1 NOT_READY", "Moved web-1 MOVED");
        engineScenario.afterSeconds(1);

        assertThat(engineScenario.events()).contains("Moved web-1 MOVED");
    }

    @Test
    void aReplacementThatCrashesAfterTheTimeoutIsAFailureAtOnce() {
        EngineScenario engineScenario = readyForTenSeconds().afterSeconds(TIMEOUT - 4);

        becomesReady(engineScenario, "web-1-r1", 1).afterSeconds(8);
        crashes(engineScenario, 1);

        assertThat(engineScenario.events()).contains("Moved web-1 NOT_READY");
    }

    @Test
    void aReplacementThatBecameReadyWhileAViewWasLostClosesTheBreaker() {
        EngineScenario engineScenario = readyForTenSeconds().afterSeconds(2 * TIMEOUT);

        becomesReady(engineScenario.loses(View.NODES), "web-2-r2", 2).afterSeconds(60);
        assertThat(engineScenario.turns).hasSize(1);
        engineScenario.event(new Event.ViewSynced(View.NODES)).afterSeconds(9);
        assertThat(engineScenario.turns).hasSize(1);
        engineScenario.afterSeconds(1);

        assertThat(engineScenario.turns.getLast().message()).startsWith("a replacement of Deployment shop/web-2");
    }

    @Test
    void theTenSecondsOfALateReplacementBeginAgainAfterAGap() {
        EngineScenario engineScenario = readyForTenSeconds().afterSeconds(2 * TIMEOUT);

        becomesReady(engineScenario, "web-2-r2", 2)
                .afterSeconds(5)
                .loses(View.PODS)
                .afterSeconds(1)
                .event(new Event.ViewSynced(View.PODS))
                .afterSeconds(9);
        assertThat(engineScenario.turns).hasSize(1);
        engineScenario.afterSeconds(1);

        assertThat(engineScenario.turns.getLast().message()).startsWith("a replacement of Deployment shop/web-2");
    }

    @Test
    void theBreakerClosesOnceAReplacementHasBeenReadyForTenSeconds() {
        EngineScenario engineScenario = readyForTenSeconds().afterSeconds(2 * TIMEOUT);
        assertThat(engineScenario.held()).isEqualTo(Reason.OUTCOME_BREAKER);

        becomesReady(engineScenario, "web-2-r2", 2).afterSeconds(9);
        assertThat(engineScenario.held()).isEqualTo(Reason.OUTCOME_BREAKER);
        engineScenario.afterSeconds(1);

        assertThat(engineScenario.turns.getLast().message()).startsWith("a replacement of Deployment shop/web-2");
        assertThat(engineScenario.evicted()).hasSize(5);
    }

    @Test
    void theTimeOfAReplacementDoesNotPassWhileAViewIsLost() {
        EngineScenario engineScenario =
                scenario().replacingOn("spare", notReady()).afterSeconds(61).loses(View.PODS);

        engineScenario.afterSeconds(2 * TIMEOUT).event(new Event.ViewSynced(View.PODS));
        assertThat(engineScenario.events()).doesNotContain("Moved web-1 NOT_READY");
        becomesReady(engineScenario, "web-1-r1", 1).afterSeconds(11);

        assertThat(engineScenario.events()).contains("Moved web-1 MOVED", "Moved web-2 NOT_READY");
    }

    @Test
    void aRollOutOfTheWorkloadsDoesNotCloseTheBreaker() {
        EngineScenario engineScenario = opened();

        for (int i = 1; i <= 3; i++) {
            engineScenario.happens(replicaSetChanged("web-" + i, "next-" + i, 1));
            engineScenario.happens(replicaSetChanged("web-" + i, "web-" + i, 0));
        }
        engineScenario.after(HOUR);

        assertThat(engineScenario.evicted()).hasSize(3);
        assertThat(engineScenario.turns).hasSize(1);
    }

    @Test
    void aReplacementThatIsReadyTooLateLeavesOnlyTheLaterMovesInARow() {
        EngineScenario engineScenario =
                scenario().replacingOn("spare", notReady()).afterSeconds(60 + TIMEOUT);
        becomesReady(engineScenario, "web-1-r1", 1);
        becomesReady(engineScenario, "web-2-r2", 2).afterSeconds(1);
        assertThat(engineScenario.evicted()).hasSize(4);
        assertThat(engineScenario.turns).isEmpty();

        engineScenario.after(HOUR);

        assertThat(engineScenario.turns.getFirst().message())
                .contains("(Deployment shop/web-3, Deployment shop/web-4, Deployment shop/web-5)");
    }

    @Test
    void aReplacementThatBreaksTheRuleAgainIsReady() {
        EngineScenario engineScenario = scenario().replacingOn("n8").after(HOUR);

        assertThat(engineScenario.turns).isEmpty();
        assertThat(engineScenario.evicted()).hasSizeGreaterThan(3);
    }

    @Test
    void aReadyReplacementBetweenTwoAndTwoFailuresEndsTheRow() {
        EngineScenario engineScenario =
                scenario().replacingOn("spare", notReady()).afterSeconds(61 + TIMEOUT);
        assertThat(engineScenario.evicted()).hasSize(3);

        becomesReady(engineScenario, "web-3-r3", 3).afterSeconds(1 + TIMEOUT);

        assertThat(engineScenario.evicted()).hasSize(6);
        assertThat(engineScenario.turns).isEmpty();
    }

    @Test
    void aReadyReplacementThatBreaksTheRuleAgainNeitherEndsTheRowNorCounts() {
        ClusterBuilder facts = broken();
        for (int i = 4; i <= WORKLOADS; i++) {
            facts.node("n" + i, labels("disk", "ssd"));
        }
        EngineScenario engineScenario = EngineScenario.begin(facts, enforcing())
                .replacingOn("spare", notReady())
                .afterSeconds(61)
                .replacingOn("n1")
                .afterSeconds(TIMEOUT)
                .replacingOn("spare", notReady());
        assertThat(engineScenario.events())
                .contains("Moved web-1 NOT_READY", "Moved web-2 NOT_READY", "Moved web-3 BROKEN_AGAIN");
        assertThat(engineScenario.turns).isEmpty();

        engineScenario.happens(nodeChanged("n4", labels("disk", "hdd"))).afterSeconds(61 + TIMEOUT);

        assertThat(engineScenario.events()).contains("Moved web-4 NOT_READY");
        assertThat(engineScenario.turns).hasSize(1);
    }

    @Test
    void failuresThatAreMoreThanADayOldAreNotInARow() {
        ClusterBuilder facts = broken();
        for (int i = 3; i <= WORKLOADS; i++) {
            facts.node("n" + i, labels("disk", "ssd"));
        }
        EngineScenario engineScenario = EngineScenario.begin(facts, enforcing())
                .replacingOn("spare", notReady())
                .after(Duration.ofHours(25));
        assertThat(engineScenario.evicted()).hasSize(2);

        engineScenario.happens(nodeChanged("n3", labels("disk", "hdd"))).after(HOUR);

        assertThat(engineScenario.evicted()).hasSize(3);
        assertThat(engineScenario.turns).isEmpty();
    }
}
