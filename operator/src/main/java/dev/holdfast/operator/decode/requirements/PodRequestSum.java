package dev.holdfast.operator.decode.requirements;

import dev.holdfast.operator.decode.meta.ResourceAmounts;
import dev.holdfast.policies.model.Resources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The total resource requests of a pod, computed as the scheduler does. Init containers run one after the other, each
 * together with the sidecars started before it. Then all app containers and all sidecars run together. The pod's
 * request of each resource is the maximum that runs at the same time.
 *
 * <p>Example: a pod has an init container of 3 cores, a sidecar of 1, an init container of 1, and two app containers of
 * 1 each. The pod requests 3 cores: the first init container runs alone (3), the second beside the sidecar (2), and
 * finally three containers run (3).
 *
 * <p>Pod-level requests replace this sum for cpu, memory and huge pages. The pod's overhead is added. During an
 * in-place resize the scheduler counts the largest of the desired, the allocated and the actual requests. The scheduler
 * ignores desired requests that the kubelet reports as infeasible. Device claims (DRA) that use a node's own resources,
 * alpha in 1.37, are left out.
 *
 * @see <a href="https://github.com/kubernetes/component-helpers/blob/v0.37.1/resource/helpers.go">PodRequests</a>
 */
final class PodRequestSum {
    /** The role of a container in its pod. */
    enum Part {
        /** An init container, which ends before the next container starts. */
        FIRST,
        /** A sidecar: an init container with {@code restartPolicy: Always}, which keeps running. */
        STAYS,
        /** An app container. */
        PROPER
    }

    private record Container(String name, Part part, ResourceAmounts desired) {}

    private final List<Container> containers = new ArrayList<>();
    private final Map<String, ResourceAmounts> allocated = new HashMap<>();
    private final Map<String, ResourceAmounts> actual = new HashMap<>();

    /** The desired pod-level requests, from the spec; empty if there are none. */
    final ResourceAmounts desired = new ResourceAmounts();

    /** The overhead of the pod, from the spec. */
    final ResourceAmounts overhead = new ResourceAmounts();
    /** The allocated pod-level requests, from the status; empty if there are none. */
    final ResourceAmounts givenInAll = new ResourceAmounts();
    /** The actual pod-level requests, from the status; empty if there are none. */
    final ResourceAmounts actualPodLevel = new ResourceAmounts();

    /**
     * Whether the pod's status has the pod-level field {@code resources}. Without the field, {@link #reserved} counts
     * only the desired pod-level requests.
     */
    boolean hasPodLevelStatus;

    /**
     * Whether the kubelet reports the desired in-place resize as infeasible on the pod's node. Then {@link #reserved}
     * ignores the desired requests.
     */
    boolean infeasible;

    /**
     * Adds a container. Add init containers in the order of the spec: each is summed with the sidecars added before it.
     */
    void container(String name, Part part, ResourceAmounts requests) {
        containers.add(new Container(name, part, requests));
    }

    /**
     * Adds the requests in the status of a container. The requests may be empty, for example before the kubelet has set
     * them.
     *
     * @param nowGiven the allocated requests; if empty, the desired ones count unless they are infeasible
     * @param nowInForce the actual requests; if empty, the allocated ones count
     */
    void status(String name, ResourceAmounts nowGiven, ResourceAmounts nowInForce) {
        allocated.putIfAbsent(name, nowGiven);
        actual.putIfAbsent(name, nowInForce);
    }

    /** {@return the resources that must be free on a node before the scheduler places this pod there} */
    Resources requests() {
        return total(sum(Container::desired), desired);
    }

    /** {@return the resources that the scheduler counts as used by this pod once it is on a node} */
    Resources reserved() {
        boolean ofPod = !givenInAll.isEmpty() && !actualPodLevel.isEmpty();
        ResourceAmounts most = ofPod ? givenInAll.copy() : sum(this::givenTo);
        most.raise(ofPod ? actualPodLevel : sum(this::inForceFor));
        if (!infeasible) {
            most.raise(sum(Container::desired));
        }
        if (!hasPodLevelStatus || desired.only(PodRequestSum::mayBeOfPod).isEmpty()) {
            return total(most, desired);
        }
        ResourceAmounts own = infeasible ? new ResourceAmounts() : desired.copy();
        return total(most, own.raise(actualPodLevel).raise(givenInAll));
    }

    private Resources total(ResourceAmounts sum, ResourceAmounts own) {
        return sum.replace(own.only(PodRequestSum::mayBeOfPod)).add(overhead).resources();
    }

    private static boolean mayBeOfPod(String resource) {
        return resource.equals(ResourceAmounts.CPU)
                || resource.equals(ResourceAmounts.MEMORY)
                || resource.startsWith("hugepages-");
    }

    private ResourceAmounts givenTo(Container container) {
        ResourceAmounts now = allocated.getOrDefault(container.name, new ResourceAmounts());
        if (!now.isEmpty()) {
            return now;
        }
        return infeasible ? now : container.desired;
    }

    private ResourceAmounts inForceFor(Container container) {
        ResourceAmounts now = actual.getOrDefault(container.name, new ResourceAmounts());
        return now.isEmpty() ? givenTo(container) : now;
    }

    private ResourceAmounts sum(Function<Container, ResourceAmounts> of) {
        ResourceAmounts running = new ResourceAmounts();
        ResourceAmounts staying = new ResourceAmounts();
        ResourceAmounts beginning = new ResourceAmounts();
        for (Container container : containers) {
            ResourceAmounts own = of.apply(container);
            switch (container.part) {
                case PROPER -> running.add(own);
                case STAYS -> {
                    running.add(own);
                    staying.add(own);
                }
                case FIRST -> beginning.raise(staying.copy().add(own));
            }
        }
        return running.raise(beginning);
    }
}
