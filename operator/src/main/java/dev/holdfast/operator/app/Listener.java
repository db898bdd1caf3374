package dev.holdfast.operator.app;

import java.util.function.Consumer;

/**
 * A listener that is made before the parts that it uses. A part gets it in its constructor. Once all parts exist, and
 * before any of them starts, it gets its target. A value that comes earlier has no effect.
 *
 * @param <T> what the listener takes
 */
final class Listener<T> implements Consumer<T> {
    private volatile Consumer<T> target = _ -> {};

    /** Sets the target, which gets all values from now on. */
    void to(Consumer<T> next) {
        target = next;
    }

    @Override
    public void accept(T value) {
        target.accept(value);
    }
}
