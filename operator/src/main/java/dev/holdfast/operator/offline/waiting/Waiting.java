package dev.holdfast.operator.offline.waiting;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.holdfast.policies.model.Pod;

/**
 * Why a pod has no node now.
 *
 * @param why the reason as a part of a sentence: {@code 3 nodes: 2 tainted gpu=true:NoSchedule; 1 not Ready}
 */
public record Waiting(State state, String why) {
    /** The pod has scheduling gates. */
    public static final Waiting GATED = new Waiting(
            State.GATED,
            "it has scheduling gates (spec.schedulingGates), so no scheduler looks at it before all are removed");

    static final Waiting NOT_CHECKED =
            new Waiting(State.NOT_CHECKED, "too many different pods wait: holdfast explain pod/NAME says why it does");

    /** What a pod without a node waits for. */
    public enum State {
        /** No node takes the pod. */
        NO_NODE("NoNode"),

        /** A node takes the pod, and its scheduler has not bound it. */
        NOT_BOUND("NotBound"),

        /** The pod has scheduling gates, so no scheduler looks at it. */
        GATED("Gated"),

        /** The scheduler makes room for the pod on a node, by preemption. */
        NOMINATED("Nominated"),

        /** Another scheduler than that of Kubernetes places the pod, by rules that are not known here. */
        OTHER_SCHEDULER("OtherScheduler"),

        /** The pod has more than Holdfast reads, so it is unknown which nodes take it. */
        UNREAD("Unread"),

        /** Too many different pods wait, so the nodes were not asked about this one. */
        NOT_CHECKED("NotChecked");

        private final String label;

        State(String label) {
            this.label = label;
        }

        /** {@return the state in documents} */
        @JsonValue
        public String label() {
            return label;
        }
    }

    /** {@return whether a pod waits for a node: it is neither bound nor finished nor being deleted} */
    public static boolean isTrueOf(Pod pod) {
        return pod.nodeName().isEmpty() && !pod.finished() && !pod.terminating();
    }
}
