package dev.holdfast.it.bench.report;

/**
 * One list of all pods that curl threw away: what nobody who reads them can do better than.
 *
 * @param serverCpuSeconds of kube-apiserver meanwhile
 */
public record FloorFigures(double seconds, long bytes, double serverCpuSeconds) {}
