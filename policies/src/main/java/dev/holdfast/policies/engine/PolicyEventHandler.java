package dev.holdfast.policies.engine;

import dev.holdfast.policies.engine.breaker.PolicyBacklogs;
import dev.holdfast.policies.engine.memory.EvictionHistory;
import dev.holdfast.policies.engine.memory.RequestedRules;
import dev.holdfast.policies.engine.memory.ViolationBook;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.status.ReportPublisher;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.plan.conduct.DisruptionControls;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** Handles new, edited, acknowledged and removed policies. */
final class PolicyEventHandler {
    private final ViolationTracker violationTracker;
    private final ViolationBook book;
    private final RequestedRules requested;
    private final FutilityResets futilityResets;
    private final PolicyBacklogs policyBacklogs;
    private final EvictionHistory evictionHistory;
    private final ReportPublisher reportPublisher;

    PolicyEventHandler(
            ViolationTracker violationTracker,
            ViolationBook book,
            RequestedRules requested,
            FutilityResets futilityResets,
            PolicyBacklogs policyBacklogs,
            EvictionHistory evictionHistory,
            ReportPublisher reportPublisher) {
        this.violationTracker = violationTracker;
        this.book = book;
        this.requested = requested;
        this.futilityResets = futilityResets;
        this.policyBacklogs = policyBacklogs;
        this.evictionHistory = evictionHistory;
        this.reportPublisher = reportPublisher;
    }

    /** Applies a new or edited policy and its restrictions on moves. */
    void changed(Policy policy, DisruptionControls disruptionControls, Instant now, List<Effect> effects) {
        futilityResets.see(policy);
        Set<ViolationKey> started = book.startedBy(() -> {
            violationTracker.policy(policy, now, effects);
            book.conductChanged(policy.id(), disruptionControls, now);
        });
        policyBacklogs.edited(policy, started, now);
    }

    /** Applies the ids that the annotation of a policy acknowledges. */
    void acknowledged(PolicyId policy, Set<String> ids) {
        policyBacklogs.acknowledged(policy, ids);
    }

    void removed(PolicyId policy, Instant now, List<Effect> effects) {
        evictionHistory.forget(policy);
        requested.forget(policy);
        violationTracker.policyGone(policy, now, effects);
        policyBacklogs.forget(policy);
        reportPublisher.forget(policy);
    }
}
