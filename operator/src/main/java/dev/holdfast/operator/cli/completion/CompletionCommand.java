package dev.holdfast.operator.cli.completion;

import dev.holdfast.operator.cli.options.ProgramVersion;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code holdfast completion}: prints a script that completes the commands and options in a shell. */
@Command(
        name = "completion",
        description =
                "Prints a script that completes commands, options and names of objects in a shell: bash, zsh or fish.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        versionProvider = ProgramVersion.class,
        footerHeading = "%nExample:%n",
        footer = {
            "  source <(holdfast completion bash)",
            "  source <(holdfast completion zsh)",
            "  holdfast completion fish > ~/.config/fish/completions/holdfast.fish"
        })
public final class CompletionCommand implements Runnable {
    private static final String NAME = "holdfast";

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli fills it in before anything is run
    private CommandSpec spec;

    @Parameters(paramLabel = "SHELL", description = "bash, zsh or fish.")
    private Shell shell = Shell.BASH;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        out.print(shell.script(NAME, spec.root().commandLine()));
        out.flush();
    }
}
