package dev.holdfast.policies.engine;

import dev.holdfast.policies.engine.backlog.PolicyBacklogs;
import dev.holdfast.policies.engine.eviction.FutilityResets;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.state.EvictionHistory;
import dev.holdfast.policies.engine.state.Readiness;
import dev.holdfast.policies.engine.state.RequestedRules;
import dev.holdfast.policies.engine.state.ViolationBook;
import dev.holdfast.policies.engine.status.ReportPublisher;
import dev.holdfast.policies.engine.status.UninjectedPods;
import dev.holdfast.policies.engine.violations.ViolationTracker;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** Handles events about policies: created, edited, acknowledged by a user, or removed. */
final class PolicyEventHandler {
    private final ViolationTracker violationTracker;
    private final ViolationBook book;
    private final RequestedRules requested;
    private final Readiness readiness;
    private final FutilityResets futilityResets;
    private final PolicyBacklogs policyBacklogs;
    private final EvictionHistory evictionHistory;
    private final UninjectedPods uninjectedPods;
    private final ReportPublisher reportPublisher;

    PolicyEventHandler(StateParts state, ViolationParts violations, FutilityResets futilityResets) {
        this.violationTracker = violations.tracker;
        this.book = state.book;
        this.requested = state.requested;
        this.readiness = state.readiness;
        this.futilityResets = futilityResets;
        this.policyBacklogs = state.breakers.policyBacklogs();
        this.evictionHistory = state.moves.evictionHistory();
        this.uninjectedPods = state.uninjectedPods;
        this.reportPublisher = violations.reportPublisher;
    }

    /**
     * Applies a new or edited policy and its disruption controls (when it may evict pods, how many, and which not).
     * Begins a backlog if the edit would newly move many pods. After skipped generations, all of its pods count as
     * newly moved.
     */
    void changed(Event.PolicyChanged changed, Instant now, List<Effect> effects) {
        Policy policy = changed.policy();
        if (readiness.views().all()) {
            requested.edited(policy.id(), requested.objectVersion(policy.id()), now);
        }
        requested.identify(policy.id(), changed.uid());
        book.clockShards().allChanged();
        futilityResets.beforeChange(policy);
        uninjectedPods.changed(policy, now);
        violationTracker.policy(policy, now, effects);
        book.controlsChanged(policy.id(), changed.disruptionControls(), now);
        if (changed.skips()) {
            book.restart(policy.id(), now);
        }
        policyBacklogs.edited(policy.id());
    }

    /** Ends the backlog of a policy if the acknowledged ids include the id of the backlog, and reports unknown ids. */
    void acknowledged(PolicyId policy, Set<String> ids) {
        policyBacklogs.acknowledged(policy, ids);
    }

    void removed(PolicyId policy, Instant now, List<Effect> effects) {
        evictionHistory.forget(policy);
        requested.forget(policy);
        uninjectedPods.removed(policy);
        violationTracker.policyGone(policy, now, effects);
        policyBacklogs.forget(policy);
        reportPublisher.forget(policy);
    }
}
