package dev.holdfast.policies.score;

import java.util.List;

/** What one plugin says about the feasible nodes. */
sealed interface PluginResult {
    /** The plugin does not score the pod, and so adds 0 to each node. */
    record Skipped() implements PluginResult {}

    /**
     * The plugin cannot score the pod.
     *
     * @param rule the preferred term or constraint that cannot be parsed, as written
     * @param why what is wrong with it
     */
    record Failed(String rule, String why) implements PluginResult {}

    /**
     * One number for each feasible node, in their order.
     *
     * @param raw before normalisation; only comparable among nodes of one choice
     * @param scores 0 to 100
     */
    record Scored(List<Long> raw, List<Long> scores) implements PluginResult {
        public Scored {
            raw = List.copyOf(raw);
            scores = List.copyOf(scores);
        }
    }
}
