package dev.holdfast.operator.publish;

import dev.holdfast.policies.rule.PolicyId;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;

/**
 * A Kubernetes event to write. If an event with the same {@link #name} exists, its count is increased instead.
 *
 * @param target the object that the event is about
 * @param policy the policy that the event is about; empty if the event concerns all policies
 * @param rule the name of the rule that the event is about, or its kind if it has no name; the empty string if it is
 *     not about one rule; for a breaker, the label key or the namespace that it is about
 * @param message at most 1024 characters; a longer one is cut
 * @param plan the id of the plan that led to the eviction; empty if the event is not about an eviction
 */
record EventDraft(
        EventTarget target,
        EventReason reason,
        Optional<PolicyId> policy,
        String rule,
        String message,
        Optional<String> plan) {
    private static final int MAX_NAME = 253;
    private static final int MAX_MESSAGE = 1024;

    EventDraft {
        message = message.length() <= MAX_MESSAGE ? message : message.substring(0, MAX_MESSAGE - 3) + "...";
    }

    /**
     * {@return the name of the Event object} Events with the same target, reason, policy and rule have the same name,
     * so that a repeated event is counted.
     */
    String name() {
        String key = String.join(
                "\n",
                target.kind(),
                target.uid(),
                reason.label(),
                policy.map(PolicyId::toString).orElse(""),
                rule);
        String suffix = "."
                + UUID.nameUUIDFromBytes(key.getBytes(StandardCharsets.UTF_8))
                        .toString()
                        .replace("-", "")
                        .substring(0, 16);
        int room = MAX_NAME - suffix.length();
        String name = target.name();
        return (name.length() <= room ? name : name.substring(0, room)) + suffix;
    }
}
