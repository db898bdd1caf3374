package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.auditing;
import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.nodeGone;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.notReady;
import static dev.holdfast.policies.testing.Facts.resourceVersion;
import static dev.holdfast.policies.testing.NodeTraits.cordoned;
import static dev.holdfast.policies.testing.NodeTraits.createdAt;
import static dev.holdfast.policies.testing.NodeTraits.hostname;
import static dev.holdfast.policies.testing.NodeTraits.readyChanged;
import static dev.holdfast.policies.testing.NodeTraits.tainted;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.bound;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.spread;
import static dev.holdfast.policies.testing.Spreads.honoringTaints;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.protocol.EngineSettings;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.NodeTrait;
import dev.holdfast.policies.testing.PodTrait;
import dev.holdfast.policies.testing.SpreadTrait;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that new, recovered and replaced nodes and zones cause no moves of healthy workloads. */
class NewDomainsTest {
    private static final Instant LONG_AGO = EngineScenario.START.minus(Duration.ofDays(30));
    private static final NodeTrait UNREACHABLE = tainted("node.kubernetes.io/unreachable", "", "NoSchedule");

    /** {@return a cluster with six pods over three zones, which have one node each} */
    private static ClusterBuilder inThreeZones(String topologyKey, SpreadTrait... traits) {
        return spreadOver(List.of("a1", "b1", "c1"), topologyKey, traits);
    }

    private static ClusterBuilder inTwoZones(String topologyKey, SpreadTrait... traits) {
        return spreadOver(List.of("a1", "b1"), topologyKey, traits);
    }

    /**
     * {@return a cluster with two pods on each of these nodes, whose nodeSelector asks for the pool of these nodes, and
     * with a node c1 of another pool}
     */
    private static ClusterBuilder inPool(String... nodes) {
        PodTrait evenly = spread(maxSkew(1, ZONE, app("web")));
        ClusterBuilder facts =
                cluster().replicaSet("web", 2 * nodes.length).node("c1", place("c1"), labels("pool", "gpu"));
        int pods = 0;
        for (String node : nodes) {
            facts.node(node, place(node), labels("pool", "general"));
            for (int i = 0; i < 2; i++) {
                facts.pod(
                        "web-" + ++pods,
                        on(node),
                        replicaOf("web"),
                        bound(LONG_AGO),
                        nodeSelector("pool", "general"),
                        evenly);
            }
        }
        return facts;
    }

    private static ClusterBuilder spreadOver(List<String> nodes, String topologyKey, SpreadTrait... traits) {
        PodTrait evenly = spread(maxSkew(1, topologyKey, app("web"), traits));
        ClusterBuilder facts = cluster().replicaSet("web", 2 * nodes.size());
        int pods = 0;
        for (String node : nodes) {
            facts.node(node, place(node));
            for (int i = 0; i < 2; i++) {
                facts.pod("web-" + ++pods, on(node), replicaOf("web"), bound(LONG_AGO), evenly);
            }
        }
        return facts;
    }

    /** {@return the zone and hostname labels of a node; its zone is the first letter of its name} */
    private static NodeTrait place(String node) {
        return draft -> {
            zone(node.substring(0, 1)).of(draft);
            hostname(node).of(draft);
        };
    }

    private static EngineScenario comes(EngineScenario engineScenario, String node) {
        return engineScenario.happens(nodeChanged(node, place(node), createdAt(engineScenario.now)));
    }

    private static EngineScenario cordonedC(EngineScenario engineScenario) {
        return engineScenario.happens(nodeChanged("c1", place("c1"), cordoned()));
    }

    private static EngineScenario backC(EngineScenario engineScenario) {
        EngineScenario back = engineScenario.happens(nodeChanged("c1", place("c1"), readyChanged(engineScenario.now)));
        bindWaiting(back);
        return back;
    }

    private static EngineScenario unreachableC(EngineScenario engineScenario) {
        return engineScenario.happens(
                nodeChanged("c1", place("c1"), notReady(), readyChanged(engineScenario.now), UNREACHABLE));
    }

    /** Deletes the pods of a node, and creates each again where a scheduler would place it. */
    private static EngineScenario emptied(EngineScenario engineScenario, String node) {
        for (Pod pod : List.copyOf(engineScenario.truth.podsOn(node))) {
            engineScenario.happens(podGone(pod.uid()));
            engineScenario.happens(
                    TestScheduler.place(pod.name().name() + "-new", pod, engineScenario.truth, engineScenario.now));
        }
        return engineScenario;
    }

