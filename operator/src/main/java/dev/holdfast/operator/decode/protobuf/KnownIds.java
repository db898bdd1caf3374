package dev.holdfast.operator.decode.protobuf;

import java.nio.charset.StandardCharsets;

/** Lookup of known object ids by their bytes, so that a decoder does not allocate the same id twice. */
@FunctionalInterface
public interface KnownIds {
    /** A lookup without known ids. */
    KnownIds NONE = (bytes, from, to) -> new String(bytes, from, to - from, StandardCharsets.UTF_8);

    /** {@return the id that these bytes are in UTF-8: the known instance if there is one} */
    String id(byte[] bytes, int from, int to);
}
