package dev.holdfast.operator.feed;

import static dev.holdfast.operator.decode.Message.message;

import dev.holdfast.operator.decode.Message;
import dev.holdfast.operator.decode.RecordedBodies;
import dev.holdfast.operator.feed.FakeServerState.Change;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.LongConsumer;

/** One watch of a {@link FakeApiServer}, with what may go wrong with one. */
final class FakeWatch {
    private final SimulatedTime time;
    private final WatchedKind watchedKind;
    private final long from;
    private final FakeResponse answer;
    private final LongConsumer tells;
    private Duration lag = Duration.ZERO;
    private boolean silent;

    /** @param tells takes the version up to which all is told */
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
                            RecordedBodies.envelope("Object", message().part(1, metadata))),
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

    /** From now on everything comes at least so much later: nothing overtakes what was told before it. */
    void lags(Duration later) {
        lag = later.compareTo(lag) > 0 ? later : lag;
    }

    /** Nothing comes any more, and the connection stays open. */
    void silences() {
        silent = true;
    }

    /** Its time is over. */
    void ends() {
        if (!silent) {
            answer.end();
        }
    }

    void breaks(String why) {
        answer.breaks(why);
    }

    /** The API server gives it up, within the 200. */
    void fails(int code) {
        spoils(RecordedBodies.frame(
                "ERROR",
                RecordedBodies.envelope("Status", message().text(3, "why").number(6, code))));
    }

    /** A frame comes that is none of the API server's; what follows it is lost. */
    void spoils(byte[] bytes) {
        if (!silent) {
            answer.send(bytes);
            silent = true;
        }
    }

    /** The next frame is cut, and the body ends there. */
    void cuts(byte[] frame) {
        answer.send(Arrays.copyOf(frame, frame.length / 2));
        answer.end();
    }
}
