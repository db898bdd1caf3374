package dev.holdfast.policies.plan.check;

import static dev.holdfast.policies.plan.Due.NOW;
import static dev.holdfast.policies.plan.Due.POLICY;
import static dev.holdfast.policies.plan.Due.candidate;
import static dev.holdfast.policies.plan.Due.situation;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.priority;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.Rules.nodeSelectorRule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.plan.Plan;
import dev.holdfast.policies.plan.ShuffledPlanner;
import dev.holdfast.policies.plan.move.Futility;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Moves;
import dev.holdfast.policies.plan.move.Workload;
import dev.holdfast.policies.plan.situation.Candidate;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.WhenInfeasible;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the holds after futile moves. The candidate is a pod of ReplicaSet {@code web} of Deployment {@code web}. */
class FutileCheckTest {
    private static final ReferenceCluster CLUSTER = cluster()
            .node("n1", labels("disk", "hdd"))
            .replicaSet("web", 2)
            .pod("web", on("n1"), nodeSelector("disk", "ssd"), replicaOf("web"))
            .build();
    private static final Candidate WEB = candidate(CLUSTER, "web");
    private static final Workload WORKLOAD = WEB.workload().orElseThrow();
    private static final Futility.Key SUBJECT = subject("web");

    private static Futility.Key subject(String controllerUid) {
        return new Futility.Key("shop", controllerUid, WEB.violation().key().rule());
    }

    /** {@return a record of this number of futile moves, the last of them this long ago} */
    private static Consumer<Futility> failed(int times, Duration ago) {
        return futility -> {
            for (int i = times - 1; i >= 0; i--) {
                fail(futility, SUBJECT, ago.plusHours(i));
            }
        };
    }

    private static void fail(Futility futility, Futility.Key key, Duration ago) {
        futility.failed(key, WORKLOAD, new Futility.FutileMove(NOW.minus(ago), POLICY, "landed badly"));
    }

    private static Arguments row(String name, Consumer<Futility> before, Optional<Reason> expected) {
        return argumentSet(name, before, expected);
    }

    private static Arguments waits(int times, Duration wait) {
        return row(
                times + " futile moves, the last a second less than " + wait.toMinutes() + " min ago",
                failed(times, wait.minusSeconds(1)),
                Optional.of(Reason.FUTILE));
    }

    private static Arguments goes(int times, Duration wait) {
        return row(
                times + " futile moves, the last " + wait.toMinutes() + " min ago",
                failed(times, wait),
                Optional.empty());
    }

    /**
     * {@return a record of this number of futile moves, the last of them this long ago, and of a node that changed one
     * second after that}
     */
    private static Consumer<Futility> reopened(int times, Duration ago) {
        return failed(times, ago).andThen(futility -> futility.nodeChanged(NOW.minus(ago.minusSeconds(1))));
    }

    private static Arguments reopenedWaits(int times, Duration wait) {
        return row(
                times + " futile moves, a node changed, a second less than " + wait.toMinutes() + " min after the last",
                reopened(times, wait.minusSeconds(1)),
                Optional.of(Reason.FUTILE));
    }

    private static Arguments reopenedGoes(int times, Duration wait) {
        return row(
                times + " futile moves, a node changed, " + wait.toMinutes() + " min after the last",
                reopened(times, wait),
                Optional.empty());
    }

