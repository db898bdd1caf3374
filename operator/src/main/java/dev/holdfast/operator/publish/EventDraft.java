package dev.holdfast.operator.publish;

import dev.holdfast.policies.rule.PolicyId;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;

/**
 * One event about one object, to be written or counted up.
 *
 * @param policy it is about; absent where it is about all
 * @param rule the rule's name; empty where the event is about none
 * @param plan of the eviction it is about
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
     * {@return the name of the event object: the same for the same object, reason, policy and rule, so that what
     * repeats is counted and not written again}
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
