package dev.holdfast.it.bench.engine;

import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.NodeLifecycle;
import dev.holdfast.policies.model.Resources;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.Taint;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The nodes of a generated cluster, by number. Node 0 is in the first zone, node 1 in the second, node 2 in the third,
 * node 3 in the first again. Four in five nodes have the label {@code pool=general}, and every second node of a zone
 * has an SSD. One in fifty is tainted and has no pods. The nodes with the lowest numbers (one in 250) get exactly 110
 * pods each.
 */
final class WorldNodes {
    static final String HOST = "kubernetes.io/hostname";
    static final String ZONE = "topology.kubernetes.io/zone";
    static final String REGION = "topology.kubernetes.io/region";
    static final String DISK = "disk";
    static final String POOL = "pool";
    static final String GENERAL = "general";
    static final String SSD = "ssd";
    static final int ZONES = 3;
    static final int USUAL = 30;
    static final int FULL = 110;

    private static final int NODES_PER_FULL_ONE = 250;
    private static final int TAINTED = 50;
    private static final int POOLS = 5;
    private static final Resources ALLOCATABLE = new Resources(16_000, 64L << 30, 100L << 30, FULL, Map.of());
    private static final Taint INFRA = new Taint("dedicated", "infra", "NoSchedule");

    private final int count;
    private final int[] next;

    WorldNodes(int count) {
        this.count = count;
        this.next = new int[ZONES];
        for (int zone = 0; zone < ZONES; zone++) {
            next[zone] = zone;
        }
    }

    int count() {
        return count;
    }

    /** {@return how many nodes get exactly {@link #FULL} pods; these are the nodes with the lowest numbers} */
    int fullOnes() {
        return Math.max(1, count / NODES_PER_FULL_ONE);
    }

    static String name(int number) {
        return "node-" + number;
    }

    static String zone(int number) {
        return "zone-" + (char) ('a' + number % ZONES);
    }

    /** {@return the initial node with this number} */
    Node node(int number) {
        return new Node(
                name(number),
                "node-uid-" + number,
                1,
                World.ownLabels(labels(number)),
                taints(number),
                false,
                new NodeLifecycle(true, Optional.empty(), Instant.EPOCH, Optional.empty()),
                ALLOCATABLE);
    }

    /** {@return the node with this number after a change of one label to this value} */
    Node node(int number, String key, String value) {
        Map<String, String> labels = labels(number);
        labels.put(key, value);
        return new Node(
                name(number),
                "node-uid-" + number,
                2,
                World.ownLabels(labels),
                taints(number),
                false,
                new NodeLifecycle(true, Optional.empty(), Instant.EPOCH, Optional.empty()),
                ALLOCATABLE);
    }

    private Map<String, String> labels(int number) {
        return Labels.of(
                        HOST,
                        name(number),
                        ZONE,
                        zone(number),
                        REGION,
                        "region-1",
                        "kubernetes.io/os",
                        "linux",
                        "kubernetes.io/arch",
                        "amd64",
                        "node.kubernetes.io/instance-type",
                        hasSsd(number) ? "m-16-ssd" : "m-16",
                        POOL,
                        isGeneral(number) ? GENERAL : "spot",
                        DISK,
                        hasSsd(number) ? SSD : "hdd")
                .toMap();
    }

    private List<Taint> taints(int number) {
        return isTainted(number) ? List.of(INFRA) : List.of();
    }

    private boolean isTainted(int number) {
        return number >= fullOnes() && number % TAINTED == TAINTED - 1;
    }

    private boolean isGeneral(int number) {
        return number < fullOnes() || number % POOLS != POOLS - 1;
    }

    boolean hasSsd(int number) {
        return number < fullOnes() || number / ZONES % 2 == 0;
    }

    /**
     * {@return whether the node takes one more pod with these scheduling fields} Node affinity, nodeSelector and taints
     * must allow it. Always {@code false} for the nodes that get exactly {@link #FULL} pods: {@link World} fills them
     * without asking.
     */
    boolean takes(int number, Scheduling scheduling) {
        return number >= fullOnes()
                && !isTainted(number)
                && (scheduling.nodeSelector().isEmpty() || isGeneral(number))
                && (scheduling.nodeAffinity().isEmpty() || hasSsd(number));
    }

    /**
     * Returns the next node of a zone that takes a pod with these scheduling fields. Successive calls go round-robin
     * through the nodes of the zone.
     */
    int next(int zone, Scheduling scheduling) {
        int number = next[zone];
        while (!takes(number, scheduling)) {
            number = after(number);
        }
        next[zone] = after(number);
        return number;
    }

    private int after(int number) {
        return number + ZONES < count ? number + ZONES : number % ZONES;
    }

    /** {@return the numbers of the nodes of a zone} */
    List<Integer> in(String zone) {
        List<Integer> numbers = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            if (zone(number).equals(zone)) {
                numbers.add(number);
            }
        }
        return numbers;
    }
}
