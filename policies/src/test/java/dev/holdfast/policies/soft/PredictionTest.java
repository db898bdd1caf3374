package dev.holdfast.policies.soft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.score.NodeScore;
import dev.holdfast.policies.score.Ranking;
import dev.holdfast.policies.score.ScorePlugin;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class PredictionTest {
    static Stream<Arguments> predictions() {
        return Stream.of(
                argumentSet("SC-ALL-1: no node is feasible", new Ranking.Unscored(Optional.empty()), 0, 3, nowhere()),
                argumentSet(
                        "SC-ALL-1: the only feasible node",
                        new Ranking.Unscored(Optional.of("n1")),
                        0,
                        3,
                        possible("n1")),
                argumentSet(
                        "SC-NA-5: a term that does not parse",
                        new Ranking.Unscorable(ScorePlugin.NODE_AFFINITY, "gen Gt [x]", "no number"),
                        0,
                        3,
                        new Prediction.Refused(ScorePlugin.NODE_AFFINITY, "gen Gt [x]", "no number")),
                argumentSet(
                        "preferences that were not read",
                        new Ranking.Unread("too many"),
                        0,
                        3,
                        new Prediction.Unread("too many")),
                argumentSet("the best of all", scored(100, 300, 200), 0, 3, possible("n1")),
                argumentSet("SC-ALL-7: each of the best", scored(300, 200, 300), 0, 3, possible("n0", "n2")),
                argumentSet("unknown points reach the best", scored(100, 300, 200), 100, 3, possible("n1", "n2")),
                argumentSet("unknown points are one too few", scored(100, 300, 200), 99, 3, possible("n1")),
                argumentSet(
                        "SC-ALL-8: of 101 feasible nodes 100 are looked at, so the best may be outside",
                        downFrom(101),
                        0,
                        150,
                        new Prediction.Possible(List.of("n0", "n1"), Optional.of(100))),
                argumentSet("SC-ALL-8: of 100 feasible nodes all are looked at", downFrom(100), 0, 150, possible("n0")),
                argumentSet(
                        "SC-ALL-8: with fewer than 100 nodes all are looked at", downFrom(99), 0, 99, possible("n0")));
    }

    private static Ranking scored(long... totals) {
        List<NodeScore> nodes = new ArrayList<>();
        LongStream.of(totals)
                .forEach(total -> nodes.add(new NodeScore(
                        "n" + nodes.size(),
                        List.of(new NodeScore.Part(ScorePlugin.NODE_RESOURCES_FIT, 1, total, total)))));
        return new Ranking.Scored(nodes);
    }

    private static Ranking downFrom(int nodes) {
        return scored(IntStream.range(0, nodes).mapToLong(it -> nodes - it).toArray());
    }

    private static Prediction possible(String... nodes) {
        return new Prediction.Possible(List.of(nodes), Optional.empty());
    }

    private static Prediction nowhere() {
        return new Prediction.Nowhere();
    }

    @ParameterizedTest
    @MethodSource("predictions")
    void aNodeIsPossibleIfItsBestTotalReachesTheBest(
            Ranking ranking, long unknown, int clusterNodes, Prediction expected) {
        assertThat(Prediction.of(ranking, unknown, clusterNodes)).isEqualTo(expected);
    }

    /** From the formula and the examples of SC-ALL-8. */
    @ParameterizedTest
    @CsvSource({"1, 1", "99, 99", "100, 100", "249, 122", "1000, 420", "5000, 500", "20000, 1000"})
    void theSchedulerLooksForThisNumberOfFeasibleNodes(int clusterNodes, int expected) {
        assertThat(Sample.of(clusterNodes)).isEqualTo(expected);
    }
}
