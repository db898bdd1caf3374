package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.engine.TestPolicies.everywhere;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.breaker.Tenants;
import dev.holdfast.policies.engine.protocol.BreakerSettings;
import dev.holdfast.policies.engine.protocol.EngineSettings;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.PodTrait;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that the breakers that stop all evictions count tenants, not namespaces. */
class TenantsTest {
    private static EngineSettings settings(Optional<String> teamLabel) {
        EngineSettings plain = EngineScenario.settings();
        return new EngineSettings(
                plain.operatorLimits(),
                plain.protectedPods(),
                plain.exemptNamespaces(),
                plain.replacementTimes(),
                new BreakerSettings("holdfast", 20, 3, 5, 50, teamLabel));
    }

    /**
     * {@return a cluster in which the pod of each namespace is on a wrong node}
     *
     * @param teams the team of each namespace {@code ns-0}, {@code ns-1}...; a dash if it has none
     * @param others the number of further namespaces
     */
    private static ClusterBuilder facts(List<String> teams, int others) {
        ClusterBuilder facts = cluster().node("spare", labels("disk", "ssd"));
        for (int i = 0; i < teams.size(); i++) {
            facts.namespace("ns-" + i, teams.get(i).equals("-") ? labels() : labels("team", teams.get(i)))
                    .node("n" + i, labels("disk", "hdd"))
                    .replicaSetIn("ns-" + i, "web-" + i)
                    .pod("web-" + i, pod(i));
        }
        IntStream.range(0, others).forEach(i -> facts.namespace("other-" + i, labels("team", "other")));
        return facts;
    }

    private static PodTrait[] pod(int i) {
        return new PodTrait[] {on("n" + i), in("ns-" + i), replicaOf("web-" + i), nodeSelector("disk", "ssd")};
    }

    private static List<String> scopes(EngineScenario engineScenario) {
        return engineScenario.turns.stream()
                .map(turn -> turn.change() + " " + turn.scope())
                .toList();
    }

    static Stream<Arguments> tenants() {
        Optional<String> label = Optional.of("team");
        Optional<String> none = Optional.empty();
        return Stream.of(
                argumentSet("three teams stop all", label, List.of("a", "b", "c"), 300, 3, true),
                argumentSet("three namespaces of one tenant do not", label, List.of("a", "a", "a"), 0, 3, false),
                argumentSet("six of two teams do not", label, List.of("a", "a", "a", "b", "b", "b"), 1, 6, false),
                argumentSet("four of the only two teams do", label, List.of("a", "a", "a", "b", "b", "b"), 0, 4, true),
                argumentSet("a third labelled tenant stops all", label, List.of("a", "a", "a", "b", "c"), 300, 5, true),
                argumentSet("two teams and one other of 12 stop all", label, List.of("a", "b", "-"), 9, 3, true),
                argumentSet("two teams and one other of 13 do not", label, List.of("a", "b", "-"), 10, 3, false),
                argumentSet("three namespaces of 12 stop all", none, List.of("a", "a", "a"), 9, 3, true),
                argumentSet("three namespaces of 13 do not", none, List.of("a", "a", "a"), 10, 3, false),
                argumentSet("four namespaces of 13 stop all", none, List.of("a", "a", "a", "a"), 9, 4, true),
                argumentSet("five namespaces of 300 do not", none, List.of("a", "b", "c", "d", "e"), 295, 5, false),
                argumentSet(
                        "six namespaces of 300 stop all", none, List.of("a", "b", "c", "d", "e", "f"), 294, 6, true));
    }

    @ParameterizedTest
    @MethodSource("tenants")
    void movesInARowWithoutAReplacement(
            Optional<String> teamLabel, List<String> teams, int others, int moves, boolean stopsAll) {
        EngineScenario engineScenario = EngineScenario.begin(
                        settings(teamLabel), facts(teams, others), everywhere(enforcing()))
                .after(Duration.ofDays(1).minusHours(1));

        assertThat(engineScenario.evicted()).hasSize(moves);
        assertThat(scopes(engineScenario)).isEqualTo(stopsAll ? List.of("OPENED Everything[]") : List.of());
    }

    static Stream<Arguments> surelyIndependentOrNot() {
        return Stream.of(
                argumentSet("two namespaces are too few", List.of("a", "b"), false),
                argumentSet("six are enough", List.of("a", "b", "c", "d", "e", "f"), true));
    }

