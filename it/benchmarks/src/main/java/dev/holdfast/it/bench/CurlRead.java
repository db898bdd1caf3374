package dev.holdfast.it.bench;

/**
 * One list of all pods by curl, which discards them: the lower bound for any client.
 *
 * @param serverCpuSeconds of kube-apiserver meanwhile
 */
record CurlRead(double seconds, long bytes, double serverCpuSeconds) {}
