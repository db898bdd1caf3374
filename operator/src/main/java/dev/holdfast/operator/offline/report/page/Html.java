package dev.holdfast.operator.offline.report.page;

import dev.holdfast.operator.offline.print.Printable;
import java.util.Locale;

/**
 * Text of an HTML document under construction. Each value that is added as text or attribute is escaped, so that none
 * of them can be markup. The document is ASCII: it means the same in every encoding.
 */
final class Html {
    private final StringBuilder written = new StringBuilder();

    /** Adds markup, which must be a constant of this program. */
    Html markup(String markup) {
        written.append(markup);
        return this;
    }

    /** Adds text. */
    Html text(String text) {
        escape(text);
        return this;
    }

    /** Adds a number as people write it: {@code 12,000}. */
    Html number(long number) {
        return text(String.format(Locale.ROOT, "%,d", number));
    }

    /** Adds an attribute to the element whose start is being written. */
    Html attribute(String name, String value) {
        written.append(' ').append(name).append("=\"");
        escape(value);
        written.append('"');
        return this;
    }

    /** Adds an attribute with a number. */
    Html attribute(String name, long value) {
        return attribute(name, Long.toString(value));
    }

    /** Adds an element with text: {@code element("th scope=col", "Node")}. */
    Html element(String start, String text) {
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
