package dev.holdfast.operator.decode;

import dev.holdfast.operator.decode.meta.MetadataDecoder;
import dev.holdfast.operator.decode.meta.ObjectFieldNumbers;
import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ObjectDecoder;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import dev.holdfast.operator.decode.protobuf.StringCache;
import dev.holdfast.policies.model.CsiNode;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Decodes a CSINode of storage.k8s.io/v1. Source of the field numbers: {@code storage/v1/generated.proto} in k8s.io/api
 * 0.37.1.
 */
public final class CsiNodeDecoder implements ObjectDecoder<Versioned<CsiNode>> {
    /** Protobuf field number of {@code drivers} in the spec; the next constants are fields of a driver. */
    private static final int DRIVERS = 1;

    private static final int NAME = 1;
    private static final int ALLOCATABLE = 4;

    /** Protobuf field number of {@code count} in {@code allocatable}. */
    private static final int COUNT = 1;

    /** How many drivers of a node are read. */
    static final int MOST_DRIVERS = 64;

    private final StringCache stringCache = new StringCache();
    private final MetadataDecoder metadataDecoder = new MetadataDecoder(stringCache);
    private final ProtoReader reader = new ProtoReader();

    @Override
    public Versioned<CsiNode> decode(ByteSlice object) throws MalformedException {
        metadataDecoder.clear();
        Map<String, OptionalInt> drivers = new HashMap<>();
        reader.open(object);
        while (reader.next()) {
            switch (reader.field()) {
                case ObjectFieldNumbers.METADATA -> metadataDecoder.read(reader);
                case ObjectFieldNumbers.SPEC -> spec(drivers);
                default -> reader.skip();
            }
        }
        return new Versioned<>(
                metadataDecoder.resourceVersion(object), new CsiNode(metadataDecoder.name(object), drivers));
    }

    private void spec(Map<String, OptionalInt> drivers) throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() == DRIVERS) {
                driver(drivers);
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
    }

    private void driver(Map<String, OptionalInt> drivers) throws MalformedException {
        String name = "";
        OptionalInt limit = OptionalInt.empty();
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case NAME -> name = stringCache.of(reader);
                case ALLOCATABLE -> limit = count();
                default -> reader.skip();
            }
        }
        reader.leave(outer);
        if (drivers.size() < MOST_DRIVERS) {
            drivers.put(name, limit);
        }
    }

    private OptionalInt count() throws MalformedException {
        OptionalInt count = OptionalInt.empty();
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() == COUNT) {
                count = OptionalInt.of(reader.int32());
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
        return count;
    }
}
