package dev.holdfast.it.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A text table: columns are as wide as their widest cell, with two spaces between them. */
final class Table {
    private final List<List<String>> rows = new ArrayList<>();

    /** Adds a row; all rows have as many cells as the first. */
    Table row(String... cells) {
        if (!rows.isEmpty() && rows.getFirst().size() != cells.length) {
            throw new IllegalArgumentException("a row of " + cells.length + " cells in a table of "
                    + rows.getFirst().size());
        }
        rows.add(List.of(cells));
        return this;
    }

    /** {@return the table, without spaces at line ends} */
    String text() {
        return rows.stream().map(this::line).collect(Collectors.joining("\n"));
    }

    private String line(List<String> cells) {
        return IntStream.range(0, cells.size())
                .mapToObj(i -> cells.get(i) + " ".repeat(width(i) - cells.get(i).length()))
                .collect(Collectors.joining("  "))
                .stripTrailing();
    }

    private int width(int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    }
}
