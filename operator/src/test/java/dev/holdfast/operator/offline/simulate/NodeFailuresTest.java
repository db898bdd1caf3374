package dev.holdfast.operator.offline.simulate;

import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.notReady;
import static dev.holdfast.policies.testing.NodeTraits.allocatable;
import static dev.holdfast.policies.testing.NodeTraits.cordoned;
import static dev.holdfast.policies.testing.NodeTraits.hostname;
import static dev.holdfast.policies.testing.NodeTraits.rack;
import static dev.holdfast.policies.testing.NodeTraits.tainted;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.mirror;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.tolerating;
import static dev.holdfast.policies.testing.PodTraits.toleratingAny;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.config.OperatorConfig;
import dev.holdfast.operator.offline.simulate.object.Assumptions;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Resources;
import dev.holdfast.policies.model.Toleration;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.NodeTrait;
import dev.holdfast.policies.testing.PodTrait;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** One pod on node n1, which fails; there is a node n2. */
class NodeFailuresTest {
    private static final Instant START = Instant.parse("2026-06-01T12:00:00Z");
    private static final String KEY = "node.kubernetes.io/unreachable";

    static Stream<Arguments> pods() {
        PodTrait replica = replicaOf("web");
        return Stream.of(
                argumentSet("no toleration: the API server adds one of 300 s", List.of(replica), "300s", ""),
                argumentSet("a toleration of 30 s", List.of(replica, lasting(30)), "30s", ""),
                argumentSet("a toleration of 0 s", List.of(replica, lasting(0)), "0s", ""),
                argumentSet("a toleration of 7 s and one of 3 s", List.of(replica, lasting(7), lasting(3)), "7s", ""),
                argumentSet(
                        "a toleration without an end",
                        List.of(replica, toleratingAny("", "")),
                        "",
                        "it tolerates the failure of its node without an end"),
                argumentSet(
                        "a toleration of more seconds than a clock has",
                        List.of(replica, lasting(Long.MAX_VALUE)),
                        "",
                        "it tolerates the failure of its node without an end"),
                argumentSet(
                        "a toleration longer than the simulation",
                        List.of(replica, lasting(7_200)),
                        "",
                        "it tolerates the failure of its node for 7200 s"),
                argumentSet("a bare pod", List.<PodTrait>of(), "300s", "no controller creates another pod"),
                argumentSet(
                        "a pod of a StatefulSet",
                        List.of(ownedBy("StatefulSet", "db", "db")),
                        "300s",
                        "its StatefulSet creates no other pod until it is gone from the failed node, and then node n2"
                                + " would take it"),
                argumentSet("a pod of a DaemonSet", List.of(ownedBy("DaemonSet", "agent", "agent")), "", ""),
                argumentSet("a static pod", List.of(ownedBy("Node", "n1", "n1"), mirror()), "", ""));
    }

    /** Nodes of zone a fail, and each has one pod; zone b has one node, which stays Ready. */
    static Stream<Arguments> zones() {
        String partial = "the node lifecycle controller deletes no pods while %d of %d nodes of its zone are not Ready";
        return Stream.of(
                argumentSet("2 of 3 nodes: two are few", 2, 3, zone("a"), 2, ""),
                argumentSet("3 of 6 nodes: 50 %", 3, 6, zone("a"), 3, ""),
                argumentSet("5 of 9 nodes: 55.6 %", 5, 9, zone("a"), 0, partial.formatted(5, 9)),
                argumentSet("11 of 20 nodes: 55 %", 11, 20, zone("a"), 0, partial.formatted(11, 20)),
                argumentSet("3 of 3 nodes: the whole zone", 3, 3, zone("a"), 3, ""),
                argumentSet("40 of 50 nodes", 40, 50, zone("a"), 0, partial.formatted(40, 50)),
                argumentSet("40 of 51 nodes: a large zone", 40, 51, zone("a"), 40, ""),
                argumentSet("3 of 4 nodes without a zone", 3, 4, hostname("x"), 0, partial.formatted(3, 4)));
    }

