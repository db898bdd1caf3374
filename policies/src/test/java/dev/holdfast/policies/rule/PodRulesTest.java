package dev.holdfast.policies.rule;

import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.expression;
import static dev.holdfast.policies.testing.Demands.matchLabelKeys;
import static dev.holdfast.policies.testing.Demands.matcher;
import static dev.holdfast.policies.testing.Demands.mismatchLabelKeys;
import static dev.holdfast.policies.testing.Demands.namespaceSelector;
import static dev.holdfast.policies.testing.Demands.namespaces;
import static dev.holdfast.policies.testing.Demands.nodeTerm;
import static dev.holdfast.policies.testing.Demands.oneOf;
import static dev.holdfast.policies.testing.Demands.selector;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.RACK;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.pod;
import static dev.holdfast.policies.testing.PodTraits.annotatedRules;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.invalidRules;
import static dev.holdfast.policies.testing.PodTraits.near;
import static dev.holdfast.policies.testing.PodTraits.nodeAffinity;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.replacingRules;
import static dev.holdfast.policies.testing.PodTraits.requiring;
import static dev.holdfast.policies.testing.PodTraits.spread;
import static dev.holdfast.policies.testing.Rules.affinityRule;
import static dev.holdfast.policies.testing.Rules.antiAffinityRule;
import static dev.holdfast.policies.testing.Rules.nodeRule;
import static dev.holdfast.policies.testing.Rules.nodeSelectorRule;
import static dev.holdfast.policies.testing.Rules.spreadRule;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static dev.holdfast.policies.testing.Spreads.perValueOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.model.AnnotationRules;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.testing.PodTrait;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PodRulesTest {
    record Row(String name, Pod pod, List<Rule> expected) {
        Arguments arguments() {
            return argumentSet(name, this);
        }
    }

    static Stream<Arguments> rows() {
        return Stream.of(
                        row("X-7, TS-1: a pod without required constraints has no rule", pod("p")),
                        row(
                                "NS-3: a nodeSelector alone is a node rule",
                                pod("p", nodeSelector("disk", "ssd")),
                                nodeSelectorRule("disk", "ssd")),
                        row(
                                "NA-1: node affinity alone is a node rule",
                                pod("p", nodeAffinity(nodeTerm(expression("disk", "Exists")))),
                                nodeRule(nodeTerm(expression("disk", "Exists")))),
                        row(
                                "NA-1: node affinity without terms is a node rule, which no node satisfies",
                                pod("p", nodeAffinity()),
                                nodeRule()),
                        row(
                                "NS-3: nodeSelector and node affinity are one rule",
                                pod(
                                        "p",
                                        nodeSelector("disk", "ssd"),
                                        nodeAffinity(nodeTerm(expression("gpu", "Exists")))),
                                new Rule.NodeAffinity(
                                        Labels.of("disk", "ssd"),
                                        Optional.of(oneOf(nodeTerm(expression("gpu", "Exists")))))),
                        row(
                                "AF-1: all terms of affinity are one rule",
                                pod("p", near(term(app("cache"), ZONE), term(app("db"), RACK))),
                                affinityRule(term(app("cache"), ZONE), term(app("db"), RACK))),
                        row(
                                "AA-1: each term of anti-affinity is a rule",
                                pod("p", apartFrom(term(app("cache"), ZONE), term(app("db"), RACK))),
                                antiAffinityRule(term(app("cache"), ZONE)),
                                antiAffinityRule(term(app("db"), RACK))),
                        row(
                                "TS-4, TS-14: each constraint is a rule that knows the topologyKeys of all",
                                pod("p", spread(maxSkew(1, ZONE, app("web")), maxSkew(2, RACK, app("web")))),
                                spreadRule(maxSkew(1, ZONE, app("web")), ZONE, RACK),
                                spreadRule(maxSkew(2, RACK, app("web")), ZONE, RACK)),
                        row(
                                "PA-7: the label keys of a pod's own terms were merged when it was created, and are"
                                        + " left out",
                                pod(
                                        "p",
                                        near(term(app("web"), ZONE, matchLabelKeys("a"))),
                                        apartFrom(term(app("web"), RACK, mismatchLabelKeys("b")))),
                                affinityRule(term(app("web"), ZONE)),
                                antiAffinityRule(term(app("web"), RACK))),
                        row(
                                "PA-7: what was merged stays, and so do the namespaces",
                                pod(
                                        "p",
                                        apartFrom(term(
                                                app("web").and(expression("a", "In", "1")),
                                                ZONE,
                                                namespaces("bank"),
                                                namespaceSelector(selector()),
                                                matchLabelKeys("a")))),
                                antiAffinityRule(term(
                                        app("web").and(expression("a", "In", "1")),
                                        ZONE,
                                        namespaces("bank"),
                                        namespaceSelector(selector())))),
                        row(
                                "TS-12: the label keys of a spread are kept, for the scheduler reads them from the pod"
                                        + " as it is",
                                pod("p", spread(maxSkew(1, ZONE, app("web"), perValueOf("hash")))),
                                spreadRule(maxSkew(1, ZONE, app("web"), perValueOf("hash")))),
                        row(
                                "X-7: the order is node, affinity, anti-affinity, spread",
                                pod(
                                        "p",
                                        spread(maxSkew(1, ZONE, app("web"))),
                                        apartFrom(term(app("db"), RACK)),
                                        near(term(app("cache"), ZONE)),
                                        nodeSelector("disk", "ssd")),
                                nodeSelectorRule("disk", "ssd"),
                                affinityRule(term(app("cache"), ZONE)),
                                antiAffinityRule(term(app("db"), RACK)),
                                spreadRule(maxSkew(1, ZONE, app("web")))))
                .map(Row::arguments);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void of(Row row) {
        assertThat(PodRules.of(row.pod().scheduling())).as(row.name()).isEqualTo(row.expected());
    }

    record RequestedRow(String name, boolean allowed, Pod pod, List<String> expected) {
        Arguments arguments() {
            return argumentSet(name, this);
        }
    }

    static Stream<Arguments> requestedRows() {
        AnnotationRules.NamedRule ssd = requiring("ssd", nodeTerm(expression("disk", "Exists")));
        AnnotationRules.NamedRule near =
                new AnnotationRules.NamedRule("near", new AnnotationRules.Near(term(app("cache"), ZONE)));
        AnnotationRules.NamedRule apart =
                new AnnotationRules.NamedRule("apart", new AnnotationRules.ApartFrom(term(app("db"), RACK)));
        AnnotationRules.NamedRule even =
                new AnnotationRules.NamedRule("even", new AnnotationRules.Spread(maxSkew(1, RACK, app("web"))));
        PodTrait spec = spread(maxSkew(1, ZONE, app("web")));
        String ofSpec = "TopologySpread " + spreadRule(maxSkew(1, ZONE, app("web")));
        String ofSsd = "AnnotationRules " + nodeRule(nodeTerm(expression("disk", "Exists")));
        return Stream.of(
                        new RequestedRow(
                                "without leave, the spec alone counts",
                                false,
                                pod("p", spec, replacingRules(ssd)),
                                List.of(ofSpec)),
                        new RequestedRow(
                                "with leave, the rules are added after those of the spec",
                                true,
                                pod("p", spec, annotatedRules(ssd)),
                                List.of(ofSpec, ofSsd)),
                        new RequestedRow(
                                "with leave, the rules may stand in for those of the spec",
                                true,
                                pod("p", spec, replacingRules(ssd)),
                                List.of(ofSsd)),
                        new RequestedRow(
                                "with leave, no rules may stand in for those of the spec",
                                true,
                                pod("p", spec, replacingRules()),
                                List.of()),
                        new RequestedRow(
                                "an invalid annotation leaves the spec in force",
                                true,
                                pod("p", spec, invalidRules("it is no JSON")),
                                List.of(ofSpec)),
                        new RequestedRow(
                                "TS-4: the nodes that count for an added spread need its own key alone",
                                true,
                                pod("p", spec, annotatedRules(even)),
                                List.of(ofSpec, "AnnotationRules " + spreadRule(maxSkew(1, RACK, app("web"))))),
                        new RequestedRow(
                                "AF-1: each added term is a rule of its own, in the order written",
                                true,
                                pod("p", annotatedRules(near, apart)),
                                List.of(
                                        "AnnotationRules " + affinityRule(term(app("cache"), ZONE)),
                                        "AnnotationRules " + antiAffinityRule(term(app("db"), RACK)))))
                .map(RequestedRow::arguments);
    }

    @ParameterizedTest
    @MethodSource("requestedRows")
    void aPolicyRequestsTheRulesOfTheAnnotationIfItAllowsThem(RequestedRow row) {
        Enforcement audited = new Enforcement(Mode.AUDIT, Duration.ofMinutes(5), WhenInfeasible.WAIT);
        Policy policy = new Policy(
                PolicyId.cluster("pods"),
                1,
                Mode.AUDIT,
                matcher(LabelSelector.everything()),
                Optional.empty(),
                Optional.empty(),
                Map.of(RuleKind.TOPOLOGY_SPREAD, audited),
                List.of(),
                PolicyScheduling.NONE,
                row.allowed() ? Optional.of(audited) : Optional.empty());

        assertThat(policy.requestedOf(row.pod().scheduling()))
                .extracting(requested -> requested.name() + " " + requested.rule())
                .isEqualTo(row.expected());
    }

    private static Row row(String name, Pod pod, Rule... expected) {
        return new Row(name, pod, List.of(expected));
    }
}
