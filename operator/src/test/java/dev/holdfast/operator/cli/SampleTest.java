package dev.holdfast.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The README shows what {@code holdfast check} prints about the sample in the repository. */
class SampleTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final String SAMPLE = "docs/samples/shop.yaml";
    private static final Pattern SHOWN = Pattern.compile("(?ms)^\\$ \\./holdfast check -f " + SAMPLE + "\\n(.*?)^```$");

    @Test
    void theReadmeShowsWhatCheckPrintsAboutTheSample() throws IOException {
        StringWriter printed = new StringWriter();
        new CommandRun(ROOT, printed, printed)
                .execute("check", "-f", ROOT.resolve(SAMPLE).toString());

        Matcher shown = SHOWN.matcher(Files.readString(ROOT.resolve("README.md")));
        assertThat(shown.find()).as("the README shows the command").isTrue();
        assertThat(shown.group(1)).isEqualTo(printed.toString());
    }
}
