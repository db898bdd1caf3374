package dev.holdfast.it.bench.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/**
 * The peaks of what a process uses while a thread looks at it, ten times a second.
 *
 * @param residentMiB the resident memory
 * @param threads the threads of the system, without virtual ones
 * @param descriptors the open file descriptors
 */
public record ProcessPeak(double residentMiB, int threads, int descriptors) {
    private static final ProcessPeak NONE = new ProcessPeak(0, 0, 0);
    private static final long INTERVAL_MILLIS = 100;

    /** {@return what a process uses now; zeros if it has ended} */
    public static ProcessPeak now(long pid) {
        Path process = Path.of("/proc", Long.toString(pid));
        try {
            return new ProcessPeak(
                    ProcessFigures.of(pid).residentMiB(), count(process.resolve("task")), count(process.resolve("fd")));
        } catch (IOException | IllegalStateException _) {
            return NONE;
        }
    }

    private static int count(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return Math.toIntExact(entries.count());
        }
    }

    private ProcessPeak max(ProcessPeak other) {
        return new ProcessPeak(
                Math.max(residentMiB, other.residentMiB),
                Math.max(threads, other.threads),
                Math.max(descriptors, other.descriptors));
    }

    /** Looks at a process until it is closed. */
    public static final class Watch implements AutoCloseable {
        private final AtomicReference<ProcessPeak> peak = new AtomicReference<>(NONE);
        private final ExecutorService thread = Executors.newSingleThreadExecutor();

        /** Begins to look at a process. */
        public Watch(long pid) {
            thread.execute(() -> look(pid));
        }

        private void look(long pid) {
            try {
                while (true) {
                    peak.accumulateAndGet(now(pid), ProcessPeak::max);
                    Thread.sleep(INTERVAL_MILLIS);
                }
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }

        /** {@return the peaks until now} */
        public ProcessPeak peak() {
            return peak.get();
        }

        @Override
        public void close() {
            thread.shutdownNow();
            thread.close();
        }
    }
}
