package dev.holdfast.operator.offline.report.page;

import dev.holdfast.operator.offline.policytest.TestReport;
import dev.holdfast.operator.offline.print.Count;
import dev.holdfast.operator.offline.report.ClusterReport.State;
import dev.holdfast.operator.offline.report.PlayedTests;
import dev.holdfast.operator.offline.report.html.Html;
import dev.holdfast.operator.offline.report.html.StateMark;
import dev.holdfast.operator.offline.report.html.TimeLineHtml;
import java.util.List;
import java.util.Set;

/** The results of tests of policies as one HTML file, with a time line of the pods of each test. */
public final class TestPage {
    /** The heading of the pods. */
    private static final String TITLE = "Time lines";

    private static final int MOST_TESTS = 100;

    private static final int MOST_DEVIATIONS = 30;

    private final TestReport report;
    private final PlayedTests played;
    private final Html html = new Html();
    private final PageFrame frame;

    public TestPage(TestReport report, PlayedTests played, PageScript script) {
        this.report = report;
        this.played = played;
        this.frame = new PageFrame(html, script);
    }

    /** {@return the lines of the page} */
    public List<String> lines() {
        TestReport.Summary summary = report.summary();
        String errors = summary.errors() == 0 ? "" : ", " + summary.errors() + " not played";
        frame.begin(
                "Tests: " + summary.failed() + " failed" + errors,
                "Tests of policies",
                Count.of(summary.tests(), "test"),
                TITLE);
        html.markup("<section aria-labelledby=numbers>\n<h2 id=numbers class=vh>Numbers</h2>\n<dl class=numbers>\n");
        StateMark.number(html, State.FINE, summary.passed(), "passed");
        StateMark.number(html, State.VIOLATED, summary.failed(), "failed");
        StateMark.number(html, State.UNDETERMINED, summary.errors(), "could not be read or played");
        html.markup("</dl>\n</section>\n");
        frame.search();
        TimeLineHtml timeLine = new TimeLineHtml(html);
        // Those that failed come first.
        List<TestReport.Result> tests = report.tests().stream()
                .sorted((one, other) -> Boolean.compare(one.passed(), other.passed()))
                .limit(MOST_TESTS)
                .toList();
        timeLine.begin(
                TITLE,
                said(),
                tests.stream()
                        .flatMap(test -> played.timeLine(test.name()).lanes().stream())
                        .toList());
        tests.forEach(test -> write(test, timeLine));
        timeLine.end();
        frame.end("holdfast test", "");
        return html.toString().lines().toList();
    }

    private String said() {
        int more = report.tests().size() - MOST_TESTS;
        return "Pods that violate a rule or are removed in a test: at most " + PlayedTests.MOST_LANES + " of each test."
                + (more > 0
                        ? " " + Count.of(more, "more test") + (more == 1 ? " is" : " are") + " not on this page."
                        : "");
    }

    private void write(TestReport.Result test, TimeLineHtml timeLine) {
        State state = test.passed() ? State.FINE : test.error().isEmpty() ? State.VIOLATED : State.UNDETERMINED;
        html.markup("<h2 class=test>");
        StateMark.shape(html, state);
        html.markup(" ")
                .name(test.name())
                .markup(" <span class=muted>")
                .text(test.passed() ? "passed" : test.error().isEmpty() ? "failed" : "not played")
                .markup("</span></h2>\n");
        note(test.story());
        note(test.error());
        frame.list("warnings", test.warnings(), PageFrame.MOST_WARNINGS, "warning");
        frame.list(
                "rules",
                test.deviations().stream().map(TestReport.Difference::message).toList(),
                MOST_DEVIATIONS,
                "deviation");
        timeLine.lanes(played.timeLine(test.name()), Set.of());
        note(TimeLineHtml.others(played.timeLine(test.name())));
    }

    private void note(String text) {
        if (!text.isEmpty()) {
            html.markup("<p class=note>").name(text).markup("</p>\n");
        }
    }
}
