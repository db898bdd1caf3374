package dev.holdfast.operator.decode;

import dev.holdfast.operator.decode.meta.NodeTerms;
import dev.holdfast.operator.decode.meta.ObjectFieldNumbers;
import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ObjectDecoder;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import dev.holdfast.operator.decode.protobuf.StringCache;
import dev.holdfast.policies.model.NodeSelector;
import java.util.Optional;

/**
 * Decodes the node affinity of a PersistentVolume of core/v1. Source of the field numbers: {@code
 * core/v1/generated.proto} in k8s.io/api 0.37.1.
 */
public final class VolumeDecoder implements ObjectDecoder<Optional<NodeSelector>> {
    /** Protobuf field number of {@code nodeAffinity} in the spec. */
    private static final int NODE_AFFINITY = 9;

    /** Protobuf field number of {@code required} in the node affinity. */
    private static final int REQUIRED = 1;

    private final StringCache stringCache = new StringCache();
    private final ProtoReader reader = new ProtoReader();

    private Optional<NodeSelector> nodes = Optional.empty();

    @Override
    public Optional<NodeSelector> decode(ByteSlice object) throws MalformedException {
        nodes = Optional.empty();
        reader.open(object);
        while (reader.next()) {
            if (reader.field() == ObjectFieldNumbers.SPEC) {
                spec();
            } else {
                reader.skip();
            }
        }
        return nodes;
    }

    private void spec() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() == NODE_AFFINITY) {
                nodeAffinity();
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
    }

    private void nodeAffinity() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() == REQUIRED) {
                nodes = Optional.of(new NodeSelector(NodeTerms.read(reader, stringCache)));
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
    }
}
