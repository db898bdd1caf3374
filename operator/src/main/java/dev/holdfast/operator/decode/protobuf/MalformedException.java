package dev.holdfast.operator.decode.protobuf;

import java.io.IOException;

/**
 * Thrown for bytes that are not valid protobuf of an API server, for example because they end too early. The values
 * decoded from such bytes are incomplete.
 */
public final class MalformedException extends IOException {
    private final long offset;
    private final String what;

    /**
     * @param offset the index of the invalid byte in the response body, from 0
     * @param what what is wrong there, for the message
     */
    public MalformedException(long offset, String what) {
        super("byte " + offset + ": " + what);
        this.offset = offset;
        this.what = what;
    }

    /** {@return the index of the invalid byte in the response body, from 0} */
    public long offset() {
        return offset;
    }

    /** {@return what is wrong there, without the offset} */
    public String what() {
        return what;
    }

    /**
     * {@return the same error at another offset} Used for bytes that were copied, to give the offset in the response
     * body.
     */
    MalformedException at(long place) {
        return new MalformedException(place, what);
    }
}
