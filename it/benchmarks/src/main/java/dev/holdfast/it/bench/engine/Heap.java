package dev.holdfast.it.bench.engine;

/** The heap use of this JVM. */
final class Heap {
    private static final int COLLECTIONS = 2;

    private Heap() {}

    /** Runs a full garbage collection and returns the bytes in use after it. */
    static long used() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
