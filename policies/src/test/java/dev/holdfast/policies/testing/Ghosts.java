package dev.holdfast.policies.testing;

import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Phase;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodLifecycle;
import java.util.Optional;
import java.util.stream.Stream;

/** Builds pods that the scheduler ignores: finished (W-1), not bound to a node (W-2), or on a missing node (W-3). */
public final class Ghosts {
    private static final String LOST_NODE = "no such node";

    private Ghosts() {}

    /**
     * {@return four copies of the pod that the scheduler ignores: succeeded, failed, unbound and on a missing node; the
     * UID of the first sorts before the pod's UID, those of the others after it}
     */
    public static Stream<Pod> of(Pod pod) {
        return Stream.of(
                copy("0-" + pod.uid(), pod, pod.nodeName(), Phase.SUCCEEDED),
                copy(pod.uid() + "-failed", pod, pod.nodeName(), Phase.FAILED),
                copy(pod.uid() + "-waiting", pod, Optional.empty(), Phase.PENDING),
                copy(pod.uid() + "-lost", pod, Optional.of(LOST_NODE), Phase.RUNNING));
    }

    private static Pod copy(String uid, Pod pod, Optional<String> nodeName, Phase phase) {
        return new Pod(
                uid,
                new NamespacedName(pod.namespace(), uid),
                pod.resourceVersion(),
                pod.labels(),
                nodeName,
                pod.scheduling(),
                pod.podRequirements(),
                new PodLifecycle(
                        phase,
                        pod.life().ready(),
                        pod.life().creationTime(),
                        pod.life().boundTime(),
                        pod.life().deletionTime(),
                        pod.life().beingDisrupted()),
                pod.victimProtection());
    }
}
