package dev.holdfast.policies.score;

import java.util.List;
import java.util.Optional;

/** Which of the feasible nodes the scheduler prefers for a pod. */
public sealed interface Ranking {
    /** {@return the names of the nodes that the scheduler prefers, in the order of the choice; empty if unknown} */
    List<String> best();

    /**
     * The scheduler does not score, since it has no choice.
     *
     * @param onlyNode the name of the only feasible node, which it takes; empty if no node is feasible
     */
    record Unscored(Optional<String> onlyNode) implements Ranking {
        @Override
        public List<String> best() {
            return onlyNode.stream().toList();
        }
    }

    /**
     * The scheduler fails to score, so the pod stays Pending.
     *
     * @param plugin the first plugin that fails
     * @param what the preferred term or constraint that cannot be parsed, as written, or the node with a wrong score
     * @param why what is wrong with it
     */
    record Unscorable(ScorePlugin plugin, String what, String why) implements Ranking {
        @Override
        public List<String> best() {
            return List.of();
        }
    }

    /**
     * The pod has more than Holdfast reads, so its preferences are unknown. The scheduler knows them.
     *
     * @param why what the pod has too much of
     */
    record Unread(String why) implements Ranking {
        @Override
        public List<String> best() {
            return List.of();
        }
    }

    /**
     * The score of each feasible node, in the order of the feasible nodes.
     *
     * <p>The scheduler takes a node with the greatest total. Of several it takes one that cannot be predicted, and not
     * each with the same probability.
     */
    record Scored(List<NodeScore> nodes) implements Ranking {
        public Scored {
            nodes = List.copyOf(nodes);
        }

        @Override
        public List<String> best() {
            long greatest = nodes.stream().mapToLong(NodeScore::total).max().orElse(0);
            return nodes.stream()
                    .filter(node -> node.total() == greatest)
                    .map(NodeScore::node)
                    .toList();
        }
    }
}
