package dev.holdfast.it.bench.cluster;

/**
 * One running pod of the bench.
 *
 * @param block of its workload
 * @param zone of its node
 */
record PlacedPod(
        String namespace, String name, String uid, WorkloadRole workloadRole, int block, String node, String zone) {}
