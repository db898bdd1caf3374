package dev.holdfast.it.bench;

/**
 * One complete read of the cluster by the operator or the descheduler, measured from the start of its process.
 *
 * @param seconds the duration; for the operator, until the policy's status counted all pods and all violations; for the
 * descheduler, until it ended
 * @param peakMiB the process's peak resident memory
 * @param cpuSeconds the process's CPU time
 * @param serverCpuSeconds the CPU time of kube-apiserver during the read
 * @param found how many of the planned violations were found. For the operator it is the number of violating pods. The
 * descheduler stops at the first violating pod of a node, so for it these nodes are counted
 * @param unplanted how many violations were found that the bench had not planned
 */
record ClusterRead(
        double seconds, double peakMiB, double cpuSeconds, double serverCpuSeconds, int found, int unplanted) {}
