package dev.holdfast.operator.offline.simulate;

import dev.holdfast.policies.model.Pod;
import java.time.Instant;
import java.util.Optional;

/**
 * A pod that a change removed: a drain, a deletion, the end of its node or a scaling.
 *
 * @param pod the pod as it was
 * @param replacementUid the UID of the pod that its controller created; empty if it has none
 */
public record Displaced(Instant at, Pod pod, Optional<String> replacementUid) {
    /** {@return the same removal of a pod that has got another pod in its place since} */
    Displaced replacedBy(Displaced later) {
        return new Displaced(at, pod, later.replacementUid.or(() -> replacementUid));
    }
}
