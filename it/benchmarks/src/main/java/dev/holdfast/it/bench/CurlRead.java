package dev.holdfast.it.bench;

/**
 * One list of all pods that curl threw away: what nobody who reads them can do better than.
 *
 * @param serverCpuSeconds of kube-apiserver meanwhile
 */
record CurlRead(double seconds, long bytes, double serverCpuSeconds) {}
