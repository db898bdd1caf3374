package dev.holdfast.operator.decode.protobuf;

/**
 * One event of a watch. The object of the event lies in the reader's buffer, and is valid until the next event is read.
 */
public sealed interface WatchFrame {
    /** An object was created or changed: {@code ADDED} or {@code MODIFIED}. */
    record Changed(ByteSlice object) implements WatchFrame {}

    /** An object was deleted. */
    record Deleted(ByteSlice object) implements WatchFrame {}

    /** A bookmark: the watch has sent all changes up to this version. */
    record Bookmark(long resourceVersion) implements WatchFrame {}

    /**
     * The API server ends the watch with an error.
     *
     * @param code the HTTP status code, for example 410 if the watch cannot continue and a new list is needed
     * @param reason the reason in CamelCase, {@code Expired} for example; may be empty
     * @param message the message for people; may be empty
     */
    record Failed(int code, String reason, String message) implements WatchFrame {}
}
