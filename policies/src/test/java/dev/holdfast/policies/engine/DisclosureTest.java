package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.FORGIVENESS;
import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.engine.TestPolicies.everywhere;
import static dev.holdfast.policies.engine.TestPolicies.inNamespaces;
import static dev.holdfast.policies.engine.TestPolicies.over;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Demands.matcher;
import static dev.holdfast.policies.testing.Demands.namespaceSelector;
import static dev.holdfast.policies.testing.Demands.namespaces;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.resourceVersion;
import static dev.holdfast.policies.testing.NodeTraits.cordoned;
import static dev.holdfast.policies.testing.PodTraits.annotated;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.near;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.priority;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.terminating;
import static dev.holdfast.policies.testing.Rules.nodeSelectorRule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.protocol.BreakerSettings;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.engine.state.PlanSchedule;
import dev.holdfast.policies.engine.state.Readiness;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.plan.controls.CronSchedule;
import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.plan.controls.MaintenanceWindow;
import dev.holdfast.policies.plan.controls.MaxUnavailable;
import dev.holdfast.policies.plan.controls.PolicyLimits;
import dev.holdfast.policies.plan.controls.PolicyLimits.HourlyWorkloadLimit;
import dev.holdfast.policies.plan.move.ChangeCounter;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.VictimChoice;
import dev.holdfast.policies.rule.WhenDomainAdded;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.selector.ParseResult;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.ControlsDraft;
import dev.holdfast.policies.testing.PodTrait;
import dev.holdfast.policies.testing.PolicyDraft;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests what the status of a namespaced policy says. Each cluster has pods, namespaces, labels and policies of others
 * whose names contain {@code secret}: the status of policy {@code shop/own} contains no such name, and that of a
 * cluster policy with the same rules contains one.
 */
class DisclosureTest {
    private static final Rule SSD = nodeSelectorRule("disk", "ssd");
    private static final PolicyId OWN = PolicyId.namespaced("shop", "own");
    private static final PolicyId OF_CLUSTER = PolicyId.cluster("secret-platform");

    private static ClusterBuilder nodes() {
        return cluster()
                .namespace("shop", labels("team", "shop"))
                .namespace("secret", labels("secret", "yes"))
                .node("n1", labels("disk", "hdd", HOSTNAME, "n1"))
                .node("n2", labels("disk", "ssd", HOSTNAME, "n2"))
                .replicaSet("web", 1);
    }

    private static final String ANOTHER = "an exception, window, limit or backlog of another policy holds the pod";

    private static Policy policy(PolicyId id, Mode mode, Rule... rules) {
        return policy(id, new Enforcement(mode, FORGIVENESS, WhenInfeasible.WAIT), rules);
    }

    private static Policy policy(PolicyId id, Enforcement enforcement, Rule... rules) {
        Policy ofPodRules = enforcing("own", FORGIVENESS);
        return PolicyDraft.of(id, enforcement.mode())
                .podRules(ofPodRules.podRules())
                .rules(Stream.of(rules)
                        .map(rule -> new Policy.NamedRule("own", rule, enforcement))
                        .toList())
                .policy();
    }

    private static DisruptionControls excepting() {
        return ControlsDraft.plain()
                .exceptions(List.of(new DisruptionControls.StandingException(
                        "secret-name", matcher(LabelSelector.everything()), Optional.empty(), "secret reason")))
                .controls();
    }

    private static DisruptionControls closed() {
        return ControlsDraft.plain()
                .windows(List.of(new MaintenanceWindow(
                        "secret-window",
                        MaintenanceWindow.Action.DENY,
                        midnight(),
                        Duration.ofDays(1),
                        ZoneOffset.UTC)))
                .controls();
    }

    private static CronSchedule midnight() {
        return switch (CronSchedule.of("0 0 * * *")) {
            case ParseResult.Usable<CronSchedule>(CronSchedule parsed) -> parsed;
            case ParseResult.Unusable<CronSchedule>(String why) -> throw new AssertionError(why);
        };
    }

