package dev.holdfast.operator.whatif;

import static dev.holdfast.policies.engine.TestPolicies.auditing;
import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.testing.Changes.quotaChanged;
import static dev.holdfast.policies.testing.Changes.statefulSetChanged;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.node;
import static dev.holdfast.policies.testing.PodTraits.mirror;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static dev.holdfast.policies.testing.PodTraits.phase;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.spread;
import static dev.holdfast.policies.testing.PodTraits.terminating;
import static dev.holdfast.policies.testing.PodTraits.unbound;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.config.OperatorConfig;
import dev.holdfast.operator.simulate.Assumptions;
import dev.holdfast.operator.simulate.Change;
import dev.holdfast.operator.simulate.Simulation;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.DisruptionBudget;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Phase;
import dev.holdfast.policies.model.ResourceQuota;
import dev.holdfast.policies.model.StatefulSetRevisions;
import dev.holdfast.policies.plan.conduct.DisruptionControls;
import dev.holdfast.policies.plan.conduct.MaxUnavailable;
import dev.holdfast.policies.plan.conduct.PodOverrides;
import dev.holdfast.policies.plan.conduct.PolicyLimits;
import dev.holdfast.policies.plan.conduct.PolicyLimits.HourlyWorkloadLimit;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.PodTrait;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
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
 * What would follow from changes. Pods {@code web-1}, {@code web-2} and so on, each of its own workload and on its own node,
 * need label {@code disk=ssd}, which their nodes have. Node {@code spare} has room for all. Policies forgive 60 s.
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
    private static final DisruptionControls CAREFUL = new DisruptionControls(
            List.of(),
            List.of(),
            Set.of(),
            Optional.empty(),
            PodOverrides.all(),
            new PolicyLimits(
                    OptionalInt.empty(),
                    OptionalInt.empty(),
                    0,
                    OptionalInt.empty(),
                    new HourlyWorkloadLimit.Unlimited(),
                    new MaxUnavailable.Percent(10)));

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
                    new Simulation.Input(builder.facts(), List.of(new Event.PolicyChanged(policy, CAREFUL)), List.of()),
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

    @Test
    void aLostLabelMovesThePodAfterItsForgiveness() {
        WhatIfReport report = report(pods(2), enforcing(), losesDisk("n1"));

        assertThat(violations(report.begins())).containsExactly("0s web-1 on n1");
        assertThat(evictions(report)).containsExactly("60s web-1 from n1 to spare, Moved");
        assertThat(report.held()).isEmpty();
        assertThat(report.summary()).isEqualTo(new WhatIfReport.Summary(1, 0, 1, 0, 0, 0, 0, 0));
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

    @Test
    void thePodsOfARemovedNodeRunElsewhere() {
        WhatIfReport report = report(pods(1), enforcing(), new Change.RemoveNode("n1"));

        assertThat(report.displaced())
                .containsExactly(new WhatIfReport.Displaced(0, "shop", "web-1", "n1", "web-1-new", "spare"));
        assertThat(report.begins()).isEmpty();
        assertThat(report.stuck()).isEmpty();
    }

    @Test
    void aPodThatNoNodeTakesWaits() {
        WhatIfReport report = report(pods(1), enforcing(), new Change.Cordon("spare"), new Change.RemoveNode("n1"));

        assertThat(report.stuck())
                .containsExactly(new WhatIfReport.Stuck("shop", "web-1-new", "", "1 node: 1 cordoned or tainted"));
    }

    @Test
    void aDrainGoesOnWhenTheBudgetAllowsIt() {
        ClusterBuilder builder = cluster().node("n1").node("spare").replicaSet("web", 2);
        IntStream.rangeClosed(1, 2).forEach(i -> builder.pod("web-" + i, on("n1"), replicaOf("web")));
        builder.budget("one", LabelSelector.everything(), 1);

        WhatIfReport report = report(builder, enforcing(), new Change.Drain("n1"));

        assertThat(report.displaced())
                .containsExactly(
                        new WhatIfReport.Displaced(0, "shop", "web-1", "n1", "web-1-new", "spare"),
                        new WhatIfReport.Displaced(25, "shop", "web-2", "n1", "web-2-new", "spare"));
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
                        "shop", "web-1", "n1", "Cannot evict pod as it would violate the pod's disruption budget."));
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

        WhatIfReport report = report(
                builder,
                enforcing(),
                new Change.Scale("Deployment", new NamespacedName("shop", "web"), replicas),
                losesDisk("n1"));

        assertThat(report.evictions())
                .hasSize(Math.min(replicas, 2))
                .extracting(WhatIfReport.Eviction::outcome)
                .containsOnly("Moved");
        assertThat(report.held()).isEmpty();
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
    void noControllerReplacesAMirrorPodOrOneThatIsTerminating() {
        ClusterBuilder builder = cluster().node("n1").node("spare").replicaSet("web", 1);
        builder.pod("etcd-n1", on("n1"), ownedBy("Node", "n1", "n1"), mirror())
                .pod("web-1", on("n1"), replicaOf("web"), terminating());

        WhatIfReport report = report(builder, enforcing(), new Change.RemoveNode("n1"));

        assertThat(report.displaced())
                .extracting(WhatIfReport.Displaced::pod, WhatIfReport.Displaced::replacement)
                .containsExactlyInAnyOrder(tuple("etcd-n1", ""), tuple("web-1", ""));
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
                new Simulation.Input(pods(1).facts(), List.of(new Event.PolicyChanged(auditing(), CAREFUL)), List.of()),
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
                        "no workload to scale",
                        new Change.Scale("Deployment", new NamespacedName("shop", "db"), 3),
                        "there is no Deployment shop/db"));
    }

    @Test
    void progressIsTheSimulatedTimeWithTheChangeAndThenWithoutIt() throws WhatIf.ImpossibleChangeException {
        List<String> progress = new ArrayList<>();

        IN_TWO_HOURS.report(
                new Simulation.Input(pods(1).facts(), List.of(), List.of()),
                List.of(losesDisk("n1")),
                done -> progress.add(done.get()));

        assertThat(progress)
                .containsExactly(
                        "simulated 0s of 2h with the change",
                        "simulated 2h of 2h with the change",
                        "simulated 0s of 2h without the change",
                        "simulated 2h of 2h without the change");
    }

    @ParameterizedTest
    @MethodSource("impossible")
    void aChangeOfNothingIsRefused(Change change, String message) {
        assertThatThrownBy(() -> IN_TWO_HOURS.report(
                        new Simulation.Input(pods(1).facts(), List.of(), List.of()), List.of(change), _ -> {}))
                .isInstanceOf(WhatIf.ImpossibleChangeException.class)
                .hasMessage(message);
    }

    @Test
    void theSameInputGivesTheSameReport() {
        Change[] changes = {losesDisk("n1"), losesDisk("n3"), new Change.Drain("n2")};

        assertThat(report(pods(8), enforcing(), changes)).isEqualTo(report(pods(8), enforcing(), changes));
    }
}
