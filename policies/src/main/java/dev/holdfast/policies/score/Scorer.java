package dev.holdfast.policies.score;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.Scheduling;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Scores the feasible nodes for pods as the scheduler does. Valid until the view changes; one thread owns it. What is
 * read of all pods is read once, so one scorer is made for many pods.
 */
public final class Scorer {
    private final SchedulerProfile profile;
    private final SharedReads reads;

    /**
     * Creates a scorer that scores as a scheduler with this configuration.
     *
     * @param view all nodes and pods of the cluster; a pod that is scored does not count itself
     */
    public Scorer(SchedulerProfile profile, ClusterView view) {
        this.profile = profile;
        this.reads = new SharedReads(view);
    }

    /**
     * {@return which of the feasible nodes the scheduler prefers for a pod} With at most one feasible node it scores
     * none.
     */
    public Ranking rank(Pod pod, List<Node> feasible) {
        return feasible.size() > 1
                ? score(pod, feasible)
                : new Ranking.Unscored(feasible.stream().map(Node::name).findFirst());
    }

    /** {@return the scores of the feasible nodes for a pod, also if there is only one; never unscored} */
    public Ranking score(Pod pod, List<Node> feasible) {
        Choice choice = new Choice(pod, feasible, reads);
        Scheduling scheduling = pod.scheduling();
        Optional<String> unread =
                scheduling.tooComplex().or(() -> scheduling.preferences().unread());
        if (unread.isPresent()) {
            return new Ranking.Unread(unread.get());
        }
        Map<ScorePlugin, PluginResult.Scored> results = new EnumMap<>(ScorePlugin.class);
        for (ScorePlugin plugin : profile.weights().keySet()) {
            switch (result(plugin, choice)) {
                case PluginResult.Skipped _ -> {}
                case PluginResult.Scored scored -> {
                    Optional<Ranking> invalid = invalid(plugin, scored, choice);
                    if (invalid.isPresent()) {
                        return invalid.get();
                    }
                    results.put(plugin, scored);
                }
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

    /** {@return that the scheduler refuses a score, which happens only to terms that no API server admits} */
    private static Optional<Ranking> invalid(ScorePlugin plugin, PluginResult.Scored scored, Choice choice) {
        for (int i = 0; i < scored.scores().size(); i++) {
            long score = scored.scores().get(i);
            if (score < 0 || score > Normalisation.GREATEST_SCORE) {
                return Optional.of(new Ranking.Unscorable(
                        plugin, choice.feasible().get(i).name(), "its score of " + score + " is not in 0 to 100"));
            }
        }
        return Optional.empty();
    }

    private PluginResult result(ScorePlugin plugin, Choice choice) {
        return switch (plugin) {
            case NODE_AFFINITY -> NodeAffinityScore.of(choice);
            case TAINT_TOLERATION -> TaintTolerationScore.of(choice);
            case INTER_POD_AFFINITY -> InterPodAffinityScore.of(choice, profile);
            case POD_TOPOLOGY_SPREAD -> PodTopologySpreadScore.of(choice, profile.spreadDefaults());
            case NODE_RESOURCES_FIT -> ResourcesFitScore.of(choice);
            case NODE_RESOURCES_BALANCED_ALLOCATION -> BalancedAllocationScore.of(choice);
        };
    }
}
