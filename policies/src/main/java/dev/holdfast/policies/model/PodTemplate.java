package dev.holdfast.policies.model;

import dev.holdfast.policies.model.PodRequirements.Container;
import dev.holdfast.policies.model.PodRequirements.NextRequests;
import dev.holdfast.policies.model.PodRequirements.Role;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The template from which a controller makes pods ({@code spec.template}): the parts in which a running pod can differ
 * from it. A user can resize a pod in place and add tolerations to it, and can edit the template of a ReplicaSet that
 * no Deployment controls.
 *
 * @param scheduling the required rules and the tolerations; too complex if the template was not read
 * @param requirements the requests, host ports and volume claims
 * @param nodeName the node on which all its pods run, whatever the scheduler decides; absent if the template names none
 * @param gated whether its pods have scheduling gates, so that no scheduler places them before all are removed
 * @param schedulerName the scheduler that places its pods
 * @param securityLevel the strictest level of the Pod Security Standards that its pods satisfy
 */
public record PodTemplate(
        Scheduling scheduling,
        PodRequirements requirements,
        Optional<String> nodeName,
        boolean gated,
        String schedulerName,
        PodSecurityLevel securityLevel) {
    /** The tolerations that the API server adds to each pod, by their keys. Source: DefaultTolerationSeconds. */
    private static final Set<String> ADDED_KEYS =
            Set.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable");

    private static final String EXISTS = "Exists";
    private static final String NO_EXECUTE = "NoExecute";

    /** Creates a template for pods that Kubernetes' own scheduler places and every namespace admits. */
    public PodTemplate(Scheduling scheduling, PodRequirements requirements) {
        this(
                scheduling,
                requirements,
                Optional.empty(),
                false,
                VictimProtection.DEFAULT_SCHEDULER,
                PodSecurityLevel.RESTRICTED);
    }

    /** {@return a template that was not read, for this reason: {@code it has 65 containers}} */
    public static PodTemplate unread(String why) {
        return new PodTemplate(Scheduling.tooComplex(why, List.of()), PodRequirements.none());
    }

    /** {@return why the template was not read; empty if the template was read} */
    public Optional<String> unread() {
        return scheduling.tooComplex();
    }

    /**
     * {@return the pod that the controller makes in place of another one, with the name, UID and node of that pod} A
     * container that the template lacks was added at admission, and will be again. The same applies to a request that
     * the template leaves out. The new pod tolerates what the template says and what the API server adds. Other
     * tolerations of the pod may have come from a user later.
     *
     * <p>Example: the template has the container app of 8 cores. The pod has app, which was resized to 100m, and the
     * injected sidecar proxy of 50m. The new pod requests 8050m.
     */
    public Pod inPlaceOf(Pod pod) {
        PodRequirements own = pod.podRequirements();
        List<Container> containers = PodRequirements.raised(
                PodRequirements.withPodLevelDefaults(containers(
                        own.containers(), (container, template) -> inPlaceOf(container, template, own.nextRequests()))),
                ofWholePod(own.containers()));
        Resources requests = own.requesting(containers).requests();
        PodRequirements next = new PodRequirements(
                requests,
                requests,
                union(own.hostPorts(), requirements.hostPorts()),
                union(own.claims(), requirements.claims()),
                containers,
                NextRequests.SAME,
                own.hasDefaults());
        return pod.withScheduling(pod.scheduling().withTolerations(tolerationsOf(pod)))
                .with(next);
    }

    /**
     * {@return the pod with the scheduler of the template, and with its Pod Security level if the template is less
     * strict} A running pod differs from its template if a user edited the template, or a webhook the pod.
     */
    public Pod editedIn(Pod pod) {
        VictimProtection own = pod.victimProtection();
        return pod.with(own.with(
                new PodScheduler(schedulerName, gated, ""),
                own.securityLevel().satisfies(securityLevel) ? securityLevel : own.securityLevel()));
    }

    /**
     * {@return the containers of a pod that the controller makes, before LimitRanges set defaults} A container that the
     * template lacks was added at admission, and will be again: it is as in the pod.
     *
     * <p>Example: the container app of the template names nothing, and that of the pod a limit of 500m, which was a
     * default. The next app names nothing.
     *
     * @param own the containers of the pod
     */
    public List<Container> beforeDefaults(List<Container> own) {
        return containers(own, (_, template) -> before(template));
    }

    /**
     * {@return the containers of a pod that the controller makes, without the amounts that the template leaves out}
     * Amounts that the template names are as in the pod, where a webhook may have raised them.
     *
     * @param own the containers of the pod
     */
    public List<Container> named(List<Container> own) {
        return containers(own, PodTemplate::named);
    }

    /** {@return the containers of a pod without the amounts of the pod as a whole that the API server has set} */
    public List<Container> beforePodLevelDefaults(List<Container> own) {
        return containers(
                own, (container, template) -> template.role() == Role.POD ? named(container, template) : container);
    }

    /**
     * {@return what the pod as a whole has and the template leaves out} The API server of Kubernetes 1.36 sets these
     * amounts before LimitRanges set defaults, and that of 1.37 after that.
     */
    private List<Container> ofWholePod(List<Container> own) {
        return own.stream()
                .filter(it -> it.role() == Role.POD)
                .map(it -> same(it, requirements.containers())
                        .map(template -> leftOut(it, template))
                        .orElse(it))
                .toList();
    }

    private static Container leftOut(Container own, Container template) {
        Map<String, Long> requests = new TreeMap<>(own.requests());
        requests.keySet().removeAll(requestsOf(template).keySet());
        Map<String, Long> limits = new TreeMap<>(own.limits());
        limits.keySet().removeAll(template.limits().keySet());
        return new Container(own.name(), own.role(), requests, limits);
    }

    private static Container named(Container own, Container template) {
        return new Container(
                own.name(),
                own.role(),
                named(own.requests(), requestsOf(template)),
                named(own.limits(), template.limits()));
    }

    private static Map<String, Long> named(Map<String, Long> amounts, Map<String, Long> ofTemplate) {
        Map<String, Long> named = new TreeMap<>(amounts);
        named.keySet().retainAll(ofTemplate.keySet());
        return named;
    }

    /** {@return a container of the template, before LimitRanges set defaults} */
    private static Container before(Container template) {
        return new Container(template.name(), template.role(), requestsOf(template), template.limits());
    }

    private List<Container> containers(List<Container> own, BinaryOperator<Container> inPlaceOf) {
        List<Container> templates = requirements.containers();
        return Stream.concat(
                        own.stream()
                                .map(container -> same(container, templates)
                                        .map(template -> inPlaceOf.apply(container, template))
                                        .orElse(container)),
                        templates.stream()
                                .filter(template -> same(template, own).isEmpty())
                                .map(PodTemplate::before))
                .toList();
    }

    private static Optional<Container> same(Container one, List<Container> containers) {
        return containers.stream().filter(one::isNamedLike).findFirst();
    }

    private static Container inPlaceOf(Container own, Container template, NextRequests next) {
        Container kept = template.role() == Role.POD ? named(own, template) : own;
        return new Container(
                own.name(),
                template.role(),
                chosen(
                        kept.requests(),
                        requestsOf(template),
                        next,
                        name -> own.autoscaled().contains(name + " request")),
                chosen(
                        kept.limits(),
                        template.limits(),
                        next,
                        name -> own.autoscaled().contains(name + " limit")));
    }

    /**
     * {@return the requests of a container in a template} Kubernetes takes a limit without a request for the request.
     * For the pod as a whole, the sum of the containers comes first.
     */
    private static Map<String, Long> requestsOf(Container template) {
        Map<String, Long> requests = new TreeMap<>(template.role() == Role.POD ? Map.of() : template.limits());
        requests.putAll(template.requests());
        return requests;
    }

    private static Map<String, Long> chosen(
            Map<String, Long> own, Map<String, Long> ofTemplate, NextRequests next, Predicate<String> isAutoscaled) {
        Map<String, Long> amounts = new TreeMap<>(own);
        switch (next) {
            case TEMPLATE -> amounts.putAll(ofTemplate);
            case TEMPLATE_IF_KNOWN, LARGER ->
                ofTemplate.forEach((name, amount) -> amounts.merge(name, amount, Math::max));
            case SAME, AUTOSCALER -> ofTemplate.forEach(amounts::putIfAbsent);
            case PARTLY_AUTOSCALER ->
                ofTemplate.forEach((name, amount) ->
                        amounts.merge(name, amount, (old, other) -> isAutoscaled.test(name) ? old : other));
        }
        return amounts;
    }

    private List<Toleration> tolerationsOf(Pod pod) {
        List<Toleration> own = pod.scheduling().tolerations().stream()
                .filter(it -> scheduling.tolerations().contains(it) || isAdded(it))
                .toList();
        return union(own, scheduling.tolerations());
    }

    private static boolean isAdded(Toleration toleration) {
        return ADDED_KEYS.contains(toleration.key())
                && toleration.operator().equals(EXISTS)
                && toleration.effect().equals(NO_EXECUTE);
    }

    private static <T> List<T> union(List<T> some, List<T> others) {
        return Stream.concat(some.stream(), others.stream()).distinct().toList();
    }
}
