package dev.holdfast.operator.decode.meta;

import dev.holdfast.operator.decode.fields.Fields;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import dev.holdfast.policies.model.NodeLifecycle;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Decoder of the conditions of a pod or a node. Reused for all objects of a kind, one after the other. */
public final class ConditionDecoder {
    private static final byte[] READY = ascii("Ready");
    private static final byte[] TRUE = ascii("True");
    private static final byte[] RESIZE_PENDING = ascii("PodResizePending");
    private static final byte[] INFEASIBLE = ascii("Infeasible");
    private static final byte[] SCHEDULED = ascii("PodScheduled");
    private static final byte[] DISRUPTION_TARGET = ascii("DisruptionTarget");

    private static final byte[] FALSE = ascii("False");

    /** The life-cycle conditions of a node, in the order of their precedence, and the bytes of their types. */
    private static final List<NodeLifecycle.Condition> OF_LIFECYCLE = List.of(
            NodeLifecycle.Condition.GRACEFUL_NODE_SHUTDOWN_IN_PROGRESS,
            NodeLifecycle.Condition.DRAIN_IN_PROGRESS,
            NodeLifecycle.Condition.DRAINED,
            NodeLifecycle.Condition.MAINTENANCE_IN_PROGRESS,
            NodeLifecycle.Condition.MAINTENANCE_PLANNED);

    private static final byte[][] LIFECYCLE_TYPES =
            OF_LIFECYCLE.stream().map(it -> ascii(it.type())).toArray(byte[][]::new);

    private boolean ready;
    private long readyChanged = TimestampDecoder.NONE;
    private boolean resizeInfeasible;
    private long bound = TimestampDecoder.NONE;
    private boolean beingDisrupted;
    private NodeLifecycle.Condition lifecycleCondition = NodeLifecycle.Condition.NONE;

    private static byte[] ascii(String word) {
        return word.getBytes(StandardCharsets.US_ASCII);
    }

    public void clear() {
        ready = false;
        readyChanged = TimestampDecoder.NONE;
        resizeInfeasible = false;
        bound = TimestampDecoder.NONE;
        beingDisrupted = false;
        lifecycleCondition = NodeLifecycle.Condition.NONE;
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

    /**
     * {@return the first life-cycle condition of the node that is {@code True}; if there is none, whether the status of
     * one is neither {@code True} nor {@code False}}
     */
    public NodeLifecycle.Condition lifecycleCondition() {
        return lifecycleCondition;
    }

    /** Reads the reader's current field as a condition. Conditions of pods and nodes have the same field numbers. */
    public void read(ProtoReader reader) throws MalformedException {
        boolean isReady = false;
        boolean isResize = false;
        boolean isScheduled = false;
        boolean isDisruption = false;
        NodeLifecycle.Condition lifecycle = NodeLifecycle.Condition.NONE;
        boolean isTrue = false;
        boolean isFalse = false;
        boolean isInfeasible = false;
        long changed = TimestampDecoder.NONE;
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.PodCondition.TYPE -> {
                    int from = reader.value();
                    isReady = reader.is(from, READY);
                    isResize = reader.is(from, RESIZE_PENDING);
                    isScheduled = reader.is(from, SCHEDULED);
                    isDisruption = reader.is(from, DISRUPTION_TARGET);
                    lifecycle = lifecycle(reader, from);
                }
                case Fields.PodCondition.STATUS -> {
                    int from = reader.value();
                    isTrue = reader.is(from, TRUE);
                    isFalse = reader.is(from, FALSE);
                }
                case Fields.PodCondition.LAST_TRANSITION_TIME -> changed = TimestampDecoder.read(reader);
                case Fields.PodCondition.REASON -> isInfeasible = reader.is(INFEASIBLE);
                default -> reader.skip();
            }
        }
        reader.leave(outer);
        ready |= isReady && isTrue;
        readyChanged = isReady ? changed : readyChanged;
        resizeInfeasible |= isResize && isInfeasible;
        bound = isScheduled && isTrue ? changed : bound;
        beingDisrupted |= isDisruption && isTrue;
        if (lifecycle != NodeLifecycle.Condition.NONE && !isFalse) {
            NodeLifecycle.Condition said = isTrue ? lifecycle : NodeLifecycle.Condition.UNKNOWN;
            lifecycleCondition = said.compareTo(lifecycleCondition) < 0 ? said : lifecycleCondition;
        }
    }

    private static NodeLifecycle.Condition lifecycle(ProtoReader reader, int from) {
        for (int i = 0; i < LIFECYCLE_TYPES.length; i++) {
            if (reader.is(from, LIFECYCLE_TYPES[i])) {
                return OF_LIFECYCLE.get(i);
            }
        }
        return NodeLifecycle.Condition.NONE;
    }
}
