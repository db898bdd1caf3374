package dev.holdfast.operator.decode;

import dev.holdfast.operator.decode.fields.Fields;
import dev.holdfast.operator.decode.meta.ConditionDecoder;
import dev.holdfast.operator.decode.meta.LabelBlock;
import dev.holdfast.operator.decode.meta.MetadataDecoder;
import dev.holdfast.operator.decode.meta.PartCount;
import dev.holdfast.operator.decode.meta.ResourceAmounts;
import dev.holdfast.operator.decode.protobuf.ByteKeyedCache;
import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.FieldBuffer;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ObjectDecoder;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import dev.holdfast.operator.decode.protobuf.StringCache;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.NodeLifecycle;
import dev.holdfast.policies.model.Resources;
import dev.holdfast.policies.model.Taint;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Decodes a Node of core/v1. */
public final class NodeDecoder implements ObjectDecoder<Node> {
    private static final int SLOTS = 1 << 10;
    private static final int BUDGET = 1 << 20;

    /**
     * The maximum number of labels of a node that Holdfast reads. Where Node Feature Discovery and KubeVirt label its
     * hardware, a node has 600. Most of these are the same on many nodes, which share them in memory.
     */
    static final int MOST_LABELS = 1_024;

    /** The maximum number of taints and extended resources of a node. Of a node with more, neither kind is read. */
    static final int MOST_PARTS = 64;

    static final int MOST_CHARACTERS = 4 << 10;

    private final StringCache stringCache = new StringCache();
    private final MetadataDecoder metadataDecoder = new MetadataDecoder(stringCache, MOST_LABELS);
    private final ByteKeyedCache<Resources> resources =
            new ByteKeyedCache<>(SLOTS, BUDGET, entries -> ResourceAmounts.ofEntries(entries, stringCache));
    private final FieldBuffer allocatable = new FieldBuffer();
    private final FieldBuffer capacity = new FieldBuffer();
    private final ConditionDecoder conditionDecoder = new ConditionDecoder();
    private final ProtoReader reader = new ProtoReader();

    private List<Taint> taints = new ArrayList<>();
    private boolean unschedulable;

    @Override
    public Node decode(ByteSlice object) throws MalformedException {
        metadataDecoder.clear();
        taints = new ArrayList<>();
        unschedulable = false;
        allocatable.clear();
        capacity.clear();
        conditionDecoder.clear();
        reader.open(object);
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.Node.METADATA -> metadataDecoder.read(reader);
                case Fields.Node.SPEC -> spec();
                case Fields.Node.STATUS -> status();
                default -> reader.skip();
            }
        }
        // The API server takes the capacity for what is allocatable, if a node does not say that.
        FieldBuffer room = allocatable.isEmpty() ? capacity : allocatable;
        Resources resources = room.isEmpty() ? Resources.none() : room.in(this.resources);
        Optional<String> tooComplex = tooComplex(resources);
        return new Node(
                metadataDecoder.name(object),
                metadataDecoder.uid(object),
                metadataDecoder.resourceVersion(object),
                labels(),
                tooComplex.isEmpty() ? taints : List.of(),
                unschedulable,
                new NodeLifecycle(
                        conditionDecoder.ready(),
                        conditionDecoder.readyChanged(),
                        metadataDecoder.creationTime(),
                        metadataDecoder.deletionTime(),
                        conditionDecoder.lifecycleCondition()),
                tooComplex.isEmpty() ? resources : Resources.none(),
                tooComplex);
    }

    /** {@return the labels; if there are more than Holdfast reads, only those with {@link Node#KEPT_KEYS}} */
    private Labels labels() throws MalformedException {
        LabelBlock own = metadataDecoder.ownLabels();
        return own.tooMany().isEmpty()
                ? metadataDecoder.labels()
                : own.hostname().withNodePairsOf(metadataDecoder.nodePairs());
    }

    private Optional<String> tooComplex(Resources resources) throws MalformedException {
        PartCount count = new PartCount();
        taints.forEach(count::add);
        count.add(resources.others().keySet());
        Optional<String> tooMany = count.parts() > MOST_PARTS
                ? Optional.of(LabelBlock.tooMany(count.parts(), MOST_PARTS, "taints and extended resources"))
                : count.exceeds(MOST_PARTS, MOST_CHARACTERS)
                        ? Optional.of(LabelBlock.tooMany(
                                count.characters(), MOST_CHARACTERS, "characters in its taints and extended resources"))
                        : Optional.empty();
        return metadataDecoder.ownLabels().tooMany().or(() -> tooMany);
    }

    private void spec() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.NodeSpec.UNSCHEDULABLE -> unschedulable = reader.bool();
                case Fields.NodeSpec.TAINTS -> taints.add(taint());
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
                case Fields.Taint.KEY -> key = stringCache.of(reader);
                case Fields.Taint.VALUE -> value = stringCache.of(reader);
                case Fields.Taint.EFFECT -> effect = stringCache.of(reader);
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
                case Fields.NodeStatus.ALLOCATABLE -> allocatable.add(reader);
                case Fields.NodeStatus.CAPACITY -> capacity.add(reader);
                case Fields.NodeStatus.CONDITIONS -> conditionDecoder.read(reader);
                default -> reader.skip();
            }
        }
        reader.leave(outer);
    }
}
