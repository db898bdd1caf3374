package dev.holdfast.operator.offline.whatif;

import static dev.holdfast.policies.engine.TestPolicies.FORGIVENESS;
import static dev.holdfast.policies.engine.TestPolicies.auditing;
import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.engine.TestPolicies.policy;
import static dev.holdfast.policies.testing.Changes.limitRangeChanged;
import static dev.holdfast.policies.testing.Changes.quotaChanged;
import static dev.holdfast.policies.testing.Changes.replicaSetFails;
import static dev.holdfast.policies.testing.Changes.statefulSetChanged;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.expression;
import static dev.holdfast.policies.testing.Demands.matcher;
import static dev.holdfast.policies.testing.Demands.nodeTerm;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.node;
import static dev.holdfast.policies.testing.NodeTraits.cordoned;
import static dev.holdfast.policies.testing.NodeTraits.tainted;
import static dev.holdfast.policies.testing.PodTraits.annotated;
import static dev.holdfast.policies.testing.PodTraits.annotatedRules;
import static dev.holdfast.policies.testing.PodTraits.mirror;
import static dev.holdfast.policies.testing.PodTraits.near;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static dev.holdfast.policies.testing.PodTraits.phase;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.requiring;
import static dev.holdfast.policies.testing.PodTraits.satisfying;
import static dev.holdfast.policies.testing.PodTraits.scheduledBy;
import static dev.holdfast.policies.testing.PodTraits.spread;
import static dev.holdfast.policies.testing.PodTraits.terminating;
import static dev.holdfast.policies.testing.PodTraits.unbound;
import static dev.holdfast.policies.testing.Rules.nodeRule;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.config.OperatorConfig;
import dev.holdfast.operator.offline.simulate.Change;
import dev.holdfast.operator.offline.simulate.SimulationInput;
import dev.holdfast.operator.offline.simulate.object.Assumptions;
import dev.holdfast.operator.offline.stranded.StrandedWorkload;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.DisruptionBudget;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.LimitRange;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Phase;
import dev.holdfast.policies.model.PodSecurityLevel;
import dev.holdfast.policies.model.ResourceQuota;
import dev.holdfast.policies.model.StatefulSetRevisions;
import dev.holdfast.policies.plan.controls.CronSchedule;
import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.plan.controls.MaintenanceWindow;
import dev.holdfast.policies.plan.controls.MaxUnavailable;
import dev.holdfast.policies.plan.controls.Pause;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.PolicyScheduling;
import dev.holdfast.policies.rule.VictimChoice;
import dev.holdfast.policies.rule.WhenDomainAdded;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.rule.WhenRequired;
import dev.holdfast.policies.selector.ParseResult;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.ControlsDraft;
import dev.holdfast.policies.testing.Facts;
import dev.holdfast.policies.testing.NodeTrait;
import dev.holdfast.policies.testing.PodTrait;
import dev.holdfast.policies.testing.PolicyDraft;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What would follow from changes. Pods {@code web-1}, {@code web-2} and so on, each of its own workload and on its own
 * node, need label {@code disk=ssd}, which their nodes have. Node {@code spare} has room for all. Policies forgive 60
 * s.
 */
class WhatIfTest {
    private static final Instant START = Instant.parse("2026-11-26T12:00:00Z");

    private static final WhatIf IN_TWO_HOURS = new WhatIf(
            OperatorConfig.defaults().engineSettings(),
            Mode.ENFORCE,
            Assumptions.defaults(),
            START,
            Duration.ofHours(2),
            false);

    /** As policies are by default: at most a tenth of a workload is unavailable, and at least one pod may be. */
    private static final DisruptionControls CAREFUL =
            ControlsDraft.plain().maxUnavailable(new MaxUnavailable.Percent(10)).controls();

    private static WhatIf until(Duration time, Assumptions assumptions, boolean goesOn) {
        return new WhatIf(OperatorConfig.defaults().engineSettings(), Mode.ENFORCE, assumptions, START, time, goesOn);
    }

    private static DisruptionControls controls(
            List<MaintenanceWindow> windows, List<DisruptionControls.StandingException> exceptions) {
        return ControlsDraft.plain()
                .windows(windows)
                .exceptions(exceptions)
                .limits(CAREFUL.limits())
                .controls();
    }

    private static MaintenanceWindow allowing(String schedule) {
        return switch (CronSchedule.of(schedule)) {
            case ParseResult.Usable<CronSchedule>(CronSchedule it) ->
                new MaintenanceWindow("night", MaintenanceWindow.Action.ALLOW, it, Duration.ofHours(1), ZoneOffset.UTC);
            case ParseResult.Unusable<CronSchedule>(String why) -> throw new AssertionError(why);
        };
    }

    private static ClusterBuilder pods(int number) {
        ClusterBuilder builder = cluster().node("spare", labels("disk", "ssd"));
        for (int i = 1; i <= number; i++) {
            builder.node("n" + i, labels("disk", "ssd"))
                    .replicaSet("web-" + i, 1)
                    .pod("web-" + i, on("n" + i), replicaOf("web-" + i), nodeSelector("disk", "ssd"));
        }
        return builder;
    }

    private static Change losesDisk(String node) {
        return new Change.LabelNodes(node, new Change.Selection.Named(node), Map.of("disk", Optional.empty()));
    }

    private static WhatIfReport report(ClusterBuilder builder, Policy policy, Change... changes) {
        try {
            return IN_TWO_HOURS.report(
                    new SimulationInput(builder.facts(), List.of(new Event.PolicyChanged(policy, CAREFUL)), List.of()),
                    List.of(changes),
                    _ -> {});
        } catch (WhatIf.ImpossibleChangeException e) {
            throw new AssertionError(e);
        }
    }

    /** {@return each violation as the second of its begin or end, and its pod and node} */
    private static List<String> violations(List<WhatIfReport.Violation> violations) {
        return violations.stream()
                .map(it -> it.seconds() + "s " + it.pod() + " on " + it.node())
                .toList();
    }

    private static List<String> evictions(WhatIfReport report) {
        return report.evictions().stream()
                .map(it -> it.seconds() + "s " + it.pod() + " from " + it.fromNode() + " to " + it.toNode() + ", "
                        + it.outcome() + (it.withoutChangeToo() ? ", without the change too" : ""))
                .toList();
    }

    private static List<String> held(WhatIfReport report) {
        return report.held().stream().map(it -> it.pod() + " " + it.reason()).toList();
    }

