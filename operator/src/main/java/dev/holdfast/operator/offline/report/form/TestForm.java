package dev.holdfast.operator.offline.report.form;

import dev.holdfast.operator.offline.policytest.TestReport;
import dev.holdfast.operator.offline.policytest.form.TestOutput;
import dev.holdfast.operator.offline.print.LineWidth;
import dev.holdfast.operator.offline.report.PlayedTests;
import dev.holdfast.operator.offline.report.page.PageScript;
import dev.holdfast.operator.offline.report.page.TestPage;
import java.util.List;

/** The forms in which the results of tests are written: the values of {@code -o}. */
public enum TestForm {
    TABLE,
    JSON,
    YAML,
    JUNIT,
    HTML;

    /**
     * {@return the results as lines}
     *
     * @param played the time lines of the tests, for the form that draws them
     * @param width the most characters of a line of text
     */
    public List<String> lines(TestReport report, PlayedTests played, LineWidth width) {
        return switch (this) {
            case TABLE -> TestOutput.TABLE.lines(report, width);
            case JSON -> TestOutput.JSON.lines(report, width);
            case YAML -> TestOutput.YAML.lines(report, width);
            case JUNIT -> TestOutput.JUNIT.lines(report, width);
            case HTML -> new TestPage(report, played, PageScript.ofProduct()).lines();
        };
    }
}
