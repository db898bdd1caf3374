package dev.holdfast.policies.plan.controls;

import static dev.holdfast.policies.plan.Due.NOW;
import static dev.holdfast.policies.plan.Due.candidate;
import static dev.holdfast.policies.plan.Due.moving;
import static dev.holdfast.policies.plan.Due.situation;
import static dev.holdfast.policies.plan.controls.CronScheduleTest.window;
import static dev.holdfast.policies.testing.Changes.limitRangeChanged;
import static dev.holdfast.policies.testing.Changes.replicaSetFails;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Demands.namespaceSelector;
import static dev.holdfast.policies.testing.Demands.selector;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.notReady;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.evictionResponder;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.localStorage;
import static dev.holdfast.policies.testing.PodTraits.near;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static dev.holdfast.policies.testing.PodTraits.restartPolicy;
import static dev.holdfast.policies.testing.PodTraits.satisfying;
import static dev.holdfast.policies.testing.PodTraits.scheduledBy;
import static dev.holdfast.policies.testing.PodTraits.terminating;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.LimitRange;
import dev.holdfast.policies.model.PodSecurityLevel;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.model.RestartPolicy;
import dev.holdfast.policies.plan.Due;
import dev.holdfast.policies.plan.Plan;
import dev.holdfast.policies.plan.ShuffledPlanner;
import dev.holdfast.policies.plan.controls.DisruptionControls.StandingException;
import dev.holdfast.policies.plan.controls.PolicyLimits.HourlyWorkloadLimit;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.plan.input.VictimStrategy;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.plan.move.Moves;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.WhenDomainAdded;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.selector.ParseResult;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.ControlsDraft;
import dev.holdfast.policies.testing.Facts;
import dev.holdfast.policies.testing.PodTrait;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests the disruption controls of a policy: allowed reasons, windows, exceptions and limits. The time is noon UTC on a
 * Friday.
 */
class DisruptionControlsTest {
    private static final int MANY_NODES = 100_000;
    private static final DisruptionControls PLAIN = DisruptionControls.plain();
    private static final LimitRange.Item MINIMUM =
            new LimitRange.Item(LimitRange.Type.POD, Map.of(), Map.of("cpu", 100L), Map.of(), Map.of(), Map.of());
    private static final PolicyId OTHER = PolicyId.cluster("other");

    /** {@return a cluster with a pod whose node lost its label, a node that would take the pod, and further pods} */
    private static ClusterBuilder broken(PodTrait... traits) {
        return cluster()
                .node("n1", labels("disk", "hdd"))
                .node("n2", labels("disk", "ssd"))
                .pod("web", web(traits));
    }

    private static PodTrait[] web(PodTrait... traits) {
        List<PodTrait> all = new ArrayList<>(List.of(
                on("n1"), nodeSelector("disk", "ssd"), ownedBy("ReplicaSet", "web", "rs"), labels("app", "web")));
        all.addAll(List.of(traits));
        return all.toArray(PodTrait[]::new);
    }

    private static ClusterBuilder foreign(PodTrait demand) {
        return cluster()
                .node("n1", zone("a"))
                .node("n2", zone("b"))
                .namespace("shop", labels("team", "blue"))
                .namespace("data", labels("team", "red"))
                .pod("web", on("n1"), demand, ownedBy("ReplicaSet", "web", "rs"))
                .pod("batch", in("data"), on("n1"), labels("app", "batch"))
                .pod("cache", in("data"), on("n2"), labels("app", "cache"));
    }

    private static DisruptionControls allowing(Reason... reasons) {
        return ControlsDraft.plain().allowed(Set.of(reasons)).controls();
    }

    private static DisruptionControls keeping(int replicas) {
        return limited(new PolicyLimits(
                OptionalInt.empty(),
                OptionalInt.empty(),
                replicas,
                OptionalInt.empty(),
                new HourlyWorkloadLimit.Unlimited(),
                new MaxUnavailable.Unlimited()));
    }

    private static DisruptionControls limited(PolicyLimits limits) {
        return ControlsDraft.plain().limits(limits).controls();
    }

