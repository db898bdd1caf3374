package dev.holdfast.policies.plan.capacity;

import dev.holdfast.policies.model.HostPort;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.Resources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The resources and host ports that the pods on one node use. Sums are capped at {@link Long#MAX_VALUE}. */
final class NodeUsage {
    private long pods;
    private long milliCpu;
    private long memory;
    private long ephemeralStorage;
    private final Map<String, Long> others = new HashMap<>();
    private final List<HostPort> hostPorts = new ArrayList<>();

    /** Adds the resources and host ports of one pod. */
    void add(PodRequirements podRequirements) {
        Resources reserved = podRequirements.reserved();
        pods++;
        milliCpu = sum(milliCpu, reserved.milliCpu());
        memory = sum(memory, reserved.memory());
        ephemeralStorage = sum(ephemeralStorage, reserved.ephemeralStorage());
        reserved.others().forEach((name, amount) -> others.merge(name, amount, NodeUsage::sum));
        hostPorts.addAll(podRequirements.hostPorts());
    }

    private static long sum(long one, long other) {
        long sum = one + other;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }

    /**
     * {@return why the node has no room for one more pod, for example {@code short of cpu}; empty if it has room} Only
     * resources that the pod requests matter: others may be overcommitted.
     */
    Optional<String> against(PodRequirements podRequirements, Resources allocatable) {
        if (clashes(podRequirements.hostPorts())) {
            return Optional.of("with a host port of the pod in use");
        }
        return shortage(podRequirements, allocatable).map(shortage -> "short of " + shortage.resource());
    }

    /** {@return the resource of which too little is free for one more pod; empty if a host port is in the way first} */
    Optional<Shortage> shortage(PodRequirements podRequirements, Resources allocatable) {
        return clashes(podRequirements.hostPorts())
                ? Optional.empty()
                : shortage(podRequirements.requests(), allocatable);
    }

    private boolean clashes(List<HostPort> wanted) {
        return wanted.stream().anyMatch(one -> hostPorts.stream().anyMatch(one::clashesWith));
    }

    private Optional<Shortage> shortage(Resources requests, Resources allocatable) {
        if (pods + 1 > allocatable.pods()) {
            return shortage("pods", 1, allocatable.pods() - pods);
        }
        if (exceeds(requests.milliCpu(), allocatable.milliCpu() - milliCpu)) {
            return shortage("cpu", requests.milliCpu(), allocatable.milliCpu() - milliCpu);
        }
        if (exceeds(requests.memory(), allocatable.memory() - memory)) {
            return shortage("memory", requests.memory(), allocatable.memory() - memory);
        }
        if (exceeds(requests.ephemeralStorage(), allocatable.ephemeralStorage() - ephemeralStorage)) {
            return shortage(
                    "ephemeral-storage",
                    requests.ephemeralStorage(),
                    allocatable.ephemeralStorage() - ephemeralStorage);
        }
        // A pod with resources that were not read may use all of them.
        boolean unread = others.containsKey(Resources.UNREAD);
        for (Map.Entry<String, Long> request : requests.others().entrySet()) {
            String resource = request.getKey();
            long free =
                    unread ? 0 : allocatable.others().getOrDefault(resource, 0L) - others.getOrDefault(resource, 0L);
            if (unread || exceeds(request.getValue(), free)) {
                return shortage(resource, request.getValue(), free);
            }
        }
        return Optional.empty();
    }

    private static boolean exceeds(long requested, long free) {
        return requested > 0 && requested > free;
    }

    private static Optional<Shortage> shortage(String resource, long requested, long free) {
        return Optional.of(new Shortage(resource, requested, Math.max(0, free)));
    }
}
