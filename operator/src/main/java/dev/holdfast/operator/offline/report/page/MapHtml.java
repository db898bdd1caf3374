package dev.holdfast.operator.offline.report.page;

import dev.holdfast.operator.offline.print.Count;
import dev.holdfast.operator.offline.print.ShortNames;
import dev.holdfast.operator.offline.report.ClusterMap;
import dev.holdfast.operator.offline.report.ClusterMap.MapNode;
import dev.holdfast.operator.offline.report.ClusterMap.MapPod;
import dev.holdfast.operator.offline.report.ClusterMap.Presence;
import dev.holdfast.operator.offline.report.ClusterMap.Zone;
import dev.holdfast.operator.offline.report.ClusterReport.State;
import dev.holdfast.operator.offline.report.html.Html;
import dev.holdfast.operator.offline.report.html.StateMark;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Writes the map: zones as boxes, nodes as tiles, and pods as marks in the shape and colour of their state. */
final class MapHtml {
    /** The maximum number of nodes on a map: those with the most pods that violate a rule, leave or arrive. */
    static final int MOST_NODES = 1_000;

    /** The maximum number of pods on a map whose names are in the page. */
    static final int MOST_NAMES = 10_000;

    /** The number of pods above which the marks are smaller. */
    private static final int FEW_PODS = 1_000;

    /** The length of the name on a tile, which is as wide as its marks. */
    private static final int LONGEST_NAME = 15;

    private static final int COLUMNS = 10;

    /** The side of a mark in the coordinates of its picture. */
    private static final int SIDE = 10;

    private final Html html;
    private final ListedPods listed;

    /** The names of the nodes that are drawn: the same on each map, so that a reader can compare them. */
    private final Set<String> drawn;

    /** @param maps all maps of the page */
    MapHtml(Html html, ListedPods listed, List<ClusterMap> maps) {
        this.html = html;
        this.listed = listed;
        this.drawn = drawn(maps);
    }

    /** @param id the name of the map in the page */
    void write(ClusterMap map, String id, String title) {
        if (map.nodeCount() == 0) {
            return;
        }
        ShortNames names = new ShortNames(drawn, LONGEST_NAME);
        boolean few = map.podCount() <= FEW_PODS;
        html.markup("<section aria-labelledby=" + id + ">\n<div class=heading>")
                .element("h2 id=" + id, title)
                .markup("<p class=\"pointed muted\" aria-hidden=true></p></div>\n");
        note(names.note());
        html.markup("<div class=zones>\n");
        map.zones().forEach(zone -> zone(zone, names, few ? 12 : 8, map.podCount() <= MOST_NAMES));
        html.markup("</div>\n");
        if (map.podCount() > MOST_NAMES) {
            note("Of " + Count.of(map.podCount(), "pod") + ", only the affected ones have names here.");
        }
        html.markup("</section>\n");
    }

    private void note(String text) {
        if (!text.isEmpty()) {
            html.markup("<p class=note>").name(text).markup("</p>\n");
        }
    }

