package dev.holdfast.operator.offline.dump.text;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.Serial;

/** A place in a dump that is valid JSON or YAML, but no Kubernetes object. */
public final class WrongDumpException extends JsonProcessingException {
    @Serial
    private static final long serialVersionUID = 1;

    public WrongDumpException(String message, JsonLocation location) {
        super(message, location);
    }
}
