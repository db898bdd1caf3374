package dev.holdfast.operator.app;

import dev.holdfast.operator.ledger.LedgerStorage;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a replica read the ledger once as soon as it could act, for nothing: if it takes over later, its connection is
 * open and its code is loaded. Without that, the first reading takes some seconds on a busy machine, and the takeover
 * with it.
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
