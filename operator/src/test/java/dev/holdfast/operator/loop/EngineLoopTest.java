package dev.holdfast.operator.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.holdfast.operator.config.OperatorConfig;
import dev.holdfast.operator.publish.Samples;
import dev.holdfast.policies.engine.Engine;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.engine.protocol.ledger.Ledger;
import dev.holdfast.policies.engine.protocol.ledger.LedgerReading;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClaimedVolume;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.plan.move.EvictionRequest;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

/** The engine's loop takes events and carries out effects, and loses neither. */
@Timeout(30)
class EngineLoopTest {
    private static final NamespacedName POD = new NamespacedName("shop", "web-1");
    private static final EvictionRequest REQUEST = new EvictionRequest(
            "plan-1",
            POD,
            "uid",
            OptionalLong.of(7),
            PolicyId.cluster("audit"),
            "ssd",
            new Rule.NodeAffinity(Labels.none(), Optional.empty()).identity(),
            "cause",
            Instant.EPOCH);
    private static final Effect.Confirm CONFIRM = new Effect.Confirm("plan-1", POD, "n1", List.of());

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final EngineLoop.StopLimits PATIENT = limits(LONG, LONG, LONG);

    private static final String BROKEN = "java.lang.IllegalStateException: broken";

    private final BlockingQueue<Event> stepped = new LinkedBlockingQueue<>();
    private final BlockingQueue<Event> compares = new LinkedBlockingQueue<>();
    private final BlockingQueue<Event> bugs = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> deaths = new LinkedBlockingQueue<>();
    private final EventQueue queue = new EventQueue();

    private static EngineLoop.StopLimits limits(Duration join, Duration requests, Duration interrupted) {
        return new EngineLoop.StopLimits(join, requests, interrupted);
    }

    private EngineLoop loop(BiFunction<Event, Instant, List<Effect>> step, EffectHandlers effectHandlers) {
        return loop(step, () -> {}, InstantSource.system(), effectHandlers, PATIENT);
    }

    private EngineLoop loop(
            BiFunction<Event, Instant, List<Effect>> step,
            Runnable handOver,
            InstantSource clock,
            EffectHandlers effectHandlers,
            EngineLoop.StopLimits stopLimits) {
        return new EngineLoop(
                queue,
                (event, now) -> {
                    // TimeToCompare is timer-driven and has its own test.
                    (event instanceof Event.TimeToCompare ? compares : stepped).add(event);
                    return step.apply(event, now);
                },
                handOver,
                clock,
                effectHandlers,
                (event, _) -> bugs.add(event),
                (thread, death) -> deaths.add(thread.getName() + ": " + death),
                stopLimits);
    }

    private static EffectHandlers hands(
            Function<Effect.Confirm, Event> confirm, Function<EvictionRequest, EvictionAnswer> evict) {
        return new EffectHandlers(
                confirm,
                EngineLoopTest::unread,
                evict,
                evict,
                EngineLoopTest::withoutMemory,
                EngineLoopTest::written,
                EngineLoopTest::clocksWritten,
                _ -> {},
                _ -> {},
                _ -> {},
                _ -> {},
                _ -> {},
                _ -> {});
    }

    private static Event.LedgerRead withoutMemory(Effect.ReadLedger asked) {
        return new Event.LedgerRead(asked.number(), new LedgerReading.NoMemory("a test"), Duration.ZERO);
    }

    private static Event written(Effect.WriteLedger asked) {
        return new Event.LedgerWritten(asked.revision());
    }

    private static Event.ClocksWritten clocksWritten(Effect.WriteClocks asked) {
        return new Event.ClocksWritten(asked.write().number(), Set.of());
    }

    private static Event unread(Effect.ReadClaim asked) {
        return new Event.ClaimRead(asked.claim(), new ClaimedVolume.Unreadable("idle"));
    }

    private static EffectHandlers idle() {
        return hands(
                asked -> new Event.ConfirmFailed(asked.planId(), Reason.API_ERROR, "idle"),
                _ -> new EvictionAnswer.Gone());
    }

    private Event next() throws InterruptedException {
        return Optional.ofNullable(stepped.poll(10, TimeUnit.SECONDS)).orElseThrow();
    }

