package dev.holdfast.operator.offline.check.form;

import dev.holdfast.operator.offline.check.ViolationColumn;
import dev.holdfast.operator.offline.print.LineWidth;
import dev.holdfast.operator.offline.print.Table;
import java.util.List;

/**
 * How a report is written for people.
 *
 * @param width the most characters of a line
 * @param showsHeaders whether tables begin with the names of their columns
 * @param groupBy what violations of one group have in common; empty if the user did not say
 * @param labelKeys the labels of pods that have a column
 */
public record CheckStyle(LineWidth width, boolean showsHeaders, List<ViolationColumn> groupBy, List<String> labelKeys) {
    /** More violations than these begin with a table of groups. */
    private static final int MOST_WITHOUT_GROUPS = 40;

    public CheckStyle {
        groupBy = List.copyOf(groupBy);
        labelKeys = List.copyOf(labelKeys);
    }

    /** {@return whether the list of violations begins with a table of groups} */
    boolean beginsWithGroups(int violations) {
        return (violations > 0 && !groupBy.isEmpty()) || violations > MOST_WITHOUT_GROUPS;
    }

    /** {@return a table in this style} */
    List<String> lines(Table table) {
        return showsHeaders ? table.lines(width) : table.linesWithoutHeader(width);
    }
}
