package dev.holdfast.operator.decode.protobuf;

import java.nio.charset.StandardCharsets;

/** Knows ids by their bytes, so that those of objects that have been seen need not be made again. */
@FunctionalInterface
public interface KnownIds {
    /** Of which none has been seen. */
    KnownIds NONE = (bytes, from, to) -> new String(bytes, from, to - from, StandardCharsets.UTF_8);

    /** {@return the id that these bytes are in UTF-8: the one that is kept, where there is one} */
    String id(byte[] bytes, int from, int to);
}
