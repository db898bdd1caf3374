package dev.holdfast.policies.soft;

import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.expression;
import static dev.holdfast.policies.testing.Demands.nodeTerm;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.NodeTraits.hostname;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PreferenceTraits.preferring;
import static dev.holdfast.policies.testing.PreferenceTraits.preferringApart;
import static dev.holdfast.policies.testing.PreferenceTraits.preferringNear;
import static dev.holdfast.policies.testing.PreferenceTraits.softSpread;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.Facts;
import dev.holdfast.policies.testing.PodTrait;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class JointMovesTest {
    private static final int CLUSTERS = Integer.getInteger("holdfast.clusters", 10_000);
    private static final int PLENTY = 100_000;

    /** Moves by name, with what each gains alone, and which moves a move spoils. */
    record Game(Map<String, Long> gains, Map<String, List<String>> spoils) implements JointMoves.State<String> {
        @Override
        public long gain(String candidate) {
            return gains.getOrDefault(candidate, 0L);
        }

        @Override
        public long gainAtMost(String candidate) {
            return gain(candidate) + 1;
        }

        @Override
        public Game after(String candidate) {
            Map<String, Long> left = new HashMap<>(gains);
            left.remove(candidate);
            spoils.getOrDefault(candidate, List.of()).forEach(left::remove);
            return new Game(left, spoils);
        }
    }

    static Stream<Arguments> games() {
        return Stream.of(
                argumentSet("moves that gain nothing are left out", game(Map.of("a", 0L, "b", 2L)), 9, PLENTY, "b"),
                argumentSet("the greatest gain comes first", game(Map.of("a", 1L, "b", 2L)), 9, PLENTY, "b a"),
                argumentSet("of equal gains the first comes first", game(Map.of("b", 2L, "a", 2L)), 9, PLENTY, "a b"),
                argumentSet("no more than the limit", game(Map.of("a", 1L, "b", 2L, "c", 3L)), 2, PLENTY, "c b"),
                argumentSet(
                        "a move that spoils two others is left out",
                        new Game(Map.of("a", 5L, "b", 4L, "c", 4L), Map.of("a", List.of("b", "c"))),
                        9,
                        PLENTY,
                        "b c a"),
                argumentSet(
                        "with a limit of one, what a move spoils does not count",
                        new Game(Map.of("a", 5L, "b", 4L, "c", 4L), Map.of("a", List.of("b", "c"))),
                        1,
                        PLENTY,
                        "a"),
                argumentSet(
                        "without questions left, the greatest gain comes first",
                        new Game(Map.of("a", 5L, "b", 4L, "c", 4L), Map.of("a", List.of("b", "c"))),
                        9,
                        0,
                        "a"));
    }

    private static JointMoves.State<String> counting(JointMoves.State<String> state, AtomicInteger asked) {
        return new JointMoves.State<>() {
            @Override
            public long gain(String candidate) {
                asked.incrementAndGet();
                return state.gain(candidate);
            }

            @Override
            public long gainAtMost(String candidate) {
                return state.gain(candidate);
            }

            @Override
            public JointMoves.State<String> after(String candidate) {
                return counting(state.after(candidate), asked);
            }
        };
    }

    private static Game game(Map<String, Long> gains) {
        return new Game(gains, Map.of());
    }

    @ParameterizedTest
    @MethodSource("games")
    void theMovesThatTogetherGainMost(Game game, int most, int questions, String expected) {
        List<String> chosen =
                JointMoves.choose(List.copyOf(new TreeSet<>(game.gains().keySet())), game, most, questions);

        assertThat(String.join(" ", chosen)).isEqualTo(expected);
    }

    /** {@return a cluster with a few pods} */
    private static SeatedCluster small(Random random) {
        ClusterBuilder builder = Facts.cluster();
        Map<String, Integer> seats = new HashMap<>();
        int nodes = 2 + random.nextInt(3);
        for (int i = 0; i < nodes; i++) {
            String name = "n" + i;
            builder.node(
                    name,
                    zone("z" + random.nextInt(2)),
                    hostname(name),
                    labels("disk", random.nextBoolean() ? "ssd" : "hdd"));
            seats.put(name, 1 + random.nextInt(5));
        }
        int pods = 2 + random.nextInt(5);
        for (int i = 0; i < pods; i++) {
            builder.pod("p" + i, traits(random, "n" + random.nextInt(nodes)));
        }
        return new SeatedCluster(builder.build(), seats);
    }

    private static PodTrait[] traits(Random random, String node) {
        String app = random.nextBoolean() ? "web" : "db";
        List<PodTrait> traits = new ArrayList<>(List.of(on(node), labels("app", app)));
        String key = random.nextBoolean() ? ZONE : PodAffinityTerm.HOSTNAME;
        String other = random.nextBoolean() ? "web" : "db";
        int weight = 1 + random.nextInt(100);
        if (random.nextInt(2) == 0) {
            traits.add(softSpread(maxSkew(1 + random.nextInt(2), key, app(app))));
        }
        if (random.nextInt(3) == 0) {
            traits.add(preferring(weight, nodeTerm(expression("disk", "In", "ssd"))));
        }
        if (random.nextInt(3) == 0) {
            traits.add(preferringApart(weight, term(app(other), key)));
        }
        if (random.nextInt(4) == 0) {
            traits.add(preferringNear(weight, term(app(other), key)));
        }
        return traits.toArray(PodTrait[]::new);
    }

    @Test
    void aSingleLineAsksForFewGains() {
        Map<String, Long> gains = new HashMap<>();
        IntStream.range(0, 2_000).forEach(it -> gains.put("pod-" + it, it % 7L));
        AtomicInteger asked = new AtomicInteger();

        List<String> chosen = JointMoves.choose(gains.keySet(), counting(game(gains), asked), 20, 0);

        assertThat(chosen)
                .hasSize(20)
                .allSatisfy(it -> assertThat(gains.get(it)).isEqualTo(6));
        assertThat(asked).hasValueLessThan(300);
    }

    /** The gain of all moves that are chosen, as a share of the greatest that any order of any moves has. */
    @Test
    void theMovesGainAsMuchAsTheBestOfAllOrders() {
        long seed = Long.getLong("holdfast.seed", 47);
        Random random = new Random(seed);
        List<Double> weighed = new ArrayList<>();
        List<Double> single = new ArrayList<>();
        while (weighed.size() < CLUSTERS) {
            SeatedCluster small = small(random);
            List<Pod> pods = small.pods();
            MovedPods none = small.start();
            double best = bestOfAllOrders(none, pods);
            if (best > 0) {
                weighed.add(small.gain(JointMoves.choose(pods, none, pods.size(), PLENTY)) / best);
                single.add(small.gain(JointMoves.choose(pods, none, pods.size(), 0)) / best);
            }
        }

        System.out.println(CLUSTERS + " clusters, seed " + seed + "; share of the best: " + describe(weighed)
                + "; in a single line: " + describe(single));
        assertThat(least(weighed)).isGreaterThanOrEqualTo(0.8);
        assertThat(median(weighed)).isGreaterThanOrEqualTo(0.97);
        assertThat(median(single)).isGreaterThanOrEqualTo(0.97);
    }

    private static String describe(List<Double> shares) {
        return "least " + least(shares) + ", median " + median(shares) + ", all of it in "
                + shares.stream().filter(it -> it == 1).count();
    }

    private static double least(List<Double> shares) {
        return shares.stream().mapToDouble(it -> it).min().orElse(0);
    }

    private static double median(List<Double> shares) {
        return shares.stream().sorted().toList().get(shares.size() / 2);
    }

    private static long bestOfAllOrders(MovedPods state, List<Pod> left) {
        long best = 0;
        for (Pod pod : left) {
            long gain = state.gain(pod);
            if (gain > 0) {
                List<Pod> others = left.stream().filter(it -> !it.equals(pod)).toList();
                best = Math.max(best, gain + bestOfAllOrders(state.after(pod), others));
            }
        }
        return best;
    }
}
