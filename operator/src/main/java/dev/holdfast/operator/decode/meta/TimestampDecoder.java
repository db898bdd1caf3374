package dev.holdfast.operator.decode.meta;

import dev.holdfast.operator.decode.fields.Fields;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import java.time.Instant;
import java.util.Optional;

/** Decoder of times. Keeps only the seconds, as the API does in JSON. */
public final class TimestampDecoder {
    /** The value for an absent or empty time, like {@code null} in JSON. */
    static final long NONE = Long.MIN_VALUE;

    private TimestampDecoder() {}

    /**
     * Reads the reader's current field as a time, and returns its seconds since 1970; {@link #NONE} if the field is
     * empty.
     *
     * @throws MalformedException if {@link Instant} cannot represent the time
     */
    public static long read(ProtoReader reader) throws MalformedException {
        long seconds = 0;
        int start = reader.position();
        int outer = reader.enter();
        boolean empty = reader.atEnd();
        while (reader.next()) {
            if (reader.field() == Fields.Timestamp.SECONDS) {
                seconds = reader.int64();
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
        if (seconds < Instant.MIN.getEpochSecond() || seconds > Instant.MAX.getEpochSecond()) {
            throw reader.wrong(start, seconds + " seconds after 1970 is no valid time");
        }
        return empty ? NONE : seconds;
    }

    public static Optional<Instant> instant(long seconds) {
        return seconds == NONE ? Optional.empty() : Optional.of(Instant.ofEpochSecond(seconds));
    }
}
