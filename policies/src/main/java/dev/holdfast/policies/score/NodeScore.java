package dev.holdfast.policies.score;

import java.util.List;

/**
 * The score of one feasible node.
 *
 * @param node the name of the node
 * @param parts one for each plugin that scores the pod, in the order of {@link ScorePlugin}
 */
public record NodeScore(String node, List<Part> parts) {
    public NodeScore {
        parts = List.copyOf(parts);
    }

    /**
     * What one plugin gives to the node.
     *
     * @param weight the weight of the plugin
     * @param raw before normalisation; its meaning and range depend on the plugin
     * @param score 0 to 100
     */
    public record Part(ScorePlugin plugin, int weight, long raw, long score) {
        /** {@return what the plugin adds to the total} */
        public long points() {
            return weight * score;
        }
    }

    /** {@return the sum of the points of all plugins} */
    public long total() {
        return parts.stream().mapToLong(Part::points).sum();
    }
}