    private static DisruptionControls limited(
            int concurrent, int workloadConcurrent, int minReplicas, MaxUnavailable maxUnavailable) {
        return ControlsDraft.plain()
                .limits(new PolicyLimits(
                        OptionalInt.of(concurrent),
                        OptionalInt.empty(),
                        minReplicas,
                        OptionalInt.of(workloadConcurrent),
                        new HourlyWorkloadLimit.Unlimited(),
                        maxUnavailable))
                .controls();
    }

    static Stream<Arguments> clusters() {
        return Stream.of(
                row(
                        "a pod of another namespace came, whose namespace the rule names",
                        Reason.INFEASIBLE,
                        nodes().node("n2", labels("disk", "ssd", HOSTNAME, "n2"), cordoned())
                                .pod(
                                        "web",
                                        on("n1"),
                                        replicaOf("web"),
                                        apartFrom(term(app("noisy"), HOSTNAME, namespaces("secret")))),
                        engineScenario -> engineScenario.happens(
                                podChanged("secret-1", in("secret"), on("n1"), replicaOf("noisy")))),
                row(
                        "a pod of another namespace came, which no rule trusts",
                        Reason.UNTRUSTED_CAUSE,
                        nodes().pod(
                                        "web",
                                        on("n1"),
                                        replicaOf("web"),
                                        apartFrom(term(
                                                app("noisy"),
                                                HOSTNAME,
                                                namespaceSelector(LabelSelector.everything())))),
                        engineScenario -> engineScenario.happens(
                                podChanged("secret-1", in("secret"), on("n1"), replicaOf("noisy")))),
                row(
                        "pods of another namespace, which are leaving",
                        Reason.PARTNERS_LEAVING,
                        nodes().pod(
                                        "web",
                                        on("n1"),
                                        replicaOf("web"),
                                        apartFrom(term(app("noisy"), HOSTNAME, namespaces("secret")))),
                        engineScenario -> engineScenario
                                .happens(podChanged("secret-1", in("secret"), on("n1"), replicaOf("noisy")))
                                .afterSeconds(30)
                                .happens(podChanged(
                                        "secret-1",
                                        in("secret"),
                                        on("n1"),
                                        replicaOf("noisy"),
                                        terminating(EngineScenario.START.plusSeconds(30))))),
                row(
                        "a pod of another namespace is being moved, after which the rule holds",
                        Reason.MOVE_IN_SCOPE,
                        nodes().pod(
                                        "web",
                                        on("n1"),
                                        replicaOf("web"),
                                        apartFrom(term(app("noisy"), HOSTNAME, namespaces("secret")))),
                        engineScenario -> engineScenario
                                .event(new Event.PolicyChanged(inNamespaces(
                                        matchLabels("secret", "yes"), policy(OF_CLUSTER, Mode.ENFORCE, SSD))))
                                .neverAnswering(Effect.Confirm.class)
                                .happens(podChanged("secret-1", in("secret"), on("n1"), replicaOf("noisy")))),
                row(
                        "a pod of another namespace has changed, which the watch has not delivered",
                        Reason.VIEW_BEHIND,
                        nodes().pod(
                                        "web",
                                        on("n1"),
                                        replicaOf("web"),
                                        apartFrom(term(app("noisy"), HOSTNAME, namespaces("secret")))),
                        engineScenario -> engineScenario
                                .happens(podChanged("secret-1", in("secret"), on("n1"), replicaOf("noisy")))
                                .happensUnseen(podChanged(
                                        "secret-1", in("secret"), on("n1"), replicaOf("noisy"), resourceVersion(2)))),
                row(
                        "a pod of another namespace is gone, which the watch has not delivered",
                        Reason.VIEW_BEHIND,
                        nodes().pod(
                                        "web",
                                        on("n1"),
                                        replicaOf("web"),
                                        apartFrom(term(app("noisy"), HOSTNAME, namespaces("secret")))),
                        engineScenario -> engineScenario
                                .happens(podChanged("secret-1", in("secret"), on("n1"), replicaOf("noisy")))
                                .happensUnseen(podGone("secret-1"))),
                row(
                        "a pod of another namespace may not be read",
                        Reason.FORBIDDEN,
                        nodes().pod(
                                        "web",
                                        on("n1"),
                                        replicaOf("web"),
                                        apartFrom(term(app("noisy"), HOSTNAME, namespaces("secret")))),
                        engineScenario -> engineScenario
                                .reading(confirm -> new Event.ConfirmFailed(
                                        confirm.planId(), Reason.FORBIDDEN, "pods \"secret-1\" is forbidden"))
                                .happens(podChanged("secret-1", in("secret"), on("n1"), replicaOf("noisy")))),
                row(
                        "the node is drained of a pod of another namespace",
                        Reason.NODE_LEAVING,
                        nodes().pod("web", on("n1"), replicaOf("web"), nodeSelector("disk", "ssd"))
                                .pod(
                                        "secret-1",
                                        in("secret"),
                                        on("n1"),
                                        replicaOf("noisy"),
                                        terminating(EngineScenario.START)),
                        engineScenario ->
                                engineScenario.happens(nodeChanged("n1", labels("disk", "hdd"), cordoned()))));
    }

