package dev.holdfast.policies.inject;

import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.expression;
import static dev.holdfast.policies.testing.Demands.matchLabelKeys;
import static dev.holdfast.policies.testing.Demands.matcher;
import static dev.holdfast.policies.testing.Demands.nodeTerm;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.pod;
import static dev.holdfast.policies.testing.PodTraits.annotatedRules;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.nodeAffinity;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static dev.holdfast.policies.testing.PodTraits.requiring;
import static dev.holdfast.policies.testing.Rules.antiAffinityRule;
import static dev.holdfast.policies.testing.Rules.nodeRule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.PolicyScheduling;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.testing.Facts;
import dev.holdfast.policies.testing.PolicyDraft;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which policies inject their rules into which pods. */
class InjectingPoliciesTest {
    private static final NodeSelectorTerm SSD = nodeTerm(expression("disk", "In", "ssd"));
    private static final NodeSelectorTerm NVME = nodeTerm(expression("disk", "In", "nvme"));

    private static Policy policy(String name, Mode mode, PolicyScheduling scheduling, NodeSelectorTerm term) {
        return PolicyDraft.of(PolicyId.cluster(name), mode)
                .pods(matcher(app("web")))
                .rule("disk", nodeRule(term), new Enforcement(Mode.AUDIT, Duration.ofMinutes(5), WhenInfeasible.WAIT))
                .scheduling(scheduling)
                .policy();
    }

    static Stream<Arguments> rows() {
        Policy ssd = policy("ssd", Mode.AUDIT, PolicyScheduling.INJECT, SSD);
        Pod web = pod("p", labels("app", "web"));
        return Stream.of(
                argumentSet("a policy that selects the pod injects its rules", web, ssd, List.of(ssd.id())),
                argumentSet("a policy that does not select the pod injects none", pod("p"), ssd, List.of()),
                argumentSet(
                        "a policy with scheduling None injects none",
                        web,
                        policy("ssd", Mode.AUDIT, PolicyScheduling.NONE, SSD),
                        List.of()),
                argumentSet(
                        "a disabled policy injects none",
                        web,
                        policy("ssd", Mode.DISABLED, PolicyScheduling.INJECT, SSD),
                        List.of()),
                argumentSet(
                        "a pod of an untouched namespace gets none",
                        pod("p", labels("app", "web"), in("kube-system")),
                        ssd,
                        List.of()),
                argumentSet(
                        "a pod of a DaemonSet gets none",
                        pod("p", labels("app", "web"), ownedBy("DaemonSet", "web", "web")),
                        ssd,
                        List.of()));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void policiesSelectPods(Pod pod, Policy policy, List<PolicyId> expected) {
        InjectingPolicies policies = InjectingPolicies.of(List.of(policy), Set.of("kube-system"));

        assertThat(policies.selecting(pod, Facts.cluster().build())).isEqualTo(expected);
        assertThat(policies.into(pod, Facts.cluster().build()).equals(pod.scheduling()))
                .isEqualTo(expected.isEmpty());
    }

    @Test
    void theRulesOfAnAnnotationAreInjectedWhereASelectingPolicyAllowsThem() {
        Pod web = pod("p", labels("app", "web"), annotatedRules(requiring("nvme", NVME)));
        Policy ignoring = policy("ssd", Mode.AUDIT, PolicyScheduling.INJECT, SSD);
        Policy allowing = allowing(PolicyId.cluster("allow"));

        assertThat(InjectingPolicies.of(List.of(ignoring), Set.of())
                        .into(web, Facts.cluster().build())
                        .nodeAffinity())
                .isEqualTo(pod("p", nodeAffinity(SSD)).scheduling().nodeAffinity());
        assertThat(InjectingPolicies.of(List.of(allowing, allowing(PolicyId.cluster("too"))), Set.of())
                        .into(web, Facts.cluster().build())
                        .nodeAffinity())
                .isEqualTo(pod("p", nodeAffinity(NVME)).scheduling().nodeAffinity());
    }

    private static Policy allowing(PolicyId id) {
        return PolicyDraft.of(id, Mode.AUDIT)
                .pods(matcher(app("web")))
                .scheduling(PolicyScheduling.INJECT)
                .annotationRules(new Enforcement(Mode.AUDIT, Duration.ofMinutes(5), WhenInfeasible.WAIT))
                .policy();
    }

    @Test
    void aPodThatIsCreatedAgainGetsTheRulesOfNowAndKeepsItsOwn() {
        Pod web = pod("p", labels("app", "web"));
        Pod before = web.withScheduling(
                InjectingPolicies.of(List.of(policy("disk", Mode.AUDIT, PolicyScheduling.INJECT, SSD)), Set.of())
                        .into(web, Facts.cluster().build()));

        InjectingPolicies now =
                InjectingPolicies.of(List.of(policy("disk", Mode.AUDIT, PolicyScheduling.INJECT, NVME)), Set.of());

        assertThat(before.withScheduling(now.into(before, Facts.cluster().build()))
                        .withInjectedAsOwn()
                        .scheduling())
                .isEqualTo(pod("p", nodeAffinity(NVME)).scheduling());
        assertThat(now.into(before, Facts.cluster().build()).own()).isEqualTo(web.scheduling());
    }

    /** PA-7: the API server merges the keys into the selector. */
    @Test
    void aTermWithLabelKeysIsStoredWithTheLabelsOfThePod() {
        PodAffinityTerm apart = term(app("web"), HOSTNAME, matchLabelKeys("hash"));
        Policy policy = PolicyDraft.of(PolicyId.cluster("apart"), Mode.AUDIT)
                .pods(matcher(app("web")))
                .rule(
                        "apart",
                        antiAffinityRule(apart),
                        new Enforcement(Mode.AUDIT, Duration.ofMinutes(5), WhenInfeasible.WAIT))
                .scheduling(PolicyScheduling.INJECT)
                .policy();
        InjectingPolicies policies = InjectingPolicies.of(List.of(policy), Set.of());
        Pod web = pod("p", labels("app", "web", "hash", "7f"));

        Scheduling created = policies.into(web, Facts.cluster().build());

        assertThat(created.podAntiAffinity())
                .extracting(PodAffinityTerm::alreadyMerged)
                .containsExactly(apart.mergedFor(web.labels()));
        assertThat(policies.into(web.withScheduling(created), Facts.cluster().build()))
                .isEqualTo(created);
    }

    @Test
    void aPodThatIsCreatedAgainKeepsTheRulesInItsAnnotation() {
        Pod web = pod("p", annotatedRules(requiring("fast", NVME)));
        InjectingPolicies policies =
                InjectingPolicies.of(List.of(policy("disk", Mode.AUDIT, PolicyScheduling.INJECT, SSD)), Set.of());
        Pod created = web.withScheduling(policies.into(web, Facts.cluster().build()));

        Scheduling again = policies.into(created, Facts.cluster().build());

        assertThat(again).isEqualTo(created.scheduling());
        assertThat(again.annotationRules()).isEqualTo(web.scheduling().annotationRules());
    }
}