    @ParameterizedTest
    @MethodSource("zones")
    void inAZoneInWhichManyNodesFailedNoPodIsDeleted(int failed, int nodes, NodeTrait zone, int deleted, String why) {
        Simulation simulation = simulation(inZones(nodes, zone).node("other", zone("b")));

        fail(failed, simulation);
        simulation.advanceTo(Duration.ofHours(1));

        assertThat(simulation.displaced()).hasSize(deleted);
        assertThat(simulation.failures().reasons(simulation.failures().lost()).values())
                .hasSize(failed - deleted)
                .allMatch(why::equals);
    }

    @Test
    void whileNoNodeIsReadyNoPodIsDeleted() {
        Simulation simulation = simulation(inZones(2, zone("a")));

        fail(2, simulation);
        simulation.advanceTo(Duration.ofHours(1));

        assertThat(simulation.displaced()).isEmpty();
        assertThat(simulation.failures().reasons(simulation.failures().lost()).values())
                .containsOnly("the node lifecycle controller deletes no pods while no node of the cluster is Ready");
    }

    /** Of 5 nodes, 2 fail and are tainted. A minute later a third one fails, and is not. */
    @Test
    void nodesThatWereTaintedBeforeTooManyFailedLoseTheirPods() {
        Simulation simulation = simulation(inZones(5, zone("a")));

        fail(2, simulation);
        simulation.advanceTo(Duration.ofMinutes(1));
        assertThat(simulation.make(new Change.FailNode("n2"))).isEmpty();
        simulation.advanceTo(Duration.ofHours(1));

        assertThat(simulation.displaced())
                .extracting(it -> it.pod().name().name())
                .containsExactly("web-0", "web-1");
        assertThat(simulation.failures().reasons(simulation.failures().lost()).values())
                .containsExactly("the node lifecycle controller deletes no pods while 3 of 5 nodes of its zone are not"
                        + " Ready");
    }

    /** 3 of 5 nodes fail; after ten minutes one is back, so that the other two lose their pods five minutes later. */
    @Test
    void deletionsGoOnWhenEnoughNodesAreBack() {
        Simulation simulation = simulation(inZones(5, zone("a")));

        fail(3, simulation);
        simulation.advanceTo(Duration.ofMinutes(10));
        assertThat(simulation.make(new Change.RecoverNode("n0"))).isEmpty();
        simulation.advanceTo(Duration.ofHours(1));

        assertThat(simulation.displaced())
                .extracting(it -> it.pod().name().name() + " at "
                        + Duration.between(START, it.at()).toMinutes())
                .containsExactly("web-1 at 15", "web-2 at 15");
    }

    /** 3 of 5 nodes of zone a have failed: n0, n1 and n2. After ten minutes, this changes. */
    static Stream<Arguments> changedZones() {
        return Stream.of(
                argumentSet(
                        "2 of 4: a failed node is removed",
                        List.of(new Change.RemoveNode("n0")),
                        List.of("web-0 at 10", "web-1 at 15", "web-2 at 15")),
                argumentSet(
                        "2 of 4: a failed node is removed by a change of several nodes",
                        List.of(new Change.ChangeNodes(
                                Change.Action.REMOVE,
                                List.of(new Change.Target("n0", new Change.Selection.Named("n0"))))),
                        List.of("web-0 at 10", "web-1 at 15", "web-2 at 15")),
                argumentSet(
                        "3 of 6: a node is added",
                        List.of(new Change.AddObjects(
                                cluster().node("n5", zone("a")).facts())),
                        List.of("web-0 at 15", "web-1 at 15", "web-2 at 15")),
                argumentSet(
                        "2 of 4: a failed node gets the label of another zone",
                        List.of(new Change.LabelNodes(
                                "n0",
                                new Change.Selection.Named("n0"),
                                Map.of("topology.kubernetes.io/zone", Optional.of("b")))),
                        List.of("web-0 at 15", "web-1 at 15", "web-2 at 15")),
                argumentSet(
                        "2 of 4: a failed node gets the label that excludes it",
                        List.of(new Change.LabelNodes(
                                "n0",
                                new Change.Selection.Named("n0"),
                                Map.of("node.kubernetes.io/exclude-disruption", Optional.of("")))),
                        List.of("web-0 at 15", "web-1 at 15", "web-2 at 15")),
                argumentSet(
                        "2 of 5: a failed node is removed, and one of its name is added, which keeps its pods",
                        List.of(
                                new Change.RemoveNode("n0"),
                                new Change.AddObjects(cluster()
                                        .node("n0", zone("a"))
                                        .pod("other", on("n0"))
                                        .facts())),
                        List.of("web-0 at 10", "web-1 at 15", "web-2 at 15")),
                argumentSet(
                        "3 of 5: a node gets a label that does not matter",
                        List.of(new Change.LabelNodes(
                                "n0", new Change.Selection.Named("n0"), Map.of("disk", Optional.of("ssd")))),
                        List.of()));
    }