    private static Policy injecting(String disk) {
        return injecting(disk, new Enforcement(Mode.ENFORCE, FORGIVENESS, WhenInfeasible.EVICT));
    }

    private static Policy injecting(String disk, Enforcement enforcement) {
        return PolicyDraft.of(PolicyId.cluster("disks"), Mode.ENFORCE)
                .rule("disk", nodeRule(nodeTerm(expression("disk", "In", disk))), enforcement)
                .scheduling(PolicyScheduling.INJECT)
                .policy();
    }

    private static ClusterBuilder freePods() {
        return cluster()
                .node("n1", labels("disk", "hdd"))
                .node("n2", labels("disk", "ssd"))
                .replicaSet("web", 1)
                .pod("web-1", on("n1"), replicaOf("web"));
    }

    @Test
    void aReplacementGetsTheInjectedRulesAndLandsWhereTheyHold() {
        ClusterBuilder twoSsds = freePods().node("a-hdd", labels("disk", "hdd"));

        WhatIfReport report = report(twoSsds, auditing(), new Change.PutPolicy(put(injecting("ssd"))));

        assertThat(evictions(report)).containsExactly("60s web-1 from n1 to n2, Moved");
        assertThat(report.stranded()).isEmpty();
    }

    @Test
    void aReplacementPrefersARuleThatIsRequiredOnlyWherePossible() {
        ClusterBuilder hddFirst = freePods().node("a-hdd", labels("disk", "hdd"));
        Enforcement wherePossible = new Enforcement(
                Mode.ENFORCE,
                FORGIVENESS,
                WhenInfeasible.WAIT,
                WhenDomainAdded.HOLD,
                VictimChoice.RULE_OWNER,
                WhenRequired.POSSIBLE_AT_SCHEDULING);

        WhatIfReport report = report(hddFirst, auditing(), new Change.PutPolicy(put(injecting("ssd", wherePossible))));

        assertThat(evictions(report)).containsExactly("60s web-1 from n1 to n2, Moved");
    }

    @Test
    void aWorkloadThatAnInjectedRuleStrandsIsNamed() {
        WhatIfReport report = report(freePods(), auditing(), new Change.PutPolicy(put(injecting("nvme"))));

        assertThat(report.stranded())
                .containsExactly(new StrandedWorkload(
                        "shop", "ReplicaSet", "web", 1, 1, "2 nodes: 2 against its rules", List.of("disks")));
        assertThat(report.summary().stranded()).isEqualTo(1);
        assertThat(report.stuck())
                .extracting(WhatIfReport.Stuck::why)
                .containsExactly("2 nodes: 2 against its rule NodeAffinity: disk In [nvme], for example n1: it has"
                        + " disk=hdd");
    }

    @Test
    void aWorkloadThatIsStrandedWithoutTheChangeTooIsLeftOut() {
        WhatIfReport report = report(freePods(), injecting("nvme"), losesDisk("n1"));

        assertThat(report.stranded()).isEmpty();
    }

    @Test
    void aLabelWithoutWhichAnInjectedRuleStrandsAWorkloadIsNamedToo() {
        WhatIfReport report = report(freePods(), injecting("ssd"), losesDisk("n2"));

        assertThat(report.stranded()).extracting(StrandedWorkload::name).containsExactly("web");
    }

    private static Event.PolicyChanged put(Policy policy) {
        return new Event.PolicyChanged(policy, CAREFUL);
    }

    @Test
    void aLostLabelMovesThePodAfterItsForgiveness() {
        WhatIfReport report = report(pods(2), enforcing(), losesDisk("n1"));

        assertThat(violations(report.begins())).containsExactly("0s web-1 on n1");
        assertThat(evictions(report)).containsExactly("60s web-1 from n1 to spare, Moved");
        assertThat(report.held()).isEmpty();
        assertThat(report.summary()).isEqualTo(new WhatIfReport.Summary(1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0));
    }

    @Test
    void aPolicyThatOnlyAuditsMovesNothing() {
        WhatIfReport report = report(pods(2), auditing(), losesDisk("n1"));

        assertThat(violations(report.begins())).containsExactly("0s web-1 on n1");
        assertThat(report.evictions()).isEmpty();
    }

    @Test
    void aGainedLabelEndsAViolation() {
        ClusterBuilder builder = pods(1).node("n1", labels("disk", "hdd"));

        WhatIfReport report = report(
                builder,
                enforcing(),
                new Change.LabelNodes("node/n1", new Change.Selection.Named("n1"), Map.of("disk", Optional.of("ssd"))));

        assertThat(violations(report.ends())).containsExactly("0s web-1 on n1");
        assertThat(report.begins()).isEmpty();
        assertThat(report.evictions()).isEmpty();
    }

    @Test
    void anEvictionThatWouldHappenAnywayIsMarked() {
        ClusterBuilder builder = pods(2).node("n1", labels("disk", "hdd"));

        WhatIfReport report = report(builder, enforcing(), losesDisk("n2"));

        assertThat(violations(report.begins())).containsExactly("0s web-2 on n2");
        assertThat(evictions(report))
                .containsExactlyInAnyOrder(
                        "60s web-1 from n1 to spare, Moved, without the change too",
                        "60s web-2 from n2 to spare, Moved");
    }

    /** The operator of these rows is simulated for two hours at least, until 14:00 of a Thursday. */
    static Stream<Arguments> waits() {
        Instant end = Instant.parse("2026-11-28T14:00:00Z");
        Event.PolicyChanged plain = new Event.PolicyChanged(enforcing(), CAREFUL);
        return Stream.of(
                argumentSet(
                        "a window that opens on Saturday",
                        pods(1),
                        new Event.PolicyChanged(enforcing(), controls(List.of(allowing("0 14 * * 6")), List.of())),
                        List.of()),
                argumentSet(
                        "a pause until Saturday",
                        pods(1),
                        plain,
                        List.of(new Pause("freeze", "quarter end", Optional.empty(), List.of(), Optional.of(end)))),
                argumentSet(
                        "an exception until Saturday",
                        pods(1),
                        new Event.PolicyChanged(
                                enforcing(),
                                controls(
                                        List.of(),
                                        List.of(new DisruptionControls.StandingException(
                                                "failover",
                                                matcher(LabelSelector.everything()),
                                                Optional.of(end),
                                                "failover planned")))),
                        List.of()),
                argumentSet(
                        "an annotation that keeps the pod until Saturday",
                        pods(1).pod(
                                        "web-1",
                                        on("n1"),
                                        replicaOf("web-1"),
                                        nodeSelector("disk", "ssd"),
                                        annotated("holdfast.dev/keep-until", end.toString())),
                        plain,
                        List.of()),
                argumentSet(
                        "a forgiveness until Saturday",
                        pods(1),
                        new Event.PolicyChanged(enforcing("web", Duration.ofHours(50)), CAREFUL),
                        List.of()));
    }

