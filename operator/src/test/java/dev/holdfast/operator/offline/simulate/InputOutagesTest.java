package dev.holdfast.operator.offline.simulate;

import static dev.holdfast.operator.offline.simulate.NodeFailuresTest.node;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.NodeTraits.readyChanged;
import static dev.holdfast.policies.testing.NodeTraits.tainted;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.tolerating;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.config.OperatorConfig;
import dev.holdfast.operator.offline.dump.Dump;
import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.dump.DumpFile;
import dev.holdfast.operator.offline.dump.DumpReader;
import dev.holdfast.operator.offline.simulate.object.Assumptions;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.Taint;
import dev.holdfast.policies.model.Toleration;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.NodeTrait;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Node n1 of the input is not Ready or has a taint that deletes pods; there is a node n2. */
class InputOutagesTest {
    private static final Instant START = Instant.parse("2026-06-01T12:00:00Z");
    private static final NodeTrait UNREACHABLE = tainted("node.kubernetes.io/unreachable", "", "NoExecute");

    static Stream<Arguments> outages() {
        return Stream.of(
                argumentSet(
                        "not Ready for 100 s: 200 s are left",
                        false,
                        List.of(UNREACHABLE, readyChanged(START.minusSeconds(100))),
                        "[web-0 200s]",
                        "[unreachable:NoExecute]"),
                argumentSet(
                        "not Ready for an hour: its time is over",
                        false,
                        List.of(UNREACHABLE, readyChanged(START.minusSeconds(3_600))),
                        "[web-0 2s]",
                        "[unreachable:NoExecute]"),
                argumentSet(
                        "not Ready since a time in the future: that clock is wrong",
                        false,
                        List.of(UNREACHABLE, readyChanged(START.plusSeconds(3_600))),
                        "[web-0 300s]",
                        "[unreachable:NoExecute]"),
                argumentSet(
                        "not Ready, and not tainted yet",
                        false,
                        List.of(readyChanged(START.minusSeconds(100))),
                        "[web-0 300s]",
                        "[not-ready:NoExecute]"),
                argumentSet(
                        "not Ready, and tainted against new pods so far",
                        false,
                        List.of(tainted("node.kubernetes.io/unreachable", "", "NoSchedule")),
                        "[web-0 300s]",
                        "[unreachable:NoSchedule, unreachable:NoExecute]"),
                argumentSet(
                        "a taint that the pod tolerates for a minute",
                        true,
                        List.of(
                                tainted("slow", "", "NoExecute"),
                                tainted("slow", "", "NoSchedule"),
                                readyChanged(START.minusSeconds(100))),
                        "[web-0 60s]",
                        "[slow:NoExecute, slow:NoSchedule]"),
                argumentSet(
                        "a taint that the pod does not tolerate",
                        true,
                        List.of(tainted("broken", "", "NoExecute")),
                        "[web-0 2s]",
                        "[broken:NoExecute]"),
                argumentSet(
                        "a taint that only keeps new pods away",
                        true,
                        List.of(tainted("broken", "", "NoSchedule")),
                        "[]",
                        "[broken:NoSchedule]"),
                argumentSet(
                        "Ready, with a taint of its failure that its controller is about to take away",
                        true,
                        List.of(UNREACHABLE),
                        "[]",
                        "[unreachable:NoExecute]"));
    }

    @ParameterizedTest
    @MethodSource("outages")
    void thePodsOfTheInputLeaveInTime(boolean ready, List<NodeTrait> traits, String deleted, String taints) {
        Simulation simulation = simulation(outage(ready, traits.toArray(NodeTrait[]::new)));

        simulation.advanceTo(Duration.ofHours(1));

        assertThat(deletions(simulation)).hasToString(deleted);
        assertThat(simulation.cluster().node("n1").orElseThrow().taints().stream()
                        .map(Taint::toString)
                        .map(taint -> taint.replace("node.kubernetes.io/", ""))
                        .toList())
                .hasToString(taints);
    }

    /** The taints of a file say when they were set. Node n1 is not Ready since another time. */
    static Stream<Arguments> taintTimes() {
        return Stream.of(
                argumentSet("100 s ago: 200 s are left", "unreachable", "2026-06-01T11:58:20Z", "[web-0 200s]"),
                argumentSet(
                        "in the future: that clock is wrong", "unreachable", "2026-06-01T12:30:00Z", "[web-0 300s]"),
                argumentSet(
                        "a taint of people, 40 s ago: 20 s are left", "slow", "2026-06-01T11:59:20Z", "[web-0 20s]"));
    }

