package dev.holdfast.operator.offline.report.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.offline.report.TimeLine;
import dev.holdfast.operator.offline.report.TimeLine.Kind;
import dev.holdfast.operator.offline.report.TimeLine.Lane;
import dev.holdfast.operator.offline.report.TimeLine.Moment;
import dev.holdfast.operator.offline.report.html.Html;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The bars of time lines of 1,000 s, which are as wide as the picture. */
class TimeLineHtmlTest {
    private static Moment at(long seconds, Kind kind) {
        return new Moment(seconds, kind, "");
    }

    static Stream<Arguments> bars() {
        return Stream.of(
                argumentSet(
                        "a pod that is held until the end is due until the end",
                        List.of(at(0, Kind.BEGINS), at(300, Kind.DUE), at(300, Kind.HELD)),
                        "<path class=w d=\"M0 1H300V7H0z\"/><path class=d d=\"M300 1H1000V7H300z\"/>"),
                argumentSet(
                        "a phase of no time is 2 wide",
                        List.of(at(0, Kind.BEGINS), at(300, Kind.DUE), at(300, Kind.ENDS)),
                        "<path class=w d=\"M0 1H300V7H0z\"/><path class=d d=\"M300 1H302V7H300z\"/>"),
                argumentSet(
                        "a phase that begins at the end is 2 wide",
                        List.of(at(1_000, Kind.BEGINS)),
                        "<path class=w d=\"M998 1H1000V7H998z\"/>"),
                argumentSet(
                        "a pod that has moved has no phase any more",
                        List.of(at(100, Kind.EVICTED), at(400, Kind.MOVED)),
                        "<path class=m d=\"M100 1H400V7H100z\"/>"));
    }

    @ParameterizedTest
    @MethodSource("bars")
    void aBarHasThePhases(List<Moment> moments, String bar) {
        Html html = new Html();

        new TimeLineHtml(html)
                .lanes(new TimeLine(List.of(new Lane("shop", "web-1", "u", "n1", moments)), 1_000), 9, Set.of());

        assertThat(html.toString()).contains("preserveAspectRatio=none>" + bar + "</svg>");
    }
}
