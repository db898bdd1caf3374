package dev.holdfast.policies.engine.state;

import java.util.HashMap;
import java.util.Map;

/**
 * Makes equal values share one object, so that very many violations of one rule need little memory. The number of kept
 * values is bounded: when it is reached, all are dropped.
 */
public final class SharedValues<T> {
    private static final int MOST = 1_000;

    private final Map<T, T> known = new HashMap<>();

    /** {@return a value equal to the given one: the one that was shared before, if it is still known} */
    public T of(T value) {
        if (known.size() >= MOST) {
            known.clear();
        }
        T before = known.putIfAbsent(value, value);
        return before == null ? value : before;
    }
}
