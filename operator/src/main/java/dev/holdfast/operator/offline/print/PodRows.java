package dev.holdfast.operator.offline.print;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Rows about pods: all of them, or groups of alike rows if they are many, each with its number and its first pod. */
public final class PodRows {
    /** The maximum number of rows. */
    public static final int MOST = 40;

    private static final String POD = "POD";
    private static final String WORKLOAD = "WORKLOAD";

    private final List<String> names;
    private final List<String> alike;
    private final List<List<String>> rows = new ArrayList<>();

    /**
     * @param names of all columns; the column WORKLOAD is only in groups
     * @param alike the columns in which the rows of one group are the same
     */
    public PodRows(List<String> names, List<String> alike) {
        this.names = List.copyOf(names);
        this.alike = List.copyOf(alike);
    }

    /** Adds a row, whose cells are in the order of the columns. */
    public void row(String... cells) {
        rows.add(List.copyOf(Arrays.asList(cells)));
    }

    private String cell(List<String> row, String column) {
        return row.get(names.indexOf(column));
    }

    /** {@return the rows as a table} */
    public List<String> lines(LineWidth width, RowLimit limit) {
        return limit.allows(rows.size()) ? all(width) : groups(width);
    }

    private List<String> all(LineWidth width) {
        List<String> shown =
                names.stream().filter(name -> !name.equals(WORKLOAD)).toList();
        Table table = new Table(shown.toArray(String[]::new));
        rows.forEach(
                row -> table.row(shown.stream().map(name -> cell(row, name)).toArray(String[]::new)));
        return table.lines(width);
    }

    private List<String> groups(LineWidth width) {
        Map<List<String>, List<String>> groups = new LinkedHashMap<>();
        rows.forEach(row -> groups.computeIfAbsent(
                        alike.stream().map(name -> cell(row, name)).toList(), _ -> new ArrayList<>())
                .add(cell(row, POD)));
        List<Map.Entry<List<String>, List<String>>> largest = groups.entrySet().stream()
                .sorted(Comparator.comparingInt(group -> -group.getValue().size()))
                .toList();
        List<String> header = new ArrayList<>(List.of("PODS", "FOR EXAMPLE"));
        header.addAll(alike);
        Table table = new Table(header.toArray(String[]::new));
        largest.stream().limit(MOST).forEach(group -> {
            List<String> cells = new ArrayList<>(List.of(
                    Integer.toString(group.getValue().size()), group.getValue().getFirst()));
            cells.addAll(group.getKey());
            table.row(cells.toArray(String[]::new));
        });
        List<String> lines = new ArrayList<>(table.lines(width));
        int others =
                largest.stream().skip(MOST).mapToInt(it -> it.getValue().size()).sum();
        lines.addAll(width.wrap(
                others == 0
                        ? "all rows: -o wide"
                        : "and " + Count.of(largest.size() - MOST, "more group") + " with " + Count.of(others, "pod")
                                + ": -o wide",
                "  "));
        return lines;
    }
}
