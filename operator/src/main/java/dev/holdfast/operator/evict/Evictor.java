package dev.holdfast.operator.evict;

import dev.holdfast.policies.plan.EvictionAnswer;
import dev.holdfast.policies.plan.EvictionRequest;
import io.fabric8.kubernetes.client.Config;

/** Asks the Eviction API to move a pod: first as a dry run, then for real, each at most once. */
public final class Evictor implements AutoCloseable {
    /**
     * An evictor with a connection of its own.
     *
     * @param fence asked right before each request; a refusal is answered {@code NotSent}
     */
    public Evictor(Config connection, Fence fence) {}

    /** {@return the answer, once both requests are answered or the first of them decided; within about six seconds} */
    public EvictionAnswer evict(EvictionRequest request) {
        return new EvictionAnswer.NotSent("not there yet");
    }

    @Override
    public void close() {}
}
