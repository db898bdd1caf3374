package dev.holdfast.operator.decode.meta;

import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;

/** Decoder of the conditions of a pod or a node. It is reused for all objects of a kind, one after the other. */
public final class ConditionDecoder {
    private static final byte[] READY = ascii("Ready");
    private static final byte[] TRUE = ascii("True");
    private static final byte[] RESIZE_PENDING = ascii("PodResizePending");
    private static final byte[] INFEASIBLE = ascii("Infeasible");
    private static final byte[] SCHEDULED = ascii("PodScheduled");
    private static final byte[] DISRUPTION_TARGET = ascii("DisruptionTarget");

    private boolean ready;
    private long readyChanged = TimestampDecoder.NONE;
    private boolean resizeInfeasible;
    private long bound = TimestampDecoder.NONE;
    private boolean beingDisrupted;

    private static byte[] ascii(String word) {
        return word.getBytes(StandardCharsets.US_ASCII);
    }

    public void clear() {
        ready = false;
        readyChanged = TimestampDecoder.NONE;
        resizeInfeasible = false;
        bound = TimestampDecoder.NONE;
        beingDisrupted = false;
    }

    /** {@return whether the condition {@code Ready} is {@code True}} */
    public boolean ready() {
        return ready;
    }

    /** {@return the {@code lastTransitionTime} of the condition {@code Ready}; empty if absent} */
    public Optional<Instant> readyChanged() {
        return TimestampDecoder.instant(readyChanged);
    }

    /** {@return whether the kubelet reports the pod's resize as {@code Infeasible} on its node} */
    public boolean resizeInfeasible() {
        return resizeInfeasible;
    }

    /** {@return when the condition {@code PodScheduled} became true; the given instant if it is absent or not true} */
    public Instant boundOr(Instant other) {
        return bound == TimestampDecoder.NONE ? other : Instant.ofEpochSecond(bound);
    }

    /** {@return whether the condition {@code DisruptionTarget} announces that the pod will be removed} */
    public boolean beingDisrupted() {
        return beingDisrupted;
    }

    /** Reads the reader's current field as a condition. Conditions of pods and nodes have the same field numbers. */
    public void read(ProtoReader reader) throws MalformedException {
        boolean isReady = false;
        boolean isResize = false;
        boolean isScheduled = false;
        boolean isDisruption = false;
        boolean isTrue = false;
        boolean isInfeasible = false;
        long changed = TimestampDecoder.NONE;
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case ObjectFieldNumbers.Condition.TYPE -> {
                    int from = reader.value();
                    isReady = reader.is(from, READY);
                    isResize = reader.is(from, RESIZE_PENDING);
                    isScheduled = reader.is(from, SCHEDULED);
                    isDisruption = reader.is(from, DISRUPTION_TARGET);
                }
                case ObjectFieldNumbers.Condition.STATUS -> isTrue = reader.is(TRUE);
                case ObjectFieldNumbers.Condition.LAST_TRANSITION_TIME -> changed = TimestampDecoder.read(reader);
                case ObjectFieldNumbers.Condition.REASON -> isInfeasible = reader.is(INFEASIBLE);
                default -> reader.skip();
            }
        }
        reader.leave(outer);
        ready |= isReady && isTrue;
        readyChanged = isReady ? changed : readyChanged;
        resizeInfeasible |= isResize && isInfeasible;
        bound = isScheduled && isTrue ? changed : bound;
        beingDisrupted |= isDisruption && isTrue;
    }
}
