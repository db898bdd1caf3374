package dev.holdfast.policies.plan.check;

import static dev.holdfast.policies.plan.Due.NOW;
import static dev.holdfast.policies.plan.Due.POLICY;
import static dev.holdfast.policies.plan.Due.candidate;
import static dev.holdfast.policies.plan.Due.requestedBy;
import static dev.holdfast.policies.plan.Due.requesting;
import static dev.holdfast.policies.plan.Due.situation;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.in;
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
import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.move.ChangeCounter;
import dev.holdfast.policies.plan.move.FutileStreak;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.MoveHistory;
import dev.holdfast.policies.plan.move.Moves;
import dev.holdfast.policies.plan.move.Tenancy;
import dev.holdfast.policies.plan.move.Workload;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.RuleIdentity;
import dev.holdfast.policies.rule.WhenInfeasible;
import java.time.Duration;
import java.util.Collection;
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
    private static final RuleIdentity RULE = WEB.violation().key().rule();
    private static final RuleIdentity OTHER = nodeSelectorRule("cpu", "new").identity();
    private static final MoveHistory.Owner SUBJECT = subject("web");

    private static MoveHistory.Owner subject(String controllerUid) {
        return new MoveHistory.Owner("shop", controllerUid);
    }

    /** {@return a record of this number of futile moves, the last of them this long ago} */
    private static Consumer<MoveHistory> failed(int times, Duration ago) {
        return history -> {
            for (int i = times - 1; i >= 0; i--) {
                fail(history, SUBJECT, ago.plusHours(i));
            }
        };
    }

    private static void fail(MoveHistory history, MoveHistory.Owner key, Duration ago) {
        history.failed(key, WORKLOAD, new FutileStreak.FutileMove(NOW.minus(ago), POLICY, RULE, "landed badly"));
    }

    private static Arguments row(String name, Consumer<MoveHistory> before, Optional<Reason> expected) {
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
    private static Consumer<MoveHistory> reopened(int times, Duration ago) {
        return failed(times, ago).andThen(history -> history.nodeChanged(NOW.minus(ago.minusSeconds(1))));
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
                        failed(5, Duration.ZERO).andThen(it -> it.succeeded(WORKLOAD, RULE, Set.of(), NOW)),
                        Optional.empty()),
                row(
                        "five futile moves and a successful one for another rule, with none broken",
                        failed(5, Duration.ZERO).andThen(it -> it.succeeded(WORKLOAD, OTHER, Set.of(), NOW)),
                        Optional.empty()),
                row(
                        "five futile moves and a successful one for another rule, with this one broken",
                        failed(5, Duration.ZERO).andThen(it -> it.succeeded(WORKLOAD, OTHER, Set.of(RULE), NOW)),
                        Optional.of(Reason.ENFORCEMENT_FUTILE)),
                row(
                        "one futile move for each of five rules",
                        it -> {
                            for (int i = 0; i < 5; i++) {
                                RuleIdentity rule =
                                        nodeSelectorRule("cpu", "v" + i).identity();
                                it.failed(
                                        SUBJECT,
                                        WORKLOAD,
                                        new FutileStreak.FutileMove(
                                                NOW.minus(Duration.ofHours(5L - i)), POLICY, rule, "landed badly"));
                            }
                        },
                        Optional.of(Reason.ENFORCEMENT_FUTILE)),
                row(
                        "five futile moves and a successful one of another workload",
                        failed(5, Duration.ZERO)
                                .andThen(it -> it.succeeded(
                                        new Workload("other", "Deployment", WORKLOAD.name()), RULE, Set.of(), NOW)),
                        Optional.of(Reason.ENFORCEMENT_FUTILE)),
                row(
                        "five futile moves of another revision",
                        history -> {
                            for (int i = 0; i < 5; i++) {
                                fail(history, subject("web-2"), Duration.ZERO);
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
    void aWorkloadWithFutileMovesWaitsAndIsGivenUp(Consumer<MoveHistory> before, Optional<Reason> expected) {
        Moves moves = new Moves();
        before.accept(moves.history());

        Optional<Hold> hold = ShuffledPlanner.hold(new FutileCheck(), WEB, situation(CLUSTER, moves.copy()));

        assertThat(hold.map(Hold::reason)).isEqualTo(expected);
    }

    private static FutileStreak.FutileMove tried(PolicyId policy, Duration ago) {
        return new FutileStreak.FutileMove(NOW.minus(ago), policy, RULE, "landed badly");
    }

    @Test
    void whatTenantsTriedDelaysAClusterPolicyAndEndsNothing() {
        PolicyId platform = PolicyId.cluster("platform");
        Candidate candidate = requestedBy(WEB, requesting(platform, DisruptionControls.plain()));
        Moves moves = new Moves();
        failed(5, Duration.ofMinutes(79)).accept(moves.history());

        assertThat(ShuffledPlanner.hold(new FutileCheck(), candidate, situation(CLUSTER, moves))
                        .map(Hold::reason))
                .contains(Reason.FUTILE);

        moves = new Moves();
        failed(5, Duration.ofMinutes(80)).accept(moves.history());
        assertThat(ShuffledPlanner.hold(new FutileCheck(), candidate, situation(CLUSTER, moves)))
                .isEmpty();
    }

    @Test
    void aClusterPolicyThatTriedItselfIsGivenUp() {
        PolicyId platform = PolicyId.cluster("platform");
        Moves moves = new Moves();
        failed(4, Duration.ofHours(3)).accept(moves.history());
        moves.history().failed(SUBJECT, WORKLOAD, tried(platform, Duration.ofHours(2)));

        assertThat(ShuffledPlanner.hold(
                                new FutileCheck(),
                                requestedBy(WEB, requesting(platform, DisruptionControls.plain())),
                                situation(CLUSTER, moves))
                        .map(Hold::reason))
                .contains(Reason.ENFORCEMENT_FUTILE);
    }

    /** A tenant edits a rule of its own again and again. */
    @Test
    void anEditOfOnePolicyForgetsNothingThatOthersTried() {
        PolicyId platform = PolicyId.cluster("platform");
        MoveHistory history = new Moves().history();
        for (int hours = 9; hours > 5; hours--) {
            history.failed(SUBJECT, WORKLOAD, tried(platform, Duration.ofHours(hours)));
        }
        history.failed(SUBJECT, WORKLOAD, tried(POLICY, Duration.ofHours(2)));

        history.edited(POLICY);
        assertThat(history.streak(SUBJECT).orElseThrow().count()).isEqualTo(5);

        history.failed(SUBJECT, WORKLOAD, tried(platform, Duration.ofHours(1)));
        history.edited(POLICY);
        assertThat(history.streak(SUBJECT).orElseThrow().last())
                .extracting(FutileStreak.FutileMove::policy)
                .containsOnly(platform);
    }

    @Test
    void aWaitSaysWhyAndUntilWhen() {
        Moves moves = new Moves();
        failed(1, Duration.ofMinutes(2)).accept(moves.history());

        assertThat(ShuffledPlanner.hold(new FutileCheck(), WEB, situation(CLUSTER, moves)))
                .contains(Hold.until(
                        Reason.FUTILE,
                        "pods of Deployment shop/web were moved once without success: the replacement"
                                + " landed badly",
                        NOW.plusSeconds(180)));
    }

    @Test
    void whoIsGivenUpReadsHowOftenWhyEachTimeAndWhatWouldChangeThat() {
        Moves moves = new Moves();
        fail(moves.history(), SUBJECT, Duration.ofHours(3));
        for (String why : new String[] {"landed on n1", "landed on n1", "was late", "landed on n1", "landed on n2"}) {
            moves.history().failed(SUBJECT, WORKLOAD, new FutileStreak.FutileMove(NOW, POLICY, RULE, why));
        }

        assertThat(ShuffledPlanner.hold(new FutileCheck(), WEB, situation(CLUSTER, moves)))
                .contains(Hold.untilChange(
                        Reason.ENFORCEMENT_FUTILE,
                        "pods of Deployment shop/web were moved 6 times in a row without success: the last 5 times the"
                            + " replacement landed on n1 (2 times), then was late, then landed on n1, then landed on"
                            + " n2. These pods are not moved again until the rule is edited or the workload's revision"
                            + " changes; a node that is added, turns Ready or schedulable, or gets other labels or"
                            + " taints allows one more try, not before 2026-11-20T14:40:00Z"));
    }

    @Test
    void aSubjectWithoutPodsIsForgotten() {
        MoveHistory history = new Moves().history();
        fail(history, SUBJECT, Duration.ofHours(2));
        fail(history, subject("gone"), Duration.ofHours(2));
        fail(history, subject("going"), Duration.ofMinutes(2));

        history.forgetBefore(NOW.minus(Duration.ofHours(1)), Set.of(SUBJECT));
        assertThat(history.streak(subject("gone"))).as("not at once").isPresent();
        history.forgetBefore(NOW.minus(Duration.ofHours(1)), Set.of(SUBJECT));

        assertThat(history.streak(SUBJECT)).isPresent();
        assertThat(history.streak(subject("gone"))).isEmpty();
        assertThat(history.streak(subject("going"))).isPresent();
    }

    /** Records five futile moves of each of these Deployments of shop, the last of them this long ago. */
    private static void givenUp(MoveHistory history, Duration ago, String... deployments) {
        givenUpIn("shop", history, ago, deployments);
    }

    private static void givenUpIn(String namespace, MoveHistory history, Duration ago, String... deployments) {
        for (String name : deployments) {
            Workload workload = new Workload(name, "Deployment", new NamespacedName(namespace, name));
            for (int i = FutileStreak.TRIES; i > 0; i--) {
                history.failed(
                        new MoveHistory.Owner(namespace, name),
                        workload,
                        new FutileStreak.FutileMove(NOW.minus(ago).minusSeconds(i), POLICY, RULE, "landed badly"));
            }
        }
    }

    private static Optional<Hold> hold(Moves moves) {
        return ShuffledPlanner.hold(new FutileCheck(), WEB, situation(CLUSTER, moves));
    }

    @Test
    void afterFourWorkloadsWereGivenUpAnotherOneIsStillMoved() {
        Moves moves = new Moves();
        givenUp(moves.history(), Duration.ofHours(2), "a", "b", "c", "d");

        assertThat(hold(moves)).isEmpty();
    }

    @Test
    void afterFiveWorkloadsWereGivenUpTheRuleIsGivenUpForAll() {
        Moves moves = new Moves();
        givenUp(moves.history(), Duration.ofHours(2), "a", "b", "c", "d", "e");

        assertThat(hold(moves))
                .contains(Hold.untilChange(
                        Reason.ENFORCEMENT_FUTILE,
                        "pods of 5 workloads with this rule (Deployment shop/a, Deployment shop/b, Deployment shop/c, 2"
                                + " others) were moved five times or more without success: the last replacement landed"
                                + " badly. No pod is moved for this rule until the rule is edited;"
                                + " a node that is added, turns Ready or schedulable, or gets other labels or"
                                + " taints allows one more try for the rule, not before "
                                + NOW.minus(Duration.ofMinutes(40)).minusSeconds(1)));
    }

    @Test
    void aNodeThatChangesAllowsOneTryForTheRule() {
        Moves moves = new Moves();
        givenUp(moves.history(), Duration.ofHours(2), "a", "b", "c", "d", "e");
        moves.history().nodeChanged(NOW);
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
        givenUp(moves.history(), Duration.ofHours(2), "web", "b", "c", "d", "e");
        moves.history().nodeChanged(NOW);

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
        givenUp(moves.history(), Duration.ofHours(2), "web", "b", "c", "d", "e");
        moves.history().nodeChanged(NOW);

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
        givenUp(moves.history(), Duration.ofHours(2), "web", "b", "c", "d", "e");
        moves.history().nodeChanged(NOW);

        Plan plan = new ShuffledPlanner(100, 100).plan(List.of(candidate(cluster, "web")), situation(cluster, moves));

        assertThat(plan.chosen()).hasSize(1);
    }

    @Test
    void theFailedTryOfAnyWorkloadClosesTheRuleAgainUntilANodeChanges() {
        Moves moves = new Moves();
        givenUp(moves.history(), Duration.ofHours(2), "a", "b", "c", "d", "e");
        moves.history().nodeChanged(NOW.minusSeconds(60));
        moves.history()
                .failed(
                        subject("sixth"),
                        new Workload("sixth", "Deployment", new NamespacedName("shop", "sixth")),
                        new FutileStreak.FutileMove(NOW.minusSeconds(10), POLICY, RULE, "landed badly"));

        assertThat(hold(moves)).map(Hold::nextLook).contains(Optional.empty());

        moves.history().nodeChanged(NOW);
        assertThat(hold(moves).flatMap(Hold::nextLook))
                .contains(NOW.minusSeconds(10).plus(Duration.ofMinutes(160)));
    }

    @Test
    void workloadsOfOtherNamespacesAreNotNamed() {
        Moves moves = new Moves();
        givenUp(moves.history(), Duration.ofHours(2), "a");
        givenUpIn("bank", moves.history(), Duration.ofHours(2), "b", "c");
        givenUpIn("mail", moves.history(), Duration.ofHours(2), "d", "e");

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
        MoveHistory history = new Moves().history();
        workloads.forEach((namespace, number) -> {
            for (int i = 0; i < number; i++) {
                givenUpIn(namespace, history, Duration.ofHours(2), namespace + i);
            }
        });

        assertThat(history.futileRules().of(RULE, "shop").isPresent()).isEqualTo(givenUpForShop);
        assertThat(history.futileRules().of(RULE, "mail").isPresent()).isEqualTo(givenUpForMail);
    }

    /**
     * {@return the given-up workloads of namespaces, and whether the rule is given up for mail} The letter is the
     * tenant.
     */
    static Stream<Arguments> tenants() {
        return Stream.of(
                argumentSet("two of each of three namespaces of one tenant", Map.of("b1", 2, "b2", 2, "b3", 2), false),
                argumentSet(
                        "five of four namespaces of two tenants", Map.of("b1", 2, "b2", 1, "c1", 1, "c2", 1), false),
                argumentSet("two, two and one of three tenants", Map.of("b1", 1, "b2", 1, "c1", 2, "d1", 1), true),
                argumentSet(
                        "one of each of five namespaces of the own tenant",
                        Map.of("m1", 1, "m2", 1, "m3", 1, "m4", 1, "m5", 1),
                        true),
                argumentSet(
                        "one of each of four namespaces of the own tenant, and two of another",
                        Map.of("m1", 1, "m2", 1, "m3", 1, "m4", 1, "b1", 2),
                        false));
    }

    /** Namespaces whose names begin with the same letter are of one tenant, and none are independent. */
    private static final Tenancy BY_LETTER = new Tenancy() {
        @Override
        public String tenantOf(String namespace) {
            return namespace.substring(0, 1);
        }

        @Override
        public boolean areIndependent(Collection<String> namespaces) {
            return false;
        }
    };

    @ParameterizedTest
    @MethodSource("tenants")
    void eachTenantCountsTwiceAtMostTowardsTheFiveWorkloads(Map<String, Integer> workloads, boolean givenUpForMail) {
        MoveHistory history = new Moves(new ChangeCounter(), BY_LETTER).history();
        workloads.forEach((namespace, number) -> {
            for (int i = 0; i < number; i++) {
                givenUpIn(namespace, history, Duration.ofHours(2), namespace + "-" + i);
            }
        });

        assertThat(history.futileRules().of(RULE, "mail").isPresent()).isEqualTo(givenUpForMail);
    }

    /** {@return moves of which a rule is given up for the tenant of shop, one workload of each of five namespaces} */
    private static Moves givenUpForATenant() {
        Moves moves = new Moves(new ChangeCounter(), BY_LETTER);
        for (int i = 1; i <= 5; i++) {
            givenUpIn("s" + i, moves.history(), Duration.ofHours(2), "web-" + i);
        }
        return moves;
    }

    @Test
    void aNodeThatChangesAllowsOneTryForAllNamespacesOfATenant() {
        Moves moves = givenUpForATenant();
        moves.history().nodeChanged(NOW);
        assertThat(hold(moves)).isEmpty();

        ReferenceCluster other = cluster()
                .node("n1", labels("disk", "hdd"))
                .node("n2", labels("disk", "ssd"))
                .pod("web", in("s1"), on("n1"), nodeSelector("disk", "ssd"), replicaOf("web"))
                .build();
        moves.put(candidate(other, "web").plannedMove(Optional.of("n2"), NOW));

        assertThat(hold(moves).map(Hold::reason)).contains(Reason.ENFORCEMENT_FUTILE);
    }

    @Test
    void aFutileTryOfOneNamespaceDelaysTheNextTryOfAllOfItsTenantAlsoAfterARestart() {
        Moves moves = givenUpForATenant();
        moves.history()
                .failed(
                        new MoveHistory.Owner("s1", "web-1"),
                        new Workload("web-1", "Deployment", new NamespacedName("s1", "web-1")),
                        new FutileStreak.FutileMove(NOW.minusSeconds(10), POLICY, RULE, "landed badly"));
        Moves restarted = new Moves(new ChangeCounter(), BY_LETTER);
        restarted.recall(moves.remembered());

        for (Moves each : List.of(moves, restarted)) {
            each.history().nodeChanged(NOW);
            assertThat(hold(each).flatMap(Hold::nextLook))
                    .contains(NOW.minusSeconds(10).plus(Duration.ofMinutes(160)));
        }
    }

    @Test
    void futileTriesOfAnotherNamespaceDoNotDelayTheTryOfThisOne() {
        Moves moves = new Moves();
        givenUp(moves.history(), Duration.ofHours(2), "a", "b", "c", "d", "e");
        givenUpIn("bank", moves.history(), Duration.ofMinutes(1), "f", "g", "h", "i", "j", "k", "l");

        moves.history().nodeChanged(NOW);

        assertThat(hold(moves)).isEmpty();
    }

    @Test
    void theTryForTheRuleWaitsForEightyMinutesAndTwiceAsLongAfterEachFurtherOne() {
        Moves moves = new Moves();
        givenUp(moves.history(), Duration.ofMinutes(79), "a", "b", "c", "d", "e");
        moves.history().nodeChanged(NOW);
        assertThat(hold(moves).flatMap(Hold::nextLook)).contains(NOW.plusSeconds(59));

        moves.history()
                .failed(
                        subject("a"),
                        new Workload("a", "Deployment", new NamespacedName("shop", "a")),
                        new FutileStreak.FutileMove(NOW.minusSeconds(10), POLICY, RULE, "landed badly"));

        assertThat(hold(moves).flatMap(Hold::nextLook))
                .contains(NOW.minusSeconds(10).plus(Duration.ofMinutes(160)));
    }

    @Test
    void aMoveThatSucceedsGivesTheRuleFreeForAll() {
        Moves moves = new Moves();
        givenUp(moves.history(), Duration.ofHours(2), "a", "b", "c", "d", "e", "f");

        moves.history().succeeded(new Workload("f", "Deployment", WORKLOAD.name()), RULE, Set.of(), NOW);

        assertThat(hold(moves)).isEmpty();
    }

    @Test
    void aMoveThatSucceedsInAnotherNamespaceGivesNothingFreeEvenForAControllerOfTheSameUid() {
        Moves moves = new Moves();
        failed(FutileStreak.TRIES, Duration.ofMinutes(10)).accept(moves.history());

        moves.history()
                .succeeded(
                        new Workload(WORKLOAD.uid(), "Deployment", new NamespacedName("bank", "web")),
                        RULE,
                        Set.of(),
                        NOW);

        assertThat(hold(moves).map(Hold::reason)).contains(Reason.ENFORCEMENT_FUTILE);
    }

    @Test
    void anEditOfThePolicyGivesTheRuleFreeForAll() {
        Moves moves = new Moves();
        givenUp(moves.history(), Duration.ofHours(2), "a", "b", "c", "d", "e");

        moves.history().edited(POLICY);

        assertThat(hold(moves)).isEmpty();
    }

    @Test
    void workloadsThatWereGivenUpForAnotherRuleDoNotCount() {
        Moves moves = new Moves();
        givenUp(moves.history(), Duration.ofHours(2), "a", "b", "c", "d");
        for (int i = 0; i < FutileStreak.TRIES; i++) {
            moves.history()
                    .failed(
                            subject("e"),
                            new Workload("e", "Deployment", new NamespacedName("shop", "e")),
                            new FutileStreak.FutileMove(NOW.minusSeconds(10), POLICY, OTHER, "landed badly"));
        }

        assertThat(hold(moves)).isEmpty();
    }
}
