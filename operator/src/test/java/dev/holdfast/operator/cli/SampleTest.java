package dev.holdfast.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The README shows what commands print about the sample in the repository. */
class SampleTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "check -f docs/samples/shop.yaml",
                "what-if -f docs/samples/shop.yaml --policy docs/samples/keep.yaml --label node/node-2 disk-"
            })
    void theReadmeShowsWhatACommandPrintsAboutTheSample(String arguments) throws IOException {
        StringWriter printed = new StringWriter();
        new CommandRun(ROOT, printed, printed)
                .execute(Arrays.stream(arguments.split(" "))
                        .map(it -> it.startsWith("docs/") ? ROOT.resolve(it).toString() : it)
                        .toArray(String[]::new));

        Matcher shown = Pattern.compile("(?ms)^\\$ \\./holdfast " + Pattern.quote(arguments) + "\\n(.*?)^```$")
                .matcher(Files.readString(ROOT.resolve("README.md")));
        assertThat(shown.find()).as("the README shows the command").isTrue();
        assertThat(shown.group(1)).isEqualTo(printed.toString());
    }
}
