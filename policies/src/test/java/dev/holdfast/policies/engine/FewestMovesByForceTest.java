package dev.holdfast.policies.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Compares the number of moves that the engine makes with the smallest possible one, in random small clusters whose
 * pods violate rules of several kinds.
 *
 * <p>The smallest number is found by brute force ({@link FewestMovesSearch}). Both obey the same rules of a single
 * move: its pod violates a rule, the scheduler would place the pod on the new node at that time, and fewer rules are
 * violated after it. Brute force may choose any pod, any such node and any order. The engine plays a whole history
 * ({@link SmallClusterHistory}), in which replacements are bound at once, 20 s later or 40 s later. Only clusters count
 * that brute force heals in at most {@value #MOST} moves. If the engine stops before all rules hold, its number is not
 * the smallest, even if it made fewer moves.
 *
 * <p>{@code -Dholdfast.fewest.clusters=N} sets the number of clusters, {@code -Dholdfast.fewest.seed=S} the first seed.
 */
class FewestMovesByForceTest {
    private static final int CLUSTERS = Integer.getInteger("holdfast.fewest.clusters", 3_000);
    private static final long SEED = Long.getLong("holdfast.fewest.seed", 20_261_123L);
    private static final int MOST = 6;
    private static final int DELAYS = 3;

    /**
     * The result for one cluster.
     *
     * @param seed the seed of the cluster
     * @param fewest the smallest number of moves
     * @param moves the moves that the engine made
     * @param left the number of violations at the end
     * @param cluster the cluster as text
     * @param events what the engine reported
     */
    private record Compared(long seed, int fewest, List<String> moves, int left, String cluster, List<String> events) {
        boolean isSmallest() {
            return left == 0 && moves.size() == fewest;
        }

        @Override
        public String toString() {
            return "seed " + seed + ": " + fewest + " moves suffice, made " + moves.size() + ": " + moves + ", left "
                    + left + " violations\n    " + cluster + "\n    " + events;
        }
    }

    @Test
    void upToThreeViolationsAreHealedByTheFewestMoves() {
        List<Compared> compared = compare(CLUSTERS, cluster -> isUpToThree(cluster.violations()));

        print("up to 3 violations", compared);
        assertThat(compared).allSatisfy(it -> assertThat(it.moves().size()).isLessThanOrEqualTo(it.fewest() + 1));
        assertThat(100 * smallest(compared)).isGreaterThanOrEqualTo(99L * CLUSTERS);
    }

    /** Up to three rules of workloads are broken, each for any number of pods: up to 20 violations and more. */
    @Test
    void upToThreeRulesOfWorkloadsAreHealedByFewMoves() {
        int clusters = CLUSTERS / 4;
        List<Compared> compared = compare(clusters, cluster -> isUpToThree(cluster.brokenRules()));

        print("up to 3 broken rules of workloads", compared);
        assertThat(compared).allSatisfy(it -> assertThat(it.moves().size()).isLessThanOrEqualTo(it.fewest() + 2));
        assertThat(100 * smallest(compared)).isGreaterThanOrEqualTo(96L * clusters);
    }

    private static boolean isUpToThree(int number) {
        return number > 0 && number <= 3;
    }

    private static List<Compared> compare(int clusters, Predicate<SmallCluster> accepted) {
        return LongStream.range(SEED, SEED + clusters)
                .parallel()
                .mapToObj(seed -> compare(
                        seed,
                        SmallCluster.random(seed, accepted.and(it -> fewest(it).isPresent()))))
                .toList();
    }

    private static Compared compare(long seed, SmallCluster cluster) {
        SmallClusterHistory history = SmallClusterHistory.begin(cluster, (int) (seed % DELAYS));
        assertThat(history.violations()).as(cluster.describe()).isEqualTo(cluster.violations());
        history.play();
        return new Compared(
                seed,
                fewest(cluster).orElseThrow(),
                history.moves(),
                history.violations(),
                cluster.describe(),
                history.events());
    }

    private static OptionalInt fewest(SmallCluster cluster) {
        return new FewestMovesSearch(cluster).fewest(MOST);
    }

    private static long smallest(List<Compared> compared) {
        return compared.stream().filter(Compared::isSmallest).count();
    }

    private static void print(String what, List<Compared> compared) {
        compared.stream().filter(it -> !it.isSmallest()).forEach(System.out::println);
        long more =
                compared.stream().filter(it -> it.moves().size() > it.fewest()).count();
        long stopped = compared.stream().filter(it -> it.left() > 0).count();
        System.out.printf(
                "%s, %d clusters from seed %d: the fewest moves in %d, more moves in %d, stopped before all healed in"
                        + " %d%n",
                what, compared.size(), SEED, smallest(compared), more, stopped);
    }
}
