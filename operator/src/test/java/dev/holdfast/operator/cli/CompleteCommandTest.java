package dev.holdfast.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@code holdfast __complete} prints for a command line that is being typed. */
class CompleteCommandTest {
    private static final String SHOP = "../docs/samples/shop.yaml";
    private static final String POLICIES = "../docs/samples/keep.yaml";

    @TempDir
    private Path folder;

    static Stream<Arguments> commandLines() {
        return Stream.of(
                argumentSet("a command", List.of("zo"), "zones :4"),
                argumentSet("no command that is hidden", List.of("__"), ":4"),
                argumentSet("an option", List.of("check", "--group"), "--group-by :4"),
                argumentSet(
                        "the values of an option as help writes them",
                        List.of("test", "--fail-on="),
                        "any due enforced never :4"),
                argumentSet(
                        "pods of a namespace",
                        List.of("explain", "-f", SHOP, "-n", "shop", "pod/we"),
                        "pod/web-1 pod/web-2 :4"),
                argumentSet(
                        "pods after their kind",
                        List.of("explain", "-f", SHOP, "-n", "shop", "pod", "cache"),
                        "cache-1 :4"),
                argumentSet("no pods of another namespace", List.of("explain", "-f", SHOP, "pod/we"), ":4"),
                argumentSet("a node with its kind", List.of("explain", "-f", SHOP, "node/node-4"), "node/node-4 :4"),
                argumentSet(
                        "nodes of a change, with nothing typed yet",
                        List.of("what-if", "-f", SHOP, "--drain", ""),
                        "node-1 node-2 node-3 node-4 :4"),
                argumentSet("a namespace", List.of("check", "--filename=" + SHOP, "-n", ""), "shop :4"),
                argumentSet(
                        "a policy of a file",
                        List.of("what-if", "-f", SHOP, "--policy", POLICIES, "--enforce", ""),
                        "shop/keep :4"),
                argumentSet(
                        "the value behind an equals sign",
                        List.of("what-if", "-f", SHOP, "--drain=node-1"),
                        "node-1 :4"),
                argumentSet(
                        "nodes after their kind, whatever options stand between",
                        List.of("explain", "node", "-f", SHOP, "node-2"),
                        "node-2 :4"),
                argumentSet(
                        "nothing more after a pod",
                        List.of("explain", "pod/web-1", "-f", SHOP, "-n", "shop", ""),
                        ":4"),
                argumentSet("names of folders for a folder", List.of("test", ""), ":0"),
                argumentSet("names of files for a file", List.of("check", "-f", ""), ":0"),
                argumentSet("nothing of a file that is missing", List.of("check", "-f", "no.yaml", "-n", ""), ":4"),
                argumentSet("nothing of an unknown command", List.of("chekc", "-n", ""), ":4"));
    }

    @ParameterizedTest
    @MethodSource("commandLines")
    void itPrintsTheWordsThatMayComeNext(List<String> words, String expected) {
        CommandRun run = CommandRun.in(folder);

        int code = run.execute(
                Stream.concat(Stream.of("__complete"), words.stream()).toArray(String[]::new));

        assertThat(code).isZero();
        assertThat(run.err().toString()).isEmpty();
        assertThat(run.out().toString().lines()).containsExactly(expected.split(" "));
    }

    @Test
    void aBrokenFileGivesNoErrorAndNoNames() throws Exception {
        Path broken = Files.writeString(folder.resolve("broken.yaml"), "kind: [");
        CommandRun run = CommandRun.in(folder);

        assertThat(run.execute("__complete", "check", "-f", broken.toString(), "-n", ""))
                .isZero();
        assertThat(run.err().toString()).isEmpty();
        assertThat(run.out().toString()).isEqualTo(":4\n");
    }

    @Test
    void bashAsksForNamesWhereItKnowsNoOtherWord() throws Exception {
        CommandRun run = CommandRun.in(folder);
        assertThat(run.execute("completion", "bash")).isZero();
        Path script =
                Files.writeString(folder.resolve("holdfast.bash"), run.out().toString());
        Process bash = new ProcessBuilder(
                        "bash",
                        "-c",
                        "compopt() { :; }; holdfast() { printf '%s\\n' \"$#:$*\" :4; }; source " + script
                                + "; COMP_WORDS=(holdfast explain --namespace = shop ''); COMP_CWORD=5;"
                                + " COMP_LINE='holdfast explain --namespace=shop '; COMP_POINT=${#COMP_LINE};"
                                + " _complete_holdfast_names; printf '%s\\n"
                                + "' \"${COMPREPLY[@]}\"")
                .redirectErrorStream(true)
                .start();

        String printed = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(bash.waitFor()).as(printed).isZero();
        assertThat(printed.lines()).containsExactly("4:__complete explain --namespace=shop ");
    }
}
