package dev.holdfast.operator.decode.meta;

import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;

/** What is read of the conditions of a pod or a node, one after the other; one instance serves all objects of a kind. */
public final class ConditionFields {
    private static final byte[] READY = ascii("Ready");
    private static final byte[] TRUE = ascii("True");
    private static final byte[] RESIZE_PENDING = ascii("PodResizePending");
    private static final byte[] INFEASIBLE = ascii("Infeasible");
    private static final byte[] SCHEDULED = ascii("PodScheduled");
    private static final byte[] DISRUPTION_TARGET = ascii("DisruptionTarget");

    private boolean ready;
    private long readyChanged = TimestampFields.NONE;
    private boolean resizeInfeasible;
    private long bound = TimestampFields.NONE;
    private boolean beingDisrupted;

    private static byte[] ascii(String word) {
        return word.getBytes(StandardCharsets.US_ASCII);
    }

    public void clear() {
        ready = false;
        readyChanged = TimestampFields.NONE;
        resizeInfeasible = false;
        bound = TimestampFields.NONE;
        beingDisrupted = false;
    }

    /** {@return whether a condition {@code Ready} is there and true} */
    public boolean ready() {
        return ready;
    }

    /** {@return when that condition last changed, if it says so} */
    public Optional<Instant> readyChanged() {
        return TimestampFields.instant(readyChanged);
    }

    /** {@return whether a pod's node can never give what the pod asks for by now} */
    public boolean resizeInfeasible() {
        return resizeInfeasible;
    }

    /** {@return since when a pod has been bound to its node; another time where no condition says so} */
    public Instant boundOr(Instant other) {
        return bound == TimestampFields.NONE ? other : Instant.ofEpochSecond(bound);
    }

    /** {@return whether a condition says that somebody is about to remove the pod} */
    public boolean beingDisrupted() {
        return beingDisrupted;
    }

    /** Reads the field as a condition; what counts of those of pods and of nodes has the same numbers. */
    public void read(ProtoReader reader) throws MalformedException {
        boolean isReady = false;
        boolean isResize = false;
        boolean isScheduled = false;
        boolean isDisruption = false;
        boolean isTrue = false;
        boolean isInfeasible = false;
        long changed = TimestampFields.NONE;
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case ObjectFields.Condition.TYPE -> {
                    int from = reader.value();
                    isReady = reader.is(from, READY);
                    isResize = reader.is(from, RESIZE_PENDING);
                    isScheduled = reader.is(from, SCHEDULED);
                    isDisruption = reader.is(from, DISRUPTION_TARGET);
                }
                case ObjectFields.Condition.STATUS -> isTrue = reader.is(TRUE);
                case ObjectFields.Condition.LAST_TRANSITION_TIME -> changed = TimestampFields.read(reader);
                case ObjectFields.Condition.REASON -> isInfeasible = reader.is(INFEASIBLE);
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
