package dev.holdfast.it.bench.dump;

import dev.holdfast.it.bench.measure.ProcessFigures;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * One run of the command {@code holdfast} as a process.
 *
 * @param seconds from its start to its end
 * @param peakMiB the peak of its resident memory
 */
record CommandRun(double seconds, double peakMiB) {
    private static final double NANOS = 1e9;
    private static final int POLL_MILLIS = 20;

    /**
     * Runs a command, and returns its time and memory.
     *
     * @throws IllegalStateException if it does not end with this exit code
     */
    static CommandRun of(int exitCode, String... command) throws IOException, InterruptedException {
        long start = System.nanoTime();
        Process process = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        double peak = 0;
        while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
            peak = Math.max(peak, peakOf(process));
        }
        double seconds = (System.nanoTime() - start) / NANOS;
        if (process.exitValue() != exitCode) {
            throw new IllegalStateException(String.join(" ", command) + " ended with exit code " + process.exitValue());
        }
        return new CommandRun(seconds, peak);
    }

    /** {@return the peak so far; 0 if the process has just ended} */
    private static double peakOf(Process process) {
        try {
            return ProcessFigures.of(process.pid()).peakMiB();
        } catch (IllegalStateException _) {
            return 0;
        }
    }
}