    private static DisruptionControls trusting(LabelSelector namespaces) {
        return ControlsDraft.plain().trusting(matcher(namespaces)).controls();
    }

    private static DisruptionControls excepting(LabelSelector pods, Instant until) {
        return ControlsDraft.plain()
                .exceptions(List.of(
                        new StandingException("failover", matcher(pods), Optional.of(until), "failover planned")))
                .controls();
    }

    private static DisruptionControls denyingAtNoon() {
        return within(window(MaintenanceWindow.Action.DENY, "0 12 * * 5", Duration.ofHours(2)));
    }

    private static DisruptionControls allowingAt(String schedule) {
        return within(window(MaintenanceWindow.Action.ALLOW, schedule, Duration.ofHours(2)));
    }

    private static DisruptionControls within(MaintenanceWindow maintenanceWindow) {
        return ControlsDraft.plain().windows(List.of(maintenanceWindow)).controls();
    }

    private static LabelMatcher matcher(LabelSelector selector) {
        return switch (LabelMatcher.of(Optional.of(selector))) {
            case ParseResult.Usable<LabelMatcher>(LabelMatcher it) -> it;
            case ParseResult.Unusable<LabelMatcher>(String why) -> throw new IllegalArgumentException(why);
        };
    }

    static Stream<Arguments> holds() {
        PodTrait againstAllNamespaces = apartFrom(term(app("batch"), ZONE, namespaceSelector(selector())));
        PodTrait nearAllNamespaces = near(term(app("cache"), ZONE, namespaceSelector(selector())));
        PodTrait once = restartPolicy(RestartPolicy.NEVER);
        return Stream.of(
                row("a pod that runs to completion", broken(once), PLAIN, Reason.RUNS_TO_COMPLETION),
                row(
                        "one that runs to completion where that is allowed",
                        broken(once),
                        allowing(Reason.RUNS_TO_COMPLETION)),
                row("a pod with files on its node", broken(localStorage()), PLAIN, Reason.LOCAL_STORAGE),
                row("one with files where that is allowed", broken(localStorage()), allowing(Reason.LOCAL_STORAGE)),
                row(
                        "a pod with an eviction responder",
                        broken(evictionResponder()),
                        PLAIN,
                        Reason.HAS_EVICTION_RESPONDER),
                row(
                        "one with a responder where that is allowed",
                        broken(evictionResponder()),
                        allowing(Reason.HAS_EVICTION_RESPONDER)),
                row(
                        "one with a responder and files where only the files may be lost",
                        broken(evictionResponder(), localStorage()),
                        allowing(Reason.LOCAL_STORAGE),
                        Reason.HAS_EVICTION_RESPONDER),
                row(
                        "a pod whose replacement a LimitRange would refuse",
                        broken().with(limitRangeChanged("small", MINIMUM)),
                        PLAIN,
                        Reason.REPLACEMENT_REFUSED),
                row(
                        "one whose replacement a LimitRange would refuse where refusals are allowed",
                        broken().with(limitRangeChanged("small", MINIMUM)),
                        allowing(Reason.REPLACEMENT_REFUSED),
                        Reason.REPLACEMENT_REFUSED),
                row(
                        "one below the Pod Security level of its namespace",
                        broken(satisfying(PodSecurityLevel.BASELINE))
                                .namespace(Facts.NAMESPACE, labels(PodSecurityLevel.ENFORCE, "restricted")),
                        PLAIN,
                        Reason.REPLACEMENT_REFUSED),
                row(
                        "one below the Pod Security level where that is allowed",
                        broken(satisfying(PodSecurityLevel.BASELINE))
                                .namespace(Facts.NAMESPACE, labels(PodSecurityLevel.ENFORCE, "restricted")),
                        allowing(Reason.REPLACEMENT_REFUSED)),
                row(
                        "one whose ReplicaSet cannot create pods where refusals are allowed",
                        broken().with(replicaSetFails("web", "rs", 2, "no")),
                        allowing(Reason.REPLACEMENT_REFUSED),
                        Reason.REPLACEMENT_REFUSED),
                row("a pod of another scheduler", broken(scheduledBy("mine")), PLAIN, Reason.FOREIGN_SCHEDULER),
                row(
                        "one of another scheduler where that is allowed",
                        broken(scheduledBy("mine")),
                        allowing(Reason.FOREIGN_SCHEDULER)),
                row(
                        "one is allowed, the other is not",
                        broken(once, localStorage()),
                        allowing(Reason.RUNS_TO_COMPLETION),
                        Reason.LOCAL_STORAGE),
                row("the only pod if one must stay Ready", broken(), keeping(1), Reason.TOO_FEW_REPLICAS),
                row("the only pod if none must stay Ready", broken(), keeping(0)),
                row(
                        "the only pod if one must stay Ready and TooFewReplicas is lifted",
                        broken(),
                        ControlsDraft.plain()
                                .allowed(Set.of(Reason.TOO_FEW_REPLICAS))
                                .limits(keeping(1).limits())
                                .controls()),
                row("one of two Ready pods", broken().pod("web-2", web(on("n2"))), keeping(1)),
                row(
                        "one of two if two must stay Ready",
                        broken().pod("web-2", web(on("n2"))),
                        keeping(2),
                        Reason.TOO_FEW_REPLICAS),
                row(
                        "the other is not Ready",
                        broken().pod("web-2", web(on("n2"), notReady())),
                        keeping(1),
                        Reason.TOO_FEW_REPLICAS),
                row(
                        "the other is terminating",
                        broken().pod("web-2", web(on("n2"), terminating(NOW))),
                        keeping(1),
                        Reason.TOO_FEW_REPLICAS),
                row(
                        "the other is of another workload",
                        broken().pod("api", on("n2"), ownedBy("ReplicaSet", "api", "rs-2")),
                        keeping(1),
                        Reason.TOO_FEW_REPLICAS),
                row(
                        "it is not Ready itself, and the other is",
                        broken(notReady()).pod("web-2", web(on("n2"))),
                        keeping(1)),
                row(
                        "a conflict with a pod of an untrusted namespace",
                        foreign(againstAllNamespaces),
                        PLAIN,
                        Reason.UNTRUSTED_CAUSE),
                row(
                        "the same if the policy trusts the namespace",
                        foreign(againstAllNamespaces),
                        trusting(matchLabels("team", "red"))),
                row(
                        "the same if the policy trusts another namespace",
                        foreign(againstAllNamespaces),
                        trusting(matchLabels("team", "blue")),
                        Reason.UNTRUSTED_CAUSE),
                row("an affinity to pods of all namespaces", foreign(nearAllNamespaces), PLAIN, Reason.UNTRUSTED_CAUSE),
                row(
                        "the same if the policy trusts one of them",
                        foreign(nearAllNamespaces),
                        trusting(matchLabels("team", "blue")),
                        Reason.UNTRUSTED_CAUSE),
                row("the same if the policy trusts all of them", foreign(nearAllNamespaces), trusting(selector())),
                row(
                        "a pod that an exception names",
                        broken(),
                        excepting(matchLabels("app", "web"), NOW.plusSeconds(1)),
                        Reason.EXCEPTION),
                row("one that it does not name", broken(), excepting(matchLabels("app", "api"), NOW.plusSeconds(1))),
                row("one that it named until now", broken(), excepting(matchLabels("app", "web"), NOW)),
                row("a window that is closed", broken(), denyingAtNoon(), Reason.WINDOW_CLOSED),
                row(
                        "limits that allow nothing",
                        broken(),
                        limited(new PolicyLimits(
                                OptionalInt.of(0),
                                OptionalInt.empty(),
                                0,
                                OptionalInt.empty(),
                                new HourlyWorkloadLimit.Unlimited(),
                                new MaxUnavailable.Unlimited())),
                        Reason.POLICY_LIMIT),
                row(
                        "none in an hour",
                        broken(),
                        limited(new PolicyLimits(
                                OptionalInt.empty(),
                                OptionalInt.of(0),
                                0,
                                OptionalInt.empty(),
                                new HourlyWorkloadLimit.Unlimited(),
                                new MaxUnavailable.Unlimited())),
                        Reason.POLICY_LIMIT),
                row(
                        "none of a workload",
                        broken(),
                        limited(new PolicyLimits(
                                OptionalInt.empty(),
                                OptionalInt.empty(),
                                0,
                                OptionalInt.of(0),
                                new HourlyWorkloadLimit.Unlimited(),
                                new MaxUnavailable.Unlimited())),
                        Reason.WORKLOAD_LIMIT),
                row(
                        "0 % of a workload in an hour",
                        broken(),
                        limited(new PolicyLimits(
                                OptionalInt.empty(),
                                OptionalInt.empty(),
                                0,
                                OptionalInt.empty(),
                                new HourlyWorkloadLimit.Percent(0),
                                new MaxUnavailable.Unlimited())),
                        Reason.WORKLOAD_LIMIT),
                row(
                        "1 % of a workload in an hour, which is at least one pod",
                        broken(),
                        limited(new PolicyLimits(
                                OptionalInt.empty(),
                                OptionalInt.empty(),
                                0,
                                OptionalInt.empty(),
                                new HourlyWorkloadLimit.Percent(1),
                                new MaxUnavailable.Unlimited()))));
    }

