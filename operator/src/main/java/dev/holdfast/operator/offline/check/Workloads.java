package dev.holdfast.operator.offline.check;

import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Finds the workload of a pod: the controller of its controller, as far as the input has it. */
public final class Workloads {
    private static final String HASH_LABEL = "pod-template-hash";

    private final Map<String, Owner> owners = new HashMap<>();

    /** @param workloads the workloads of the input */
    public Workloads(Collection<Owner> workloads) {
        workloads.forEach(owner -> owners.put(owner.uid(), owner));
    }

    /** {@return the workload of a pod; the pod itself if it has no controller} */
    public Workload of(Pod pod) {
        String namespace = pod.namespace();
        return pod.victimProtection()
                .controller()
                .map(controller -> above(namespace, controller)
                        .or(() -> ofHash(pod, controller))
                        .orElse(controller))
                .map(controller -> new Workload(namespace, controller.kind(), controller.name()))
                .orElseGet(() -> new Workload(namespace, "Pod", pod.name().name()));
    }

    private Optional<Controller> above(String namespace, Controller controller) {
        return Optional.ofNullable(owners.get(controller.uid()))
                .filter(owner -> owner.name().namespace().equals(namespace))
                .flatMap(Owner::controller);
    }

    /** {@return the Deployment of a ReplicaSet: the hash in a label of each pod follows its name} */
    private static Optional<Controller> ofHash(Pod pod, Controller controller) {
        String name = controller.name();
        return pod.labels()
                .get(HASH_LABEL)
                .map(hash -> "-" + hash)
                .filter(suffix -> controller.kind().equals("ReplicaSet")
                        && name.endsWith(suffix)
                        && name.length() > suffix.length())
                .map(suffix -> new Controller(
                        "Deployment", name.substring(0, name.length() - suffix.length()), controller.uid()));
    }
}
