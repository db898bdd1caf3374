package dev.holdfast.operator.decode;

import dev.holdfast.operator.decode.meta.ConditionFields;
import dev.holdfast.operator.decode.meta.MetadataFields;
import dev.holdfast.operator.decode.meta.ObjectFields;
import dev.holdfast.operator.decode.meta.ResourceAmounts;
import dev.holdfast.operator.decode.protobuf.ByteKeyedCache;
import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.FieldBuffer;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ObjectDecoder;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import dev.holdfast.operator.decode.protobuf.StringCache;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.NodeLifecycle;
import dev.holdfast.policies.model.Resources;
import dev.holdfast.policies.model.Taint;
import java.util.ArrayList;
import java.util.List;

/** Decodes a Node of core/v1. */
public final class NodeDecoder implements ObjectDecoder<Node> {
    private static final int SLOTS = 1 << 10;
    private static final int BUDGET = 1 << 20;

    private final StringCache stringCache = new StringCache();
    private final MetadataFields metadataFields = new MetadataFields(stringCache);
    private final ByteKeyedCache<Resources> resources =
            new ByteKeyedCache<>(SLOTS, BUDGET, entries -> ResourceAmounts.ofEntries(entries, stringCache));
    private final FieldBuffer allocatable = new FieldBuffer();
    private final ConditionFields conditionFields = new ConditionFields();
    private final ProtoReader reader = new ProtoReader();

    private List<Taint> taints = new ArrayList<>();
    private boolean unschedulable;

    @Override
    public Node decode(ByteSlice object) throws MalformedException {
        metadataFields.clear();
        taints = new ArrayList<>();
        unschedulable = false;
        allocatable.clear();
        conditionFields.clear();
        reader.open(object);
        while (reader.next()) {
            switch (reader.field()) {
                case ObjectFields.METADATA -> metadataFields.read(reader);
                case ObjectFields.SPEC -> spec();
                case ObjectFields.STATUS -> status();
                default -> reader.skip();
            }
        }
        return new Node(
                metadataFields.name(object),
                metadataFields.uid(object),
                metadataFields.resourceVersion(object),
                metadataFields.labels(),
                taints,
                unschedulable,
                new NodeLifecycle(
                        conditionFields.ready(),
                        conditionFields.readyChanged(),
                        metadataFields.creationTime(),
                        metadataFields.deletionTime()),
                allocatable.isEmpty() ? Resources.none() : allocatable.in(resources));
    }

    private void spec() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case NodeFields.Spec.UNSCHEDULABLE -> unschedulable = reader.bool();
                case NodeFields.Spec.TAINTS -> taints.add(taint());
                default -> reader.skip();
            }
        }
        reader.leave(outer);
    }

    private Taint taint() throws MalformedException {
        String key = "";
        String value = "";
        String effect = "";
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case NodeFields.TaintParts.KEY -> key = stringCache.of(reader);
                case NodeFields.TaintParts.VALUE -> value = stringCache.of(reader);
                case NodeFields.TaintParts.EFFECT -> effect = stringCache.of(reader);
                default -> reader.skip();
            }
        }
        reader.leave(outer);
        return new Taint(key, value, effect);
    }

    private void status() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case NodeFields.Status.ALLOCATABLE -> allocatable.add(reader);
                case NodeFields.Status.CONDITIONS -> conditionFields.read(reader);
                default -> reader.skip();
            }
        }
        reader.leave(outer);
    }
}
