package dev.holdfast.policies.engine;

import static dev.holdfast.policies.testing.Changes.budgetChanged;
import static dev.holdfast.policies.testing.Changes.budgetNeverAllows;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Changes.statefulSetChanged;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Demands.matcher;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.notReady;
import static dev.holdfast.policies.testing.NodeTraits.hostname;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.annotated;
import static dev.holdfast.policies.testing.PodTraits.beingDisrupted;
import static dev.holdfast.policies.testing.PodTraits.bound;
import static dev.holdfast.policies.testing.PodTraits.created;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static dev.holdfast.policies.testing.PodTraits.priority;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.restartPolicy;
import static dev.holdfast.policies.testing.Rules.nodeSelectorRule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.RestartPolicy;
import dev.holdfast.policies.model.StatefulSetRevisions;
import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.plan.controls.Pause;
import dev.holdfast.policies.plan.controls.PodOverrides;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.plan.move.Outcome;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.VictimChoice;
import dev.holdfast.policies.rule.WhenDomainAdded;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.ControlsDraft;
import dev.holdfast.policies.testing.Demands;
import dev.holdfast.policies.testing.Facts;
import dev.holdfast.policies.testing.PodTrait;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests {@code victim: LowestPriority}: by a rule of the policy, which the scheduler does not know, pods of {@code web}
 * with priority 1000 must be apart from pods of {@code batch}.
 */
class LowestPriorityTest {
    private static final Rule APART = new Rule.PodAntiAffinity(term(app("batch"), HOSTNAME));

    private static Policy lowest() {
        return policy("apart", VictimChoice.LOWEST_PRIORITY, Mode.ENFORCE);
    }

    private static Policy policy(String name, VictimChoice victim, Mode mode) {
        return policy(name, APART, victim, mode, Optional.empty());
    }

    private static Policy policy(
            String name, Rule rule, VictimChoice victim, Mode mode, Optional<LabelMatcher> namespaces) {
        Enforcement enforcement =
                new Enforcement(mode, TestPolicies.FORGIVENESS, WhenInfeasible.WAIT, WhenDomainAdded.HOLD, victim);
        return new Policy(
                PolicyId.cluster(name),
                1,
                mode,
                matcher(app("web")),
                Optional.empty(),
                namespaces,
                Map.of(),
                List.of(new Policy.NamedRule("apart-from-batch", rule, enforcement)));
    }

    private static ClusterBuilder web(PodTrait... traits) {
        return cluster()
                .node("a", hostname("a"))
                .node("b", hostname("b"))
                .pod("web-1", traits(traits, on("a"), replicaOf("web"), priority(1_000)));
    }

    private static PodTrait[] batch(int priority, PodTrait... traits) {
        return traits(traits, on("a"), replicaOf("batch"), priority(priority));
    }

    private static PodTrait[] traits(PodTrait[] more, PodTrait... first) {
        return Stream.concat(Stream.of(first), Stream.of(more)).toArray(PodTrait[]::new);
    }

    private static ClusterBuilder crowd(int pods) {
        ClusterBuilder facts = web();
        for (int pod = 1; pod <= pods; pod++) {
            facts.pod("batch-" + pod, batch(10));
        }
        return facts;
    }