    @ParameterizedTest
    @MethodSource("taintTimes")
    void theTimeOfATaintCounts(String taint, String added, String deleted) throws DumpException {
        boolean ready = taint.equals("slow");
        String file = """
            apiVersion: v1
            kind: Node
            metadata: {name: n1}
            spec: {taints: [{key: KEY, effect: NoExecute, timeAdded: ADDED}, {key: slow, effect: NoSchedule}]}
            status: {conditions: [{type: Ready, status: READY, lastTransitionTime: "2026-06-01T11:30:00Z"}]}
            """.replace("KEY", ready ? taint : "node.kubernetes.io/" + taint)
                .replace("ADDED", added)
                .replace("READY", ready ? "'True'" : "'False'");
        byte[] bytes = file.getBytes(StandardCharsets.UTF_8);
        Dump dump = new DumpReader(_ -> {}).read(List.of(new DumpFile("n1", () -> new ByteArrayInputStream(bytes))));
        ClusterBuilder builder = outage(true);
        dump.objects().forEach(builder::with);

        Simulation simulation = simulation(new SimulationInput(builder.facts(), List.of(), List.of())
                .withTaints(dump.times().taints()));
        simulation.advanceTo(Duration.ofHours(1));

        assertThat(deletions(simulation)).hasToString(deleted);
    }

    @Test
    void theRunningPodsOfANodeAreReadyWhenItRecovers() {
        Simulation simulation = simulation(outage(false, UNREACHABLE));
        simulation.advanceTo(Duration.ofSeconds(200));
        Pod before = pod("web-0", simulation);

        assertThat(simulation.make(new Change.RecoverNode("n1"))).isEmpty();
        simulation.advanceTo(Duration.ofHours(1));

        assertThat(before.ready()).isFalse();
        assertThat(pod("web-0", simulation).ready()).isTrue();
        assertThat(deletions(simulation)).isEmpty();
        assertThat(simulation.cluster().node("n1").orElseThrow().taints()).isEmpty();
    }

    /** The pod of a StatefulSet is created again when the node is back and the old pod is gone. */
    @Test
    void aPodThatTerminatesOnAFailedNodeOfTheInputEndsWhenTheNodeRecovers() {
        Simulation simulation =
                simulation(outage(false, UNREACHABLE).pod("db-0", on("n1"), ownedBy("StatefulSet", "db", "db")));
        simulation.advanceTo(Duration.ofSeconds(400));
        boolean terminates = pod("db-0", simulation).terminating();

        assertThat(simulation.make(new Change.RecoverNode("n1"))).isEmpty();
        simulation.advanceTo(Duration.ofHours(1));

        assertThat(terminates).isTrue();
        assertThat(pod("db-0", simulation).ready()).isTrue();
    }

    /** The replacement is bound after one second, and tolerates the taint for a minute like the pod before it. */
    @Test
    void aReplacementThatGetsToTheTaintedNodeLeavesAgain() {
        Simulation simulation = simulation(outage(true, tainted("slow", "", "NoExecute")));

        simulation.advanceTo(Duration.ofMinutes(3));

        assertThat(deletions(simulation)).containsExactly("web-0 60s", "web-0-new 121s");
    }

    /** 3 of 5 nodes of a zone are not Ready. When one of them recovers, the others lose their pods. */
    @Test
    void tooManyFailedNodesOfTheInputKeepTheirPods() {
        ClusterBuilder builder =
                cluster().replicaSet("web", 3).node("n3", zone("a")).node("n4", zone("a"));
        IntStream.range(0, 3)
                .forEach(i ->
                        builder.with(node("n" + i, false, zone("a"))).pod("web-" + i, on("n" + i), replicaOf("web")));
        Simulation simulation = simulation(builder);

        simulation.advanceTo(Duration.ofMinutes(10));
        List<String> before = deletions(simulation);
        assertThat(simulation.make(new Change.RecoverNode("n0"))).isEmpty();
        simulation.advanceTo(Duration.ofHours(1));

        assertThat(before).isEmpty();
        assertThat(deletions(simulation)).containsExactly("web-1 900s", "web-2 900s");
    }

    private static ClusterBuilder outage(boolean ready, NodeTrait... traits) {
        return cluster()
                .with(node("n1", ready, traits))
                .node("n2")
                .replicaSet("web", 1)
                .pod(
                        "web-0",
                        on("n1"),
                        replicaOf("web"),
                        tolerating(new Toleration("slow", "Exists", "", "NoExecute", OptionalLong.of(60))));
    }

    private static Pod pod(String name, Simulation simulation) {
        return simulation.cluster().pods().stream()
                .filter(pod -> pod.name().name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> deletions(Simulation simulation) {
        return simulation.displaced().stream()
                .map(it -> it.pod().name().name() + " "
                        + Duration.between(START, it.at()).toSeconds() + "s")
                .toList();
    }

    private static Simulation simulation(ClusterBuilder builder) {
        return simulation(new SimulationInput(builder.facts(), List.of(), List.of()));
    }

    private static Simulation simulation(SimulationInput input) {
        return new Simulation(
                OperatorConfig.defaults().engineSettings(), input, Mode.DISABLED, Assumptions.defaults(), START);
    }
}
