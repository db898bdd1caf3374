package dev.holdfast.operator.decode.protobuf;

/** What one frame of a watch says. Objects stand in the reader's buffer until its next frame is read. */
public sealed interface WatchFrame {
    /** An object has come, or is another than before: {@code ADDED} or {@code MODIFIED}. */
    record Changed(ByteSlice object) implements WatchFrame {}

    /** An object has gone. */
    record Deleted(ByteSlice object) implements WatchFrame {}

    /** All that has happened up to here was told. */
    record Bookmark(long resourceVersion) implements WatchFrame {}

    /**
     * The API server gives the watch up.
     *
     * @param code as of HTTP: 410 when the watch cannot go on from where it was, and a list is needed
     * @param reason the word for the code, {@code Expired} for example; may be empty
     * @param message what the server says to people; may be empty
     */
    record Failed(int code, String reason, String message) implements WatchFrame {}
}
