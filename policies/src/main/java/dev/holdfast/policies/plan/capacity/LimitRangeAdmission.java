package dev.holdfast.policies.plan.capacity;

import dev.holdfast.policies.model.LimitRange;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.PodRequirements.Container;
import dev.holdfast.policies.model.PodRequirements.Role;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The admission plugin LimitRanger for new pods: it gives containers the default requests and limits that they leave
 * out, then compares each container, and the sum of the pod, with the limits.
 *
 * <p>Example: a container requests 2 cores and has no limit. A LimitRange has the default limit of 1 core. The API
 * server refuses the pod, because its request is above its limit.
 *
 * <p>Of the defaults of several LimitRanges, the API server applies those of any one LimitRange. So all these defaults
 * count here: the least against a minimum, the largest against a maximum.
 *
 * @see <a href="https://github.com/kubernetes/kubernetes/tree/v1.37.1/plugin/pkg/admission/limitranger">LimitRanger</a>
 */
final class LimitRangeAdmission {
    /** The maximum number of LimitRanges of a namespace that Holdfast reads. */
    static final int MOST = 8;

    private static final String REMEDY = "; change the LimitRange or the pod template";
    private static final String OTHERWISE = ", or set allow: [ReplacementRefused] in the policy if they admit the pod";
    private static final String ALLOWANCE = "; make it smaller" + OTHERWISE;
    private static final int SCALE = 3;
    private static final double RATIO_UNIT = 1000;

    /**
     * Whether all LimitRanges of the namespace are read. If not, another one may set a default that is missing here.
     */
    private enum Defaults {
        ALL_READ,
        SOME_UNREAD
    }

    /** A container, or the pod as a whole, with the least and with the largest defaults that it can get. */
    private record Demand(Container least, Container most) {}

    private final LimitRange limitRange;
    private final LimitRange.Item item;
    private final Demand demand;
    private final Defaults defaults;

    private LimitRangeAdmission(LimitRange limitRange, LimitRange.Item item, Demand demand, Defaults defaults) {
        this.limitRange = limitRange;
        this.item = item;
        this.demand = demand;
        this.defaults = defaults;
    }

    /**
     * {@return why the plugin would refuse a new pod of a namespace with these LimitRanges; empty if the pod is
     * admitted}
     */
    static Optional<String> refusal(PodRequirements pod, Collection<LimitRange> limitRanges) {
        if (limitRanges.isEmpty()) {
            return Optional.empty();
        }
        if (limitRanges.size() > MOST) {
            return Optional.of("the namespace has " + limitRanges.size() + " LimitRanges, and Holdfast reads " + MOST
                    + ", so another one may refuse the pod; delete LimitRanges or merge them" + OTHERWISE);
        }
        List<LimitRange> sorted = sorted(limitRanges).toList();
        return unread(pod, sorted).or(() -> byItems(pod, sorted, Defaults.ALL_READ));
    }

    /**
     * {@return why the plugin refuses a new pod, by the LimitRanges of its namespace that were read} LimitRanges that
     * are not read count as satisfied.
     */
    static Optional<String> knownRefusal(PodRequirements pod, Collection<LimitRange> limitRanges) {
        if (pod.hasUnreadContainers()) {
            return Optional.empty();
        }
        List<LimitRange> read =
                sorted(limitRanges).filter(it -> !it.isUnread()).limit(MOST).toList();
        return byItems(pod, read, read.size() == limitRanges.size() ? Defaults.ALL_READ : Defaults.SOME_UNREAD);
    }

    private static Stream<LimitRange> sorted(Collection<LimitRange> limitRanges) {
        return limitRanges.stream().sorted(Comparator.comparing(it -> it.name().name()));
    }

    /** {@return these containers with the defaults of the LimitRanges that are read; of several, the largest} */
    static List<Container> withDefaults(List<Container> containers, Collection<LimitRange> limitRanges) {
        return withDefaults(containers, items(sorted(limitRanges).limit(MOST).toList()), Math::max);
    }

