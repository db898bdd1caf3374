package dev.holdfast.operator.offline.report.form;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.operator.offline.report.Drawing;
import dev.holdfast.operator.offline.report.Reports;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The repository has reports about its sample. {@code -Dholdfast.report.write=true} writes them. */
class ReportSampleTest {
    private static final Path SAMPLES = Path.of("..", "docs", "samples");

    @ParameterizedTest
    @CsvSource({"HTML, report.html", "MD, report.md"})
    void theSampleIsDrawnAsInTheRepository(ReportOutput output, String file) throws Exception {
        Drawing sample = Reports.drawingOfSample();
        String drawn = String.join("\n", output.lines(sample.report(), sample.map(), "0.1.0")) + "\n";
        Path kept = SAMPLES.resolve(file);
        if (Boolean.getBoolean("holdfast.report.write")) {
            Files.writeString(kept, drawn);
        }

        assertThat(kept).content().isEqualTo(drawn);
    }
}
