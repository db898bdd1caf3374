package dev.holdfast.operator.cli.options;

import dev.holdfast.operator.offline.check.CheckReport;
import dev.holdfast.operator.offline.check.ViolationColumn;
import dev.holdfast.operator.offline.check.form.CheckStyle;
import dev.holdfast.operator.offline.print.LineWidth;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say how violations are grouped, ordered and shown. */
public final class ListOptions {
    @Option(
            names = "--group-by",
            split = ",",
            paramLabel = "COLUMN",
            description =
                    "Begin tables with the violations in groups, the largest first: namespace, workload, pod, rule,"
                            + " cause, node or zone, or several with commas between. Default:"
                            + " namespace,workload,rule,cause if there are more than 40 violations, else no groups.")
    private List<ViolationColumn> groupBy = new ArrayList<>();

    @Option(
            names = "--sort-by",
            paramLabel = "COLUMN",
            description = "Order the violations by one of these columns first. Default: namespace and pod.")
    private @Nullable ViolationColumn sortBy;

    @Option(
            names = {"-L", "--label-columns"},
            split = ",",
            paramLabel = "KEY",
            description = "Add these labels of pods to tables as columns, and to documents as labels.")
    private List<String> labelColumns = new ArrayList<>();

    @Option(names = "--no-headers", description = "Leave the names of columns out of tables.")
    private boolean noHeaders;

    /** {@return the labels of pods that the report has} */
    public List<String> labelKeys() {
        return List.copyOf(labelColumns);
    }

    /** {@return the report in the order that the user wants} */
    public CheckReport sorted(CheckReport report) {
        return sortBy == null ? report : report.sortedBy(sortBy::of);
    }

    /** {@return how tables are written} */
    public CheckStyle style(LineWidth width) {
        return new CheckStyle(width, !noHeaders, groupBy, labelColumns);
    }
}
