package dev.holdfast.operator.print;

import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The line that a command prints if Ctrl-C or SIGTERM ends it: what was done so far, and that there is no complete answer.
 * A shutdown hook prints it, and the exit code stays that of the JVM: 130 or 143. Example: {@code interrupted: read 12,400
 * objects; no report}.
 */
public final class PartialSummary {
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

    /** The process begins to work for an answer. */
    public void begin() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Replaces what was done so far. */
    public void now(Supplier<String> doneByNow) {
        done = doneByNow;
    }

    /**
     * The process begins to print its answer: from now on, an interrupt leaves a part of it. Does not return after an
     * interrupt, as nothing of an answer may follow the line that there is none.
     */
    public void beginPrinting() {
        printing.acquireUninterruptibly();
        done = () -> "the output is incomplete";
        printing.release();
    }

    /** The answer is printed, or there is none and another message says why. */
    public void end() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException _) {
            // The hook is already running.
        }
    }

    /** Keeps the permit, as the process ends. */
    void interrupted() {
        printing.acquireUninterruptibly();
        sink.accept("interrupted: " + done.get());
    }
}