    @Test
    void aSecondPolicyThatMovesTheRuleOwnerDoesSoAfterItsOwnForgiveness() {
        EngineScenario engineScenario = EngineScenario.begin(
                        web().pod("batch-1", batch(10, annotated("holdfast.dev/keep", "true"))), lowest())
                .after(Duration.ofHours(2));
        assertThat(engineScenario.held()).isEqualTo(Reason.KEPT);

        engineScenario
                .event(new Event.PolicyChanged(policy("second", VictimChoice.RULE_OWNER, Mode.ENFORCE)))
                .afterSeconds(59);
        assertThat(engineScenario.requests).isEmpty();
        engineScenario.afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    static Stream<Arguments> overrides() {
        return Stream.of(
                argumentSet("podOverrides: Honor", PodOverrides.all(), List.of()),
                argumentSet(
                        "podOverrides: Ignore",
                        new PodOverrides(false, Optional.empty()),
                        List.of("batch-1", "batch-2")));
    }

    @ParameterizedTest
    @MethodSource("overrides")
    void rulesOfTenantsCloseNodesToAllPodsInTheWayOnlyIfTheClusterPolicySaysSo(
            PodOverrides overrides, List<String> evicted) {
        ClusterBuilder facts = crowd(2).pod("db", on("b"), replicaOf("db"), labels("app", "db"), priority(5_000));
        Policy tenant = TestPolicies.over(
                app("batch"),
                TestPolicies.asking(
                        "apart-from-db", new Rule.PodAntiAffinity(term(app("db"), HOSTNAME)), WhenInfeasible.WAIT));
        DisruptionControls controls = ControlsDraft.plain().overrides(overrides).controls();

        EngineScenario engineScenario = EngineScenario.begin(facts, tenant)
                .event(new Event.PolicyChanged(lowest(), controls))
                .replacingOn("b")
                .after(Duration.ofMinutes(30));

        assertThat(engineScenario.evicted()).isEqualTo(evicted);
    }

    static Stream<Arguments> choosers() {
        Policy sameRule = TestPolicies.over(app("web"), TestPolicies.asking("apart", APART, WhenInfeasible.WAIT));
        Policy otherRule = TestPolicies.over(
                app("web"), TestPolicies.asking("nowhere", nodeSelectorRule("disk", "none"), WhenInfeasible.WAIT));
        PodOverrides ignore = new PodOverrides(false, Optional.empty());
        return Stream.of(
                argumentSet("the same rule, which evicts its owner, honored", sameRule, PodOverrides.all(), "web-1"),
                argumentSet("the same rule, ignored", sameRule, ignore, "batch-1"),
                argumentSet("another rule that is due for the owner, honored", otherRule, PodOverrides.all(), ""),
                argumentSet("another rule that is due for the owner, ignored", otherRule, ignore, "batch-1"));
    }

    @ParameterizedTest
    @MethodSource("choosers")
    void aTenantChoosesAnotherVictimOnlyIfTheClusterPolicyHonorsThat(
            Policy tenant, PodOverrides overrides, String evicted) {
        DisruptionControls controls = ControlsDraft.plain().overrides(overrides).controls();

        EngineScenario engineScenario = EngineScenario.begin(crowd(1), tenant)
                .event(new Event.PolicyChanged(lowest(), controls))
                .replacingOn("b")
                .after(Duration.ofMinutes(5));

        assertThat(String.join(", ", engineScenario.evicted())).isEqualTo(evicted);
    }

    static Stream<Arguments> rows() {
        return Stream.of(
                row("one partner of lower priority is evicted", web().pod("batch-1", batch(10)), "batch-1"),
                row(
                        "two partners of lower priority are evicted, the lowest first",
                        web().pod("batch-1", batch(20)).pod("batch-2", batch(10)),
                        "batch-2",
                        "batch-1"),
                row(
                        "five partners of lower priority are evicted",
                        crowd(5),
                        "batch-1",
                        "batch-2",
                        "batch-3",
                        "batch-4",
                        "batch-5"),
                row("with six partners the owner is evicted: one pod instead of six", crowd(6), "web-1"),
                row(
                        "with a partner of the same priority the owner is evicted",
                        web().pod("batch-1", batch(1_000)),
                        "web-1"),
                row(
                        "with partners of lower and of higher priority the owner is evicted",
                        web().pod("batch-1", batch(10)).pod("batch-2", batch(2_000)),
                        "web-1"),
                row(
                        "with a partner of a DaemonSet, which would create it again, the owner is evicted",
                        web().pod("batch-1", on("a"), labels("app", "batch"), ownedBy("DaemonSet", "batch", "batch")),
                        "web-1"),
                row(
                        "with a partner that runs to completion, which the policy does not allow, the owner is evicted",
                        web().pod("batch-1", batch(10, restartPolicy(RestartPolicy.NEVER))),
                        "web-1"),
                row(
                        "an owner of a DaemonSet, which would create it again, stays: the partner is evicted",
                        web(labels("app", "web"), ownedBy("DaemonSet", "web", "web"))
                                .pod("batch-1", batch(10)),
                        "batch-1"),
                row(
                        "a partner with a keep annotation holds the violation",
                        web().pod("batch-1", batch(10, annotated("holdfast.dev/keep", "true")))),
                row(
                        "an owner that violates another rule is evicted itself, once for both rules",
                        web(nodeSelector("disk", "ssd"))
                                .node("b", labels("disk", "ssd", HOSTNAME, "b"))
                                .pod("batch-1", batch(10)),
                        "web-1"),
                row(
                        "an owner of a DaemonSet stays, even if it violates another rule",
                        web(labels("app", "web"), ownedBy("DaemonSet", "web", "web"), nodeSelector("disk", "ssd"))
                                .node("b", labels("disk", "ssd", HOSTNAME, "b"))
                                .pod("batch-1", batch(10)),
                        "batch-1"),
                row(
                        "of two partners none is evicted if a budget never allows the eviction of one",
                        web().pod("batch-1", batch(10))
                                .pod("batch-2", batch(20, labels("app", "batch", "role", "last")))
                                .with(budgetNeverAllows("last", matchLabels("role", "last")))),
                row(
                        "of two partners none is evicted if one has a keep annotation",
                        web().pod("batch-1", batch(10))
                                .pod("batch-2", batch(20, annotated("holdfast.dev/keep", "true")))),
                row(
                        "of two partners none is evicted if one has the label that makes Cluster API skip it",
                        web().pod("batch-1", batch(10))
                                .pod("batch-2", batch(20, labels("app", "batch", "cluster.x-k8s.io/drain", "skip")))),
                row(
                        "no partner is evicted for an owner that another actor is about to remove",
                        web(beingDisrupted()).pod("batch-1", batch(10))),
                row(
                        "of two partners none is evicted if the StatefulSet of one would replace it from another"
                                + " revision",
                        web().with(statefulSetChanged(
                                        "db", 1, new StatefulSetRevisions(true, true, 0, 0, "old", "new")))
                                .pod("batch-1", batch(10))
                                .pod(
                                        "db-0",
                                        batch(
                                                20,
                                                ownedBy("StatefulSet", "db", "db"),
                                                labels("app", "batch", StatefulSetRevisions.LABEL, "old")))),
                row(
                        "no partner is evicted for an owner on a node that is not Ready",
                        web().node("a", labels(HOSTNAME, "a"), notReady()).pod("batch-1", batch(10))),
                row(
                        "of two partners none is evicted if no other node would take both",
                        web().pod("batch-1", batch(10)).pod("batch-2", batch(10, nodeSelector("rack", "r1")))));
    }

    private static Arguments row(String name, ClusterBuilder facts, String... evicted) {
        return argumentSet(name, facts, List.of(evicted));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void theLowestPriorityGoes(ClusterBuilder facts, List<String> evicted) {
        EngineScenario engineScenario =
                EngineScenario.begin(facts, lowest(), TestPolicies.enforcing()).replacingOn("b");

        engineScenario.after(Duration.ofHours(1));

        assertThat(engineScenario.evicted()).containsExactlyElementsOf(evicted);
    }

    static Stream<Arguments> zones() {
        return Stream.of(
                argumentSet("a node of another zone would take it", List.of("b"), List.of("batch-1")),
                argumentSet("only a node of the same zone would take it", List.of("a"), List.of()));
    }

    /** The victim is not on the rule owner's node, but in its zone. It violates an audited rule of its own. */
    @ParameterizedTest
    @MethodSource("zones")
    void itGoesOnlyWhereItIsOutOfTheWay(List<String> withDisk, List<String> evicted) {
        ClusterBuilder facts = cluster()
                .node("a1", zone("a"))
                .node("a2", zone("a"))
                .pod("web-1", on("a1"), replicaOf("web"), priority(1_000))
                .pod("batch-1", on("a2"), replicaOf("batch"), priority(10), nodeSelector("disk", "ssd"));
        withDisk.forEach(zone -> facts.node(zone + "3", labels("disk", "ssd", ZONE, zone)));
        Rule apart = new Rule.PodAntiAffinity(term(app("batch"), ZONE));
        Policy lowest = policy("apart", apart, VictimChoice.LOWEST_PRIORITY, Mode.ENFORCE, Optional.empty());
        EngineScenario engineScenario =
                EngineScenario.begin(facts, lowest, TestPolicies.auditing()).replacingOn("b3");

        engineScenario.after(Duration.ofMinutes(10));

        assertThat(engineScenario.evicted()).isEqualTo(evicted);
    }

    @Test
    void noPartnerOnAReadyNodeIsEvictedForAnOwnerWhoseNodeIsNotReady() {
        Rule apart = new Rule.PodAntiAffinity(term(app("batch"), ZONE));
        ClusterBuilder facts = cluster()
                .node("a1", zone("a"), notReady())
                .node("a2", zone("a"))
                .node("b3", zone("b"))
                .pod("web-1", on("a1"), replicaOf("web"), priority(1_000))
                .pod("batch-1", on("a2"), replicaOf("batch"), priority(10));

        EngineScenario engineScenario = EngineScenario.begin(
                        facts, policy("apart", apart, VictimChoice.LOWEST_PRIORITY, Mode.ENFORCE, Optional.empty()))
                .replacingOn("b3")
                .after(Duration.ofMinutes(10));

        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.NODE_NOT_READY);
    }

    @Test
    void aPolicyThatInsistsOnMovesWithoutAPlaceDoesNotForThoseThatOnlyMakeWay() {
        Enforcement insisting = new Enforcement(
                Mode.ENFORCE,
                TestPolicies.FORGIVENESS,
                WhenInfeasible.EVICT,
                WhenDomainAdded.HOLD,
                VictimChoice.LOWEST_PRIORITY);
        Policy policy = TestPolicies.alsoAsking("apart", APART, insisting, lowest());
        EngineScenario engineScenario =
                EngineScenario.begin(web().pod("batch-1", batch(10, nodeSelector("rack", "r1"))), policy);

        engineScenario.after(Duration.ofHours(1));

        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.INFEASIBLE);
    }

