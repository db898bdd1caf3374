package dev.holdfast.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options that make no sense with {@code check --watch}. */
class WatchOptionTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        -w -f a.yaml            | give either --watch or --filename, not both: files do not change
        --watch --group-by node | give either --watch or --group-by, not both: changes come one by one
        --watch --sort-by node  | give either --watch or --sort-by, not both: changes come in the order of time
        --watch --fail-on never | give either --watch or --fail-on, not both: a watch has no end, so it has no result
        --watch-only --fail-on any | give either --watch-only or --fail-on, not both: a watch has no end, so it has no result
        --watch --soft | give either --watch or --soft, not both: a watch follows required rules alone
        -w -o summary | give either --watch or --output=summary, not both: changes come one by one; use --output=table, wide, json, yaml or name
        """)
    void itIsAnErrorThatNamesBoth(String options, String message) {
        CommandRun run = CommandRun.in(folder);

        assertThat(run.execute(("check " + options).split(" "))).isEqualTo(ExitCode.USAGE);

        assertThat(run.err()).hasToString("holdfast: " + message + "\nTry: holdfast check --help\n");
        assertThat(run.out().toString()).isEmpty();
    }
}
