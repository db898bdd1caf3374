package dev.holdfast.operator.publish;

import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.namespaceSelector;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.NodeTraits.cordoned;
import static dev.holdfast.policies.testing.PodTraits.annotated;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.priority;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.terminating;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.EngineScenario;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.VictimChoice;
import dev.holdfast.policies.rule.WhenDomainAdded;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.PodTrait;
import dev.holdfast.policies.testing.PolicyDraft;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests all events that the engine gives rise to while a cluster policy keeps pods of namespace {@code bank} apart from
 * a pod of namespace {@code shop}: readers of one namespace read nothing of the other.
 */
class DisclosedEventsTest {
    private static final Rule APART =
            new Rule.PodAntiAffinity(term(app("batch"), HOSTNAME, namespaceSelector(LabelSelector.everything())));

    private static Policy policy(VictimChoice victim) {
        Enforcement enforcement = new Enforcement(
                Mode.ENFORCE, Duration.ofSeconds(60), WhenInfeasible.WAIT, WhenDomainAdded.HOLD, victim);
        return PolicyDraft.of(PolicyId.cluster("platform"), Mode.ENFORCE)
                .rule("apart", APART, enforcement)
                .policy();
    }

    private static ClusterBuilder facts(PodTrait... traits) {
        return cluster()
                .namespace("shop", labels())
                .namespace("bank", labels())
                .node("n1", labels(HOSTNAME, "n1"))
                .node("n2", labels(HOSTNAME, "n2"))
                .replicaSet("web", 1)
                .pod("shop-web", on("n1"), replicaOf("web"), priority(1_000))
                .replicaSetIn("bank", "batch")
                .pod("bank-1", batch(traits));
    }

    private static PodTrait[] batch(PodTrait... traits) {
        return Stream.concat(Stream.of(in("bank"), on("n1"), replicaOf("batch")), Stream.of(traits))
                .toArray(PodTrait[]::new);
    }

    static Stream<Arguments> scenarios() {
        return Stream.of(
                row("the pod of the other namespace moves", VictimChoice.LOWEST_PRIORITY, facts(), it -> it),
                row(
                        "the pod of the other namespace moves to a node where it breaks the rule again",
                        VictimChoice.LOWEST_PRIORITY,
                        facts(),
                        it -> it.replacingOn("n1")),
                row(
                        "the pod of the other namespace is kept",
                        VictimChoice.LOWEST_PRIORITY,
                        facts(annotated("holdfast.dev/keep", "true")),
                        it -> it),
                row(
                        "the API server refuses to evict the pod of the other namespace",
                        VictimChoice.LOWEST_PRIORITY,
                        facts(),
                        it -> it.answeringDryRuns(_ ->
                                new EvictionAnswer.OutOfBudget("budget bank/batch allows none", Optional.empty()))),
                row(
                        "there is no node for the pod of the other namespace",
                        VictimChoice.LOWEST_PRIORITY,
                        facts(),
                        it -> it.happens(nodeChanged("n2", labels(HOSTNAME, "n2"), cordoned()))),
                row("the rule owner moves", VictimChoice.RULE_OWNER, facts(), it -> it),
                row(
                        "the pod of the other namespace is leaving",
                        VictimChoice.RULE_OWNER,
                        facts(terminating(EngineScenario.START.plusSeconds(60))),
                        it -> it),
                row(
                        "another pod of the other namespace comes",
                        VictimChoice.RULE_OWNER,
                        facts(),
                        it -> it.happens(podChanged("bank-2", batch()))));
    }

    private static Arguments row(
            String name, VictimChoice victim, ClusterBuilder facts, UnaryOperator<EngineScenario> change) {
        return argumentSet(name, victim, facts, change);
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void readersOfANamespaceReadNothingOfAnother(
            VictimChoice victim, ClusterBuilder facts, UnaryOperator<EngineScenario> change) {
        EngineScenario engineScenario = EngineScenario.begin(facts, policy(victim));
        change.apply(engineScenario).afterSeconds(1_000);

        assertThat(messages(engineScenario, "shop")).isNotEmpty().noneMatch(message -> message.contains("bank"));
        assertThat(messages(engineScenario, "bank")).noneMatch(message -> message.contains("shop"));
        assertThat(engineScenario.told)
                .anyMatch(it -> message(it, Optional.empty()).contains("bank"));
    }

    /** {@return the messages of all events about pods of a namespace, as its readers see them} */
    private static List<String> messages(EngineScenario engineScenario, String namespace) {
        return engineScenario.told.stream()
                .filter(it -> it.subject().name().namespace().equals(namespace))
                .map(it -> message(it, Optional.of(namespace)))
                .toList();
    }

    private static String message(Notification notification, Optional<String> namespace) {
        return EventMessage.of(notification, namespace, EngineScenario.START.plusSeconds(1_000))
                .map(EventMessage::message)
                .orElse("");
    }
}
