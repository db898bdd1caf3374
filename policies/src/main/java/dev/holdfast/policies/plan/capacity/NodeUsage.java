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
        return shortOf(podRequirements.requests(), allocatable).map(name -> "short of " + name);
    }

    private boolean clashes(List<HostPort> wanted) {
        return wanted.stream().anyMatch(one -> hostPorts.stream().anyMatch(one::clashesWith));
    }

    private Optional<String> shortOf(Resources requests, Resources allocatable) {
        if (pods + 1 > allocatable.pods()) {
            return Optional.of("pods");
        }
        if (exceeds(requests.milliCpu(), allocatable.milliCpu(), milliCpu)) {
            return Optional.of("cpu");
        }
        if (exceeds(requests.memory(), allocatable.memory(), memory)) {
            return Optional.of("memory");
        }
        if (exceeds(requests.ephemeralStorage(), allocatable.ephemeralStorage(), ephemeralStorage)) {
            return Optional.of("ephemeral-storage");
        }
        if (!requests.others().isEmpty() && others.containsKey(Resources.UNREAD)) {
            return requests.others().keySet().stream().findFirst();
        }
        return requests.others().entrySet().stream()
                .filter(asked -> exceeds(
                        asked.getValue(),
                        allocatable.others().getOrDefault(asked.getKey(), 0L),
                        others.getOrDefault(asked.getKey(), 0L)))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    private static boolean exceeds(long asked, long allocatable, long taken) {
        return asked > 0 && asked > allocatable - taken;
    }
}
