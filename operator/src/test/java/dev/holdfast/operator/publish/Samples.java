package dev.holdfast.operator.publish;

import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.report.BacklogReport;
import dev.holdfast.policies.engine.report.BoundPod;
import dev.holdfast.policies.engine.report.BrakeReport;
import dev.holdfast.policies.engine.report.BreakerReport;
import dev.holdfast.policies.engine.report.Outlook;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.engine.report.PolicyReport.EvictionRecord;
import dev.holdfast.policies.engine.report.PolicyReport.Pods;
import dev.holdfast.policies.engine.report.PolicyReport.RuleState;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.engine.report.ViolationState;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.evaluate.ViolationDetail;
import dev.holdfast.policies.forgive.Cause;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.inject.InjectionOutcome;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Phase;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodLifecycle;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.RestartPolicy;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.VictimProtection;
import dev.holdfast.policies.plan.controls.EffectiveLimits;
import dev.holdfast.policies.plan.controls.MaxUnavailable;
import dev.holdfast.policies.plan.controls.PolicyLimits;
import dev.holdfast.policies.plan.move.BreakerScope;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.RuleIdentity;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Sample violations and reports. Most are about pod shop/web-1 on node-12, whose label disk changed at 15:32:08. */
public final class Samples {
    /** The limits in effect: 5 evictions at once, 60 an hour; of a workload 1 at once and 3 an hour. */
    public static final EffectiveLimits LIMITS = new EffectiveLimits(
            5, 60, 2, 1, new PolicyLimits.HourlyWorkloadLimit.Pods(3), new MaxUnavailable.Percent(25));

    public static final Instant SINCE = Instant.parse("2026-11-20T15:32:08Z");
    public static final PolicyId POLICY = PolicyId.namespaced("shop", "web");
    public static final Cause DISK_CHANGED = new Cause.NodeLabelChanged(
            "node-12", new Cause.LabelChange("disk", Optional.of("ssd"), Optional.of("hdd")));
    public static final ViolationDetail NOT_SSD =
            new ViolationDetail.NodeMismatch("node-12", "disk In [ssd]", "it has disk=hdd");
    public static final Controller REPLICA_SET = new Controller("ReplicaSet", "web-5d9f8", "rs-uid");

    private Samples() {}

    /** {@return the violation of pod shop/web-1, in a policy with mode Enforce and ten minutes of forgiveness} */
    public static ViolationReport violation() {
        return violation("web-1", Mode.ENFORCE, DISK_CHANGED, NOT_SSD);
    }

    /** {@return the violation of a DaemonSet's pod, which is never evicted} */
    public static ViolationReport daemon() {
        return violation("web-1", Mode.ENFORCE, DISK_CHANGED, NOT_SSD, Optional.of(Reason.DAEMON_SET_POD));
    }

    /** {@return a violation of this pod in the namespace shop, with this mode, cause and detail} */
    public static ViolationReport violation(String pod, Mode mode, Cause cause, ViolationDetail violationDetail) {
        return violation(pod, mode, cause, violationDetail, Optional.empty());
    }

    private static ViolationReport violation(
            String pod, Mode mode, Cause cause, ViolationDetail violationDetail, Optional<Reason> protection) {
        Duration forgiveness = Duration.ofMinutes(10);
        return new ViolationReport(
                new ViolationKey(pod + "-uid", "node-12", new RuleIdentity("0123456789abcdef")),
                new NamespacedName("shop", pod),
                Optional.of(REPLICA_SET),
                new BoundPod(new NamespacedName("shop", pod), pod + "-uid", "node-12", Optional.of(REPLICA_SET)),
                POLICY,
                "ssd",
                "disk In [ssd]",
                mode,
                cause,
                violationDetail,
                SINCE,
                forgiveness,
                SINCE.plus(forgiveness),
                protection,
                ViolationState.FORGIVING,
                Optional.empty());
    }

    /** {@return the violation of an anti-affinity rule whose victim is a conflicting pod of lower priority} */
    public static ViolationReport insteadOf() {
        BoundPod batch =
                new BoundPod(new NamespacedName("data", "batch-1"), "batch-1-uid", "node-13", Optional.empty());
        return with(batch, POLICY, violation());
    }

    /** {@return the violation of an injected rule that is left out of the pod's spec} */
    public static ViolationReport leftOut() {
        ViolationReport it = violation();
        return new ViolationReport(
                it.key(),
                it.pod(),
                it.controller(),
                it.victim(),
                it.policy(),
                it.rule(),
                it.demand(),
                it.mode(),
                it.cause(),
                it.violationDetail(),
                it.since(),
                it.forgiveness(),
                it.deadline(),
                it.protection(),
                it.state(),
                it.hold(),
                Optional.of(InjectionOutcome.TOO_MANY_NODE_VALUES));
    }

    /** {@return a copy of the violation with this victim and this policy} */
    static ViolationReport with(BoundPod victim, PolicyId policy, ViolationReport it) {
        return new ViolationReport(
                it.key(),
                it.pod(),
                it.controller(),
                victim,
                policy,
                it.rule(),
                it.demand(),
                it.mode(),
                it.cause(),
                it.violationDetail(),
                it.since(),
                it.forgiveness(),
                it.deadline(),
                it.protection(),
                it.state(),
                it.hold());
    }

