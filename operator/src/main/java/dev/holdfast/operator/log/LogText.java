package dev.holdfast.operator.log;

import java.util.Locale;

/** Makes text from the cluster safe to log: bounded, and without characters that begin a line or move the cursor. */
final class LogText {
    /** The maximum length of one text in a log line, in characters. */
    static final int MAX = 8_192;

    private LogText() {}

    /** {@return the text, cut off after {@value MAX} characters} */
    static String bounded(String text) {
        return text.length() <= MAX ? text : text.substring(0, MAX) + "... (" + text.length() + " characters)";
    }

    /**
     * {@return the bounded text with control characters and line separators written as escapes, for example {@code \n};
     * a backslash is written as two}
     */
    static String oneLine(String text) {
        String bounded = bounded(text);
        if (bounded.chars().noneMatch(LogText::isEscaped)) {
            return bounded;
        }
        StringBuilder line = new StringBuilder(bounded.length() + 16);
        bounded.chars().forEach(character -> {
            if (!isEscaped(character)) {
                line.append((char) character);
            } else if (character == '\\') {
                line.append("\\\\");
            } else if (character == '\n') {
                line.append("\\n");
            } else {
                line.append(String.format(Locale.ROOT, "\\u%04x", character));
            }
        });
        return line.toString();
    }

    private static boolean isEscaped(int character) {
        int type = Character.getType(character);
        return character == '\\'
                || type == Character.CONTROL
                || type == Character.FORMAT
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR;
    }
}
