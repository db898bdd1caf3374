package dev.holdfast.operator.cli;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lifetime of a command that runs until SIGTERM, Ctrl-C or a permanent failure. After a signal, the process exits with
 * code 0 if everything is closed within 30 seconds and nothing failed before. If not everything is closed 30 seconds
 * after a failure, the process is halted: Kubernetes then starts the container again.
 *
 * <p>The death of any thread is a failure until the command ends, because no thread takes over the work of a dead one.
 * This rule is for threads of libraries; the threads of the operator report their death themselves.
 */
final class CommandLifetime implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("holdfast");

    /**
     * How long the process may take to close everything after a signal or a failure. The chart gives the pod the same
     * grace period by default.
     */
    private static final Duration LONGEST_CLOSING = Duration.ofSeconds(30);

    private final CountDownLatch ending = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicReference<Optional<String>> failure = new AtomicReference<>(Optional.empty());
    private final Thread main = Thread.currentThread();
    private final IntConsumer halt;
    private final Duration longestClosing;
    private final Thread hook;
    private final Thread.@Nullable UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    private boolean begun;

    private CommandLifetime(IntConsumer halt, Duration longestClosing) {
        this.halt = halt;
        this.longestClosing = longestClosing;
        hook = Thread.ofPlatform().name("holdfast-signal").unstarted(this::signalled);
    }

    static CommandLifetime begin(IntConsumer halt) {
        return begin(halt, LONGEST_CLOSING);
    }

    static CommandLifetime begin(IntConsumer halt, Duration longestClosing) {
        CommandLifetime commandLifetime = new CommandLifetime(halt, longestClosing);
        Runtime.getRuntime().addShutdownHook(commandLifetime.hook);
        Thread.setDefaultUncaughtExceptionHandler(commandLifetime::died);
        return commandLifetime;
    }

    /**
     * Runs in the shutdown hook. A failure that comes after the signal, while parts are closed, changes no exit code.
     */
    void signalled() {
        boolean failedBefore = failure.get().isPresent();
        ending.countDown();
        interruptStart();
        halt.accept(closedInTime() && !failedBefore ? ExitCode.OK : ExitCode.COULD_NOT_RUN);
    }

    private void haltUnlessClosedInTime() {
        if (!closedInTime()) {
            halt.accept(ExitCode.COULD_NOT_RUN);
        }
    }

    private boolean closedInTime() {
        try {
            return closed.await(longestClosing.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            return false;
        }
    }

    /** Interrupts the command if it is still starting: the command may be waiting for an unreachable API server. */
    private synchronized void interruptStart() {
        if (!begun) {
            main.interrupt();
        }
    }

    private synchronized void setBegun() {
        begun = true;
    }

    /**
     * Ends the command with a failure. Later failures are ignored. A thread of its own halts the process if a part that
     * hangs keeps the command from closing.
     */
    void fail(String message) {
        if (failure.compareAndSet(Optional.empty(), Optional.of(message))) {
            Thread.ofPlatform().daemon().name("holdfast-failed").start(this::haltUnlessClosedInTime);
        }
        ending.countDown();
    }

    /**
     * Handles an uncaught exception that ended a thread. While the command ends, a library may still use what is closed
     * already; that changes no exit code.
     */
    private void died(Thread thread, Throwable death) {
        if (ending.getCount() > 0) {
            // A command that is still starting is halted before it can print the failure.
            LOG.atError()
                    .addKeyValue("thread", thread.getName())
                    .setCause(death)
                    .log("Thread died");
            fail("thread \"" + thread.getName() + "\" died: " + death);
            return;
        }
        LOG.atWarn().addKeyValue("thread", thread.getName()).setCause(death).log("Thread died while the command ended");
    }

    /** Waits until a signal arrives or {@link #fail} is called. */
    void await() {
        setBegun();
        try {
            ending.await();
        } catch (InterruptedException _) {
            // A signal ended the command. The interrupt stays cleared, so that closing is not interrupted.
            ending.countDown();
        }
    }

    /**
     * {@return the message of the first call of {@link #fail}; empty without such a call, for example after a signal}
     */
    Optional<String> failure() {
        return failure.get();
    }

    /**
     * Tells the shutdown hook that everything is closed. After a signal the hook waits for this, and then ends the
     * process.
     */
    @Override
    public void close() {
        Thread.setDefaultUncaughtExceptionHandler(before);
        closed.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException _) {
            // The hook is already running and ends the process.
        }
    }
}
