package dev.holdfast.operator.offline.report.page;

import dev.holdfast.operator.offline.print.Count;
import dev.holdfast.operator.offline.print.TimeText;
import dev.holdfast.operator.offline.report.ChangePicture;
import dev.holdfast.operator.offline.report.ClusterMap.MapPod;
import dev.holdfast.operator.offline.report.ClusterMap.Presence;
import dev.holdfast.operator.offline.report.ClusterReport.State;
import dev.holdfast.operator.offline.report.TimeLine.Lane;
import dev.holdfast.operator.offline.report.html.Html;
import dev.holdfast.operator.offline.report.html.SectionHtml;
import dev.holdfast.operator.offline.report.html.StateMark;
import dev.holdfast.operator.offline.report.html.TimeLineHtml;
import dev.holdfast.operator.offline.whatif.WhatIfOutput;
import dev.holdfast.operator.offline.whatif.WhatIfReport;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The consequences of a change as one HTML file: the map before and after, and a time line of the pods. */
public final class WhatIfPage {
    /** The heading of the pods. */
    private static final String TITLE = "Time line";

    private static final int MOST_ROWS = 30;

    private final WhatIfReport report;
    private final ChangePicture picture;
    private final PageScript script;
    private final Html html = new Html();
    private final SectionHtml section = new SectionHtml(html);

    public WhatIfPage(WhatIfReport report, ChangePicture picture, PageScript script) {
        this.report = report;
        this.picture = picture;
        this.script = script;
    }

    /**
     * {@return the lines of the page}
     *
     * @param change the command line that says what the change is
     */
    public List<String> lines(String change) {
        List<Lane> lanes = picture.timeLine().lanes();
        ListedPods pods = new ListedPods(lanes);
        PageFrame frame = new PageFrame(html, script);
        frame.begin("What if: " + change, "What if", "holdfast " + change, TITLE);
        numbers();
        frame.warnings(report.warnings());
        frame.search();
        html.markup("<div class=maps>\n");
        MapHtml maps = new MapHtml(html, pods, List.of(picture.before(), picture.after()));
        maps.write(picture.before(), "before", "Before the change");
        maps.write(picture.after(), "after", after() + " after the change");
        html.markup("</div>\n");
        stuck();
        losses();
        TimeLineHtml timeLine = new TimeLineHtml(html);
        timeLine.begin(TITLE, TimeLineHtml.said(picture.timeLine()), lanes);
        timeLine.lanes(picture.timeLine(), anyway());
        timeLine.end();
        held();
        frame.end("holdfast what-if", "All evictions, holds and stuck pods are in the document that -o json prints.");
        return html.toString().lines().toList();
    }

    private String after() {
        return TimeText.of(Duration.ofSeconds(report.seconds()));
    }

    private void numbers() {
        WhatIfReport.Summary summary = report.summary();
        html.markup("<section aria-labelledby=numbers>\n<h2 id=numbers class=vh>Numbers</h2>\n<dl class=numbers>\n");
        number(State.VIOLATED, summary.begins(), "violation would begin", "violations would begin");
        number(State.FINE, summary.ends(), "violation would end", "violations would end");
        number(State.KILLED, summary.evictions(), "pod would be evicted", "pods would be evicted");
        number(State.KILLED, summary.displaced(), "pod removed by the change", "pods removed by the change");
        number(State.VIOLATED, summary.stuck(), "pod would be stuck", "pods would be stuck");
        number(State.UNDETERMINED, summary.held(), "violation held at the end", "violations held at the end");
        html.markup("</dl>\n");
        legend();
        html.markup("<p class=note>").text(WhatIfOutput.summary(report)).markup("</p>\n</section>\n");
    }

