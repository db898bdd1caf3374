package dev.holdfast.operator.feed;

import dev.holdfast.operator.decode.Versioned;
import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.KnownIds;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ObjectDecoder;
import dev.holdfast.policies.engine.protocol.OwnerThread;
import dev.holdfast.policies.model.ClusterEvent;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Decodes the objects of one kind, for one thread. The caches and buffers of a reader are not thread-safe: two threads
 * that shared a decoder read wrong labels, nodes and versions. So no field has this type, and a second thread is
 * refused.
 *
 * @param <F> the decoded object; a {@link Versioned} if the object's own type has no resourceVersion
 */
public final class KindReader<F> {
    private final OwnerThread owner;
    private final ObjectDecoder<F> decoder;
    private final Function<F, String> id;
    private final ToLongFunction<F> version;
    private final Function<F, ClusterEvent> changed;

    /**
     * A reader without an owner yet.
     *
     * @param kind the name of the kind, for messages
     * @param decoder used by this reader only
     * @param id returns the id of an object, with which its deletion is reported: its uid, or its name for nodes,
     *     CSINodes and namespaces
     * @param version returns the resourceVersion of an object
     * @param changed makes the event that reports a new or changed object
     */
    KindReader(
            String kind,
            ObjectDecoder<F> decoder,
            Function<F, String> id,
            ToLongFunction<F> version,
            Function<F, ClusterEvent> changed) {
        this.owner = new OwnerThread("the reader of kind " + kind);
        this.decoder = decoder;
        this.id = id;
        this.version = version;
        this.changed = changed;
    }

    /** {@return a reader of objects whose own type has no resourceVersion} */
    static <T> KindReader<Versioned<T>> versioned(
            String kind,
            ObjectDecoder<Versioned<T>> decoder,
            Function<T, String> id,
            Function<T, ClusterEvent> changed) {
        return new KindReader<>(
                kind,
                decoder,
                it -> id.apply(it.object()),
                Versioned::resourceVersion,
                it -> changed.apply(it.object()));
    }

    /**
     * {@return the event that reports an object, which is not compared with an earlier version of it}
     *
     * @throws IllegalStateException if another thread has used this reader: a bug
     */
    public ClusterEvent event(ByteSlice object) throws MalformedException {
        owner.check();
        return changed.apply(decoder.decode(object, KnownIds.NONE));
    }

    /** Decodes a new or changed object, and passes it on. */
    void changed(SeenObjects seenObjects, ByteSlice object) throws MalformedException {
        owner.check();
        F fact = decoder.decode(object, seenObjects);
        seenObjects.changed(id.apply(fact), version.applyAsLong(fact), changed.apply(fact));
    }

    /** Decodes a deleted object, and passes its deletion on. */
    void deleted(SeenObjects seenObjects, ByteSlice object) throws MalformedException {
        owner.check();
        F fact = decoder.decode(object, seenObjects);
        seenObjects.deleted(id.apply(fact), version.applyAsLong(fact));
    }
}
