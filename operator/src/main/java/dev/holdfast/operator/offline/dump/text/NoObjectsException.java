package dev.holdfast.operator.offline.dump.text;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.Serial;

/** A text that begins with something else than an object, and in which no object is in sight. */
public final class NoObjectsException extends JsonProcessingException {
    @Serial
    private static final long serialVersionUID = 1;

    NoObjectsException(String message, JsonLocation location) {
        super(message, location);
    }
}
