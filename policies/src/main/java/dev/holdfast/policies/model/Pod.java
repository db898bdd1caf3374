package dev.holdfast.policies.model;

import java.util.Optional;

/**
 * A pod as the API server states it, reduced to what rules, planner and messages need.
 *
 * @param uid unique over all time; a name is not
 * @param resourceVersion grows with every change of the object
 * @param nodeName the node it is bound to; absent while it waits to be scheduled
 */
public record Pod(
        String uid,
        NamespacedName name,
        long resourceVersion,
        Labels labels,
        Optional<String> nodeName,
        Scheduling scheduling,
        PodLife life,
        Protection protection) {
    /** {@return the namespace it lives in} */
    public String namespace() {
        return name.namespace();
    }

    /** {@return whether it is bound to the node of this name} */
    public boolean isOn(String node) {
        return nodeName.isPresent() && nodeName.get().equals(node);
    }

    /** {@return whether it is, for every rule and every limit, what the same pod was before} */
    public boolean differsOnlyInStatusFrom(Pod before) {
        return before.counts() == counts()
                && before.life().terminating() == life().terminating()
                && before.nodeName().equals(nodeName)
                && before.labels().equals(labels)
                && before.scheduling().equals(scheduling);
    }

    /** {@return whether the scheduler sees it: bound and not finished (W-1, W-2); its node may still be missing} */
    public boolean counts() {
        return nodeName.isPresent() && !life.phase().terminal();
    }
}
