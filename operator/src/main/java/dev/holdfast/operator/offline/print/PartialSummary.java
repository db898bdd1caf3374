package dev.holdfast.operator.offline.print;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The line that a command prints if Ctrl-C or SIGTERM ends it: what was done so far, and that there is no complete
 * answer. A shutdown hook prints it, and the exit code stays that of the JVM: 130 or 143. Example:
 * {@code interrupted: read 12,400 objects; no report}.
 */
public final class PartialSummary {
    private static final Duration LONGEST_PRINTING = Duration.ofSeconds(1);

    private final Consumer<String> sink;
    private final Semaphore printing = new Semaphore(1);
    private final Thread hook = Thread.ofPlatform().name("holdfast-interrupted").unstarted(this::interrupted);
    private volatile Supplier<String> done;

    /**
     * @param done what was done so far, as a part of a sentence; asked by another thread
     * @param sink gets the line
     */
    public PartialSummary(Supplier<String> done, Consumer<String> sink) {
        this.done = done;
        this.sink = sink;
    }

    /** Records that the process begins to work for an answer. */
    public void begin() {
        try {
            Runtime.getRuntime().addShutdownHook(hook);
        } catch (IllegalStateException _) {
            // The process ends already, and nothing was done.
        }
    }

    /** Replaces what was done so far. */
    public void now(Supplier<String> doneByNow) {
        done = doneByNow;
    }

    /**
     * Records that the process begins to print its answer: from now on, an interrupt leaves a part of it. Does not
     * return after an interrupt, because no part of an answer may follow the line that there is none.
     */
    public void beginPrinting() {
        printing.acquireUninterruptibly();
        done = () -> "the output is incomplete";
        printing.release();
    }

    /** Records that the answer is printed, or that another message says why there is none. */
    public void end() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException _) {
            // The hook is already running.
        }
    }

    /** Records that the answer is printed as a whole. */
    public void endPrinting() {
        done = () -> "the output is complete";
    }

    /**
     * Prints the line, and keeps the permit because the process ends. The process also ends if no one reads the line:
     * another thread may wait for the reader too.
     */
    void interrupted() {
        printing.acquireUninterruptibly();
        Thread line = Thread.ofPlatform()
                .daemon()
                .name("holdfast-interrupted-line")
                .start(() -> sink.accept("interrupted: " + done.get()));
        try {
            line.join(LONGEST_PRINTING);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
