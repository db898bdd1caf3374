package dev.holdfast.operator.offline.report.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.offline.report.TimeLine;
import dev.holdfast.operator.offline.report.TimeLine.Kind;
import dev.holdfast.operator.offline.report.TimeLine.Lane;
import dev.holdfast.operator.offline.report.TimeLine.Moment;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The lanes of time lines of 1,000 s, whose bars are as wide as the picture. */
class TimeLineHtmlTest {
    private static Moment at(long seconds, Kind kind) {
        return new Moment(seconds, kind, "", kind);
    }

    private static Lane lane(List<Moment> moments, Kind end) {
        return new Lane(
                "shop", "web-1", "u", "n1", moments, 0, at(moments.getLast().seconds(), end));
    }

    static Stream<Arguments> bars() {
        return Stream.of(
                argumentSet(
                        "a pod that is held until the end is due until the end",
                        List.of(at(0, Kind.BEGINS), at(300, Kind.DUE), at(300, Kind.HELD)),
                        "<path class=w d=\"M0 5H300V8H0z\"/><path class=d d=\"M300 0H1000V8H300z\"/>"),
                argumentSet(
                        "a phase of no time is 2 wide",
                        List.of(at(0, Kind.BEGINS), at(300, Kind.DUE), at(300, Kind.ENDS)),
                        "<path class=w d=\"M0 5H300V8H0z\"/><path class=d d=\"M300 0H302V8H300z\"/>"),
                argumentSet(
                        "a phase that begins at the end is 2 wide",
                        List.of(at(1_000, Kind.BEGINS)),
                        "<path class=w d=\"M998 5H1000V8H998z\"/>"),
                argumentSet(
                        "while a violation goes on, the end of another one ends no phase",
                        List.of(at(0, Kind.BEGINS), new Moment(500, Kind.ENDS, "", Kind.BEGINS)),
                        "<path class=w d=\"M0 5H1000V8H0z\"/>"),
                argumentSet(
                        "a pod that has moved has no phase any more",
                        List.of(at(100, Kind.EVICTED), at(400, Kind.MOVED)),
                        "<path class=m d=\"M100 3H400V8H100z\"/>"));
    }

    @Test
    void whatALaneLeavesOutIsSaidInTheMiddle() {
        List<Moment> moments = List.of(at(0, Kind.BEGINS), at(900, Kind.ENDS));
        Html html = new Html();

        new TimeLineHtml(html)
                .lanes(
                        new TimeLine(
                                List.of(new Lane("shop", "web-1", "u", "n1", moments, 12, moments.getLast())),
                                0,
                                1_000),
                        Set.of());

        assertThat(html.toString())
                .containsSubsequence("</b> violated ", "<li class=muted>12 more moments</li>", "</b> ended ");
    }

    static Stream<Arguments> legends() {
        return Stream.of(
                argumentSet("no lanes", List.of(), List.of()),
                argumentSet(
                        "a pod that is held, and one that has moved",
                        List.of(
                                lane(List.of(at(0, Kind.BEGINS), at(300, Kind.HELD)), Kind.HELD),
                                lane(List.of(at(0, Kind.EVICTED), at(300, Kind.MOVED)), Kind.MOVED)),
                        List.of("&#9650;", "&#9679;", "bar w", "bar d", "bar m")),
                argumentSet(
                        "a pod that is removed",
                        List.of(lane(List.of(at(0, Kind.REMOVED)), Kind.REMOVED)),
                        List.of("&#9670;")),
                argumentSet(
                        "a pod whose violation is not due",
                        List.of(lane(List.of(at(0, Kind.BEGINS)), Kind.BEGINS)),
                        List.of("&#9632;", "bar w")));
    }

    @ParameterizedTest
    @MethodSource("legends")
    void theLegendNamesTheShapesAndBarsOfTheLanes(List<Lane> lanes, List<String> marks) {
        Html html = new Html();

        new TimeLineHtml(html).begin("Time line", "", lanes);

        assertThat(Pattern.compile("&#\\d+;|bar [a-z]")
                        .matcher(html.toString())
                        .results()
                        .map(MatchResult::group))
                .containsExactlyElementsOf(marks);
    }

    static Stream<Arguments> ends() {
        return Stream.of(
                argumentSet("a violation goes on", Kind.BEGINS, "m u", "violated after 5m"),
                argumentSet("a policy in Audit would let it go", Kind.WOULD_EVICT, "m u", "would be evicted after 5m"),
                argumentSet("a violation is due", Kind.DUE, "m v", "due after 5m"),
                argumentSet("a violation is held", Kind.HELD, "m v", "held after 5m"),
                argumentSet("the pod moves", Kind.EVICTED, "m u", "evicted after 5m"),
                argumentSet("the pod has moved", Kind.MOVED, "m f", "moved after 5m"),
                argumentSet("the move was futile", Kind.FUTILE, "m v", "futile move after 5m"),
                argumentSet("no pod took its place", Kind.GONE, "m k", "gone after 5m"),
                argumentSet("a change removed the pod", Kind.REMOVED, "m k", "removed after 5m"),
                argumentSet("all violations ended", Kind.ENDS, "m f", "ended after 5m"));
    }

    @ParameterizedTest
    @MethodSource("ends")
    void aLaneSaysHowThePodStandsAtTheEnd(Kind end, String mark, String words) {
        Html html = new Html();

        new TimeLineHtml(html).lanes(new TimeLine(List.of(lane(List.of(at(300, Kind.ENDS)), end)), 0, 1_000), Set.of());

        assertThat(html.toString()).contains("class=\"" + mark + "\">", "<span class=why>" + words + "</span>");
    }

    @ParameterizedTest
    @MethodSource("bars")
    void aBarHasThePhases(List<Moment> moments, String bar) {
        Html html = new Html();

        new TimeLineHtml(html)
                .lanes(new TimeLine(List.of(lane(moments, moments.getLast().kind())), 0, 1_000), Set.of());

        assertThat(html.toString()).contains("preserveAspectRatio=none>" + bar + "</svg>");
    }
}
