package dev.holdfast.operator.decode;

import dev.holdfast.operator.decode.meta.ResourceAmounts;
import dev.holdfast.policies.model.Resources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * What a pod takes of its node in all, worked out as the scheduler does. Containers that only begin a pod run one after
 * the other, each beside those before it that stay (sidecars); containers proper run all at once, beside all that stay. So
 * a pod takes the more of the two, by resource.
 *
 * <p>Example: an init container of 3 cores, a sidecar of 1, an init container of 1, and two containers of 1 each take 3
 * cores: the first begins alone (3), the last beside the sidecar (2), and afterwards three run (3).
 *
 * <p>Requests of the pod itself stand in for the sum, for those resources that it may have them for; overhead comes on top.
 * Of a pod whose requests are changed in place the scheduler counts the most of what is asked, what its node has given,
 * and what is in force; what the node can never give does not count as asked.
 *
 * @see <a href="https://github.com/kubernetes/component-helpers/blob/v0.37.1/resource/helpers.go">PodRequests</a>. Device
 *     claims that count for a node's own resources, alpha in 1.37, are left out
 */
final class PodRequestSum {
    /** How a container counts. */
    enum Part {
        /** It begins the pod, and ends before the next does. */
        FIRST,
        /** It begins with the pod and stays: a sidecar. */
        STAYS,
        /** It is one of the containers proper. */
        PROPER
    }

    private record Container(String name, Part part, ResourceAmounts asked) {}

    private final List<Container> containers = new ArrayList<>();
    private final Map<String, ResourceAmounts> given = new HashMap<>();
    private final Map<String, ResourceAmounts> inForce = new HashMap<>();

    /** What the pod's own spec asks for, and what its status says of that. */
    final ResourceAmounts asked = new ResourceAmounts();

    final ResourceAmounts overhead = new ResourceAmounts();
    final ResourceAmounts givenInAll = new ResourceAmounts();
    final ResourceAmounts inForceInAll = new ResourceAmounts();

    /** Whether the pod's status says anything of its own resources. */
    boolean knownInAll;

    /** Whether its node can never give what is asked by now. */
    boolean infeasible;

    /** Adds a container; their order counts. */
    void container(String name, Part part, ResourceAmounts requests) {
        containers.add(new Container(name, part, requests));
    }

    /** Adds what the status says of a container; nothing is the same as no word of it. */
    void status(String name, ResourceAmounts nowGiven, ResourceAmounts nowInForce) {
        given.putIfAbsent(name, nowGiven);
        inForce.putIfAbsent(name, nowInForce);
    }

    /** {@return what the scheduler looks for on a node for such a pod} */
    Resources requests() {
        return total(sum(Container::asked), asked);
    }

    /** {@return what the scheduler counts as taken by this pod on its node} */
    Resources reserved() {
        boolean ofPod = !givenInAll.isEmpty() && !inForceInAll.isEmpty();
        ResourceAmounts most = ofPod ? givenInAll.copy() : sum(this::givenTo);
        most.raise(ofPod ? inForceInAll : sum(this::inForceFor));
        if (!infeasible) {
            most.raise(sum(Container::asked));
        }
        if (!knownInAll || asked.only(PodRequestSum::mayBeOfPod).isEmpty()) {
            return total(most, asked);
        }
        ResourceAmounts own = infeasible ? new ResourceAmounts() : asked.copy();
        return total(most, own.raise(inForceInAll).raise(givenInAll));
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
        ResourceAmounts now = given.getOrDefault(container.name, new ResourceAmounts());
        if (!now.isEmpty()) {
            return now;
        }
        return infeasible ? now : container.asked;
    }

    private ResourceAmounts inForceFor(Container container) {
        ResourceAmounts now = inForce.getOrDefault(container.name, new ResourceAmounts());
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
