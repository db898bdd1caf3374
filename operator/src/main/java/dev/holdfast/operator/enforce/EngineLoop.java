package dev.holdfast.operator.enforce;

import dev.holdfast.policies.engine.ledger.LedgerReading;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.engine.protocol.ViewStatus;
import dev.holdfast.policies.engine.report.BrakeReport;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClaimedVolume;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.plan.move.EvictionRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The engine's event loop, on a single thread: gives events to the engine in order, carries out the effects that the
 * engine returns, and wakes the engine at the time that it requests.
 *
 * <p>Reads and evictions run on other threads, and each result comes back as an event. If the engine throws, which is a
 * bug, the loop stops.
 */
public final class EngineLoop implements AutoCloseable {
    private static final Duration LAST_REQUESTS = Duration.ofSeconds(7);

    /**
     * How many changes of cluster objects may wait in the queue. Events of other types have no limit: they are rare, or
     * limited by the number of moves in flight.
     */
    private static final int MOST_FACTS = 10_000;

    private final BiFunction<Event, Instant, List<Effect>> step;
    private final Supplier<Map<View, ViewStatus>> engineViews;
    private final InstantSource clock;
    private final EffectHandlers effectHandlers;
    private final BiConsumer<Event, Throwable> onBug;
    private final BlockingQueue<Event> queue = new LinkedBlockingQueue<>();
    private final Semaphore roomForFacts = new Semaphore(MOST_FACTS);
    private final ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor();
    private final Thread thread = new Thread(this::run, "engine");
    private final CrossCheckPace pace;
    private volatile @Nullable Instant stepSince;
    private volatile Map<View, ViewStatus> views;
    private volatile boolean stopped;
    private volatile boolean broken;

    /** When the engine wants to be woken; empty if it waits for events only. Used by the loop's thread only. */
    private Optional<Instant> wake = Optional.empty();

    /**
     * A loop that is not started yet but already takes events.
     *
     * @param step the engine's step, {@code engine::step}: maps an event and the current instant to effects
     * @param views the sync status of each watched kind, {@code engine::views}; called here, then by the loop's thread
     * @param clock a monotonic clock
     * @param onBug called with the event if the engine throws on it, after which the loop stops. Also called if a read
     * or request ends in an {@link Error}, with the event that reports the failure. The process should then end with an
     * error
     */
    public EngineLoop(
            BiFunction<Event, Instant, List<Effect>> step,
            Supplier<Map<View, ViewStatus>> views,
            InstantSource clock,
            EffectHandlers effectHandlers,
            BiConsumer<Event, Throwable> onBug) {
        this.step = step;
        this.clock = clock;
        this.effectHandlers = effectHandlers;
        this.onBug = onBug;
        this.engineViews = views;
        this.views = views.get();
        this.pace = new CrossCheckPace(clock.instant());
    }

    /**
     * Adds one event to the queue; may be called from any thread. Blocks only for a {@code FactChanged} (a changed
     * cluster object) while 10 000 of them wait: so the watches stop reading. After the loop has stopped, the queue
     * accepts only the answers to evictions.
     */
    public void offer(Event event) {
        if (event instanceof Event.FactChanged && !stopped) {
            roomForFacts.acquireUninterruptibly();
        }
        // Watches may still send events after the stop, when no thread takes them from the queue.
        if (!stopped || event instanceof Event.Answered) {
            queue.add(event);
        }
    }

    /** Starts the thread. */
    public void start() {
        thread.start();
    }

    /** {@return the current state of the loop; may be called from any thread} */
    public LoopState state() {
        Instant since = stepSince;
        Duration running = since == null ? Duration.ZERO : Duration.between(since, clock.instant());
        return new LoopState(running, queue.size(), views);
    }

    private void run() {
        while (!stopped) {
            Optional<Event> event = next();
            if (stopped) {
                // It may be the answer to an eviction, which close() still reports.
                event.ifPresent(queue::add);
            } else if (event.isPresent() && !take(event.get())) {
                return;
            }
        }
    }