    @Test
    void eventsAreSteppedInTheOrderTheyWereOfferedEvenBeforeTheStart() throws InterruptedException {
        try (EngineLoop loop = loop((_, _) -> List.of(), idle())) {
            queue.offer(new Event.LeadershipGained());
            queue.offer(new Event.ViewSynced(View.PODS));
            loop.start();

            assertThat(List.of(next(), next()))
                    .isEqualTo(List.of(new Event.LeadershipGained(), new Event.ViewSynced(View.PODS)));
        }
    }

    private Thread floodIn(int facts) {
        return Thread.ofVirtual().start(() -> {
            for (int i = 0; i < facts; i++) {
                queue.offer(new Event.ObjectChanged(new ClusterEvent.NamespaceGone("n" + i)));
            }
        });
    }

    private static ConditionFactory eventually() {
        return Awaitility.await().atMost(Duration.ofSeconds(20)).pollInterval(Duration.ofMillis(1));
    }

    private void awaitQueued(int number) {
        eventually().until(() -> queue.size() >= number);
    }

    @Test
    void whoeverFeedsFactsWaitsWhileTenThousandDoAndNothingElseDoes() throws InterruptedException {
        try (EngineLoop loop = loop((_, _) -> List.of(), idle())) {
            Thread feed = floodIn(10_005);
            awaitQueued(10_000);
            assertThat(feed.join(Duration.ofMillis(200))).as("fed").isFalse();

            queue.offer(new Event.LeadershipGained());
            assertThat(queue.size()).isEqualTo(10_001);

            loop.start();
            feed.join();
            for (int i = 0; i < 10_006; i++) {
                next();
            }
        }
    }

    @Test
    void noThreadWaitsForALoopThatIsClosedNorFillsIt() throws InterruptedException {
        EngineLoop loop = loop((_, _) -> List.of(), idle());
        Thread feed = floodIn(150_000);
        awaitQueued(10_000);

        loop.close();

        assertThat(feed.join(Duration.ofSeconds(10))).as("fed").isTrue();
        assertThat(queue.size()).isZero();
    }

    @Test
    void aLoopThatIsStoppedKeepsAnswersOfEvictionsAndNothingElse() throws InterruptedException {
        EngineLoop loop = loop(
                (_, _) -> {
                    throw new IllegalStateException("a bug");
                },
                idle());
        loop.start();
        queue.offer(new Event.LeadershipGained());
        assertThat(bugs.poll(10, TimeUnit.SECONDS)).isEqualTo(new Event.LeadershipGained());

        floodIn(150_000).join();
        queue.offer(new Event.ViewSynced(View.PODS));
        queue.offer(new Event.DryRunAnswered("plan-1", new EvictionAnswer.Evicted()));
        assertThat(queue.size()).isZero();
        queue.offer(new Event.Answered("plan-1", new EvictionAnswer.Evicted()));

        assertThat(queue.size()).isEqualTo(1);
        loop.close();
    }

    @Test
    void withNothingElseToDoVerdictsAreComparedAgainAndAgainAndWhatComesOfItIsReported() throws InterruptedException {
        BlockingQueue<Effect.Compared> told = new LinkedBlockingQueue<>();
        EffectHandlers effectHandlers = new EffectHandlers(
                asked -> new Event.ConfirmFailed(asked.planId(), Reason.API_ERROR, "idle"),
                EngineLoopTest::unread,
                _ -> new EvictionAnswer.Gone(),
                _ -> new EvictionAnswer.Gone(),
                EngineLoopTest::withoutMemory,
                EngineLoopTest::written,
                EngineLoopTest::clocksWritten,
                _ -> {},
                _ -> {},
                _ -> {},
                told::add,
                _ -> {},
                _ -> {});
        BiFunction<Event, Instant, List<Effect>> step = (event, _) -> event instanceof Event.TimeToCompare(int most)
                ? List.of(new Effect.Compared(most, Optional.empty()))
                : List.of();
        try (EngineLoop loop = loop(step, effectHandlers)) {
            loop.start();

            assertThat(told.take()).isEqualTo(new Effect.Compared(1, Optional.empty()));
            told.take();
            assertThat(compares).hasSizeGreaterThanOrEqualTo(2);
            assertThat(stepped).isEmpty();
        }
    }

