package dev.holdfast.policies.score;

import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.PodRequirements.Container;
import dev.holdfast.policies.model.PodRequirements.Role;
import dev.holdfast.policies.model.Resources;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Amounts of the two resources that scores depend on.
 *
 * @param milliCpu thousandths of a core
 * @param memory bytes
 */
record Load(long milliCpu, long memory) {
    static final Load NONE = new Load(0, 0);

    private static final long THOUSANDTHS = 1_000;

    /** What a container without a request of its own counts as, in thousandths: 100m and 200 MiB. */
    private static final Map<String, Long> UNNAMED = Map.of("cpu", 100L, "memory", (200L << 20) * THOUSANDTHS);

    static Load of(Resources resources) {
        return new Load(resources.milliCpu(), resources.memory());
    }

    Load plus(Load other) {
        return new Load(milliCpu + other.milliCpu, memory + other.memory);
    }

    Load minus(Load other) {
        return new Load(milliCpu - other.milliCpu, memory - other.memory);
    }

    /** {@return what a pod on a node counts for, where each container counts for something} */
    static Load spreadOut(PodRequirements pod) {
        return above(of(pod.reserved()), pod.containers(), pod.containers());
    }

    /** {@return what a new pod counts for, where each container counts for something and pod-level requests do not} */
    static Load spreadOutOfNew(PodRequirements pod) {
        List<Container> containers = pod.hasUnreadContainers()
                ? pod.containers()
                : pod.containers().stream().filter(it -> it.role() != Role.POD).toList();
        return above(of(pod.requests()), pod.containers(), containers);
    }

    /** {@return the sum of some containers, and what the pod has above the sum of all: its overhead} */
    private static Load above(Load whole, List<Container> all, List<Container> counted) {
        Map<String, Long> plain = PodRequirements.total(all, Container::requests);
        Map<String, Long> raised = PodRequirements.total(counted, Load::requests);
        return new Load(
                amount(raised, "cpu", 1) + Math.max(0, whole.milliCpu - amount(plain, "cpu", 1)),
                amount(raised, "memory", THOUSANDTHS)
                        + Math.max(0, whole.memory - amount(plain, "memory", THOUSANDTHS)));
    }

    private static Map<String, Long> requests(Container container) {
        if (container.role() == Role.POD) {
            return container.requests();
        }
        Map<String, Long> requests = new TreeMap<>(UNNAMED);
        requests.putAll(container.requests());
        return requests;
    }

    private static long amount(Map<String, Long> thousandths, String resource, long unit) {
        return Math.ceilDiv(thousandths.getOrDefault(resource, 0L), unit);
    }
}
