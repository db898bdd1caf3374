package dev.holdfast.operator.offline.report.html;

import dev.holdfast.operator.offline.print.Count;
import dev.holdfast.operator.offline.print.TimeText;
import dev.holdfast.operator.offline.report.ClusterReport.State;
import dev.holdfast.operator.offline.report.TimeLine;
import dev.holdfast.operator.offline.report.TimeLine.Kind;
import dev.holdfast.operator.offline.report.TimeLine.Lane;
import dev.holdfast.operator.offline.report.TimeLine.Moment;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Writes a time line: a lane for each pod, with a bar that says when it waits, is due or held, and moves. */
public final class TimeLineHtml {
    private static final long WIDTH = 1_000;

    /** The width of the shortest phase, so that a reader sees it. */
    private static final long LEAST = 2;

    /** What each kind of bar means. */
    private static final List<Map.Entry<String, String>> BARS =
            List.of(Map.entry("w", "forgiven"), Map.entry("d", "due or held"), Map.entry("m", "moves"));

    private final Html html;

    /** How many lanes were written. */
    private int written;

    /** The time at the right end of the bars, in seconds. */
    private long last = 1;

    public TimeLineHtml(Html html) {
        this.html = html;
    }

    /**
     * Opens the section of all lanes.
     *
     * @param said what the lanes are
     * @param lanes all lanes that follow, for the legend
     */
    public void begin(String title, String said, List<Lane> lanes) {
        html.markup("<section class=lanes aria-labelledby=pods>\n<div class=heading>")
                .element("h2 id=pods tabindex=-1", title)
                .markup("<button type=button id=all hidden>Show all</button></div>\n<p id=selected class=muted>")
                .text(said)
                .markup("</p>\n");
        if (!lanes.isEmpty()) {
            legend(lanes);
        }
    }

    private void legend(List<Lane> lanes) {
        Set<State> states =
                lanes.stream().map(lane -> state(lane.end().kind())).collect(Collectors.toCollection(TreeSet::new));
        html.markup("<ul class=legend aria-label=\"Shapes and bars\">");
        for (State state : states) {
            html.markup("<li>");
            StateMark.shape(html, state);
            html.markup(" ").text(words(state)).markup("</li>");
        }
        Set<String> phases = lanes.stream()
                .flatMap(lane -> lane.moments().stream())
                .map(moment -> phase(moment.stands()))
                .collect(Collectors.toSet());
        for (Map.Entry<String, String> bar : BARS) {
            if (phases.contains(bar.getKey())) {
                html.markup("<li><span class=\"bar " + bar.getKey() + "\"></span> ")
                        .text(bar.getValue())
                        .markup("</li>");
            }
        }
        html.markup("</ul>\n");
    }

    private static String words(State state) {
        return switch (state) {
            case KILLED -> "removed or gone";
            case VIOLATED -> "due or held, or a futile move";
            case UNDETERMINED -> "not due, moving, or would be evicted";
            case FINE -> "ended or moved";
        };
    }

    /**
     * Writes the lanes of a time line, with its times; nothing without lanes.
     *
     * @param anyway the UIDs of pods to which the same happens without the change
     */
    public void lanes(TimeLine timeLine, Set<String> anyway) {
        if (timeLine.lanes().isEmpty()) {
            return;
        }
        last = timeLine.seconds();
        html.markup("<p class=axis><span>0s</span><span>").text(after(last)).markup("</span></p>\n");
        timeLine.lanes().forEach(lane -> write(lane, written++, anyway.contains(lane.uid())));
    }

    /** Closes the section. */
    public void end() {
        html.markup("</section>\n");
    }

    /** {@return how many pods are listed} */
    public static String said(TimeLine timeLine) {
        return timeLine.lanes().isEmpty()
                ? "No pod violates a rule, and none is removed."
                : Count.of(timeLine.lanes().size(), "pod") + ". Select a node to see only its pods. "
                        + others(timeLine);
    }

