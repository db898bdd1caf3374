package dev.holdfast.it.bench;

/**
 * One complete read of the cluster by the operator or the descheduler, measured from the start of its process.
 *
 * @param seconds the duration; for the operator, until the policy's status counted all pods and all violations; for the
 * descheduler, until it ended
 * @param peakMiB the process's peak resident memory
 * @param cpuSeconds the process's CPU time
 * @param serverCpuSeconds the CPU time of kube-apiserver during the read
 * @param found how many of the planned violations it found: for the operator, the number of violating pods; for the
 * descheduler, which stops at the first such pod of a node, the number of nodes with violating pods
 * @param unplanted how many violations it found that were not planned
 */
record ClusterRead(
        double seconds, double peakMiB, double cpuSeconds, double serverCpuSeconds, int found, int unplanted) {}
