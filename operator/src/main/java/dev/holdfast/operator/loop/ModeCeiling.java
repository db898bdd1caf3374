package dev.holdfast.operator.loop;

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
 * Caps the mode of all policies at the configured ceiling (the strongest mode allowed), and at Audit while the operator
 * must not evict.
 *
 * <p>While the operator must not evict, its right to evict is checked each minute. Once the operator may evict, the
 * right is checked again only after the API server forbids a request or this replica becomes the leader. So an idle
 * operator with all rights sends no such requests.
 */
public final class ModeCeiling implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ModeCeiling.class);
    private static final Duration INTERVAL = Duration.ofMinutes(1);

    private final EvictionCheck check;
    private final Mode configured;
    private final Consumer<Event> sink;
    private final Duration interval;
    private final Thread thread;
    private final Semaphore recheck = new Semaphore(0);
    private volatile boolean closed;

    /**
     * The ceiling by the last check that the API server answered; empty before the first such check. Used by the
     * checking thread only.
     */
    private Optional<Event.ModeCapped> lastCeiling = Optional.empty();

    /** Checks whether this operator may evict pods, by requests to the API server. */
    @FunctionalInterface
    public interface EvictionCheck {
        /** {@return why this operator must not evict; empty if it may; throws if the API server does not answer} */
        Optional<String> refusal();

        /** {@return a check that also makes another check, unless this one already refuses} */
        default EvictionCheck and(EvictionCheck other) {
            return () -> refusal().or(other::refusal);
        }
    }

    /**
     * A mode ceiling that is not started yet.
     *
     * @param sink gets a ModeCapped event at the start, and another whenever the ceiling changes
     * @param onDeath called if the checking thread dies: the process should end with an error
     */
    public ModeCeiling(
            EvictionCheck check, Mode configured, Consumer<Event> sink, Thread.UncaughtExceptionHandler onDeath) {
        this(check, configured, sink, INTERVAL, onDeath);
    }

    ModeCeiling(
            EvictionCheck check,
            Mode configured,
            Consumer<Event> sink,
            Duration interval,
            Thread.UncaughtExceptionHandler onDeath) {
        this.check = check;
        this.configured = configured;
        this.sink = sink;
        this.interval = interval;
        this.thread = Thread.ofPlatform()
                .daemon()
                .name("mode-ceiling")
                .uncaughtExceptionHandler(onDeath)
                .unstarted(this::run);
    }

    /**
     * If the configured ceiling is Enforce, starts to check whether the operator may evict, and caps at Audit until the
     * first answer. Otherwise caps at the configured ceiling. Returns at once.
     */
    public void start() {
        if (configured == Mode.ENFORCE) {
            sink.accept(new Event.ModeCapped(Mode.AUDIT, "the right to evict is not known yet", false));
            thread.start();
        } else {
            cap(configured, whyConfigured());
        }
    }

    /** Requests another check of whether the operator may evict. Thread-safe; may be called before the start. */
    public void recheck() {
        recheck.release();
    }

    /**
     * {@return the given function with one addition: a forbidden read triggers a check of the right to evict} The
     * reason is that the chart grants the rights to read and to evict together.
     */
    public Function<Effect.Confirm, Event> checkedByReads(Function<Effect.Confirm, Event> reads) {
        return confirm -> {
            Event answer = reads.apply(confirm);
            if (answer instanceof Event.ConfirmFailed(var _, Reason reason, var _) && reason == Reason.FORBIDDEN) {
                recheck();
            }
            return answer;
        };
    }

    /** {@return the given function, with one addition: the answer Forbidden triggers a check of the right to evict} */
    public Function<EvictionRequest, EvictionAnswer> checkedByAnswers(
            Function<EvictionRequest, EvictionAnswer> requests) {
        return request -> {
            EvictionAnswer answer = requests.apply(request);
            if (answer instanceof EvictionAnswer.Forbidden) {
                recheck();
            }
            return answer;
        };
    }

    private void run() {
        try {
            while (!closed) {
                recheck.drainPermits();
                if (review()) {
                    recheck.acquire();
                } else {
                    // Checks again when recheck() released a permit, or after the interval.
                    boolean _ = recheck.tryAcquire(interval.toNanos(), TimeUnit.NANOSECONDS);
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Checks whether the operator may evict, reports the ceiling if it or its reason changed, and returns the answer.
     * If the API server does not answer, the ceiling stays as it is and the result is false.
     */
    private boolean review() {
        try {
            Optional<String> refusal = check.refusal();
            Event.ModeCapped ceiling = refusal.map(why -> new Event.ModeCapped(Mode.AUDIT, why))
                    .orElseGet(() -> new Event.ModeCapped(configured, whyConfigured()));
            if (lastCeiling.filter(ceiling::equals).isEmpty()) {
                lastCeiling = Optional.of(ceiling);
                cap(ceiling.ceiling(), ceiling.why());
            }
            return refusal.isEmpty();
        } catch (RuntimeException e) {
            LOG.atWarn()
                    .addKeyValue("error", e.getMessage())
                    .log("Failed to check whether the operator may evict; next check in a minute");
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
                .log("Mode ceiling set");
        sink.accept(new Event.ModeCapped(ceiling, why));
    }

    @Override
    public void close() {
        closed = true;
        recheck.release();
    }
}