    /**
     * {@return these containers with at least the defaults of LimitRanges, whatever they name} Of several, the largest.
     */
    static List<Container> raised(List<Container> containers, Collection<LimitRange> limitRanges) {
        List<Container> bare = containers.stream()
                .map(container -> new Container(container.name(), container.role(), Map.of(), Map.of()))
                .toList();
        return PodRequirements.raised(containers, withDefaults(bare, limitRanges));
    }

    private static List<LimitRange.Item> items(Collection<LimitRange> limitRanges) {
        return limitRanges.stream().flatMap(it -> it.items().stream()).toList();
    }

    private static Optional<String> unread(PodRequirements pod, List<LimitRange> limitRanges) {
        return limitRanges.stream()
                .filter(it -> it.isUnread()
                        || (pod.hasUnreadContainers() && !it.items().isEmpty()))
                .findFirst()
                .map(it -> "LimitRange " + it.name().name() + " may refuse the pod: "
                        + (it.isUnread() ? "it has more limits" : "the pod has more containers, requests and limits")
                        + " than Holdfast reads" + ALLOWANCE);
    }

    private static Optional<String> byItems(PodRequirements pod, List<LimitRange> limitRanges, Defaults defaults) {
        List<Container> least = withDefaults(pod.containers(), items(limitRanges), Math::min);
        List<Container> most = withDefaults(pod.containers(), items(limitRanges), Math::max);
        List<Demand> containers = IntStream.range(0, least.size())
                .filter(i -> least.get(i).role() != Role.POD)
                .mapToObj(i -> new Demand(least.get(i), most.get(i)))
                .toList();
        Demand sum = new Demand(
                sum(PodRequirements.withPodLevelDefaults(least)), sum(PodRequirements.withPodLevelDefaults(most)));
        return limitRanges.stream()
                .flatMap(limitRange -> limitRange.items().stream()
                        .flatMap(item -> (item.type() == LimitRange.Type.POD ? List.of(sum) : containers)
                                .stream().map(demand -> new LimitRangeAdmission(limitRange, item, demand, defaults))))
                .flatMap(comparison -> comparison.refusal().stream())
                .findFirst()
                .or(() -> belowRequest(pod.containers(), limitRanges))
                .or(() -> abovePod(pod.containers(), limitRanges));
    }

    /** @param choice which of the defaults of several LimitRanges counts */
    private static List<Container> withDefaults(
            List<Container> containers, List<LimitRange.Item> items, BinaryOperator<Long> choice) {
        return containers.stream()
                .map(container -> container.role() == Role.POD ? container : withDefaults(container, items, choice))
                .toList();
    }

    private static Container withDefaults(
            Container container, List<LimitRange.Item> items, BinaryOperator<Long> choice) {
        Map<String, Long> limits = new HashMap<>();
        Map<String, Long> requests = new HashMap<>();
        items.stream().filter(item -> item.type() == LimitRange.Type.CONTAINER).forEach(item -> {
            item.defaultLimits().forEach((resource, amount) -> limits.merge(resource, amount, choice));
            item.defaultRequests().forEach((resource, amount) -> requests.merge(resource, amount, choice));
        });
        // Kubernetes takes a limit without a request for the request, before any plugin sees the pod.
        requests.putAll(container.limits());
        requests.putAll(container.requests());
        limits.putAll(container.limits());
        return new Container(container.name(), container.role(), requests, limits);
    }

    /** {@return what the pod needs of each resource: what it names for all its containers, or their sum} */
    private static Container sum(List<Container> containers) {
        return new Container("", Role.POD, sum(containers, Container::requests), sum(containers, Container::limits));
    }

    private static Map<String, Long> sum(List<Container> containers, Function<Container, Map<String, Long>> amounts) {
        return PodRequirements.total(containers, container -> {
            Map<String, Long> own = new HashMap<>(amounts.apply(container));
            if (container.role() == Role.POD) {
                own.keySet().removeIf(name -> !PodRequirements.mayBeShared(name));
            }
            return own;
        });
    }

    private Optional<String> refusal() {
        // A default that is not read can add to the sum of the pod.
        return item.type() == LimitRange.Type.POD && defaults == Defaults.SOME_UNREAD
                ? first(item.max(), this::aboveMax)
                : byAll();
    }

