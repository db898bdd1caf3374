package dev.holdfast.policies.soft;

import dev.holdfast.policies.score.NodeScore;
import dev.holdfast.policies.score.Ranking;
import dev.holdfast.policies.score.ScorePlugin;
import java.util.List;
import java.util.Optional;

/** On which nodes the scheduler may place a pod, as far as its scores can be computed. */
public sealed interface Prediction {
    /**
     * The scheduler takes one of these nodes.
     *
     * @param nodes in the order of the feasible nodes; at least one
     * @param sampled how many of the feasible nodes the scheduler looks at, if it does not look at all of them
     */
    record Possible(List<String> nodes, Optional<Integer> sampled) implements Prediction {
        public Possible {
            nodes = List.copyOf(nodes);
        }
    }

    /** No node is feasible, so the pod would stay Pending. */
    record Nowhere() implements Prediction {}

    /**
     * The scheduler fails to score, so the pod would stay Pending.
     *
     * @param rule the preferred term or constraint that cannot be parsed, as written
     * @param why what is wrong with it
     */
    record Refused(ScorePlugin plugin, String rule, String why) implements Prediction {}

    /** The pod has preferences that were not read. */
    record Unread(String why) implements Prediction {}

    /**
     * {@return on which nodes the scheduler may place the pod}
     *
     * <p>A node is possible if its total, with all points that cannot be computed, reaches the best total without them.
     * If the scheduler looks at a part of the feasible nodes only (SC-ALL-8), any better nodes may be outside of it, as
     * long as they are no more than the nodes that are left out. Scores are those of all feasible nodes also then.
     *
     * @param unknown the points that a node may get from what cannot be computed, at most; the same for each node
     * @param clusterNodes the number of all nodes of the cluster
     */
    static Prediction of(Ranking ranking, long unknown, int clusterNodes) {
        return switch (ranking) {
            case Ranking.Unscored(Optional<String> only) ->
                only.<Prediction>map(node -> new Possible(List.of(node), Optional.empty()))
                        .orElseGet(Nowhere::new);
            case Ranking.Unscorable(ScorePlugin plugin, String rule, String why) -> new Refused(plugin, rule, why);
            case Ranking.Unread(String why) -> new Unread(why);
            case Ranking.Scored(List<NodeScore> nodes) -> possible(nodes, unknown, Sample.of(clusterNodes));
        };
    }

    private static Possible possible(List<NodeScore> nodes, long unknown, int looksAt) {
        long[] sorted = nodes.stream().mapToLong(NodeScore::total).sorted().toArray();
        int outside = Math.max(0, nodes.size() - looksAt);
        long bestAtLeast = sorted[sorted.length - 1 - outside];
        return new Possible(
                nodes.stream()
                        .filter(node -> node.total() + unknown >= bestAtLeast)
                        .map(NodeScore::node)
                        .toList(),
                outside == 0 ? Optional.empty() : Optional.of(looksAt));
    }
}
