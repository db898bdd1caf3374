package dev.holdfast.operator.feed;

import static dev.holdfast.operator.feed.FeedTrust.CHECKING;
import static dev.holdfast.operator.feed.FeedTrust.DISTRUSTED;
import static dev.holdfast.operator.feed.FeedTrust.DOUBTED;
import static dev.holdfast.operator.feed.FeedTrust.FOLLOWING;
import static dev.holdfast.operator.feed.FeedTrust.LISTING;
import static dev.holdfast.operator.feed.FeedTrust.RECHECKING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.feed.FeedTrust.Decision;
import dev.holdfast.operator.feed.FeedTrust.Signal;
import dev.holdfast.operator.feed.FeedTrust.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Transition table of {@link FeedTrust}: the next state and the decision for every state and signal. */
class FeedTrustTest {
    /** Just in time for a view: a silence of 90 s, then a list of almost 45 s. */
    private static final Duration IN_TIME = Duration.ofMillis(134_999);

    private static final Duration TOO_LATE = Duration.ofSeconds(135);

    private static final String MUTE = "the watch was silent for 90 s although objects had changed: does a proxy buffer"
            + " answers until they end?";
    private static final String UNPROVED = "the view could not be confirmed as current for 135 s: the API server,"
            + " or a proxy in front of it, answers too slowly";

    private static final Signal CHANGE = new Signal.ChangeReported();
    private static final Signal OPENED = new Signal.WatchOpened();
    private static final Signal SPOKE = new Signal.WatchSpoke();
    private static final Signal LISTED = new Signal.ListEnded(IN_TIME);
    private static final Signal LISTED_LATE = new Signal.ListEnded(TOO_LATE);
    private static final Signal CHECK_STARTED = new Signal.CheckStarted();
    private static final Signal CHECK_BROKE = new Signal.CheckBroke();
    private static final Signal CHECKED = new Signal.CheckEnded(IN_TIME);
    private static final Signal CHECKED_LATE = new Signal.CheckEnded(TOO_LATE);
    private static final Signal PASSED = new Signal.TimePassed(IN_TIME);
    private static final Signal PASSED_LATE = new Signal.TimePassed(TOO_LATE);
    private static final Signal FAILED = new Signal.Failed("503");
    private static final Signal DIED = new Signal.Died("a bug");

    private static final List<Signal> SIGNALS = List.of(
            CHANGE,
            OPENED,
            SPOKE,
            LISTED,
            LISTED_LATE,
            CHECK_STARTED,
            CHECK_BROKE,
            CHECKED,
            CHECKED_LATE,
            PASSED,
            PASSED_LATE,
            FAILED,
            DIED);

    private static final Decision UNCHANGED = new Decision.Unchanged();
    private static final Decision SYNCED = new Decision.Synced();

    /**
     * One row of the table: a signal in each of several states.
     *
     * @param states the states before the signal
     * @param next the next state; empty if no state changes
     */
    private record Row(String name, Set<FeedTrust> states, Signal signal, Optional<FeedTrust> next, Decision decision) {
        Stream<Arguments> cases() {
            return states.stream()
                    .map(state ->
                            argumentSet(state + ": " + name, state, signal, new Step(next.orElse(state), decision)));
        }
    }

    private static Row row(String name, Set<FeedTrust> states, Signal signal, FeedTrust next, Decision decision) {
        return new Row(name, states, signal, Optional.of(next), decision);
    }

    private static Row stays(String name, Set<FeedTrust> states, Signal signal) {
        return new Row(name, states, signal, Optional.empty(), UNCHANGED);
    }

    private static Set<FeedTrust> in(FeedTrust... states) {
        return Set.of(states);
    }

    private static Decision lost(String why) {
        return new Decision.Lost(why);
    }

