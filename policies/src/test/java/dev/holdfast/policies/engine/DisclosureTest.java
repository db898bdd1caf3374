package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.FORGIVENESS;
import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.engine.TestPolicies.everywhere;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Demands.matcher;
import static dev.holdfast.policies.testing.Demands.namespaceSelector;
import static dev.holdfast.policies.testing.Demands.namespaces;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.NodeTraits.cordoned;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.terminating;
import static dev.holdfast.policies.testing.Rules.nodeSelectorRule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.plan.conduct.DisruptionControls;
import dev.holdfast.policies.plan.conduct.PodOverrides;
import dev.holdfast.policies.plan.conduct.PolicyLimits;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.testing.ClusterBuilder;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests what the status of a namespaced policy says. Each cluster has pods, namespaces, labels and policies of others
 * whose names contain {@code secret}: the status of policy {@code shop/own} contains no such name, and that of a cluster
 * policy with the same rules contains one.
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

    private static Policy policy(PolicyId id, Mode mode, Rule... rules) {
        Enforcement enforcement = new Enforcement(mode, FORGIVENESS, WhenInfeasible.WAIT);
        Policy ofPodRules = enforcing("own", FORGIVENESS);
        return new Policy(
                id,
                1,
                mode,
                matcher(LabelSelector.everything()),
                Optional.empty(),
                Optional.empty(),
                ofPodRules.podRules(),
                Stream.of(rules)
                        .map(rule -> new Policy.NamedRule("own", rule, enforcement))
                        .toList());
    }

    private static DisruptionControls excepting() {
        return new DisruptionControls(
                List.of(),
                List.of(new DisruptionControls.StandingException(
                        "secret-name", matcher(LabelSelector.everything()), Optional.empty(), "secret reason")),
                Set.of(),
                Optional.empty(),
                PodOverrides.all(),
                PolicyLimits.none());
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

    private static PolicyReport report(EngineScenario engineScenario, PolicyId policy) {
        return Optional.ofNullable(engineScenario.reports.get(policy)).orElseThrow();
    }

    /** {@return everything that the status of a policy says about violations} */
    private static String words(EngineScenario engineScenario, PolicyId policy) {
        return report(engineScenario, policy).oldest().stream()
                .map(DisclosureTest::words)
                .collect(Collectors.joining("; "));
    }

    private static String words(ViolationReport violation) {
        return violation.cause().describe() + "; " + violation.violationDetail().describe() + "; "
                + violation.hold().map(Hold::message).orElse("") + "; " + violation.victim();
    }
}
