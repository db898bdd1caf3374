package dev.holdfast.operator.decode;

import dev.holdfast.operator.decode.fields.Fields;
import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ObjectDecoder;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import dev.holdfast.policies.model.NodeSelector;
import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.model.Requirement;
import dev.holdfast.policies.model.VolumeReach;
import java.util.ArrayList;
import java.util.List;

/** Decodes a StorageClass of storage.k8s.io/v1. */
public final class StorageClassDecoder implements ObjectDecoder<StorageClassDecoder.StorageClass> {
    private final ProtoReader reader = new ProtoReader();

    /**
     * The part of a StorageClass that Holdfast uses.
     *
     * @param provisioner the name of the CSI driver that makes the volumes
     * @param waitsForConsumer whether a volume is made only when a pod that uses it has a node
     * @param reach the nodes for which volumes can be made ({@code allowedTopologies})
     */
    public record StorageClass(String provisioner, boolean waitsForConsumer, VolumeReach reach) {}

    @Override
    public StorageClass decode(ByteSlice object) throws MalformedException {
        String provisioner = "";
        boolean waitsForConsumer = false;
        List<NodeSelectorTerm> terms = new ArrayList<>();
        reader.open(object);
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.StorageClass.PROVISIONER -> provisioner = reader.string();
                case Fields.StorageClass.VOLUME_BINDING_MODE ->
                    waitsForConsumer = reader.string().equals("WaitForFirstConsumer");
                case Fields.StorageClass.ALLOWED_TOPOLOGIES -> terms.add(term());
                default -> reader.skip();
            }
        }
        return new StorageClass(
                provisioner,
                waitsForConsumer,
                terms.isEmpty() ? VolumeReach.everywhere() : VolumeReach.of(new NodeSelector(terms)));
    }

    /** Reads a term, whose expressions must all match. A term without expressions matches no node. */
    private NodeSelectorTerm term() throws MalformedException {
        List<Requirement> expressions = new ArrayList<>();
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() == Fields.TopologySelectorTerm.MATCH_LABEL_EXPRESSIONS) {
                expressions.add(expression());
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
        return new NodeSelectorTerm(expressions, List.of());
    }

    private Requirement expression() throws MalformedException {
        String key = "";
        List<String> values = new ArrayList<>();
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.TopologySelectorLabelRequirement.KEY -> key = reader.string();
                case Fields.TopologySelectorLabelRequirement.VALUES -> values.add(reader.string());
                default -> reader.skip();
            }
        }
        reader.leave(outer);
        return new Requirement(key, "In", values);
    }
}