    private static Set<String> drawn(List<ClusterMap> maps) {
        Map<String, Long> standing = maps.stream()
                .flatMap(map -> map.zones().stream())
                .flatMap(zone -> zone.nodes().stream())
                .collect(Collectors.groupingBy(
                        MapNode::name,
                        Collectors.summingLong(node ->
                                node.pods().stream().filter(MapHtml::stands).count())));
        return standing.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
                .limit(MOST_NODES)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    private void zone(Zone zone, ShortNames names, int side, boolean allNames) {
        List<MapNode> nodes = zone.nodes().stream()
                .filter(node -> drawn.contains(node.name()))
                .toList();
        html.markup("<section class=zone><h3>")
                .name(zone.name().isEmpty() ? "No zone" : zone.name())
                .markup("</h3> <span class=muted>")
                .text(Count.of(zone.nodes().size(), "node") + ", " + Count.of(zone.podCount(), "pod"))
                .markup("</span> ");
        StateMark.chips(html, zone::count, List.of(State.KILLED, State.VIOLATED, State.UNDETERMINED));
        html.markup("\n<ul class=tiles>\n");
        nodes.forEach(node -> tile(node, names.of(node.name()), side, allNames));
        html.markup("</ul>");
        List<MapNode> others = zone.nodes().stream()
                .filter(node -> !drawn.contains(node.name()))
                .toList();
        if (!others.isEmpty()) {
            html.markup("<p class=note>")
                    .text(Count.of(others.size(), "more node") + " with "
                            + Count.of(
                                    others.stream()
                                            .mapToInt(it -> it.pods().size())
                                            .sum(),
                                    "pod") + ", "
                            + Count.of(
                                    others.stream().mapToInt(MapNode::affected).sum(), "affected one"))
                    .markup("</p>");
        }
        html.markup("</section>\n");
    }

    private void tile(MapNode node, String shortName, int side, boolean allNames) {
        List<MapPod> named = allNames
                ? node.pods()
                : node.pods().stream().filter(MapHtml::stands).toList();
        html.markup("<li><button type=button class=\"tile" + (node.remark().isEmpty() ? "" : " off") + "\"")
                .attribute("data-name", node.name())
                .attribute("data-pods", listed.numbers(affected(node)))
                .attribute("data-names", named.stream().map(pod -> pod.namespace() + "/" + pod.pod()));
        long missing = listed.missing(affected(node));
        if (missing > 0) {
            html.attribute("data-missing", missing);
        }
        html.markup("><span class=name aria-hidden=true>").text(shortName).markup("</span><span class=vh>");
        html.text(node.name() + ": " + Count.of(node.pods().size(), "pod") + counts(node));
        html.markup("</span>");
        if (!node.remark().isEmpty()) {
            html.element("span class=remark", node.remark());
        }
        marks(node.pods(), side);
        html.markup("</button></li>\n");
    }

    /** {@return whether a pod has a name even on a map of very many pods} */
    private static boolean stands(MapPod pod) {
        return pod.state() != State.FINE || pod.presence() != Presence.STAYS;
    }

    private static List<String> affected(MapNode node) {
        return node.pods().stream()
                .filter(pod -> pod.state() != State.FINE || pod.presence() == Presence.LEAVES)
                .map(MapPod::uid)
                .toList();
    }

    private static String counts(MapNode node) {
        StringBuilder counts = new StringBuilder();
        for (State state : State.values()) {
            if (state != State.FINE && node.count(state) > 0) {
                counts.append(", ").append(node.count(state)).append(' ').append(StateMark.word(state));
            }
        }
        int leaving = node.count(Presence.LEAVES);
        counts.append(leaving == 0 ? "" : ", " + leaving + (leaving == 1 ? " leaves" : " leave"));
        int arriving = node.count(Presence.ARRIVES);
        counts.append(arriving == 0 ? "" : ", " + arriving + " new");
        return counts.append(node.remark().isEmpty() ? " " : ", ").toString();
    }

    /** Writes the pods of a node as one path for each state. */
    private void marks(List<MapPod> pods, int side) {
        int rows = Math.max(1, (pods.size() + COLUMNS - 1) / COLUMNS);
        html.markup("<svg aria-hidden=true viewBox=\"0 0 " + COLUMNS * SIDE + " " + rows * SIDE + "\"")
                .attribute("width", (long) COLUMNS * side)
                .attribute("height", (long) rows * side)
                .markup(">");
        for (State state : State.values()) {
            List<Integer> places = new ArrayList<>();
            for (int at = 0; at < pods.size(); at++) {
                if (pods.get(at).state() == state) {
                    places.add(at);
                }
            }
            if (!places.isEmpty()) {
                html.markup("<path class=" + StateMark.cssClass(state))
                        .attribute(
                                "d",
                                places.stream()
                                        .map(at -> mark(
                                                state, at % COLUMNS * SIDE + SIDE / 2, at / COLUMNS * SIDE + SIDE / 2))
                                        .collect(Collectors.joining()))
                        .markup("/>");
            }
        }
        frames(pods, Presence.LEAVES, "leaves");
        frames(pods, Presence.ARRIVES, "arrives");
        html.markup("</svg>");
    }

    /** Draws a frame around each pod with a presence. */
    private void frames(List<MapPod> pods, Presence presence, String cssClass) {
        String frames = IntStream.range(0, pods.size())
                .filter(at -> pods.get(at).presence() == presence)
                .mapToObj(at -> "M" + at % COLUMNS * SIDE + " " + at / COLUMNS * SIDE + "h10v10h-10z")
                .collect(Collectors.joining());
        if (!frames.isEmpty()) {
            html.markup("<path class=" + cssClass).attribute("d", frames).markup("/>");
        }
    }

    /** {@return the outline of a mark around a point} A line without length is drawn as its round ends. */
    private static String mark(State state, int x, int y) {
        return switch (state) {
            case KILLED -> "M" + x + " " + (y - 5) + "l5 5-5 5-5-5z";
            case VIOLATED -> "M" + x + " " + (y - 4) + "l5 8h-10z";
            case UNDETERMINED -> "M" + (x - 3) + " " + (y - 3) + "h7v7h-7z";
            case FINE -> "M" + x + " " + y + "h0";
        };
    }
}
