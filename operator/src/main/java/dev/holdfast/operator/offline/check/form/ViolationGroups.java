package dev.holdfast.operator.offline.check.form;

import dev.holdfast.operator.offline.check.CheckReport;
import dev.holdfast.operator.offline.check.ViolationColumn;
import dev.holdfast.operator.offline.print.Count;
import dev.holdfast.operator.offline.print.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Violations with something in common, counted: the table that a long list begins with. */
final class ViolationGroups {
    private static final List<ViolationColumn> USUAL =
            List.of(ViolationColumn.NAMESPACE, ViolationColumn.WORKLOAD, ViolationColumn.RULE, ViolationColumn.CAUSE);

    /** The maximum number of groups that are listed. */
    private static final int MOST = 40;

    private final List<String> names;
    private final List<Group> groups;

    /** Violations that are alike in some columns. */
    private record Group(List<String> values, int violations, Set<String> pods, Set<String> nodes) {
        private static final Comparator<Group> LARGEST_FIRST = Comparator.comparingInt(Group::violations)
                .reversed()
                .thenComparing(group -> String.join("\0", group.values()));

        private static Group of(List<String> values) {
            return new Group(values, 0, new HashSet<>(), new HashSet<>());
        }

        private Group with(CheckReport.Violation violation) {
            pods.add(violation.uid());
            nodes.add(violation.node());
            return new Group(values, violations + 1, pods, nodes);
        }
    }

    /** @param by what the violations of a group have in common; namespace, workload, rule and cause if it is empty */
    ViolationGroups(List<CheckReport.Violation> violations, List<ViolationColumn> by) {
        List<ViolationColumn> columns = by.isEmpty() ? USUAL : by;
        names = columns.stream()
                .flatMap(column -> column.names().stream())
                .distinct()
                .toList();
        Map<List<String>, Group> found = new HashMap<>();
        for (CheckReport.Violation violation : violations) {
            List<String> values = values(violation, columns);
            found.put(values, found.computeIfAbsent(values, Group::of).with(violation));
        }
        groups = found.values().stream().sorted(Group.LARGEST_FIRST).toList();
    }

    /** {@return the values of a violation in the columns, each column once} */
    private static List<String> values(CheckReport.Violation violation, List<ViolationColumn> columns) {
        Map<String, String> values = new LinkedHashMap<>();
        for (ViolationColumn column : columns) {
            List<String> own = column.of(violation);
            for (int at = 0; at < own.size(); at++) {
                values.put(column.names().get(at), own.get(at));
            }
        }
        return List.copyOf(values.values());
    }

    /** {@return the largest groups as a table, the largest first; the last line counts the others} */
    List<String> lines(CheckStyle style) {
        List<String> header = new ArrayList<>(List.of("VIOLATIONS", "PODS", "NODES"));
        header.addAll(names);
        Table table = new Table(header, ViolationTable.NAMES);
        groups.stream().limit(MOST).forEach(group -> {
            List<String> cells = new ArrayList<>(List.of(
                    Integer.toString(group.violations()),
                    Integer.toString(group.pods().size()),
                    Integer.toString(group.nodes().size())));
            cells.addAll(group.values());
            table.row(cells.toArray(String[]::new));
        });
        List<String> lines = new ArrayList<>(style.lines(table));
        if (groups.size() > MOST) {
            lines.addAll(style.width().wrap(others(style), "  "));
        }
        return lines;
    }

    private String others(CheckStyle style) {
        int violations = groups.stream().skip(MOST).mapToInt(Group::violations).sum();
        return "and " + Count.of(groups.size() - MOST, "more group") + " with " + Count.of(violations, "violation")
                + (style.groupBy().isEmpty() ? ": --group-by workload" : ": -o wide");
    }
}