    /** {@return how many pods are not listed; empty if all are} */
    public static String others(TimeLine timeLine) {
        int others = timeLine.others();
        return others == 0 ? "" : Count.of(others, "more pod") + (others == 1 ? " is" : " are") + " not listed.";
    }

    private void write(Lane lane, int number, boolean anyway) {
        Moment end = lane.end();
        State state = state(end.kind());
        html.markup("<article").attribute("id", "p" + number).markup("><details><summary>");
        StateMark.shape(html, state);
        html.markup(" <h3><span class=ns>")
                .name(lane.namespace() + "/")
                .markup("</span>")
                .name(lane.pod())
                .markup("</h3> <span class=muted>on ")
                .name(lane.node())
                .markup("</span> <span class=why>")
                .name(end.kind().words() + " after " + after(end.seconds()))
                .markup("</span>");
        bar(lane);
        html.markup("</summary>\n<div class=body>\n");
        if (anyway) {
            html.markup("<p class=note>This happens without the change too.</p>\n");
        }
        html.markup("<ol class=rules>\n");
        int half = lane.moments().size() / 2;
        lane.moments().subList(0, half).forEach(this::moment);
        if (lane.leftOut() > 0) {
            html.markup("<li class=muted>")
                    .text(Count.of(lane.leftOut(), "more moment"))
                    .markup("</li>\n");
        }
        lane.moments().subList(half, lane.moments().size()).forEach(this::moment);
        html.markup("</ol>\n</div></details></article>\n");
    }

    private void moment(Moment moment) {
        html.markup("<li><b>")
                .text(after(moment.seconds()))
                .markup("</b> ")
                .text(moment.kind().words())
                .markup(" <span class=muted>")
                .name(moment.text())
                .markup("</span></li>\n");
    }

    private static State state(Kind end) {
        return switch (end) {
            case MOVED, ENDS -> State.FINE;
            case BEGINS, WOULD_EVICT, EVICTED -> State.UNDETERMINED;
            case DUE, HELD, FUTILE -> State.VIOLATED;
            case REMOVED, GONE -> State.KILLED;
        };
    }

    /** Draws what the pod does between its moments. Equal phases that follow each other are one. */
    private void bar(Lane lane) {
        html.markup("<svg aria-hidden=true viewBox=\"0 0 " + WIDTH + " 8\" preserveAspectRatio=none>");
        List<Moment> moments = lane.moments();
        Moment start = moments.getFirst();
        for (Moment moment : moments) {
            if (!phase(moment.stands()).equals(phase(start.stands()))) {
                phase(start, x(moment.seconds()));
                start = moment;
            }
        }
        phase(start, WIDTH);
        html.markup("</svg>");
    }

    private void phase(Moment start, long end) {
        String phase = phase(start.stands());
        if (!phase.isEmpty()) {
            long from = Math.min(x(start.seconds()), WIDTH - LEAST);
            long to = Math.max(end, from + LEAST);
            html.markup(
                    "<path class=" + phase + " d=\"M" + from + " " + top(phase) + "H" + to + "V8H" + from + "z\"/>");
        }
    }

    /** {@return where the bar of a phase begins: each has its own height, so that no one needs to see its colour} */
    private static int top(String phase) {
        return switch (phase) {
            case "w" -> 5;
            case "m" -> 3;
            default -> 0;
        };
    }

    private static String phase(Kind kind) {
        return switch (kind) {
            case BEGINS -> "w";
            case DUE, HELD, WOULD_EVICT -> "d";
            case EVICTED -> "m";
            case MOVED, FUTILE, GONE, ENDS, REMOVED -> "";
        };
    }

    private long x(long seconds) {
        return WIDTH * seconds / last;
    }

    private static String after(long seconds) {
        return TimeText.of(Duration.ofSeconds(seconds));
    }
}