    @ParameterizedTest
    @MethodSource("changedZones")
    void deletionsGoOnWhenAZoneChanges(List<Change> changes, List<String> deleted) {
        Simulation simulation = simulation(inZones(5, zone("a")).node("other", zone("b")));

        fail(3, simulation);
        simulation.advanceTo(Duration.ofMinutes(10));
        changes.forEach(change -> assertThat(simulation.make(change)).isEmpty());
        simulation.advanceTo(Duration.ofHours(1));

        assertThat(simulation.displaced())
                .extracting(it -> it.pod().name().name() + " at "
                        + Duration.between(START, it.at()).toMinutes())
                .containsExactlyElementsOf(deleted);
    }

    /** Node n1 is stored, not Ready and cordoned, and people apply a file with this version of it. */
    static Stream<Arguments> files() {
        String failed = "node.kubernetes.io/not-ready:NoExecute";
        String cordon = "node.kubernetes.io/unschedulable:NoSchedule";
        return Stream.of(
                argumentSet(
                        "a label more",
                        List.of(rack("r1")),
                        "[" + failed + ", " + cordon + ", gpu:NoSchedule]",
                        Map.of("topology.kubernetes.io/zone", "a", "rack", "r1")),
                argumentSet(
                        "another zone",
                        List.of(zone("b")),
                        "[" + failed + ", " + cordon + ", gpu:NoSchedule]",
                        Map.of("topology.kubernetes.io/zone", "b")),
                argumentSet(
                        "another taint",
                        List.of(tainted("fpga", "", "NoSchedule")),
                        "[fpga:NoSchedule, " + failed + ", " + cordon + "]",
                        Map.of("topology.kubernetes.io/zone", "a")));
    }

    @ParameterizedTest
    @MethodSource("files")
    void anAppliedFileLeavesWhatControllersSet(List<NodeTrait> file, String taints, Map<String, String> labels) {
        Resources small = new Resources(1_000, 1L << 30, 0, 10, Map.of());
        Node known = of(node(
                false,
                zone("a"),
                allocatable(small),
                cordoned(),
                tainted("node.kubernetes.io/not-ready", "", "NoExecute"),
                tainted("node.kubernetes.io/unschedulable", "", "NoSchedule"),
                tainted("gpu", "", "NoSchedule")));
        Node written = of(node(true, file.toArray(NodeTrait[]::new)));
        Simulation simulation =
                simulation(cluster().with(new ClusterEvent.NodeChanged(known)).node("n2"));

        simulation.make(new Change.AddObjects(List.of(new ClusterEvent.NodeChanged(new Node(
                "n1",
                "Node//n1",
                1,
                written.labels(),
                written.taints(),
                written.unschedulable(),
                written.life(),
                new Resources(1_000_000, 4L << 40, 0, 110, Map.of()))))));

        Node after = simulation.cluster().node("n1").orElseThrow();
        assertThat(after.ready()).isFalse();
        assertThat(after.unschedulable()).isTrue();
        assertThat(after.allocatable()).isEqualTo(small);
        assertThat(after.labels().toMap()).isEqualTo(labels);
        assertThat(after.taints().stream()
                        .map(taint -> taint.key() + ":" + taint.effect())
                        .toList())
                .hasToString(taints);
    }