    private static List<Row> rows() {
        return List.of(
                stays("a change is what a list or a watch is for", in(LISTING, FOLLOWING, DISTRUSTED), CHANGE),
                row(
                        "a change in a check proves that the watch missed it",
                        in(CHECKING, RECHECKING),
                        CHANGE,
                        DISTRUSTED,
                        lost(MUTE)),
                row(
                        "a change in a check proves it even while the view is lost",
                        in(DOUBTED),
                        CHANGE,
                        DISTRUSTED,
                        UNCHANGED),
                row("a watch that starts at a list completes the view", in(LISTING), OPENED, FOLLOWING, SYNCED),
                stays("a complete view has nothing to wait for", in(FOLLOWING, CHECKING), OPENED),
                stays("an open watch may be mute like the one before", in(RECHECKING, DOUBTED, DISTRUSTED), OPENED),
                row("an event of a watch ends the distrust", in(DOUBTED, DISTRUSTED), SPOKE, FOLLOWING, SYNCED),
                stays("a watch that speaks adds nothing to trust", in(LISTING, FOLLOWING), SPOKE),
                stays("a check decides, not the watch before it", in(CHECKING, RECHECKING), SPOKE),
                stays("a list in time changes no trust", all(), LISTED),
                row(
                        "after a list that took too long only a watch confirms the view",
                        all(),
                        LISTED_LATE,
                        DISTRUSTED,
                        UNCHANGED),
                row(
                        "a check of a trusted watch leaves the view complete",
                        in(LISTING, FOLLOWING, CHECKING),
                        CHECK_STARTED,
                        CHECKING,
                        UNCHANGED),
                row(
                        "a check of a distrusted watch remembers the distrust",
                        in(RECHECKING, DOUBTED, DISTRUSTED),
                        CHECK_STARTED,
                        RECHECKING,
                        UNCHANGED),
                row("a broken check proves nothing against a watch", in(CHECKING), CHECK_BROKE, FOLLOWING, UNCHANGED),
                row(
                        "a broken check proves nothing in favour of a watch",
                        in(RECHECKING, DOUBTED),
                        CHECK_BROKE,
                        DISTRUSTED,
                        UNCHANGED),
                stays("there is no check that could break", in(LISTING, FOLLOWING), CHECK_BROKE),
                stays("a check that breaks later has proved it already", in(DISTRUSTED), CHECK_BROKE),
                row(
                        "a check without a change proves that the watch missed none",
                        in(LISTING, FOLLOWING, CHECKING, RECHECKING, DOUBTED),
                        CHECKED,
                        LISTING,
                        UNCHANGED),
                stays("a check that has reported a change leaves only the watch", in(DISTRUSTED), CHECKED),
                row("a check that took too long proves nothing", all(), CHECKED_LATE, DISTRUSTED, UNCHANGED),
                stays("a short silence means nothing", all(), PASSED),
                row(
                        "a silence that is too long loses the view",
                        in(FOLLOWING),
                        PASSED_LATE,
                        DISTRUSTED,
                        lost(UNPROVED)),
                row(
                        "a check that takes too long loses the view",
                        in(CHECKING, RECHECKING),
                        PASSED_LATE,
                        DOUBTED,
                        lost(UNPROVED)),
                stays(
                        "a view that is not complete cannot be lost by time",
                        in(LISTING, DOUBTED, DISTRUSTED),
                        PASSED_LATE),
                row(
                        "a feed that fails relists",
                        in(LISTING, FOLLOWING, CHECKING, RECHECKING),
                        FAILED,
                        LISTING,
                        lost("503")),
                row(
                        "a feed that fails stays distrusted after its next list",
                        in(DOUBTED, DISTRUSTED),
                        FAILED,
                        DISTRUSTED,
                        lost("503")),
                new Row("a feed that dies loses its view", all(), DIED, Optional.empty(), lost("a bug")));
    }

    private static Set<FeedTrust> all() {
        return Set.of(FeedTrust.values());
    }

    static Stream<Arguments> cases() {
        return rows().stream().flatMap(Row::cases);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void aSignalGivesTheNextStateAndADecision(FeedTrust state, Signal signal, Step expected) {
        assertThat(state.on(signal)).isEqualTo(expected);
    }

    @Test
    void theTableHasEverySignalInEveryStateOnce() {
        List<String> covered = new ArrayList<>();
        rows().forEach(row -> row.states().forEach(state -> covered.add(state + " " + row.signal())));

        assertThat(covered)
                .containsExactlyInAnyOrderElementsOf(Stream.of(FeedTrust.values())
                        .flatMap(state -> SIGNALS.stream().map(signal -> state + " " + signal))
                        .toList());
        assertThat(Signal.class.getPermittedSubclasses())
                .allMatch(kind -> SIGNALS.stream().anyMatch(kind::isInstance));
    }
}
