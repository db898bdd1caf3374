package dev.holdfast.operator.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code holdfast completion}: prints a script that completes the commands and options in a shell. */
@Command(
        name = "completion",
        description = "Prints a script that completes commands and options in a shell: bash, zsh or fish.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        versionProvider = VersionCommand.class,
        footerHeading = "%nExample:%n",
        footer = {
            "  source <(holdfast completion bash)",
            "  source <(holdfast completion zsh)",
            "  holdfast completion fish > ~/.config/fish/completions/holdfast.fish"
        })
final class CompletionCommand implements Callable<Integer> {
    /** The shells that have a script. */
    enum Shell {
        BASH,
        ZSH,
        FISH
    }

    private static final String NAME = "holdfast";

    /** With these lines, zsh reads completions of bash. */
    private static final String LIKE_BASH = """
        #compdef holdfast
        autoload -U +X compinit && compinit
        autoload -U +X bashcompinit && bashcompinit
        """;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli fills it in before anything is run
    private CommandSpec spec;

    @Parameters(paramLabel = "SHELL", description = "bash, zsh or fish.")
    private Shell shell = Shell.BASH;

    @Override
    public Integer call() {
        CommandLine holdfast = spec.root().commandLine();
        PrintWriter out = spec.commandLine().getOut();
        out.print(
                switch (shell) {
                    case BASH -> AutoComplete.bash(NAME, holdfast);
                    case ZSH -> LIKE_BASH + AutoComplete.bash(NAME, holdfast);
                    case FISH -> FishCompletion.of(NAME, holdfast);
                });
        out.flush();
        return ExitCode.OK;
    }
}