    @ParameterizedTest
    @MethodSource("waits")
    void aSimulationGoesOnUntilAWaitEnds(ClusterBuilder builder, Event.PolicyChanged policy, List<Pause> pauses)
            throws WhatIf.ImpossibleChangeException {
        SimulationInput input = new SimulationInput(builder.facts(), List.of(policy), pauses);

        WhatIfReport report = until(Duration.ofHours(2), Assumptions.defaults(), true)
                .report(input, List.of(losesDisk("n1")), _ -> {});

        assertThat(evictions(report)).containsExactly("180000s web-1 from n1 to spare, Moved");
        assertThat(report.seconds()).isEqualTo(Duration.ofHours(51).toSeconds());
        assertThat(report)
                .usingRecursiveComparison()
                .ignoringFields("endedBy")
                .isEqualTo(until(Duration.ofHours(51), Assumptions.defaults(), false)
                        .report(input, List.of(losesDisk("n1")), _ -> {}));
    }

    /** It must be looked for a node all the while. */
    @Test
    void aSimulationGoesOnUntilAPolicyEvictsAPodWithoutANode() throws WhatIf.ImpossibleChangeException {
        SimulationInput input = new SimulationInput(
                pods(1).facts(),
                List.of(new Event.PolicyChanged(
                        policy("web", Mode.ENFORCE, FORGIVENESS, WhenInfeasible.evictAfter(Duration.ofHours(3))),
                        CAREFUL)),
                List.of());

        WhatIfReport report = until(Duration.ofHours(1), Assumptions.defaults(), true)
                .report(input, List.of(losesDisk("n1"), losesDisk("spare")), _ -> {});

        assertThat(report.evictions())
                .extracting(WhatIfReport.Eviction::seconds)
                .containsExactly(10_860L);
    }

    /** The time that a policy lets a pod wait is longer than what is simulated. */
    @Test
    void aSimulationThatSevenDaysEndSaysSo() throws WhatIf.ImpossibleChangeException {
        SimulationInput input = new SimulationInput(
                pods(1).facts(),
                List.of(new Event.PolicyChanged(
                        policy("web", Mode.ENFORCE, FORGIVENESS, WhenInfeasible.evictAfter(Duration.ofDays(8))),
                        CAREFUL)),
                List.of());

        WhatIfReport report = until(Duration.ofHours(1), Assumptions.defaults(), true)
                .report(input, List.of(losesDisk("n1"), losesDisk("spare")), _ -> {});

        assertThat(report.evictions()).isEmpty();
        assertThat(report.endedBy()).isEqualTo(SimulationEnd.SEVEN_DAYS);
        assertThat(report.seconds()).isEqualTo(Duration.ofDays(7).toSeconds());
    }

    static Stream<Arguments> lengths() {
        return Stream.of(
                argumentSet("the time of --until is over", false, Duration.ofHours(2), SimulationEnd.UNTIL),
                argumentSet("the pod is moved", true, Duration.ofHours(2), SimulationEnd.NOTHING_MORE));
    }

    @ParameterizedTest
    @MethodSource("lengths")
    void aReportSaysWhatEndedIt(boolean goesOn, Duration length, SimulationEnd end)
            throws WhatIf.ImpossibleChangeException {
        WhatIfReport report = until(Duration.ofHours(2), Assumptions.defaults(), goesOn)
                .report(
                        new SimulationInput(
                                pods(1).facts(), List.of(new Event.PolicyChanged(enforcing(), CAREFUL)), List.of()),
                        List.of(losesDisk("n1")),
                        _ -> {});

        assertThat(report.seconds()).isEqualTo(length.toSeconds());
        assertThat(report.endedBy()).isEqualTo(end);
    }

    static Stream<Arguments> ends() {
        return Stream.of(
                argumentSet("no node would take it", pods(1), enforcing(), CAREFUL, new Change.Cordon("spare")),
                argumentSet(
                        "its disruption budget allows nothing",
                        pods(1).budget("none", LabelSelector.everything(), 0),
                        enforcing(),
                        CAREFUL,
                        new Change.Cordon("n1")),
                argumentSet(
                        "two disruption budgets select it",
                        pods(1).budget("one", LabelSelector.everything(), 1)
                                .budget("two", LabelSelector.everything(), 1),
                        enforcing(),
                        CAREFUL,
                        new Change.Cordon("n1")),
                argumentSet(
                        "the policy only audits, and its window opens tomorrow",
                        pods(1),
                        auditing(),
                        controls(List.of(allowing("0 12 * * 5")), List.of()),
                        new Change.Cordon("n1")));
    }

    @ParameterizedTest
    @MethodSource("ends")
    void aSimulationEndsIfNothingMoreCanHappen(
            ClusterBuilder builder, Policy policy, DisruptionControls controls, Change change)
            throws WhatIf.ImpossibleChangeException {
        WhatIfReport report = until(Duration.ofHours(3), Assumptions.defaults(), true)
                .report(
                        new SimulationInput(
                                builder.facts(), List.of(new Event.PolicyChanged(policy, controls)), List.of()),
                        List.of(change, losesDisk("n1")),
                        _ -> {});

        assertThat(report.seconds()).isEqualTo(Duration.ofHours(3).toSeconds());
        assertThat(report.held()).extracting(WhatIfReport.Held::pod).containsExactly("web-1");
    }

    @Test
    void aSimulationWhoseNextWindowIsInNineDaysIsOfSevenDays() throws WhatIf.ImpossibleChangeException {
        DisruptionControls inNineDays = controls(List.of(allowing("0 2 5 12 *")), List.of());

        WhatIfReport report = until(Duration.ofHours(3), Assumptions.defaults(), true)
                .report(
                        new SimulationInput(
                                pods(1).facts(), List.of(new Event.PolicyChanged(enforcing(), inNineDays)), List.of()),
                        List.of(losesDisk("n1")),
                        _ -> {});

        assertThat(report.seconds()).isEqualTo(Duration.ofDays(7).toSeconds());
        assertThat(report.endedBy()).isEqualTo(SimulationEnd.SEVEN_DAYS);
        assertThat(report.held()).extracting(WhatIfReport.Held::reason).containsExactly("WindowClosed");
    }

