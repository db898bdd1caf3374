package dev.holdfast.it.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** How {@link ImageLaunch} finds the JVM flags of the operator's image. */
class ImageLaunchTest {
    @Test
    void theyAreThoseOfTheImage() throws IOException {
        assertThat(ImageLaunch.flags(Files.readAllLines(Path.of("../../operator/image/jvm.options"))))
                .containsExactly(
                        "-XX:+UseSerialGC",
                        "-XX:+UseCompactObjectHeaders",
                        "-XX:MaxRAMPercentage=52",
                        "-XX:MaxNewSize=24m",
                        "-XX:TrimNativeHeapInterval=1000",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-XX:-UsePerfData");
    }
}
