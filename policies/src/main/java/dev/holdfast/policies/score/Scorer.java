package dev.holdfast.policies.score;

import dev.holdfast.policies.model.Node;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Scores the feasible nodes for a pod as the scheduler does. */
public final class Scorer {
    private final SchedulerProfile profile;

    /** Creates a scorer that scores as a scheduler with this configuration. */
    public Scorer(SchedulerProfile profile) {
        this.profile = profile;
    }

    /** {@return which of the feasible nodes the scheduler prefers} With at most one feasible node it scores none. */
    public Ranking rank(Choice choice) {
        return choice.feasible().size() > 1
                ? score(choice)
                : new Ranking.Unscored(
                        choice.feasible().stream().map(Node::name).findFirst());
    }

    /** {@return the scores of the feasible nodes, also if there is only one: scored, or unscorable} */
    public Ranking score(Choice choice) {
        Map<ScorePlugin, PluginResult.Scored> results = new EnumMap<>(ScorePlugin.class);
        for (ScorePlugin plugin : profile.weights().keySet()) {
            switch (result(plugin, choice)) {
                case PluginResult.Skipped _ -> {}
                case PluginResult.Scored scored -> results.put(plugin, scored);
                case PluginResult.Failed(String rule, String why) -> {
                    return new Ranking.Unscorable(plugin, rule, why);
                }
            }
        }
        List<NodeScore> nodes = new ArrayList<>();
        for (int i = 0; i < choice.feasible().size(); i++) {
            List<NodeScore.Part> parts = new ArrayList<>();
            for (Map.Entry<ScorePlugin, PluginResult.Scored> result : results.entrySet()) {
                parts.add(new NodeScore.Part(
                        result.getKey(),
                        profile.weights().getOrDefault(result.getKey(), 0),
                        result.getValue().raw().get(i),
                        result.getValue().scores().get(i)));
            }
            nodes.add(new NodeScore(choice.feasible().get(i).name(), parts));
        }
        return new Ranking.Scored(nodes);
    }

    private PluginResult result(ScorePlugin plugin, Choice choice) {
        return switch (plugin) {
            case NODE_AFFINITY -> NodeAffinityScore.of(choice);
            case TAINT_TOLERATION -> TaintTolerationScore.of(choice);
            case INTER_POD_AFFINITY -> InterPodAffinityScore.of(choice, profile);
            case POD_TOPOLOGY_SPREAD -> PodTopologySpreadScore.of(choice, profile.spreadDefaults());
        };
    }
}
