package dev.holdfast.operator.enforce;

import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.plan.move.EvictionRequest;
import dev.holdfast.policies.rule.Mode;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Caps the mode of all policies: at the configured ceiling, and at Audit while the right to evict is missing.
 *
 * <p>While it is missing it is asked for each minute. A right that is held is taken as held until something speaks
 * against it, so that nothing is asked while nothing happens.
 */
public final class ModeCeiling implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ModeCeiling.class);
    private static final Duration ASK_AGAIN = Duration.ofMinutes(1);

    private final EvictionRight right;
    private final Mode configured;
    private final Consumer<Event> sink;
    private final Duration askAgain;
    private final Thread thread;
    private final Semaphore bell = new Semaphore(0);
    private volatile boolean closed;

    /** Only the thread reads and writes it. */
    private Optional<Mode> told = Optional.empty();

    /** Asks whether this operator may create {@code pods/eviction} in every namespace. */
    @FunctionalInterface
    public interface EvictionRight {
        /** {@return the answer of the API server; throws when there is none} */
        boolean held();
    }

    /**
     * A probe that has not begun yet.
     *
     * @param sink takes a ModeCapped at once on start, and another whenever the ceiling changes
     * @param onDeath told when nobody asks any more: the process should end with an error
     */
    public ModeCeiling(
            EvictionRight right, Mode configured, Consumer<Event> sink, Thread.UncaughtExceptionHandler onDeath) {
        this(right, configured, sink, ASK_AGAIN, onDeath);
    }

    ModeCeiling(
            EvictionRight right,
            Mode configured,
            Consumer<Event> sink,
            Duration askAgain,
            Thread.UncaughtExceptionHandler onDeath) {
        this.right = right;
        this.configured = configured;
        this.sink = sink;
        this.askAgain = askAgain;
        this.thread = Thread.ofPlatform()
                .daemon()
                .name("mode-ceiling")
                .uncaughtExceptionHandler(onDeath)
                .unstarted(this::run);
    }

    /** Caps at Audit until the right is known, and begins to ask for it if it matters. Returns at once. */
    public void start() {
        if (configured == Mode.ENFORCE) {
            sink.accept(new Event.ModeCapped(Mode.AUDIT, "the right to evict is not known yet"));
            thread.start();
        } else {
            cap(configured, whyConfigured());
        }
    }

    /** Asks anew, soon. May be called from any thread, and before the start. */
    public void doubt() {
        bell.release();
    }

    /**
     * {@return the same reads; one that the API server forbids makes this check the right to evict, since the chart grants
     * both together}
     */
    public Function<Effect.Confirm, Event> checkedByReads(Function<Effect.Confirm, Event> reads) {
        return confirm -> {
            Event answer = reads.apply(confirm);
            if (answer instanceof Event.ConfirmFailed(var _, Reason reason, var _) && reason == Reason.FORBIDDEN) {
                doubt();
            }
            return answer;
        };
    }

    /** {@return the same requests to the Eviction API; the answer Forbidden makes this check the right to evict} */
    public Function<EvictionRequest, EvictionAnswer> checkedByAnswers(
            Function<EvictionRequest, EvictionAnswer> requests) {
        return request -> {
            EvictionAnswer answer = requests.apply(request);
            if (answer instanceof EvictionAnswer.Forbidden) {
                doubt();
            }
            return answer;
        };
    }

    private void run() {
        try {
            while (!closed) {
                bell.drainPermits();
                if (ask()) {
                    bell.acquire();
                } else {
                    // Rung or not, it asks again.
                    boolean _ = bell.tryAcquire(askAgain.toNanos(), TimeUnit.NANOSECONDS);
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** {@return whether the right is held; not so when there was no answer, which leaves the ceiling as it was} */
    private boolean ask() {
        try {
            boolean held = right.held();
            Mode ceiling = held ? configured : Mode.AUDIT;
            if (told.filter(ceiling::equals).isEmpty()) {
                told = Optional.of(ceiling);
                cap(
                        ceiling,
                        held
                                ? whyConfigured()
                                : "the right to create pods/eviction is missing: install the chart with"
                                        + " enforcement.enabled=true to grant it");
            }
            return held;
        } catch (RuntimeException e) {
            LOG.atWarn()
                    .addKeyValue("error", e.getMessage())
                    .log("could not ask for the right to evict, asking again in a minute");
            return false;
        }
    }

    private String whyConfigured() {
        return "maxMode is " + configured.label();
    }

    private void cap(Mode ceiling, String why) {
        LOG.atInfo()
                .addKeyValue("ceiling", ceiling.label())
                .addKeyValue("reason", why)
                .log("mode ceiling");
        sink.accept(new Event.ModeCapped(ceiling, why));
    }

    @Override
    public void close() {
        closed = true;
        bell.release();
    }
}