    /**
     * Waits for the next event and returns it. If a timer fires first, returns {@code TimePassed} or {@code
     * TimeToCompare}. Returns empty if the thread is interrupted, or if there is nothing to handle yet.
     */
    private Optional<Event> next() {
        try {
            if (!clock.instant().isBefore(pace.next())) {
                return Optional.of(pace.event());
            }
            Instant until = wake.filter(pace.next()::isAfter).orElse(pace.next());
            Duration sleep = Duration.between(clock.instant(), until);
            Event event = queue.poll(Math.max(0, sleep.toNanos()), TimeUnit.NANOSECONDS);
            if (event instanceof Event.FactChanged) {
                roomForFacts.release();
            }
            boolean timer = wake.filter(at -> !clock.instant().isBefore(at)).isPresent();
            if (event == null && timer) {
                return Optional.of(new Event.TimePassed());
            }
            return Optional.ofNullable(event);
        } catch (InterruptedException _) {
            stop();
            return Optional.empty();
        }
    }

    private boolean take(Event event) {
        Instant now = clock.instant();
        stepSince = now;
        try {
            wake = Optional.empty();
            List<Effect> effects = step.apply(event, now);
            if (event instanceof Event.ViewSynced || event instanceof Event.ViewLost) {
                views = engineViews.get();
            }
            effects.forEach(this::carryOut);
            if (event instanceof Event.TimeToCompare) {
                pace.took(now, clock.instant(), compared(effects));
            }
            return true;
        } catch (RuntimeException | Error bug) {
            broken(event, bug);
            return false;
        } finally {
            stepSince = null;
        }
    }

    private void broken(Event event, Throwable bug) {
        broken = true;
        stop();
        onBug.accept(event, bug);
    }

    private static int compared(List<Effect> effects) {
        return effects.stream()
                .mapToInt(effect -> effect instanceof Effect.Compared(int verdicts, var _) ? verdicts : 0)
                .sum();
    }

    /** Stops the loop, and wakes callers of {@link #offer} that wait for room in the queue. */
    private void stop() {
        stopped = true;
        roomForFacts.release(MOST_FACTS);
    }

    private void carryOut(Effect effect) {
        switch (effect) {
            case Effect.Confirm confirm ->
                request(() -> effectHandlers.confirm().apply(confirm), failure -> unread(confirm, failure));
            case Effect.ReadClaim asked ->
                request(() -> effectHandlers.readClaim().apply(asked), failure -> unread(asked, failure));
            case Effect.DryRun(EvictionRequest request) ->
                request(
                        () -> new Event.Rehearsed(
                                request.planId(), effectHandlers.dryRun().apply(request)),
                        failure -> dryRunFailed(request, failure));
            case Effect.Evict(EvictionRequest request) -> evict(request);
            case Effect.ReadLedger asked ->
                request(() -> effectHandlers.readLedger().apply(asked), failure -> unread(asked, failure));
            case Effect.WriteLedger asked ->
                request(() -> effectHandlers.writeLedger().apply(asked), failure -> unwritten(asked, failure));
            case Effect.WriteClocks asked ->
                request(() -> effectHandlers.writeClocks().apply(asked), _ -> unwritten(asked));
            case Effect.WakeAt(Instant at) -> wake = Optional.of(at);
            case Effect.Notify(Notification notification) ->
                effectHandlers.report().accept(notification);
            case Effect.Publish(PolicyReport report) -> effectHandlers.publish().accept(report);
            case Effect.Braked(BrakeReport report) -> effectHandlers.braked().accept(report);
            case Effect.Compared compared -> effectHandlers.compared().accept(compared);
            case Effect.FoundTooComplex found -> effectHandlers.tooComplex().accept(found);
            case Effect.FoundInvalidRules found -> effectHandlers.invalidRules().accept(found);
        }
    }

    private void evict(EvictionRequest request) {
        if (stopped) {
            // The audit log already has the request, so it needs an answer.
            queue.add(new Event.Answered(request.planId(), new EvictionAnswer.NotSent("the operator stops")));
            return;
        }
        request(
                () -> new Event.Answered(
                        request.planId(), effectHandlers.evict().apply(request)),
                failure -> unanswered(request, failure));
    }

