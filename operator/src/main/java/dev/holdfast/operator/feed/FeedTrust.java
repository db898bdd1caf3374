package dev.holdfast.operator.feed;

import java.time.Duration;

/**
 * How far the feed of one kind can be trusted: a state machine without thread or clock. Signals go in, and each one gives
 * the next state and a decision about the view.
 *
 * <p>A watch that stays silent has nothing to report, or something on the way holds its events back. A list tells the two
 * apart: one that reports a change proves that the watch kept it back.
 */
enum FeedTrust {
    /** Not complete yet: the view needs a whole list, and an open watch that goes on from it. */
    LISTING,

    /** Complete, and an open watch reports what changes. */
    FOLLOWING,

    /** Complete so far. A watch was silent, and the list that checks it has reported no change yet. */
    CHECKING,

    /** The same check of a feed that is distrusted already. */
    RECHECKING,

    /** Lost, since a check has taken too long. Its list has reported no change yet. */
    DOUBTED,

    /** Lost. A watch must report something, or a list must report no change, before the view can be complete again. */
    DISTRUSTED;

    /** How long a watch may be silent. Bookmarks come about once a minute, if etcd reports its progress. */
    static final Duration LONGEST_SILENCE = Duration.ofSeconds(90);

    /** How long it may be unknown whether anything has changed: a silence, and a list that shows what it means. */
    static final Duration LONGEST_DOUBT = LONGEST_SILENCE.plusSeconds(45);

    static final String MUTE = "the watch was silent for " + LONGEST_SILENCE.toSeconds()
            + " s though something had changed: does a proxy hold answers back until they end?";

    static final String UNPROVED = "whether anything has changed is unknown for " + LONGEST_DOUBT.toSeconds()
            + " s: the API server, or what is on the way to it, answers too slowly";

    /** What happened to the feed. Each {@code unproved} is the time since the view was last known to be up to date. */
    sealed interface Signal {
        /** A list or a watch reports that an object has changed. */
        record ChangeReported() implements Signal {}

        /** A watch is open that goes on from the last list. */
        record WatchOpened() implements Signal {}

        /** A watch has sent a change or a bookmark, and it has been taken in. */
        record WatchSpoke() implements Signal {}

        /** A list has reported everything. */
        record ListEnded(Duration unproved) implements Signal {}

        /** A list begins because a watch was silent. */
        record CheckStarted() implements Signal {}

        /** The list of a check failed, or was cut. */
        record CheckBroke() implements Signal {}

        /** The list of a check has reported everything. */
        record CheckEnded(Duration unproved) implements Signal {}

        /** Some time has passed. */
        record TimePassed(Duration unproved) implements Signal {}

        /** The feed cannot go on, and lists everything again. */
        record Failed(String why) implements Signal {}

        /** The feed ends for good. */
        record Died(String why) implements Signal {}
    }

    /** What a signal means for the view. */
    sealed interface Decision {
        /** The view stays as it is. */
        record Unchanged() implements Decision {}

        /** The view is complete. */
        record Synced() implements Decision {}

        /** Changes of the view may be missed from now on. */
        record Lost(String why) implements Decision {}
    }

    /** The state after a signal, and what the signal means for the view. */
    record Step(FeedTrust next, Decision decision) {}

    /** {@return what follows from a signal in this state} */
    Step on(Signal signal) {
        return switch (signal) {
            case Signal.ChangeReported() -> changeReported();
            case Signal.WatchOpened() -> this == LISTING ? synced() : to(this);
            case Signal.WatchSpoke() -> isDistrusted() ? synced() : to(this);
            case Signal.ListEnded(Duration unproved) -> to(isTooLong(unproved) ? DISTRUSTED : this);
            case Signal.CheckStarted() -> to(isDistrusted() || this == RECHECKING ? RECHECKING : CHECKING);
            case Signal.CheckBroke() -> to(checkBroke());
            case Signal.CheckEnded(Duration unproved) ->
                to(this == DISTRUSTED || isTooLong(unproved) ? DISTRUSTED : LISTING);
            case Signal.TimePassed(Duration unproved) -> isTooLong(unproved) ? doubted() : to(this);
            case Signal.Failed(String why) -> lost(isDistrusted() ? DISTRUSTED : LISTING, why);
            case Signal.Died(String why) -> lost(this, why);
        };
    }

    private boolean isDistrusted() {
        return this == DOUBTED || this == DISTRUSTED;
    }

    private static boolean isTooLong(Duration unproved) {
        return unproved.compareTo(LONGEST_DOUBT) >= 0;
    }

    private Step changeReported() {
        return switch (this) {
            case LISTING, FOLLOWING, DISTRUSTED -> to(this);
            case CHECKING, RECHECKING -> lost(DISTRUSTED, MUTE);
            case DOUBTED -> to(DISTRUSTED);
        };
    }

    /** A check that broke proves nothing, neither for the watch nor against it. */
    private FeedTrust checkBroke() {
        return switch (this) {
            case LISTING, FOLLOWING, DISTRUSTED -> this;
            case CHECKING -> FOLLOWING;
            case RECHECKING, DOUBTED -> DISTRUSTED;
        };
    }

    private Step doubted() {
        return switch (this) {
            case LISTING, DOUBTED, DISTRUSTED -> to(this);
            case FOLLOWING -> lost(DISTRUSTED, UNPROVED);
            case CHECKING, RECHECKING -> lost(DOUBTED, UNPROVED);
        };
    }

    private static Step to(FeedTrust next) {
        return new Step(next, new Decision.Unchanged());
    }

    private static Step synced() {
        return new Step(FOLLOWING, new Decision.Synced());
    }

    private static Step lost(FeedTrust next, String why) {
        return new Step(next, new Decision.Lost(why));
    }
}
