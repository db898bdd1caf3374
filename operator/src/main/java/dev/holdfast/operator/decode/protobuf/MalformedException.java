package dev.holdfast.operator.decode.protobuf;

import java.io.IOException;

/** Bytes that are not what an API server writes. Nothing may be concluded from them. */
public final class MalformedException extends IOException {
    private final long offset;
    private final String what;

    /**
     * @param offset where in the body, counted from 0
     * @param what what is wrong there
     */
    public MalformedException(long offset, String what) {
        super("byte " + offset + ": " + what);
        this.offset = offset;
        this.what = what;
    }

    /** {@return where in the body, counted from 0} */
    public long offset() {
        return offset;
    }

    /** {@return the same complaint about another place} */
    MalformedException at(long place) {
        return new MalformedException(place, what);
    }
}
