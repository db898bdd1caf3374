package dev.holdfast.operator.offline.check.form;

import dev.holdfast.operator.offline.check.watch.ViolationChange;
import dev.holdfast.operator.offline.print.Documents;
import dev.holdfast.operator.offline.print.Printable;
import dev.holdfast.operator.offline.print.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Prints changes of violations one after the other, in the form of the report before them. */
public final class ChangeLines {
    /** How many of the last rows say how wide columns are. */
    private static final int REMEMBERED = 100;

    private final CheckOutput output;
    private final CheckStyle style;
    private final boolean showsZones;
    private final List<ViolationChange> remembered = new ArrayList<>();

    /**
     * @param output any form but the summary
     * @param showsZones whether tables have a column of zones
     */
    public ChangeLines(CheckOutput output, CheckStyle style, boolean showsZones) {
        this.output = output;
        this.style = style;
        this.showsZones = showsZones;
    }

    /**
     * {@return the names of the columns; empty for other forms than tables, and if the user wants none}
     *
     * @param followsList whether other lines stand before them
     */
    public List<String> header(boolean followsList) {
        if (!output.isForPeople() || !style.showsHeaders()) {
            return List.of();
        }
        List<String> lines = new ArrayList<>(followsList ? List.of("") : List.of());
        lines.addAll(table(List.of()).lines(style.width()));
        return lines;
    }

    /** {@return the lines of some changes} */
    public List<String> of(List<ViolationChange> changes) {
        return switch (output) {
            case TABLE, WIDE, SUMMARY -> rows(changes);
            case JSON ->
                changes.stream().flatMap(it -> Documents.json(it).stream()).toList();
            case YAML ->
                changes.stream()
                        .flatMap(it -> Stream.concat(Stream.of("---"), Documents.yaml(it).stream()))
                        .toList();
            case NAME ->
                changes.stream()
                        .filter(it -> it.event() == ViolationChange.Event.BEGAN)
                        .map(it -> "pod/" + Printable.of(it.violation().pod()))
                        .toList();
        };
    }

    private List<String> rows(List<ViolationChange> changes) {
        int before = Math.min(remembered.size(), REMEMBERED);
        List<ViolationChange> shown =
                new ArrayList<>(remembered.subList(remembered.size() - before, remembered.size()));
        shown.addAll(changes);
        remembered.clear();
        remembered.addAll(shown.subList(Math.max(0, shown.size() - REMEMBERED), shown.size()));
        return table(shown).linesAfter(before, style.width());
    }

    private Table table(List<ViolationChange> changes) {
        boolean wide = output == CheckOutput.WIDE;
        ViolationTable columns = new ViolationTable(showsZones, wide, style.labelKeys());
        List<String> names = new ArrayList<>(List.of("EVENT", "TIME"));
        names.addAll(columns.names());
        if (wide) {
            names.add("WHY");
        }
        Table table = new Table(names, ViolationTable.NAMES);
        for (ViolationChange change : changes) {
            List<String> cells = new ArrayList<>(List.of(change.event().name(), change.time()));
            cells.addAll(columns.cells(change.violation()));
            if (wide) {
                cells.add(change.why());
            } else if (change.event() == ViolationChange.Event.ENDED) {
                // The breach is over, and most people want to know why.
                cells.set(names.indexOf(ViolationTable.BREACH), change.why());
            }
            table.row(cells.toArray(String[]::new));
        }
        return table;
    }
}
