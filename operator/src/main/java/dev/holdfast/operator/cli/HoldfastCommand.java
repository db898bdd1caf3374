package dev.holdfast.operator.cli;

import static java.util.stream.Collectors.joining;

import dev.holdfast.operator.cli.completion.CompleteCommand;
import dev.holdfast.operator.cli.completion.CompletionCommand;
import dev.holdfast.operator.cli.options.ProgramVersion;
import dev.holdfast.operator.cli.program.CrdsCommand;
import dev.holdfast.operator.cli.program.VersionCommand;
import dev.holdfast.operator.offline.print.PipedOutput;
import dev.holdfast.operator.offline.print.Printable;
import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command {@code holdfast}. Results go to standard output; all else, with the log, to standard error. */
@Command(
        name = "holdfast",
        description = "Keeps required Kubernetes placement rules true while pods run.",
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class,
        exitCodeOnInvalidInput = ExitCode.USAGE,
        exitCodeOnExecutionException = ExitCode.COULD_NOT_RUN,
        footerHeading = "%nExit codes:%n",
        footer = {
            "  0  success",
            "  1  findings of check, what-if, zones, test or report; or a scene of demo that did not end as expected",
            "  2  invalid command line or configuration file",
            "  3  the command failed: see the last line"
        })
public final class HoldfastCommand implements Runnable {
    /** How the library lists the values of an enum. */
    private static final Pattern ENUM_VALUES =
            Pattern.compile("expected one of \\[([A-Z_, ]+)] \\(case-insensitive\\) but was");

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli fills it in before anything is run
    private CommandSpec spec;

    private HoldfastCommand() {}

    /**
     * Runs the subcommand that the arguments name.
     *
     * @return the exit code for the process, one of {@link ExitCode}
     */
    public static int run(ProcessEnvironment processEnvironment, String... arguments) {
        // A PrintStream would keep errors to itself, so that a full disk would go unnoticed.
        Writer output = new OutputStreamWriter(
                new PipedOutput(
                        new FileOutputStream(FileDescriptor.out),
                        processEnvironment.terminal(),
                        processEnvironment.halt()),
                System.out.charset());
        return commandLine(processEnvironment)
                .setOut(new PrintWriter(new BufferedWriter(output), true))
                .execute(arguments);
    }

    static CommandLine commandLine(ProcessEnvironment processEnvironment) {
        CommandLine commandLine = new CommandLine(new HoldfastCommand())
                .addSubcommand(new CheckCommand(processEnvironment))
                .addSubcommand(new ExplainCommand(processEnvironment))
                .addSubcommand(new WhatIfCommand(processEnvironment))
                .addSubcommand(new ZonesCommand(processEnvironment))
                .addSubcommand(new TestCommand(processEnvironment))
                .addSubcommand(new ReportCommand(processEnvironment))
                .addSubcommand(new DumpCommand(processEnvironment))
                .addSubcommand(new DemoCommand(processEnvironment))
                .addSubcommand(new RunCommand(processEnvironment))
                .addSubcommand(new CrdsCommand())
                .addSubcommand(new CompletionCommand())
                .addSubcommand(CompleteCommand.commandLine(processEnvironment))
                .addSubcommand(new VersionCommand())
                .addSubcommand(new CommandLine.HelpCommand())
                .setCaseInsensitiveEnumValuesAllowed(true);
        commandLine.setExecutionStrategy(parsed -> {
            // With --help, the parser does not look at the other arguments.
            if (!parsed.unmatched().isEmpty()) {
                throw new UnmatchedArgumentException(commandLine, parsed.unmatched());
            }
            return new CommandLine.RunLast().execute(parsed);
        });
        commandLine.setParameterExceptionHandler((wrong, _) -> {
            CommandLine command = wrong.getCommandLine();
            command.getErr().println("holdfast: " + Printable.of(message(wrong)));
            command.getErr().println("Try: " + command.getCommandSpec().qualifiedName() + " --help");
            command.getErr().flush();
            return ExitCode.USAGE;
        });
        commandLine.setExecutionExceptionHandler((failure, command, _) -> {
            PrintWriter errors = command.getErr();
            errors.println("holdfast: " + (failure.getMessage() == null ? failure : failure.getMessage()));
            errors.flush();
            return ExitCode.COULD_NOT_RUN;
        });
        return commandLine;
    }

    /** {@return the parser's message, with the words as people type them, and with what they may have meant} */
    private static String message(ParameterException wrong) {
        if (wrong instanceof UnmatchedArgumentException unmatched) {
            List<String> suggestions = unmatched.getSuggestions();
            return (unmatched.isUnknownOption()
                            ? String.valueOf(wrong.getMessage())
                            : "unknown command or argument '"
                                    + unmatched.getUnmatched().getFirst() + "'")
                    + (suggestions.isEmpty() ? "" : ": did you mean " + String.join(" or ", suggestions) + "?");
        }
        return ENUM_VALUES
                .matcher(String.valueOf(wrong.getMessage())
                        .replaceFirst("^Unknown subcommand '(.*)'\\.$", "unknown command '$1'")
                        .replaceFirst("is not an? (int|long)$", "is not a whole number"))
                .replaceFirst(values -> "must be one of " + values.group(1).toLowerCase(Locale.ROOT) + ", and is");
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "missing command; use one of: "
                        + spec.subcommands().keySet().stream()
                                .filter(it -> !it.startsWith("_"))
                                .collect(joining(", ")));
    }
}
