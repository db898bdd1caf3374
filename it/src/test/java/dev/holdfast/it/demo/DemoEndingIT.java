package dev.holdfast.it.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The demo, told to stop in the middle. */
@Timeout(120)
class DemoEndingIT {

    /** When this is told, Helm has done its work: the operator's rights are there. */
    private static final String AFTER_HELM = "starting the operator";

    @Test
    void aDemoThatIsToldToStopSaysSoAndLeavesNothingBehind() throws IOException, InterruptedException {
        Process demo = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName())
                .redirectErrorStream(true)
                .start();
        try (BufferedReader told = demo.inputReader()) {
            assertThat(told.lines().anyMatch(line -> line.contains(AFTER_HELM))).isTrue();
            List<ProcessHandle> servers = demo.descendants().toList();
            assertThat(servers).hasSizeGreaterThanOrEqualTo(5);

            demo.toHandle().destroy();

            assertThat(demo.waitFor(10, TimeUnit.SECONDS)).isTrue();
            assertThat(demo.exitValue()).isEqualTo(128 + 15);
            assertThat(told.lines()).singleElement().asString().contains("s  ended: told to stop");
            await().atMost(Duration.ofSeconds(10)).until(() -> servers.stream().noneMatch(ProcessHandle::isAlive));
        } finally {
            demo.destroyForcibly();
        }
    }
}