    private static Node of(ClusterEvent event) {
        return ((ClusterEvent.NodeChanged) event).node();
    }

    private static ClusterBuilder inZones(int nodes, NodeTrait zone) {
        ClusterBuilder builder = cluster().replicaSet("web", nodes);
        IntStream.range(0, nodes)
                .forEach(i -> builder.node("n" + i, zone).pod("web-" + i, on("n" + i), replicaOf("web")));
        return builder;
    }

    private static void fail(int nodes, Simulation simulation) {
        IntStream.range(0, nodes)
                .forEach(i -> assertThat(simulation.make(new Change.FailNode("n" + i)))
                        .isEmpty());
    }

    /** The versions of node n1 that are applied, with the taints that their controllers leave. */
    static Stream<Arguments> versions() {
        String unreachable = "node.kubernetes.io/unreachable";
        String notReady = "node.kubernetes.io/not-ready";
        return Stream.of(
                argumentSet("another label", true, List.of(zone("b")), true, "[]", "[]"),
                argumentSet(
                        "not Ready any more: its pods leave after five minutes",
                        true,
                        List.of(),
                        false,
                        "[web-0 300s]",
                        "[" + notReady + ":NoSchedule, " + notReady + ":NoExecute]"),
                argumentSet(
                        "not Ready any more, and tainted already",
                        true,
                        List.of(tainted(unreachable, "", "NoExecute")),
                        false,
                        "[web-0 300s]",
                        "[" + unreachable + ":NoExecute]"),
                argumentSet(
                        "Ready again, with its taints",
                        false,
                        List.of(tainted(unreachable, "", "NoSchedule"), tainted(notReady, "", "NoExecute")),
                        true,
                        "[]",
                        "[]"),
                argumentSet(
                        "not Ready as before",
                        false,
                        List.of(),
                        false,
                        "[web-0 300s]",
                        "[" + notReady + ":NoSchedule, " + notReady + ":NoExecute]"),
                argumentSet(
                        "a NoExecute taint that neither pod tolerates",
                        true,
                        List.of(tainted("maintenance", "", "NoExecute")),
                        true,
                        "[agent 0s, web-0 0s]",
                        "[maintenance:NoExecute]"),
                argumentSet(
                        "a NoExecute taint that one pod tolerates for a minute, and that of a DaemonSet does not",
                        true,
                        List.of(tainted("slow", "", "NoExecute")),
                        true,
                        "[agent 0s, web-0 60s]",
                        "[slow:NoExecute]"),
                argumentSet(
                        "a NoSchedule taint",
                        true,
                        List.of(tainted("maintenance", "", "NoSchedule")),
                        true,
                        "[]",
                        "[maintenance:NoSchedule]"));
    }

    @ParameterizedTest
    @MethodSource("versions")
    void thePodsOfANodeFollowItsVersion(
            boolean before, List<NodeTrait> traits, boolean after, String deleted, String taints) {
        ClusterBuilder builder = cluster()
                .with(node(before))
                .node("n2")
                .replicaSet("web", 1)
                .pod(
                        "web-0",
                        on("n1"),
                        replicaOf("web"),
                        tolerating(new Toleration("slow", "Exists", "", "NoExecute", OptionalLong.of(60))))
                .pod("agent", on("n1"), ownedBy("DaemonSet", "agent", "agent"))
                .pod("static", on("n1"), ownedBy("Node", "n1", "n1"), mirror());
        Simulation simulation = simulation(builder);

        simulation.make(new Change.AddObjects(List.of(node(after, traits.toArray(NodeTrait[]::new)))));
        simulation.advanceTo(Duration.ofHours(1));

        assertThat(simulation.displaced().stream()
                        .map(it -> it.pod().name().name() + " "
                                + Duration.between(START, it.at()).toSeconds() + "s")
                        .toList())
                .hasToString(deleted);
        assertThat(simulation.cluster().node("n1").orElseThrow().taints().stream()
                        .map(taint -> taint.key() + ":" + taint.effect())
                        .toList())
                .hasToString(taints);
    }

