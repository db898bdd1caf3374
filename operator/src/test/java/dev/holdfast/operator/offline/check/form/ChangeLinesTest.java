package dev.holdfast.operator.offline.check.form;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.operator.offline.check.CheckReport;
import dev.holdfast.operator.offline.check.ViolationState;
import dev.holdfast.operator.offline.check.Workload;
import dev.holdfast.operator.offline.check.watch.ViolationChange;
import dev.holdfast.operator.offline.print.LineWidth;
import dev.holdfast.operator.offline.print.RuleReference;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How changes of violations are printed. */
class ChangeLinesTest {
    private static final ViolationChange BEGAN = change(ViolationChange.Event.BEGAN, "web-1", "the label left");
    private static final ViolationChange DUE = change(ViolationChange.Event.DUE, "web-1", "the forgiveness has passed");
    private static final ViolationChange ENDED = change(ViolationChange.Event.ENDED, "web-1", "the pod is gone");

    private static ViolationChange change(ViolationChange.Event event, String pod, String why) {
        return new ViolationChange(
                CheckReport.API_VERSION,
                "ViolationChange",
                event,
                "2026-11-20T12:00:00Z",
                why,
                new CheckReport.Violation(
                        "shop",
                        pod,
                        "uid-" + pod,
                        "n1",
                        new RuleReference("NodeAffinity", "disk", "0123456789abcdef"),
                        "Violated",
                        "disk is hdd",
                        "label disk=ssd",
                        true,
                        "Always",
                        "",
                        List.of("shop/keep"),
                        new Workload("shop", "Deployment", "web"),
                        "a",
                        "its node does not match disk=ssd",
                        ViolationState.AUDITED,
                        new TreeMap<>()));
    }

    private static ChangeLines lines(CheckOutput output, boolean headers, boolean zones) {
        return new ChangeLines(output, new CheckStyle(LineWidth.UNLIMITED, headers, List.of(), List.of("app")), zones);
    }

    @Test
    void aTableHasALineForEachChangeInTheColumnsOfCheck() {
        ChangeLines lines = lines(CheckOutput.TABLE, true, true);

        assertThat(lines.header(true))
                .containsExactly("", "EVENT   TIME   NAMESPACE   POD   NODE   ZONE   RULE   BREACH   APP");
        assertThat(lines.of(List.of(BEGAN, DUE, ENDED))).containsExactly("""
            BEGAN   2026-11-20T12:00:00Z   shop        web-1   n1     a      disk   disk is hdd
            DUE     2026-11-20T12:00:00Z   shop        web-1   n1     a      disk   disk is hdd
            ENDED   2026-11-20T12:00:00Z   shop        web-1   n1     a      disk   the pod is gone\
            """.split("\n"));
    }

    @Test
    void aWideTableAlsoSaysWhy() {
        ChangeLines lines = lines(CheckOutput.WIDE, true, false);

        assertThat(lines.header(false))
                .singleElement()
                .asString()
                .startsWith("EVENT   TIME   NAMESPACE   POD   NODE   RULE   KIND")
                .endsWith("BREACH   HEALS   APP   WHY");
        assertThat(lines.of(List.of(ENDED)))
                .singleElement()
                .asString()
                .startsWith("ENDED   ")
                .contains("   disk is hdd   label disk=ssd   ")
                .endsWith("   the pod is gone");
    }

    @Test
    void withoutHeadersThereAreOnlyRows() {
        assertThat(lines(CheckOutput.TABLE, false, true).header(true)).isEmpty();
    }

    @Test
    void columnsStayAsWideAsTheLastRowsNeed() {
        ChangeLines lines = lines(CheckOutput.TABLE, true, false);
        lines.of(List.of(change(ViolationChange.Event.BEGAN, "web-with-a-long-name", "")));

        assertThat(lines.of(List.of(BEGAN)))
                .containsExactly(
                        "BEGAN   2026-11-20T12:00:00Z   shop        web-1                  n1     disk   disk is"
                                + " hdd");
        IntStream.range(0, 100).forEach(_ -> lines.of(List.of(BEGAN)));
        assertThat(lines.of(List.of(BEGAN)))
                .containsExactly("BEGAN   2026-11-20T12:00:00Z   shop        web-1   n1     disk   disk is hdd");
    }

    @Test
    void documentsAreOneForEachChange() {
        assertThat(lines(CheckOutput.JSON, true, true).header(true)).isEmpty();
        assertThat(lines(CheckOutput.JSON, true, true).of(List.of(BEGAN, ENDED)))
                .contains("  \"kind\" : \"ViolationChange\",", "  \"event\" : \"Began\",", "  \"event\" : \"Ended\",");
        assertThat(lines(CheckOutput.YAML, true, true).of(List.of(BEGAN, ENDED)))
                .startsWith("---", "apiVersion: \"cli.holdfast.dev/v1\"")
                .filteredOn("---"::equals)
                .hasSize(2);
    }

    @Test
    void aNameIsThatOfAPodThatBeginsToViolateARule() {
        assertThat(lines(CheckOutput.NAME, true, true).of(List.of(BEGAN, DUE, ENDED)))
                .containsExactly("pod/web-1");
    }
}
