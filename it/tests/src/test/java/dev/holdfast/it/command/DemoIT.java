package dev.holdfast.it.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.it.controlplane.Processes;
import dev.holdfast.it.controlplane.SharedControlPlane;
import dev.holdfast.it.controlplane.TimeLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A complete run of {@code holdfast demo}. Its duration is not checked, because other tests run in parallel. */
@Timeout(value = TimeLimits.TEST_MINUTES, unit = TimeUnit.MINUTES)
@Execution(ExecutionMode.CONCURRENT)
class DemoIT {
    private static final Pattern HEADING = Pattern.compile("[0-9]/6 ([a-z-]+): .*");
    private static final Pattern END = Pattern.compile(" +=> as expected: (.*)");

    /** The expected result of each scene, as a regular expression: UIDs decide which of several pods moves. */
    private static final Map<String, String> EXPECTED = Map.of(
            "node-affinity", "1 pod moved to n2; web runs on n2",
            "pod-affinity", "1 pod moved to b1; web runs on b1",
            "pod-anti-affinity", "1 pod moved to c1; web runs on [ab]1, c1",
            "topology-spread", "2 pods moved to b2; web runs on [ab]1, [ab]1, b2, b2",
            "healed", "the rule holds again, no pod was evicted; web runs on n1",
            "held", "held for Infeasible, no pod was evicted; web runs on n1");

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it.
    private Path folder;

    @BeforeAll
    static void build() {
        SharedControlPlane.buildPrograms();
    }

    @Test
    void everySceneEndsAsExpectedAndNothingIsLeft() throws IOException, InterruptedException {
        try (DemoProcess demo = DemoProcess.start(folder)) {
            demo.toldUntil("installing the chart");
            Path work = demo.workFolder();

            List<String> lines = demo.toldToTheEnd();

            String all = String.join("\n", lines);
            assertThat(demo.exitCode()).as(all).isZero();
            Map<String, String> endings = endings(lines);
            assertThat(endings).as(all).containsOnlyKeys(EXPECTED.keySet());
            EXPECTED.forEach((scene, ending) -> assertThat(endings)
                    .hasEntrySatisfying(scene, it -> assertThat(it).matches(ending)));
            assertThat(lines).contains("All 6 scenes ended as expected.").noneMatch(line -> line.contains("!!!"));
            assertThat(lines)
                    .as("lines that fit the screen")
                    .hasSizeLessThan(60)
                    .allMatch(line -> line.length() <= 100);
            assertThat(all).as("no terminal").doesNotContain("\u001b", "\r");
            assertThat(work).doesNotExist();
            await().atMost(TimeLimits.STATE).until(() -> Processes.naming(work).isEmpty());
        }
    }

    /** {@return the printed result of each scene, by the scene's name} */
    private static Map<String, String> endings(List<String> lines) {
        Map<String, String> endings = new HashMap<>();
        String scene = "before the first scene";
        for (String line : lines) {
            Matcher heading = HEADING.matcher(line);
            Matcher end = END.matcher(line);
            if (heading.matches()) {
                scene = heading.group(1);
            } else if (end.matches()) {
                endings.merge(scene, end.group(1), (first, second) -> first + " and " + second);
            }
        }
        return endings;
    }
}