    /** {@return the violation in this state, with the hold if it is held} */
    public static ViolationReport violation(ViolationState state, Optional<Hold> hold) {
        ViolationReport it = violation();
        return new ViolationReport(
                it.key(),
                it.pod(),
                it.controller(),
                it.victim(),
                it.policy(),
                it.rule(),
                it.demand(),
                it.mode(),
                it.cause(),
                it.violationDetail(),
                it.since(),
                it.forgiveness(),
                it.deadline(),
                it.protection(),
                state,
                hold);
    }

    /** {@return the violation of pod shop/web-1, in a policy with mode Audit} */
    public static ViolationReport audited() {
        return violation("web-1", Mode.AUDIT, DISK_CHANGED, NOT_SSD);
    }

    /** {@return a hold because of a PodDisruptionBudget, whose next check is half a minute after {@code now}} */
    public static Hold budget(Instant now) {
        return Hold.until(
                Reason.DISRUPTION_BUDGET,
                "PodDisruptionBudget shop/web allows no disruption",
                now.plus(Duration.ofSeconds(30)));
    }

    /** {@return a pod in the namespace data} */
    public static Pod pod(String name) {
        return new Pod(
                name + "-uid",
                new NamespacedName("data", name),
                1,
                Labels.none(),
                Optional.of("node-12"),
                Scheduling.anywhere(),
                PodRequirements.none(),
                new PodLifecycle(Phase.RUNNING, true, SINCE, SINCE, Optional.empty(), false),
                new VictimProtection(Optional.empty(), 0, RestartPolicy.ALWAYS, false, false, false));
    }

    /** {@return a report of 120 pods with one violation in each state} */
    public static PolicyReport report(PolicyId policy) {
        return new PolicyReport(
                policy,
                3,
                Mode.ENFORCE,
                Set.of("ssd", "NodeAffinity"),
                LIMITS,
                new Pods(120, 3, 2, 1),
                Map.of(
                        new RuleState("ssd", ViolationState.FORGIVING), 1,
                        new RuleState("ssd", ViolationState.HELD), 1,
                        new RuleState("ssd", ViolationState.EVICTING), 1),
                Map.of(Reason.DISRUPTION_BUDGET, 1),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                new Outlook(1, 60),
                Optional.of(SINCE.plus(Duration.ofMinutes(10))),
                List.of(violation()),
                List.of());
    }

    /** {@return a report of one pod, with this violation and these evictions} */
    public static PolicyReport report(ViolationReport violation, List<EvictionRecord> recent) {
        return new PolicyReport(
                violation.policy(),
                3,
                violation.mode(),
                Set.of(violation.rule()),
                LIMITS,
                new Pods(1, 1, 1, 1),
                Map.of(new RuleState(violation.rule(), violation.state()), 1),
                violation.hold().map(hold -> Map.of(hold.reason(), 1)).orElse(Map.of()),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                new Outlook(1, 60),
                Optional.empty(),
                List.of(violation),
                recent);
    }

    /** {@return the same report of a policy that no longer has a rule} */
    static PolicyReport without(String rule, PolicyReport report) {
        Set<String> rules = new TreeSet<>(report.rules());
        rules.remove(rule);
        return new PolicyReport(
                report.policy(),
                report.generation() + 1,
                report.mode(),
                rules,
                report.limits(),
                report.pods(),
                Map.of(),
                report.holds(),
                report.verdictDifference(),
                report.backlog(),
                Optional.empty(),
                report.outlook(),
                report.nextDeadline(),
                List.of(),
                report.recent());
    }

    static BacklogReport backlog(BrakeReport.Change change) {
        return new BacklogReport(POLICY, "backlog@1", change, "the policy would have 11 of its 20 pods moved");
    }

    static BreakerReport breaker(BrakeReport.Change change) {
        return new BreakerReport(
                Reason.LABEL_BREAKER,
                "disk@1",
                new BreakerScope.NodeLabel("disk"),
                change,
                "label disk left 6 of 10 nodes in 90 s");
    }

    /** {@return a pod of the namespace shop with more labels than Holdfast reads} */
    public static Effect.FoundTooComplex tooComplex() {
        return tooComplex("shop");
    }

    static Effect.FoundTooComplex tooComplex(String namespace) {
        return new Effect.FoundTooComplex(
                new NamespacedName(namespace, "odd-1"),
                "odd-uid",
                "Holdfast evaluates none of this pod's own rules and never evicts it: it has 300 labels, and Holdfast"
                        + " reads at most 64");
    }

    /** {@return a pod whose annotation with rules is no JSON} */
    static Effect.FoundInvalidRules invalidRules(String namespace) {
        return new Effect.FoundInvalidRules(
                new NamespacedName(namespace, "odd-1"), "odd-uid", "The annotation is ignored: it must be JSON");
    }
}
