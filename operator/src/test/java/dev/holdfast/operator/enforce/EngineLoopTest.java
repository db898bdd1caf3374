package dev.holdfast.operator.enforce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.Effect;
import dev.holdfast.policies.engine.Event;
import dev.holdfast.policies.engine.View;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.plan.EvictionAnswer;
import dev.holdfast.policies.plan.EvictionRequest;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Events in, effects out, and nothing is ever lost in between. */
@Timeout(30)
class EngineLoopTest {
    private static final NamespacedName POD = new NamespacedName("shop", "web-1");
    private static final EvictionRequest REQUEST = new EvictionRequest(
            "plan-1",
            POD,
            "uid",
            7,
            PolicyId.cluster("audit"),
            "ssd",
            new Rule.NodeAffinity(Labels.none(), Optional.empty()).identity(),
            "cause",
            Instant.EPOCH);
    private static final Effect.Confirm CONFIRM = new Effect.Confirm("plan-1", POD, "n1", List.of());

    private final BlockingQueue<Event> stepped = new LinkedBlockingQueue<>();
    private final BlockingQueue<Event> bugs = new LinkedBlockingQueue<>();

    private EngineLoop loop(BiFunction<Event, Instant, List<Effect>> step, Hands hands) {
        return new EngineLoop(
                (event, now) -> {
                    stepped.add(event);
                    return step.apply(event, now);
                },
                InstantSource.system(),
                hands,
                (event, _) -> bugs.add(event));
    }

    private static Hands hands(
            Function<Effect.Confirm, Event> confirm, Function<EvictionRequest, EvictionAnswer> evict) {
        return new Hands(confirm, evict, _ -> {}, _ -> {});
    }

    private static Hands idle() {
        return hands(
                asked -> new Event.ConfirmFailed(asked.planId(), Reason.API_ERROR, "idle"),
                _ -> new EvictionAnswer.Gone());
    }

    private Event next() throws InterruptedException {
        return Optional.ofNullable(stepped.poll(10, TimeUnit.SECONDS)).orElseThrow();
    }

    @Test
    void events_are_stepped_in_the_order_they_were_offered_even_before_the_start() throws InterruptedException {
        try (EngineLoop loop = loop((_, _) -> List.of(), idle())) {
            loop.offer(new Event.LeadershipGained());
            loop.offer(new Event.ViewSynced(View.PODS));
            loop.start();

            assertThat(List.of(next(), next()))
                    .isEqualTo(List.of(new Event.LeadershipGained(), new Event.ViewSynced(View.PODS)));
        }
    }

    @Test
    void a_wake_up_comes_as_time_passed() throws InterruptedException {
        BiFunction<Event, Instant, List<Effect>> once = (event, now) ->
                event instanceof Event.LeadershipGained ? List.of(new Effect.WakeAt(now.plusMillis(20))) : List.of();
        try (EngineLoop loop = loop(once, idle())) {
            loop.start();
            loop.offer(new Event.LeadershipGained());

            assertThat(List.of(next(), next()))
                    .isEqualTo(List.of(new Event.LeadershipGained(), new Event.TimePassed()));
        }
    }

    @Test
    void an_eviction_is_answered_by_an_event() throws InterruptedException {
        BiFunction<Event, Instant, List<Effect>> evict =
                (event, _) -> event instanceof Event.LeadershipGained ? List.of(new Effect.Evict(REQUEST)) : List.of();
        try (EngineLoop loop = loop(evict, hands(idle().confirm(), _ -> new EvictionAnswer.Evicted()))) {
            loop.start();
            loop.offer(new Event.LeadershipGained());

            next();
            assertThat(next()).isEqualTo(new Event.Answered("plan-1", new EvictionAnswer.Evicted()));
        }
    }

    @Test
    void an_evictor_that_throws_leaves_the_outcome_unknown_and_a_reader_that_throws_a_failed_read()
            throws InterruptedException {
        BiFunction<Event, Instant, List<Effect>> both = (event, _) -> switch (event) {
            case Event.LeadershipGained _ -> List.of(new Effect.Evict(REQUEST));
            case Event.Answered _ -> List.of(CONFIRM);
            default -> List.of();
        };
        Hands broken = hands(
                _ -> {
                    throw new IllegalStateException("broken reader");
                },
                _ -> {
                    throw new IllegalStateException("broken evictor");
                });
        try (EngineLoop loop = loop(both, broken)) {
            loop.start();
            loop.offer(new Event.LeadershipGained());

            next();
            assertThat(next())
                    .isEqualTo(new Event.Answered(
                            "plan-1",
                            new EvictionAnswer.Unknown(
                                    "asking to evict pod shop/web-1 failed: java.lang.IllegalStateException:"
                                            + " broken evictor")));
            assertThat(next())
                    .isEqualTo(new Event.ConfirmFailed(
                            "plan-1",
                            Reason.API_ERROR,
                            "reading pod shop/web-1 failed: java.lang.IllegalStateException: broken reader"));
        }
    }

    @Test
    void a_step_that_throws_is_reported_once_and_nothing_is_stepped_after_it() throws InterruptedException {
        EngineLoop loop = loop(
                (_, _) -> {
                    throw new IllegalStateException("a bug");
                },
                idle());
        try (loop) {
            loop.start();
            loop.offer(new Event.LeadershipGained());
            loop.offer(new Event.TimePassed());

            assertThat(bugs.poll(10, TimeUnit.SECONDS)).isEqualTo(new Event.LeadershipGained());
        }
        assertThat(stepped).containsExactly(new Event.LeadershipGained());
        assertThat(bugs).isEmpty();
    }

    @Test
    void a_view_is_synced_only_between_synced_and_lost() {
        try (EngineLoop loop = loop((_, _) -> List.of(), idle())) {
            for (View view : View.values()) {
                loop.offer(new Event.ViewSynced(view));
            }
            assertThat(loop.state().allSynced()).isTrue();

            loop.offer(new Event.ViewLost(View.PODS, "the watch was cut"));

            assertThat(loop.state().allSynced()).isFalse();
            assertThat(loop.state().views().get(View.PODS))
                    .extracting(LoopState.ViewState::why)
                    .isEqualTo("the watch was cut");
        }
    }
}
