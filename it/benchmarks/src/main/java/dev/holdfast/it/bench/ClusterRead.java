package dev.holdfast.it.bench;

/**
 * One complete read of the cluster, measured from the start of the process.
 *
 * @param seconds the operator: until the policy's status counted all pods and all violations; the descheduler: until it
 * ended
 * @param peakMiB the peak resident memory until then
 * @param cpuSeconds of the process
 * @param serverCpuSeconds of kube-apiserver meanwhile
 * @param found how many of the planned violations it found: the operator, pods in violation; the descheduler, which
 * stops at the first pod of a node, nodes with such pods
 * @param unplanted how many others it found
 */
record ClusterRead(
        double seconds, double peakMiB, double cpuSeconds, double serverCpuSeconds, int found, int unplanted) {}
