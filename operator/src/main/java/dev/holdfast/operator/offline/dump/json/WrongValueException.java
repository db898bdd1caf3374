package dev.holdfast.operator.offline.dump.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.io.Serial;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A value of a dump that has another type than its field. The message names the field and what is expected there. */
public final class WrongValueException extends JsonProcessingException {
    @Serial
    private static final long serialVersionUID = 1;

    private static final int MOST_SHOWN = 40;

    private WrongValueException(JsonParser json, String message, @Nullable Throwable cause) {
        super(message, json.currentTokenLocation(), cause);
    }

    static WrongValueException at(JsonParser json, String expected, @Nullable Throwable cause) throws IOException {
        return new WrongValueException(json, path(json) + " must be " + expected + ", and is " + found(json), cause);
    }

    /** {@return the names from the object down to the field: {@code spec.replicas}} */
    private static String path(JsonParser json) {
        List<String> names = new ArrayList<>();
        for (JsonPointer at = json.getParsingContext().pathAsPointer(); !at.matches(); at = at.tail()) {
            names.add(at.getMatchingProperty());
        }
        return String.join(".", names);
    }

    private static String found(JsonParser json) throws IOException {
        return switch (json.currentToken()) {
            case START_OBJECT -> "an object";
            case START_ARRAY -> "a list";
            case VALUE_STRING -> "the text \"" + shortened(json.getText()) + "\"";
            case null -> "missing";
            default -> shortened(json.getText());
        };
    }

    private static String shortened(String text) {
        return text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + "...";
    }
}
