package dev.holdfast.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The completion scripts; that of bash is run. */
class CompletionCommandTest {
    @TempDir
    private Path folder;

    private String script(String shell) {
        CommandRun run = CommandRun.in(folder);
        assertThat(run.execute("completion", shell)).isEqualTo(ExitCode.OK);
        return run.out().toString();
    }

    @ParameterizedTest
    @CsvSource({"holdfast ch, check", "holdfast what, what-if", "holdfast check --fail, --fail-on"})
    void bashCompletesCommandsAndOptions(String typed, String completed) throws IOException, InterruptedException {
        Path script = folder.resolve("holdfast.bash");
        Files.writeString(script, script("bash"));
        String[] words = typed.split(" ");
        Process bash = new ProcessBuilder(
                        "bash",
                        "-c",
                        "compopt() { :; }; source " + script + "; COMP_WORDS=(" + typed + "); COMP_CWORD="
                                + (words.length - 1) + "; COMP_LINE='" + typed
                                + "'; _complete_holdfast; printf '%s\\n' \"${COMPREPLY[@]}\"")
                .redirectErrorStream(true)
                .start();

        String printed = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(bash.waitFor()).as(printed).isZero();
        assertThat(printed.lines()).containsExactly(completed);
    }

    @Test
    void zshAsksTheProgramForAllWords() {
        assertThat(script("zsh"))
                .startsWith("#compdef holdfast\n")
                .contains("""
                    "${words[1]}" __complete "${(@)words[2,CURRENT]}"
                    """.strip(), "compdef _holdfast holdfast\n");
    }

    @Test
    void fishAsksTheProgramForTheValuesOfOptionsThatTakeNoFile() {
        assertThat(script("fish").lines())
                .contains(
                        "  holdfast __complete (commandline -opc)[2..-1] (commandline -ct) 2> /dev/null"
                                + " | string match -v \":*\"",
                        "complete -c holdfast -n '__fish_seen_subcommand_from check' -s n -l namespace -x"
                                + " -a '(__fish_holdfast_complete)' -d 'List the pods of this namespace only.'",
                        "complete -c holdfast -n '__fish_seen_subcommand_from check' -l policy -r -d 'Files with"
                                + " PlacementPolicies and ClusterPlacementPolicies, beside those in the input.'");
    }

    @Test
    void fishGetsEachCommandAndOptionWithItsDescription() {
        assertThat(script("fish").lines())
                .contains(
                        "complete -c holdfast -n '__fish_use_subcommand' -f -a check -d 'Lists the pods that violate a"
                                + " required placement rule on their node now.'",
                        "complete -c holdfast -n '__fish_seen_subcommand_from check' -s A -l all-namespaces -d 'List"
                                + " the pods of all namespaces.'");
    }
}
