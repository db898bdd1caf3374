package dev.holdfast.policies.score;

import dev.holdfast.policies.model.Node;
import java.util.List;

/**
 * Whether the pod makes the used shares of cpu and memory of a node more alike. A node where it changes nothing has 75.
 * Source: the plugin {@code NodeResourcesBalancedAllocation}.
 *
 * <p>Example: of a node's cpu 60 % are used and of its memory 20 %, so its balance is 80. With the pod, 60 % of both
 * are used, and its balance is 100. The score is 50 + (50 + 100 - 80) / 2 = 85.
 */
final class BalancedAllocationScore {
    private static final long HALF = Normalisation.GREATEST_SCORE / 2;

    private BalancedAllocationScore() {}

    static PluginResult of(Choice choice) {
        Load pod = Load.of(choice.pod().podRequirements().requests());
        if (pod.equals(Load.NONE)) {
            return new PluginResult.Skipped();
        }
        List<Long> scores = choice.feasible().stream()
                .map(node -> score(node, choice.reads().reserved().without(choice.pod(), node), pod))
                .toList();
        return new PluginResult.Scored(scores, scores);
    }

    private static long score(Node node, Load others, Load pod) {
        return HALF + (HALF + balance(node, others.plus(pod)) - balance(node, others)) / 2;
    }

    /** {@return 100 if the same share of both is used, less the more they differ} */
    private static long balance(Node node, Load load) {
        Load most = Load.of(node.allocatable());
        if (most.milliCpu() == 0 || most.memory() == 0) {
            return Normalisation.GREATEST_SCORE;
        }
        double difference = used(load.milliCpu(), most.milliCpu()) - used(load.memory(), most.memory());
        return (long) ((1 - Math.abs(difference / 2)) * Normalisation.GREATEST_SCORE);
    }

    private static double used(long load, long most) {
        return Math.min(1, (double) load / most);
    }
}
