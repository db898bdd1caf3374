package dev.holdfast.operator.offline.dump.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import dev.holdfast.operator.decode.fields.Fields;
import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MapEntry;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;

/**
 * Writes the JSON of API objects as protobuf, one object after the other. A null counts as absent, as in the API
 * server. Fields that the API does not have are left out and reported.
 */
public final class JsonTranscoder {
    /** Gets each field that its message does not have. */
    @FunctionalInterface
    public interface UnknownField {
        void see(MessageType message, String field);
    }

    /** The type of an IntOrString that is a text. */
    private static final int IS_TEXT = 1;

    /** A field number that no source of a volume has. */
    private static final int UNKNOWN_SOURCE = 1000;

    /** The only time of an object that may be in the future: when its grace period ends. */
    private static final String DELETION_TIME = "deletionTimestamp";

    private final ProtobufBuffer out = new ProtobufBuffer();
    private final UnknownField unknown;
    private final Instant latest;
    private Instant newest = Instant.MIN;

    /** @param latest the latest time that may be right: later times come from wrong clocks */
    public JsonTranscoder(UnknownField unknown, Instant latest) {
        this.unknown = unknown;
        this.latest = latest;
    }

    /** Begins the next object. */
    public void begin() {
        out.clear();
    }

    /** Begins a message in the object, for fields that follow. Returns the start of the message, for {@link #close}. */
    public int open(int number) {
        return out.begin(number);
    }

    /** Ends the message that began at {@code start}. */
    public void close(int start) {
        out.end(start);
    }

    /** {@return the newest time in all objects so far, without the ends of grace periods; empty if there is no time} */
    public Optional<Instant> newest() {
        return Optional.of(newest).filter(Instant.MIN::isBefore);
    }

    /** {@return the object as protobuf; valid until the next one begins} */
    public ByteSlice object() {
        return out.slice();
    }

    /**
     * Writes one field of a message.
     *
     * @param json is at the value of the field, and is left at its last token
     * @throws WrongValueException if the value has another type than the field
     */
    public void field(JsonParser json, MessageType message, String name) throws IOException {
        Optional<ApiField> known = message.field(name);
        if (known.isEmpty()) {
            if (!ofAllObjects(name)) {
                unknown.see(message, name);
            }
            if (message.isVolume() && json.currentToken() == JsonToken.START_OBJECT) {
                unknownSource();
            }
            json.skipChildren();
            return;
        }
        ApiField field = known.get();
        if (json.currentToken() == JsonToken.VALUE_NULL) {
            return;
        }
        if (field.outer() > 0) {
            int start = out.begin(field.outer());
            values(json, field);
            out.end(start);
        } else {
            values(json, field);
        }
    }

    /** Gives a volume a source that no decoder knows, as a newer API has it. Without a source it were an emptyDir. */
    private void unknownSource() {
        int start = out.begin(Fields.Volume.VOLUME_SOURCE);
        out.end(out.begin(UNKNOWN_SOURCE));
        out.end(start);
    }

    /** {@return whether the field is kind or apiVersion} Nested objects may have both in JSON, but not in protobuf. */
    private static boolean ofAllObjects(String name) {
        return name.equals("kind") || name.equals("apiVersion");
    }

    /**
     * Writes a text into the metadata of the object, in addition to the metadata in JSON.
     *
     * @param metadata the number of the metadata in the object
     */
    public void metadata(int metadata, int field, String text) {
        int start = out.begin(metadata);
        out.text(field, text);
        out.end(start);
    }

    private void values(JsonParser json, ApiField field) throws IOException {
        switch (field.form()) {
            case ONE -> value(json, field.number(), field.type());
            case LIST -> list(json, field);
            case MAP -> map(json, field);
        }
    }

