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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The README and other pages show what commands print about the samples in the repository. */
class SampleTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    @ParameterizedTest
    @CsvSource({
        "README.md, check -f docs/samples/shop.yaml",
        "docs/install.md, what-if -f docs/samples/shop.yaml --policy docs/samples/keep.yaml --label node/node-2 disk-",
        "docs/install.md, what-if -f docs/samples/zones.yaml --fail-zone c",
        "docs/install.md, zones -f docs/samples/zones.yaml",
        "docs/policy-tests.md, test docs/samples/tests"
    })
    void aPageShowsWhatACommandPrintsAboutTheSample(String page, String arguments) throws IOException {
        StringWriter printed = new StringWriter();
        CommandRun.printingTo(ROOT, printed, printed)
                .execute(Arrays.stream(arguments.split(" "))
                        .map(it -> it.startsWith("docs/") ? ROOT.resolve(it).toString() : it)
                        .toArray(String[]::new));

        Matcher shown = Pattern.compile("(?ms)^\\$ \\./holdfast " + Pattern.quote(arguments) + "\\n(.*?)^```$")
                .matcher(Files.readString(ROOT.resolve(page)));
        assertThat(shown.find()).as("the page shows the command").isTrue();
        assertThat(words(shown.group(1))).isEqualTo(words(printed.toString().replace(ROOT + "/", "")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"node-loses-its-label", "roll-out-hangs"})
    void thePageAboutTestsShowsTheSample(String sample) throws IOException {
        assertThat(Files.readString(ROOT.resolve("docs/policy-tests.md")))
                .contains(Files.readString(ROOT.resolve("docs/samples/tests/" + sample + "/test.yaml")));
    }

    /** Columns are as wide as the longest path in them, which begins with the folder of this clone. */
    private static String words(String text) {
        return text.replaceAll(" {2,}", "   ");
    }
}