    private static Arguments row(String name, Reason reason, ClusterBuilder facts, Consumer<EngineScenario> change) {
        return argumentSet(name, reason, facts, change);
    }

    @ParameterizedTest
    @MethodSource("clusters")
    void theStatusOfANamespacedPolicyNamesNothingOfOthers(
            Reason reason, ClusterBuilder facts, Consumer<EngineScenario> change) {
        EngineScenario engineScenario = EngineScenario.begin(facts, policy(OWN, Mode.ENFORCE));
        change.accept(engineScenario);
        engineScenario.afterSeconds(90);

        assertThat(report(engineScenario, OWN).holds()).containsOnlyKeys(reason);
        assertThat(words(engineScenario, OWN)).isNotEmpty().doesNotContain("secret-1", "namespace secret");
    }

    @ParameterizedTest
    @MethodSource("clusters")
    void theStatusOfAClusterPolicySaysEverything(Reason reason, ClusterBuilder facts, Consumer<EngineScenario> change) {
        EngineScenario engineScenario = EngineScenario.begin(facts, everywhere(policy(OWN, Mode.ENFORCE)));
        change.accept(engineScenario);
        engineScenario.afterSeconds(90);

        assertThat(words(engineScenario, PolicyId.cluster("own"))).containsAnyOf("secret-1", "namespace secret");
    }

    static Stream<Arguments> policies() {
        ClusterBuilder facts =
                nodes().pod("web", on("n1"), replicaOf("web")).pod("batch", on("n2"), replicaOf("secret-batch"));
        return Stream.of(
                argumentSet(
                        "a cluster policy contradicts the own one",
                        Reason.CONTRADICTS,
                        facts,
                        Mode.ENFORCE,
                        new Event.PolicyChanged(policy(
                                OF_CLUSTER,
                                Mode.ENFORCE,
                                new Rule.PodAntiAffinity(term(matchLabels("app", "secret-batch"), HOSTNAME))))),
                argumentSet(
                        "a cluster policy enforces the rule, with an exception",
                        Reason.EXCEPTION,
                        nodes().pod("web", on("n1"), replicaOf("web")),
                        Mode.AUDIT,
                        new Event.PolicyChanged(policy(OF_CLUSTER, Mode.ENFORCE, SSD), excepting())));
    }

    @ParameterizedTest
    @MethodSource("policies")
    void theStatusOfANamespacedPolicySaysNothingOfOtherPolicies(
            Reason reason, ClusterBuilder facts, Mode mode, Event other) {
        EngineScenario engineScenario =
                EngineScenario.begin(facts).event(other).event(new Event.PolicyChanged(policy(OWN, mode, SSD)));
        engineScenario.afterSeconds(90);

        assertThat(report(engineScenario, OWN).holds()).containsOnlyKeys(reason);
        assertThat(words(engineScenario, OWN)).isNotEmpty().doesNotContain("secret");
    }

