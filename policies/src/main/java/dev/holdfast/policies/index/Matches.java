package dev.holdfast.policies.index;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The rules whose partners some pods are. An array, also where there are many: to look through a thousand takes a
 * microsecond, and a map of them for each of a thousand classes would take hundreds of megabytes.
 */
final class Matches {
    private static final @Nullable LiveRule[] NONE = new @Nullable LiveRule[0];
    private static final int FIRST_SIZE = 2;

    private @Nullable LiveRule[] rules = NONE;
    private int size;

    void add(LiveRule rule) {
        if (size == rules.length) {
            rules = Arrays.copyOf(rules, Math.max(FIRST_SIZE, size * 2));
        }
        rules[size++] = rule;
    }

    /** Takes a rule out, if it is there; the last one takes its place. */
    void remove(LiveRule rule) {
        int place = place(rule);
        if (place < 0) {
            return;
        }
        rules[place] = rules[--size];
        rules[size] = null;
        if (size == 0) {
            rules = NONE;
        } else if (size * 4 <= rules.length) {
            rules = Arrays.copyOf(rules, Math.max(FIRST_SIZE, size * 2));
        }
    }

    int size() {
        return size;
    }

    boolean has(LiveRule rule) {
        return place(rule) >= 0;
    }

    /** Shows each rule; none may come or leave meanwhile. */
    void forEach(Consumer<LiveRule> action) {
        for (int place = 0; place < size; place++) {
            action.accept(Objects.requireNonNull(rules[place]));
        }
    }

    private int place(LiveRule rule) {
        for (int place = 0; place < size; place++) {
            if (rules[place] == rule) {
                return place;
            }
        }
        return -1;
    }
}
