package dev.holdfast.operator.offline.dump.admission;

import dev.holdfast.operator.decode.fields.Fields;
import dev.holdfast.operator.decode.meta.TimestampDecoder;
import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import dev.holdfast.policies.model.Taint;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** When taints of nodes were set: their {@code timeAdded}, which the operator does not read. */
public final class TaintTimes {
    private final Map<Key, Instant> times = new HashMap<>();

    private record Key(String node, Taint taint) {}

    /** {@return when a taint was set; empty if the node does not say it} */
    public Optional<Instant> of(String node, Taint taint) {
        return Optional.ofNullable(times.get(new Key(node, taint)));
    }

    /**
     * Reads the taints of a node, in place of those that were read before.
     *
     * @param object the node in protobuf
     */
    void read(String node, ByteSlice object) throws MalformedException {
        times.keySet().removeIf(key -> key.node().equals(node));
        ProtoReader reader = new ProtoReader();
        reader.open(object);
        while (reader.next()) {
            if (reader.field() != Fields.Node.SPEC) {
                reader.skip();
                continue;
            }
            int outer = reader.enter();
            while (reader.next()) {
                if (reader.field() == Fields.NodeSpec.TAINTS) {
                    taint(node, reader);
                } else {
                    reader.skip();
                }
            }
            reader.leave(outer);
        }
    }

    private void taint(String node, ProtoReader reader) throws MalformedException {
        String key = "";
        String value = "";
        String effect = "";
        Optional<Instant> added = Optional.empty();
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.Taint.KEY -> key = reader.string();
                case Fields.Taint.VALUE -> value = reader.string();
                case Fields.Taint.EFFECT -> effect = reader.string();
                case Fields.Taint.TIME_ADDED -> added = TimestampDecoder.instant(TimestampDecoder.read(reader));
                default -> reader.skip();
            }
        }
        reader.leave(outer);
        Taint taint = new Taint(key, value, effect);
        added.ifPresent(at -> times.put(new Key(node, taint), at));
    }
}