    static Stream<Arguments> settings() {
        ClusterBuilder one = nodes().pod("web", on("n1"), replicaOf("web"));
        ClusterBuilder many = nodes();
        for (int i = 1; i <= 11; i++) {
            many.replicaSet("web-" + i, 1).pod("web-" + i, on("n1"), replicaOf("web-" + i));
        }
        return Stream.of(
                argumentSet("an exception", Reason.EXCEPTION, one, excepting(), ANOTHER),
                argumentSet("a window", Reason.WINDOW_CLOSED, one, closed(), ANOTHER),
                argumentSet(
                        "a limit on the evictions for the policy",
                        Reason.POLICY_LIMIT,
                        one,
                        limited(0, 9, 0, new MaxUnavailable.Unlimited()),
                        ANOTHER),
                argumentSet(
                        "a limit on the evictions of a workload",
                        Reason.WORKLOAD_LIMIT,
                        one,
                        limited(9, 0, 0, new MaxUnavailable.Unlimited()),
                        ANOTHER),
                argumentSet(
                        "a number of replicas that must stay",
                        Reason.TOO_FEW_REPLICAS,
                        one,
                        limited(9, 9, 3, new MaxUnavailable.Unlimited()),
                        ANOTHER),
                argumentSet(
                        "a number of replicas that may be missing",
                        Reason.WORKLOAD_DEGRADED,
                        one,
                        limited(9, 9, 0, new MaxUnavailable.Pods(0)),
                        ANOTHER),
                argumentSet("a backlog", Reason.POLICY_BACKLOG, many, DisruptionControls.plain(), ANOTHER),
                argumentSet(
                        "the time after which it evicts a pod that no node would take",
                        Reason.INFEASIBLE,
                        nodes().node("n2", labels("disk", "ssd", HOSTNAME, "n2"), cordoned())
                                .pod("web", on("n1"), replicaOf("web")),
                        DisruptionControls.plain(),
                        "no other node would take the pod now: of 1 other node: 1 cordoned or tainted"));
    }

    @ParameterizedTest
    @MethodSource("settings")
    void anAuditingTenantReadsNothingOfTheSettingsOfAClusterPolicy(
            Reason reason, ClusterBuilder facts, DisruptionControls controls, String expected) {
        Policy ofCluster = policy(
                OF_CLUSTER,
                new Enforcement(Mode.ENFORCE, FORGIVENESS, WhenInfeasible.evictAfter(Duration.ofHours(5))),
                SSD);
        EngineScenario engineScenario = EngineScenario.begin(facts)
                .event(new Event.PolicyChanged(ofCluster, controls))
                .event(new Event.PolicyChanged(policy(OWN, Mode.AUDIT, SSD)))
                .afterSeconds(90);

        assertThat(report(engineScenario, OWN).holds()).containsOnlyKeys(reason);
        assertThat(messages(engineScenario, OWN)).containsOnly(expected);
        assertThat(messages(engineScenario, OF_CLUSTER)).isNotEmpty().doesNotContain(expected);
    }

