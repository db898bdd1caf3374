package dev.holdfast.policies.score;

import dev.holdfast.policies.model.Node;
import java.util.List;

/**
 * The free cpu and memory of a node with the pod on it: the mean of the two shares, in percent. Source: the strategy
 * {@code LeastAllocated} of the plugin {@code NodeResourcesFit}.
 *
 * <p>Example: a node of 4 cores and 8 GiB on which 1 core and 2 GiB are used after the pod was placed. Three quarters
 * of both are free, so the score is 75.
 */
final class ResourcesFitScore {
    private ResourcesFitScore() {}

    static PluginResult of(Choice choice) {
        Load pod = Load.spreadOutOfNew(choice.pod().podRequirements());
        List<Long> scores = choice.feasible().stream()
                .map(node -> score(
                        node,
                        choice.reads().raised().without(choice.pod(), node).plus(pod)))
                .toList();
        return new PluginResult.Scored(scores, scores);
    }

    private static long score(Node node, Load load) {
        Load most = Load.of(node.allocatable());
        long resources = (most.milliCpu() > 0 ? 1L : 0L) + (most.memory() > 0 ? 1L : 0L);
        return resources == 0
                ? 0
                : (free(most.milliCpu(), load.milliCpu()) + free(most.memory(), load.memory())) / resources;
    }

    private static long free(long most, long used) {
        return used > most || most == 0 ? 0 : (most - used) * Normalisation.GREATEST_SCORE / most;
    }
}
