package dev.holdfast.operator.decode.meta;

import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import java.time.Instant;
import java.util.Optional;

/** Times, of which only the seconds are kept, as in JSON. */
final class TimestampFields {
    /** No time: the field is absent or empty, which in JSON is {@code null}. */
    static final long NONE = Long.MIN_VALUE;

    private TimestampFields() {}

    /** {@return the field in seconds since 1970, which an {@link Instant} can hold, or {@link #NONE}} */
    static long read(ProtoReader reader) throws MalformedException {
        long seconds = 0;
        int start = reader.position();
        int outer = reader.enter();
        boolean empty = reader.atEnd();
        while (reader.next()) {
            if (reader.field() == ObjectFields.Timestamp.SECONDS) {
                seconds = reader.int64();
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
        if (seconds < Instant.MIN.getEpochSecond() || seconds > Instant.MAX.getEpochSecond()) {
            throw reader.wrong(start, "no time is " + seconds + " seconds after 1970");
        }
        return empty ? NONE : seconds;
    }

    static Optional<Instant> instant(long seconds) {
        return seconds == NONE ? Optional.empty() : Optional.of(Instant.ofEpochSecond(seconds));
    }
}
