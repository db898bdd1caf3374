package dev.holdfast.policies.plan.input;

import dev.holdfast.policies.model.NamespacedName;
import java.time.Instant;

/** A change of one pod after which its workload needs time to settle. */
public record Disturbance(String podUid, NamespacedName pod, What what, Instant at) {
    /** What happened to the pod. */
    public enum What {
        CREATED("was created"),
        /** The deletion of the pod was requested, or the pod is gone. */
        DELETED("was deleted"),
        UNREADY("is not Ready any more");

        private final String words;

        What(String words) {
            this.words = words;
        }
    }

    @Override
    public String toString() {
        return "pod " + pod + " " + what.words;
    }
}
