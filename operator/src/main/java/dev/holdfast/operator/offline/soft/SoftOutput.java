package dev.holdfast.operator.offline.soft;

import dev.holdfast.operator.offline.print.Count;
import dev.holdfast.operator.offline.print.Documents;
import dev.holdfast.operator.offline.print.LineWidth;
import dev.holdfast.operator.offline.print.PodRows;
import dev.holdfast.operator.offline.print.Printable;
import dev.holdfast.operator.offline.print.RowLimit;
import java.util.List;
import java.util.Locale;

/** The forms in which unmet soft rules are printed. */
public enum SoftOutput {
    TABLE {
        @Override
        public List<String> lines(SoftReport report, LineWidth width) {
            return table(report, width, RowLimit.FORTY);
        }
    },
    /** All rows, also if they are many. */
    WIDE {
        @Override
        public List<String> lines(SoftReport report, LineWidth width) {
            return table(report, width, RowLimit.ALL);
        }
    },
    JSON {
        @Override
        public List<String> lines(SoftReport report, LineWidth width) {
            return Documents.json(report);
        }
    },
    YAML {
        @Override
        public List<String> lines(SoftReport report, LineWidth width) {
            return Documents.yaml(report);
        }
    },
    /** The pods that a move would improve for certain. */
    NAME {
        @Override
        public List<String> lines(SoftReport report, LineWidth width) {
            return report.unmet().stream()
                    .filter(it -> it.move().gain() > 0)
                    .map(it -> "pod/" + Printable.of(it.pod()))
                    .distinct()
                    .toList();
        }
    };

    private static final int MOST_NODES = 3;

    /** {@return the report as lines, without a line about its numbers; empty if there is nothing to list} */
    public abstract List<String> lines(SoftReport report, LineWidth width);

    /** {@return a sentence about the numbers of a report} */
    public static String summary(SoftReport report) {
        SoftReport.Summary numbers = report.summary();
        if (numbers.unmet() == 0) {
            return "No soft rule of " + Count.of(numbers.pods(), "pod") + " is unmet.";
        }
        return String.format(Locale.ROOT, "%,d of ", numbers.unmetPods()) + Count.of(numbers.pods(), "pod")
                + (numbers.unmetPods() == 1 ? " has " : " have ")
                + Count.of(numbers.unmet(), "unmet soft rule") + ". "
                + (numbers.improvablePods() == 0
                        ? "No move would gain something for certain."
                        : "A move of " + Count.of(numbers.improvablePods(), "pod")
                                + " would gain something for certain, and each move changes what the others gain.");
    }

    private static List<String> table(SoftReport report, LineWidth width, RowLimit limit) {
        if (report.unmet().isEmpty()) {
            return List.of();
        }
        PodRows rows = new PodRows(
                List.of("NAMESPACE", "POD", "NODE", "WORKLOAD", "UNMET RULE", "BREACH", "MOVE"),
                List.of("NAMESPACE", "WORKLOAD", "UNMET RULE", "MOVE"));
        report.unmet()
                .forEach(it -> rows.row(
                        it.namespace(),
                        it.pod(),
                        it.node(),
                        it.workload(),
                        it.rule().kind() + ": " + it.rule().text(),
                        it.breach(),
                        move(it.move())));
        return rows.lines(width, limit);
    }

    private static String move(SoftReport.Move move) {
        if (move.gain() == 0) {
            return move.obstacle() + ": " + move.why();
        }
        List<String> named = move.nodes().stream().sorted().limit(MOST_NODES).toList();
        int others = move.nodes().size() - named.size();
        return "gains " + move.gain() + " on " + String.join(", ", named)
                + (others == 0 ? "" : " and " + Count.of(others, "more node"));
    }
}