    private static Arguments row(
            String name, ClusterBuilder facts, DisruptionControls disruptionControls, Reason... reason) {
        return argumentSet(name, facts, disruptionControls, List.of(reason));
    }

    @ParameterizedTest
    @MethodSource("holds")
    void aPolicyHoldsAPodOrLetsItMove(
            ClusterBuilder facts, DisruptionControls disruptionControls, List<Reason> reasons) {
        ReferenceCluster referenceCluster = facts.build();

        Plan plan = plan(
                asked(candidate(referenceCluster, "web"), disruptionControls),
                situation(referenceCluster, new Moves()));

        assertThat(plan.held()).extracting(held -> held.hold().reason()).containsExactlyElementsOf(reasons);
        assertThat(plan.chosen()).hasSize(1 - reasons.size());
    }

    private static Candidate asked(Candidate candidate, DisruptionControls... disruptionControlses) {
        List<RequestingPolicy> requestingPolicies = new ArrayList<>();
        for (DisruptionControls disruptionControls : disruptionControlses) {
            requestingPolicies.add(
                    Due.requesting(requestingPolicies.isEmpty() ? Due.POLICY : OTHER, disruptionControls));
        }
        return new Candidate(
                candidate.violation(),
                candidate.pod(),
                candidate.rule(),
                candidate.further(),
                requestingPolicies,
                candidate.mode(),
                candidate.workload(),
                candidate.scope(),
                VictimStrategy.ofOwner());
    }

