package dev.holdfast.policies.engine.protocol;

import java.util.Optional;

/** Whether a {@link View} is complete, so that the engine can rely on it. */
public sealed interface ViewStatus {
    /** All objects of the view have been delivered, and events for their changes follow. */
    record Synced() implements ViewStatus {}

    /**
     * Objects or changes of the view may be missing.
     *
     * @param why the reason as text
     */
    record Missing(String why) implements ViewStatus {}

    /** {@return why objects or changes may be missing; empty if the view is synced} */
    default Optional<String> missing() {
        return switch (this) {
            case Synced() -> Optional.empty();
            case Missing(String why) -> Optional.of(why);
        };
    }

    /** {@return whether the view is complete} */
    default boolean isSynced() {
        return missing().isEmpty();
    }
}
