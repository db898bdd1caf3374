package dev.holdfast.operator.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.plan.move.EvictionRequest;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When the right to evict is checked, and how the answer changes the mode ceiling. */
@Timeout(30)
class ModeCeilingTest {
    private static final Event UNKNOWN = new Event.ModeCapped(Mode.AUDIT, "the right to evict is not known yet", false);
    private static final Optional<String> GRANTED = Optional.empty();
    private static final Optional<String> REFUSED = Optional.of("the right to create pods/eviction is missing");
    private static final Event MISSING =
            new Event.ModeCapped(Mode.AUDIT, "the right to create pods/eviction is missing");
    private static final Event HELD = new Event.ModeCapped(Mode.ENFORCE, "maxMode is Enforce");

    private static final EvictionRequest REQUEST = new EvictionRequest(
            "plan-1",
            new NamespacedName("shop", "web-1"),
            "uid",
            OptionalLong.of(7),
            PolicyId.cluster("audit"),
            "ssd",
            new Rule.NodeAffinity(Labels.none(), Optional.empty()).identity(),
            "cause",
            Instant.EPOCH);

    private static final Duration AT_ONCE = Duration.ofMillis(1);
    private static final Duration NEVER = Duration.ofDays(1);

    private final BlockingQueue<Event> told = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> asked = new LinkedBlockingQueue<>();
    private final BlockingQueue<Throwable> deaths = new LinkedBlockingQueue<>();
    private volatile Optional<Error> failure = Optional.empty();
    /** The answer of the API server to the check; empty if it does not answer. */
    private volatile Optional<Optional<String>> answer = Optional.of(GRANTED);

    private ModeCeiling start(Mode configured, Duration askAgain) {
        ModeCeiling ceiling =
                new ModeCeiling(this::refusal, configured, told::add, askAgain, (_, death) -> deaths.add(death));
        ceiling.start();
        return ceiling;
    }

    private Optional<String> refusal() {
        asked.add("asked");
        failure.ifPresent(it -> {
            throw it;
        });
        return answer.orElseThrow(() -> new IllegalStateException("no answer"));
    }

    private Event nextTold() throws InterruptedException {
        return Optional.ofNullable(told.poll(10, TimeUnit.SECONDS)).orElseThrow();
    }

    private void isAsked() throws InterruptedException {
        assertThat(asked.poll(10, TimeUnit.SECONDS)).as("asked for the right").isNotNull();
    }