    private void legend() {
        List<MapPod> pods = Stream.of(picture.before(), picture.after())
                .flatMap(map -> map.zones().stream())
                .flatMap(zone -> zone.nodes().stream())
                .flatMap(node -> node.pods().stream())
                .toList();
        if (pods.isEmpty()) {
            return;
        }
        html.markup("<ul class=legend aria-label=\"Shapes of the maps\">");
        for (State state : pods.stream().map(MapPod::state).collect(Collectors.toCollection(TreeSet::new))) {
            html.markup("<li>");
            StateMark.shape(html, state);
            html.markup(" ").text(StateMark.word(state)).markup("</li>");
        }
        if (pods.stream().anyMatch(pod -> pod.presence() != Presence.STAYS)) {
            html.markup("<li><span class=frame></span> gone at the end, or new</li>");
        }
        html.markup("</ul>\n");
    }

    private void number(State state, int number, String one, String several) {
        StateMark.number(html, state, number, number == 1 ? one : several);
    }

    private void stuck() {
        if (!report.stuck().isEmpty()) {
            section.begin("stuck", Count.of(report.stuck().size(), "pod") + " would be stuck at the end");
            section.table(
                    List.of("Pod", "Node", "Why"),
                    report.stuck(),
                    MOST_ROWS,
                    "pod",
                    it -> section.head(it.namespace() + "/" + it.pod())
                            .cell(it.node())
                            .cell(it.why()));
            section.end();
        }
    }

    private void losses() {
        if (!report.losses().isEmpty()) {
            section.begin("losses", Count.of(report.losses().size(), "workload") + " would lose pods");
            section.table(
                    List.of("Workload", "Least", "Left", "State", "Why"),
                    report.losses(),
                    MOST_ROWS,
                    "workload",
                    it -> section.head(it.namespace() + "/" + it.name() + " " + it.kind())
                            .cell(it.worstMoment().ready() + " of " + it.pods())
                            .cell(it.left() + " of " + it.pods())
                            .cell(it.worstMoment().words(it.state()))
                            .cell(it.why()));
            section.end();
        }
    }

    /** Writes one row for all violations that are held for the same reason, those that the change causes first. */
    private void held() {
        if (!report.held().isEmpty()) {
            Map<Hold, List<WhatIfReport.Held>> alike = report.held().stream()
                    .collect(Collectors.groupingBy(Hold::of, LinkedHashMap::new, Collectors.toList()));
            Comparator<Map.Entry<Hold, List<WhatIfReport.Held>>> order =
                    Comparator.comparing(it -> it.getKey().withoutChangeToo());
            section.begin("held", Count.of(report.held().size(), "violation") + " due and held at the end");
            section.table(
                    List.of("Reason", "Pods", "Policy", "Rule", "Without the change too", "Why"),
                    alike.entrySet().stream()
                            .sorted(order.thenComparingInt(it -> -it.getValue().size()))
                            .toList(),
                    MOST_ROWS,
                    "reason",
                    it -> section.head(it.getKey().reason())
                            .cell(Count.named(it.getValue().stream()
                                    .map(pod -> pod.namespace() + "/" + pod.pod())
                                    .toList()))
                            .cell(it.getKey().policy())
                            .cell(it.getKey().rule())
                            .cell(it.getKey().withoutChangeToo() ? "yes" : "no")
                            .cell(it.getKey().message()));
            section.end();
        }
    }

    /** What held violations have in common. */
    private record Hold(String reason, String policy, String rule, boolean withoutChangeToo, String message) {
        static Hold of(WhatIfReport.Held held) {
            return new Hold(held.reason(), held.policy(), held.rule().name(), held.withoutChangeToo(), held.message());
        }
    }

    /** {@return the UIDs of pods to which the same happens without the change} */
    private Set<String> anyway() {
        return Stream.of(
                        report.evictions().stream()
                                .filter(WhatIfReport.Eviction::withoutChangeToo)
                                .map(WhatIfReport.Eviction::uid),
                        report.held().stream()
                                .filter(WhatIfReport.Held::withoutChangeToo)
                                .map(WhatIfReport.Held::uid))
                .flatMap(uids -> uids)
                .collect(Collectors.toSet());
    }
}