    private Optional<String> byAll() {
        return first(item.min(), this::belowMin)
                .or(() -> first(item.max(), this::aboveMax))
                .or(() -> first(item.maxLimitRequestRatio(), this::aboveRatio));
    }

    /** A comparison of one resource with a limit. */
    @FunctionalInterface
    private interface Comparison {
        Optional<String> with(String resource, long limit);
    }

    private static Optional<String> first(Map<String, Long> limits, Comparison comparison) {
        return limits.entrySet().stream()
                .flatMap(limit -> comparison.with(limit.getKey(), limit.getValue()).stream())
                .findFirst();
    }

    private Optional<String> belowMin(String resource, long min) {
        Long request = demand.least.requests().get(resource);
        Long limit = demand.least.limits().get(resource);
        String rule = "a minimum of " + text(min) + " of " + resource;
        if (request == null) {
            return lacking(rule, "requests none");
        }
        if (request < min) {
            return refused(rule, "requests " + text(request));
        }
        return limit != null && limit < min ? refused(rule, "has a limit of " + text(limit)) : Optional.empty();
    }

    private Optional<String> aboveMax(String resource, long max) {
        Long request = demand.most.requests().get(resource);
        Long limit = demand.most.limits().get(resource);
        String rule = "a maximum of " + text(max) + " of " + resource;
        if (limit == null) {
            return lacking(rule, "has no limit");
        }
        if (limit > max) {
            return refused(rule, "has a limit of " + text(limit));
        }
        return request != null && request > max ? refused(rule, "requests " + text(request)) : Optional.empty();
    }

    private Optional<String> aboveRatio(String resource, long ratio) {
        long request = demand.least.requests().getOrDefault(resource, 0L);
        long limit = demand.most.limits().getOrDefault(resource, 0L);
        String rule = "a limit of at most " + text(ratio) + " times the request of " + resource;
        if (request == 0) {
            return lacking(rule, "requests none");
        }
        if (demand.least.limits().getOrDefault(resource, 0L) == 0) {
            return lacking(rule, "has no limit");
        }
        return (double) limit / request * RATIO_UNIT > ratio
                ? refused(rule, "has a limit of " + text(limit) + " and requests " + text(request))
                : Optional.empty();
    }

    private Optional<String> lacking(String rule, String actual) {
        return defaults == Defaults.SOME_UNREAD ? Optional.empty() : refused(rule, actual);
    }

    private Optional<String> refused(String rule, String actual) {
        return Optional.of("LimitRange " + limitRange.name().name() + " sets " + rule + " for each "
                + (item.type() == LimitRange.Type.POD ? "pod" : "container") + ", and "
                + subject(demand.most.role(), demand.most.name())
                + " " + actual + REMEDY);
    }

    /**
     * {@return the refusal of the validation after the plugins: a default limit is below the request of a container}
     */
    private static Optional<String> belowRequest(List<Container> containers, List<LimitRange> limitRanges) {
        return limitRanges.stream()
                .flatMap(limitRange -> itemsOfContainers(limitRange)
                        .flatMap(item -> containers.stream()
                                .filter(container -> container.role() != Role.POD)
                                .flatMap(container -> belowRequest(container, limitRange, item, limitRanges).stream())))
                .findFirst();
    }

    private static Stream<LimitRange.Item> itemsOfContainers(LimitRange limitRange) {
        return limitRange.items().stream().filter(item -> item.type() == LimitRange.Type.CONTAINER);
    }

    private static Optional<String> belowRequest(
            Container container, LimitRange limitRange, LimitRange.Item item, List<LimitRange> limitRanges) {
        return first(item.defaultLimits(), (resource, limit) -> {
            Optional<String> request = container.limits().containsKey(resource)
                    ? Optional.empty()
                    : container.requests().containsKey(resource)
                            ? Optional.of(container.requests().getOrDefault(resource, 0L))
                                    .filter(own -> own > limit)
                                    .map(LimitRangeAdmission::text)
                            : defaultAbove(limit, resource, item, limitRanges);
            return request.map(it -> "LimitRange " + limitRange.name().name() + " sets a default limit of "
                    + text(limit) + " of " + resource + ", and " + subject(container.role(), container.name())
                    + " requests " + it + REMEDY);
        });
    }

