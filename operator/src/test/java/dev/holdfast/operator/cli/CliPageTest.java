package dev.holdfast.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/**
 * The page about the command line has the help text of each command. {@code -Dholdfast.cli.write=true} writes it.
 */
class CliPageTest {
    private static final Path PAGE = Path.of("..", "docs", "cli.md");
    private static final int WIDTH = 100;

    @Test
    void thePageHasTheHelpOfEachCommand() throws IOException {
        String page = page();
        if (Boolean.getBoolean("holdfast.cli.write")) {
            Files.writeString(PAGE, page);
        }
        assertThat(PAGE).content().isEqualTo(page);
    }

    private static String page() {
        CommandLine holdfast = CommandRun.in(Path.of("")).commandLine();
        StringBuilder page = new StringBuilder("""
            # Command line

            <!-- Written by CliPageTest from the commands. -->

            `holdfast` is one program: the operator (`run`) and commands that only read. From the source tree it is
            `./holdfast`, which builds what it needs. Results go to standard output, everything else to standard error.

            In a terminal, tables are as wide as it is, or as the environment variable `COLUMNS` says: a text that does not
            fit goes on in the next line of its column, or stands below its row. In `check`, long names are cut in the middle:
            `checkout-s...8b6c5-x2x9z`. Different names stay different. In a pipe or a file, each row is one line with whole
            names, for grep.

            If nothing reads standard output any more, as in `holdfast check | head -5`, the command ends without a message and
            with exit code 141, which is what a shell reports of a program that SIGPIPE ended.

            Ctrl-C ends a command with exit code 130, and SIGTERM with 143. `check`, `explain`, `what-if`, `zones`, `test` and
            `report` then say on standard error what they have done so far. Standard output is empty, or the line says that the output
            is incomplete. `run` closes its connections after either signal, and exits with 0.

            `mvn package` makes an archive, `operator/target/holdfast-VERSION-linux-ARCH.tar.gz`, which needs no JDK. Unpack it
            anywhere, and run its `bin/holdfast`. The folder `share/completion` has the completion scripts, and the environment
            variable `HOLDFAST_JAVA_OPTIONS` takes options for its JVM. A file with the name `kubectl-holdfast` on your path
            makes it a kubectl plugin: `kubectl holdfast check`. A link to `bin/holdfast` will do.

            `check --watch` lists a live cluster once, and then prints a line for each change. `BEGAN` is a new violation, `DUE` one
            whose forgiveness has passed, and `ENDED` one that is over, with the reason in the column `BREACH`. `-o wide` has the
            cause of each change in the column `WHY`. `-o json` and `-o yaml` print a ViolationChange for each change, after the
            CheckReport. `-o name` prints the pod of each new violation. The command watches pods, nodes, namespaces and policies,
            for which it needs the right `watch` beside `list`. A new violation is due when its forgiveness has passed since it was
            observed. If the status of the policy has a deadline, that counts. Of older violations, only the status says it. When a
            view is lost, and when it is synced again, a line on standard error says so. Changes in between are printed then.

            `-o json` prints one versioned document. Fields may be added, and none changes its meaning within
            `cli.holdfast.dev/v1`. The schemas: [CheckReport](schemas/check-report.json), [SoftReport](schemas/soft-report.json),
            [ViolationChange](schemas/violation-change.json), [PodExplanation](schemas/pod-explanation.json),
            [PodListExplanation](schemas/pod-list-explanation.json), [ScoreExplanation](schemas/score-explanation.json),
            [WhatIfReport](schemas/what-if-report.json), [ZonesReport](schemas/zones-report.json),
            [TestReport](schemas/test-report.json), [ClusterReport](schemas/cluster-report.json),
            [Version](schemas/version.json). In documents about a live cluster, `unreadable` has the kinds that could not be
            listed.

            `check`, `report`, `explain`, `what-if` and `zones` use the configuration of the operator, and say in one line which. It is
            that in its ConfigMap, which has the label `holdfast.dev/component=configuration`, in the cluster or among the
            files.
            If a live cluster has none, has several, or you may not list ConfigMaps, the operator's defaults count, and a
            warning says so. `--operator-namespace` names one operator, and `--config` replaces what was found. `explain` and
            `what-if` also read the ledger beside it: clocks, evictions of the last hour, moves in flight, futile moves,
            breakers and backlogs. They go on from there as an operator that starts now. If you may not read the ledger, they
            take evictions of the last hour, breakers and backlogs from the status of policies, as far as it says them, and
            say so in one line. Whether the operator has the right to evict is not read.
            """);
        holdfast.getSubcommands().forEach((name, command) -> {
            if (!command.getCommandSpec().usageMessage().hidden()) {
                page.append("\n## holdfast ")
                        .append(name)
                        .append("\n\n```text\n")
                        .append(help(command))
                        .append("```\n");
            }
        });
        return page.toString();
    }

    private static String help(CommandLine command) {
        return command.setUsageHelpWidth(WIDTH)
                .getUsageMessage(CommandLine.Help.Ansi.OFF)
                .replaceAll("(?m) +$", "");
    }
}