    @Test
    void aWakeUpComesAsTimePassed() throws InterruptedException {
        // As the engine does, each step says when to wake it: a comparison may come first.
        BiFunction<Event, Instant, List<Effect>> waking = (event, now) ->
                event instanceof Event.TimePassed ? List.of() : List.of(new Effect.WakeAt(now.plusMillis(20)));
        try (EngineLoop loop = loop(waking, idle())) {
            loop.start();
            queue.offer(new Event.LeadershipGained());

            assertThat(List.of(next(), next()))
                    .isEqualTo(List.of(new Event.LeadershipGained(), new Event.TimePassed()));
        }
    }

    @Test
    void aDryRunAndAnEvictionAreEachAnsweredByAnEventOfTheirOwn() throws InterruptedException {
        BiFunction<Event, Instant, List<Effect>> step = (event, _) -> switch (event) {
            case Event.LeadershipGained _ -> List.of(new Effect.DryRun(REQUEST));
            case Event.DryRunAnswered _ -> List.of(new Effect.Evict(REQUEST));
            default -> List.of();
        };
        try (EngineLoop loop = loop(step, hands(idle().confirm(), _ -> new EvictionAnswer.Evicted()))) {
            loop.start();
            queue.offer(new Event.LeadershipGained());

            next();
            assertThat(next()).isEqualTo(new Event.DryRunAnswered("plan-1", new EvictionAnswer.Evicted()));
            assertThat(next()).isEqualTo(new Event.Answered("plan-1", new EvictionAnswer.Evicted()));
        }
    }

    static Stream<Arguments> owedAnswers() {
        return Stream.of(
                argumentSet(
                        "a read that throws is reported as failed",
                        CONFIRM,
                        new Event.ConfirmFailed(
                                "plan-1", Reason.API_ERROR, "reading pod shop/web-1 failed: " + BROKEN)),
                argumentSet(
                        "a dry run that throws is reported as failed",
                        new Effect.DryRun(REQUEST),
                        new Event.DryRunAnswered(
                                "plan-1",
                                new EvictionAnswer.Failed(
                                        "the dry run of the eviction of pod shop/web-1 failed:" + " " + BROKEN))),
                argumentSet(
                        "an eviction that throws has an unknown outcome",
                        new Effect.Evict(REQUEST),
                        new Event.Answered(
                                "plan-1",
                                new EvictionAnswer.Unknown(
                                        "the eviction request for pod shop/web-1 failed:" + " " + BROKEN))));
    }

    @ParameterizedTest
    @MethodSource("owedAnswers")
    void anAnswerIsOwedEvenWhereCarryingOutThrows(Effect effect, Event answer) throws InterruptedException {
        EffectHandlers broken = hands(
                _ -> {
                    throw new IllegalStateException("broken");
                },
                _ -> {
                    throw new IllegalStateException("broken");
                });
        try (EngineLoop loop = loop(at(new Event.LeadershipGained(), effect), broken)) {
            loop.start();
            queue.offer(new Event.LeadershipGained());

            next();
            assertThat(next()).isEqualTo(answer);
        }
        assertThat(bugs).isEmpty();
    }

    @Test
    void anErrorWhileCarryingOutIsAnsweredAndReported() throws InterruptedException {
        EffectHandlers broken = hands(idle().confirm(), _ -> {
            throw new AssertionError("no memory, say");
        });
        try (EngineLoop loop = loop(at(new Event.LeadershipGained(), new Effect.Evict(REQUEST)), broken)) {
            loop.start();
            queue.offer(new Event.LeadershipGained());

            Event answered = new Event.Answered(
                    "plan-1",
                    new EvictionAnswer.Unknown(
                            "the eviction request for pod shop/web-1 failed: java.lang.AssertionError: no memory,"
                                    + " say"));
            next();
            assertThat(next()).isEqualTo(answered);
            assertThat(bugs.poll(10, TimeUnit.SECONDS)).isEqualTo(answered);
        }
    }

