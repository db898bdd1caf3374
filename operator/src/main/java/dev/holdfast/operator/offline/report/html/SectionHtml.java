package dev.holdfast.operator.offline.report.html;

import dev.holdfast.operator.offline.print.Count;
import java.util.List;
import java.util.function.Consumer;

/** Writes a section with a table of at most some rows, and says how many others there are. */
public final class SectionHtml {
    private final Html html;

    public SectionHtml(Html html) {
        this.html = html;
    }

    /** Opens a section. */
    public void begin(String id, String title) {
        html.markup("<section aria-labelledby=" + id + ">\n")
                .element("h2 id=" + id, title)
                .markup("\n");
    }

    /**
     * Writes a table; nothing without rows.
     *
     * @param rows all rows, those that count most first
     * @param most the maximum number of rows of the table
     * @param noun what a row is, for the sentence about those that are left out
     * @param row writes the cells of a row, of which the first one is its header
     */
    public <T> void table(List<String> columns, List<T> rows, int most, String noun, Consumer<T> row) {
        if (rows.isEmpty()) {
            return;
        }
        html.markup("<div class=scroll><table class=\"kinds list\"><thead><tr>");
        columns.forEach(column -> html.element("th scope=col", column));
        html.markup("</tr></thead>\n<tbody>\n");
        rows.stream().limit(most).forEach(it -> {
            html.markup("<tr>");
            row.accept(it);
            html.markup("</tr>\n");
        });
        html.markup("</tbody></table></div>\n");
        int more = rows.size() - most;
        if (more > 0) {
            html.markup("<p class=note>")
                    .text(Count.of(more, "more " + noun) + (more == 1 ? " is" : " are") + " not in this table.")
                    .markup("</p>\n");
        }
    }

    /** Writes the header of a row. */
    public SectionHtml head(String name) {
        html.markup("<th scope=row>").name(name).markup("</th>");
        return this;
    }

    /** Writes a cell. */
    public SectionHtml cell(String text) {
        html.markup("<td>").name(text).markup("</td>");
        return this;
    }

    /** Writes a cell with a number. */
    public SectionHtml cell(long number) {
        html.markup("<td>").number(number).markup("</td>");
        return this;
    }

    /** Writes a note below a table. */
    public SectionHtml note(String text) {
        html.markup("<p class=note>").name(text).markup("</p>\n");
        return this;
    }

    /** Closes the section. */
    public void end() {
        html.markup("</section>\n");
    }
}
