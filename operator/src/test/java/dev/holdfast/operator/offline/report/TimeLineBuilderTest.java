package dev.holdfast.operator.offline.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.offline.report.TimeLine.Lane;
import dev.holdfast.operator.offline.report.TimeLine.Moment;
import dev.holdfast.operator.offline.simulate.Displaced;
import dev.holdfast.operator.offline.simulate.Happening;
import dev.holdfast.operator.publish.Samples;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.Notification.End;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Outcome;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.RuleIdentity;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The lane of a pod that violates the rules A and B, in 1,000 s. Times are seconds. */
class TimeLineBuilderTest {
    private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");

    private static Instant at(long seconds) {
        return START.plusSeconds(seconds);
    }

    /** {@return a violation of a rule by the pod web-1} */
    private static ViolationReport violation(String rule, Mode mode, long deadline) {
        ViolationReport sample = Samples.violation();
        return new ViolationReport(
                new ViolationKey("web-1-uid", "node-12", new RuleIdentity(rule)),
                sample.pod(),
                sample.controller(),
                sample.victim(),
                sample.policy(),
                rule,
                sample.demand(),
                mode,
                sample.cause(),
                sample.violationDetail(),
                START,
                sample.forgiveness(),
                at(deadline),
                sample.protection(),
                sample.state(),
                sample.hold());
    }

    private static ViolationReport enforced(String rule, long deadline) {
        return violation(rule, Mode.ENFORCE, deadline);
    }

    private static Happening begins(long at, ViolationReport violation) {
        return new Happening.Notified(at(at), new Notification.Started(violation));
    }

    private static Happening held(long at, ViolationReport violation) {
        return new Happening.Notified(
                at(at),
                new Notification.Held(violation, new Hold(Reason.NODE_LIMIT, "one at a time", Optional.empty())));
    }

    private static Happening wouldEvict(long at, ViolationReport violation) {
        return new Happening.Notified(at(at), new Notification.WouldEvict(violation, Optional.empty()));
    }

    private static Happening evicted(long at, ViolationReport violation) {
        return new Happening.Notified(at(at), new Notification.Answered(violation, "p1", new EvictionAnswer.Evicted()));
    }

    private static Happening ended(long at, ViolationReport violation, End how) {
        return new Happening.Notified(at(at), new Notification.Ended(violation, how));
    }

    private static Happening moved(long at, ViolationReport violation, Outcome outcome) {
        return new Happening.Notified(
                at(at), new Notification.Moved(violation, "p1", outcome, Optional.empty(), at(at)));
    }

    private static final ViolationReport A = enforced("a", 300);
    private static final ViolationReport B = enforced("b", 700);
    private static final ViolationReport LONG = enforced("b", 5_000);
    private static final ViolationReport AUDITED = violation("a", Mode.AUDIT, 300);

    private static final List<Happening> EVICTED =
            List.of(begins(0, A), held(300, A), evicted(310, A), ended(310, A, End.EVICTED));

    private static List<Happening> then(List<Happening> before, Happening... then) {
        return Stream.concat(before.stream(), Stream.of(then)).toList();
    }

    static Stream<Arguments> lanes() {
        return Stream.of(
                argumentSet(
                        "a violation that goes on becomes due",
                        List.of(begins(0, A)),
                        List.of("0 BEGINS", "300 DUE"),
                        "300 DUE"),
                argumentSet(
                        "a violation that is not due at the end is violated",
                        List.of(begins(0, LONG)),
                        List.of("0 BEGINS"),
                        "0 BEGINS"),
                argumentSet(
                        "one of two violations heals: the other one goes on",
                        List.of(begins(0, LONG), begins(0, A), ended(200, A, End.HEALED)),
                        List.of("0 BEGINS", "0 BEGINS", "200 ENDS, stands BEGINS"),
                        "0 BEGINS"),
                argumentSet(
                        "a due pod begins a second violation: it is still due",
                        List.of(begins(0, A), held(300, A), begins(400, B), held(700, B), ended(800, B, End.HEALED)),
                        List.of(
                                "0 BEGINS",
                                "300 DUE",
                                "300 HELD",
                                "400 BEGINS, stands HELD",
                                "700 DUE, stands HELD",
                                "700 HELD",
                                "800 ENDS, stands HELD"),
                        "300 HELD"),
                argumentSet(
                        "a violation ends and begins again at one instant: it goes on",
                        List.of(begins(0, LONG), ended(400, LONG, End.NOT_REQUESTED), begins(400, LONG)),
                        List.of("0 BEGINS", "400 ENDS", "400 BEGINS"),
                        "400 BEGINS"),
                argumentSet(
                        "a violation begins and ends at one instant: it is over",
                        List.of(begins(0, A), ended(0, A, End.HEALED)),
                        List.of("0 BEGINS", "0 ENDS"),
                        "0 ENDS"),
                argumentSet(
                        "an evicted pod moves, whatever else it violates",
                        then(EVICTED, ended(310, B, End.EVICTED)),
                        List.of("0 BEGINS", "300 DUE", "300 HELD", "310 EVICTED"),
                        "310 EVICTED"),
                argumentSet(
                        "the pod has moved",
                        then(EVICTED, moved(340, A, Outcome.MOVED)),
                        List.of("0 BEGINS", "300 DUE", "300 HELD", "310 EVICTED", "340 MOVED"),
                        "340 MOVED"),
                argumentSet(
                        "the new pod breaks the same rules",
                        then(EVICTED, moved(340, A, Outcome.BROKEN_AGAIN)),
                        List.of("0 BEGINS", "300 DUE", "300 HELD", "310 EVICTED", "340 FUTILE"),
                        "340 FUTILE"),
                argumentSet(
                        "the new pod is not Ready in time",
                        then(EVICTED, moved(910, A, Outcome.NOT_READY)),
                        List.of("0 BEGINS", "300 DUE", "300 HELD", "310 EVICTED", "910 FUTILE"),
                        "910 FUTILE"),
                argumentSet(
                        "no pod takes the place of the evicted one",
                        then(EVICTED, moved(340, A, Outcome.GONE)),
                        List.of("0 BEGINS", "300 DUE", "300 HELD", "310 EVICTED", "340 GONE"),
                        "340 GONE"),
                argumentSet(
                        "an edit makes the forgiveness longer: the violation is due when it is held",
                        List.of(begins(0, A), held(600, enforced("a", 600))),
                        List.of("0 BEGINS", "600 DUE", "600 HELD"),
                        "600 HELD"),
                argumentSet(
                        "the deadline of a hold is later: the violation is due when it is held",
                        List.of(begins(0, A), held(300, enforced("a", 600))),
                        List.of("0 BEGINS", "300 DUE", "300 HELD"),
                        "300 HELD"),
                argumentSet(
                        "an edit makes the forgiveness shorter: the violation was due before other things happened",
                        List.of(begins(0, LONG), begins(200, A), held(350, enforced("b", 100))),
                        List.of("0 BEGINS", "100 DUE", "200 BEGINS, stands DUE", "300 DUE", "350 HELD"),
                        "350 HELD"),
                argumentSet(
                        "an edit makes the forgiveness longer: the violation ends before it is due",
                        List.of(begins(0, A), ended(400, enforced("a", 600), End.HEALED)),
                        List.of("0 BEGINS", "400 ENDS"),
                        "400 ENDS"),
                argumentSet(
                        "a violation that was due before it was seen is due when it begins",
                        List.of(begins(200, enforced("a", 100))),
                        List.of("200 BEGINS", "200 DUE"),
                        "200 DUE"),
                argumentSet(
                        "a violation ends when it is due",
                        List.of(begins(0, A), ended(300, A, End.HEALED)),
                        List.of("0 BEGINS", "300 DUE", "300 ENDS"),
                        "300 ENDS"),
                argumentSet(
                        "a violation in Audit is never due",
                        List.of(begins(0, AUDITED)),
                        List.of("0 BEGINS"),
                        "0 BEGINS"),
                argumentSet(
                        "a policy in Audit would let the pod go",
                        List.of(begins(0, AUDITED), wouldEvict(300, AUDITED)),
                        List.of("0 BEGINS", "300 WOULD_EVICT"),
                        "300 WOULD_EVICT"));
    }

