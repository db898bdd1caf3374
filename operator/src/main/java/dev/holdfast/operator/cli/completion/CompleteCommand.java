package dev.holdfast.operator.cli.completion;

import dev.holdfast.operator.cli.options.Kubeconfig;
import dev.holdfast.operator.config.LogFormat;
import dev.holdfast.operator.config.LogLevel;
import dev.holdfast.operator.log.Logging;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The command {@code holdfast __complete}, which shells run for a command line that is being typed, as kubectl's. It
 * prints the words that may come next, one a line, and then what the shell shall do: {@code :4} for these words alone,
 * {@code :0} for names of files too. It never prints an error.
 */
@Command(name = "__complete", hidden = true)
public final class CompleteCommand implements Runnable {
    /** How long a shell may wait. */
    private static final long MOST_MILLIS = 2_000;

    private final Kubeconfig.Surroundings process;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli fills it in before anything is run
    private CommandSpec spec;

    @Parameters(arity = "0..*")
    private List<String> words = new ArrayList<>();

    private CompleteCommand(Kubeconfig.Surroundings process) {
        this.process = process;
    }

    /** {@return the command, which takes options of other commands as words} */
    public static CommandLine commandLine(Kubeconfig.Surroundings process) {
        CommandLine command = new CommandLine(new CompleteCommand(process))
                .setUnmatchedOptionsArePositionalParams(true)
                .setExpandAtFiles(false);
        // Words of another command are not options of this one; no shell can pass this delimiter.
        command.setEndOfOptionsDelimiter("\0");
        return command;
    }

    @Override
    public void run() {
        TypedWords typed = TypedWords.of(words, spec.root());
        PrintWriter out = spec.commandLine().getOut();
        typed.among(typed.known()).forEach(out::println);
        typed.wanted().ifPresent(wanted -> typed.among(names(typed, wanted)).forEach(out::println));
        out.println(typed.mayBeFile() ? ":0" : ":4");
        out.flush();
    }

    /** {@return the names of objects; none if they cannot be read, or not soon} */
    private List<String> names(TypedWords typed, WantedNames wanted) {
        Logging.configure(LogLevel.ERROR, LogFormat.TEXT);
        FutureTask<List<String>> reading = new FutureTask<>(() -> ObjectNames.of(wanted, typed, process));
        // The process ends without this thread.
        Thread.ofPlatform().daemon().name("holdfast-complete").start(reading);
        try {
            return reading.get(MOST_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException _) {
            return List.of();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }
}
