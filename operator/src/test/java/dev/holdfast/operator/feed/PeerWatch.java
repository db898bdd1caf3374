package dev.holdfast.operator.feed;

import static dev.holdfast.operator.decode.Message.message;

import dev.holdfast.operator.decode.Bodies;
import dev.holdfast.operator.decode.Message;
import dev.holdfast.operator.feed.PeerState.Change;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.LongConsumer;

/** One watch of a {@link Peer}, with what may go wrong with one. */
final class PeerWatch {
    private final PlayedTime time;
    private final Kind kind;
    private final long from;
    private final PeerAnswer answer;
    private final LongConsumer tells;
    private Duration lag = Duration.ZERO;
    private boolean silent;

    /** @param tells takes the version up to which all is told */
    PeerWatch(PlayedTime time, Kind kind, long from, PeerAnswer answer, LongConsumer tells) {
        this.time = time;
        this.kind = kind;
        this.from = from;
        this.answer = answer;
        this.tells = tells;
    }

    Kind kind() {
        return kind;
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
            sends(Bodies.frame("BOOKMARK", Bodies.envelope("Object", message().part(1, metadata))), version);
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
        spoils(Bodies.frame(
                "ERROR", Bodies.envelope("Status", message().text(3, "why").number(6, code))));
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
