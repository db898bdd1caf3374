package dev.holdfast.operator.offline.print;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Columns of text as kubectl prints them: a line of upper-case names, then the rows, with three spaces between columns.
 */
public final class Table {
    private static final String GAP = "   ";

    /** The minimum width of a column, because sentences in a narrower one are hard to read. */
    private static final int NARROWEST = 20;

    /** The longest name that others are padded to: a longer one would move their columns out of a narrow terminal. */
    private static final int LONGEST_PADDED = 60;

    private final List<List<String>> rows = new ArrayList<>();

    /** @param columns the names of the columns */
    public Table(String... columns) {
        rows.add(List.of(columns));
    }

    /** Adds a row with one text for each column. Control characters in a text are shown as escapes. */
    public void row(String... cells) {
        rows.add(List.of(cells).stream().map(Printable::of).toList());
    }

    /**
     * {@return the lines, of which none ends in a space} A row is one line if the table fits. Otherwise the widest
     * columns of sentences become narrower, and the rest of a sentence follows in lines below it. If 20 characters are
     * too wide for such a column, the sentences stand below their row instead:
     * {@code " BREACH: node-1 does not match disk=ssd"}. Words stay whole, so a table with many names may still be too
     * wide. Then a name of more than 60 characters widens no other row.
     *
     * @param width the most characters of a line
     */
    public List<String> lines(LineWidth width) {
        int[] widths = longest(LineWidth::length);
        int excess = total(widths) - width.characters();
        if (excess <= 0) {
            return rows.stream().map(row -> line(row, widths)).toList();
        }
        int[] least = longest(Table::longestWord);
        Arrays.setAll(least, column -> Math.min(widths[column], Math.max(least[column], NARROWEST)));
        if (total(least) > width.characters()) {
            return withSentencesBelow(width, widths, least);
        }
        for (; excess > 0; excess--) {
            columns(column -> widths[column] > least[column]).stream()
                    .max(Comparator.comparingInt(column -> widths[column]))
                    .ifPresent(widest -> widths[widest]--);
        }
        return rows.stream().flatMap(row -> wrapped(row, widths)).toList();
    }

    /** {@return the length of the longest text in each column} */
    private int[] longest(ToIntFunction<String> length) {
        return IntStream.range(0, rows.getFirst().size())
                .map(column -> rows.stream()
                        .map(row -> row.get(column))
                        .mapToInt(length)
                        .max()
                        .orElseThrow())
                .toArray();
    }

    /** {@return the length of the longest text in a column that is short enough to pad the others to} */
    private int longestPadded(int column) {
        return rows.stream()
                .mapToInt(row -> LineWidth.length(row.get(column)))
                .filter(length -> length <= LONGEST_PADDED)
                .max()
                .orElseThrow();
    }

    private static int longestWord(String cell) {
        return Arrays.stream(cell.split(" ", -1))
                .mapToInt(LineWidth::length)
                .max()
                .orElse(0);
    }

    private static int total(int[] widths) {
        return Arrays.stream(widths).sum() + GAP.length() * (widths.length - 1);
    }

    private List<Integer> columns(IntPredicate which) {
        return IntStream.range(0, rows.getFirst().size()).filter(which).boxed().toList();
    }

    private static Stream<String> wrapped(List<String> row, int[] widths) {
        List<List<String>> cells = IntStream.range(0, widths.length)
                .mapToObj(column -> new LineWidth(widths[column]).wrap(row.get(column), ""))
                .toList();
        int height = cells.stream().mapToInt(List::size).max().orElseThrow();
        return IntStream.range(0, height)
                .mapToObj(number -> line(
                        cells.stream()
                                .map(cell -> number < cell.size() ? cell.get(number) : "")
                                .toList(),
                        widths));
    }

    private List<String> withSentencesBelow(LineWidth width, int[] widths, int[] least) {
        List<Integer> names = columns(column -> widths[column] == least[column]);
        List<Integer> sentences = columns(column -> widths[column] > least[column]);
        int[] longestOfNames = names.stream().mapToInt(column -> widths[column]).toArray();
        int[] widthsOfNames = total(longestOfNames) <= width.characters()
                ? longestOfNames
                : names.stream().mapToInt(this::longestPadded).toArray();
        List<String> header = rows.getFirst();
        List<String> lines = new ArrayList<>();
        lines.add(line(names.stream().map(header::get).toList(), widthsOfNames));
        for (List<String> row : rows.subList(1, rows.size())) {
            lines.add(line(names.stream().map(row::get).toList(), widthsOfNames));
            sentences.stream()
                    .filter(column -> !row.get(column).isEmpty())
                    .map(column -> width.wrap("  " + header.get(column) + ": " + row.get(column), "    "))
                    .forEach(lines::addAll);
        }
        return lines;
    }

    private static String line(List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < widths.length; column++) {
            String cell = cells.get(column);
            line.append(cell)
                    .append(" ".repeat(Math.max(0, widths[column] - LineWidth.length(cell))))
                    .append(GAP);
        }
        return line.toString().stripTrailing();
    }
}
