package dev.holdfast.operator.reconcile;

import dev.holdfast.crds.v1alpha1.PlacementPolicy;
import dev.holdfast.operator.api.InjectionSupport;
import dev.holdfast.operator.publish.Samples;
import dev.holdfast.operator.reconcile.status.PolicyEntry;
import dev.holdfast.operator.reconcile.status.StatusInput;
import dev.holdfast.operator.translate.PolicyTranslator;
import dev.holdfast.operator.translate.Translation;
import dev.holdfast.policies.engine.report.InjectionReport;
import dev.holdfast.policies.engine.report.Outlook;
import dev.holdfast.policies.engine.report.PolicyEffect;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.engine.report.PolicyReport.Pods;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.index.count.Injected;
import dev.holdfast.policies.inject.InjectionOutcome;
import dev.holdfast.policies.inject.PolicyInjection;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.rule.Mode;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Sample policies and reports. All are about generation 3 of the policy shop/web. */
final class StatusInputs {
    static final Instant READ_AT = Samples.SINCE;

    private StatusInputs() {}

    static PolicyEntry entry(String spec, Optional<PolicyEntry.InForce> inForce) {
        return new PolicyEntry("uid", 3, translation(spec), inForce, Set.of(), READ_AT);
    }

    /** {@return a valid policy with this mode} */
    static PolicyEntry inMode(Mode mode) {
        return entry(
                "{mode: \"" + mode.label() + "\", podSelector: {}}",
                Optional.of(new PolicyEntry.InForce(3, mode, Duration.ofMinutes(10))));
    }

    /** {@return a valid policy with the rule {@code ssd}, which it injects} */
    static PolicyEntry injecting(Mode mode) {
        return entry(
                """
                {mode: "%s", podSelector: {}, scheduling: %s, rules: [{name: ssd, nodeAffinity: {required:
                {nodeSelectorTerms: [{matchExpressions: [{key: disk, operator: In, values: [ssd]}]}]}}}]}
                """.formatted(mode.label(), mode == Mode.AUDIT ? "InjectAlsoInAudit" : "Inject"),
                Optional.of(new PolicyEntry.InForce(3, mode, Duration.ofMinutes(10))));
    }

    /** {@return the state of this policy, of which 120 pods are selected and none violates a rule} */
    static StatusInput injecting(PolicyEntry entry, InjectionReport injection, InjectionSupport support) {
        Mode mode = entry.inForce().orElseThrow().requested();
        return new StatusInput(
                entry,
                Optional.of(report(3, mode, 0, Map.of()).withInjection(injection)),
                Optional.empty(),
                Optional.empty(),
                support);
    }

    /**
     * {@return what is known if the rule {@code ssd} was added to one pod, and is missing in others for this reason}
     */
    static InjectionReport leftOut(int injected, InjectionOutcome outcome, int pods) {
        return new InjectionReport(
                new Injected(injected, 120 - pods, Map.of(new PolicyInjection.OfRule("ssd", outcome), pods)),
                0,
                Optional.empty());
    }

    /** {@return what is known after a pod was created without the rule {@code ssd}} */
    static InjectionReport uninjected(int pods) {
        return new InjectionReport(
                new Injected(3, 118, Map.of(new PolicyInjection.OfRule("ssd", InjectionOutcome.ABSENT), 2)),
                pods,
                Optional.of(new InjectionReport.Example(new NamespacedName("shop", "web-1"), "ssd")));
    }

    /** {@return a valid policy with mode Enforce and without rules} */
    static PolicyEntry asksForNothing() {
        return entry(
                "{mode: Enforce, podSelector: {}, podRuleSelection: None}",
                Optional.of(new PolicyEntry.InForce(3, Mode.ENFORCE, Duration.ofMinutes(10))));
    }

