package dev.holdfast.it.bench.cluster;

/**
 * One running pod in the cluster of a bench.
 *
 * @param block the number of the pod's block, a group of workloads with one for each {@link WorkloadRole}
 * @param zone the zone of the pod's node
 */
record PlacedPod(
        String namespace, String name, String uid, WorkloadRole workloadRole, int block, String node, String zone) {}
