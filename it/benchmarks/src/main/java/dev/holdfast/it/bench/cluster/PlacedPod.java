package dev.holdfast.it.bench.cluster;

/**
 * One running pod of the bench.
 *
 * @param block of its workload
 * @param node where it runs
 * @param zone of that node
 */
record PlacedPod(
        String namespace, String name, String uid, WorkloadRole workloadRole, int block, String node, String zone) {}
