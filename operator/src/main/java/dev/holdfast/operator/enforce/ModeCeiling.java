package dev.holdfast.operator.enforce;

import dev.holdfast.policies.engine.Event;
import dev.holdfast.policies.rule.Mode;
import io.fabric8.kubernetes.client.Config;
import java.util.function.Consumer;

/** Caps the mode of all policies: at the configured ceiling, and at Audit while the right to evict is missing. */
public final class ModeCeiling implements AutoCloseable {
    /**
     * A probe that has not begun yet.
     *
     * @param sink takes a ModeCapped at once on start, and another whenever the ceiling changes
     */
    public ModeCeiling(Config connection, Mode configured, Consumer<Event> sink) {}

    /** Caps, and begins to ask for the right. Returns at once. */
    public void start() {}

    @Override
    public void close() {}
}
