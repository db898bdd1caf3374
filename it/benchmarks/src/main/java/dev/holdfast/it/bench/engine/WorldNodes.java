package dev.holdfast.it.bench.engine;

import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.NodeLifecycle;
import dev.holdfast.policies.model.Resources;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.Taint;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

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
    private final int fullOnes;
    private final int[] room;
    private final int[] next = IntStream.range(0, ZONES).toArray();

    WorldNodes(int count) {
        this.count = count;
        this.fullOnes = Math.max(1, count / NODES_PER_FULL_ONE);
        this.room = new int[fullOnes];
        Arrays.fill(room, FULL);
    }

    static String name(int number) {
        return "node-" + number;
    }

    static String zone(int number) {
        return "zone-" + (char) ('a' + number % ZONES);
    }

    /** {@return the initial node with this number} */
    Node node(int number) {
        return node(number, 1, Map.of());
    }

    /** {@return a version of the node with this number, with some labels changed} */
    Node node(int number, long version, Map<String, String> changed) {
        Map<String, String> labels = new HashMap<>(Map.of(
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
                hasSsd(number) ? SSD : "hdd"));
        labels.putAll(changed);
        return new Node(
                name(number),
                "node-uid-" + number,
                version,
                World.ownLabels(labels),
                isTainted(number) ? List.of(INFRA) : List.of(),
                false,
                new NodeLifecycle(true, Optional.empty(), Instant.EPOCH, Optional.empty()),
                ALLOCATABLE);
    }

    private boolean isTainted(int number) {
        return number >= fullOnes && number % TAINTED == TAINTED - 1;
    }

    private boolean isGeneral(int number) {
        return number < fullOnes || number % POOLS != POOLS - 1;
    }

    boolean hasSsd(int number) {
        return number < fullOnes || number / ZONES % 2 == 0;
    }

    /**
     * {@return whether the node takes one more pod with these scheduling fields} Node affinity, nodeSelector and taints
     * must allow it. Always {@code false} for the nodes that get exactly {@link #FULL} pods.
     */
    boolean takes(int number, Scheduling scheduling) {
        return number >= fullOnes
                && !isTainted(number)
                && (scheduling.nodeSelector().isEmpty() || isGeneral(number))
                && (scheduling.nodeAffinity().isEmpty() || hasSsd(number));
    }

    /**
     * Returns the next node of a zone that takes a pod with these scheduling fields. Successive calls go round-robin
     * through the nodes of the zone.
     *
     * @param full whether to prefer a node that gets exactly {@link #FULL} pods and has not yet as many
     */
    int next(int zone, boolean full, Scheduling scheduling) {
        for (int node = zone; full && node < fullOnes; node += ZONES) {
            if (room[node] > 0) {
                room[node]--;
                return node;
            }
        }
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
}
