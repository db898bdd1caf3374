package dev.holdfast.policies.vectors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.evaluate.Placement;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.score.NodeScore;
import dev.holdfast.policies.score.Ranking;
import dev.holdfast.policies.score.SchedulerProfile;
import dev.holdfast.policies.score.ScorePlugin;
import dev.holdfast.policies.score.Scorer;
import dev.holdfast.policies.score.SpreadDefaults;
import dev.holdfast.policies.vectors.ScoreVectorCase.Answer;
import dev.holdfast.policies.vectors.ScoreVectorCase.Expected;
import dev.holdfast.policies.vectors.ScoreVectorCase.Plugin;
import java.io.IOException;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Compares scores with those of the real kube-scheduler, case by case. It reads every {@code *.jsonl.gz} in the
 * directory given by {@code -Dholdfast.score-vectors}, by default the copies in the test resources.
 */
class ScoreVectorsTest {
    private static final int SHOWN = 10;

    private final List<String> differences = new ArrayList<>();
    private int cases;
    private int answers;

    @Test
    void everyScoreAndEveryBestNodeIsTheSchedulers() throws IOException, URISyntaxException {
        VectorFiles.read("score-vectors", vector -> judge(ScoreVectorCase.of(vector)));
        System.out.printf("%d cases, %d answers, %d differences%n", cases, answers, differences.size());
        assertThat(answers).as("answers compared").isPositive();
        assertThat(differences.stream().limit(SHOWN))
                .as("the first %d of %d differences", SHOWN, differences.size())
                .isEmpty();
    }

    private void judge(ScoreVectorCase vector) {
        cases++;
        ReferenceCluster cluster = new ReferenceCluster();
        VectorFiles.shuffled(vector.facts(), vector.id()).forEach(cluster::apply);
        assertThat(VectorFiles.judged(cluster))
                .as("the pods judged in %s", vector.id())
                .isEqualTo(vector.expected().stream().map(Expected::pod).toList());
        Scorer scorer = scorer(SpreadDefaults.none(), cluster);
        Scorer withSystemDefaults = scorer(SpreadDefaults.ofSystem(vector.selectors()), cluster);
        for (Expected expected : vector.expected()) {
            Pod pod = cluster.pod(expected.pod()).orElseThrow();
            List<Node> feasible = Placement.fits(pod, List.of(), cluster);
            String where = vector.id() + " pod " + expected.pod();
            compare(
                    where + " feasible",
                    expected.feasible(),
                    feasible.stream().map(Node::name).toList());
            compare(where, expected.answer(), answer(scorer, pod, feasible));
            compare(
                    where + " with system defaults",
                    expected.systemDefaults(),
                    answer(withSystemDefaults, pod, feasible));
        }
    }

    private static Scorer scorer(SpreadDefaults spreadDefaults, ReferenceCluster cluster) {
        return new Scorer(SchedulerProfile.ofSoftRules(spreadDefaults), cluster);
    }

    /** {@return the answer in the form of the vectors, which have the scores of a single feasible node too} */
    private static Answer answer(Scorer scorer, Pod pod, List<Node> feasible) {
        List<String> best = scorer.rank(pod, feasible).best();
        if (feasible.isEmpty()) {
            return new Answer(Map.of(), List.of(), best, Optional.empty());
        }
        return switch (scorer.score(pod, feasible)) {
            case Ranking.Unscorable unscorable ->
                new Answer(Map.of(), List.of(), best, Optional.of(unscorable.plugin()));
            case Ranking.Scored(var nodes) ->
                new Answer(plugins(nodes), nodes.stream().map(NodeScore::total).toList(), best, Optional.empty());
            case Ranking.Unscored _, Ranking.Unread _ -> throw new AssertionError("not scored");
        };
    }

    private static Map<ScorePlugin, Plugin> plugins(List<NodeScore> nodes) {
        Map<ScorePlugin, Plugin> plugins = new EnumMap<>(ScorePlugin.class);
        for (NodeScore node : nodes) {
            for (NodeScore.Part part : node.parts()) {
                Plugin numbers =
                        plugins.computeIfAbsent(part.plugin(), _ -> new Plugin(new ArrayList<>(), new ArrayList<>()));
                numbers.raw().add(part.raw());
                numbers.score().add(part.score());
            }
        }
        return plugins;
    }

    private void compare(String where, Object expected, Object actual) {
        answers++;
        if (!expected.equals(actual)) {
            differences.add(where + ": scheduler " + expected + ", ours " + actual);
        }
    }
}
