package dev.holdfast.policies.engine.report;

import dev.holdfast.policies.evaluate.Cause;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.evaluate.ViolationDetail;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A violation with all that a person needs to understand it, as one policy sees it.
 *
 * @param pod the rule owner
 * @param controller the pod's direct controller
 * @param victim the pod that goes or would go, as far as that is decided; else the rule owner
 * @param rule the rule's name in the policy, or its kind for a rule of the pod's own spec
 * @param demand what the rule demands, in words
 * @param mode ENFORCE if the policy would evict for it, else AUDIT
 * @param deadline since plus forgiveness, or later where a policy was widened
 * @param protection the reason for which the pod is held when it is due, where that is certain before
 * @param hold present only in state HELD; absent even there until a plan has looked at it
 */
public record ViolationReport(
        ViolationKey key,
        NamespacedName pod,
        Optional<Controller> controller,
        BoundPod victim,
        PolicyId policy,
        String rule,
        String demand,
        Mode mode,
        Cause cause,
        ViolationDetail violationDetail,
        Instant since,
        Duration forgiveness,
        Instant deadline,
        Optional<Reason> protection,
        ViolationState state,
        Optional<Hold> hold) {
    /** {@return the same report, with the pod that goes} */
    public ViolationReport going(BoundPod pod) {
        return new ViolationReport(
                key,
                this.pod,
                controller,
                pod,
                policy,
                rule,
                demand,
                mode,
                cause,
                violationDetail,
                since,
                forgiveness,
                deadline,
                protection,
                state,
                hold);
    }

    /** {@return the rule owner} */
    public BoundPod owner() {
        return new BoundPod(pod, key.podUid(), key.node(), controller);
    }

    /** {@return whether the pod goes, or would, that is in the rule owner's way} */
    public boolean anotherGoes() {
        return !victim.uid().equals(key.podUid());
    }
}
