package dev.holdfast.operator.offline.dump;

/**
 * A kind of a live cluster that could not be listed, so that its objects are unknown.
 *
 * @param path the API path of its list: {@code /apis/policy/v1/poddisruptionbudgets}
 * @param reason {@value #FORBIDDEN} if the right to list it is missing, {@value #NOT_FOUND} if the API server does not
 *     serve it
 * @param message what follows from the missing objects, as a sentence
 */
public record UnreadableKind(String path, String reason, String message) {
    /** The right to list the kind is missing. */
    public static final String FORBIDDEN = "Forbidden";

    /** The API server does not serve the kind. */
    public static final String NOT_FOUND = "NotFound";
}