    private static void bindWaiting(EngineScenario engineScenario) {
        for (Pod pod : List.copyOf(engineScenario.truth.pods())) {
            if (pod.nodeName().isEmpty()) {
                engineScenario.happens(
                        TestScheduler.place(pod.name().name(), pod, engineScenario.truth, engineScenario.now));
            }
        }
    }

    static Stream<Arguments> incidents() {
        return Stream.concat(
                harmful(),
                Stream.of(
                        row("a node is cordoned", inThreeZones(HOSTNAME), NewDomainsTest::cordonedC),
                        row(
                                "a node reboots in five minutes",
                                inThreeZones(HOSTNAME),
                                engineScenario ->
                                        backC(unreachableC(engineScenario).afterSeconds(300))),
                        row(
                                "a zone fails, its pods stay pending, and it is back after an hour",
                                inThreeZones(ZONE),
                                engineScenario -> backC(
                                        emptied(unreachableC(engineScenario).afterSeconds(340), "c1")
                                                .afterSeconds(3_600))),
                        row(
                                "a zone fails and is not back",
                                inThreeZones(ZONE),
                                engineScenario ->
                                        emptied(unreachableC(engineScenario).afterSeconds(340), "c1")),
                        row(
                                "a zone fails, its nodes are deleted, and it is not back",
                                inThreeZones(ZONE),
                                engineScenario -> emptied(
                                        unreachableC(engineScenario)
                                                .afterSeconds(340)
                                                .happens(nodeGone("c1")),
                                        "c1"))));
    }

    static Stream<Arguments> harmful() {
        return Stream.of(
                row(
                        "an autoscaler adds an empty node",
                        inTwoZones(HOSTNAME),
                        engineScenario -> comes(engineScenario, "b2")),
                row(
                        "an autoscaler adds an empty zone",
                        inTwoZones(ZONE),
                        engineScenario -> comes(engineScenario, "c1")),
                row(
                        "a node is drained, its pods run on other nodes, and it is back after an hour",
                        inThreeZones(HOSTNAME, honoringTaints()),
                        engineScenario -> backC(emptied(cordonedAndTainted(engineScenario), "c1")
                                .afterSeconds(3_600))),
                row(
                        "a zone fails, its nodes are deleted, its pods run elsewhere, and it is back after an hour",
                        inThreeZones(ZONE),
                        engineScenario -> comes(
                                emptied(
                                                unreachableC(engineScenario)
                                                        .afterSeconds(340)
                                                        .happens(nodeGone("c1")),
                                                "c1")
                                        .afterSeconds(3_600),
                                "c1")),
                row(
                        "a zone fails and is tainted, its pods run on other nodes, and it is back after ten minutes",
                        inThreeZones(ZONE, honoringTaints()),
                        engineScenario ->
                                backC(emptied(unreachableC(engineScenario).afterSeconds(340), "c1")
                                        .afterSeconds(260))),
                row(
                        "the pods' own pool comes to a zone that only another pool had used",
                        inPool("a1", "b1"),
                        engineScenario -> engineScenario.happens(nodeChanged(
                                "c2", place("c2"), labels("pool", "general"), createdAt(engineScenario.now)))),
                row(
                        "a node of another pool is labelled into the pods' own pool",
                        inPool("a1", "b1"),
                        engineScenario ->
                                engineScenario.happens(nodeChanged("c1", place("c1"), labels("pool", "general")))),
                row(
                        "a zone loses the taint that kept the pods away",
                        inTwoZones(ZONE, honoringTaints())
                                .node("c1", place("c1"), tainted("only", "gpu", "NoSchedule")),
                        engineScenario -> engineScenario.happens(nodeChanged("c1", place("c1")))),
                row(
                        "the pods' own pool scales to zero in a zone and back, beside a node of another pool",
                        inPool("a1", "b1", "c2"),
                        engineScenario -> emptied(engineScenario.happens(nodeGone("c2")), "c2")
                                .afterSeconds(60)
                                .happens(nodeChanged(
                                        "c3", place("c3"), labels("pool", "general"), createdAt(engineScenario.now)))),
                row(
                        "a node reboots in a minute, after its pods were deleted",
                        inThreeZones(HOSTNAME, honoringTaints()),
                        engineScenario -> backC(
                                emptied(unreachableC(engineScenario), "c1").afterSeconds(60))));
    }

    private static EngineScenario cordonedAndTainted(EngineScenario engineScenario) {
        return engineScenario.happens(nodeChanged(
                "c1", place("c1"), cordoned(), tainted("node.kubernetes.io/unschedulable", "", "NoSchedule")));
    }