    /** The pod of the tenant gets the event of this hold. */
    @Test
    void theHoldByABacklogOfAClusterPolicyNamesNoPodOfOthersToTenants() {
        ClusterBuilder facts = nodes();
        for (int i = 1; i <= 11; i++) {
            String app = "secret-app-" + i;
            facts.replicaSet("web-" + i, 1)
                    .pod(app, in("secret"), on("n1"), labels("app", app))
                    .pod(
                            "web-" + i,
                            on("n1"),
                            replicaOf("web-" + i),
                            near(term(app(app), HOSTNAME, namespaces("secret"))));
        }
        EngineScenario engineScenario = EngineScenario.begin(facts, policy(OF_CLUSTER, Mode.ENFORCE));
        for (int i = 1; i <= 11; i++) {
            engineScenario.happens(podChanged("secret-app-" + i, in("secret"), on("n1"), labels("app", "none")));
        }
        engineScenario.afterSeconds(90);
        String id = engineScenario.backlogs.getFirst().id();

        assertThat(report(engineScenario, OF_CLUSTER).oldest()).hasSize(11).allSatisfy(violation -> {
            assertThat(violation.hold().map(Hold::message).orElse("")).startsWith("since label app of pod secret/");
            assertThat(violation.disclosedTo("shop").hold().map(Hold::message))
                    .contains("many pods newly came under the policy: none of these pods is evicted for it"
                            + " until you acknowledge that this is intended: kubectl annotate"
                            + " clusterplacementpolicy " + OF_CLUSTER.name()
                            + " --overwrite holdfast.dev/acknowledge=" + id);
        });
    }

    /** {@return the messages of all holds in the status of a policy} */
    private static List<String> messages(EngineScenario engineScenario, PolicyId policy) {
        return report(engineScenario, policy).oldest().stream()
                .map(violation -> violation.hold().orElseThrow().message())
                .distinct()
                .toList();
    }

    @Test
    void theTenantWhosePolicyEvictsReadsWhenThatIs() {
        Policy own = policy(
                OWN, new Enforcement(Mode.ENFORCE, FORGIVENESS, WhenInfeasible.evictAfter(Duration.ofHours(5))), SSD);
        EngineScenario engineScenario = EngineScenario.begin(
                        nodes().node("n2", labels("disk", "ssd", HOSTNAME, "n2"), cordoned())
                                .pod("web", on("n1"), replicaOf("web")))
                .event(new Event.PolicyChanged(own))
                .afterSeconds(90);

        assertThat(messages(engineScenario, OWN))
                .containsExactly(
                        "no other node would take the pod now: of 1 other node: 1 cordoned or tainted; the pod is"
                                + " evicted nevertheless if this lasts until 2026-11-20T17:01:00Z");
    }

    /** {@return a cluster in which pods of {@code secret} are in the way of pod web, whose priority is higher} */
    private static ClusterBuilder inTheWay(PodTrait... traits) {
        return nodes().pod("web", on("n1"), replicaOf("web"), priority(1_000))
                .pod("secret-1", allOf(traits, in("secret"), on("n1"), replicaOf("batch")))
                .pod("secret-2", in("secret"), on("n1"), replicaOf("batch"));
    }

    private static PodTrait[] allOf(PodTrait[] more, PodTrait... first) {
        return Stream.concat(Stream.of(first), Stream.of(more)).toArray(PodTrait[]::new);
    }

    static Stream<Arguments> substitutes() {
        return Stream.of(
                argumentSet(
                        "it is kept",
                        Reason.KEPT,
                        inTheWay(annotated("holdfast.dev/keep", "true")),
                        new EvictionAnswer.Evicted()),
                argumentSet(
                        "there is a node for only one of them",
                        Reason.INFEASIBLE,
                        inTheWay()
                                .node("n3", labels(HOSTNAME, "n3"), cordoned())
                                .node("n2", labels(HOSTNAME, "n2"), cordoned()),
                        new EvictionAnswer.Evicted()),
                argumentSet(
                        "the API server refuses its eviction",
                        Reason.DISRUPTION_BUDGET,
                        inTheWay(),
                        new EvictionAnswer.OutOfBudget("budget secret/batch allows none", Optional.empty())),
                argumentSet(
                        "the answer to its eviction is an error",
                        Reason.API_ERROR,
                        inTheWay(),
                        new EvictionAnswer.Failed("pod secret-1: error 500")));
    }

