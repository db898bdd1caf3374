package dev.holdfast.policies.index.lookup;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The rules whose partners some pods are. An array, also where there are many: to look through a thousand takes a
 * microsecond, and a map of them for each of a thousand classes would take hundreds of megabytes.
 */
public final class MatchedRules<T> {
    private static final @Nullable Object[] NONE = new @Nullable Object[0];
    private static final int FIRST_SIZE = 2;

    private @Nullable T[] rules = none();
    private int size;

    /** Never seen by others, so that it does not matter what it is an array of. */
    @SuppressWarnings("unchecked")
    private static <T> @Nullable T[] none() {
        return (@Nullable T[]) NONE;
    }

    public void add(T rule) {
        if (size == rules.length) {
            rules = Arrays.copyOf(rules, Math.max(FIRST_SIZE, size * 2));
        }
        rules[size++] = rule;
    }

    /** Takes a rule out, if it is there; the last one takes its place. */
    public void remove(T rule) {
        int place = place(rule);
        if (place < 0) {
            return;
        }
        rules[place] = rules[--size];
        rules[size] = null;
        if (size == 0) {
            rules = none();
        } else if (size * 4 <= rules.length) {
            rules = Arrays.copyOf(rules, Math.max(FIRST_SIZE, size * 2));
        }
    }

    public int size() {
        return size;
    }

    public boolean has(T rule) {
        return place(rule) >= 0;
    }

    /** Shows each rule; none may come or leave meanwhile. */
    public void forEach(Consumer<T> action) {
        for (int place = 0; place < size; place++) {
            action.accept(Objects.requireNonNull(rules[place]));
        }
    }

    /** Rules are the same only if they are one object. */
    @SuppressWarnings("ReferenceEquality")
    private int place(T rule) {
        for (int place = 0; place < size; place++) {
            if (rules[place] == rule) {
                return place;
            }
        }
        return -1;
    }
}