    private static Arguments row(String name, ClusterBuilder facts, UnaryOperator<EngineScenario> incident) {
        return argumentSet(name, facts, incident);
    }

    @ParameterizedTest
    @MethodSource("incidents")
    void nothingIsEvictedWithinADay(ClusterBuilder facts, UnaryOperator<EngineScenario> incident) {
        EngineScenario engineScenario =
                EngineScenario.begin(facts, enforcing()).scheduling().afterSeconds(600);

        incident.apply(engineScenario).after(Duration.ofDays(1));

        assertThat(engineScenario.evicted()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("harmful")
    void withoutThatHoldPodsAreShuffled(ClusterBuilder facts, UnaryOperator<EngineScenario> incident) {
        EngineSettings careless = EngineScenario.settingsWithout(Set.of(Reason.DOMAIN_ADDED));
        EngineScenario engineScenario =
                EngineScenario.begin(careless, facts, enforcing()).scheduling().afterSeconds(600);

        incident.apply(engineScenario).after(Duration.ofDays(1));

        assertThat(engineScenario.evicted()).isNotEmpty();
    }

    @Test
    void aPodThatIsBoundAfterTheDomainCameIsHeldToIt() {
        EngineScenario engineScenario = comes(
                        EngineScenario.begin(inTwoZones(ZONE), enforcing()).scheduling(), "c1")
                .afterSeconds(600);
        engineScenario
                .happens(podChanged(
                        "web-5",
                        on("a1"),
                        replicaOf("web"),
                        bound(engineScenario.now),
                        spread(maxSkew(1, ZONE, app("web")))))
                .after(Duration.ofDays(1));

        assertThat(engineScenario.evicted()).containsExactly("web-5");
    }

    @Test
    void aDomainThatComesBetweenThePlanAndTheRequestIsSeen() {
        PodTrait evenly = spread(maxSkew(1, ZONE, app("web")));
        EngineScenario engineScenario = EngineScenario.begin(
                cluster()
                        .node("a1", place("a1"))
                        .node("b1", place("b1"))
                        .replicaSet("web", 3)
                        .pod("web-1", on("a1"), replicaOf("web"), bound(LONG_AGO), evenly)
                        .pod("web-2", on("a1"), replicaOf("web"), bound(LONG_AGO), evenly)
                        .pod("web-3", on("b1"), replicaOf("web"), bound(LONG_AGO), evenly)
                        .pod("web-4", on("a1"), replicaOf("web"), bound(LONG_AGO), evenly),
                enforcing());
        engineScenario
                .duringDryRun(
                        new Event.ObjectChanged(nodeChanged("b1", place("b1"), notReady())),
                        new Event.ObjectChanged(nodeChanged("b1", place("b1"))))
                .afterSeconds(60);

        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.DOMAIN_ADDED);
    }

    @Test
    void aDomainThatWasLostAndCameBackWhileTheViewWasLostIsNew() {
        EngineScenario engineScenario = EngineScenario.begin(inThreeZones(ZONE), enforcing())
                .scheduling()
                .afterSeconds(600);
        engineScenario.loses(View.NODES);
        for (String name : List.of("web-5", "web-6")) {
            Pod pod = engineScenario.truth.pod(name).orElseThrow();
            engineScenario
                    .happens(podGone(name))
                    .happens(podChanged(
                            name + "-new",
                            on(name.equals("web-5") ? "a1" : "b1"),
                            replicaOf("web"),
                            bound(engineScenario.now),
                            spread(pod.scheduling().topologySpread().getFirst())));
        }
        engineScenario
                .afterSeconds(3_600)
                .happens(nodeChanged("c1", place("c1"), createdAt(engineScenario.now.plusSeconds(3_590))))
                .event(new Event.ViewSynced(View.NODES))
                .after(Duration.ofDays(1));

        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.DOMAIN_ADDED);
    }

    /**
     * {@return a scenario in which the only node of zone c is replaced; the pod {@code late} in zone a was bound before
     * that, and gets the label that the spread selects only afterwards}
     *
     * @param meanwhile what happens between the two
     */
    private static EngineScenario replacedC(UnaryOperator<EngineScenario> meanwhile) {
        return replacedC(EngineScenario.settings(), meanwhile);
    }

