package dev.holdfast.operator.app;

import dev.holdfast.operator.ledger.LedgerStorage;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens a replica's connection to the ledger in advance, as soon as the replica could act, and loads the code with a
 * first reading. Otherwise the reading would delay a takeover by some seconds on a busy machine.
 */
final class LedgerWarmUp implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerWarmUp.class);
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

    private final BooleanSupplier couldAct;
    private final LedgerStorage ledger;
    private final Thread.UncaughtExceptionHandler onDeath;
    private final CountDownLatch closing = new CountDownLatch(1);

    LedgerWarmUp(BooleanSupplier couldAct, LedgerStorage ledger, Thread.UncaughtExceptionHandler onDeath) {
        this.couldAct = couldAct;
        this.ledger = ledger;
        this.onDeath = onDeath;
    }

    /** Returns at once. */
    void start() {
        Thread.ofVirtual()
                .name("ledger warm-up")
                .uncaughtExceptionHandler(onDeath)
                .start(this::run);
    }

    private void run() {
        try {
            while (!couldAct.getAsBoolean()) {
                if (closing.await(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
                    return;
                }
            }
            ledger.warmUp();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.atDebug().setCause(e).log("The ledger could not be read in advance");
        }
    }

    @Override
    public void close() {
        closing.countDown();
    }
}
