package dev.holdfast.operator.decode.meta;

import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import dev.holdfast.operator.decode.protobuf.StringCache;
import dev.holdfast.policies.model.Labels;
import java.util.ArrayList;
import java.util.List;

/** Entries of a map, each a message of key (1) and value (2); what is absent is empty, and the last of equal keys counts. */
public final class LabelPairs {
    /** Nobody has more labels, unless to make others keep room for them. */
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

    /** Reads the field as an entry. */
    public void add(ProtoReader reader) throws MalformedException {
        String key = "";
        String value = "";
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case ObjectFields.MapEntry.KEY -> key = stringCache.of(reader);
                case ObjectFields.MapEntry.VALUE -> value = stringCache.of(reader);
                default -> reader.skip();
            }
        }
        reader.leave(outer);
        keysAndValues.add(key);
        keysAndValues.add(value);
    }

    /** {@return what entries say, whatever their field, read by what has done what it had to} */
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