    /** Two of three pods move in the first night, by the limit of the policy, and one in the second. */
    @Test
    void aSimulationGoesOnFromWindowToWindow() throws WhatIf.ImpossibleChangeException {
        DisruptionControls nights = ControlsDraft.plain()
                .windows(List.of(allowing("0 2 * * *")))
                .perHour(2)
                .maxUnavailable(new MaxUnavailable.Percent(10))
                .controls();

        WhatIfReport report = until(Duration.ofHours(2), Assumptions.defaults(), true)
                .report(
                        new SimulationInput(
                                pods(20).facts(), List.of(new Event.PolicyChanged(enforcing(), nights)), List.of()),
                        List.of(losesDisk("n1"), losesDisk("n2"), losesDisk("n3")),
                        _ -> {});

        assertThat(report.evictions())
                .extracting(eviction -> START.plusSeconds(eviction.seconds()).truncatedTo(ChronoUnit.HOURS))
                .containsExactly(
                        Instant.parse("2026-11-27T02:00:00Z"),
                        Instant.parse("2026-11-27T02:00:00Z"),
                        Instant.parse("2026-11-28T02:00:00Z"));
    }

    /** The new pod of the workload is Ready after three hours, and the window opens later. */
    @Test
    void whatHappensBeforeAWaitEndsIsNotSkipped() throws WhatIf.ImpossibleChangeException {
        ClusterBuilder builder = cluster()
                .node("n1", labels("disk", "ssd"))
                .node("spare", labels("disk", "ssd"))
                .replicaSet("web", 2)
                .pod("web-1", on("n1"), replicaOf("web"), nodeSelector("disk", "ssd"))
                .pod("web-2", on("spare"), replicaOf("web"), nodeSelector("disk", "ssd"));

        WhatIfReport report = until(
                        Duration.ofHours(2), new Assumptions(Duration.ofHours(3), Duration.ofSeconds(20)), true)
                .report(
                        new SimulationInput(
                                builder.facts(),
                                List.of(new Event.PolicyChanged(
                                        enforcing(), controls(List.of(allowing("0 14 * * 6")), List.of()))),
                                List.of()),
                        List.of(losesDisk("n1"), new Change.DeletePod(new NamespacedName("shop", "web-2"))),
                        _ -> {});

        assertThat(report.evictions())
                .extracting(WhatIfReport.Eviction::seconds)
                .containsExactly(180_000L);
    }

    static Stream<Arguments> holds() {
        return Stream.of(
                argumentSet(
                        "no node would take it",
                        pods(1).with(new ClusterEvent.NodeChanged(node("spare", labels("disk", "hdd")))),
                        List.of(losesDisk("n1")),
                        "web-1 Infeasible"),
                argumentSet(
                        "its disruption budget allows nothing",
                        pods(1).budget("none", LabelSelector.everything(), 0),
                        List.of(losesDisk("n1")),
                        "web-1 DisruptionBudget"));
    }

    @ParameterizedTest
    @MethodSource("holds")
    void aPodThatMustStayIsHeldWithTheReason(ClusterBuilder builder, List<Change> changes, String held) {
        WhatIfReport report = report(builder, enforcing(), changes.toArray(Change[]::new));

        assertThat(report.evictions()).isEmpty();
        assertThat(held(report)).containsExactly(held);
    }

    @Test
    void aLabelThatLeavesManyNodesOpensTheBreaker() {
        WhatIfReport report = report(
                pods(6),
                enforcing(),
                new Change.LabelNodes(
                        "labeled disk=ssd",
                        new Change.Selection.Labeled(it -> it.has("disk", "ssd")),
                        Map.of("disk", Optional.empty())));

        assertThat(report.begins()).hasSize(6);
        assertThat(report.evictions()).isEmpty();
        assertThat(report.brakes()).hasSize(1);
        assertThat(report.brakes().getFirst().message()).startsWith("label disk left 7 of 7 nodes");
    }

    /** Twelve pods violate a rule that is only audited, so that their eviction needs an acknowledgement. */
    @Test
    void aBacklogHoldsPodsUntilItIsAcknowledged() {
        ClusterBuilder builder = pods(12);
        IntStream.rangeClosed(1, 12).forEach(i -> builder.node("n" + i, labels("disk", "hdd")));
        Change enforce = new Change.PutPolicy(new Event.PolicyChanged(enforcing(), CAREFUL));

        WhatIfReport held = report(builder, auditing(), enforce);
        WhatIfReport moved =
                report(builder, auditing(), enforce, new Change.Acknowledge(PolicyId.namespaced("shop", "web")));

        assertThat(held(held)).hasSize(12).allMatch(it -> it.endsWith(" PolicyBacklog"));
        assertThat(moved.evictions()).hasSize(12);
        assertThat(moved.brakes()).extracting(WhatIfReport.Brake::seconds).containsExactly(0L, 1L);
        assertThat(moved.brakes().getLast().message()).startsWith("a user acknowledged ");
    }

    @Test
    void thePodsOfARemovedNodeRunElsewhere() {
        WhatIfReport report = report(pods(1), enforcing(), new Change.RemoveNode("n1"));

        assertThat(report.displaced())
                .containsExactly(
                        new WhatIfReport.Displaced(0, "shop", "web-1", "n1", "web-1-new", "spare", "Deployment/web-1"));
        assertThat(report.begins()).isEmpty();
        assertThat(report.stuck()).isEmpty();
    }

    /**
     * Pod {@code queued} waits in a queue of its scheduler. Else it would be on node {@code a}, and the new pod on
     * another.
     */
    @Test
    void onlyNewPodsOfAnotherSchedulerArePlacedAsByTheDefaultOne() {
        ClusterBuilder builder = cluster().node("n1").node("a").node("b").replicaSet("web", 2);
        builder.pod("web-1", on("n1"), replicaOf("web"), scheduledBy("volcano"))
                .pod("queued", unbound(), replicaOf("web"), scheduledBy("volcano"));

        Change same = new Change.AddObjects(List.of(builder.facts().getLast()));
        WhatIfReport report = report(builder, enforcing(), same, new Change.RemoveNode("n1"));

        assertThat(report.displaced())
                .containsExactly(
                        new WhatIfReport.Displaced(0, "shop", "web-1", "n1", "web-1-new", "a", "Deployment/web"));
        assertThat(report.stuck()).isEmpty();
    }