    /** {@return a new version of node n1} */
    private static ClusterEvent node(boolean ready, NodeTrait... traits) {
        return node("n1", ready, traits);
    }

    static ClusterEvent node(String name, boolean ready, NodeTrait... traits) {
        NodeTrait[] all = ready
                ? traits
                : Stream.concat(Stream.of(notReady()), Stream.of(traits)).toArray(NodeTrait[]::new);
        return cluster().node(name, all).facts().getFirst();
    }

    @Test
    void aTaintThatIsRemovedInTimeDeletesNoPod() {
        Simulation simulation = simulation(cluster()
                .node("n1")
                .node("n2")
                .replicaSet("web", 1)
                .pod(
                        "web-0",
                        on("n1"),
                        replicaOf("web"),
                        tolerating(new Toleration("slow", "Exists", "", "NoExecute", OptionalLong.of(60)))));

        simulation.make(new Change.AddObjects(List.of(node(true, tainted("slow", "", "NoExecute")))));
        simulation.advanceTo(Duration.ofSeconds(59));
        simulation.make(new Change.AddObjects(List.of(node(true))));
        simulation.advanceTo(Duration.ofHours(1));

        assertThat(simulation.displaced()).isEmpty();
    }

    /** 10,000 nodes are asked about 100 pods at most. */
    @Test
    void ofManyLostPodsOnlyTheFirstHaveANodeThatWouldTakeThem() {
        ClusterBuilder builder = cluster().node("n1");
        IntStream.range(2, 10_001).forEach(i -> builder.node("n" + i));
        IntStream.range(0, 101).forEach(i -> builder.pod("db-" + i, on("n1"), ownedBy("StatefulSet", "db", "db")));
        Simulation simulation = simulation(builder);

        assertThat(simulation.make(new Change.FailNode("n1"))).isEmpty();
        simulation.advanceTo(Duration.ofHours(1));
        List<String> reasons = List.copyOf(
                simulation.failures().reasons(simulation.failures().lost()).values());

        assertThat(reasons.subList(0, 100)).allMatch(why -> why.endsWith(" would take it"));
        assertThat(reasons.subList(100, reasons.size()))
                .containsExactly("its StatefulSet creates no other pod until it is gone from the failed node");
    }

    private static Simulation simulation(ClusterBuilder builder) {
        return new Simulation(
                OperatorConfig.defaults().engineSettings(),
                new SimulationInput(builder.facts(), List.of(), List.of()),
                Mode.DISABLED,
                Assumptions.defaults(),
                START);
    }

    private static PodTrait lasting(long seconds) {
        return tolerating(new Toleration(KEY, "Exists", "", "NoExecute", OptionalLong.of(seconds)));
    }

    @ParameterizedTest
    @MethodSource("pods")
    void aPodIsDeletedWhenItsTolerationEnds(List<PodTrait> traits, String deleted, String lost) {
        ClusterBuilder builder = cluster().node("n1").node("n2").replicaSet("web", 1);
        builder.pod("web-0", Stream.concat(Stream.of(on("n1")), traits.stream()).toArray(PodTrait[]::new));
        Simulation simulation = simulation(builder);

        assertThat(simulation.make(new Change.FailNode("n1"))).isEmpty();
        simulation.advanceTo(Duration.ofHours(1));

        assertThat(simulation.displaced())
                .extracting(it -> Duration.between(START, it.at()).toSeconds() + "s")
                .isEqualTo(deleted.isEmpty() ? List.of() : List.of(deleted));
        assertThat(simulation.failures().reasons(simulation.failures().lost()).values())
                .containsExactlyElementsOf(lost.isEmpty() ? List.of() : List.of(lost));
    }
}
