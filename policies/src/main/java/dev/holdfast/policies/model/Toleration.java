package dev.holdfast.policies.model;

import java.util.OptionalLong;

/**
 * A toleration as written.
 *
 * @param key empty matches every key
 * @param operator {@code Equal}, {@code Exists}, or empty, which means {@code Equal}
 * @param effect empty matches every effect
 * @param seconds how long the pod stays on a node with a matching NoExecute taint, {@code tolerationSeconds}; at once
 *     if not positive, for ever if absent; only simulations read it
 */
public record Toleration(String key, String operator, String value, String effect, OptionalLong seconds) {
    /** Creates a toleration without an end. */
    public Toleration(String key, String operator, String value, String effect) {
        this(key, operator, value, effect, OptionalLong.empty());
    }

    /** {@return a toleration of the same taints without an end} */
    public Toleration withoutEnd() {
        return seconds.isEmpty() ? this : new Toleration(key, operator, value, effect);
    }
}
