package dev.holdfast.operator.offline.simulate;

import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.PodTraits.mirror;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.tolerating;
import static dev.holdfast.policies.testing.PodTraits.toleratingAny;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.config.OperatorConfig;
import dev.holdfast.operator.offline.simulate.cluster.Assumptions;
import dev.holdfast.policies.model.Toleration;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.PodTrait;
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
        assertThat(simulation.failures().lost())
                .extracting(simulation.failures()::whyLost)
                .isEqualTo(lost.isEmpty() ? List.of() : List.of(lost));
    }
}