    private static Plan plan(Candidate candidate, Situation situation) {
        return plan(List.of(candidate), situation);
    }

    private static Plan plan(List<Candidate> candidates, Situation situation) {
        return new ShuffledPlanner(candidates.size(), MANY_NODES).plan(candidates, situation);
    }

    @Test
    void aPolicyThatInsistsAndHasAnExceptionDoesNotInsistForAnotherThatWaitsForAPlace() {
        ReferenceCluster referenceCluster = cluster()
                .node("n1", labels("disk", "hdd"))
                .pod("web", web(on("n1")))
                .build();
        Candidate web = asked(candidate(referenceCluster, "web"), PLAIN, denyingAtNoon());
        Candidate insisting = new Candidate(
                web.violation(),
                web.pod(),
                web.rule(),
                web.further(),
                List.of(
                        Due.requesting(Due.POLICY, PLAIN),
                        new RequestingPolicy(
                                OTHER,
                                denyingAtNoon(),
                                WhenInfeasible.EVICT,
                                WhenDomainAdded.HOLD,
                                web.settleTime(),
                                Instant.EPOCH,
                                Instant.EPOCH)),
                web.mode(),
                web.workload(),
                web.scope(),
                VictimStrategy.ofOwner());

        Plan plan = plan(insisting, situation(referenceCluster, new Moves()));

        assertThat(plan.held()).extracting(held -> held.hold().reason()).containsExactly(Reason.INFEASIBLE);
    }