    private static EngineScenario replacedC(EngineSettings settings, UnaryOperator<EngineScenario> meanwhile) {
        PodTrait evenly = spread(maxSkew(1, ZONE, app("web")));
        EngineScenario engineScenario = EngineScenario.begin(
                        settings,
                        cluster()
                                .node("a1", place("a1"))
                                .node("b1", place("b1"))
                                .node("c1", place("c1"))
                                .pod("web-1", on("a1"), replicaOf("web"), bound(LONG_AGO), evenly)
                                .pod("web-2", on("b1"), replicaOf("web"), bound(LONG_AGO), evenly)
                                .pod("late", on("a1"), replicaOf("api"), bound(LONG_AGO), evenly),
                        enforcing())
                .scheduling();
        EngineScenario replaced = meanwhile.apply(
                comes(engineScenario, "c2").happens(nodeGone("c1")).afterSeconds(600));
        return replaced.happens(podChanged(
                        "late",
                        on("a1"),
                        replicaOf("api"),
                        labels("app", "web"),
                        bound(LONG_AGO),
                        evenly,
                        resourceVersion(2)))
                .after(Duration.ofDays(1));
    }

    @Test
    void aZoneWhoseNodesAreReplacedOneByOneIsAsOldAsEver() {
        assertThat(replacedC(engineScenario -> engineScenario).evicted()).hasSize(1);
    }

    private static EngineScenario restartedWithMemory(EngineScenario engineScenario) {
        return engineScenario.restarted(EngineScenario.settings().withLedger()).scheduling();
    }

    @Test
    void aZoneWhoseNodesAreReplacedOneByOneIsAsOldAsEverAfterARestartToo() {
        assertThat(replacedC(EngineScenario.settings().withLedger(), NewDomainsTest::restartedWithMemory)
                        .evicted())
                .hasSize(1);
    }

    /** Node c1 is cordoned and uncordoned, which its own times do not show. Then the operator restarts. */
    @Test
    void aZoneThatWasCordonedBeforeARestartIsAsYoungAsTheEndOfTheCordon() {
        PodTrait evenly = spread(maxSkew(1, ZONE, app("web")));
        EngineScenario before = EngineScenario.begin(
                        EngineScenario.settings().withLedger(),
                        cluster()
                                .node("a1", place("a1"))
                                .node("b1", place("b1"))
                                .node("c1", place("c1"), createdAt(LONG_AGO))
                                .replicaSet("web", 4)
                                .pod("web-1", on("a1"), replicaOf("web"), bound(LONG_AGO), evenly)
                                .pod("web-2", on("b1"), replicaOf("web"), bound(LONG_AGO), evenly)
                                .pod("web-3", on("a1"), replicaOf("web"), bound(LONG_AGO), evenly)
                                .pod("web-4", on("b1"), replicaOf("web"), bound(LONG_AGO), evenly),
                        auditing())
                .happens(nodeChanged("c1", place("c1"), createdAt(LONG_AGO), cordoned()))
                .afterSeconds(600)
                .happens(nodeChanged("c1", place("c1"), createdAt(LONG_AGO)))
                .afterSeconds(600);

        EngineScenario after = restartedWithMemory(before)
                .event(new Event.PolicyChanged(enforcing()))
                .after(Duration.ofDays(1));

        assertThat(after.evicted()).isEmpty();
        assertThat(after.held()).isEqualTo(Reason.DOMAIN_ADDED);
    }

    /** Node c1 is replaced while the view of nodes is lost, and the operator writes its ledger before it is back. */
    @Test
    void aZoneThatTheOperatorCouldNotSeeBeforeARestartIsAsYoungAsItsNodes() {
        EngineScenario engineScenario = replacedC(
                EngineScenario.settings().withLedger(),
                it -> restartedWithMemory(it.loses(View.NODES).afterSeconds(600).event(new Event.Ending())));

        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.DOMAIN_ADDED);
    }

    @Test
    void aZoneWhosePoolIsRelabelledBeforeAPolicyComesIsAsYoungAsTheLabel() {
        EngineScenario engineScenario = EngineScenario.begin(inPool("a1", "b1"))
                .scheduling()
                .afterSeconds(600)
                .happens(nodeChanged("c1", place("c1"), labels("pool", "general")))
                .afterSeconds(600);

        engineScenario.event(new Event.PolicyChanged(enforcing())).after(Duration.ofDays(1));

        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.DOMAIN_ADDED);
    }

    @Test
    void aZoneWhoseNodesWereUnseenForAWhileIsAsOldAsItsNodes() {
        EngineScenario engineScenario =
                replacedC(it -> it.loses(View.NODES).afterSeconds(10).event(new Event.ViewSynced(View.NODES)));

        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.DOMAIN_ADDED);
    }
}
