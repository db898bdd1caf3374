package dev.holdfast.operator.offline.policytest.form;

import dev.holdfast.operator.offline.policytest.TestReport;
import dev.holdfast.operator.offline.print.Count;
import dev.holdfast.operator.offline.print.Documents;
import dev.holdfast.operator.offline.print.JunitXml;
import dev.holdfast.operator.offline.print.LineWidth;
import dev.holdfast.operator.offline.print.Printable;
import dev.holdfast.operator.offline.print.Table;
import java.util.ArrayList;
import java.util.List;

/** The forms in which results are printed: the values of {@code -o}. */
public enum TestOutput {
    TABLE {
        @Override
        public List<String> lines(TestReport report, LineWidth width) {
            Table table = new Table("TEST", "RESULT", "DEVIATIONS");
            report.tests()
                    .forEach(test -> table.row(
                            test.name(),
                            result(test),
                            Integer.toString(test.deviations().size())));
            List<String> lines = new ArrayList<>(table.lines(width));
            report.tests().stream().filter(test -> !test.passed()).forEach(test -> {
                lines.add("");
                lines.add(Printable.of(test.name()) + ":");
                problems(test).forEach(problem -> lines.addAll(width.wrap("  " + Printable.of(problem), "    ")));
            });
            return lines;
        }
    },
    JSON {
        @Override
        public List<String> lines(TestReport report, LineWidth width) {
            return Documents.json(report);
        }
    },
    YAML {
        @Override
        public List<String> lines(TestReport report, LineWidth width) {
            return Documents.yaml(report);
        }
    },
    JUNIT {
        @Override
        public List<String> lines(TestReport report, LineWidth width) {
            return new JunitXml(
                            "holdfast test",
                            report.tests().stream().map(TestOutput::testCase).toList())
                    .lines();
        }
    };

    /**
     * {@return the results as lines}
     *
     * @param width the most characters of a line of text
     */
    public abstract List<String> lines(TestReport report, LineWidth width);

    private static JunitXml.Case testCase(TestReport.Result test) {
        return new JunitXml.Case("holdfast", test.name(), outcome(test), test.warnings());
    }

    private static JunitXml.Outcome outcome(TestReport.Result test) {
        if (!test.error().isEmpty()) {
            return new JunitXml.Outcome.Errored(test.error(), "");
        }
        return test.passed()
                ? new JunitXml.Outcome.Passed()
                : new JunitXml.Outcome.Failed(
                        Count.of(test.deviations().size(), "deviation"), String.join("\n", problems(test)));
    }

    private static String result(TestReport.Result test) {
        if (!test.error().isEmpty()) {
            return "Error";
        }
        return test.passed() ? "Passed" : "Failed";
    }

    private static List<String> problems(TestReport.Result test) {
        return test.error().isEmpty()
                ? test.deviations().stream().map(TestReport.Difference::message).toList()
                : List.of(test.error());
    }

    /** {@return the numbers of a report as one sentence} */
    public static String summary(TestReport report) {
        return Count.of(report.summary().tests(), "test") + ": " + results(report);
    }

    /**
     * {@return the numbers of a report about the first tests as one sentence: {@code 3 of 10 tests ran: 3 passed, 0
     * failed}}
     */
    public static String partialSummary(TestReport report, int all) {
        return report.summary().tests() + " of " + Count.of(all, "test") + " ran: " + results(report);
    }

    private static String results(TestReport report) {
        return report.summary().passed() + " passed, " + report.summary().failed() + " failed"
                + (report.summary().errors() == 0
                        ? ""
                        : ", " + report.summary().errors() + " could not be read or played");
    }
}
