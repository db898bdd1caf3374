package dev.holdfast.it.bench.measure;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.DoubleAccumulator;

/** The peak of a process's resident memory, which a thread reads ten times a second until this is closed. */
public final class ProcessPeak implements AutoCloseable {
    private static final long INTERVAL_MILLIS = 100;

    private final DoubleAccumulator residentMiB = new DoubleAccumulator(Math::max, 0);
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();

    /** Begins to look at a process. */
    public ProcessPeak(long pid) {
        var _ = thread.scheduleWithFixedDelay(() -> look(pid), 0, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void look(long pid) {
        try {
            residentMiB.accumulate(ProcessFigures.of(pid).residentMiB());
        } catch (IllegalStateException _) {
            // The process has ended.
        }
    }

    /** {@return the peak until now} */
    public double residentMiB() {
        return residentMiB.get();
    }

    @Override
    public void close() {
        thread.shutdownNow();
        thread.close();
    }
}
