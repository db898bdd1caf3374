package dev.holdfast.policies.selector;

import java.util.OptionalLong;

/** Parses integers as Go's {@code strconv.ParseInt(s, 10, 64)} does: {@code 007} is 7, {@code 1_000} is invalid. */
final class GoInteger {
    private GoInteger() {}

    /** {@return the number; empty if the text is anything but an optional sign and digits, or exceeds 64 bits} */
    static OptionalLong parse(String text) {
        int start = text.startsWith("-") || text.startsWith("+") ? 1 : 0;
        if (start == text.length()) {
            return OptionalLong.empty();
        }
        for (int i = start; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return OptionalLong.empty();
            }
        }
        try {
            return OptionalLong.of(Long.parseLong(text));
        } catch (NumberFormatException _) {
            return OptionalLong.empty();
        }
    }
}