    @Test
    void aPodThatItsControllerDoesNotCreateIsStuck() {
        ClusterBuilder builder = cluster().node("n1").node("spare").replicaSet("web", 1);
        builder.pod("web-1", on("n1"), replicaOf("web"))
                .pod("train-1", on("n1"), ownedBy("CloneSet", "train", "train"))
                .with(replicaSetFails("web", "web", 1, "a webhook is down"));

        WhatIfReport report = report(builder, enforcing(), new Change.Drain("n1"));

        assertThat(report.displaced())
                .containsExactly(
                        new WhatIfReport.Displaced(0, "shop", "train-1", "n1", "", "", "CloneSet/train"),
                        new WhatIfReport.Displaced(0, "shop", "web-1", "n1", "", "", "Deployment/web"));
        assertThat(report.stuck())
                .containsExactly(
                        new WhatIfReport.Stuck(
                                "shop",
                                "train-1-new",
                                "",
                                "Holdfast does not know whether its controller CloneSet train would create another"
                                        + " pod",
                                "CloneSet/train"),
                        new WhatIfReport.Stuck(
                                "shop",
                                "web-1-new",
                                "",
                                "ReplicaSet shop/web cannot create pods (condition ReplicaFailure): a webhook is"
                                        + " down",
                                "Deployment/web"));
    }

    static Stream<Arguments> allowed() {
        return Stream.of(
                argumentSet(
                        "a controller of an unknown kind replaces its pods",
                        Reason.UNKNOWN_CONTROLLER,
                        train(ownedBy("CloneSet", "train", "train"))),
                argumentSet(
                        "the API server exempts pods from Pod Security",
                        Reason.REPLACEMENT_REFUSED,
                        train(replicaOf("train"), satisfying(PodSecurityLevel.BASELINE))
                                .namespace(Facts.NAMESPACE, labels(PodSecurityLevel.ENFORCE, "restricted"))));
    }

    private static ClusterBuilder train(PodTrait... traits) {
        ClusterBuilder builder = cluster().node("n1", labels("disk", "ssd")).node("spare", labels("disk", "ssd"));
        List<PodTrait> all = new ArrayList<>(List.of(on("n1"), nodeSelector("disk", "ssd")));
        all.addAll(List.of(traits));
        return builder.pod("train-1", all.toArray(PodTrait[]::new));
    }

    @ParameterizedTest
    @MethodSource("allowed")
    void whatAPolicyAllowsIsTrueInItsSimulation(Reason reason, ClusterBuilder builder)
            throws WhatIf.ImpossibleChangeException {
        DisruptionControls allowing = ControlsDraft.plain()
                .allowed(Set.of(reason))
                .limits(CAREFUL.limits())
                .controls();

        WhatIfReport report = IN_TWO_HOURS.report(
                new SimulationInput(
                        builder.facts(), List.of(new Event.PolicyChanged(enforcing(), allowing)), List.of()),
                List.of(losesDisk("n1")),
                _ -> {});

        assertThat(evictions(report)).containsExactly("60s train-1 from n1 to spare, Moved");
        assertThat(report.stuck()).isEmpty();
    }

    static Stream<Arguments> partners() {
        List<String> held = List.of("web-1 Infeasible");
        return Stream.of(
                argumentSet("a partner that stays", cordoned(), on("c2"), List.of()),
                argumentSet("a partner that is terminating", nodeOfPool(), terminating(), held),
                argumentSet("a partner on a cordoned node", cordoned(), on("c1"), held),
                argumentSet(
                        "a partner on a node that is about to be removed",
                        tainted("ToBeDeletedByClusterAutoscaler", "", "NoSchedule"),
                        on("c1"),
                        held));
    }

    private static NodeTrait nodeOfPool() {
        return labels("pool", "general");
    }

    /** Pod web-1 must be in a zone with a partner. Its node loses label disk; node spare is in the partner's zone. */
    @ParameterizedTest
    @MethodSource("partners")
    void aSimulationCountsOnlyPartnersThatStay(NodeTrait node, PodTrait partner, List<String> expected) {
        ClusterBuilder builder = cluster()
                .node("c1", labels(ZONE, "b"), node)
                .node("c2", labels(ZONE, "b"))
                .node("n1", labels(ZONE, "a", "disk", "ssd"))
                .node("spare", labels(ZONE, "b", "disk", "ssd"))
                .replicaSet("web-1", 1);
        builder.pod("cache", on("c1"), labels("app", "cache"), ownedBy("StatefulSet", "cache", "cache"), partner)
                .pod("near", on("n1"), labels("app", "cache"))
                .pod(
                        "web-1",
                        on("n1"),
                        replicaOf("web-1"),
                        nodeSelector("disk", "ssd"),
                        near(term(app("cache"), ZONE)));

        WhatIfReport report = report(builder, enforcing(), losesDisk("n1"));

        assertThat(held(report)).isEqualTo(expected);
        assertThat(report.evictions()).hasSize(expected.isEmpty() ? 1 : 0);
    }

    @Test
    void aPodThatNoNodeTakesWaits() {
        WhatIfReport report = report(pods(1), enforcing(), new Change.Cordon("spare"), new Change.RemoveNode("n1"));

        assertThat(report.stuck())
                .containsExactly(
                        new WhatIfReport.Stuck("shop", "web-1-new", "", "1 node: 1 cordoned", "Deployment/web-1"));
    }

    @Test
    void aDrainGoesOnWhenTheBudgetAllowsIt() {
        ClusterBuilder builder = cluster().node("n1").node("spare").replicaSet("web", 2);
        IntStream.rangeClosed(1, 2).forEach(i -> builder.pod("web-" + i, on("n1"), replicaOf("web")));
        builder.budget("one", LabelSelector.everything(), 1);

        WhatIfReport report = report(builder, enforcing(), new Change.Drain("n1"));

        assertThat(report.displaced())
                .containsExactly(
                        new WhatIfReport.Displaced(0, "shop", "web-1", "n1", "web-1-new", "spare", "Deployment/web"),
                        new WhatIfReport.Displaced(25, "shop", "web-2", "n1", "web-2-new", "spare", "Deployment/web"));
        assertThat(report.evictions()).isEmpty();
        assertThat(report.stuck()).isEmpty();
    }

    @Test
    void moreReplicasThanNodesTakeWait() {
        ClusterBuilder builder = pods(1);

        WhatIfReport report = report(
                builder,
                enforcing(),
                new Change.Cordon("spare"),
                new Change.Cordon("n1"),
                new Change.Scale("ReplicaSet", new NamespacedName("shop", "web-1"), 3));

        assertThat(report.stuck()).extracting(WhatIfReport.Stuck::pod).containsExactly("web-more2", "web-more3");
    }

