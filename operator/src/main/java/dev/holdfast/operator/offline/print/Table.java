package dev.holdfast.operator.offline.print;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
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

    /** Names are cut to this width or to a larger one. */
    private static final int SHORTEST = 20;

    private final List<List<String>> rows = new ArrayList<>();
    private final Set<String> cutColumns;

    /** @param columns the names of the columns */
    public Table(String... columns) {
        this(List.of(columns), Set.of());
    }

    /**
     * Creates a table that cuts long names in the middle where it is too wide. Different names stay different.
     *
     * @param columns the names of the columns
     * @param cutColumns the columns whose names may be cut
     */
    public Table(List<String> columns, Set<String> cutColumns) {
        rows.add(List.copyOf(columns));
        this.cutColumns = Set.copyOf(cutColumns);
    }

    /** Adds a row with one text for each column. Control characters in a text are shown as escapes. */
    public void row(String... cells) {
        rows.add(List.of(cells).stream().map(Printable::of).toList());
    }

    /**
     * {@return the lines, of which none ends in a space} A row is one line if the table fits. Otherwise the widest
     * columns of sentences become narrower, and the rest of a sentence follows in lines below it. If 20 characters are
     * too wide for such a column, the sentences stand below their row instead, and the names of their columns below the
     * first line. There {@code -} stands for an empty sentence before another one. Words stay whole, so a table with
     * many names may still be too wide. Then a name of more than 60 characters widens no other row.
     *
     * @param width the most characters of a line
     */
    public List<String> lines(LineWidth width) {
        return lines(width, 0);
    }

    /** {@return the lines without the names of columns, but as wide as with them} */
    public List<String> linesWithoutHeader(LineWidth width) {
        return lines(width, 1);
    }

    /** {@return the lines of the rows after the first ones, but as wide as with these} */
    public List<String> linesAfter(int first, LineWidth width) {
        return lines(width, first + 1);
    }

    private List<String> lines(LineWidth width, int from) {
        int[] widths = longest(LineWidth::length);
        int excess = total(widths) - width.characters();
        List<List<String>> shown = rows.subList(from, rows.size());
        if (excess <= 0) {
            return shown.stream().map(row -> line(row, widths)).toList();
        }
        int[] least = least(widths);
        if (!cutColumns.isEmpty()) {
            return cut(least, total(least) - width.characters()).lines(width, from);
        }
        if (total(least) > width.characters()) {
            return withSentencesBelow(width, shown, widths, least);
        }
        for (; excess > 0; excess--) {
            columns(column -> widths[column] > least[column]).stream()
                    .max(Comparator.comparingInt(column -> widths[column]))
                    .ifPresent(widest -> widths[widest]--);
        }
        return shown.stream().flatMap(row -> wrapped(row, widths)).toList();
    }

    /** {@return the least widths of the columns, of which those of sentences are narrower than their texts} */
    private int[] least(int[] widths) {
        int[] least = longest(Table::longestWord);
        Arrays.setAll(least, column -> Math.min(widths[column], Math.max(least[column], NARROWEST)));
        return least;
    }

    /** {@return the same table with names cut, the longest first, until the excess is gone or no name can be cut} */
    private Table cut(int[] widths, int excess) {
        List<Integer> cutable =
                columns(column -> cutColumns.contains(rows.getFirst().get(column)));
        int[] cut = widths.clone();
        for (int left = excess; left > 0; left--) {
            cutable.stream()
                    .filter(column -> cut[column] > SHORTEST)
                    .max(Comparator.comparingInt(column -> cut[column]))
                    .ifPresent(widest -> cut[widest]--);
        }
        Map<Integer, Map<String, String>> shown = new HashMap<>();
        cutable.forEach(column -> {
            if (cut[column] < widths[column]) {
                shown.put(column, CutNames.of(column(column), cut[column]));
            }
        });
        Table table = new Table(rows.getFirst(), Set.of());
        rows.stream()
                .skip(1)
                .map(row -> IntStream.range(0, row.size())
                        .mapToObj(column ->
                                shown.getOrDefault(column, Map.of()).getOrDefault(row.get(column), row.get(column)))
                        .toList())
                .forEach(table.rows::add);
        return table;
    }

    private Set<String> column(int column) {
        return rows.stream().skip(1).map(row -> row.get(column)).collect(Collectors.toSet());
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

    private List<String> withSentencesBelow(LineWidth width, List<List<String>> shown, int[] widths, int[] least) {
        List<Integer> names = columns(column -> widths[column] == least[column]);
        List<Integer> sentences = columns(column -> widths[column] > least[column]);
        int[] longestOfNames = names.stream().mapToInt(column -> widths[column]).toArray();
        int[] widthsOfNames = total(longestOfNames) <= width.characters()
                ? longestOfNames
                : names.stream().mapToInt(this::longestPadded).toArray();
        List<String> lines = new ArrayList<>();
        for (List<String> row : shown) {
            lines.add(line(names.stream().map(row::get).toList(), widthsOfNames));
            List<String> texts = sentences.stream().map(row::get).toList();
            for (int at = 0; texts.subList(at, texts.size()).stream().anyMatch(it -> !it.isEmpty()); at++) {
                lines.addAll(width.wrap("  " + (texts.get(at).isEmpty() ? "-" : texts.get(at)), "    "));
            }
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
