package dev.holdfast.it.bench.cluster;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * One running pod in the cluster of a bench. Workloads form blocks, each with one workload for each
 * {@link WorkloadRole}: 150 pods, of which 115 have a rule. At most ten blocks share a namespace. Consecutive nodes are
 * in different zones.
 *
 * @param block the number of the pod's block; all have four digits: 1001, 1002 and so on
 * @param replica the number of the pod within its workload
 * @param node the number of its node, from 1
 */
record PlacedPod(WorkloadRole role, int block, int replica, int node) {
    static final int ZONES = 10;
    static final int FIRST_BLOCK = 1_001;

    private static final int BLOCKS_A_NAMESPACE = 10;
    private static final int FEWEST_NODES = 30;
    private static final int MOST_PODS_PER_NODE = 100;
    static final int BLOCK = Arrays.stream(WorkloadRole.values())
            .mapToInt(WorkloadRole::replicas)
            .sum();

    /**
     * {@return pods on nodes where all their rules hold} The replicas of a workload go to the zones in turn, and in
     * each zone to consecutive nodes, starting at a random one. No node gets two pods of one workload.
     *
     * @throws IllegalArgumentException with a message of one line, if there are too few nodes, too many pods for them,
     *     or pods that do not fill a block
     */
    static List<PlacedPod> place(int nodes, int pods) {
        if (nodes < FEWEST_NODES || pods > nodes * MOST_PODS_PER_NODE || pods % BLOCK != 0) {
            throw new IllegalArgumentException("--nodes must be at least " + FEWEST_NODES
                    + ", and --pods a multiple of " + BLOCK + ", at most " + MOST_PODS_PER_NODE + " for each node");
        }
        Random random = new Random(1);
        List<PlacedPod> placed = new ArrayList<>();
        for (int block = FIRST_BLOCK; placed.size() < pods; block++) {
            for (WorkloadRole role : WorkloadRole.values()) {
                int first = random.nextInt(nodes);
                for (int replica = 0; replica < role.replicas(); replica++) {
                    int zone = (replica + block) % ZONES;
                    placed.add(new PlacedPod(role, block, replica, nodeOf(nodes, zone, first + replica / ZONES)));
                }
            }
        }
        return List.copyOf(placed);
    }

    /** {@return the number of a node in a zone: for count 0 the first; after the last comes the first again} */
    private static int nodeOf(int nodes, int zone, int count) {
        int first = zone == 0 ? ZONES : zone;
        int ofZone = (nodes - first) / ZONES + 1;
        return first + count % ofZone * ZONES;
    }

    String namespace() {
        return String.format(Locale.ROOT, "scale-%03d", (block + 1 - FIRST_BLOCK) / BLOCKS_A_NAMESPACE);
    }

    /** {@return the pod's name; all names of one role have the same length} */
    String name() {
        return String.format(Locale.ROOT, "%s-%04d-%05d", role.label(), block, replica);
    }

    String uid() {
        return uid(0);
    }

    /** {@return the UID of the pod that replaces this one in an event} */
    String uid(int event) {
        return String.format(
                Locale.ROOT, "%08x-%04d-4000-8000-%06x%06d", role.label().hashCode(), block, replica, event);
    }

    String nodeName() {
        return nodeName(node);
    }

    static String nodeName(int node) {
        return String.format(Locale.ROOT, "bench-%04d", node);
    }

    String zone() {
        return zone(node);
    }

    static String zone(int node) {
        return "zone-" + node % ZONES;
    }
}
