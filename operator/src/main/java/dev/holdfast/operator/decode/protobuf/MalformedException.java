package dev.holdfast.operator.decode.protobuf;

import java.io.IOException;

/** Invalid bytes: no API server writes them. The caller must discard everything that was decoded from them. */
public final class MalformedException extends IOException {
    private final long offset;
    private final String what;

    /**
     * @param offset in the body, from 0
     * @param what what is wrong there
     */
    public MalformedException(long offset, String what) {
        super("byte " + offset + ": " + what);
        this.offset = offset;
        this.what = what;
    }

    /** {@return the offset in the body, from 0} */
    public long offset() {
        return offset;
    }

    /** {@return the same error at another offset} */
    MalformedException at(long place) {
        return new MalformedException(place, what);
    }
}
