package dev.holdfast.operator.offline.loss;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.VictimProtection;
import java.util.Comparator;
import java.util.Optional;

/**
 * The name of a workload.
 *
 * @param kind of the topmost controller that pods lead to: Deployment, StatefulSet, CronJob; Pod for a pod without one
 */
record WorkloadName(String namespace, String kind, String name) implements Comparable<WorkloadName> {
    private static final Comparator<WorkloadName> ORDER = Comparator.comparing(WorkloadName::namespace)
            .thenComparing(WorkloadName::kind)
            .thenComparing(WorkloadName::name);

    /** {@return the workload of a pod; empty for pods of DaemonSets and static pods, which belong to their nodes} */
    static Optional<WorkloadName> of(Pod pod, ClusterView cluster) {
        VictimProtection protection = pod.victimProtection();
        return protection.ofDaemonSet() || protection.mirror() || pod.finished()
                ? Optional.empty()
                : Optional.of(topmost(pod, cluster)
                        .map(it -> new WorkloadName(pod.namespace(), it.kind(), it.name()))
                        .orElseGet(() -> new WorkloadName(
                                pod.namespace(), "Pod", pod.name().name())));
    }

    /** {@return the topmost controller of a pod that is known: the Deployment of its ReplicaSet} */
    static Optional<Controller> topmost(Pod pod, ClusterView cluster) {
        return pod.victimProtection()
                .controller()
                .map(direct -> cluster.owner(pod.namespace(), direct.uid())
                        .flatMap(Owner::controller)
                        .orElse(direct));
    }

    @Override
    public int compareTo(WorkloadName other) {
        return ORDER.compare(this, other);
    }
}
