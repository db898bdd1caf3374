package dev.holdfast.operator.check;

import dev.holdfast.operator.print.Count;
import dev.holdfast.operator.print.Documents;
import dev.holdfast.operator.print.LineWidth;
import dev.holdfast.operator.print.Printable;
import dev.holdfast.operator.print.Table;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The forms in which a report is printed: the values of {@code -o}. */
public enum CheckOutput {
    TABLE {
        @Override
        public List<String> lines(CheckReport report, LineWidth width) {
            if (report.violations().isEmpty()) {
                return List.of();
            }
            Table table = new Table("NAMESPACE", "POD", "NODE", "RULE", "BREACH");
            report.violations()
                    .forEach(it -> table.row(
                            it.namespace(), it.pod(), it.node(), it.rule().name(), it.breach()));
            return table.lines(width);
        }
    },
    WIDE {
        @Override
        public List<String> lines(CheckReport report, LineWidth width) {
            if (report.violations().isEmpty()) {
                return List.of();
            }
            Table table =
                    new Table("NAMESPACE", "POD", "NODE", "RULE", "KIND", "RESTART", "POLICIES", "BREACH", "HEALS");
            report.violations()
                    .forEach(it -> table.row(
                            it.namespace(),
                            it.pod(),
                            it.node(),
                            it.rule().name(),
                            it.rule().kind(),
                            it.killedByKubeletRestart() ? "Killed" : "Stays",
                            it.policies().isEmpty() ? "<none>" : String.join(",", it.policies()),
                            it.breach(),
                            it.heals()));
            return table.lines(width);
        }
    },
    JSON {
        @Override
        public List<String> lines(CheckReport report, LineWidth width) {
            return Documents.json(report);
        }
    },
    YAML {
        @Override
        public List<String> lines(CheckReport report, LineWidth width) {
            return Documents.yaml(report);
        }
    },
    NAME {
        @Override
        public List<String> lines(CheckReport report, LineWidth width) {
            return report.violations().stream()
                    .collect(Collectors.toMap(
                            CheckReport.Violation::uid,
                            CheckReport.Violation::pod,
                            (one, _) -> one,
                            LinkedHashMap::new))
                    .values()
                    .stream()
                    .map(pod -> "pod/" + Printable.of(pod))
                    .toList();
        }
    };

    /**
     * {@return the report as lines, without a line about its numbers; empty if there is nothing to list}
     *
     * @param width the most characters of a line of a table
     */
    public abstract List<String> lines(CheckReport report, LineWidth width);

    /**
     * {@return the numbers of a report as one sentence: {@code 2 violations: 12 pods on 3 nodes; ...}}
     */
    public static String summary(CheckReport report) {
        CheckReport.Summary summary = report.summary();
        long killed = report.violations().stream()
                .filter(CheckReport.Violation::killedByKubeletRestart)
                .map(CheckReport.Violation::uid)
                .distinct()
                .count();
        return Stream.of(
                        Count.of(summary.violations(), "violation"),
                        Count.of(summary.pods(), "pod") + " on " + Count.of(summary.nodes(), "node"),
                        killed == 0
                                ? ""
                                : "a restart of the kubelet would reject " + Count.of(killed, "pod")
                                        + ", because it checks node rules again",
                        report.undetermined().isEmpty()
                                ? ""
                                : "no verdict on "
                                        + Count.of(report.undetermined().size(), "rule") + " of pods",
                        summary.uncheckedPods() == 0
                                ? ""
                                : Count.of(summary.uncheckedPods(), "unchecked pod") + " that no policy selects")
                .filter(part -> !part.isEmpty())
                .reduce((one, other) -> one + "; " + other)
                .orElseThrow();
    }
}
