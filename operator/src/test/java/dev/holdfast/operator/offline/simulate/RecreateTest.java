package dev.holdfast.operator.offline.simulate;

import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.pod;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.restartPolicy;
import static dev.holdfast.policies.testing.PodTraits.unbound;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.config.OperatorConfig;
import dev.holdfast.operator.offline.rollout.RollOut;
import dev.holdfast.operator.offline.rollout.RollOutsAtEnd;
import dev.holdfast.operator.offline.simulate.object.Assumptions;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.RestartPolicy;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.testing.Facts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A Deployment of two pods on nodes n1 and n2 is rolled out ten seconds after n1 has failed. */
class RecreateTest {
    private static final Change.RollOutDeployment ROLLING = new Change.RollOutDeployment(
            new Owner("deployment-web", "Deployment", name("web"), Optional.empty(), OptionalInt.of(2)),
            2,
            new Owner(
                    "next",
                    "ReplicaSet",
                    name("next"),
                    Optional.of(new Controller("Deployment", "web", "deployment-web")),
                    OptionalInt.of(0)),
            pod("next-1", ownedBy("ReplicaSet", "next", "next"), unbound()),
            0,
            2,
            false);

    private static final Change.RollOutDeployment RECREATE = new Change.RollOutDeployment(
            ROLLING.deployment(),
            ROLLING.replicas(),
            ROLLING.replicaSet(),
            ROLLING.template(),
            ROLLING.maxSurge(),
            ROLLING.maxUnavailable(),
            true);

    private static NamespacedName name(String name) {
        return new NamespacedName(Facts.NAMESPACE, name);
    }

    static Stream<Arguments> rollOuts() {
        Change recover = new Change.RecoverNode("n1");
        Change finish = new Change.FinishPod(name("web-1"));
        return Stream.of(
                argumentSet(
                        "a rolling update waits for no pod that terminates",
                        ROLLING,
                        List.of(),
                        List.of("next-1", "next-2", "web-1 terminates"),
                        ""),
                argumentSet(
                        "Recreate waits for the pod that terminates, and hangs",
                        RECREATE,
                        List.of(),
                        List.of("web-1 terminates"),
                        "it is being deleted, and node n1, which is not Ready, does not end it"),
                argumentSet(
                        "Recreate goes on when the node is back and has ended the pod",
                        RECREATE,
                        List.of(recover),
                        List.of("next-1", "next-2"),
                        ""),
                argumentSet(
                        "Recreate does not wait for a pod that has finished",
                        RECREATE,
                        List.of(finish),
                        List.of("next-1", "next-2", "web-1 terminates"),
                        ""));
    }

    @ParameterizedTest
    @MethodSource("rollOuts")
    void newPodsAreCreatedWhenTheStrategyAllowsIt(Change rollOut, List<Change> later, List<String> pods, String why) {
        Simulation simulation = new Simulation(
                OperatorConfig.defaults().engineSettings(),
                new SimulationInput(
                        cluster()
                                .node("n1")
                                .node("n2")
                                .replicaSet("web", 2)
                                .pod("web-1", on("n1"), replicaOf("web"), restartPolicy(RestartPolicy.ON_FAILURE))
                                .pod("web-2", on("n2"), replicaOf("web"))
                                .facts(),
                        List.of(),
                        List.of()),
                Mode.DISABLED,
                Assumptions.defaults(),
                Instant.parse("2026-06-01T12:00:00Z"));

        simulation.make(new Change.FailNode("n1"));
        simulation.advanceTo(Duration.ofSeconds(10));
        simulation.make(rollOut);
        simulation.advanceTo(Duration.ofMinutes(10));
        later.forEach(simulation::make);
        simulation.advanceTo(Duration.ofMinutes(20));

        assertThat(simulation.cluster().pods().stream()
                        .map(pod -> pod.name().name() + (pod.terminating() ? " terminates" : ""))
                        .sorted())
                .isEqualTo(pods);
        assertThat(RollOutsAtEnd.of(simulation, List.of(rollOut)))
                .extracting(RollOut::why)
                .containsExactly(why);
    }
}