    @Test
    void whatOnePolicyDoesNotWantNowAnotherThatAsksForTheRuleMayAndItIsMovedForThatOne() {
        ReferenceCluster referenceCluster = broken().build();

        Plan plan = plan(
                asked(candidate(referenceCluster, "web"), denyingAtNoon(), PLAIN),
                situation(referenceCluster, new Moves()));

        assertThat(plan.chosen())
                .extracting(chosen -> chosen.candidate().requestingPolicy().policy())
                .containsExactly(OTHER);
    }

    @Test
    void whereNoPolicyWantsItNowTheFirstSaysWhy() {
        ReferenceCluster referenceCluster = broken().build();
        Candidate candidate = asked(
                candidate(referenceCluster, "web"),
                denyingAtNoon(),
                excepting(matchLabels("app", "web"), NOW.plusSeconds(1)));

        Plan plan = plan(candidate, situation(referenceCluster, new Moves()));

        assertThat(plan.held()).extracting(Plan.Held::hold).singleElement().satisfies(hold -> {
            assertThat(hold.reason()).isEqualTo(Reason.WINDOW_CLOSED);
            assertThat(hold.message())
                    .isEqualTo("window 'window' (Deny '0 12 * * 5' for 7200 s in Europe/Zurich) is open until"
                            + " 2026-11-20T13:00:00Z");
            assertThat(hold.nextLook()).contains(Instant.parse("2026-11-20T13:00:00Z"));
        });
    }

    @Test
    void aPolicyThatConsentsDoesNotLiftWhatAnotherCheckHasAgainstTheMove() {
        ReferenceCluster referenceCluster = broken().build();
        Candidate candidate = asked(candidate(referenceCluster, "web"), denyingAtNoon(), PLAIN);
        Moves moves = new Moves();
        moves.put(moving(candidate, "m-1", new Move.Stage.Confirming(NOW)));

        assertThat(plan(candidate, situation(referenceCluster, moves)).held())
                .extracting(held -> held.hold().reason())
                .containsExactly(Reason.WINDOW_CLOSED);
        assertThat(plan(candidate, situation(referenceCluster, moves)).chosen()).isEmpty();
    }

    @Test
    void aPolicyMovesNoMoreAtOnceAndInAnHourThanItsLimitsAllow() {
        DisruptionControls two = limited(new PolicyLimits(
                OptionalInt.of(2),
                OptionalInt.empty(),
                0,
                OptionalInt.empty(),
                new HourlyWorkloadLimit.Unlimited(),
                new MaxUnavailable.Unlimited()));
        DisruptionControls hourly = limited(new PolicyLimits(
                OptionalInt.empty(),
                OptionalInt.of(2),
                0,
                OptionalInt.empty(),
                new HourlyWorkloadLimit.Unlimited(),
                new MaxUnavailable.Unlimited()));
        ReferenceCluster referenceCluster = several(4).build();
        Moves spent = new Moves();
        spent.spend(
                moving(candidate(referenceCluster, "web-0"), "m-1", new Move.Stage.Confirming(NOW)),
                NOW.minus(Duration.ofMinutes(50)));

        Plan atOnce = plan(candidates(referenceCluster, 4, two), situation(referenceCluster, new Moves()));
        Plan inAnHour = plan(candidates(referenceCluster, 4, hourly), situation(referenceCluster, spent));

        assertThat(atOnce.chosen()).hasSize(2);
        assertThat(atOnce.held())
                .extracting(held -> held.hold().message())
                .containsOnly("2 evictions for policy shop/web are in flight or planned, and the policy allows 2");
        assertThat(inAnHour.chosen()).hasSize(1);
        assertThat(inAnHour.held())
                .extracting(held -> held.hold().nextLook())
                .containsOnly(Optional.of(NOW.plus(Duration.ofMinutes(10))));
        assertThat(inAnHour.held())
                .extracting(held -> held.hold().message())
                .containsOnly("2 evictions for policy shop/web were sent within the last hour or are in progress, which"
                        + " is what the policy allows");
    }

