package dev.holdfast.it.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.it.controlplane.Processes;
import dev.holdfast.it.controlplane.SharedControlPlane;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The demo, played to its end. How long it takes is not asked: other tests run beside it. */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class DemoIT {
    private static final Pattern END = Pattern.compile(" *[0-9.]+s  ([a-z-]+) +=== as it should be: (.*)");

    /** Which of several pods leaves is decided by their ids. */
    private static final Map<String, String> EXPECTED = Map.of(
            "node-affinity", "web-\\S+ left n1, its replacement runs on n2; now on \\[n2]",
            "pod-affinity", "web-\\S+ left a1, its replacement runs on b1; now on \\[b1]",
            "pod-anti-affinity", "web-\\S+ left [ab]1, its replacement runs on c1; now on \\[[ab]1, c1]",
            "topology-spread",
                    "web-\\S+ left [ab]1, its replacement runs on b2; web-\\S+ left [ab]1, its replacement runs on b2;"
                            + " now on \\[[ab]1, [ab]1, b2, b2]",
            "healed", "the rule holds again, nobody was touched; still on \\[n1]",
            "held", "held Infeasible, nobody was touched; still on \\[n1]");

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it.
    private Path folder;

    @BeforeAll
    static void build() {
        SharedControlPlane.buildPrograms();
    }

    @Test
    void everySceneEndsAsItShouldAndNothingIsLeft() throws IOException, InterruptedException {
        try (DemoProcess demo = DemoProcess.start(folder)) {
            demo.toldUntil("installing the chart");
            Path work = demo.workFolder();

            List<String> told = demo.toldToTheEnd();

            assertThat(demo.exitCode()).as(String.join("\n", told)).isZero();
            Map<String, String> endings = told.stream()
                    .map(END::matcher)
                    .filter(Matcher::matches)
                    .collect(Collectors.toMap(end -> end.group(1), end -> end.group(2)));
            assertThat(endings).containsOnlyKeys(EXPECTED.keySet());
            EXPECTED.forEach((scene, ending) -> assertThat(endings)
                    .hasEntrySatisfying(scene, it -> assertThat(it).matches(ending)));
            assertThat(told).noneMatch(line -> line.contains("!!!"));
            assertThat(work).doesNotExist();
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> Processes.naming(work).isEmpty());
        }
    }
}
