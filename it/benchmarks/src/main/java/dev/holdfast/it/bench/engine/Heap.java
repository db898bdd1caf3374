package dev.holdfast.it.bench.engine;

/** The heap of this JVM. */
final class Heap {
    private static final int COLLECTIONS = 2;

    private Heap() {}

    /** {@return the bytes in use after a full collection} */
    static long used() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
