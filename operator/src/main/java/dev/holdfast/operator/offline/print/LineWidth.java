package dev.holdfast.operator.offline.print;

import java.util.ArrayList;
import java.util.List;

/**
 * The most characters of a line of text for people.
 *
 * @param characters counted as code points
 */
public record LineWidth(int characters) {
    /** The width for files and other programs: each row of a table stays one line, so that grep finds it as a whole. */
    public static final LineWidth UNLIMITED = new LineWidth(Integer.MAX_VALUE);

    /**
     * {@return a text as lines, broken at spaces} A longer word stays whole. With 8 characters and an indentation of
     * two spaces, {@code n1, n2, n3} is {@code n1, n2,} and {@code " n3"}.
     *
     * @param indentation is put before each line but the first
     */
    public List<String> wrap(String text, String indentation) {
        if (length(text) <= characters) {
            return List.of(text);
        }
        List<String> lines = new ArrayList<>();
        String line = "";
        String next = "";
        for (String word : text.split(" ", -1)) {
            String longer = next + word;
            if (length(longer) > characters && !line.isBlank()) {
                lines.add(line);
                longer = indentation + word;
            }
            line = longer;
            next = line + " ";
        }
        lines.add(line);
        return lines;
    }

    static int length(String text) {
        return text.codePointCount(0, text.length());
    }
}
