package dev.holdfast.operator.offline.report.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.operator.offline.report.Drawing;
import dev.holdfast.operator.offline.report.SyntheticReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How soon a person sees the page of a large cluster. */
@Timeout(120)
class FirstSightTest {
    private static final Duration GOAL = Duration.ofSeconds(1);

    /** Other work on the machine can only lengthen the time, so the shortest of a few tries counts. */
    private static final int TRIES = 5;

    private static final String TELL = """
        new PerformanceObserver((paints) => paints.getEntriesByName('first-contentful-paint')
            .forEach((it) => console.log('%s' + Math.ceil(it.startTime) + ' ms')))
            .observe({type: 'paint', buffered: true});
        """.formatted(Browser.FIRST_SIGHT);

    @TempDir
    private Path folder;

    @Test
    void aPageOf5240PodsIsSeenWithinASecond() throws Exception {
        Optional<Browser> browser =
                Browser.on(Optional.ofNullable(System.getenv("PATH")).orElse(""));
        assumeTrue(browser.isPresent(), Browser.INSTALL);
        Drawing drawing = new SyntheticReport(200, 640, 500, "checkout-7d9c5b8f6d-").drawing(23);
        PageScript script = PageScript.ofProduct().and(TELL);
        String page = String.join("\n", new HtmlPage(drawing.report(), drawing.map(), script).lines());

        assertThat(Collections.min(tries(browser.get(), page))).isLessThanOrEqualTo(GOAL);
    }

    private List<Duration> tries(Browser browser, String page) throws IOException {
        List<Duration> tries = new ArrayList<>();
        while (tries.size() < TRIES && tries.stream().noneMatch(it -> it.compareTo(GOAL) <= 0)) {
            tries.add(browser.firstSight(page, Files.createDirectory(folder.resolve("try" + tries.size()))));
        }
        return tries;
    }
}