    static Stream<Arguments> rows() {
        return Stream.of(
                row("no futile move", _ -> {}, Optional.empty()),
                waits(1, Duration.ofMinutes(5)),
                goes(1, Duration.ofMinutes(5)),
                waits(2, Duration.ofMinutes(10)),
                goes(2, Duration.ofMinutes(10)),
                waits(3, Duration.ofMinutes(20)),
                goes(3, Duration.ofMinutes(20)),
                waits(4, Duration.ofMinutes(40)),
                goes(4, Duration.ofMinutes(40)),
                row("five futile moves", failed(5, Duration.ZERO), Optional.of(Reason.ENFORCEMENT_FUTILE)),
                row(
                        "five futile moves, the last a year ago",
                        failed(5, Duration.ofDays(365)),
                        Optional.of(Reason.ENFORCEMENT_FUTILE)),
                reopenedWaits(5, Duration.ofMinutes(80)),
                reopenedGoes(5, Duration.ofMinutes(80)),
                reopenedWaits(9, Duration.ofMinutes(1280)),
                reopenedGoes(9, Duration.ofMinutes(1280)),
                reopenedWaits(10, Duration.ofDays(1)),
                reopenedGoes(10, Duration.ofDays(1)),
                reopenedGoes(1000, Duration.ofDays(1)),
                row(
                        "a node change at the same instant as the last futile move does not count",
                        failed(5, Duration.ofDays(1)).andThen(it -> it.nodeChanged(NOW.minus(Duration.ofDays(1)))),
                        Optional.of(Reason.ENFORCEMENT_FUTILE)),
                row(
                        "one more futile move after a node changed",
                        reopened(5, Duration.ofDays(2)).andThen(it -> fail(it, SUBJECT, Duration.ofDays(1))),
                        Optional.of(Reason.ENFORCEMENT_FUTILE)),
                row(
                        "five futile moves and a successful one",
                        failed(5, Duration.ZERO).andThen(it -> it.succeeded(WORKLOAD, SUBJECT.rule(), NOW)),
                        Optional.empty()),
                row(
                        "five futile moves and a successful one for another rule",
                        failed(5, Duration.ZERO)
                                .andThen(it -> it.succeeded(
                                        WORKLOAD, nodeSelectorRule("cpu", "new").identity(), NOW)),
                        Optional.of(Reason.ENFORCEMENT_FUTILE)),
                row(
                        "five futile moves and a successful one of another workload",
                        failed(5, Duration.ZERO)
                                .andThen(it -> it.succeeded(
                                        new Workload("other", "Deployment", WORKLOAD.name()), SUBJECT.rule(), NOW)),
                        Optional.of(Reason.ENFORCEMENT_FUTILE)),
                row(
                        "five futile moves of another revision",
                        futility -> {
                            for (int i = 0; i < 5; i++) {
                                fail(futility, subject("web-2"), Duration.ZERO);
                            }
                        },
                        Optional.empty()),
                row(
                        "five futile moves, the last five minutes ago, and an edit of the policy",
                        failed(5, Duration.ofMinutes(5)).andThen(it -> it.edited(POLICY)),
                        Optional.empty()),
                row(
                        "five futile moves, the last less than five minutes ago, and an edit of the policy",
                        failed(5, Duration.ofSeconds(299)).andThen(it -> it.edited(POLICY)),
                        Optional.of(Reason.FUTILE)),
                row(
                        "five futile moves and an edit of another policy",
                        failed(5, Duration.ofDays(1)).andThen(it -> it.edited(PolicyId.cluster("web"))),
                        Optional.of(Reason.ENFORCEMENT_FUTILE)));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void aWorkloadThatWasMovedInVainWaitsAndIsGivenUp(Consumer<Futility> before, Optional<Reason> expected) {
        Moves moves = new Moves();
        before.accept(moves.futility());

        Optional<Hold> hold = ShuffledPlanner.hold(new FutileCheck(), WEB, situation(CLUSTER, moves.copy()));

        assertThat(hold.map(Hold::reason)).isEqualTo(expected);
    }

    @Test
    void aWaitSaysWhyAndUntilWhen() {
        Moves moves = new Moves();
        failed(1, Duration.ofMinutes(2)).accept(moves.futility());

        assertThat(ShuffledPlanner.hold(new FutileCheck(), WEB, situation(CLUSTER, moves)))
                .contains(Hold.until(
                        Reason.FUTILE,
                        "pods of Deployment shop/web were moved once for this rule without success: the replacement"
                                + " landed badly",
                        NOW.plusSeconds(180)));
    }

    @Test
    void whoIsGivenUpReadsHowOftenWhyEachTimeAndWhatWouldChangeThat() {
        Moves moves = new Moves();
        fail(moves.futility(), SUBJECT, Duration.ofHours(3));
        for (String why : new String[] {"landed on n1", "landed on n1", "was late", "landed on n1", "landed on n2"}) {
            moves.futility().failed(SUBJECT, WORKLOAD, new Futility.FutileMove(NOW, POLICY, why));
        }

        assertThat(ShuffledPlanner.hold(new FutileCheck(), WEB, situation(CLUSTER, moves)))
                .contains(Hold.untilChange(
                        Reason.ENFORCEMENT_FUTILE,
                        "pods of Deployment shop/web were moved 6 times in a row for this rule without success: the"
                            + " last 5 times the replacement landed on n1 (2 times), then was late, then landed on n1,"
                            + " then landed on n2. They are not moved again until the policy is edited or the"
                            + " workload's revision changes; a node that is added, turns Ready or schedulable, or gets"
                            + " other labels or taints allows one more try, not before 2026-11-20T14:40:00Z"));
    }

    @Test
    void whatNobodyIsLeftOfIsForgotten() {
        Futility futility = new Moves().futility();
        fail(futility, SUBJECT, Duration.ofHours(2));
        fail(futility, subject("gone"), Duration.ofHours(2));
        fail(futility, subject("going"), Duration.ofMinutes(2));

        futility.forgetBefore(NOW.minus(Duration.ofHours(1)), Set.of(SUBJECT));

        assertThat(futility.streak(SUBJECT)).isPresent();
        assertThat(futility.streak(subject("gone"))).isEmpty();
        assertThat(futility.streak(subject("going"))).isPresent();
    }

    /** Records five futile moves of each of these Deployments of shop, the last of them this long ago. */
    private static void givenUp(Futility futility, Duration ago, String... deployments) {
        givenUpIn("shop", futility, ago, deployments);
    }

    private static void givenUpIn(String namespace, Futility futility, Duration ago, String... deployments) {
        for (String name : deployments) {
            Workload workload = new Workload(name, "Deployment", new NamespacedName(namespace, name));
            for (int i = Futility.TRIES; i > 0; i--) {
                futility.failed(
                        subject(name),
                        workload,
                        new Futility.FutileMove(NOW.minus(ago).minusSeconds(i), POLICY, "landed badly"));
            }
        }
    }

    private static Optional<Hold> hold(Moves moves) {
        return ShuffledPlanner.hold(new FutileCheck(), WEB, situation(CLUSTER, moves));
    }

    @Test
    void afterFourWorkloadsWereGivenUpAnotherOneIsStillMoved() {
        Moves moves = new Moves();
        givenUp(moves.futility(), Duration.ofHours(2), "a", "b", "c", "d");

        assertThat(hold(moves)).isEmpty();
    }

    @Test
    void afterFiveWorkloadsWereGivenUpTheRuleIsGivenUpForAll() {
        Moves moves = new Moves();
        givenUp(moves.futility(), Duration.ofHours(2), "a", "b", "c", "d", "e");

        assertThat(hold(moves))
                .contains(Hold.untilChange(
                        Reason.ENFORCEMENT_FUTILE,
                        "pods of 5 workloads with this rule (Deployment shop/a, Deployment shop/b, Deployment shop/c, 2"
                                + " others) were moved five times or more without success: the last replacement landed"
                                + " badly. No pod is moved for this rule until the policies that moved them are"
                                + " edited; a node that is added, turns Ready or schedulable, or gets other labels or"
                                + " taints allows one more try for the rule, not before "
                                + NOW.minus(Duration.ofMinutes(40)).minusSeconds(1)));
    }

    @Test
    void aNodeThatChangesAllowsOneTryForTheRule() {
        Moves moves = new Moves();
        givenUp(moves.futility(), Duration.ofHours(2), "a", "b", "c", "d", "e");
        moves.futility().nodeChanged(NOW);
        assertThat(hold(moves)).isEmpty();

        moves.put(WEB.plannedMove(Optional.of("n2"), NOW));

        assertThat(hold(moves).map(Hold::reason)).contains(Reason.ENFORCEMENT_FUTILE);
    }

    @Test
    void theOneTryForTheRuleGoesToAWorkloadThatHasNotFailedYet() {
        ReferenceCluster both = cluster()
                .node("n1", labels("disk", "hdd"))
                .node("n2", labels("disk", "ssd"))
                .replicaSet("web", 2)
                .replicaSet("api", 2)
                .pod("web", on("n1"), nodeSelector("disk", "ssd"), replicaOf("web"), priority(1))
                .pod("api", on("n1"), nodeSelector("disk", "ssd"), replicaOf("api"), priority(2))
                .build();
        Moves moves = new Moves();
        givenUp(moves.futility(), Duration.ofHours(2), "web", "b", "c", "d", "e");
        moves.futility().nodeChanged(NOW);

        Plan plan = new ShuffledPlanner(100, 100)
                .plan(List.of(candidate(both, "web"), candidate(both, "api")), situation(both, moves));

        assertThat(plan.chosen())
                .extracting(chosen -> chosen.candidate().pod().name().name())
                .containsExactly("api");
        assertThat(plan.held()).extracting(held -> held.hold().reason()).containsExactly(Reason.ENFORCEMENT_FUTILE);
    }

    @Test
    void anAuditedWorkloadDoesNotTakeTheOneTryOfAnEnforcedOne() {
        ReferenceCluster both = cluster()
                .node("n1", labels("disk", "hdd"))
                .node("n2", labels("disk", "ssd"))
                .replicaSet("web", 2)
                .replicaSet("api", 2)
                .pod("web", on("n1"), nodeSelector("disk", "ssd"), replicaOf("web"))
                .pod("api", on("n1"), nodeSelector("disk", "ssd"), replicaOf("api"))
                .build();
        Candidate audited = candidate(both, both.pod("api").orElseThrow(), WEB.rule(), Mode.AUDIT, WhenInfeasible.WAIT);
        Moves moves = new Moves();
        givenUp(moves.futility(), Duration.ofHours(2), "web", "b", "c", "d", "e");
        moves.futility().nodeChanged(NOW);

        Plan plan =
                new ShuffledPlanner(100, 100).plan(List.of(audited, candidate(both, "web")), situation(both, moves));

        assertThat(plan.chosen())
                .extracting(chosen -> chosen.candidate().pod().name().name())
                .containsExactly("web");
    }

    @Test
    void withoutAnotherWorkloadTheOneTryGoesToOneThatHasFailed() {
        ReferenceCluster cluster = cluster()
                .node("n1", labels("disk", "hdd"))
                .node("n2", labels("disk", "ssd"))
                .replicaSet("web", 2)
                .pod("web", on("n1"), nodeSelector("disk", "ssd"), replicaOf("web"))
                .build();
        Moves moves = new Moves();
        givenUp(moves.futility(), Duration.ofHours(2), "web", "b", "c", "d", "e");
        moves.futility().nodeChanged(NOW);

        Plan plan = new ShuffledPlanner(100, 100).plan(List.of(candidate(cluster, "web")), situation(cluster, moves));

        assertThat(plan.chosen()).hasSize(1);
    }

    @Test
    void theFailedTryOfAnyWorkloadClosesTheRuleAgainUntilANodeChanges() {
        Moves moves = new Moves();
        givenUp(moves.futility(), Duration.ofHours(2), "a", "b", "c", "d", "e");
        moves.futility().nodeChanged(NOW.minusSeconds(60));
        moves.futility()
                .failed(
                        subject("sixth"),
                        new Workload("sixth", "Deployment", new NamespacedName("shop", "sixth")),
                        new Futility.FutileMove(NOW.minusSeconds(10), POLICY, "landed badly"));

        assertThat(hold(moves)).map(Hold::nextLook).contains(Optional.empty());

        moves.futility().nodeChanged(NOW);
        assertThat(hold(moves).flatMap(Hold::nextLook))
                .contains(NOW.minusSeconds(10).plus(Duration.ofMinutes(160)));
    }

    @Test
    void workloadsOfOtherNamespacesAreNotNamed() {
        Moves moves = new Moves();
        givenUp(moves.futility(), Duration.ofHours(2), "a");
        givenUpIn("bank", moves.futility(), Duration.ofHours(2), "b", "c");
        givenUpIn("mail", moves.futility(), Duration.ofHours(2), "d", "e");

        assertThat(hold(moves).orElseThrow().message())
                .startsWith("pods of 5 workloads with this rule (Deployment shop/a, 4 others) were moved");
    }

    /** {@return the given-up workloads of namespaces, and whether the rule is given up for shop and for mail} */
    static Stream<Arguments> evidence() {
        return Stream.of(
                evidence("five of another namespace", Map.of("bank", 5), false, false),
                evidence("five of another namespace and one of its own", Map.of("bank", 5, "shop", 1), false, false),
                evidence("nine of another namespace and two of its own", Map.of("bank", 9, "shop", 2), false, false),
                evidence("four of each of two namespaces", Map.of("bank", 4, "shop", 4), false, false),
                evidence("five of its own", Map.of("shop", 5), true, false),
                evidence("two, two and one of three namespaces", Map.of("bank", 2, "shop", 2, "tax", 1), true, true),
                evidence("nine, one and one of three namespaces", Map.of("bank", 9, "shop", 1, "tax", 1), false, false),
                evidence(
                        "one of each of five namespaces",
                        Map.of("bank", 1, "shop", 1, "tax", 1, "post", 1, "zoo", 1),
                        true,
                        true));
    }

    private static Arguments evidence(
            String name, Map<String, Integer> workloads, boolean givenUpForShop, boolean givenUpForMail) {
        return argumentSet(name, workloads, givenUpForShop, givenUpForMail);
    }

    @ParameterizedTest
    @MethodSource("evidence")
    void eachNamespaceCountsTwiceAtMostTowardsTheFiveWorkloads(
            Map<String, Integer> workloads, boolean givenUpForShop, boolean givenUpForMail) {
        Futility futility = new Moves().futility();
        workloads.forEach((namespace, number) -> {
            for (int i = 0; i < number; i++) {
                givenUpIn(namespace, futility, Duration.ofHours(2), namespace + i);
            }
        });

        assertThat(futility.futileRule(SUBJECT.rule(), "shop").isPresent()).isEqualTo(givenUpForShop);
        assertThat(futility.futileRule(SUBJECT.rule(), "mail").isPresent()).isEqualTo(givenUpForMail);
    }

    @Test
    void futileTriesOfAnotherNamespaceDoNotDelayTheTryOfThisOne() {
        Moves moves = new Moves();
        givenUp(moves.futility(), Duration.ofHours(2), "a", "b", "c", "d", "e");
        givenUpIn("bank", moves.futility(), Duration.ofMinutes(1), "f", "g", "h", "i", "j", "k", "l");

        moves.futility().nodeChanged(NOW);

        assertThat(hold(moves)).isEmpty();
    }

    @Test
    void theTryForTheRuleWaitsForEightyMinutesAndTwiceAsLongAfterEachFurtherOne() {
        Moves moves = new Moves();
        givenUp(moves.futility(), Duration.ofMinutes(79), "a", "b", "c", "d", "e");
        moves.futility().nodeChanged(NOW);
        assertThat(hold(moves).flatMap(Hold::nextLook)).contains(NOW.plusSeconds(59));

        moves.futility()
                .failed(
                        subject("a"),
                        new Workload("a", "Deployment", new NamespacedName("shop", "a")),
                        new Futility.FutileMove(NOW.minusSeconds(10), POLICY, "landed badly"));

        assertThat(hold(moves).flatMap(Hold::nextLook))
                .contains(NOW.minusSeconds(10).plus(Duration.ofMinutes(160)));
    }

    @Test
    void aMoveThatSucceedsGivesTheRuleFreeForAll() {
        Moves moves = new Moves();
        givenUp(moves.futility(), Duration.ofHours(2), "a", "b", "c", "d", "e", "f");

        moves.futility().succeeded(new Workload("f", "Deployment", WORKLOAD.name()), SUBJECT.rule(), NOW);

        assertThat(hold(moves)).isEmpty();
    }

    @Test
    void aMoveThatSucceedsInAnotherNamespaceGivesNothingFreeEvenForAControllerOfTheSameUid() {
        Moves moves = new Moves();
        failed(Futility.TRIES, Duration.ofMinutes(10)).accept(moves.futility());

        moves.futility()
                .succeeded(
                        new Workload(WORKLOAD.uid(), "Deployment", new NamespacedName("bank", "web")),
                        SUBJECT.rule(),
                        NOW);

        assertThat(hold(moves).map(Hold::reason)).contains(Reason.ENFORCEMENT_FUTILE);
    }

    @Test
    void anEditOfThePolicyGivesTheRuleFreeForAll() {
        Moves moves = new Moves();
        givenUp(moves.futility(), Duration.ofHours(2), "a", "b", "c", "d", "e");

        moves.futility().edited(POLICY);

        assertThat(hold(moves)).isEmpty();
    }

    @Test
    void workloadsThatWereGivenUpForAnotherRuleDoNotCount() {
        Moves moves = new Moves();
        givenUp(moves.futility(), Duration.ofHours(2), "a", "b", "c", "d");
        for (int i = 0; i < Futility.TRIES; i++) {
            moves.futility()
                    .failed(
                            new Futility.Key(
                                    "shop", "e", nodeSelectorRule("cpu", "new").identity()),
                            new Workload("e", "Deployment", new NamespacedName("shop", "e")),
                            new Futility.FutileMove(NOW.minusSeconds(10), POLICY, "landed badly"));
        }

        assertThat(hold(moves)).isEmpty();
    }
}
