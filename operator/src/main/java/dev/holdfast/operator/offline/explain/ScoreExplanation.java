package dev.holdfast.operator.offline.explain;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.holdfast.operator.offline.check.CheckReport;
import dev.holdfast.operator.offline.print.Count;
import dev.holdfast.operator.offline.print.LineWidth;
import dev.holdfast.operator.offline.print.Printable;
import dev.holdfast.operator.offline.print.Table;
import dev.holdfast.operator.offline.soft.Landings;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.VictimProtection;
import dev.holdfast.policies.score.NodeScore;
import dev.holdfast.policies.score.Ranking;
import dev.holdfast.policies.score.ScorePlugin;
import dev.holdfast.policies.soft.Prediction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where the scheduler would place a pod, or its replacement, and by which scores. Published as {@code
 * docs/schemas/score-explanation.json}: no field changes its meaning.
 *
 * @param answer on which nodes the pod may land, as a sentence
 * @param decides what decides between the best node and the present one, or the second best, as a sentence; empty
 *     without scores
 * @param nodes the nodes that would take the pod, the greatest total first; without scores if there is no choice
 * @param refusing why the other nodes would not take the pod, as sentences
 * @param assumptions what is assumed of the scheduler, as sentences
 */
public record ScoreExplanation(
        String apiVersion,
        String kind,
        PlacedPod pod,
        String answer,
        String decides,
        List<ScoredNode> nodes,
        List<String> refusing,
        List<String> assumptions) {
    static final String KIND = "ScoreExplanation";

    /** The maximum number of nodes that the text shows, beside the present one. */
    private static final int MOST_SHOWN = 10;

    private static final int MOST_NAMED = 5;

    public ScoreExplanation {
        nodes = List.copyOf(nodes);
        refusing = List.copyOf(refusing);
        assumptions = List.copyOf(assumptions);
    }

    /**
     * A pod.
     *
     * @param node the node that it is on; empty for a pod without a node
     */
    public record PlacedPod(String namespace, String name, String node) {}

    /**
     * A node that would take the pod.
     *
     * @param total the sum of the points
     * @param possible whether the scheduler may choose the node, as far as that can be known
     * @param plugins what each plugin that does not skip the pod gives
     */
    public record ScoredNode(String node, long total, boolean possible, List<PluginScore> plugins) {
        public ScoredNode {
            plugins = List.copyOf(plugins);
        }

        private long points(String plugin) {
            return plugins.stream()
                    .filter(it -> it.plugin().equals(plugin))
                    .mapToLong(PluginScore::points)
                    .sum();
        }
    }

    /**
     * What one plugin gives to a node.
     *
     * @param raw before normalisation; may be negative
     * @param score 0 to 100
     * @param weight the weight of the plugin
     * @param points weight times score
     */
    public record PluginScore(String plugin, long raw, long score, int weight, long points) {
        static PluginScore of(NodeScore.Part part) {
            return new PluginScore(part.plugin().toString(), part.raw(), part.score(), part.weight(), part.points());
        }
    }

    /** {@return the explanation of a landing} */
    static ScoreExplanation of(Pod pod, Landings.Landing landing, PodExplanation.Nodes nodes) {
        String present = pod.nodeName().orElse("");
        List<ScoredNode> scored = scored(landing);
        return new ScoreExplanation(
                CheckReport.API_VERSION,
                KIND,
                new PlacedPod(pod.namespace(), pod.name().name(), present),
                answer(landing),
                decides(scored, present),
                scored,
                nodes.describeRefusing(present),
                assumptions(pod, landing));
    }

    private static List<ScoredNode> scored(Landings.Landing landing) {
        List<String> possible =
                landing.prediction() instanceof Prediction.Possible(List<String> names, var _) ? names : List.of();
        return switch (landing.ranking()) {
            case Ranking.Scored(List<NodeScore> nodes) ->
                nodes.stream()
                        .map(it -> new ScoredNode(
                                it.node(),
                                it.total(),
                                possible.contains(it.node()),
                                it.parts().stream().map(PluginScore::of).toList()))
                        .sorted(Comparator.comparingLong(ScoredNode::total)
                                .reversed()
                                .thenComparing(ScoredNode::node))
                        .toList();
            case Ranking.Unscored(Optional<String> only) ->
                only.stream()
                        .map(node -> new ScoredNode(node, 0, true, List.of()))
                        .toList();
            case Ranking.Unscorable _, Ranking.Unread _ -> List.of();
        };
    }

    private static String answer(Landings.Landing landing) {
        return switch (landing.prediction()) {
            case Prediction.Nowhere _ -> "No node would take it.";
            case Prediction.Refused(ScorePlugin plugin, String rule, String why) ->
                "The plugin " + plugin + " of the scheduler cannot read " + rule + ": " + why
                        + ". So the pod would stay Pending.";
            case Prediction.Unread(String why) -> "Its preferences were not read: " + why + ".";
            case Prediction.Possible(List<String> nodes, Optional<Integer> sampled) ->
                landing.ranking() instanceof Ranking.Unscored
                        ? "Only " + nodes.getFirst() + " would take it, so the scheduler scores no node."
                        : "The scheduler may choose " + named(nodes) + "."
                                + sampled.map(number -> " It looks for " + number
                                                + " feasible nodes only, so better nodes may be left out.")
                                        .orElse("");
        };
    }

    private static String named(List<String> nodes) {
        return nodes.stream().sorted().limit(MOST_NAMED).collect(Collectors.joining(", "))
                + (nodes.size() > MOST_NAMED ? " and " + Count.of(nodes.size() - MOST_NAMED, "more node") : "");
    }

    private static String decides(List<ScoredNode> scored, String present) {
        if (scored.size() < 2) {
            return "";
        }
        ScoredNode best = scored.getFirst();
        ScoredNode other = scored.stream()
                .filter(it -> it.node().equals(present) && !it.equals(best))
                .findFirst()
                .orElse(scored.get(1));
        String differences = best.plugins().stream()
                .filter(it -> it.points() != other.points(it.plugin()))
                .sorted(Comparator.comparingLong((PluginScore it) -> Math.abs(it.points() - other.points(it.plugin())))
                        .reversed())
                .map(it -> it.plugin() + " " + it.points() + " against " + other.points(it.plugin()))
                .collect(Collectors.joining(", "));
        return best.node() + " " + best.total() + ", " + other.node() + " " + other.total() + ": "
                + (differences.isEmpty() ? "all plugins give the same" : differences);
    }

    private static List<String> assumptions(Pod pod, Landings.Landing landing) {
        List<String> assumptions = new ArrayList<>();
        String scheduler = pod.victimProtection().scheduler().name();
        if (!scheduler.equals(VictimProtection.DEFAULT_SCHEDULER)) {
            assumptions.add("The scheduler " + scheduler + " places the pod, and may score otherwise.");
        }
        if (landing.ranking() instanceof Ranking.Scored) {
            assumptions.add(
                    "The scheduler has its default profile and its default spread constraints. A node may get up"
                            + " to " + Landings.UNKNOWN_POINTS + " points more for images that it has already.");
            if (!landing.spreadIsKnown()) {
                assumptions.add("A node may get up to " + Landings.UNKNOWN_SPREAD + " points more or less by these"
                        + " constraints, because the Services or the controller of the pod were not read: give"
                        + " svc,rs,sts,rc too.");
            }
        }
        return assumptions;
    }

    /**
     * {@return the explanation for people}
     *
     * @param width the most characters of a line
     */
    @JsonIgnore
    public List<String> lines(LineWidth width) {
        List<String> lines = new ArrayList<>(width.wrap(
                Printable.of("Pod " + pod.namespace() + "/" + pod.name()
                        + (pod.node().isEmpty() ? ", bound to no node. " : " on " + pod.node() + ". ") + answer),
                ""));
        if (!decides.isEmpty()) {
            lines.addAll(width.wrap(Printable.of(decides), ""));
            lines.add("");
            lines.addAll(table(width));
        }
        if (!refusing.isEmpty()) {
            lines.add("");
            refusing.forEach(it -> lines.addAll(width.wrap("  " + Printable.of(it), "    ")));
        }
        if (!assumptions.isEmpty()) {
            lines.add("");
            assumptions.forEach(it -> lines.addAll(width.wrap(it, "")));
        }
        return lines;
    }

    private List<String> table(LineWidth width) {
        List<String> plugins =
                nodes.getFirst().plugins().stream().map(PluginScore::plugin).toList();
        Table table = new Table(Stream.concat(Stream.of("NODE", "MAY BE CHOSEN", "TOTAL"), plugins.stream())
                .toArray(String[]::new));
        List<ScoredNode> shown = Stream.concat(
                        nodes.stream().limit(MOST_SHOWN),
                        nodes.stream().skip(MOST_SHOWN).filter(it -> it.node().equals(pod.node())))
                .toList();
        shown.forEach(node -> table.row(Stream.concat(
                        Stream.of(
                                node.node().equals(pod.node()) ? node.node() + " (its node now)" : node.node(),
                                node.possible() ? "yes" : "no",
                                Long.toString(node.total())),
                        plugins.stream().map(it -> Long.toString(node.points(it))))
                .toArray(String[]::new)));
        List<String> lines = new ArrayList<>(table.lines(width));
        if (shown.size() < nodes.size()) {
            lines.add("and " + Count.of(nodes.size() - shown.size(), "more node") + " with fewer points: -o json");
        }
        return lines;
    }
}
