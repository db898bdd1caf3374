package dev.holdfast.operator.feed;

import java.time.Duration;

/**
 * State machine of one watched kind, which decides whether the operator's view of that kind is complete. The state
 * machine has no thread and no clock. Each signal leads to the next state and to a decision about the view.
 *
 * <p>A watch may be silent because nothing has changed, or because a proxy holds its events back. A list distinguishes
 * the two: if the list shows a change, the watch has missed that change.
 */
enum FeedTrust {
    /**
     * The feed lists all objects, or has listed them and opens a watch from the version of that list. The view is
     * incomplete until the watch is open. If the list only checked a silent watch, a complete view stays complete.
     */
    LISTING,

    /** The view is complete, and an open watch reports changes. */
    FOLLOWING,

    /**
     * The watch was silent, so a list checks whether it missed changes. The view still counts as complete: so far the
     * list has shown no change.
     */
    CHECKING,

    /** As in {@link #CHECKING}, a list checks a silent watch, but the view was lost before this check began. */
    RECHECKING,

    /** The view is lost, because the list that checks the watch takes too long. The list has shown no change yet. */
    DOUBTED,

    /**
     * The view is lost until a watch has sent something, or until a check whose list shows no change.
     */
    DISTRUSTED;

    /**
     * How long a watch may be silent before a list checks it. Bookmarks come about once a minute, if etcd reports its
     * progress.
     */
    static final Duration LONGEST_SILENCE = Duration.ofSeconds(90);

    /**
     * How long the feed may go without confirmation that the view is current, before the view is lost: the longest
     * silence plus 45 s for the list that checks the watch.
     */
    static final Duration LONGEST_DOUBT = LONGEST_SILENCE.plusSeconds(45);

    static final String MUTE = "the watch was silent for " + LONGEST_SILENCE.toSeconds()
            + " s although objects had changed: does a proxy buffer answers until they end?";

    static final String UNPROVED = "the view could not be confirmed as current for " + LONGEST_DOUBT.toSeconds()
            + " s: the API server, or a proxy in front of it, answers too slowly";

    /** An event in the feed. */
    sealed interface Signal {
        /** A list or a watch reports that an object has changed. */
        record ChangeReported() implements Signal {}

        /** A watch is open that starts at the last version that the feed has received. */
        record WatchOpened() implements Signal {}

        /** A watch has sent a change or a bookmark, and the feed has processed it. */
        record WatchSpoke() implements Signal {}

        /**
         * A list is complete.
         *
         * @param unconfirmed the time since the view was last known to be current
         */
        record ListEnded(Duration unconfirmed) implements Signal {}

        /** A check begins: the feed lists all objects because the watch was silent. */
        record CheckStarted() implements Signal {}

        /** The list that checks a silent watch failed or was cut off. */
        record CheckBroke() implements Signal {}

        /**
         * The list that checks a silent watch is complete.
         *
         * @param unconfirmed the time since the view was last known to be current
         */
        record CheckEnded(Duration unconfirmed) implements Signal {}

        /**
         * Some time has passed.
         *
         * @param unconfirmed the time since the view was last known to be current
         */
        record TimePassed(Duration unconfirmed) implements Signal {}

        /** A list or a watch has failed, and the feed relists. */
        record Failed(String why) implements Signal {}

        /** The thread of the feed has ended with an exception. */
        record Died(String why) implements Signal {}
    }

    /** The report about the view after a signal. */
    sealed interface Decision {
        /** There is nothing to report. */
        record Unchanged() implements Decision {}

        /** The view is complete. */
        record Synced() implements Decision {}

        /** The view may miss changes from now on. */
        record Lost(String why) implements Decision {}
    }

    /** The result of a signal: the next state, and what to report about the view. */
    record Step(FeedTrust next, Decision decision) {}

    /** {@return the next state and the decision for a signal in this state} */
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

    /**
     * {@return the state after a check whose list failed} Such a list proves nothing about the watch: a complete view
     * stays complete, and a lost one stays lost.
     */
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