    @ParameterizedTest
    @MethodSource("substitutes")
    void aHoldOfAPodInTheWayNamesNothingOfOthersToTenants(Reason reason, ClusterBuilder facts, EvictionAnswer answer) {
        Rule apart =
                new Rule.PodAntiAffinity(term(app("batch"), HOSTNAME, namespaceSelector(LabelSelector.everything())));
        Enforcement lowest = new Enforcement(
                Mode.ENFORCE, FORGIVENESS, WhenInfeasible.WAIT, WhenDomainAdded.HOLD, VictimChoice.LOWEST_PRIORITY);
        EngineScenario engineScenario = EngineScenario.begin(facts)
                .answeringDryRuns(_ -> answer)
                .event(new Event.PolicyChanged(over(app("web"), policy(OF_CLUSTER, lowest, apart))))
                .event(new Event.PolicyChanged(policy(OWN, Mode.AUDIT, apart)))
                .afterSeconds(85);

        assertThat(report(engineScenario, OWN).holds()).containsOnlyKeys(reason);
        assertThat(messages(engineScenario, OWN))
                .containsExactly("another pod would be moved instead, and is held now");
        assertThat(words(engineScenario, OWN)).isNotEmpty().doesNotContain("secret");
        assertThat(words(engineScenario, OF_CLUSTER)).contains("secret-1");
    }

    @Test
    void theRecentEvictionsOfANamespacedPolicyNameNothingOfOthers() {
        EngineScenario engineScenario = EngineScenario.begin(
                        nodes().pod(
                                        "web",
                                        on("n1"),
                                        replicaOf("web"),
                                        apartFrom(term(app("noisy"), HOSTNAME, namespaces("secret")))),
                        policy(OWN, Mode.ENFORCE))
                .happens(podChanged("secret-1", in("secret"), on("n1"), replicaOf("noisy")))
                .afterSeconds(90);

        assertThat(report(engineScenario, OWN).recent())
                .extracting(PolicyReport.EvictionRecord::cause)
                .containsExactly("a pod of another namespace was bound to n1");
    }

    @Test
    void aTenantReadsThatItsOwnPodIsBeingMovedForAnotherRule() {
        EngineScenario engineScenario = EngineScenario.begin(
                        nodes().node("n1", labels("disk", "hdd", HOSTNAME, "n1"))
                                .pod("web", on("n1"), replicaOf("web"), nodeSelector("disk", "ssd")),
                        policy(OWN, Mode.ENFORCE, nodeSelectorRule("cpu", "new")))
                .happens(nodeChanged("n2", labels("disk", "ssd", "cpu", "new", HOSTNAME, "n2")))
                .neverAnswering(Effect.Confirm.class)
                .afterSeconds(70)
                .happens(podChanged("other", on("n2"), replicaOf("other")))
                .afterSeconds(10);

        assertThat(report(engineScenario, OWN).oldest().stream().flatMap(violation -> violation.hold().stream()))
                .extracting(Hold::message)
                .containsExactly("pod shop/web is being moved for another rule");
    }

    @Test
    void aTenantReadsThatVerdictsDifferButNotForWhichPod() {
        Readiness readiness =
                new Readiness(new PlanSchedule(), BreakerSettings.defaults("holdfast"), new ChangeCounter());
        readiness.distrust("pod secret/secret-1", EngineScenario.START);

        assertThat(readiness.holdOfAll().map(hold -> hold.toTenants(OWN)).map(Hold::message))
                .contains("a check of the operator against itself failed, so no verdict is trusted");
    }

    private static PolicyReport report(EngineScenario engineScenario, PolicyId policy) {
        return Optional.ofNullable(engineScenario.reports.get(policy)).orElseThrow();
    }

    /** {@return everything that the status of a policy says about violations} */
    private static String words(EngineScenario engineScenario, PolicyId policy) {
        PolicyReport report = report(engineScenario, policy);
        return Stream.concat(
                        report.oldest().stream().map(DisclosureTest::words),
                        report.recent().stream().map(PolicyReport.EvictionRecord::toString))
                .collect(Collectors.joining("; "));
    }

    private static String words(ViolationReport violation) {
        return violation.cause().describe() + "; " + violation.violationDetail().describe() + "; "
                + violation.hold().map(Hold::message).orElse("") + "; " + violation.victim();
    }
}
