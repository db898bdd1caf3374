package dev.holdfast.it.bench;

/**
 * One look at the whole cluster, from the start of the process.
 *
 * @param seconds the operator: until the policy's status had counted all pods and all violations; the descheduler: until
 *     it ended
 * @param peakMiB the most memory that was resident until then
 * @param cpuSeconds of the process
 * @param serverCpuSeconds of kube-apiserver meanwhile
 * @param found of what was planted: pods in violation; of the descheduler, which stops at the first of a node, nodes with
 *     such pods
 * @param unplanted what it found beside them
 */
record ClusterRead(
        double seconds, double peakMiB, double cpuSeconds, double serverCpuSeconds, int found, int unplanted) {}
