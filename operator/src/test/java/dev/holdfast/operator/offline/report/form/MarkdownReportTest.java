package dev.holdfast.operator.offline.report.form;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.offline.report.Reports;
import dev.holdfast.operator.offline.report.SyntheticReport;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class MarkdownReportTest {
    static Stream<Arguments> texts() {
        return Stream.of(
                argumentSet("usual names stay readable", "shop/web-1.x (app=web)", "shop/web-1.x (app=web)"),
                argumentSet("a pipe does not end a cell", "a|b", "a&#124;b"),
                argumentSet("a backtick starts no code", "`a`", "&#96;a&#96;"),
                argumentSet("brackets make no link", "[a](http)", "&#91;a&#93;(http)"),
                argumentSet("an exclamation mark makes no image", "![a]", "&#33;&#91;a&#93;"),
                argumentSet("markup stays text", "<img src=x>", "&#60;img src=x&#62;"),
                argumentSet("a reference stays text", "&lt;", "&#38;lt;"),
                argumentSet("a backslash escapes nothing", "\\", "&#92;"),
                argumentSet("a line break is a space", "a\nb", "a b"),
                argumentSet("emphasis stays text", "*a* _b_ ~c~", "&#42;a&#42; &#95;b&#95; &#126;c&#126;"),
                argumentSet("a heading stays text", "# a", "&#92;u0023 a"),
                argumentSet("nobody is mentioned", "@admins", "&#92;u0040admins"),
                argumentSet("no issue is mentioned", "#1", "&#92;u00231"),
                argumentSet("an address is no link", "https://x.example", "https&#92;u003a//x.example"),
                argumentSet("an address without a scheme is no link", "WWW.x.example", "WWW&#92;u002ex.example"),
                argumentSet("an escape sequence is shown", "\u001b[2J", "&#92;u001b&#91;2J"),
                argumentSet("a change of direction is shown", "a\u202eb", "a&#92;u202eb"),
                argumentSet("other letters are references", "\u540d", "&#21517;"));
    }

    @ParameterizedTest
    @MethodSource("texts")
    void textIsOnlyText(String text, String written) {
        assertThat(MarkdownReport.text(text)).isEqualTo(written);
    }

    @Test
    void aHostileNameKeepsTheTablesWhole() {
        List<String> lines =
                ReportOutput.MD.lines(new SyntheticReport(3, 2, 2, "a|b`<c>\n\u001b").report(), Reports.NO_MAP, "0");

        assertThat(lines.stream().filter(line -> line.contains("it shares")))
                .hasSize(2)
                .allSatisfy(line -> assertThat(line.split("\\|", -1)).hasSize(8));
        assertThat(String.join("\n", lines)).doesNotContain("`<", "<c>", "\u001b");
    }

    @Test
    void longListsAreCutAndSaySo() {
        List<String> lines =
                ReportOutput.MD.lines(new SyntheticReport(50, 1_200, 0, "n").report(), Reports.NO_MAP, "0");

        assertThat(lines)
                .contains(
                        "1,100 more violations not listed here: `-o json` has all.",
                        "200 more workloads not listed here: `-o json` has all.",
                        "13 more affected domains not listed here: `-o json` has all.",
                        "1,100 more constraints not listed here: `-o json` has all.");
    }
}
