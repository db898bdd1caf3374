package dev.holdfast.operator.decode;

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
                case 1 -> metadata.read(reader);
                case 2 -> spec();
                case 3 -> status();
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
                case 4 -> unschedulable = reader.bool();
                case 5 -> taints.add(taint());
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
                case 1 -> key = words.of(reader);
                case 2 -> value = words.of(reader);
                case 3 -> effect = words.of(reader);
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
                case 2 -> allocatable.add(reader);
                case 4 -> conditions.read(reader);
                default -> reader.skip();
            }
        }
        reader.leave(outer);
    }
}
