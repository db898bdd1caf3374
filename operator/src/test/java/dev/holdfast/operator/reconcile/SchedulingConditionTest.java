package dev.holdfast.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.api.InjectionSupport;
import dev.holdfast.operator.reconcile.status.ConditionType;
import dev.holdfast.operator.reconcile.status.PolicyConditions;
import dev.holdfast.operator.reconcile.status.PolicyEntry;
import dev.holdfast.operator.reconcile.status.StatusInput;
import dev.holdfast.policies.engine.report.InjectionReport;
import dev.holdfast.policies.inject.InjectionOutcome;
import dev.holdfast.policies.rule.Mode;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the condition SchedulingEnforced of a policy. */
class SchedulingConditionTest {
    private static final InjectionReport SOME = StatusInputs.leftOut(1, InjectionOutcome.OTHER_POD_AFFINITY, 2);
    private static final String WAITING =
            "no pod has an injected rule yet: the next pod that is created and has room for one will show whether the"
                    + " API server injects them";

    static Stream<Arguments> policies() {
        return Stream.of(
                row(
                        "an injected rule in one pod is the proof, and the rules of others are counted by reason",
                        injecting(SOME, InjectionSupport.INSTALLED),
                        "True Injected: 118 of 120 pods have all rules in the spec; rule ssd is left out of 2 pods"
                                + " (OtherPodAffinity)"),
                row(
                        "an API server that has not answered may inject all the same",
                        injecting(StatusInputs.leftOut(1, InjectionOutcome.ABSENT, 1), InjectionSupport.UNKNOWN),
                        "True Injected: 119 of 120 pods have all rules in the spec; 1 pod was created without rule"
                                + " ssd"),
                row(
                        "before the first pod nothing is known",
                        injecting(StatusInputs.leftOut(0, InjectionOutcome.ABSENT, 120), InjectionSupport.INSTALLED),
                        "Unknown NotObserved: " + WAITING
                                + "; 0 of 120 pods have all rules in the spec; 120 pods were created without rule ssd"),
                row(
                        "before the first pod and the first answer nothing is known",
                        injecting(InjectionReport.NOTHING, InjectionSupport.UNKNOWN),
                        "Unknown NotObserved: " + WAITING
                                + "; the API server has not answered yet whether it can; 0 of 120 pods have all rules"
                                + " in the spec"),
                row(
                        "one pod that should have a rule is proof enough against those that have it",
                        injecting(StatusInputs.uninjected(2), InjectionSupport.INSTALLED),
                        "False NotInjected: created without a rule that the API server should have injected: 2 pods,"
                                + " such as shop/web-1 without ssd; see whether the MutatingAdmissionPolicies of the"
                                + " chart and their bindings are there, and what the API server logs about them; 118"
                                + " of 120 pods have all rules in the spec; 2 pods were created without rule ssd"),
                row(
                        "an API server before 1.36 injects nothing, whatever pods have",
                        injecting(SOME, InjectionSupport.NOT_SERVED),
                        "False NotServed: the API server does not serve MutatingAdmissionPolicy in"
                                + " admissionregistration.k8s.io/v1, as Kubernetes does since 1.36: the rules hold at"
                                + " execution alone"),
                row(
                        "a chart without admission policies injects nothing, whatever pods have",
                        injecting(SOME, InjectionSupport.NOT_INSTALLED),
                        "False NotInstalled: the chart has not installed the admission policies that inject rules:"
                                + " upgrade the release with scheduling.enabled=true: the rules hold at execution"
                                + " alone"),
                row(
                        "a policy that is Disabled injects nothing",
                        StatusInputs.injecting(StatusInputs.injecting(Mode.DISABLED), SOME, InjectionSupport.INSTALLED),
                        "False Disabled: mode is Disabled: nothing is injected"),
                row(
                        "a policy without rules injects those of annotations that it allows",
                        StatusInputs.injecting(
                                entry("{mode: Enforce, podSelector: {}, scheduling: Inject, annotationRules: Allow}"),
                                SOME,
                                InjectionSupport.INSTALLED),
                        "True Injected: 118 of 120 pods have all rules in the spec; rule ssd is left out of 2 pods"
                                + " (OtherPodAffinity)"),
                row(
                        "a policy without rules has nothing to inject",
                        StatusInputs.injecting(
                                entry("{mode: Enforce, podSelector: {}, scheduling: Inject}"),
                                SOME,
                                InjectionSupport.INSTALLED),
                        "False NoRules: `rules` is empty, or each of them is Disabled: there is nothing to inject"),
                row(
                        "rules that are only preferred are not seen in pods",
                        StatusInputs.injecting(
                                entry("{mode: Enforce, podSelector: {}, scheduling: Inject, rules: [{name: ssd, when:"
                                        + " PossibleAtScheduling, nodeAffinity: {required: {nodeSelectorTerms:"
                                        + " [{matchExpressions: [{key: disk, operator: In, values: [ssd]}]}]}}}]}"),
                                InjectionReport.NOTHING,
                                InjectionSupport.INSTALLED),
                        "Unknown NotObserved: each rule is `when: PossibleAtScheduling`, and Holdfast does not read"
                                + " preferred terms of pods"),
                row(
                        "before the engine has reported, the policy is not evaluated",
                        new StatusInput(
                                StatusInputs.injecting(Mode.ENFORCE),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                InjectionSupport.INSTALLED),
                        "Unknown NotEvaluated: not evaluated yet: the operator is still reading the cluster"),
                row(
                        "the API server injects a generation that cannot be used",
                        StatusInputs.injecting(
                                entry("{mode: Enforce, forgivenessSeconds: -1, podSelector: {}, scheduling: Inject}"),
                                SOME,
                                InjectionSupport.INSTALLED),
                        "Unknown InvalidSpec: the API server injects the rules of generation 3, which the operator"
                                + " cannot use: spec.forgivenessSeconds: must be 0 to 604800 (a week), got -1; nothing"
                                + " is evicted for the policy until it is Ready"),
                row(
                        "an API server before 1.36 injects no generation that cannot be used",
                        StatusInputs.injecting(
                                entry("{mode: Enforce, forgivenessSeconds: -1, podSelector: {}, scheduling: Inject}"),
                                SOME,
                                InjectionSupport.NOT_SERVED),
                        "False NotServed: the API server does not serve MutatingAdmissionPolicy in"
                                + " admissionregistration.k8s.io/v1, as Kubernetes does since 1.36: the rules hold at"
                                + " execution alone"),
                argumentSet(
                        "a generation that cannot be used and is Disabled is not injected",
                        StatusInputs.injecting(
                                entry("{forgivenessSeconds: -1, scheduling: Inject, mode: Disabled}"),
                                SOME,
                                InjectionSupport.INSTALLED),
                        Optional.empty()),
                argumentSet(
                        "a policy that does not inject has no such condition",
                        new StatusInput(
                                StatusInputs.inMode(Mode.ENFORCE),
                                Optional.of(StatusInputs.report(3, Mode.ENFORCE, 0, Map.of())),
                                Optional.empty(),
                                Optional.empty(),
                                InjectionSupport.INSTALLED),
                        Optional.empty()));
    }

    private static StatusInput injecting(InjectionReport injection, InjectionSupport support) {
        return StatusInputs.injecting(StatusInputs.injecting(Mode.ENFORCE), injection, support);
    }

    private static PolicyEntry entry(String spec) {
        return StatusInputs.entry(spec, Optional.of(new PolicyEntry.InForce(3, Mode.ENFORCE, Duration.ofMinutes(10))));
    }

    private static Arguments row(String name, StatusInput statusInput, String expected) {
        return argumentSet(name, statusInput, Optional.of(expected));
    }

    @ParameterizedTest
    @MethodSource("policies")
    void says(StatusInput statusInput, Optional<String> expected) {
        assertThat(PolicyConditions.of(statusInput, StatusInputs.READ_AT).stream()
                        .filter(condition -> condition.type() == ConditionType.SCHEDULING_ENFORCED)
                        .map(condition -> condition.status() + " " + condition.reason() + ": " + condition.message())
                        .findFirst())
                .isEqualTo(expected);
    }
}
