package dev.holdfast.operator.offline.demo;

import java.util.ArrayList;
import java.util.List;

/** Text shortened or wrapped to a number of columns. */
final class Columns {
    /** The width of the demo's lines without {@code --verbose}, in columns. */
    static final int WIDTH = 100;

    private static final String ELLIPSIS = "...";

    private Columns() {}

    /**
     * {@return the text, cut if it is longer than the width} The cut is at the last comma, colon or semicolon in the
     * second half of the width. If the text has none there, the cut is between two words, and an ellipsis follows.
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

    /** {@return the text as lines of at most this width} A word is split only if it is wider than a line. */
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
