package dev.holdfast.policies.model;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Resources, host ports and volumes that a pod needs from a node, apart from its placement rules. Pods of one template
 * share an instance if they have no volume claims.
 *
 * @param requests the resources that must be free on a node before the pod can run there: the requests of containers,
 *     init containers, sidecar containers and overhead. Resource limits have no effect
 * @param reserved the resources that the scheduler counts as used by this pod on its node: the requests or, during an
 *     in-place resize, the largest of the desired, allocated and actual requests
 * @param hostPorts in the order of the containers, sidecar containers first
 * @param claims the names of the pod's PersistentVolumeClaims, including those of ephemeral volumes, in the order of
 *     the volumes
 * @param containers the requests and limits of each container, to which LimitRanges apply: app containers in the order
 *     of the spec, then init containers and sidecars in that order, then those of the pod as a whole, if it has any
 * @param nextRequests where the requests of its replacement come from
 * @param hasDefaults whether LimitRanges set some of the requests and limits at creation, as an annotation says. The
 *     replacement gets the present defaults
 */
public record PodRequirements(
        Resources requests,
        Resources reserved,
        List<HostPort> hostPorts,
        List<String> claims,
        List<Container> containers,
        NextRequests nextRequests,
        boolean hasDefaults) {
    /** Where the requests of a pod's replacement come from, as the pod itself shows. */
    public enum NextRequests {
        /** From this pod: the pod is as it was created, from a template that cannot have changed since. */
        SAME,

        /**
         * From the template: this pod was changed after its creation. A user or an autoscaler may have resized it in
         * place.
         */
        TEMPLATE,

        /**
         * From the template, if the owner has one: it is unknown whether this pod was changed ({@code generation} is
         * absent). The larger request of pod and template counts.
         */
        TEMPLATE_IF_KNOWN,

        /** From a template that may have been edited since. The larger request of pod and template counts. */
        LARGER,

        /** From an autoscaler, which sets requests when a pod is created, as it did for this pod. */
        AUTOSCALER,

        /** From an autoscaler for the amounts that the containers mark, and from the template for all others. */
        PARTLY_AUTOSCALER
    }

    /** The role of a container in its pod. */
    public enum Role {
        APP,
        /** An init container that ends before the next container starts. */
        INIT,
        /** An init container with {@code restartPolicy: Always}. */
        SIDECAR,
        /** No container, but the pod as a whole: {@code spec.resources}. */
        POD
    }

    /**
     * Requests and limits as the spec names them, by resource name, in thousandths: of a core, a byte or a device. A
     * resource that the spec does not name is absent, and one of 0 is not.
     *
     * @param autoscaled what an autoscaler sets when such a container is created, as {@code cpu request}
     */
    public record Container(
            String name, Role role, Map<String, Long> requests, Map<String, Long> limits, Set<String> autoscaled) {
        public Container {
            autoscaled = Set.copyOf(autoscaled);
            requests = Map.copyOf(requests);
            limits = requests.equals(limits) ? requests : Map.copyOf(limits);
        }

        /** A container of which no autoscaler sets anything. */
        public Container(String name, Role role, Map<String, Long> requests, Map<String, Long> limits) {
            this(name, role, requests, limits, Set.of());
        }

        /** {@return a copy whose requests and limits are at least those of another container} */
        public Container atLeast(Container other) {
            return new Container(
                    name, role, larger(requests, other.requests), larger(limits, other.limits), autoscaled);
        }

        /** {@return whether another one is the same container of the template, or both are the pod as a whole} */
        public boolean isNamedLike(Container other) {
            return name.equals(other.name) && (role == Role.POD) == (other.role == Role.POD);
        }

        private static Map<String, Long> larger(Map<String, Long> some, Map<String, Long> others) {
            Map<String, Long> larger = new TreeMap<>(some);
            others.forEach((resource, amount) -> larger.merge(resource, amount, Math::max));
            return larger;
        }
    }

    /** The containers of a pod that has more than Holdfast reads. No pod has a container without a name. */
    private static final List<Container> UNREAD_CONTAINERS =
            List.of(new Container("", Role.POD, Map.of(), Map.of("not read", 0L)));

    /** The name that stands for the claims of a pod that has more than Holdfast reads. No claim has such a name. */
    private static final String UNREAD_CLAIMS = "not read";

    private static final PodRequirements NONE =
            new PodRequirements(Resources.none(), Resources.none(), List.of(), List.of(), List.of());

    public PodRequirements {
        hostPorts = List.copyOf(hostPorts);
        claims = List.copyOf(claims);
        containers = List.copyOf(containers);
    }

    /** Creates the requirements of a pod for which no LimitRange set requests or limits. */
    public PodRequirements(
            Resources requests,
            Resources reserved,
            List<HostPort> hostPorts,
            List<String> claims,
            List<Container> containers,
            NextRequests nextRequests) {
        this(requests, reserved, hostPorts, claims, containers, nextRequests, false);
    }

    /** Creates the requirements of a pod whose replacement requests the same. */
    public PodRequirements(
            Resources requests,
            Resources reserved,
            List<HostPort> hostPorts,
            List<String> claims,
            List<Container> containers) {
        this(requests, reserved, hostPorts, claims, containers, NextRequests.SAME);
    }

    /** Creates the requirements of a pod without containers. */
    public PodRequirements(Resources requests, Resources reserved, List<HostPort> hostPorts, List<String> claims) {
        this(requests, reserved, hostPorts, claims, List.of());
    }

    /** {@return requirements without resources, host ports and volume claims} */
    public static PodRequirements none() {
        return NONE;
    }

    /** {@return a copy with unread host ports, which may be any} */
    public PodRequirements withUnreadHostPorts() {
        return new PodRequirements(
                requests, reserved, List.of(HostPort.unread()), claims, containers, nextRequests, hasDefaults);
    }

    /** {@return a copy with unread claims, which may use any number of volumes of any driver} */
    public PodRequirements withUnreadClaims() {
        return new PodRequirements(
                requests, reserved, hostPorts, List.of(UNREAD_CLAIMS), containers, nextRequests, hasDefaults);
    }

    /** {@return a copy whose extended resources were not read, and may be any; all other requests are kept} */
    public PodRequirements withUnreadResources() {
        return new PodRequirements(
                requests.withUnreadOthers(),
                reserved.withUnreadOthers(),
                hostPorts,
                claims,
                containers,
                nextRequests,
                hasDefaults);
    }

    /** {@return a copy whose containers were not read: their requests and limits may be any; their sum is kept} */
    public PodRequirements withUnreadContainers() {
        return with(UNREAD_CONTAINERS);
    }

    /** {@return whether the containers were not read, so that nothing is known about each of them} */
    public boolean hasUnreadContainers() {
        return containers.equals(UNREAD_CONTAINERS);
    }

    /**
     * {@return the limits of the pod by resource name, in thousandths: the largest sum of the limits of containers that
     * run at the same time; a resource that no container names is absent}
     */
    public Map<String, Long> limits() {
        return total(containers, Container::limits);
    }

    /**
     * {@return the sum of amounts of containers, in thousandths} Init containers run one after the other, each together
     * with the sidecars before it. Then all app containers and all sidecars run. Pod-level amounts replace the sum of
     * cpu, memory and huge pages.
     */
    public static Map<String, Long> total(List<Container> containers, Function<Container, Map<String, Long>> amounts) {
        Map<String, Long> running = new TreeMap<>();
        Map<String, Long> sidecars = new TreeMap<>();
        Map<String, Long> starting = new TreeMap<>();
        Map<String, Long> ofPod = new TreeMap<>();
        for (Container container : containers) {
            Map<String, Long> own = amounts.apply(container);
            switch (container.role()) {
                case APP -> add(running, own);
                case SIDECAR -> {
                    add(running, own);
                    add(sidecars, own);
                }
                case INIT -> {
                    Map<String, Long> beside = new TreeMap<>(sidecars);
                    add(beside, own);
                    beside.forEach((name, amount) -> starting.merge(name, amount, Math::max));
                }
                case POD -> ofPod.putAll(own);
            }
        }
        starting.forEach((name, amount) -> running.merge(name, amount, Math::max));
        ofPod.keySet().removeIf(name -> !mayBeShared(name) && !isOfHugePages(name));
        running.putAll(ofPod);
        return running;
    }

    /** {@return whether a pod can name a resource for all its containers, in place of their sum: cpu and memory} */
    public static boolean mayBeShared(String resource) {
        return resource.equals("cpu") || resource.equals("memory");
    }

    private static boolean isOfHugePages(String resource) {
        return resource.startsWith("hugepages-");
    }

    /** {@return whether the pod names amounts for all its containers together: {@code spec.resources}} */
    public boolean hasPodLevel() {
        return containers.stream().anyMatch(it -> it.role() == Role.POD);
    }

    /**
     * {@return the containers of a new pod, with the amounts of the pod as a whole that the API server sets, if the pod
     * names any} A request that the pod leaves out is the sum of its containers or else its limit. A limit is the sum
     * if each container has one. The API server refuses a request of cpu or memory below the sum.
     *
     * <p>Example: the pod has a limit of 2 cores, and its containers request 300m. The pod requests 300m.
     *
     * @see <a
     *     href="https://github.com/kubernetes/kubernetes/blob/v1.37.1/pkg/api/pod/util.go">DefaultPodLevelResources</a>
     */
    public static List<Container> withPodLevelDefaults(List<Container> containers) {
        Optional<Container> pod =
                containers.stream().filter(it -> it.role() == Role.POD).findFirst();
        List<Container> others =
                containers.stream().filter(it -> it.role() != Role.POD).toList();
        if (pod.isEmpty() || others.isEmpty()) {
            return containers;
        }
        Map<String, Long> requests = new TreeMap<>(pod.get().requests());
        Map<String, Long> limits = new TreeMap<>(pod.get().limits());
        Map<String, Long> sum = total(others, Container::limits);
        sum.keySet().stream()
                .filter(name -> isOfHugePages(name) && !requests.containsKey(name))
                .forEach(name -> limits.putIfAbsent(name, sum.get(name)));
        total(others, Container::requests).forEach((name, amount) -> {
            if (mayBeShared(name)) {
                requests.merge(name, amount, Math::max);
            }
        });
        limits.forEach(requests::putIfAbsent);
        requests.forEach((name, amount) -> {
            if (others.stream().allMatch(it -> it.limits().containsKey(name))) {
                limits.putIfAbsent(name, Math.max(amount, sum.getOrDefault(name, 0L)));
            }
        });
        return Stream.concat(others.stream(), Stream.of(new Container("", Role.POD, requests, limits)))
                .toList();
    }

    /** {@return these containers, with amounts of at least those of the containers with the same names in a pod} */
    public static List<Container> raised(List<Container> containers, List<Container> pod) {
        return containers.stream()
                .map(container -> pod.stream()
                        .filter(container::isNamedLike)
                        .findFirst()
                        .map(container::atLeast)
                        .orElse(container))
                .toList();
    }

    private static void add(Map<String, Long> sum, Map<String, Long> amounts) {
        amounts.forEach((name, amount) -> sum.merge(name, amount, PodRequirements::sum));
    }

    /** {@return the sum of two amounts, at most the largest number} */
    static long sum(long one, long other) {
        return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
    }

    /** {@return a copy with these containers} */
    public PodRequirements with(List<Container> others) {
        return new PodRequirements(requests, reserved, hostPorts, claims, others, nextRequests, hasDefaults);
    }

    /** {@return a copy that requests the sum of these containers and the overhead of this pod} */
    public PodRequirements requesting(List<Container> others) {
        Resources sum = ContainerSum.requests(this, others);
        return new PodRequirements(sum, sum, hostPorts, claims, others, nextRequests, hasDefaults);
    }

    /** {@return a copy whose replacement gets its requests from the given source} */
    public PodRequirements with(NextRequests next) {
        return new PodRequirements(requests, reserved, hostPorts, claims, containers, next, hasDefaults);
    }

    /** {@return a copy of which LimitRanges set some of the requests and limits} */
    public PodRequirements withDefaults() {
        return new PodRequirements(requests, reserved, hostPorts, claims, containers, nextRequests, true);
    }

    /** {@return whether the replacement may request something else than this pod} */
    public boolean mayDifferFromNext() {
        return nextRequests != NextRequests.SAME;
    }

    /** {@return whether the claims were not read, so that nothing is known about them} */
    public boolean hasUnreadClaims() {
        return claims.size() == 1 && claims.getFirst().equals(UNREAD_CLAIMS);
    }

    /** {@return a copy with these claims; this object if it has these claims already} */
    public PodRequirements withClaims(List<String> names) {
        return names.equals(claims)
                ? this
                : new PodRequirements(requests, reserved, hostPorts, names, containers, nextRequests, hasDefaults);
    }

    /** The sum of what the containers of a pod request: at most the largest sum of those that run at the same time. */
    private static final class ContainerSum {
        private static final String CPU = "cpu";
        private static final String MEMORY = "memory";
        private static final String EPHEMERAL_STORAGE = "ephemeral-storage";
        private static final long UNIT = 1_000;

        private ContainerSum() {}

        /** {@return the requests of a pod with other containers, and with the overhead of this pod} */
        static Resources requests(PodRequirements pod, List<Container> others) {
            Resources containers = resources(total(pod.containers(), Container::requests));
            Resources next = resources(total(others, Container::requests));
            Map<String, Long> extended = new TreeMap<>(next.others());
            pod.requests().others().forEach((name, amount) -> {
                long overhead = amount - containers.others().getOrDefault(name, 0L);
                if (overhead > 0) {
                    extended.merge(name, overhead, PodRequirements::sum);
                }
            });
            return new Resources(
                    next(pod.requests().milliCpu(), containers.milliCpu(), next.milliCpu()),
                    next(pod.requests().memory(), containers.memory(), next.memory()),
                    next(pod.requests().ephemeralStorage(), containers.ephemeralStorage(), next.ephemeralStorage()),
                    0,
                    extended);
        }

        /**
         * {@return the next sum of containers with the overhead, which is what the pod requests above its containers}
         */
        private static long next(long pod, long containers, long next) {
            return PodRequirements.sum(next, Math.max(0, pod - containers));
        }

        private static Resources resources(Map<String, Long> thousandths) {
            Map<String, Long> others = new TreeMap<>();
            thousandths.forEach((name, amount) -> {
                if (amount > 0 && !name.equals(CPU) && !name.equals(MEMORY) && !name.equals(EPHEMERAL_STORAGE)) {
                    others.put(name, whole(amount));
                }
            });
            return new Resources(
                    thousandths.getOrDefault(CPU, 0L),
                    whole(thousandths.getOrDefault(MEMORY, 0L)),
                    whole(thousandths.getOrDefault(EPHEMERAL_STORAGE, 0L)),
                    0,
                    others);
        }

        private static long whole(long thousandths) {
            return Math.ceilDiv(thousandths, UNIT);
        }
    }
}
