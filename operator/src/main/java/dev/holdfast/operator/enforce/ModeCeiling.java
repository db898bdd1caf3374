package dev.holdfast.operator.enforce;

import dev.holdfast.policies.engine.Event;
import dev.holdfast.policies.rule.Mode;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Caps the mode of all policies: at the configured ceiling, and at Audit while the right to evict is missing. */
public final class ModeCeiling implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ModeCeiling.class);
    private static final Duration ASK_AGAIN = Duration.ofMinutes(1);

    private final EvictionRight right;
    private final Mode configured;
    private final Consumer<Event> sink;
    private final Thread thread =
            Thread.ofPlatform().daemon().name("mode-ceiling").unstarted(this::run);
    private final CountDownLatch closed = new CountDownLatch(1);

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
     */
    public ModeCeiling(EvictionRight right, Mode configured, Consumer<Event> sink) {
        this.right = right;
        this.configured = configured;
        this.sink = sink;
    }

    /** Caps at Audit until the right is known, and begins to ask for it. Returns at once. */
    public void start() {
        sink.accept(new Event.ModeCapped(configured.atMost(Mode.AUDIT), "the right to evict is not known yet"));
        thread.start();
    }

    private void run() {
        try {
            do {
                ask();
            } while (!closed.await(ASK_AGAIN.toSeconds(), TimeUnit.SECONDS));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void ask() {
        try {
            boolean held = right.held();
            Mode ceiling = held ? configured : configured.atMost(Mode.AUDIT);
            if (told.filter(ceiling::equals).isEmpty()) {
                told = Optional.of(ceiling);
                String why = held
                        ? "maxMode is " + configured.label()
                        : "the right to create pods/eviction is missing: install the chart with"
                                + " enforcement.enabled=true to grant it";
                LOG.atInfo()
                        .addKeyValue("ceiling", ceiling.label())
                        .addKeyValue("reason", why)
                        .log("mode ceiling");
                sink.accept(new Event.ModeCapped(ceiling, why));
            }
        } catch (RuntimeException e) {
            LOG.atWarn()
                    .addKeyValue("error", e.getMessage())
                    .log("could not ask for the right to evict, asking again in a minute");
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