    private static Lane lane(List<Happening> happenings, List<Displaced> displaced) {
        return new TimeLineBuilder(START, 9)
                .timeLine(Duration.ofSeconds(1_000), happenings, displaced, _ -> Optional.empty())
                .lanes()
                .getFirst();
    }

    @Test
    void ofVeryManyMomentsTheFirstAndTheLastAreKept() {
        List<Happening> happenings =
                IntStream.range(1, 22).mapToObj(second -> held(second, A)).toList();

        Lane lane = lane(happenings, List.of());

        assertThat(lane.moments())
                .extracting(Moment::seconds)
                .containsExactly(
                        1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 12L, 13L, 14L, 15L, 16L, 17L, 18L, 19L, 20L, 21L);
        assertThat(lane.leftOut()).isEqualTo(1);
        assertThat(lane(happenings.subList(0, 20), List.of()).leftOut()).isZero();
    }

    @Test
    void ofVeryManyPodsThoseThatLeaveAreKept() {
        List<Displaced> displaced = Stream.of("web-3", "web-2")
                .map(pod -> new Displaced(at(200), Samples.pod(pod), Optional.empty()))
                .toList();

        TimeLine timeLine = new TimeLineBuilder(START, 2)
                .timeLine(Duration.ofSeconds(1_000), List.of(begins(0, A)), displaced, _ -> Optional.empty());

        assertThat(timeLine.lanes()).extracting(Lane::pod).containsExactly("web-2", "web-3");
        assertThat(timeLine.others()).isEqualTo(1);
    }

    private static String line(Moment moment) {
        return moment.seconds() + " " + moment.kind()
                + (moment.stands() == moment.kind() ? "" : ", stands " + moment.stands());
    }

    @ParameterizedTest
    @MethodSource("lanes")
    void aLaneSaysWhatHappensAndHowThePodStands(List<Happening> happenings, List<String> moments, String end) {
        Lane lane = lane(happenings, List.of());

        assertThat(lane.moments()).extracting(TimeLineBuilderTest::line).isEqualTo(moments);
        assertThat(line(lane.end())).isEqualTo(end);
    }

    static Stream<Arguments> removals() {
        return Stream.of(
                argumentSet("it violates nothing", List.of(), List.of("200 REMOVED")),
                argumentSet(
                        "its violation ends because of that",
                        List.of(begins(0, A), ended(200, A, End.POD_GONE)),
                        List.of("0 BEGINS", "200 REMOVED", "200 ENDS, stands REMOVED")),
                argumentSet(
                        "its violation ends later",
                        List.of(begins(200, A), ended(201, A, End.POD_GONE)),
                        List.of("200 BEGINS", "200 REMOVED", "201 ENDS, stands REMOVED")));
    }

    @ParameterizedTest
    @MethodSource("removals")
    void aPodThatAChangeRemovesIsRemovedAtTheEnd(List<Happening> happenings, List<String> moments) {
        Displaced displaced = new Displaced(at(200), Samples.pod("web-1"), Optional.empty());

        Lane lane = lane(happenings, List.of(displaced));

        assertThat(lane.moments()).extracting(TimeLineBuilderTest::line).isEqualTo(moments);
        assertThat(line(lane.end())).isEqualTo("200 REMOVED");
    }
}
