package dev.holdfast.policies.model;

/** Quotes text from objects in messages, so short that no object makes messages long. */
public final class QuotedText {
    /** The maximum length of a quote, in characters. */
    public static final int MOST = 60;

    private static final String CUT = "...";

    private QuotedText() {}

    /** {@return the text; if it is longer than {@value #MOST} characters, its beginning and three dots} */
    public static String of(String text) {
        if (text.length() <= MOST) {
            return text;
        }
        int end = MOST - CUT.length();
        return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end) + CUT;
    }

    /** {@return the value of a label; the empty value in quotes, so that readers see it} */
    public static String value(String value) {
        return value.isEmpty() ? "\"\"" : value;
    }
}
