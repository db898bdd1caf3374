package dev.holdfast.operator.print;

import java.util.ArrayList;
import java.util.List;

/**
 * Columns of text as kubectl prints them: a line of upper-case names, then one line for each row, with three spaces
 * between columns.
 */
public final class Table {
    private static final String GAP = "   ";

    private final List<List<String>> rows = new ArrayList<>();

    /** @param columns the names of the columns */
    public Table(String... columns) {
        rows.add(List.of(columns));
    }

    /** Adds a row with one text for each column. Control characters in it are shown as escapes. */
    public void row(String... cells) {
        rows.add(List.of(cells).stream().map(Printable::of).toList());
    }

    /** {@return the lines, of which none ends in a space} */
    public List<String> lines() {
        int columns = rows.getFirst().size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int column = 0; column < columns; column++) {
                widths[column] = Math.max(widths[column], row.get(column).length());
            }
        }
        return rows.stream().map(row -> line(row, widths)).toList();
    }

    private static String line(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < row.size(); column++) {
            String cell = row.get(column);
            line.append(cell).append(" ".repeat(widths[column] - cell.length())).append(GAP);
        }
        return line.toString().stripTrailing();
    }
}
