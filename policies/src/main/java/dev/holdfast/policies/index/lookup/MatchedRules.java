package dev.holdfast.policies.index.lookup;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The rules that pods with equal labels are partners of. The rules are in an array without a hash table. A search
 * through a thousand rules takes a microsecond. Hash tables for a thousand label classes (pods of one namespace with
 * equal labels) would take hundreds of megabytes.
 */
public final class MatchedRules<T> {
    private static final @Nullable Object[] NONE = new @Nullable Object[0];
    private static final int FIRST_SIZE = 2;

    private @Nullable T[] rules = none();
    private int size;

    /** {@return an empty array, whose runtime component type does not matter because it does not leave this class} */
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

    /** Removes a rule, if it is contained; the last rule in the array moves to its position. */
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

    /** Calls the action for each rule; no rule may be added or removed meanwhile. */
    public void forEach(Consumer<T> action) {
        for (int place = 0; place < size; place++) {
            action.accept(Objects.requireNonNull(rules[place]));
        }
    }

    /** {@return the position of a rule, compared by reference} */
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