    @Test
    void aStepThatIsUnderWayWhenTheLoopIsClosedStartsNoRequestAndIsNoBug() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        BiFunction<Event, Instant, List<Effect>> slow = (event, _) -> {
            if (!(event instanceof Event.LeadershipGained)) {
                return List.of();
            }
            begun.countDown();
            untilInterrupted();
            return List.of(CONFIRM, new Effect.DryRun(REQUEST), new Effect.Evict(REQUEST));
        };
        BlockingQueue<Object> asked = new LinkedBlockingQueue<>();
        EffectHandlers counting = hands(
                confirm -> {
                    asked.add(confirm);
                    return new Event.TimePassed();
                },
                request -> {
                    asked.add(request);
                    return new EvictionAnswer.Evicted();
                });
        try (EngineLoop loop = loop(slow, counting)) {
            loop.start();
            queue.offer(new Event.LeadershipGained());
            begun.await();
        }
        assertThat(asked).isEmpty();
        assertThat(stepped)
                .as("who was told of an eviction is told that it was not asked for")
                .containsExactly(
                        new Event.LeadershipGained(),
                        new Event.Answered("plan-1", new EvictionAnswer.NotSent("the operator stops")),
                        new Event.Ending());
        assertThat(bugs).isEmpty();
    }

    @Test
    void whatIsLeftOfTheLedgerIsWrittenWhenTheLoopIsClosed() {
        EngineLoop loop =
                loop(at(new Event.Ending(), new Effect.WriteLedger(Ledger.empty(), 7, Instant.EPOCH)), idle());

        loop.start();
        loop.close();

        assertThat(stepped).containsExactly(new Event.Ending(), new Event.LedgerWritten(7));
        assertThat(bugs).isEmpty();
    }

    @Test
    void theAnswerToAnEvictionUnderWayWhenTheLoopIsClosedIsReportedAndNothingElseIsDone() throws InterruptedException {
        Event answer = new Event.Answered("plan-1", new EvictionAnswer.Evicted());
        Notification told = new Notification.Answered(Samples.violation(), "plan-1", new EvictionAnswer.Evicted());
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch closing = new CountDownLatch(1);
        BlockingQueue<Object> done = new LinkedBlockingQueue<>();
        EffectHandlers effectHandlers = new EffectHandlers(
                idle().confirm(),
                idle().readClaim(),
                idle().dryRun(),
                _ -> {
                    asked.countDown();
                    await(closing);
                    return new EvictionAnswer.Evicted();
                },
                EngineLoopTest::withoutMemory,
                EngineLoopTest::written,
                EngineLoopTest::clocksWritten,
                done::add,
                done::add,
                done::add,
                done::add,
                done::add,
                done::add);
        EngineLoop loop = loop(
                (event, _) -> switch (event) {
                    case Event.LeadershipGained _ -> List.of(new Effect.Evict(REQUEST));
                    case Event.Answered _ -> List.of(CONFIRM, new Effect.Notify(told), new Effect.Evict(REQUEST));
                    default -> List.of();
                },
                effectHandlers);
        loop.start();
        queue.offer(new Event.LeadershipGained());
        asked.await();

        Thread closer = Thread.ofPlatform().start(loop::close);
        // Once the loop is stopped, close() waits for the requests in progress.
        eventually().until(() -> closer.getState() == Thread.State.TIMED_WAITING);
        closing.countDown();
        closer.join();

        assertThat(stepped).containsExactly(new Event.LeadershipGained(), answer, new Event.Ending());
        assertThat(done).containsExactly(told);
    }

    @Test
    void anAnswerThatTheLoopHasJustTakenWhenItIsClosedIsReported() throws InterruptedException {
        Event answer = new Event.Answered("plan-1", new EvictionAnswer.Evicted());
        Notification told = new Notification.Answered(Samples.violation(), "plan-1", new EvictionAnswer.Evicted());
        AtomicBoolean waits = new AtomicBoolean();
        CountDownLatch taken = new CountDownLatch(1);
        Semaphore closing = new Semaphore(0);
        BlockingQueue<Notification> done = new LinkedBlockingQueue<>();
        EffectHandlers effectHandlers = new EffectHandlers(
                idle().confirm(),
                idle().readClaim(),
                idle().dryRun(),
                _ -> new EvictionAnswer.Evicted(),
                EngineLoopTest::withoutMemory,
                EngineLoopTest::written,
                EngineLoopTest::clocksWritten,
                done::add,
                _ -> {
                    awaitQueued(1);
                    waits.set(true);
                },
                idle().braked(),
                idle().compared(),
                idle().tooComplex(),
                idle().invalidRules());
        // A timer is set, so the loop reads the clock after it has taken an event. The clock then blocks the loop until
        // the stop.
        InstantSource clock = () -> {
            if (waits.getAndSet(false)) {
                boolean took = queue.size() == 0;
                waits.set(!took);
                if (took) {
                    taken.countDown();
                    closing.acquireUninterruptibly();
                }
            }
            return Instant.EPOCH;
        };
        EngineLoop loop = loop(
                (event, now) -> switch (event) {
                    case Event.LeadershipGained _ ->
                        List.of(
                                new Effect.Evict(REQUEST),
                                new Effect.Publish(Samples.report(Samples.POLICY)),
                                new Effect.WakeAt(now.plusSeconds(60)));
                    case Event.Answered _ -> List.of(new Effect.Notify(told));
                    default -> List.of();
                },
                () -> {},
                clock,
                effectHandlers,
                PATIENT);
        loop.start();
        queue.offer(new Event.LeadershipGained());
        taken.await();

        Thread closer = Thread.ofPlatform().start(loop::close);
        // close() waits for the loop's thread.
        eventually().until(() -> closer.getState() == Thread.State.TIMED_WAITING);
        closing.release();
        closer.join();

        assertThat(stepped).containsExactly(new Event.LeadershipGained(), answer, new Event.Ending());
        assertThat(done).containsExactly(told);
        assertThat(bugs).isEmpty();
    }

    @Test
    void anEvictionWhoseRequestDoesNotEndIsReportedAsUnknown() throws InterruptedException {
        CountDownLatch asked = new CountDownLatch(1);
        Semaphore end = new Semaphore(0);
        EffectHandlers stuck = hands(idle().confirm(), _ -> {
            asked.countDown();
            end.acquireUninterruptibly();
            return new EvictionAnswer.Evicted();
        });
        EngineLoop loop = loop(
                at(new Event.LeadershipGained(), new Effect.Evict(REQUEST)),
                () -> {},
                InstantSource.system(),
                stuck,
                limits(LONG, Duration.ZERO, Duration.ZERO));
        loop.start();
        queue.offer(new Event.LeadershipGained());
        asked.await();

        loop.close();

        end.release();
        assertThat(stepped)
                .containsExactly(
                        new Event.LeadershipGained(),
                        new Event.Answered(
                                "plan-1",
                                new EvictionAnswer.Unknown("the operator stopped before the API server answered")),
                        new Event.Ending());
    }

    @Test
    void anAnswerThatComesWhenTheRequestIsInterruptedIsReported() throws InterruptedException {
        CountDownLatch asked = new CountDownLatch(1);
        EffectHandlers slow = hands(idle().confirm(), _ -> {
            asked.countDown();
            untilInterrupted();
            return new EvictionAnswer.Gone();
        });
        EngineLoop loop = loop(
                at(new Event.LeadershipGained(), new Effect.Evict(REQUEST)),
                () -> {},
                InstantSource.system(),
                slow,
                limits(LONG, Duration.ZERO, LONG));
        loop.start();
        queue.offer(new Event.LeadershipGained());
        asked.await();

        loop.close();

        assertThat(stepped)
                .containsExactly(
                        new Event.LeadershipGained(),
                        new Event.Answered("plan-1", new EvictionAnswer.Gone()),
                        new Event.Ending());
    }

    /** A loop whose engine evicts when it leads, and which gets the answer while the engine takes the next event. */
    private EngineLoop evictingWhile(Runnable nextStep, Notification told, BlockingQueue<Object> done) {
        CountDownLatch stepping = new CountDownLatch(1);
        EffectHandlers handlers = new EffectHandlers(
                idle().confirm(),
                idle().readClaim(),
                idle().dryRun(),
                _ -> {
                    await(stepping);
                    return new EvictionAnswer.Evicted();
                },
                EngineLoopTest::withoutMemory,
                EngineLoopTest::written,
                EngineLoopTest::clocksWritten,
                done::add,
                done::add,
                done::add,
                done::add,
                done::add,
                done::add);
        EngineLoop loop = loop(
                (event, _) -> switch (event) {
                    case Event.LeadershipGained _ -> List.of(new Effect.Evict(REQUEST));
                    case Event.ViewSynced _ -> {
                        stepping.countDown();
                        nextStep.run();
                        yield List.of();
                    }
                    case Event.Answered _ -> List.of(new Effect.Notify(told));
                    default -> List.of();
                },
                () -> {},
                InstantSource.system(),
                handlers,
                limits(Duration.ZERO, LONG, LONG));
        queue.offer(new Event.LeadershipGained());
        queue.offer(new Event.ViewSynced(View.PODS));
        return loop;
    }

    @Test
    void afterAStepThatOutlastsTheStopTheLoopsThreadReportsTheLastAnswers() throws InterruptedException {
        Notification told = new Notification.Answered(Samples.violation(), "plan-1", new EvictionAnswer.Evicted());
        BlockingQueue<Object> done = new LinkedBlockingQueue<>();
        CountDownLatch inStep = new CountDownLatch(1);
        Semaphore end = new Semaphore(0);
        EngineLoop loop = evictingWhile(
                () -> {
                    inStep.countDown();
                    end.acquireUninterruptibly();
                },
                told,
                done);
        loop.start();
        inStep.await();

        loop.close();

        assertThat(done).isEmpty();
        end.release();
        eventually().until(() -> loop.state().ended());
        assertThat(stepped)
                .containsExactly(
                        new Event.LeadershipGained(),
                        new Event.ViewSynced(View.PODS),
                        new Event.Answered("plan-1", new EvictionAnswer.Evicted()));
        assertThat(done).containsExactly(told);
        assertThat(bugs).isEmpty();
        assertThat(deaths).isEmpty();
    }

    @Test
    void whenAStepThrewTheAnswersThatTheEngineDidNotGetAreLogged() throws InterruptedException {
        Notification told = new Notification.Answered(Samples.violation(), "plan-1", new EvictionAnswer.Evicted());
        BlockingQueue<Object> done = new LinkedBlockingQueue<>();
        EngineLoop loop = evictingWhile(
                () -> {
                    throw new IllegalStateException("a bug");
                },
                told,
                done);
        loop.start();
        eventually().until(() -> loop.state().ended());

        assertThat(logged(loop::close)).containsExactly("plan=plan-1 answer=Evicted[]");
        assertThat(stepped).containsExactly(new Event.LeadershipGained(), new Event.ViewSynced(View.PODS));
        assertThat(done).isEmpty();
        assertThat(bugs).containsExactly(new Event.ViewSynced(View.PODS));
    }

    @Test
    void whenAStepThrewAnEvictionWithoutAnAnswerIsLoggedAsUnknown() throws InterruptedException {
        Semaphore end = new Semaphore(0);
        EffectHandlers stuck = hands(idle().confirm(), _ -> {
            end.acquireUninterruptibly();
            return new EvictionAnswer.Evicted();
        });
        EngineLoop loop = loop(
                (event, _) -> {
                    if (event instanceof Event.LeadershipGained) {
                        return List.of(new Effect.Evict(REQUEST));
                    }
                    throw new IllegalStateException("a bug");
                },
                () -> {},
                InstantSource.system(),
                stuck,
                limits(LONG, Duration.ZERO, Duration.ZERO));
        queue.offer(new Event.LeadershipGained());
        queue.offer(new Event.ViewSynced(View.PODS));
        loop.start();
        eventually().until(() -> loop.state().ended());

        assertThat(logged(loop::close))
                .containsExactly(
                        "plan=plan-1 answer=Unknown[message=the operator stopped before the API server answered]");
        end.release();
        assertThat(stepped).containsExactly(new Event.LeadershipGained(), new Event.ViewSynced(View.PODS));
    }

    /** {@return the keys and values of each line that the loop logs meanwhile} */
    private static List<String> logged(Runnable action) {
        Logger logger = (Logger) LoggerFactory.getLogger(EngineLoop.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        try {
            action.run();
        } finally {
            logger.detachAppender(lines);
        }
        return lines.list.stream()
                .map(line -> line.getKeyValuePairs().stream()
                        .map(pair -> pair.key + "=" + pair.value)
                        .collect(Collectors.joining(" ")))
                .toList();
    }

    @Test
    void aThreadThatDiesBetweenTwoStepsIsReported() {
        InstantSource broken = () -> {
            if (Thread.currentThread().getName().equals("engine")) {
                throw new AssertionError("planted");
            }
            return Instant.EPOCH;
        };
        EngineLoop loop = loop((_, _) -> List.of(), () -> {}, broken, idle(), PATIENT);
        assertThat(loop.state()).isEqualTo(new LoopState(Duration.ZERO, 0, false));

        loop.start();

        eventually().until(() -> loop.state().ended());
        assertThat(deaths).containsExactly("engine: java.lang.AssertionError: planted");
        assertThat(bugs).isEmpty();
        loop.close();
    }

    @Test
    void theEngineBelongsToTheLoopsThreadAndAtLastToTheThreadThatClosesTheLoop() throws InterruptedException {
        Engine engine = new Engine(OperatorConfig.defaults().engineSettings());
        EngineLoop loop = loop(engine::step, engine::handOver, InstantSource.system(), idle(), PATIENT);
        loop.start();
        untilStepped();

        assertThatThrownBy(engine::views)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("the engine belongs to the thread 'engine' and was used by ");
        loop.close();

        assertThat(engine.views()).containsOnlyKeys(View.values());
        assertThat(stepped).containsExactly(new Event.Ending());
        assertThat(bugs).isEmpty();
    }

    @Test
    void aLoopThatWasNotStartedIsClosedByAnotherThreadThanTheOneThatMadeTheEngine() throws InterruptedException {
        Engine engine = new Engine(OperatorConfig.defaults().engineSettings());
        assertThat(engine.views()).containsOnlyKeys(View.values());
        EngineLoop loop = loop(engine::step, engine::handOver, InstantSource.system(), idle(), PATIENT);

        Thread.ofPlatform().start(loop::close).join();

        assertThat(stepped).containsExactly(new Event.Ending());
        assertThat(bugs).isEmpty();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts this thread", e);
        }
    }

    private static void untilInterrupted() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException _) {
            // The loop is closing.
        }
    }

    private static BiFunction<Event, Instant, List<Effect>> at(Event when, Effect effect) {
        return (event, _) -> event.equals(when) ? List.of(effect) : List.of();
    }

    @Test
    void aStepThatThrowsIsReportedOnceAndNothingIsSteppedAfterIt() throws InterruptedException {
        EngineLoop loop = loop(
                (_, _) -> {
                    throw new IllegalStateException("a bug");
                },
                idle());
        try (loop) {
            loop.start();
            queue.offer(new Event.LeadershipGained());
            queue.offer(new Event.TimePassed());

            assertThat(bugs.poll(10, TimeUnit.SECONDS)).isEqualTo(new Event.LeadershipGained());
        }
        assertThat(stepped).containsExactly(new Event.LeadershipGained());
        assertThat(bugs).isEmpty();
    }

    @Test
    void aViewIsSyncedOnlyBetweenSyncedAndLostAsTheEngineHasTakenThem() throws InterruptedException {
        Engine engine = new Engine(OperatorConfig.defaults().engineSettings());
        ObservedEngine observed = new ObservedEngine(engine::step, engine::activity, engine::views);
        EngineLoop loop = loop(observed, engine::handOver, InstantSource.system(), idle(), PATIENT);
        try (loop) {
            for (View view : View.values()) {
                queue.offer(new Event.ViewSynced(view));
            }
            assertThat(observed.views().allSynced())
                    .as("before the engine has taken them")
                    .isFalse();
            assertThat(observed.views().missing().getFirst()).isEqualTo("pods: not synced yet");
            loop.start();
            untilStepped();
            assertThat(observed.views().allSynced()).isTrue();
            assertThat(observed.views().missing()).isEmpty();

            queue.offer(new Event.ViewLost(View.PODS, "the watch was cut", Instant.EPOCH));
            untilStepped();

            assertThat(observed.views().allSynced()).isFalse();
            assertThat(observed.views().isSynced(View.PODS)).isFalse();
            assertThat(observed.views().isSynced(View.NODES)).isTrue();
            assertThat(observed.views().missing()).containsExactly("pods: the watch was cut");
        }
    }

    /** Waits until the engine has handled all events offered so far, by offering one more event. */
    private void untilStepped() throws InterruptedException {
        queue.offer(new Event.LeadershipLost("a mark", Instant.EPOCH));
        for (Event event = next(); !(event instanceof Event.LeadershipLost); event = next()) {
            // An event that was offered before.
        }
    }
}
