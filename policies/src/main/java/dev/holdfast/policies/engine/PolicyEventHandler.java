package dev.holdfast.policies.engine;

import dev.holdfast.policies.engine.breaker.Backlogs;
import dev.holdfast.policies.engine.memory.History;
import dev.holdfast.policies.engine.memory.RequestedRules;
import dev.holdfast.policies.engine.memory.ViolationBook;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.status.Publishing;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.plan.conduct.Conduct;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** Takes new, edited, acknowledged and removed policies. */
final class PolicyEventHandler {
    private final Judge judge;
    private final ViolationBook book;
    private final RequestedRules requested;
    private final Resets resets;
    private final Backlogs backlogs;
    private final History history;
    private final Publishing publishing;

    PolicyEventHandler(
            Judge judge,
            ViolationBook book,
            RequestedRules requested,
            Resets resets,
            Backlogs backlogs,
            History history,
            Publishing publishing) {
        this.judge = judge;
        this.book = book;
        this.requested = requested;
        this.resets = resets;
        this.backlogs = backlogs;
        this.history = history;
        this.publishing = publishing;
    }

    /** Takes a new or edited policy, and how it restricts moves. */
    void changed(Policy policy, Conduct conduct, Instant now, List<Effect> effects) {
        resets.see(policy);
        Set<ViolationKey> started = book.startedBy(() -> {
            judge.policy(policy, now, effects);
            book.conductChanged(policy.id(), conduct, now);
        });
        backlogs.edited(policy, started, now);
    }

    /** Takes the ids that the annotation of a policy acknowledges. */
    void acknowledged(PolicyId policy, Set<String> ids) {
        backlogs.acknowledged(policy, ids);
    }

    void removed(PolicyId policy, Instant now, List<Effect> effects) {
        history.forget(policy);
        requested.forget(policy);
        judge.policyGone(policy, now, effects);
        backlogs.forget(policy);
        publishing.forget(policy);
    }
}
