package dev.holdfast.operator.decode.meta;

import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import dev.holdfast.operator.decode.protobuf.StringCache;
import dev.holdfast.policies.model.Labels;
import java.util.ArrayList;
import java.util.List;

/** Decoder of map entries: messages with key (1) and value (2). Absent means empty; the last of equal keys counts. */
public final class LabelPairs {
    /** More labels than real objects have. A longer list is not kept, since an attacker could make it large. */
    private static final int MANY = 256;

    private List<String> keysAndValues = new ArrayList<>();
    private final StringCache stringCache;

    public LabelPairs(StringCache stringCache) {
        this.stringCache = stringCache;
    }

    private void clear() {
        if (keysAndValues.size() > MANY) {
            keysAndValues = new ArrayList<>();
        }
        keysAndValues.clear();
    }

    /** Reads the field as a map entry. */
    public void add(ProtoReader reader) throws MalformedException {
        String key = "";
        String value = "";
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case ObjectFieldNumbers.MapEntry.KEY -> key = stringCache.of(reader);
                case ObjectFieldNumbers.MapEntry.VALUE -> value = stringCache.of(reader);
                default -> reader.skip();
            }
        }
        reader.leave(outer);
        keysAndValues.add(key);
        keysAndValues.add(value);
    }

    /** {@return the labels in consecutive map entries of any field number; the reader is reused} */
    Labels read(ByteSlice entries, ProtoReader reader) throws MalformedException {
        clear();
        reader.open(entries);
        while (reader.next()) {
            add(reader);
        }
        return labels();
    }

    public Labels labels() {
        return Labels.of(keysAndValues);
    }
}
