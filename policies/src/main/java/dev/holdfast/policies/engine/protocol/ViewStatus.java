package dev.holdfast.policies.engine.protocol;

import java.util.Optional;

/** Whether the engine can rely on a view. */
public sealed interface ViewStatus {
    /** All objects of the view have been delivered; their changes follow. */
    record Synced() implements ViewStatus {}

    /**
     * Objects or changes of the view may be missing.
     *
     * @param why the reason as text
     */
    record Missing(String why) implements ViewStatus {}

    /** {@return why the view cannot be relied on; empty when it is synced} */
    default Optional<String> missing() {
        return switch (this) {
            case Synced() -> Optional.empty();
            case Missing(String why) -> Optional.of(why);
        };
    }

    /** {@return whether the view can be relied on} */
    default boolean isSynced() {
        return missing().isEmpty();
    }
}
