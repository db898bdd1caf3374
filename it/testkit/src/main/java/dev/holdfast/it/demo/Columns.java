package dev.holdfast.it.demo;

import java.util.ArrayList;
import java.util.List;

/** Fits text into lines of limited width. */
final class Columns {
    /** The widest line of the demo without {@code --verbose}. */
    static final int WIDTH = 100;

    private static final String ELLIPSIS = "...";

    private Columns() {}

    /**
     * {@return the text, or its beginning where it is longer than the width} It ends at the last comma, colon or
     * semicolon of its second half; if there is none, between two words and with an ellipsis.
     */
    static String shorten(String text, int width) {
        if (text.length() <= width) {
            return text;
        }
        for (int end = width; end > width / 2; end--) {
            if (",;:".indexOf(text.charAt(end)) >= 0 && text.startsWith(" ", end + 1)) {
                return text.substring(0, end);
            }
        }
        int room = width - ELLIPSIS.length();
        int space = text.lastIndexOf(' ', room);
        return text.substring(0, space > 0 ? space : room) + ELLIPSIS;
    }

    /** {@return the text in lines no wider than this} Words are kept whole, unless one is wider than a line. */
    static List<String> wrap(String text, int width) {
        List<String> lines = new ArrayList<>();
        String rest = text;
        while (rest.length() > width) {
            int space = rest.lastIndexOf(' ', width);
            int end = space > 0 ? space : width;
            lines.add(rest.substring(0, end));
            rest = rest.substring(end).stripLeading();
        }
        lines.add(rest);
        return lines;
    }
}
