package dev.holdfast.policies.plan.move;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * The reason why a due violation is not acted on now.
 *
 * @param message names the blocker: {@code PodDisruptionBudget shop/web allows no disruption}
 * @param nextLook when the violation is checked again at the latest; absent if the passing of time cannot end the hold
 * @param disclosure who may read the message
 */
public record Hold(Reason reason, String message, Optional<Instant> nextLook, Disclosure disclosure) {
    /** Creates a hold whose message all users may read. */
    public Hold(Reason reason, String message, Optional<Instant> nextLook) {
        this(reason, message, nextLook, new Disclosure.ToAll());
    }

    /** {@return the instant without fractions of a second, as messages show it} */
    public static Instant second(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS);
    }

    /**
     * {@return the same hold with the given text in front of its message, which only readers of cluster policies see}
     */
    public Hold saying(String before) {
        return new Hold(
                reason,
                before + message,
                nextLook,
                new Disclosure.Redacted("another pod would be moved instead, and is held now"));
    }

    /** {@return the same hold with another message for tenants, because its message names objects of others} */
    public Hold redacted(String forTenants) {
        return new Hold(reason, message, nextLook, new Disclosure.Redacted(forTenants));
    }

    /** {@return the same hold, whose message is about the settings of one policy; a redacted message stays redacted} */
    public Hold about(PolicyId policy) {
        return disclosure instanceof Disclosure.ToAll ? about(policy, message) : this;
    }

    /**
     * {@return the same hold, whose message is about the settings of one policy}
     *
     * @param forTenants the message that tenants read if the policy selects their pods
     */
    public Hold about(PolicyId policy, String forTenants) {
        return new Hold(
                reason,
                message,
                nextLook,
                new Disclosure.ToReadersOf(
                        policy, forTenants, "an exception, window, limit or backlog of another policy holds the pod"));
    }

    /**
     * {@return the same hold with a text behind its message that is about the settings of one policy} Readers of other
     * namespaced policies read the message without it.
     */
    public Hold adding(String more, PolicyId policy) {
        String others = toTenants(policy).message();
        return new Hold(reason, message + more, nextLook, new Disclosure.ToReadersOf(policy, others + more, others));
    }

    /**
     * {@return the same hold with the message that tenants may read}
     *
     * @param policy the policy for which they read it
     */
    public Hold toTenants(PolicyId policy) {
        return switch (disclosure) {
            case Disclosure.ToAll _ -> this;
            case Disclosure.ToReadersOf(PolicyId of, String own, String others) ->
                new Hold(reason, of.equals(policy) ? own : others, nextLook);
            case Disclosure.Redacted(String forTenants) -> new Hold(reason, forTenants, nextLook);
        };
    }

    /**
     * {@return the message as users read it} If the hold may last until a person acts, and the message itself does not
     * say what to do, that follows behind it: {@code a DaemonSet decides which node the pod runs on; correct the rule
     * of the DaemonSet, or exclude its pods with podSelector}.
     */
    public String advised() {
        return HoldEnd.of(reason)
                .flatMap(this::advice)
                .map(advice -> message + "; " + advice)
                .orElse(message);
    }

    private Optional<String> advice(HoldEnd end) {
        return switch (end) {
            case HoldEnd.AtTime _, HoldEnd.ByItself _ -> Optional.empty();
            case HoldEnd.ByPerson(String text, HoldEnd.Advice advice) ->
                switch (advice) {
                    case ADDED -> Optional.of(text);
                    case ADDED_WITHOUT_TIME -> Optional.of(text).filter(_ -> nextLook.isEmpty());
                    case IN_MESSAGE -> Optional.empty();
                };
        };
    }

    /** {@return a hold that ends only by a change of the cluster or a policy, not by the passing of time} */
    public static Hold untilChange(Reason reason, String message) {
        return new Hold(reason, message, Optional.empty());
    }

    /** {@return a hold whose violation is checked again at the given instant} */
    public static Hold until(Reason reason, String message, Instant nextLook) {
        return new Hold(reason, message, Optional.of(nextLook));
    }
}