    @Test
    void aDrainThatABudgetBlocksIsReported() {
        ClusterBuilder builder = cluster().node("n1").node("spare").replicaSet("web", 1);
        builder.pod("web-1", on("n1"), replicaOf("web")).budget("none", LabelSelector.everything(), 0);

        WhatIfReport report = report(builder, enforcing(), new Change.Drain("n1"));

        assertThat(report.displaced()).isEmpty();
        assertThat(report.stuck())
                .containsExactly(new WhatIfReport.Stuck(
                        "shop",
                        "web-1",
                        "n1",
                        "Cannot evict pod as it would violate the pod's disruption budget.",
                        "Deployment/web"));
    }

    @Test
    void whatBreaksOnlyBetweenTwoChangesIsNoViolation() {
        Change gains =
                new Change.LabelNodes("node/n1", new Change.Selection.Named("n1"), Map.of("disk", Optional.of("ssd")));

        WhatIfReport report = report(pods(1), enforcing(), losesDisk("n1"), gains);

        assertThat(report.begins()).isEmpty();
        assertThat(report.ends()).isEmpty();
    }

    @Test
    void aMoveThatTheChangePreventsIsReported() {
        ClusterBuilder builder = pods(1).node("n1", labels("disk", "hdd"));

        WhatIfReport report = report(builder, enforcing(), new Change.Cordon("spare"));

        assertThat(report.evictions()).isEmpty();
        assertThat(report.prevented()).extracting(WhatIfReport.Eviction::pod).containsExactly("web-1");
        assertThat(report.summary().violatedAtEnd()).isEqualTo(1);
        assertThat(held(report)).containsExactly("web-1 Infeasible");
    }

    /** Its ReplicaSet gets the number of replicas, so that the workload is not short of pods. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void thePodsOfAScaledDeploymentMayMove(int replicas) {
        ClusterBuilder builder = deploymentOfTwo();

        WhatIfReport report = report(builder, enforcing(), scale("Deployment", "web", replicas), losesDisk("n1"));

        assertThat(report.evictions())
                .hasSize(Math.min(replicas, 2))
                .extracting(WhatIfReport.Eviction::outcome)
                .containsOnly("Moved");
        assertThat(report.held()).isEmpty();
    }

    private static Change.Scale scale(String kind, String name, int replicas) {
        return new Change.Scale(kind, new NamespacedName("shop", name), replicas);
    }

    /** Deployment {@code web} with ReplicaSet {@code web-abc}, whose two pods are on node {@code n1}. */
    private static ClusterBuilder deploymentOfTwo() {
        Controller deployment = new Controller("Deployment", "web", "deployment");
        ClusterBuilder builder = cluster()
                .node("spare", labels("disk", "ssd"))
                .node("n1", labels("disk", "ssd"))
                .with(new ClusterEvent.OwnerChanged(new Owner(
                        "deployment",
                        "Deployment",
                        new NamespacedName("shop", "web"),
                        Optional.empty(),
                        OptionalInt.empty())))
                .with(new ClusterEvent.OwnerChanged(new Owner(
                        "set",
                        "ReplicaSet",
                        new NamespacedName("shop", "web-abc"),
                        Optional.of(deployment),
                        OptionalInt.of(2))));
        IntStream.rangeClosed(1, 2)
                .forEach(i -> builder.pod(
                        "web-abc-" + i,
                        on("n1"),
                        ownedBy("ReplicaSet", "web-abc", "set"),
                        nodeSelector("disk", "ssd")));
        return builder;
    }

    @Test
    void aWorkloadThatGrowsListsItsNewPods() {
        WhatIfReport report =
                report(deploymentOfTwo(), enforcing(), new Change.Cordon("n1"), scale("Deployment", "web", 4));

        assertThat(report.created())
                .containsExactly(
                        new WhatIfReport.Created(0, "shop", "web-abc-more3", "spare", "Deployment/web"),
                        new WhatIfReport.Created(0, "shop", "web-abc-more4", "spare", "Deployment/web"));
        assertThat(report.summary().created()).isEqualTo(2);
        assertThat(report.displaced()).isEmpty();
    }

    @Test
    void aWorkloadThatShrinksListsThePodsThatGo() {
        WhatIfReport report = report(deploymentOfTwo(), enforcing(), scale("Deployment", "web", 1));

        assertThat(report.displaced())
                .containsExactly(new WhatIfReport.Displaced(0, "shop", "web-abc-2", "n1", "", "", "Deployment/web"));
        assertThat(report.created()).isEmpty();
    }

    @Test
    void aStatefulSetThatShrinksListsThePodsThatGo() {
        ClusterBuilder builder = cluster()
                .node("n1")
                .with(statefulSetChanged("db", 2, new StatefulSetRevisions(true, false, 0, 0, "a", "a")));
        IntStream.rangeClosed(0, 1).forEach(i -> builder.pod("db-" + i, on("n1"), ownedBy("StatefulSet", "db", "db")));

        WhatIfReport report = report(builder, enforcing(), scale("StatefulSet", "db", 0));

        assertThat(report.displaced()).extracting(WhatIfReport.Displaced::pod).containsExactly("db-1", "db-0");
    }

    /** The second pod of the workload would go when the first has a Ready replacement, which it never gets in Audit. */
    @Test
    void aPolicyInAuditListsThePodThatItWouldLetGoFirst() {
        WhatIfReport report = report(deploymentOfTwo(), auditing(), losesDisk("n1"));

        assertThat(report.evictions()).isEmpty();
        assertThat(report.audited())
                .extracting(WhatIfReport.Audited::seconds, WhatIfReport.Audited::pod, WhatIfReport.Audited::toNode)
                .containsExactly(tuple(60L, "web-abc-1", "spare"));
        assertThat(report.audited()).noneMatch(WhatIfReport.Audited::withoutChangeToo);
        assertThat(report.summary().audited()).isEqualTo(1);
    }

    /** While a third pod starts, the limit of the workload holds both, and later one of them would go again. */
    @Test
    void aPolicyInAuditListsAndHoldsNoViolationAtOnce() {
        WhatIfReport report = report(deploymentOfTwo(), auditing(), losesDisk("n1"), scale("Deployment", "web", 3));

        assertThat(report.audited())
                .extracting(WhatIfReport.Audited::pod)
                .doesNotContainAnyElementsOf(
                        report.held().stream().map(WhatIfReport.Held::pod).toList());
        assertThat(report.audited()).isNotEmpty();
    }

