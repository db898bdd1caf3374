package dev.holdfast.operator.decode;

import dev.holdfast.operator.decode.meta.Amounts;
import dev.holdfast.operator.decode.meta.Conditions;
import dev.holdfast.operator.decode.meta.Metadata;
import dev.holdfast.operator.decode.meta.ObjectFields;
import dev.holdfast.operator.decode.protobuf.Gathered;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ObjectDecoder;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import dev.holdfast.operator.decode.protobuf.Region;
import dev.holdfast.operator.decode.protobuf.Remembered;
import dev.holdfast.operator.decode.protobuf.Words;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.NodeLife;
import dev.holdfast.policies.model.Resources;
import dev.holdfast.policies.model.Taint;
import java.util.ArrayList;
import java.util.List;

/** Reads a Node of core/v1. */
public final class NodeDecoder implements ObjectDecoder<Node> {
    private static final int SLOTS = 1 << 10;
    private static final int BUDGET = 1 << 20;

    private final Words words = new Words();
    private final Metadata metadata = new Metadata(words);
    private final Remembered<Resources> resources =
            new Remembered<>(SLOTS, BUDGET, entries -> Amounts.ofEntries(entries, words));
    private final Gathered allocatable = new Gathered();
    private final Conditions conditions = new Conditions();
    private final ProtoReader reader = new ProtoReader();

    private List<Taint> taints = new ArrayList<>();
    private boolean unschedulable;

    @Override
    public Node decode(Region object) throws MalformedException {
        metadata.clear();
        taints = new ArrayList<>();
        unschedulable = false;
        allocatable.clear();
        conditions.clear();
        reader.open(object);
        while (reader.next()) {
            switch (reader.field()) {
                case ObjectFields.METADATA -> metadata.read(reader);
                case ObjectFields.SPEC -> spec();
                case ObjectFields.STATUS -> status();
                default -> reader.skip();
            }
        }
        return new Node(
                metadata.name(object),
                metadata.uid(object),
                metadata.resourceVersion(object),
                metadata.labels(),
                taints,
                unschedulable,
                new NodeLife(
                        conditions.ready(),
                        conditions.readyChanged(),
                        metadata.creationTime(),
                        metadata.deletionTime()),
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
                case NodeFields.TaintParts.KEY -> key = words.of(reader);
                case NodeFields.TaintParts.VALUE -> value = words.of(reader);
                case NodeFields.TaintParts.EFFECT -> effect = words.of(reader);
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
                case NodeFields.Status.CONDITIONS -> conditions.read(reader);
                default -> reader.skip();
            }
        }
        reader.leave(outer);
    }
}
