package dev.holdfast.operator.publish;

import dev.holdfast.policies.rule.PolicyId;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;

/**
 * A Kubernetes event about one object, to be created or counted up.
 *
 * @param policy the policy of the event; empty if it concerns all policies
 * @param rule the rule's name; empty if the event is not about one rule
 * @param plan the id of the eviction; empty if the event is not about one
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
     * {@return the name of the event object: the same for the same object, reason, policy and rule, so that a repeated
     * event is counted instead of created}
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