    @Test
    void theRuleOfAnAnnotationHasItsKind() {
        ClusterBuilder builder = cluster().node("n1", labels("disk", "ssd")).node("spare", labels("disk", "ssd"));
        builder.replicaSet("web", 1)
                .pod(
                        "web-1",
                        on("n1"),
                        replicaOf("web"),
                        annotatedRules(requiring("fast", nodeTerm(expression("disk", "In", "ssd")))));
        Policy allowing = PolicyDraft.of(PolicyId.cluster("web"), Mode.ENFORCE)
                .annotationRules(new Enforcement(Mode.ENFORCE, FORGIVENESS, WhenInfeasible.WAIT))
                .policy();

        WhatIfReport report = report(builder, allowing, losesDisk("n1"));

        assertThat(report.evictions())
                .extracting(eviction -> eviction.rule().kind())
                .containsOnly("NodeAffinity");
    }

    @Test
    void aPolicyInAuditListsNoPodThatIsRightAgain() {
        WhatIfReport report =
                report(pods(1), auditing(), losesDisk("n1"), new Change.DeletePod(new NamespacedName("shop", "web-1")));

        assertThat(report.audited()).isEmpty();
    }

    @Test
    void aStatefulSetGrowsByThePodsWithTheNextNumbers() {
        ClusterBuilder builder = cluster()
                .node("n1")
                .with(statefulSetChanged("db", 2, new StatefulSetRevisions(true, false, 0, 0, "a", "a")));
        IntStream.rangeClosed(0, 1).forEach(i -> builder.pod("db-" + i, on("n1"), ownedBy("StatefulSet", "db", "db")));

        WhatIfReport report = report(
                builder,
                enforcing(),
                new Change.Cordon("n1"),
                new Change.Scale("StatefulSet", new NamespacedName("shop", "db"), 4));

        assertThat(report.stuck()).extracting(WhatIfReport.Stuck::pod).containsExactly("db-2", "db-3");
    }

    @Test
    void aPodThatWaitsWithoutTheChangeTooIsNotStuckBecauseOfIt() {
        ClusterBuilder builder = pods(1).pod("old", unbound(), replicaOf("web-1"), nodeSelector("disk", "none"));

        WhatIfReport report = report(builder, enforcing(), new Change.Cordon("n1"));

        assertThat(report.stuck()).isEmpty();
    }

    /** Three pods in one zone; the new ones go to the other. */
    @Test
    void aViolationThatNewPodsHealEndsLater() {
        ClusterBuilder builder = cluster()
                .node("a1", labels(ZONE, "a"))
                .node("b1", labels(ZONE, "b"))
                .replicaSet("web", 3);
        PodTrait even = spread(maxSkew(1, ZONE, app("web")));
        IntStream.rangeClosed(1, 3)
                .forEach(i -> builder.pod("web-" + i, on("a1"), replicaOf("web"), labels("app", "web"), even));

        WhatIfReport report =
                report(builder, auditing(), new Change.Scale("ReplicaSet", new NamespacedName("shop", "web"), 6));

        assertThat(violations(report.ends()))
                .containsExactlyInAnyOrder("1s web-1 on a1", "1s web-2 on a1", "1s web-3 on a1");
        assertThat(report.stuck()).isEmpty();
    }

    @Test
    void aBudgetDoesNotKeepAPodThatHasNotStarted() {
        ClusterBuilder builder = cluster().node("n1").node("spare").replicaSet("web", 1);
        builder.pod("web-1", on("n1"), replicaOf("web"), phase(Phase.PENDING))
                .budget("none", LabelSelector.everything(), 0);

        WhatIfReport report = report(builder, enforcing(), new Change.Drain("n1"));

        assertThat(report.displaced()).extracting(WhatIfReport.Displaced::pod).containsExactly("web-1");
    }

    @Test
    void aMirrorPodGoesWithItsNodeAndATerminatingPodIsNotReplaced() {
        ClusterBuilder builder = cluster().node("n1").node("spare").replicaSet("web", 1);
        builder.pod("etcd-n1", on("n1"), ownedBy("Node", "n1", "n1"), mirror())
                .pod("web-1", on("n1"), replicaOf("web"), terminating());

        WhatIfReport report = report(builder, enforcing(), new Change.RemoveNode("n1"));

        assertThat(report.displaced())
                .extracting(WhatIfReport.Displaced::pod, WhatIfReport.Displaced::replacement)
                .containsExactlyInAnyOrder(tuple("web-1", ""));
    }

    @Test
    void aBudgetThatIsAppliedReplacesTheOneOfItsName() {
        ClusterBuilder builder = cluster().node("n1").node("spare").replicaSet("web", 1);
        builder.pod("web-1", on("n1"), replicaOf("web")).budget("one", LabelSelector.everything(), 0);
        ClusterEvent other = new ClusterEvent.BudgetChanged(new DisruptionBudget(
                "PodDisruptionBudget/shop/one",
                new NamespacedName("shop", "one"),
                Optional.of(LabelSelector.everything()),
                1));

        WhatIfReport report =
                report(builder, enforcing(), new Change.AddObjects(List.of(other)), new Change.Drain("n1"));

        assertThat(report.stuck()).isEmpty();
        assertThat(report.displaced()).hasSize(1);
    }

    /** The lost node takes the budget below zero, and its replacement brings it back to zero only. */
    @Test
    void aReplacementThatIsReadyGivesABudgetBackNoMoreThanWasTaken() {
        ClusterBuilder builder = cluster().node("n1").node("n2").node("spare").replicaSet("web", 2);
        IntStream.rangeClosed(1, 2).forEach(i -> builder.pod("web-" + i, on("n" + i), replicaOf("web")));
        builder.budget("all", LabelSelector.everything(), 0);

        WhatIfReport report = report(builder, enforcing(), new Change.RemoveNode("n1"), new Change.Drain("n2"));

        assertThat(report.displaced()).extracting(WhatIfReport.Displaced::pod).containsExactly("web-1");
        assertThat(report.stuck()).extracting(WhatIfReport.Stuck::pod).containsExactly("web-2");
    }

