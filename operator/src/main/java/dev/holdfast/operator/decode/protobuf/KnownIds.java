package dev.holdfast.operator.decode.protobuf;

import java.nio.charset.StandardCharsets;

/** Lookup of object ids (uids or names) by their bytes, so that a decoder reuses the {@link String} of a known id. */
@FunctionalInterface
public interface KnownIds {
    /** A lookup that knows no id and always creates a {@link String}. */
    KnownIds NONE = (bytes, from, to) -> new String(bytes, from, to - from, StandardCharsets.UTF_8);

    /** {@return the id in these bytes of UTF-8: the known {@link String} if there is one, else a new one} */
    String id(byte[] bytes, int from, int to);
}
