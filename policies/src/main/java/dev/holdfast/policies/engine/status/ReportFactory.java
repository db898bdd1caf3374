package dev.holdfast.policies.engine.status;

import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.report.BoundPod;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.engine.state.Decisions;
import dev.holdfast.policies.engine.state.MovesInFlight;
import dev.holdfast.policies.engine.state.RecordedDecision;
import dev.holdfast.policies.engine.state.RequestedRules;
import dev.holdfast.policies.engine.state.SharedValues;
import dev.holdfast.policies.engine.state.ViolationBook;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.evaluate.ViolationDetail;
import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.inject.InjectionOutcome;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.check.Checks;
import dev.holdfast.policies.plan.controls.ProtectedPods;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.RuleIdentity;
import dev.holdfast.policies.rule.VictimChoice;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/**
 * Creates the reports of violations. A report describes a violation for one policy: with this policy's mode and its
 * name for the rule.
 */
public final class ReportFactory {
    private final LiveCluster cluster;
    private final RequestedRules requested;
    private final ViolationBook book;
    private final Decisions decisions;
    private final MovesInFlight moves;
    private final ProtectedPods protectedPods;
    private final SharedValues<String> demands = new SharedValues<>();
    private final SharedValues<Duration> forgivenesses = new SharedValues<>();

    public ReportFactory(
            LiveCluster cluster,
            RequestedRules requested,
            ViolationBook book,
            Decisions decisions,
            MovesInFlight moves,
            ProtectedPods protectedPods) {
        this.cluster = cluster;
        this.requested = requested;
        this.book = book;
        this.decisions = decisions;
        this.moves = moves;
        this.protectedPods = protectedPods;
    }

    /**
     * {@return the report of a violation for the policy for which it is due first} Policies in mode Audit do not count
     * if another policy enforces the rule.
     */
    public ViolationReport describe(Violation violation, Instant now) {
        return requested
                .find(violation.key())
                .flatMap(rule -> describe(violation, rule, first(violation, rule), now))
                .orElseGet(() -> lastReport(violation));
    }

    private AppliedRule.Request first(Violation violation, AppliedRule rule) {
        PolicyId policy = rule.requestingPolicies(requested.ceiling()).stream()
                .min(Comparator.comparing(it -> book.deadline(violation.key(), it)))
                .orElseThrow();
        return rule.effectiveRequest(policy, requested.ceiling());
    }

    /** {@return the report of a violation for one of the policies that request its rule} */
    ViolationReport asSeenBy(PolicyId policy, Violation violation, Instant now) {
        return requested
                .find(violation.key())
                .flatMap(rule -> rule.strongestRequests().stream()
                        .filter(request -> request.policy().equals(policy))
                        .findFirst()
                        .flatMap(request -> describe(violation, rule, request, now)))
                .orElseGet(() -> lastReport(violation));
    }

    /** {@return the report of the violation behind a move, for the policy of the move and with its victim} */
    public ViolationReport of(Move move, Violation violation, Instant now) {
        return asSeenBy(move.policy(), violation, now).withVictim(BoundPod.of(move.victim()));
    }

    /** {@return the last report of a violation that cannot be described again, because the index does not show it} */
    private ViolationReport lastReport(Violation violation) {
        return book.lastReport(violation.key())
                .orElseThrow(() -> new IllegalStateException("a violation that was never reported"));
    }

    private Optional<ViolationReport> describe(
            Violation violation, AppliedRule rule, AppliedRule.Request request, Instant now) {
        return requested
                .violationDetail(violation.key())
                .map(violationDetail -> describe(violation, rule, request, violationDetail, now));
    }

    private ViolationReport describe(
            Violation violation,
            AppliedRule rule,
            AppliedRule.Request request,
            ViolationDetail violationDetail,
            Instant now) {
        Pod pod = cluster.pod(violation.key().podUid()).orElseThrow();
        return new ViolationReport(
                violation.key(),
                pod.name(),
                pod.victimProtection().controller(),
                BoundPod.of(victim(violation.key()).orElse(pod)),
                request.policy(),
                request.name(),
                demands.of(rule.rule().describe()),
                request.enforcement().mode().atMost(requested.ceiling()),
                violation.cause(),
                violationDetail,
                violation.since(),
                forgivenesses.of(requested.forgiveness(violation.key(), rule, request.policy())),
                book.deadline(violation.key(), request.policy()),
                heldFromTheStart(pod, request),
                decisions.stateOf(violation, request.policy(), now),
                decisions.holdOf(violation, request.policy(), now),
                leftOut(pod, request, rule.identity()));
    }

    private Optional<InjectionOutcome> leftOut(Pod pod, AppliedRule.Request request, RuleIdentity rule) {
        return request.isInjected()
                ? cluster.index()
                        .injection(pod.uid(), request.policy())
                        .of(request, rule)
                        .filter(InjectionOutcome::isLeftOut)
                : Optional.empty();
    }

    /** {@return the pod that the last decision about a violation chose to evict; empty if it chose none} */
    private Optional<Pod> victim(ViolationKey key) {
        return decisions.find(key).flatMap(recordedDecision -> switch (recordedDecision) {
            case RecordedDecision.Held _ -> Optional.empty();
            case RecordedDecision.WouldEvict(Pod victim, var _) -> Optional.of(victim);
            case RecordedDecision.Evicting(String planId) -> moves.find(planId).map(Move::victim);
        });
    }

    /**
     * {@return the reason that will certainly hold the violation when it is due, for example {@code DaemonSetPod};
     * empty if none is certain} No reason is certain if partners may be evicted instead of the pod.
     */
    private Optional<Reason> heldFromTheStart(Pod pod, AppliedRule.Request request) {
        return Optional.of(request)
                .filter(it -> it.enforcement().victim() == VictimChoice.RULE_OWNER)
                .flatMap(it -> Checks.heldFromTheStart(
                        pod, protectedPods, requested.controlsOf(it.policy()).allowed()))
                .map(Hold::reason);
    }
}