    /**
     * Runs a read or request on its own thread. The engine waits for an event with the result, so a failure becomes an
     * event too.
     */
    private void request(Supplier<Event> action, Function<Throwable, Event> failed) {
        if (stopped) {
            return;
        }
        requests.execute(() -> {
            try {
                offer(action.get());
            } catch (RuntimeException e) {
                offer(failed.apply(e));
            } catch (Error e) {
                Event event = failed.apply(e);
                offer(event);
                onBug.accept(event, e);
            }
        });
    }

    private static Event unread(Effect.Confirm confirm, Throwable failure) {
        return new Event.ConfirmFailed(
                confirm.planId(), Reason.API_ERROR, "reading pod " + confirm.pod() + " failed: " + failure);
    }

    private static Event unread(Effect.ReadClaim asked, Throwable failure) {
        return new Event.ClaimRead(asked.claim(), new ClaimedVolume.Unreadable("reading it failed: " + failure));
    }

    private static Event unread(Effect.ReadLedger asked, Throwable failure) {
        return new Event.LedgerRead(
                asked.number(), new LedgerReading.Failed("reading it failed: " + failure), Duration.ZERO);
    }

    private static Event unwritten(Effect.WriteLedger asked, Throwable failure) {
        return new Event.LedgerNotWritten(asked.revision(), "writing the ledger failed: " + failure);
    }

    private static Event unwritten(Effect.WriteClocks asked) {
        return new Event.ClocksWritten(
                asked.write().number(), asked.write().changed().keySet());
    }

    private static Event dryRunFailed(EvictionRequest request, Throwable failure) {
        return new Event.Rehearsed(
                request.planId(),
                new EvictionAnswer.Failed(
                        "the dry run of the eviction of pod " + request.pod() + " failed: " + failure));
    }

    private static Event unanswered(EvictionRequest request, Throwable failure) {
        return new Event.Answered(
                request.planId(),
                new EvictionAnswer.Unknown("the eviction request for pod " + request.pod() + " failed: " + failure));
    }

    /**
     * Stops the loop, waits a few seconds for requests in progress, reports the answers to evictions that arrive, and
     * writes what the ledger does not have yet.
     */
    @Override
    public void close() {
        stop();
        thread.interrupt();
        try {
            boolean ended = thread.getState() == Thread.State.NEW || thread.join(LAST_REQUESTS);
            requests.shutdown();
            if (!requests.awaitTermination(LAST_REQUESTS.toNanos(), TimeUnit.NANOSECONDS)) {
                requests.shutdownNow();
            }
            if (ended && !broken) {
                reportLastAnswers();
                writeLedger();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Gives the eviction answers in the queue to the engine, so that the audit log gets an answer to each request. Only
     * the notifications that the engine returns are carried out.
     */
    private void reportLastAnswers() {
        List<Event> left = new ArrayList<>();
        queue.drainTo(left);
        for (Event event : left) {
            if (event instanceof Event.Answered && !broken) {
                apply(event);
            }
        }
    }

    private void writeLedger() {
        if (broken) {
            return;
        }
        try {
            for (Effect effect : step.apply(new Event.Ending(), clock.instant())) {
                if (effect instanceof Effect.WriteLedger asked) {
                    apply(effectHandlers.writeLedger().apply(asked));
                } else if (effect instanceof Effect.WriteClocks asked) {
                    apply(effectHandlers.writeClocks().apply(asked));
                }
            }
        } catch (RuntimeException | Error bug) {
            broken(new Event.Ending(), bug);
        }
    }

    private void apply(Event event) {
        try {
            for (Effect effect : step.apply(event, clock.instant())) {
                if (effect instanceof Effect.Notify(Notification notification)) {
                    effectHandlers.report().accept(notification);
                }
            }
        } catch (RuntimeException | Error bug) {
            broken(event, bug);
        }
    }
}