    @Test
    void oneEvictionIsReportedAsOne() {
        DisruptionControls atOnce = limited(new PolicyLimits(
                OptionalInt.of(1),
                OptionalInt.empty(),
                0,
                OptionalInt.empty(),
                new HourlyWorkloadLimit.Unlimited(),
                new MaxUnavailable.Unlimited()));
        DisruptionControls hourly = limited(new PolicyLimits(
                OptionalInt.empty(),
                OptionalInt.of(1),
                0,
                OptionalInt.empty(),
                new HourlyWorkloadLimit.Unlimited(),
                new MaxUnavailable.Unlimited()));
        ReferenceCluster referenceCluster = several(2).build();

        assertThat(plan(candidates(referenceCluster, 2, atOnce), situation(referenceCluster, new Moves()))
                        .held())
                .extracting(held -> held.hold().message())
                .containsExactly("1 eviction for policy shop/web is in flight or planned, and the policy allows 1");
        assertThat(plan(candidates(referenceCluster, 2, hourly), situation(referenceCluster, new Moves()))
                        .held())
                .extracting(held -> held.hold().message())
                .containsExactly(
                        "1 eviction for policy shop/web was sent within the last hour or is in progress, which is"
                                + " what the policy allows");
    }

    @Test
    void anExceptionIsToldWithItsEndAndItsReason() {
        ReferenceCluster referenceCluster = broken().build();
        Candidate candidate = asked(
                candidate(referenceCluster, "web"), excepting(matchLabels("app", "web"), NOW.plusMillis(3_600_264)));

        assertThat(plan(candidate, situation(referenceCluster, new Moves())).held())
                .extracting(held -> held.hold().message())
                .containsExactly("exception 'failover' of the policy names the pod until 2026-11-20T13:00:00Z: failover"
                        + " planned");
    }

    @Test
    void whatIsMovedForAnotherPolicyAndOfAnotherWorkloadCountsForNoneOfItsLimits() {
        DisruptionControls one = limited(new PolicyLimits(
                OptionalInt.of(1),
                OptionalInt.of(1),
                0,
                OptionalInt.of(1),
                new HourlyWorkloadLimit.Pods(1),
                new MaxUnavailable.Unlimited()));
        ReferenceCluster referenceCluster = several(2).build();
        Candidate another = asked(candidate(referenceCluster, "web-0"), PLAIN, PLAIN)
                .requestedBy(OTHER)
                .orElseThrow();
        Moves moves = new Moves();
        moves.spend(moving(another, "m-1", new Move.Stage.Confirming(NOW)), NOW.minus(Duration.ofMinutes(50)));
        moves.put(moving(another, "m-2", new Move.Stage.Confirming(NOW)));

        Plan plan = plan(asked(candidate(referenceCluster, "web-1"), one), situation(referenceCluster, moves));

        assertThat(plan.held()).isEmpty();
        assertThat(plan.chosen()).hasSize(1);
    }

    @Test
    void podsAlreadyPromisedCountAgainstTheReplicasThatMustStayReady() {
        ClusterBuilder facts = broken();
        for (int i = 2; i <= 4; i++) {
            facts.pod("web-" + i, web());
        }
        ReferenceCluster referenceCluster = facts.build();
        List<Candidate> four = Stream.of("web", "web-2", "web-3", "web-4")
                .map(pod -> asked(candidate(referenceCluster, pod), keeping(2)))
                .toList();
        Situation roomy =
                Due.limited(situation(referenceCluster, new Moves()), new OperatorLimits(10, 120, 10, 10, 10));

        Plan plan = plan(four, roomy);

        assertThat(plan.chosen()).hasSize(2);
        assertThat(plan.held()).extracting(held -> held.hold().reason()).containsOnly(Reason.TOO_FEW_REPLICAS);
    }

