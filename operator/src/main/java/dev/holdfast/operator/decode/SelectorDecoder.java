package dev.holdfast.operator.decode;

import dev.holdfast.operator.decode.fields.Fields;
import dev.holdfast.operator.decode.meta.LabelPairs;
import dev.holdfast.operator.decode.meta.MetadataDecoder;
import dev.holdfast.operator.decode.meta.SelectorParts;
import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ObjectDecoder;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import dev.holdfast.operator.decode.protobuf.StringCache;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.NamespacedName;
import java.util.List;
import java.util.Optional;

/** Decodes by which labels a Service or a controller selects pods. */
public final class SelectorDecoder implements ObjectDecoder<SelectorDecoder.Selection> {
    /** The field is the same in all kinds. */
    private static final int METADATA = Fields.Service.METADATA;

    private final int specField;
    private final int selectorField;

    /** Whether the selector is a map of labels, as old kinds have it. */
    private final boolean isMap;

    private final StringCache stringCache = new StringCache();
    private final ProtoReader reader = new ProtoReader();

    private final MetadataDecoder metadataDecoder = new MetadataDecoder(stringCache);

    /**
     * The selector of an object; absent if it has none.
     *
     * @param name of the object
     */
    public record Selection(NamespacedName name, Optional<LabelSelector> selector) {}

    private SelectorDecoder(int specField, int selectorField, boolean isMap) {
        this.specField = specField;
        this.selectorField = selectorField;
        this.isMap = isMap;
    }

    /** {@return a decoder of a Service of v1} */
    public static SelectorDecoder ofServices() {
        return new SelectorDecoder(Fields.Service.SPEC, Fields.ServiceSpec.SELECTOR, true);
    }

    /** {@return a decoder of a ReplicationController of v1} */
    public static SelectorDecoder ofReplicationControllers() {
        return new SelectorDecoder(Fields.ReplicationController.SPEC, Fields.ReplicationControllerSpec.SELECTOR, true);
    }

    /** {@return a decoder of a ReplicaSet of apps/v1} */
    public static SelectorDecoder ofReplicaSets() {
        return new SelectorDecoder(Fields.ReplicaSet.SPEC, Fields.ReplicaSetSpec.SELECTOR, false);
    }

    /** {@return a decoder of a StatefulSet of apps/v1} */
    public static SelectorDecoder ofStatefulSets() {
        return new SelectorDecoder(Fields.StatefulSet.SPEC, Fields.StatefulSetSpec.SELECTOR, false);
    }

    @Override
    public Selection decode(ByteSlice object) throws MalformedException {
        LabelPairs labels = new LabelPairs(stringCache);
        SelectorParts selector = new SelectorParts(stringCache);
        boolean isThere = false;
        metadataDecoder.clear();
        reader.open(object);
        while (reader.next()) {
            if (reader.field() == METADATA) {
                metadataDecoder.read(reader);
            } else if (reader.field() == specField) {
                isThere |= spec(labels, selector);
            } else {
                reader.skip();
            }
        }
        Optional<LabelSelector> ofLabels =
                isThere ? Optional.of(new LabelSelector(labels.labels(), List.of())) : Optional.empty();
        return new Selection(
                new NamespacedName(metadataDecoder.namespace(object), metadataDecoder.name(object)),
                isMap ? ofLabels : selector.selector());
    }

    /** Reads the reader's current field as a spec, and returns whether it has labels to select by. */
    private boolean spec(LabelPairs labels, SelectorParts selector) throws MalformedException {
        boolean isThere = false;
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() != selectorField) {
                reader.skip();
            } else if (isMap) {
                labels.add(reader);
                isThere = true;
            } else {
                selector.read(reader);
            }
        }
        reader.leave(outer);
        return isThere;
    }
}
