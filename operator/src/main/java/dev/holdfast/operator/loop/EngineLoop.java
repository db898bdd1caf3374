package dev.holdfast.operator.loop;

import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.ledger.LedgerReading;
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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine's event loop, on a single thread: gives events to the engine in order, carries out the effects that the
 * engine returns, and wakes the engine at the time that it requests.
 *
 * <p>Reads and evictions run on other threads, and each result comes back as an event. If the engine throws, which is a
 * bug, the loop stops.
 */
public final class EngineLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EngineLoop.class);

    /**
     * How long parts of the loop may take to end when it is closed.
     *
     * @param join for the step in progress
     * @param requests for the requests in progress
     * @param interrupted for the same requests once they are interrupted
     */
    record StopLimits(Duration join, Duration requests, Duration interrupted) {
        private static final StopLimits USUAL =
                new StopLimits(Duration.ofSeconds(7), Duration.ofSeconds(7), Duration.ofSeconds(1));
    }

    private final EventQueue queue;
    private final BiFunction<Event, Instant, List<Effect>> step;
    private final Runnable handOver;
    private final InstantSource clock;
    private final EffectHandlers effectHandlers;
    private final BiConsumer<Event, Throwable> onBug;
    private final StopLimits stopLimits;
    private final ExecutorService requests;
    private final Thread thread;
    private volatile @Nullable Instant stepSince;
    private volatile boolean broken;

    /**
     * Whether the loop's thread has ended its work, or close() waits for it no longer. The one of the two that finds
     * this set reports the last answers.
     */
    private final AtomicBoolean oneIsDone = new AtomicBoolean();

    // The fields below belong to the loop's thread, and after its end to the thread that closes the loop.

    private final CrossCheckPace pace;

    /** When the engine wants to be woken; empty if it waits for events only. */
    private Optional<Instant> wake = Optional.empty();

    /** The plans whose eviction was requested and not answered yet. */
    private final Set<String> unanswered = new LinkedHashSet<>();

    /**
     * A loop that is not started yet.
     *
     * @param queue where the loop takes events, and to which it adds results
     * @param step the engine's step, {@code engine::step}: maps an event and the current instant to effects
     * @param handOver makes the calling thread the owner of the engine, {@code engine::handOver}
     * @param clock a monotonic clock
     * @param onBug called with the event if the engine throws on it, after which the loop stops. Also called if a read
     * or request ends in an {@link Error}, with the event that reports the failure. The process should then end with an
     * error
     * @param onDeath called if the loop's thread dies outside a step, or the thread of a read or request does
     */
    public EngineLoop(
            EventQueue queue,
            BiFunction<Event, Instant, List<Effect>> step,
            Runnable handOver,
            InstantSource clock,
            EffectHandlers effectHandlers,
            BiConsumer<Event, Throwable> onBug,
            Thread.UncaughtExceptionHandler onDeath) {
        this(queue, step, handOver, clock, effectHandlers, onBug, onDeath, StopLimits.USUAL);
    }

    EngineLoop(
            EventQueue queue,
            BiFunction<Event, Instant, List<Effect>> step,
            Runnable handOver,
            InstantSource clock,
            EffectHandlers effectHandlers,
            BiConsumer<Event, Throwable> onBug,
            Thread.UncaughtExceptionHandler onDeath,
            StopLimits stopLimits) {
        this.queue = queue;
        this.step = step;
        this.handOver = handOver;
        this.clock = clock;
        this.effectHandlers = effectHandlers;
        this.onBug = onBug;
        this.stopLimits = stopLimits;
        this.pace = new CrossCheckPace(clock.instant());
        this.requests = Executors.newThreadPerTaskExecutor(Thread.ofVirtual()
                .name("engine request ", 0)
                .uncaughtExceptionHandler(onDeath)
                .factory());
        this.thread = Thread.ofPlatform()
                .name("engine")
                .uncaughtExceptionHandler(onDeath)
                .unstarted(this::run);
    }

    /** Starts the thread. */
    public void start() {
        thread.start();
    }

    /** {@return the current state of the loop; may be called from any thread} */
    public LoopState state() {
        Instant since = stepSince;
        Duration running = since == null ? Duration.ZERO : Duration.between(since, clock.instant());
        return new LoopState(running, queue.size(), thread.getState() == Thread.State.TERMINATED);
    }

    private void run() {
        try {
            takeAll();
        } finally {
            if (oneIsDone.getAndSet(true)) {
                // close() interrupted this thread, which would end the wait for requests.
                boolean _ = Thread.interrupted();
                endRequests();
                reportLastAnswers();
            }
        }
    }

    private void takeAll() {
        handOver.run();
        while (!queue.isStopped()) {
            Optional<Event> event = next();
            if (queue.isStopped()) {
                // It may be the answer to an eviction, which close() still reports.
                event.ifPresent(queue::offer);
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
            Optional<Event> event = queue.poll(sleep);
            boolean timer = wake.filter(at -> !clock.instant().isBefore(at)).isPresent();
            return event.isEmpty() && timer ? Optional.of(new Event.TimePassed()) : event;
        } catch (InterruptedException _) {
            queue.stop();
            return Optional.empty();
        }
    }

    private boolean take(Event event) {
        Instant now = clock.instant();
        stepSince = now;
        try {
            wake = Optional.empty();
            List<Effect> effects = step(event, now);
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

    private List<Effect> step(Event event, Instant now) {
        if (event instanceof Event.Answered(String planId, var _)) {
            unanswered.remove(planId);
        }
        return step.apply(event, now);
    }

    private void broken(Event event, Throwable bug) {
        broken = true;
        queue.stop();
        onBug.accept(event, bug);
    }

    private static int compared(List<Effect> effects) {
        return effects.stream()
                .mapToInt(effect -> effect instanceof Effect.Compared(int verdicts, var _) ? verdicts : 0)
                .sum();
    }

    private void carryOut(Effect effect) {
        switch (effect) {
            case Effect.Confirm confirm ->
                request(() -> effectHandlers.confirm().apply(confirm), failure -> unread(confirm, failure));
            case Effect.ReadClaim asked ->
                request(() -> effectHandlers.readClaim().apply(asked), failure -> unread(asked, failure));
            case Effect.DryRun(EvictionRequest request) ->
                request(
                        () -> new Event.DryRunAnswered(
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
        // The audit log already has the request, so it needs an answer.
        unanswered.add(request.planId());
        boolean sent = request(
                () -> new Event.Answered(
                        request.planId(), effectHandlers.evict().apply(request)),
                failure -> unanswered(request, failure));
        if (!sent) {
            queue.offer(new Event.Answered(request.planId(), new EvictionAnswer.NotSent("the operator stops")));
        }
    }

    /**
     * Runs a read or request on its own thread. The engine waits for an event with the result, so a failure becomes an
     * event too. Returns false, and does nothing, once the loop is stopped.
     */
    private boolean request(Supplier<Event> action, Function<Throwable, Event> failed) {
        if (queue.isStopped()) {
            return false;
        }
        try {
            requests.execute(() -> {
                try {
                    queue.offer(action.get());
                } catch (RuntimeException e) {
                    queue.offer(failed.apply(e));
                } catch (Error e) {
                    Event event = failed.apply(e);
                    queue.offer(event);
                    onBug.accept(event, e);
                }
            });
            return true;
        } catch (RejectedExecutionException _) {
            // The loop was stopped a moment ago.
            return false;
        }
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
        return new Event.DryRunAnswered(
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
     * Stops the loop, waits a few seconds for requests in progress, reports an answer to each eviction, and writes what
     * the ledger does not have yet. If a step takes too long, the loop's thread reports the answers after it, and the
     * ledger is not written. If a step threw, the answers are only logged.
     */
    @Override
    public void close() {
        queue.stop();
        thread.interrupt();
        boolean mine = threadEnded() || oneIsDone.getAndSet(true);
        endRequests();
        if (mine) {
            if (!broken) {
                handOver.run();
            }
            reportLastAnswers();
            writeLedger();
        }
    }

    /**
     * Waits for the end of the loop's thread, unless the caller is interrupted. Returns whether the thread has ended.
     */
    private boolean threadEnded() {
        try {
            return thread.getState() == Thread.State.NEW || thread.join(stopLimits.join());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Waits for the end of the requests, which are interrupted after a while, or at once if the caller is interrupted.
     */
    private void endRequests() {
        requests.shutdown();
        try {
            if (!requests.awaitTermination(stopLimits.requests().toNanos(), TimeUnit.NANOSECONDS)) {
                requests.shutdownNow();
                boolean _ = requests.awaitTermination(stopLimits.interrupted().toNanos(), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException _) {
            requests.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Gives the eviction answers in the queue to the engine, so that the audit log gets an answer to each request. If
     * there is none for a request, its outcome is unknown. Only the notifications that the engine returns are carried
     * out. After a bug, the answers are logged instead.
     */
    private void reportLastAnswers() {
        for (Event event : queue.drain()) {
            if (event instanceof Event.Answered answered) {
                report(answered);
            }
        }
        for (String planId : List.copyOf(unanswered)) {
            report(new Event.Answered(
                    planId, new EvictionAnswer.Unknown("the operator stopped before the API server answered")));
        }
    }

    private void report(Event.Answered answered) {
        if (broken) {
            unanswered.remove(answered.planId());
            LOG.atError()
                    .addKeyValue("plan", answered.planId())
                    .addKeyValue("answer", answered.answer())
                    .log("Answer to an eviction is not in the audit log, because the engine failed");
            return;
        }
        apply(answered);
    }

    private void writeLedger() {
        if (broken) {
            return;
        }
        try {
            for (Effect effect : step(new Event.Ending(), clock.instant())) {
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
        if (broken) {
            return;
        }
        try {
            for (Effect effect : step(event, clock.instant())) {
                if (effect instanceof Effect.Notify(Notification notification)) {
                    effectHandlers.report().accept(notification);
                }
            }
        } catch (RuntimeException | Error bug) {
            broken(event, bug);
        }
    }
}
