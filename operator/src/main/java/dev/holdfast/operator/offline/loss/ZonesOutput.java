package dev.holdfast.operator.offline.loss;

import dev.holdfast.operator.offline.print.Count;
import dev.holdfast.operator.offline.print.Documents;
import dev.holdfast.operator.offline.print.LineWidth;
import dev.holdfast.operator.offline.print.ShortNames;
import dev.holdfast.operator.offline.print.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** The forms in which the matrix of zones is printed: the values of {@code -o}. */
public enum ZonesOutput {
    TEXT {
        @Override
        public List<String> lines(ZonesReport report, LineWidth width) {
            List<ZonesReport.Workload> hit = report.workloads().stream()
                    .filter(it -> it.worst() != WorkloadState.FINE)
                    .toList();
            List<String> lines = new ArrayList<>(matrix(report, hit, width));
            if (report.summary().fine() > 0) {
                lines.add(Count.of(report.summary().fine(), "workload")
                        + " would keep all Ready pods, whichever zone fails; -o wide lists "
                        + (report.summary().fine() == 1 ? "it" : "them"));
            }
            lines.addAll(reasons(hit, width));
            return lines;
        }
    },
    WIDE {
        @Override
        public List<String> lines(ZonesReport report, LineWidth width) {
            List<String> lines = new ArrayList<>(matrix(report, report.workloads(), width));
            lines.addAll(reasons(report.workloads(), width));
            return lines;
        }
    },
    JSON {
        @Override
        public List<String> lines(ZonesReport report, LineWidth width) {
            return Documents.json(report);
        }
    },
    YAML {
        @Override
        public List<String> lines(ZonesReport report, LineWidth width) {
            return Documents.yaml(report);
        }
    };

    /** The most characters of the name of a zone in a narrow matrix. */
    private static final int MOST_OF_ZONE = 8;

    /**
     * {@return the report as lines}
     *
     * @param width the most characters of a line of text
     */
    public abstract List<String> lines(ZonesReport report, LineWidth width);

    private static List<String> matrix(ZonesReport report, List<ZonesReport.Workload> workloads, LineWidth width) {
        if (workloads.isEmpty()) {
            return List.of();
        }
        List<String> lines = matrix(report, workloads, Set.of(), zone -> zone, ZonesReport.Failure::words)
                .lines(LineWidth.UNLIMITED);
        if (lines.stream().allMatch(line -> line.length() <= width.characters())) {
            return lines;
        }
        ShortNames zones = new ShortNames(
                report.zones().stream().map(ZonesReport.Zone::zone).toList(), MOST_OF_ZONE);
        return matrix(report, workloads, Set.of("NAMESPACE", "WORKLOAD"), zones::of, ZonesOutput::shortCell)
                .lines(width);
    }

    private static Table matrix(
            ZonesReport report,
            List<ZonesReport.Workload> workloads,
            Set<String> cutColumns,
            UnaryOperator<String> zones,
            Function<ZonesReport.Failure, String> cells) {
        Table table = new Table(
                Stream.concat(
                                Stream.of("NAMESPACE", "WORKLOAD", "READY"),
                                report.zones().stream().map(zone -> "WITHOUT " + zones.apply(zone.zone())))
                        .toList(),
                cutColumns);
        workloads.forEach(it -> table.row(Stream.concat(
                        Stream.of(it.namespace(), it.kind() + "/" + it.name(), String.valueOf(it.pods())),
                        it.failures().stream().map(cells))
                .toArray(String[]::new)));
        return table;
    }

    /** {@return the cell of a narrow matrix: {@code budget 2} for {@code below budget (2)}, as for --fail-on} */
    private static String shortCell(ZonesReport.Failure failure) {
        return failure.words().replaceAll("below its |[()]| for .*", "");
    }

    /** {@return the reasons of all cells that are not fine, by zone, the worst first} */
    private static List<String> reasons(List<ZonesReport.Workload> workloads, LineWidth width) {
        record Cell(ZonesReport.Workload workload, ZonesReport.Failure failure) {}
        List<Cell> cells = workloads.stream()
                .flatMap(workload -> workload.failures().stream().map(failure -> new Cell(workload, failure)))
                .filter(cell -> cell.failure().hits())
                .sorted(Comparator.comparing((Cell cell) -> cell.failure().zone())
                        .thenComparing(cell -> cell.failure().worstMoment().state(), Comparator.reverseOrder()))
                .toList();
        if (cells.isEmpty()) {
            return List.of();
        }
        Table table = new Table("WITHOUT", "NAMESPACE", "WORKLOAD", "LEAST", "LEFT", "STATE", "WHY");
        cells.forEach(cell -> table.row(
                cell.failure().zone(),
                cell.workload().namespace(),
                cell.workload().kind() + "/" + cell.workload().name(),
                cell.failure().worstMoment().ready() + " of " + cell.workload().pods(),
                cell.failure().left() + " of " + cell.workload().pods(),
                cell.failure().worstMoment().words(cell.failure().state()),
                cell.failure().why()));
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.addAll(table.lines(width));
        return lines;
    }

    /** {@return the numbers of a report as one sentence} */
    public static String summary(ZonesReport report) {
        ZonesReport.Summary summary = report.summary();
        return "if one of " + Count.of(report.zones().size(), "zone") + " fails: "
                + Count.of(summary.gone(), "workload") + " would be gone, " + summary.belowBudget()
                + " below a disruption budget, " + summary.degraded() + " degraded, " + summary.fine() + " fine";
    }
}
