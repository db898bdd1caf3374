package dev.holdfast.policies.engine.report;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.evaluate.ViolationDetail;
import dev.holdfast.policies.forgive.Cause;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.inject.InjectionOutcome;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A violation as one policy sees it, with everything that a user needs to understand it.
 *
 * @param pod the rule owner
 * @param controller the rule owner's direct controller; absent for a bare pod
 * @param victim the pod to evict, if a plan has chosen it; otherwise the rule owner
 * @param policy a policy that requests the rule
 * @param rule the rule's name in this policy, or its kind for a rule of the pod's own spec
 * @param demand the requirement of the rule, as text
 * @param mode ENFORCE if this policy may evict for the violation, else AUDIT
 * @param since when the clock of the violation started
 * @param deadline {@code since} plus forgiveness; later if the forgiveness was restarted, for example by a policy edit
 *     that allows more evictions
 * @param protection the reason that will hold the violation when it is due, if that is already certain
 * @param hold present only in state HELD, once a plan has decided about the violation
 * @param leftOut why the API server leaves the rule out of the pod's spec, although the policy injects it; absent if
 *     the rule is in the spec or the policy injects none
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
        Optional<Hold> hold,
        Optional<InjectionOutcome> leftOut) {
    /** Creates a report of a rule that is not injected, or that is in the pod's spec. */
    public ViolationReport(
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
        this(
                key,
                pod,
                controller,
                victim,
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
                hold,
                Optional.empty());
    }

    /** {@return the same report with this pod as the victim} */
    public ViolationReport withVictim(BoundPod pod) {
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
                hold,
                leftOut);
    }

    /**
     * {@return the same report without what readers in a namespace must not see: names and labels of pods and
     * namespaces of others, and policies that are not of this namespace} A victim of another namespace is left out.
     */
    public ViolationReport disclosedTo(String namespace) {
        return new ViolationReport(
                key,
                pod,
                controller,
                victim.name().namespace().equals(namespace) ? victim : owner(),
                policy,
                rule,
                demand,
                mode,
                cause.disclosedTo(namespace),
                violationDetail.disclosedTo(namespace),
                since,
                forgiveness,
                deadline,
                protection,
                state,
                hold.map(it -> it.toTenants(policy)),
                leftOut);
    }

    /** {@return the rule owner} */
    public BoundPod owner() {
        return new BoundPod(pod, key.podUid(), key.node(), controller);
    }

    /** {@return whether the victim is a partner instead of the rule owner} */
    public boolean isSubstitute() {
        return !victim.uid().equals(key.podUid());
    }
}
