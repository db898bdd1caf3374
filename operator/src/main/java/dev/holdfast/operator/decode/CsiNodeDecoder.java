package dev.holdfast.operator.decode;

import dev.holdfast.operator.decode.fields.Fields;
import dev.holdfast.operator.decode.meta.MetadataDecoder;
import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ObjectDecoder;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import dev.holdfast.operator.decode.protobuf.StringCache;
import dev.holdfast.policies.model.CsiNode;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;

/** Decodes a CSINode of storage.k8s.io/v1. */
public final class CsiNodeDecoder implements ObjectDecoder<Versioned<CsiNode>> {
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
                case Fields.CSINode.METADATA -> metadataDecoder.read(reader);
                case Fields.CSINode.SPEC -> spec(drivers);
                default -> reader.skip();
            }
        }
        return new Versioned<>(
                metadataDecoder.resourceVersion(object), new CsiNode(metadataDecoder.name(object), drivers));
    }

    private void spec(Map<String, OptionalInt> drivers) throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() == Fields.CSINodeSpec.DRIVERS) {
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
                case Fields.CSINodeDriver.NAME -> name = stringCache.of(reader);
                case Fields.CSINodeDriver.ALLOCATABLE -> limit = count();
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
            if (reader.field() == Fields.VolumeNodeResources.COUNT) {
                count = OptionalInt.of(reader.int32());
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
        return count;
    }
}
