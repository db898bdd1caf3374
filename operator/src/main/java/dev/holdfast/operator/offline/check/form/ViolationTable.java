package dev.holdfast.operator.offline.check.form;

import dev.holdfast.operator.offline.check.CheckReport;
import dev.holdfast.operator.offline.print.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** The columns of a table with a row for each violation. */
final class ViolationTable {
    /** The columns whose names may be cut on a terminal. */
    static final Set<String> NAMES = Set.of("NAMESPACE", "WORKLOAD", "POD", "NODE", "ZONE");

    static final String BREACH = "BREACH";

    private final List<String> labelKeys;
    private final Map<String, Function<CheckReport.Violation, String>> columns = new LinkedHashMap<>();

    /**
     * The columns: those that most people need, or all.
     *
     * @param labelKeys the labels of each pod in the last columns, as {@code kubectl get -L} prints them
     */
    ViolationTable(boolean zones, boolean wide, List<String> labelKeys) {
        columns.put("NAMESPACE", CheckReport.Violation::namespace);
        columns.put("POD", CheckReport.Violation::pod);
        columns.put("NODE", CheckReport.Violation::node);
        if (zones) {
            columns.put("ZONE", CheckReport.Violation::zone);
        }
        columns.put("RULE", CheckReport.Violation::ruleText);
        if (wide) {
            columns.put("KIND", it -> it.rule().kind());
            columns.put("RESTART", it -> it.killedByKubeletRestart() ? "Killed" : "Stays");
            columns.put("INJECTION", it -> it.injection().isEmpty() ? "<none>" : it.injection());
            columns.put("POLICIES", it -> it.policies().isEmpty() ? "<none>" : String.join(",", it.policies()));
        }
        columns.put(BREACH, CheckReport.Violation::breach);
        if (wide) {
            columns.put("HEALS", CheckReport.Violation::heals);
        }
        this.labelKeys = List.copyOf(labelKeys);
    }

    /** {@return the table of some violations} */
    static Table of(List<CheckReport.Violation> violations, boolean wide, List<String> labelKeys) {
        boolean zones = violations.stream().anyMatch(it -> !it.zone().isEmpty());
        ViolationTable columns = new ViolationTable(zones, wide, labelKeys);
        Table table = new Table(columns.names(), NAMES);
        violations.forEach(it -> table.row(columns.cells(it).toArray(String[]::new)));
        return table;
    }

    /** {@return the names of the columns} */
    List<String> names() {
        List<String> names = new ArrayList<>(columns.keySet());
        labelKeys.forEach(
                key -> names.add(key.substring(key.lastIndexOf('/') + 1).toUpperCase(Locale.ROOT)));
        return names;
    }

    /** {@return the text of a violation in each column} */
    List<String> cells(CheckReport.Violation violation) {
        List<String> cells = new ArrayList<>();
        columns.values().forEach(column -> cells.add(column.apply(violation)));
        labelKeys.forEach(key -> cells.add(violation.labels().getOrDefault(key, "")));
        return cells;
    }
}