    /**
     * {@return a default request above a default limit that a container can get together with it} The first of several
     * LimitRanges sets each default that it has.
     *
     * <p>Example: LimitRange a has the default limit and request of 100m, and b has only the default request of 500m.
     * If b is first, a container requests 500m and has a limit of 100m.
     */
    private static Optional<String> defaultAbove(
            long limit, String resource, LimitRange.Item item, List<LimitRange> limitRanges) {
        return limitRanges.stream()
                .flatMap(limitRange -> itemsOfContainers(limitRange)
                        .filter(other -> other.equals(item)
                                || !other.defaultLimits().containsKey(resource)
                                || !item.defaultRequests().containsKey(resource))
                        .filter(other -> other.defaultRequests().getOrDefault(resource, 0L) > limit)
                        .map(other -> text(other.defaultRequests().getOrDefault(resource, 0L))
                                + (other.equals(item)
                                        ? ""
                                        : " if the default of LimitRange "
                                                + limitRange.name().name() + " is the first")))
                .findFirst();
    }

    /**
     * {@return the refusal of the validation after the plugins: defaults are above the amounts of the pod as a whole} A
     * limit of an app container must not be above the limit of the pod. The requests of all containers must not be
     * above the request of the pod or, if it has none, its limit.
     *
     * @see <a href="https://github.com/kubernetes/kubernetes/blob/v1.37.1/pkg/apis/core/validation/validation.go">
     *     validatePodResourceConsistency</a>
     */
    private static Optional<String> abovePod(List<Container> containers, List<LimitRange> limitRanges) {
        return containers.stream()
                .filter(it -> it.role() == Role.POD)
                .findFirst()
                .flatMap(pod -> limitRanges.stream()
                        .flatMap(limitRange -> itemsOfContainers(limitRange)
                                .flatMap(item -> abovePod(containers, pod, item, limitRanges).stream())
                                .map(what -> "LimitRange " + limitRange.name().name() + " sets a default " + what
                                        + " for all its containers" + REMEDY))
                        .findFirst());
    }

    private static Optional<String> abovePod(
            List<Container> containers, Container pod, LimitRange.Item item, List<LimitRange> limitRanges) {
        Map<String, Long> before = requests(containers, List.of());
        Map<String, Long> after = requests(containers, items(limitRanges));
        return first(
                        item.defaultLimits(),
                        (resource, limit) -> containers.stream()
                                .filter(it ->
                                        it.role() == Role.APP && !it.limits().containsKey(resource))
                                .findFirst()
                                .filter(_ -> limit > pod.limits().getOrDefault(resource, limit))
                                .map(_ ->
                                        "limit of " + text(limit) + " of " + resource + ", and the pod has a limit of "
                                                + text(pod.limits().getOrDefault(resource, limit))))
                .or(() -> first(item.defaultRequests(), (resource, request) -> {
                    long sum = after.getOrDefault(resource, 0L);
                    long most =
                            pod.requests().getOrDefault(resource, pod.limits().getOrDefault(resource, sum));
                    return sum > most && before.getOrDefault(resource, 0L) <= most
                            ? Optional.of("request of " + text(request) + " of " + resource
                                    + ", so the containers request " + text(sum) + ", and the pod allows " + text(most))
                            : Optional.empty();
                }));
    }

    private static Map<String, Long> requests(List<Container> containers, List<LimitRange.Item> items) {
        return PodRequirements.total(
                withDefaults(containers, items, Math::max),
                container -> container.role() == Role.POD ? Map.of() : container.requests());
    }

    private static String subject(Role role, String name) {
        return switch (role) {
            case APP, SIDECAR -> "container " + name;
            case INIT -> "init container " + name;
            case POD -> "the pod";
        };
    }

    private static String text(long thousandths) {
        return BigDecimal.valueOf(thousandths, SCALE).stripTrailingZeros().toPlainString();
    }
}