    /** Waits for the next check of the right, and returns null if 100 check intervals pass without one. */
    private @Nullable String askedOnceMore() throws InterruptedException {
        return asked.poll(100 * AT_ONCE.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Also checks that the answer passes through unchanged. */
    private static void evict(ModeCeiling ceiling, EvictionAnswer answer) {
        assertThat(ceiling.checkedByAnswers(_ -> answer).apply(REQUEST)).isSameAs(answer);
    }

    /** Also checks that the answer passes through unchanged. */
    private static void read(ModeCeiling ceiling, Event answer) {
        Effect.Confirm confirm = new Effect.Confirm("plan-1", REQUEST.pod(), "n1", List.of());
        assertThat(ceiling.checkedByReads(_ -> answer).apply(confirm)).isSameAs(answer);
    }

    @Test
    void aRightThatIsHeldLiftsTheCeilingAndIsNotAskedForAgain() throws InterruptedException {
        try (ModeCeiling _ = start(Mode.ENFORCE, AT_ONCE)) {
            assertThat(nextTold()).isEqualTo(UNKNOWN);
            assertThat(nextTold()).isEqualTo(HELD);
            isAsked();

            assertThat(askedOnceMore()).isNull();
        }
    }

    @Test
    void anErrorThatEndsTheAskingIsTold() throws InterruptedException {
        failure = Optional.of(new StackOverflowError("too deep"));
        try (ModeCeiling _ = start(Mode.ENFORCE, AT_ONCE)) {
            assertThat(deaths.poll(10, TimeUnit.SECONDS)).hasMessage("too deep");
        }
    }

    @Test
    void aRightThatIsMissingIsAskedForUntilItIsGrantedAndReportedOnce() throws InterruptedException {
        answer = Optional.of(REFUSED);
        try (ModeCeiling _ = start(Mode.ENFORCE, AT_ONCE)) {
            assertThat(nextTold()).isEqualTo(UNKNOWN);
            assertThat(nextTold()).isEqualTo(MISSING);
            isAsked();
            isAsked();
            isAsked();

            answer = Optional.of(GRANTED);

            assertThat(nextTold()).isEqualTo(HELD);
            asked.clear();
            assertThat(askedOnceMore()).isNull();
            assertThat(told).isEmpty();
        }
    }

    @Test
    void anEvictionAnsweredForbiddenMakesItAskAndCap() throws InterruptedException {
        try (ModeCeiling ceiling = start(Mode.ENFORCE, NEVER)) {
            assertThat(nextTold()).isEqualTo(UNKNOWN);
            assertThat(nextTold()).isEqualTo(HELD);
            isAsked();
            answer = Optional.of(REFUSED);

            evict(ceiling, new EvictionAnswer.Forbidden("pods \"web-1\" is forbidden"));

            assertThat(nextTold()).isEqualTo(MISSING);
            isAsked();
        }
    }

    @Test
    void aReadThatIsForbiddenMakesItAskAndNoOtherDoes() throws InterruptedException {
        try (ModeCeiling ceiling = start(Mode.ENFORCE, NEVER)) {
            isAsked();

            read(ceiling, new Event.Confirmed("plan-1", Optional.empty(), Optional.empty(), List.of()));
            read(ceiling, new Event.ConfirmFailed("plan-1", Reason.API_ERROR, "no answer"));
            assertThat(askedOnceMore()).isNull();

            read(ceiling, new Event.ConfirmFailed("plan-1", Reason.FORBIDDEN, "pods is forbidden"));
            isAsked();
        }
    }

    @Test
    void noOtherAnswerToAnEvictionMakesItAsk() throws InterruptedException {
        try (ModeCeiling ceiling = start(Mode.ENFORCE, NEVER)) {
            isAsked();

            evict(ceiling, new EvictionAnswer.Evicted());
            evict(ceiling, new EvictionAnswer.RefusedByAdmission("not on Fridays"));
            evict(ceiling, new EvictionAnswer.NamespaceTerminating());

            assertThat(askedOnceMore()).isNull();
        }
    }

    @Test
    void aDoubtMakesItAskAndTheSameAnswerIsNotToldAgain() throws InterruptedException {
        try (ModeCeiling ceiling = start(Mode.ENFORCE, NEVER)) {
            assertThat(nextTold()).isEqualTo(UNKNOWN);
            assertThat(nextTold()).isEqualTo(HELD);
            isAsked();

            ceiling.recheck();

            isAsked();
            assertThat(askedOnceMore()).isNull();
            assertThat(told).isEmpty();
        }
    }

    @Test
    void anotherReasonForTheSameCeilingIsTold() throws InterruptedException {
        answer = Optional.of(REFUSED);
        try (ModeCeiling ceiling = start(Mode.ENFORCE, NEVER)) {
            assertThat(nextTold()).isEqualTo(UNKNOWN);
            assertThat(nextTold()).isEqualTo(MISSING);
            answer = Optional.of(Optional.of("another lease is announced"));

            ceiling.recheck();

            assertThat(nextTold()).isEqualTo(new Event.ModeCapped(Mode.AUDIT, "another lease is announced"));
        }
    }

    @Test
    void theSecondCheckIsMadeUnlessTheFirstRefuses() {
        ModeCeiling.EvictionCheck second = () -> {
            asked.add("second");
            return Optional.of("second");
        };

        assertThat(((ModeCeiling.EvictionCheck) () -> Optional.of("first"))
                        .and(second)
                        .refusal())
                .contains("first");
        assertThat(asked).isEmpty();
        assertThat(((ModeCeiling.EvictionCheck) Optional::empty).and(second).refusal())
                .contains("second");
    }

    @Test
    void noAnswerLeavesTheCeilingAndIsAskedForAgain() throws InterruptedException {
        answer = Optional.empty();
        try (ModeCeiling _ = start(Mode.ENFORCE, AT_ONCE)) {
            assertThat(nextTold()).isEqualTo(UNKNOWN);
            isAsked();
            isAsked();
            assertThat(told).isEmpty();

            answer = Optional.of(GRANTED);

            assertThat(nextTold()).isEqualTo(HELD);
        }
    }

    @Test
    void whereNothingMayBeEnforcedTheRightIsNeverAskedFor() throws InterruptedException {
        try (ModeCeiling _ = start(Mode.AUDIT, AT_ONCE)) {
            assertThat(nextTold()).isEqualTo(new Event.ModeCapped(Mode.AUDIT, "maxMode is Audit"));

            assertThat(askedOnceMore()).isNull();
            assertThat(told).isEmpty();
        }
    }
}