    /** A workload with a pod that is not Ready is not disturbed, here for the first five minutes. */
    @Test
    void aHoldThatEndsIsNotListedAtTheEnd() throws WhatIf.ImpossibleChangeException {
        WhatIf slowly = new WhatIf(
                OperatorConfig.defaults().engineSettings(),
                Mode.AUDIT,
                new Assumptions(Duration.ofSeconds(1), Duration.ofMinutes(5)),
                START,
                Duration.ofHours(2),
                false);

        WhatIfReport report = slowly.report(
                new SimulationInput(pods(1).facts(), List.of(new Event.PolicyChanged(auditing(), CAREFUL)), List.of()),
                List.of(new Change.Scale("ReplicaSet", new NamespacedName("shop", "web-1"), 2), losesDisk("n1")),
                _ -> {});

        assertThat(report.summary().violatedAtEnd()).isEqualTo(1);
        assertThat(report.held()).isEmpty();
    }

    @Test
    void aReplicaSetThatIsAppliedKeepsItsPods() {
        ClusterEvent other = new ClusterEvent.OwnerChanged(new Owner(
                "ReplicaSet/shop/web-1",
                "ReplicaSet",
                new NamespacedName("shop", "web-1"),
                Optional.empty(),
                OptionalInt.of(5)));

        WhatIfReport report = report(pods(1), enforcing(), new Change.AddObjects(List.of(other)), losesDisk("n1"));

        assertThat(held(report)).containsExactly("web-1 WorkloadDegraded");
    }

    @Test
    void aQuotaThatIsAppliedReplacesTheOneOfItsName() {
        ResourceQuota larger = new ResourceQuota(
                "ResourceQuota/shop/pods",
                new NamespacedName("shop", "pods"),
                Set.of(),
                Map.of("pods", BigDecimal.valueOf(10)),
                Map.of("pods", BigDecimal.ONE));

        WhatIfReport report = report(
                pods(1).with(quotaChanged("pods", "pods", 1, 2)),
                enforcing(),
                new Change.AddObjects(List.of(new ClusterEvent.QuotaChanged(larger))),
                losesDisk("n1"));

        assertThat(report.held()).isEmpty();
        assertThat(report.evictions()).hasSize(1);
    }

    @Test
    void aLimitRangeThatIsAppliedReplacesTheOneOfItsName() {
        Map<String, Long> cpu = Map.of("cpu", 100L);
        LimitRange.Item minimum = new LimitRange.Item(LimitRange.Type.POD, Map.of(), cpu, Map.of(), Map.of(), Map.of());
        ClusterEvent empty = new ClusterEvent.LimitRangeChanged(
                new LimitRange("LimitRange/shop/small", new NamespacedName("shop", "small"), List.of()));

        WhatIfReport before = report(pods(1).with(limitRangeChanged("small", minimum)), enforcing(), losesDisk("n1"));
        WhatIfReport after = report(
                pods(1).with(limitRangeChanged("small", minimum)),
                enforcing(),
                new Change.AddObjects(List.of(empty)),
                losesDisk("n1"));

        assertThat(held(before)).containsExactly("web-1 ReplacementRefused");
        assertThat(after.held()).isEmpty();
        assertThat(after.evictions()).hasSize(1);
    }

    static Stream<Arguments> impossible() {
        return Stream.of(
                argumentSet("labels of no node", losesDisk("n9"), "there is no node n9"),
                argumentSet("a cordon of no node", new Change.Cordon("n9"), "there is no node n9"),
                argumentSet("a drain of no node", new Change.Drain("n9"), "there is no node n9"),
                argumentSet("no node to remove", new Change.RemoveNode("n9"), "there is no node n9"),
                argumentSet(
                        "no pod to delete",
                        new Change.DeletePod(new NamespacedName("shop", "db")),
                        "there is no pod shop/db"),
                argumentSet(
                        "no policy to acknowledge",
                        new Change.Acknowledge(PolicyId.cluster("web")),
                        "there is no policy web to acknowledge: name one as NAMESPACE/NAME, or as NAME if it is a"
                                + " ClusterPlacementPolicy"),
                argumentSet(
                        "a ReplicaSet of a Deployment to scale",
                        scale("ReplicaSet", "web-abc", 3),
                        "ReplicaSet shop/web-abc belongs to Deployment web, which sets its replicas: scale"
                                + " deploy/web"),
                argumentSet(
                        "no workload to scale",
                        new Change.Scale("Deployment", new NamespacedName("shop", "db"), 3),
                        "there is no Deployment shop/db"));
    }

    @Test
    void progressIsTheSimulatedTimeWithTheChangeAndThenWithoutIt() throws WhatIf.ImpossibleChangeException {
        List<String> progress = new ArrayList<>();

        IN_TWO_HOURS.report(
                new SimulationInput(pods(1).facts(), List.of(), List.of()),
                List.of(losesDisk("n1")),
                done -> progress.add(done.get()));

        assertThat(progress)
                .containsExactly(
                        "simulated 0s of 2h with the change",
                        "simulated 2h of 2h with the change",
                        "simulated 0s of 2h without the change",
                        "simulated 2h of 2h without the change");
    }

    /** The pod is evicted 180 s after two hours have passed, and what follows takes an hour. */
    @Test
    void progressOfASimulationThatGoesOnNamesWhatItTakesAtMost() throws WhatIf.ImpossibleChangeException {
        List<String> progress = new ArrayList<>();

        until(Duration.ofHours(2), Assumptions.defaults(), true)
                .report(
                        new SimulationInput(
                                pods(1).facts(),
                                List.of(new Event.PolicyChanged(
                                        enforcing("web", Duration.ofHours(2).plusSeconds(180)), CAREFUL)),
                                List.of()),
                        List.of(losesDisk("n1")),
                        done -> progress.add(done.get()));

        assertThat(progress)
                .containsExactly(
                        "simulated 0s of 2h with the change",
                        "simulated 3h3m of at most 168h with the change",
                        "simulated 0s of 3h3m without the change",
                        "simulated 3h3m of 3h3m without the change");
    }

    @ParameterizedTest
    @MethodSource("impossible")
    void aChangeOfNothingIsRefused(Change change, String message) {
        assertThatThrownBy(() -> IN_TWO_HOURS.report(
                        new SimulationInput(deploymentOfTwo().facts(), List.of(), List.of()), List.of(change), _ -> {}))
                .isInstanceOf(WhatIf.ImpossibleChangeException.class)
                .hasMessage(message);
    }

    @Test
    void theSameInputGivesTheSameReport() {
        Change[] changes = {losesDisk("n1"), losesDisk("n3"), new Change.Drain("n2")};

        assertThat(report(pods(8), enforcing(), changes)).isEqualTo(report(pods(8), enforcing(), changes));
    }
}
