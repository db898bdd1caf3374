package dev.holdfast.operator.offline.print;

import java.util.List;
import java.util.Locale;

/** Writes numbers with their nouns, for sentences. */
public final class Count {
    private Count() {}

    /** {@return a number with its noun: {@code 1 pod}, {@code 12,000 pods}} */
    public static String of(long number, String noun) {
        return String.format(Locale.ROOT, "%,d %s%s", number, noun, number == 1 ? "" : "s");
    }

    /** {@return the first of some names, and how many others there are: {@code web-1 and 12 more}} */
    public static String named(List<String> names) {
        return names.getFirst()
                + (names.size() == 1 ? "" : String.format(Locale.ROOT, " and %,d more", names.size() - 1));
    }
}