    @Test
    void noPodGoesWhileTheOwnersWorkloadIsRolledOut() {
        EngineScenario engineScenario = EngineScenario.begin(
                        web().node("c", hostname("c")).pod("batch-1", batch(10)), lowest())
                .replacingOn("b");
        engineScenario.afterSeconds(30);

        engineScenario
                .happens(podChanged(
                        "web-2", on("c"), replicaOf("web"), created(engineScenario.now), bound(engineScenario.now)))
                .afterSeconds(59);

        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.WORKLOAD_UNSETTLED);
        assertThat(engineScenario.afterSeconds(1).evicted()).containsExactly("batch-1");
    }

    static Stream<Arguments> anotherRule() {
        return Stream.of(
                argumentSet(
                        "heals before it is due: the pod of lower priority is evicted",
                        Duration.ofSeconds(80),
                        "batch-1"),
                argumentSet("is still violated when it is due: the owner is evicted", Duration.ofHours(1), "web-1"));
    }

    /** The rule owner violates two rules: one is due after 60 s, the other after 90 s. */
    @ParameterizedTest
    @MethodSource("anotherRule")
    void noPodGoesWhileTheOwnerMaySoonGoForAnotherRuleWhich(Duration healed, String evicted) {
        ClusterBuilder facts = web(nodeSelector("disk", "ssd"))
                .node("a", labels("disk", "ssd", HOSTNAME, "a"))
                .node("b", labels("disk", "ssd", HOSTNAME, "b"))
                .pod("batch-1", batch(10));
        EngineScenario engineScenario = EngineScenario.begin(facts, lowest(), TestPolicies.enforcing())
                .replacingOn("b")
                .afterSeconds(30)
                .happens(nodeChanged("a", labels("disk", "hdd", HOSTNAME, "a")))
                .afterSeconds(49);

        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.WORKLOAD_UNSETTLED);

        engineScenario
                .after(healed.minusSeconds(79))
                .happens(nodeChanged("a", labels("disk", "ssd", HOSTNAME, "a")))
                .afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly(evicted);
    }

    @Test
    void noPodWaitsForWhatTheOwnerMayOnlyMuchLaterGoFor() {
        EngineScenario engineScenario = EngineScenario.begin(
                        web(nodeSelector("disk", "ssd"))
                                .node("b", labels("disk", "ssd", HOSTNAME, "b"))
                                .pod("batch-1", batch(10)),
                        lowest(),
                        TestPolicies.enforcing("web", Duration.ofHours(1)))
                .replacingOn("b");

        engineScenario.afterSeconds(61);

        assertThat(engineScenario.evicted()).containsExactly("batch-1");
    }

    @Test
    void oneThatOnlyJustCameIsGivenTimeToSettle() {
        EngineScenario engineScenario =
                EngineScenario.begin(web().pod("batch-1", batch(10)), lowest()).replacingOn("b");
        engineScenario.afterSeconds(30);

        engineScenario
                .happens(podGone("batch-1"))
                .happens(podChanged("batch-2", batch(10, created(engineScenario.now), bound(engineScenario.now))))
                .afterSeconds(59);

        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.afterSeconds(2).evicted()).containsExactly("batch-2");
    }

    @Test
    void oneThatComesToOthersInTheWayIsGivenTimeToSettleToo() {
        EngineScenario engineScenario =
                EngineScenario.begin(web().pod("batch-1", batch(10)), lowest()).replacingOn("b");
        engineScenario.afterSeconds(30);

        engineScenario
                .happens(podChanged("batch-2", batch(5, created(engineScenario.now), bound(engineScenario.now))))
                .afterSeconds(59);

        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.WORKLOAD_UNSETTLED);
        assertThat(engineScenario.afterSeconds(1).evicted()).containsExactly("batch-2");
    }

    @Test
    void oneWhoseAnnotationLengthensForgivenessStaysAsLong() {
        PodTrait hour = annotated("holdfast.dev/forgiveness-seconds", "3600");
        EngineScenario engineScenario = EngineScenario.begin(web().pod("batch-1", batch(10, hour)), lowest())
                .replacingOn("b");

        assertThat(engineScenario.afterSeconds(3_599).evicted()).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.KEPT);
        assertThat(engineScenario.afterSeconds(1).evicted()).containsExactly("batch-1");
    }

    @Test
    void theForgivenessThatItsAnnotationAsksForCountsFromTheEditThatLetsThePolicyMoveIt() {
        PodTrait hour = annotated("holdfast.dev/forgiveness-seconds", "3600");
        EngineScenario engineScenario = EngineScenario.begin(
                        web().pod("batch-1", batch(10, hour)),
                        policy("apart", VictimChoice.LOWEST_PRIORITY, Mode.AUDIT))
                .replacingOn("b")
                .after(Duration.ofHours(2))
                .event(new Event.PolicyChanged(lowest()));

        assertThat(engineScenario.afterSeconds(3_599).evicted()).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.KEPT);
        assertThat(engineScenario.afterSeconds(1).evicted()).containsExactly("batch-1");
    }

    @Test
    void oneWhoseAnnotationIsTakenOffStaysForOneForgivenessAfterThat() {
        EngineScenario engineScenario = EngineScenario.begin(
                        web().pod("batch-1", batch(10, annotated("holdfast.dev/keep", "true"))), lowest())
                .replacingOn("b")
                .after(Duration.ofHours(2));
        assertThat(engineScenario.held()).isEqualTo(Reason.KEPT);

        engineScenario.happens(podChanged("batch-1", batch(10))).afterSeconds(59);
        assertThat(engineScenario.evicted()).isEmpty();

        assertThat(engineScenario.afterSeconds(1).evicted()).containsExactly("batch-1");
    }

    @Test
    void itAlsoStaysAfterAnotherPolicyThatMovedPartnersWasDeleted() {
        Policy other = policy("other", VictimChoice.LOWEST_PRIORITY, Mode.AUDIT);
        EngineScenario engineScenario = EngineScenario.begin(
                        web().pod("batch-1", batch(10, annotated("holdfast.dev/keep", "true"))), lowest(), other)
                .replacingOn("b")
                .event(new Event.PolicyRemoved(other.id()))
                .after(Duration.ofHours(2));

        engineScenario.happens(podChanged("batch-1", batch(10))).afterSeconds(59);

        assertThat(engineScenario.evicted()).isEmpty();
    }

    @Test
    void anAnnotationThatIsTakenOffAPartnerDoesNotDelayAPolicyThatMovesTheOwner() {
        EngineScenario engineScenario = EngineScenario.begin(
                        web().pod("batch-1", batch(10, annotated("holdfast.dev/keep", "true"))),
                        policy("apart", VictimChoice.RULE_OWNER, Mode.ENFORCE))
                .replacingOn("b")
                .afterSeconds(59);

        engineScenario.happens(podChanged("batch-1", batch(10))).afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    static Stream<Arguments> pauses() {
        return Stream.of(
                argumentSet("a pause of the owner's namespace", "web"),
                argumentSet("a pause of the substitute victim's namespace", "data"));
    }

    @ParameterizedTest
    @MethodSource("pauses")
    void aPauseOfEitherNamespaceKeepsItAlsoBetweenDryRunAndRequest(String team) {
        EngineScenario engineScenario = EngineScenario.begin(
                        acrossNamespaces(), acrossNamespaces(LabelSelector.everything()))
                .replacingOn("b")
                .duringDryRun(new Event.PauseChanged(new Pause(
                        "freeze",
                        "quarter end",
                        Optional.of(matcher(matchLabels("team", team))),
                        List.of(),
                        Optional.empty())));

        engineScenario.after(Duration.ofMinutes(10));

        assertThat(engineScenario.dryRuns).hasSize(1);
        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.PAUSED);
    }

    @Test
    void aPauseOfTheNamespaceOfOneThatGoesAfterItKeepsTheFirstToo() {
        ClusterBuilder facts =
                acrossNamespaces().namespace("lake", labels("team", "lake")).pod("batch-2", batch(20, in("lake")));
        Rule apart = new Rule.PodAntiAffinity(term(app("batch"), HOSTNAME, Demands.namespaces("data", "lake")));
        Policy policy = policy("apart", apart, VictimChoice.LOWEST_PRIORITY, Mode.ENFORCE, Optional.empty());
        EngineScenario engineScenario = EngineScenario.begin(facts, policy)
                .replacingOn("b")
                .event(new Event.PauseChanged(new Pause(
                        "freeze",
                        "quarter end",
                        Optional.of(matcher(matchLabels("team", "lake"))),
                        List.of(),
                        Optional.empty())));

        engineScenario.after(Duration.ofMinutes(10));

        assertThat(engineScenario.reads).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.PAUSED);
    }

    @Test
    void itsOwnDisruptionBudgetHoldsItUntilThatAllowsMore() {
        EngineScenario engineScenario = EngineScenario.begin(
                        web().pod("batch-1", batch(10)).budget("batch", app("batch"), 0), lowest())
                .replacingOn("b")
                .answeringDryRuns(_ -> new EvictionAnswer.OutOfBudget("budget batch", Optional.empty()));
        engineScenario.afterSeconds(61);
        assertThat(engineScenario.held()).isEqualTo(Reason.DISRUPTION_BUDGET);

        engineScenario
                .answeringDryRuns(_ -> new EvictionAnswer.Evicted())
                .happens(budgetChanged("batch", app("batch"), 1))
                .afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("batch-1");
    }

    @Test
    void onlyTheOwnerGoesUnlessThePolicySaysSo() {
        Policy owner = policy("apart", VictimChoice.RULE_OWNER, Mode.ENFORCE);
        EngineScenario engineScenario =
                EngineScenario.begin(web().pod("batch-1", batch(10)), owner).replacingOn("b");

        engineScenario.after(Duration.ofHours(1));

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void ofTwoPoliciesThatWantTheRuleOneDoesNotHaveOthersMovedForTheOther() {
        Policy owner = policy("b-apart", VictimChoice.RULE_OWNER, Mode.ENFORCE);
        EngineScenario engineScenario = EngineScenario.begin(web().pod("batch-1", batch(10)), lowest(), owner)
                .replacingOn("b");

        engineScenario.after(Duration.ofHours(1));

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    private static ClusterBuilder acrossNamespaces() {
        return web().namespace(Facts.NAMESPACE, labels("team", "web"))
                .namespace("data", labels("team", "data"))
                .pod("batch-1", batch(10, in("data")));
    }

    private static Policy acrossNamespaces(LabelSelector selected) {
        Rule apart = new Rule.PodAntiAffinity(term(app("batch"), HOSTNAME, Demands.namespaces("data")));
        return policy("apart", apart, VictimChoice.LOWEST_PRIORITY, Mode.ENFORCE, Optional.of(matcher(selected)));
    }

    static Stream<Arguments> namespaces() {
        return Stream.of(
                argumentSet(
                        "the policy selects the namespace of the substitute victim: it is evicted",
                        LabelSelector.everything(),
                        "batch-1"),
                argumentSet(
                        "the policy does not select that namespace: the owner is evicted",
                        matchLabels("team", "web"),
                        "web-1"));
    }

    @ParameterizedTest
    @MethodSource("namespaces")
    void onlyPodsOfSelectedNamespacesGo(LabelSelector selected, String evicted) {
        EngineScenario engineScenario = EngineScenario.begin(acrossNamespaces(), acrossNamespaces(selected))
                .replacingOn("b");

        engineScenario.after(Duration.ofMinutes(10));

        assertThat(engineScenario.evicted()).containsExactly(evicted);
    }

    @Test
    void anExceptionForTheOwnerKeepsThoseInItsWay() {
        DisruptionControls.StandingException exception = new DisruptionControls.StandingException(
                "failover", matcher(app("web")), Optional.empty(), "failover planned");
        DisruptionControls disruptionControls =
                ControlsDraft.plain().exceptions(List.of(exception)).controls();
        EngineScenario engineScenario =
                EngineScenario.begin(web().pod("batch-1", batch(10))).replacingOn("b");
        engineScenario.event(new Event.PolicyChanged(lowest(), disruptionControls));

        engineScenario.after(Duration.ofHours(1));

        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.EXCEPTION);
    }

    @Test
    void itsMoveIsToldWithThePodThatGoesAndEndsWhenItsReplacementIsOutOfTheWay() {
        EngineScenario engineScenario =
                EngineScenario.begin(web().pod("batch-1", batch(10)), lowest()).replacingOn("b");

        engineScenario.after(Duration.ofHours(1));

        assertThat(engineScenario.events())
                .containsExactly(
                        "Started web-1", "Evicting web-1", "Answered web-1", "Ended web-1 HEALED", "Moved web-1 MOVED");
        assertThat(engineScenario.told)
                .last()
                .satisfies(told ->
                        assertThat(told.violation().victim().name().name()).isEqualTo("batch-1"));
        assertThat(engineScenario.reads).singleElement().satisfies(read -> {
            assertThat(read.pod().name()).isEqualTo("batch-1");
            assertThat(read.partners()).extracting(it -> it.name()).containsExactly("web-1");
        });
        assertThat(engineScenario.requests)
                .singleElement()
                .satisfies(request -> assertThat(request.cause())
                        .endsWith("; evicted instead of shop/web-1, which has a higher priority"));
    }

    @Test
    void aReplacementThatIsInTheWayAgainWasAFutileMove() {
        EngineScenario engineScenario =
                EngineScenario.begin(web().pod("batch-1", batch(10)), lowest()).replacingOn("a");

        engineScenario.after(Duration.ofMinutes(4));

        assertThat(engineScenario.evicted()).containsExactly("batch-1");
        assertThat(engineScenario.told)
                .anySatisfy(told -> assertThat(told)
                        .isInstanceOfSatisfying(
                                Notification.Moved.class,
                                moved -> assertThat(moved.outcome()).isEqualTo(Outcome.BROKEN_AGAIN)));
    }

    @Test
    void anAuditNamesThePodThatWouldGo() {
        Policy audit = policy("apart", VictimChoice.LOWEST_PRIORITY, Mode.AUDIT);
        EngineScenario engineScenario = EngineScenario.begin(web().pod("batch-1", batch(10)), audit);

        engineScenario.after(Duration.ofHours(1));

        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.told).last().satisfies(told -> {
            assertThat(told).isInstanceOf(Notification.WouldEvict.class);
            assertThat(told.violation().victim().name().name()).isEqualTo("batch-1");
        });
        assertThat(engineScenario.report(audit).oldest())
                .singleElement()
                .satisfies(violation ->
                        assertThat(violation.victim().name().name()).isEqualTo("batch-1"));
    }

    @Test
    void anAuditTellsAgainWhenAnotherPodWouldGo() {
        Policy audit = policy("apart", VictimChoice.LOWEST_PRIORITY, Mode.AUDIT);
        EngineScenario engineScenario =
                EngineScenario.begin(web().pod("batch-1", batch(10)), audit).afterSeconds(60);

        engineScenario.happens(podChanged("batch-2", batch(2_000))).after(Duration.ofHours(1));

        assertThat(engineScenario.told.stream()
                        .filter(Notification.WouldEvict.class::isInstance)
                        .map(it -> it.violation().victim().name().name()))
                .containsExactly("batch-1", "web-1");
    }

    @Test
    void whenAnotherComesThatDoesNotGoWhileTheFirstIsReadTheOwnerGoesInstead() {
        EngineScenario engineScenario = EngineScenario.begin(web().pod("batch-1", batch(10)), lowest())
                .replacingOn("b")
                .duringReads(new Event.ObjectChanged(podChanged("batch-2", batch(2_000))));

        engineScenario.after(Duration.ofHours(1));

        assertThat(engineScenario.reads).extracting(read -> read.pod().name()).containsExactly("batch-1", "web-1");
        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void aHoldNamesThePodThatIsToGo() {
        EngineScenario engineScenario =
                EngineScenario.begin(web().pod("batch-1", batch(10, annotated("holdfast.dev/keep", "true"))), lowest());

        engineScenario.after(Duration.ofHours(1));

        assertThat(engineScenario.heldBecause())
                .isEqualTo("pod shop/batch-1, whose priority is lower, would be moved instead: annotation"
                        + " holdfast.dev/keep of the pod forbids the eviction");
    }
}
