package dev.holdfast.it.bench.cluster;

/**
 * One running pod of the bench.
 *
 * @param block of its workload
 * @param node where it runs
 * @param zone of that node
 */
record Placed(String namespace, String name, String uid, Role role, int block, String node, String zone) {}
