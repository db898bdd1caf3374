package dev.holdfast.policies.engine.status;

import dev.holdfast.policies.engine.breaker.Breakers;
import dev.holdfast.policies.engine.ledger.LedgerState;
import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.report.InjectionReport;
import dev.holdfast.policies.engine.report.Outlook;
import dev.holdfast.policies.engine.report.PolicyEffect;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.engine.state.EvictionHistory;
import dev.holdfast.policies.engine.state.Readiness;
import dev.holdfast.policies.engine.state.RequestedRules;
import dev.holdfast.policies.engine.state.ViolationBook;
import dev.holdfast.policies.plan.controls.EffectiveLimits;
import dev.holdfast.policies.plan.controls.OperatorLimits;
import dev.holdfast.policies.plan.controls.PolicyLimits;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.PolicyScheduling;
import dev.holdfast.policies.rule.RuleKind;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Creates the status reports of policies. */
public final class PolicyReportFactory {
    private static final int OLDEST = 20;

    private final LiveCluster cluster;
    private final Readiness readiness;
    private final LedgerState ledger;
    private final RequestedRules requested;
    private final ViolationBook book;
    private final Breakers breakers;
    private final EvictionHistory evictionHistory;
    private final ReportFactory reportFactory;
    private final UninjectedPods uninjectedPods;
    private final OperatorLimits operatorLimits;

    /** @param operatorLimits the operator's limits, over all policies */
    public PolicyReportFactory(
            LiveCluster cluster,
            Readiness readiness,
            LedgerState ledger,
            RequestedRules requested,
            ViolationBook book,
            Breakers breakers,
            EvictionHistory evictionHistory,
            ReportFactory reportFactory,
            UninjectedPods uninjectedPods,
            OperatorLimits operatorLimits) {
        this.cluster = cluster;
        this.readiness = readiness;
        this.ledger = ledger;
        this.requested = requested;
        this.book = book;
        this.breakers = breakers;
        this.evictionHistory = evictionHistory;
        this.reportFactory = reportFactory;
        this.uninjectedPods = uninjectedPods;
        this.operatorLimits = operatorLimits;
    }

    /** {@return the present status of a policy} */
    PolicyReport of(Policy policy, ViolationTally violationTally, PolicyEffect effect, Instant now) {
        return new PolicyReport(
                policy.id(),
                requested.uid(policy.id()),
                policy.generation(),
                policy.mode().atMost(readiness.ceiling()),
                rules(policy),
                inEffect(policy.id()),
                violationTally.pods(cluster.index().selected(policy.id())),
                effect,
                violationTally.byRule(),
                violationTally.holds(),
                readiness
                        .distrust()
                        .map(difference -> policy.id().isOfCluster() ? difference : "see the log of the operator"),
                breakers.policyBacklogs().against(policy.id()).map(Hold::message),
                lostLedgerUntil(policy, now).flatMap(until -> ledger.lostLedger(until, policy.id())),
                outlook(policy.id(), violationTally),
                violationTally.nextDeadline(),
                oldest(policy.id(), violationTally, now),
                evictionHistory.of(policy.id()),
                injection(policy, now));
    }

    /** {@return the report on the injection of the policy's rules; empty if the policy does not inject them} */
    Optional<InjectionReport> injection(Policy policy, Instant now) {
        return policy.scheduling() == PolicyScheduling.INJECT
                ? Optional.of(uninjectedPods.report(policy.id(), cluster.index().injected(policy.id()), now))
                : Optional.empty();
    }

    /** {@return until when a policy's violations may wait because the ledger was not read; empty if none do} */
    Optional<Instant> lostLedgerUntil(Policy policy, Instant now) {
        return policy.mode().atMost(readiness.ceiling()) == Mode.ENFORCE
                ? ledger.waitsForLostLedger(policy.longestForgiveness(), now)
                : Optional.empty();
    }

    private EffectiveLimits inEffect(PolicyId policy) {
        PolicyLimits own = requested.controlsOf(policy).limits();
        return own.atMost(policy.isOfCluster() ? operatorLimits : operatorLimits.inOneNamespace());
    }

    private static Set<String> rules(Policy policy) {
        return Stream.of(
                        policy.podRules().keySet().stream().map(RuleKind::label),
                        policy.rules().stream().map(Policy.NamedRule::name),
                        policy.annotationRules().map(_ -> Policy.ANNOTATION_RULES).stream())
                .flatMap(Function.identity())
                .collect(Collectors.toSet());
    }

    private Outlook outlook(PolicyId policy, ViolationTally violationTally) {
        PolicyLimits own = requested.controlsOf(policy).limits();
        // A pod without a workload is never moved, because no controller would replace it.
        return own.allowAnyOfWorkloads()
                ? new Outlook(violationTally.toEvict(), perHour(own, inEffect(policy)))
                : new Outlook(0, 0);
    }

    private static int perHour(PolicyLimits own, EffectiveLimits inEffect) {
        boolean allowsAny = own.concurrent().orElse(1) > 0;
        return allowsAny ? inEffect.perHour() : 0;
    }

    private List<ViolationReport> oldest(PolicyId policy, ViolationTally violationTally, Instant now) {
        return violationTally.oldest(OLDEST).stream()
                .flatMap(key -> book.find(key).stream())
                .map(violation -> reportFactory.asSeenBy(policy, violation, now))
                .map(report -> policy.namespace().map(report::disclosedTo).orElse(report))
                .toList();
    }
}
