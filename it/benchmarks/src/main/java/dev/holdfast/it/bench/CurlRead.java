package dev.holdfast.it.bench;

/**
 * One list of all pods by curl, which discards them: the lower bound for any client.
 *
 * @param serverCpuSeconds the CPU time of kube-apiserver during the list
 */
record CurlRead(double seconds, long bytes, double serverCpuSeconds) {}
