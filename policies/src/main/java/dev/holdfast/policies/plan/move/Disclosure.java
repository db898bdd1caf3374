package dev.holdfast.policies.plan.move;

import dev.holdfast.policies.rule.PolicyId;

/** Who may read the message of a hold. Readers of cluster policies read every message; tenants read less. */
public sealed interface Disclosure {
    /** All users may read the message, which names nothing of other namespaces. */
    record ToAll() implements Disclosure {}

    /**
     * The message is about the settings of one policy.
     *
     * @param own the message for tenants whose policy it is, or whose pods the policy selects
     * @param others the message that the readers of other namespaced policies read
     */
    record ToReadersOf(PolicyId policy, String own, String others) implements Disclosure {}

    /** The message names pods, namespaces or policies of others. Tenants read another message instead. */
    record Redacted(String message) implements Disclosure {}
}
