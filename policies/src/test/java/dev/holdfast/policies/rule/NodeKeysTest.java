package dev.holdfast.policies.rule;

import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.expression;
import static dev.holdfast.policies.testing.Demands.fieldTerm;
import static dev.holdfast.policies.testing.Demands.nodeTerm;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.RACK;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.pod;
import static dev.holdfast.policies.testing.PodTraits.nodeAffinity;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.Rules.affinityRule;
import static dev.holdfast.policies.testing.Rules.antiAffinityRule;
import static dev.holdfast.policies.testing.Rules.nodeRule;
import static dev.holdfast.policies.testing.Rules.nodeSelectorRule;
import static dev.holdfast.policies.testing.Rules.spreadRule;
import static dev.holdfast.policies.testing.Spreads.ignoringNodeAffinity;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.model.Pod;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The node label keys that a rule depends on. A label breaker for one of these keys holds the violations of the rule.
 */
class NodeKeysTest {
    static Stream<Arguments> rows() {
        Pod plain = pod("web");
        Pod choosy = pod("web", nodeSelector("disk", "ssd"), nodeAffinity(nodeTerm(expression("cpu", "Exists"))));
        return Stream.of(
                argumentSet(
                        "a nodeSelector", nodeSelectorRule("disk", "ssd", "cpu", "new"), plain, Set.of("disk", "cpu")),
                argumentSet(
                        "node affinity: the keys of all terms, with any operator",
                        nodeRule(
                                nodeTerm(expression("disk", "In", "ssd"), expression("cpu", "DoesNotExist")),
                                nodeTerm(expression("gpu", "Exists"))),
                        plain,
                        Set.of("disk", "cpu", "gpu")),
                argumentSet(
                        "node affinity by name alone",
                        nodeRule(fieldTerm(expression("metadata.name", "In", "n1"))),
                        plain,
                        Set.of()),
                argumentSet(
                        "affinity: those of the domains of all terms",
                        affinityRule(term(app("cache"), ZONE), term(app("store"), RACK)),
                        choosy,
                        Set.of(ZONE, RACK)),
                argumentSet(
                        "anti-affinity: that of the domains",
                        antiAffinityRule(term(app("web"), ZONE)),
                        choosy,
                        Set.of(ZONE)),
                argumentSet(
                        "a spread, with another constraint in the pod spec",
                        spreadRule(maxSkew(1, ZONE, app("web")), ZONE, RACK),
                        plain,
                        Set.of(ZONE, RACK)),
                argumentSet(
                        "a spread over the nodes that the pod may be on",
                        spreadRule(maxSkew(1, ZONE, app("web")), ZONE),
                        choosy,
                        Set.of(ZONE, "disk", "cpu")),
                argumentSet(
                        "a spread over all nodes",
                        spreadRule(maxSkew(1, ZONE, app("web"), ignoringNodeAffinity()), ZONE),
                        choosy,
                        Set.of(ZONE)));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void aRuleDependsOnTheLabelsThatItWantsAndOnThoseOfItsDomains(Rule rule, Pod pod, Set<String> keys) {
        assertThat(NodeKeys.of(rule, pod.scheduling())).isEqualTo(keys);
    }
}
