package dev.holdfast.policies.engine;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Finds by brute force the smallest number of moves after which no pod of a {@link SmallCluster} violates a rule. It
 * tries all orders of single moves. A move takes a pod that violates a rule to any other node on which the scheduler
 * would place it at that time.
 */
final class FewestMovesSearch {
    private static final int BITS_OF_A_NODE = 3;
    private static final int NODES = 1 << BITS_OF_A_NODE;

    private final SmallCluster cluster;
    private final SmallVerdicts verdicts;

    FewestMovesSearch(SmallCluster cluster) {
        this.cluster = cluster;
        this.verdicts = new SmallVerdicts(cluster);
    }

    /** {@return the smallest number of moves; empty if more than {@code most} are needed, or if no moves heal all} */
    OptionalInt fewest(int most) {
        List<int[]> reached = List.of(cluster.start());
        Set<Integer> seen = new HashSet<>();
        seen.add(encoded(cluster.start()));
        for (int moves = 0; moves <= most && !reached.isEmpty(); moves++) {
            if (reached.stream().anyMatch(verdicts::allHold)) {
                return OptionalInt.of(moves);
            }
            if (moves < most) {
                List<int[]> next = new ArrayList<>();
                reached.forEach(at -> addNext(at, seen, next));
                reached = next;
            }
        }
        return OptionalInt.empty();
    }

    private void addNext(int[] at, Set<Integer> seen, List<int[]> next) {
        int before = verdicts.violations(at);
        for (int pod = 0; pod < at.length; pod++) {
            if (verdicts.violations(pod, at) > 0) {
                for (int node = 0; node < cluster.nodes().size(); node++) {
                    if (node != at[pod] && verdicts.fits(pod, node, at)) {
                        int[] after = at.clone();
                        after[pod] = node;
                        if (verdicts.violations(after) < before && seen.add(encoded(after))) {
                            next.add(after);
                        }
                    }
                }
            }
        }
    }

    private static int encoded(int[] at) {
        int encoded = 0;
        for (int node : at) {
            encoded = encoded * NODES + node;
        }
        return encoded;
    }
}
