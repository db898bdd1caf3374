package dev.holdfast.operator.offline.print;

import java.util.Locale;

/** Writes numbers with their nouns, for sentences. */
public final class Count {
    private Count() {}

    /** {@return a number with its noun: {@code 1 pod}, {@code 12,000 pods}} */
    public static String of(long number, String noun) {
        return String.format(Locale.ROOT, "%,d %s%s", number, noun, number == 1 ? "" : "s");
    }
}
