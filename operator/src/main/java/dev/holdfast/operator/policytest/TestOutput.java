package dev.holdfast.operator.policytest;

import dev.holdfast.operator.print.Count;
import dev.holdfast.operator.print.Documents;
import dev.holdfast.operator.print.JunitXml;
import dev.holdfast.operator.print.Printable;
import dev.holdfast.operator.print.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The forms in which results are printed: the values of {@code -o}. */
public enum TestOutput {
    TABLE {
        @Override
        public List<String> lines(TestReport report) {
            Table table = new Table("TEST", "RESULT", "DEVIATIONS");
            report.tests()
                    .forEach(test -> table.row(
                            test.name(),
                            test.passed() ? "Passed" : "Failed",
                            Integer.toString(test.deviations().size())));
            List<String> lines = new ArrayList<>(table.lines());
            report.tests().stream().filter(test -> !test.passed()).forEach(test -> {
                lines.add("");
                lines.add(Printable.of(test.name()) + ":");
                test.deviations().forEach(deviation -> lines.add("  " + Printable.of(deviation.message())));
            });
            return lines;
        }
    },
    JSON {
        @Override
        public List<String> lines(TestReport report) {
            return Documents.json(report);
        }
    },
    YAML {
        @Override
        public List<String> lines(TestReport report) {
            return Documents.yaml(report);
        }
    },
    JUNIT {
        @Override
        public List<String> lines(TestReport report) {
            return new JunitXml(
                            "holdfast test",
                            report.tests().stream().map(TestOutput::testCase).toList())
                    .lines();
        }
    };

    /** {@return the results as lines} */
    public abstract List<String> lines(TestReport report);

    private static JunitXml.Case testCase(TestReport.Result test) {
        return new JunitXml.Case(
                "holdfast",
                test.name(),
                test.passed()
                        ? new JunitXml.Outcome.Passed()
                        : new JunitXml.Outcome.Failed(
                                Count.of(test.deviations().size(), "deviation"),
                                test.deviations().stream()
                                        .map(TestReport.Difference::message)
                                        .collect(Collectors.joining("\n"))));
    }

    /** {@return the numbers of a report as one sentence} */
    public static String summary(TestReport report) {
        return Count.of(report.summary().tests(), "test") + ": "
                + report.summary().passed() + " passed, " + report.summary().failed() + " failed";
    }
}
