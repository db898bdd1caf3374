package dev.holdfast.it.bench.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The division of pods into workloads. A block is a group of one workload for each {@link WorkloadRole}: with 100 nodes
 * 150 pods, of which 115 have a rule. Pods that do not fill a block have no rule.
 *
 * @param zones the number of zones; consecutive nodes are in different zones
 */
public record Layout(int nodes, int pods, int zones, int blocks) {
    private static final int MOST_ZONES = 10;
    private static final int FEWEST_NODES = 4;
    private static final int MOST_PODS_PER_NODE = 100;
    private static final int SSD = 30;
    private static final int MOST_APART = 30;
    private static final int NEAR = 20;
    private static final int PLAIN = 35;

    /**
     * {@return the layout for these numbers of nodes and pods}
     *
     * @throws IllegalArgumentException with a message of one line, if there are too few nodes, or too few or too many
     * pods for them
     */
    public static Layout of(int nodes, int pods) {
        if (nodes < FEWEST_NODES) {
            throw new IllegalArgumentException("--nodes must be at least " + FEWEST_NODES);
        }
        int zones = Math.min(MOST_ZONES, nodes);
        int block = blockOf(nodes, zones);
        if (pods < block) {
            throw new IllegalArgumentException("--pods must be at least " + block + " on " + nodes + " nodes");
        }
        if (pods > nodes * MOST_PODS_PER_NODE) {
            throw new IllegalArgumentException(
                    "--pods must be at most " + nodes * MOST_PODS_PER_NODE + " on " + nodes + " nodes");
        }
        return new Layout(nodes, pods, zones, pods / block);
    }

    private static int blockOf(int nodes, int zones) {
        return block(0, nodes, zones).stream()
                .mapToInt(BenchDeployment::replicas)
                .sum();
    }

    private static List<BenchDeployment> block(int number, int nodes, int zones) {
        return List.of(
                new BenchDeployment(WorkloadRole.SSD, number, SSD),
                new BenchDeployment(WorkloadRole.APART, number, Math.min(MOST_APART, nodes)),
                new BenchDeployment(WorkloadRole.CACHE, number, zones),
                new BenchDeployment(WorkloadRole.NEAR, number, NEAR),
                // Two pods in half of the zones and three in the other zones, where one pod more would break the rule.
                new BenchDeployment(WorkloadRole.EVEN, number, 2 * zones + zones / 2),
                new BenchDeployment(WorkloadRole.PLAIN, number, PLAIN));
    }

    /** {@return all workloads; the workloads of one block follow each other} */
    List<BenchDeployment> benchDeployments() {
        List<BenchDeployment> all = new ArrayList<>();
        for (int number = 1; number <= blocks; number++) {
            all.addAll(block(number, nodes, zones));
        }
        int rest = pods - all.stream().mapToInt(BenchDeployment::replicas).sum();
        if (rest > 0) {
            all.add(new BenchDeployment(WorkloadRole.PLAIN, blocks + 1, rest));
        }
        return List.copyOf(all);
    }

    /** {@return the name of a node} */
    static String node(int number) {
        return String.format(Locale.ROOT, "bench-%04d", number);
    }

    /** {@return the zone of a node} */
    String zone(int node) {
        return "zone-" + node % zones;
    }
}
