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

/** A row for each violation. */
final class ViolationTable {
    /** The columns whose names may be cut on a terminal. */
    static final Set<String> NAMES = Set.of("NAMESPACE", "WORKLOAD", "POD", "NODE", "ZONE");

    private final Map<String, Function<CheckReport.Violation, String>> columns = new LinkedHashMap<>();
    private final List<CheckReport.Violation> violations;

    private ViolationTable(List<CheckReport.Violation> violations) {
        this.violations = violations;
        columns.put("NAMESPACE", CheckReport.Violation::namespace);
        columns.put("POD", CheckReport.Violation::pod);
        columns.put("NODE", CheckReport.Violation::node);
        if (violations.stream().anyMatch(it -> !it.zone().isEmpty())) {
            columns.put("ZONE", CheckReport.Violation::zone);
        }
        columns.put("RULE", CheckReport.Violation::ruleText);
    }

    /** {@return the table with the columns that most people need} */
    static Table narrow(List<CheckReport.Violation> violations, List<String> labelKeys) {
        ViolationTable table = new ViolationTable(violations);
        table.columns.put("BREACH", CheckReport.Violation::breach);
        return table.with(labelKeys);
    }

    /** {@return the table with all columns} */
    static Table wide(List<CheckReport.Violation> violations, List<String> labelKeys) {
        ViolationTable table = new ViolationTable(violations);
        table.columns.put("KIND", it -> it.rule().kind());
        table.columns.put("RESTART", it -> it.killedByKubeletRestart() ? "Killed" : "Stays");
        table.columns.put("INJECTION", it -> it.injection().isEmpty() ? "<none>" : it.injection());
        table.columns.put("POLICIES", it -> it.policies().isEmpty() ? "<none>" : String.join(",", it.policies()));
        table.columns.put("BREACH", CheckReport.Violation::breach);
        table.columns.put("HEALS", CheckReport.Violation::heals);
        return table.with(labelKeys);
    }

    /** {@return the table, with the labels of each pod in the last columns, as {@code kubectl get -L} prints them} */
    private Table with(List<String> labelKeys) {
        List<String> header = new ArrayList<>(columns.keySet());
        labelKeys.forEach(
                key -> header.add(key.substring(key.lastIndexOf('/') + 1).toUpperCase(Locale.ROOT)));
        Table table = new Table(header, NAMES);
        for (CheckReport.Violation violation : violations) {
            List<String> cells = new ArrayList<>();
            columns.values().forEach(column -> cells.add(column.apply(violation)));
            labelKeys.forEach(key -> cells.add(violation.labels().getOrDefault(key, "")));
            table.row(cells.toArray(String[]::new));
        }
        return table;
    }
}
