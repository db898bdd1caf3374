package dev.holdfast.operator.cli;

import dev.holdfast.operator.cli.options.ProgramVersion;
import dev.holdfast.operator.config.LogFormat;
import dev.holdfast.operator.config.LogLevel;
import dev.holdfast.operator.log.Logging;
import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.policytest.PolicyTests;
import dev.holdfast.operator.offline.policytest.TestReport;
import dev.holdfast.operator.offline.policytest.form.FailedTests;
import dev.holdfast.operator.offline.policytest.form.TestOutput;
import dev.holdfast.operator.offline.print.PartialSummary;
import dev.holdfast.operator.offline.print.Printable;
import dev.holdfast.operator.offline.report.PlayedTests;
import dev.holdfast.operator.offline.report.form.TestForm;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code holdfast test}: plays folders with a cluster, steps and expectations. */
@Command(
        name = "test",
        description = {
            "Plays tests of policies: each folder with a file test.yaml has a cluster, policies, steps in time, and the"
                    + " violations, evictions, holds, pending pods and roll-outs that are expected. It plays the"
                    + " operator's own planner on a simulated clock, as what-if does, and needs no cluster."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        versionProvider = ProgramVersion.class,
        footerHeading = "%nExample:%n",
        footer = {
            "  holdfast test docs/samples/tests",
            "",
            "Exit codes:",
            "  0  no test fails at or above --fail-on",
            "  1  a test fails",
            "  2  invalid command line",
            "  3  a test cannot be read or played"
        })
final class TestCommand implements Callable<Integer> {
    private final ProcessEnvironment processEnvironment;
    private final PartialSummary partialSummary = new PartialSummary(() -> "no test ran", this::say);

    @Parameters(arity = "1..*", paramLabel = "DIR", description = "Folders with tests. Subfolders are searched too.")
    private List<String> folders = new ArrayList<>();

    @Option(
            names = "--record",
            description =
                    "Write what happens into test.yaml as its expectations, instead of comparing. The expectations in"
                        + " the file are replaced, with the comments in their lines. A folder with a cluster.yaml and"
                        + " without test.yaml gets one. A test that cannot be played keeps its file.")
    private boolean recording;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORM",
            description = "table, json, yaml, junit or html (one page with a time line of the pods of each test)."
                    + " Default: table.")
    private TestForm form = TestForm.TABLE;

    @Option(
            names = "--fail-on",
            paramLabel = "FINDING",
            description = "Which failed tests make the exit code 1: any; enforced (those with a deviation that is more"
                    + " than a violation which policies only audit, or of a pod that an exception names); due (those"
                    + " with a deviation that is more than a violation whose forgiveness has not passed); never. A"
                    + " deviation of evictions, waiting pods or roll-outs counts for all but never. Default: any.")
    private FailedTests failOn = FailedTests.ANY;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli fills it in before anything is run
    private CommandSpec spec;

    TestCommand(ProcessEnvironment processEnvironment) {
        this.processEnvironment = processEnvironment;
    }

    @Override
    public Integer call() {
        Logging.configure(LogLevel.WARN, LogFormat.TEXT);
        partialSummary.begin();
        try {
            return recording ? write() : play();
        } catch (DumpException e) {
            say(String.valueOf(e.getMessage()));
            return ExitCode.COULD_NOT_RUN;
        } finally {
            partialSummary.end();
            Logging.close();
        }
    }

    private int play() throws DumpException {
        PolicyTests tests = PolicyTests.in(folders, this::warn);
        PlayedTests played = new PlayedTests();
        TestReport report = tests.run(
                soFar -> partialSummary.now(() -> TestOutput.partialSummary(soFar, tests.count()) + "; no report"),
                form == TestForm.HTML ? played : _ -> {});
        partialSummary.beginPrinting();
        PrintWriter out = spec.commandLine().getOut();
        form.lines(report, played, processEnvironment.terminal().width()).forEach(out::println);
        if (out.checkError()) {
            throw new DumpException("cannot write to standard output");
        }
        partialSummary.endPrinting();
        failOn.tolerated(report).ifPresent(this::warn);
        say(TestOutput.summary(report));
        if (report.summary().errors() > 0) {
            return ExitCode.COULD_NOT_RUN;
        }
        return failOn.isIn(report) ? ExitCode.FINDINGS : ExitCode.OK;
    }

    private int write() throws DumpException {
        partialSummary.now(() -> "the recording is incomplete");
        int code = ExitCode.OK;
        for (PolicyTests.Recorded test : PolicyTests.record(folders, this::warn)) {
            if (test.problem().isPresent()) {
                code = ExitCode.COULD_NOT_RUN;
            }
            say(test.problem()
                    .map(problem -> problem + "; nothing is written to " + test.folder())
                    .orElse("wrote what happens into " + test.folder()
                            + "/test.yaml: see whether it is what you expect"));
        }
        return code;
    }

    private void warn(String warning) {
        say("warning: " + warning);
    }

    private void say(String text) {
        PrintWriter errors = spec.commandLine().getErr();
        errors.println("holdfast: " + Printable.of(text));
        errors.flush();
    }
}
