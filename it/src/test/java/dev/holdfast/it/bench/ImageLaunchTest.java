package dev.holdfast.it.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Where the JVM flags of a measured operator come from. */
class ImageLaunchTest {
    @Test
    void theyAreThoseOfTheImage() throws IOException {
        assertThat(ImageLaunch.flags(Files.readString(Path.of("../operator/pom.xml"))))
                .contains("-XX:+UseSerialGC", "-XX:MaxRAMPercentage=50")
                .allMatch(flag -> flag.startsWith("-XX:"));
    }

    @Test
    void noneAreNotMadeUp() {
        assertThatThrownBy(() -> ImageLaunch.flags("<project/>"))
                .isInstanceOf(BenchException.class)
                .hasMessage("operator/pom.xml names no JVM flags of the image");
    }
}
