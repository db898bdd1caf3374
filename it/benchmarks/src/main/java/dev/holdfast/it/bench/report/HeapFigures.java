package dev.holdfast.it.bench.report;

/**
 * What an index keeps, in bytes.
 *
 * @param world in few words
 * @param terms rules about other pods that pods carry, each counted once
 * @param violations when all had been told
 * @param loadMillis how long telling took, in a JVM that had not done it before
 * @param method how the bytes were counted
 * @param bytes all of it
 * @param factBytes the pods, nodes and namespaces in it; 0 where they were not counted apart
 */
public record HeapFigures(
        String world,
        int pods,
        int nodes,
        int terms,
        long violations,
        double loadMillis,
        String method,
        long bytes,
        long factBytes) {
    /** {@return all of it by pod} */
    public double perPod() {
        return (double) bytes / pods;
    }

    /** {@return it without the facts, by pod} */
    public double ownPerPod() {
        return (double) (bytes - factBytes) / pods;
    }
}