    /** {@return a valid policy with mode Enforce and an exception for all its pods, until {@code end}} */
    static PolicyEntry exceptingUntil(Instant end) {
        return entry(
                "{mode: Enforce, podSelector: {}, exceptions: [{name: some, podSelector: {}, reason: x,"
                        + " expirationTime: \""
                        + end + "\"}]}",
                Optional.of(new PolicyEntry.InForce(3, Mode.ENFORCE, Duration.ofMinutes(10))));
    }

    /** {@return a valid policy with mode Enforce, whose limits allow no eviction and whose exception has expired} */
    static PolicyEntry restrained() {
        return entry(
                "{mode: Enforce, podSelector: {}, limits: {maxEvictionsPerHour: 0}, exceptions: [{name: some,"
                        + " podSelector: {}, reason: x, expirationTime: \"2026-11-01T00:00:00Z\"}]}",
                Optional.of(new PolicyEntry.InForce(3, Mode.ENFORCE, Duration.ofMinutes(10))));
    }

    private static Translation translation(String spec) {
        return new PolicyTranslator(Duration.ofMinutes(5))
                .translate(Serialization.unmarshal("""
                    apiVersion: holdfast.dev/v1alpha1
                    kind: PlacementPolicy
                    metadata: {namespace: shop, name: web, generation: 3}
                    spec: %s
                    """.formatted(spec), PlacementPolicy.class));
    }

    /** {@return a copy of the report, after a check of the operator against itself failed} */
    static PolicyReport distrusted(PolicyReport report) {
        return with(Optional.of("pod shop/web-1, rule disk In [ssd]"), report.backlog(), report);
    }

    /** {@return a copy of the report, with this message about a backlog that is not acknowledged} */
    static PolicyReport backlogged(PolicyReport report, String backlog) {
        return with(report.verdictDifference(), Optional.of(backlog), report);
    }

    /** {@return the same report, of a policy that selects no pod} */
    static PolicyReport selectingNone(PolicyReport report) {
        return with(new Pods(0, 0, 0, 0), PolicyEffect.NO_RULES, report);
    }

    /** {@return the same report, of a policy whose rules have this effect} */
    static PolicyReport effective(PolicyReport report, PolicyEffect effect) {
        return with(report.pods(), effect, report);
    }

    private static PolicyReport with(Pods pods, PolicyEffect effect, PolicyReport report) {
        return new PolicyReport(
                report.policy(),
                report.uid(),
                report.generation(),
                report.mode(),
                report.rules(),
                report.limits(),
                pods,
                effect,
                report.violations(),
                report.holds(),
                report.verdictDifference(),
                report.backlog(),
                report.lostLedger(),
                report.outlook(),
                report.nextDeadline(),
                report.oldest(),
                report.recent(),
                report.injection());
    }

    private static PolicyReport with(Optional<String> distrust, Optional<String> backlog, PolicyReport report) {
        return new PolicyReport(
                report.policy(),
                report.generation(),
                report.mode(),
                report.rules(),
                report.limits(),
                report.pods(),
                report.violations(),
                report.holds(),
                distrust,
                backlog,
                Optional.empty(),
                report.outlook(),
                report.nextDeadline(),
                report.oldest(),
                report.recent());
    }

    /** {@return the same report, after a start without the ledger of earlier processes} */
    static PolicyReport withoutLedger(PolicyReport report, String lost) {
        return new PolicyReport(
                report.policy(),
                report.generation(),
                report.mode(),
                report.rules(),
                report.limits(),
                report.pods(),
                report.violations(),
                report.holds(),
                report.verdictDifference(),
                report.backlog(),
                Optional.of(lost),
                report.outlook(),
                report.nextDeadline(),
                report.oldest(),
                report.recent());
    }

    static PolicyReport report(long generation, Mode mode, int violating, Map<Reason, Integer> holds) {
        return new PolicyReport(
                Samples.POLICY,
                generation,
                mode,
                Set.of("ssd"),
                Samples.LIMITS,
                new Pods(120, violating, 0, 0),
                Map.of(),
                holds,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                new Outlook(0, 60),
                Optional.empty(),
                List.of(),
                List.of());
    }
}