    @ParameterizedTest
    @MethodSource("surelyIndependentOrNot")
    void theNamespacesOfTheClusterAreCountedOnlyIfTheirNumberDecides(List<String> namespaces, boolean independent) {
        ClusterView cluster = (ClusterView) Proxy.newProxyInstance(
                ClusterView.class.getClassLoader(), new Class<?>[] {ClusterView.class}, (_, method, _) -> {
                    throw new AssertionError(method + " is asked");
                });

        assertThat(new Tenants(cluster, settings(Optional.empty()).breakers()).areIndependent(namespaces))
                .isEqualTo(independent);
    }

    @Test
    void theEventSaysWhichTenantsTheyAreOf() {
        EngineScenario engineScenario = EngineScenario.begin(
                        settings(Optional.of("team")), facts(List.of("a", "a", "b", "-"), 1), everywhere(enforcing()))
                .after(Duration.ofHours(12));

        assertThat(engineScenario.turns.getFirst().message())
                .startsWith("the last 4 moves got no Ready replacement in time (ReplicaSet ns-0/web-0,")
                .contains(" of tenant a, tenant b, namespace ns-3, so another move would probably lose another pod");
        assertThat(engineScenario.heldBecause()).doesNotContain("tenant a");
    }

    @Test
    void otherTenantsGoOnAfterThreeFailuresOfOne() {
        EngineScenario engineScenario = EngineScenario.begin(
                        settings(Optional.of("team")), facts(List.of("a", "a", "a"), 0), everywhere(enforcing()))
                .after(Duration.ofHours(12))
                .replacingOn("spare");

        engineScenario
                .happens(nodeChanged("n3", labels("disk", "hdd")))
                .happens(podChanged("web-3", pod(3)))
                .after(Duration.ofMinutes(5));

        assertThat(engineScenario.evicted()).endsWith("web-3");
    }

    /** Breaks a rule of many pods of each namespace at once. */
    private static EngineScenario storm(Optional<String> teamLabel, List<String> teams, List<Integer> pods) {
        ClusterBuilder facts = cluster().node("n1", labels("disk", "ssd")).node("n2");
        for (int i = 0; i < teams.size(); i++) {
            facts.namespace("ns-" + i, labels("team", teams.get(i)));
            for (int pod = 0; pod < pods.get(i); pod++) {
                String name = "web-" + i + "-" + pod;
                facts.pod(name, in("ns-" + i), on("n1"), replicaOf(name), nodeSelector("disk", "ssd"));
            }
        }
        int others = 1_000 - pods.stream().mapToInt(it -> it).sum();
        IntStream.range(0, others).forEach(i -> facts.pod("other-" + i, on("n2")));
        return EngineScenario.begin(settings(teamLabel), facts, everywhere(enforcing()))
                .happens(nodeChanged("n1", labels("disk", "hdd")))
                .afterSeconds(1);
    }

    static Stream<Arguments> storms() {
        Optional<String> label = Optional.of("team");
        return Stream.of(
                argumentSet(
                        "three namespaces of one team: these three",
                        label,
                        List.of("a", "a", "a", "b"),
                        List.of(70, 60, 55, 10),
                        List.of("ns-0", "ns-1", "ns-2")),
                argumentSet(
                        "three namespaces of three teams: all",
                        label,
                        List.of("a", "b", "c"),
                        List.of(70, 60, 55),
                        List.of("all")),
                argumentSet(
                        "two namespaces of two teams: all", label, List.of("a", "b"), List.of(70, 60), List.of("all")),
                argumentSet(
                        "two namespaces of unknown teams: these two",
                        Optional.empty(),
                        List.of("a", "b"),
                        List.of(70, 60),
                        List.of("ns-0", "ns-1")));
    }

    @ParameterizedTest
    @MethodSource("storms")
    void podsThatBreakARuleAtOnce(
            Optional<String> teamLabel, List<String> teams, List<Integer> pods, List<String> held) {
        assertThat(scopes(storm(teamLabel, teams, pods)))
                .isEqualTo(held.stream()
                        .map(one -> one.equals("all") ? "OPENED Everything[]" : "OPENED OneNamespace[name=" + one + "]")
                        .toList());
    }
}
