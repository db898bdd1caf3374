package dev.holdfast.operator.offline.report.html;

import dev.holdfast.operator.offline.print.Printable;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Text of an HTML document under construction. Each value that is added as text or attribute is escaped, so that none
 * of them can be markup. The document is ASCII: it means the same in every encoding.
 */
public final class Html {
    /** A place for a break every few letters is enough, and each takes five. */
    private static final int SHORTEST_PART = 6;

    private final StringBuilder written = new StringBuilder();

    /** Adds markup, which must be a constant of this program. */
    public Html markup(String markup) {
        written.append(markup);
        return this;
    }

    /** Adds text. */
    public Html text(String text) {
        escape(text);
        return this;
    }

    /**
     * Adds text with names, which a browser may break after a {@code -}, {@code .}, {@code /}, {@code =}, {@code _} or
     * {@code :}.
     */
    public Html name(String text) {
        int start = 0;
        for (int at = 0; at < text.length(); at++) {
            if ("-./=_:".indexOf(text.charAt(at)) >= 0 && at - start >= SHORTEST_PART && at + 1 < text.length()) {
                escape(text.substring(start, at + 1));
                markup("<wbr>");
                start = at + 1;
            }
        }
        escape(text.substring(start));
        return this;
    }

    /** Adds a number as people write it: {@code 12,000}. */
    public Html number(long number) {
        return text(String.format(Locale.ROOT, "%,d", number));
    }

    /** Adds an attribute to the element whose start is being written. */
    public Html attribute(String name, String value) {
        written.append(' ').append(name).append("=\"");
        escape(value);
        written.append('"');
        return this;
    }

    /** Adds an attribute with texts on lines of their own. */
    public Html attribute(String name, Stream<String> lines) {
        written.append(' ').append(name).append("=\"");
        String between = "";
        for (String line : lines.toList()) {
            written.append(between);
            escape(line);
            between = "&#10;";
        }
        written.append('"');
        return this;
    }

    /** Adds an attribute with a number. */
    public Html attribute(String name, long value) {
        return attribute(name, Long.toString(value));
    }

    /** Adds an element with text: {@code element("th scope=col", "Node")}. */
    public Html element(String start, String text) {
        int space = start.indexOf(' ');
        String name = space < 0 ? start : start.substring(0, space);
        return markup("<" + start + ">").text(text).markup("</" + name + ">");
    }

    /** Writes a text. Each character that is markup, not ASCII or invisible is escaped. */
    private void escape(String text) {
        Printable.of(text).codePoints().forEach(point -> {
            if (point > '~' || "<>&\"'`".indexOf(point) >= 0) {
                written.append("&#").append(point).append(';');
            } else {
                written.appendCodePoint(point);
            }
        });
    }

    @Override
    public String toString() {
        return written.toString();
    }
}