    /**
     * {@return a cluster with this number of pods, each of its own workload and on its own node that lost its label}
     */
    private static ClusterBuilder several(int pods) {
        ClusterBuilder facts = cluster().node("good", labels("disk", "ssd"));
        for (int i = 0; i < pods; i++) {
            facts.node("n-" + i, labels("disk", "hdd"))
                    .pod(
                            "web-" + i,
                            on("n-" + i),
                            nodeSelector("disk", "ssd"),
                            ownedBy("ReplicaSet", "w" + i, "rs" + i));
        }
        return facts;
    }

    private static List<Candidate> candidates(
            ReferenceCluster referenceCluster, int pods, DisruptionControls disruptionControls) {
        List<Candidate> candidates = new ArrayList<>();
        for (int i = 0; i < pods; i++) {
            candidates.add(asked(candidate(referenceCluster, "web-" + i), disruptionControls));
        }
        return candidates;
    }

    static Stream<Arguments> shares() {
        return Stream.of(
                argumentSet("three of ten", new HourlyWorkloadLimit.Pods(3), 10, OptionalInt.of(3)),
                argumentSet("a tenth of 29, rounded down", new HourlyWorkloadLimit.Percent(10), 29, OptionalInt.of(2)),
                argumentSet(
                        "a tenth of nine, which is one at least",
                        new HourlyWorkloadLimit.Percent(10),
                        9,
                        OptionalInt.of(1)),
                argumentSet("0 %", new HourlyWorkloadLimit.Percent(0), 9, OptionalInt.of(0)),
                argumentSet("all", new HourlyWorkloadLimit.Percent(100), 9, OptionalInt.of(9)),
                argumentSet("without limit", new HourlyWorkloadLimit.Unlimited(), 9, OptionalInt.empty()));
    }

    @ParameterizedTest
    @MethodSource("shares")
    void aShareOfAWorkloadIsANumberOfPods(HourlyWorkloadLimit hourlyWorkloadLimit, int pods, OptionalInt expected) {
        assertThat(hourlyWorkloadLimit.of(pods)).isEqualTo(expected);
    }

    static Stream<Arguments> edits() {
        DisruptionControls one = excepting(matchLabels("app", "web"), NOW);
        DisruptionControls red = trusting(matchLabels("team", "red"));
        return Stream.of(
                argumentSet("nothing", PLAIN, PLAIN, false),
                argumentSet(
                        "nothing, in an exception that is an equal object",
                        excepting(matchLabels("app", "web"), NOW),
                        excepting(matchLabels("app", "web"), NOW),
                        false),
                argumentSet(
                        "nothing, in a namespace selector that is an equal object",
                        red,
                        trusting(matchLabels("team", "red")),
                        false),
                argumentSet("a reason is lifted", PLAIN, allowing(Reason.LOCAL_STORAGE), true),
                argumentSet("a reason is lifted no more", allowing(Reason.LOCAL_STORAGE), PLAIN, false),
                argumentSet("a namespace is trusted", PLAIN, red, true),
                argumentSet("another namespace is trusted", red, trusting(matchLabels("team", "blue")), true),
                argumentSet("none is trusted any more", red, PLAIN, false),
                argumentSet("fewer must stay ready", keeping(2), keeping(1), true),
                argumentSet("more must stay ready", keeping(1), keeping(2), false),
                argumentSet("an exception is added", PLAIN, one, false),
                argumentSet("an exception is removed", one, PLAIN, true),
                argumentSet("a Deny window is added", PLAIN, denyingAtNoon(), false),
                argumentSet("a Deny window is removed", denyingAtNoon(), PLAIN, true),
                argumentSet("a first Allow window is added", PLAIN, allowingAt("0 22 * * *"), false),
                argumentSet(
                        "an Allow window at another time", allowingAt("0 22 * * *"), allowingAt("0 12 * * *"), true),
                argumentSet("the last Allow window is removed", allowingAt("0 22 * * *"), PLAIN, true));
    }

    @ParameterizedTest
    @MethodSource("edits")
    void anEditThatLetsMoreBeMovedGoesFurther(DisruptionControls before, DisruptionControls after, boolean further) {
        assertThat(after.isWiderThan(before)).isEqualTo(further);
    }
}
