package dev.holdfast.operator.feed;

import static dev.holdfast.operator.decode.Message.message;

import dev.holdfast.operator.decode.Message;
import dev.holdfast.operator.decode.RecordedBodies;
import dev.holdfast.operator.feed.FakeServerState.Change;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.LongConsumer;

/** One watch of a {@link FakeApiServer}, with injectable faults. */
final class FakeWatch {
    private final SimulatedTime time;
    private final WatchedKind watchedKind;
    private final long from;
    private final FakeResponse answer;
    private final LongConsumer tells;
    private Duration lag = Duration.ZERO;
    private boolean silent;

    /** @param tells receives the version of each delivered event */
    FakeWatch(SimulatedTime time, WatchedKind watchedKind, long from, FakeResponse answer, LongConsumer tells) {
        this.time = time;
        this.watchedKind = watchedKind;
        this.from = from;
        this.answer = answer;
        this.tells = tells;
    }

    WatchedKind watchedKind() {
        return watchedKind;
    }

    boolean over() {
        return answer.over();
    }

    void changed(Change change) {
        if (change.version() > from) {
            sends(change.object().frame(change.type()), change.version());
        }
    }

    void bookmark(long version) {
        if (version > from) {
            Message metadata = message().text(6, Long.toString(version));
            sends(
                    RecordedBodies.frame(
                            "BOOKMARK",
                            RecordedBodies.envelope(
                                    FakeObject.kind(watchedKind), message().part(1, metadata))),
                    version);
        }
    }

    private void sends(byte[] frame, long version) {
        if (lag.isZero()) {
            arrives(frame, version);
        } else {
            time.after(lag, () -> arrives(frame, version));
        }
    }

    private void arrives(byte[] frame, long version) {
        if (!silent && !over()) {
            answer.send(frame);
            tells.accept(version);
        }
    }

    /** Delays all further events by at least this time. The order of events is kept. */
    void lags(Duration later) {
        lag = later.compareTo(lag) > 0 ? later : lag;
    }

    /** Sends nothing more, and keeps the connection open. */
    void silences() {
        silent = true;
    }

    /** Ends the watch at its timeout. */
    void ends() {
        if (!silent) {
            answer.end();
        }
    }

    void breaks(String why) {
        answer.breaks(why);
    }

    /** Ends the watch with an ERROR event, although the response has status 200. */
    void fails(int code) {
        spoils(RecordedBodies.frame(
                "ERROR",
                RecordedBodies.envelope("Status", message().text(3, "why").number(6, code))));
    }

    /** Sends an invalid event; all further events are lost. */
    void spoils(byte[] bytes) {
        if (!silent) {
            answer.send(bytes);
            silent = true;
        }
    }

    /** Sends half an event and ends the body. */
    void cuts(byte[] frame) {
        answer.send(Arrays.copyOf(frame, frame.length / 2));
        answer.end();
    }
}
