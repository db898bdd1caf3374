package dev.holdfast.operator.offline.print;

import java.util.Locale;

/** Text of a cluster as a terminal may show it. */
public final class Printable {
    private Printable() {}

    /**
     * {@return the text with each control character, and each one that changes the direction of text, written as an
     * escape such as \u001b} Otherwise a name in a dump could move the cursor or hide other lines.
     */
    public static String of(String text) {
        StringBuilder shown = new StringBuilder(text.length());
        text.codePoints().forEach(point -> {
            if (isShown(point)) {
                shown.appendCodePoint(point);
            } else {
                shown.append(String.format(Locale.ROOT, "\\u%04x", point));
            }
        });
        return shown.toString();
    }

    private static boolean isShown(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.PRIVATE_USE,
                    Character.SURROGATE,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }
}