    private void list(JsonParser json, ApiField field) throws IOException {
        require(json, JsonToken.START_ARRAY, "a list");
        while (json.nextToken() != JsonToken.END_ARRAY) {
            if (json.currentToken() != JsonToken.VALUE_NULL) {
                value(json, field.number(), field.type());
            }
        }
    }

    private void map(JsonParser json, ApiField field) throws IOException {
        require(json, JsonToken.START_OBJECT, "an object");
        while (json.nextToken() != JsonToken.END_OBJECT) {
            int start = out.begin(field.number());
            out.text(MapEntry.KEY, json.currentName());
            if (json.nextToken() != JsonToken.VALUE_NULL) {
                value(json, MapEntry.VALUE, field.type());
            }
            out.end(start);
        }
    }

    private void value(JsonParser json, int number, ValueType type) throws IOException {
        switch (type) {
            case ValueType.Message(MessageType message) -> message(json, number, message);
            case ValueType.Scalar scalar -> scalar(json, number, scalar);
        }
    }

    private void message(JsonParser json, int number, MessageType type) throws IOException {
        require(json, JsonToken.START_OBJECT, "an object");
        int start = out.begin(number);
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            json.nextToken();
            field(json, type, name);
        }
        out.end(start);
    }

    private void scalar(JsonParser json, int number, ValueType.Scalar type) throws IOException {
        switch (type) {
            case STRING -> {
                require(json, JsonToken.VALUE_STRING, "a text: write it in quotes");
                text(json, number);
            }
            case BOOL -> {
                if (!json.currentToken().isBoolean()) {
                    throw wrong(json, "true or false");
                }
                out.number(number, json.currentToken() == JsonToken.VALUE_TRUE ? 1 : 0);
            }
            case INT -> out.number(number, integer(json));
            case TIME -> {
                require(json, JsonToken.VALUE_STRING, "a time");
                int start = out.begin(number);
                out.number(Fields.Timestamp.SECONDS, seconds(json));
                out.end(start);
            }
            case QUANTITY -> {
                if (!json.currentToken().isScalarValue()) {
                    throw wrong(json, "a quantity");
                }
                int start = out.begin(number);
                text(json, Fields.Quantity.STRING);
                out.end(start);
            }
            case INT_OR_STRING -> {
                int start = out.begin(number);
                if (json.currentToken() == JsonToken.VALUE_STRING) {
                    out.number(Fields.IntOrString.TYPE, IS_TEXT);
                    text(json, Fields.IntOrString.STR_VAL);
                } else {
                    out.number(Fields.IntOrString.INT_VAL, integer(json));
                }
                out.end(start);
            }
            case SKIPPED -> json.skipChildren();
        }
    }

    private void text(JsonParser json, int number) throws IOException {
        out.text(number, json.getTextCharacters(), json.getTextOffset(), json.getTextLength());
    }

    private static long integer(JsonParser json) throws IOException {
        require(json, JsonToken.VALUE_NUMBER_INT, "a whole number");
        try {
            return json.getLongValue();
        } catch (InputCoercionException e) {
            throw wrong(json, "a whole number of up to 63 bits", e);
        }
    }

    private long seconds(JsonParser json) throws IOException {
        try {
            Instant time = OffsetDateTime.parse(json.getText()).toInstant();
            if (time.isAfter(newest) && !time.isAfter(latest) && !DELETION_TIME.equals(json.currentName())) {
                newest = time;
            }
            return time.getEpochSecond();
        } catch (DateTimeException e) {
            throw wrong(json, "a time as in 2026-11-20T15:42:10Z", e);
        }
    }

    private static void require(JsonParser json, JsonToken token, String expected) throws IOException {
        if (json.currentToken() != token) {
            throw wrong(json, expected);
        }
    }

    private static WrongValueException wrong(JsonParser json, String expected) throws IOException {
        return WrongValueException.at(json, expected, null);
    }

    private static WrongValueException wrong(JsonParser json, String expected, Exception cause) throws IOException {
        return WrongValueException.at(json, expected, cause);
    }
}
