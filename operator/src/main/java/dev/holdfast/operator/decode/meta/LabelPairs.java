package dev.holdfast.operator.decode.meta;

import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.MapEntry;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import dev.holdfast.operator.decode.protobuf.StringCache;
import dev.holdfast.policies.model.Labels;
import java.util.ArrayList;
import java.util.List;

/**
 * Decoder of labels from protobuf map entries: messages whose field 1 is the key and field 2 the value. An absent key
 * or value counts as empty. Of entries with the same key, the last one counts.
 */
public final class LabelPairs {
    /**
     * The maximum length of a list that is reused for the next object. So one object with very many labels does not
     * occupy memory forever.
     */
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

    /** Reads the reader's current field as a map entry. */
    public void add(ProtoReader reader) throws MalformedException {
        String key = "";
        String value = "";
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case MapEntry.KEY -> key = stringCache.of(reader);
                case MapEntry.VALUE -> value = stringCache.of(reader);
                default -> reader.skip();
            }
        }
        reader.leave(outer);
        keysAndValues.add(key);
        keysAndValues.add(value);
    }

    /**
     * {@return the labels in consecutive map entries; the field numbers of the entries are ignored}
     *
     * @param reader reused; its state is lost
     */
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
