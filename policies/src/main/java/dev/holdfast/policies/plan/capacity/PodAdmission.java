package dev.holdfast.policies.plan.capacity;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.LimitRange;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.PodRequirements.Container;
import dev.holdfast.policies.model.PodSecurityLevel;
import dev.holdfast.policies.model.PodTemplate;
import dev.holdfast.policies.model.StatefulSetRevisions;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The admission plugins of the API server that read only objects that Holdfast knows, apart from ResourceQuota. Planner
 * and simulations decide by this class whether a new pod is admitted.
 */
public final class PodAdmission {
    private PodAdmission() {}

    /**
     * {@return the condition ReplicaFailure of a controller that cannot create pods, as a sentence; empty without this
     * condition}
     */
    public static Optional<String> failure(Owner owner) {
        return owner.replicaFailure()
                .map(message -> owner.kind() + " " + owner.name() + " cannot create pods (condition ReplicaFailure): "
                        + message);
    }

    /**
     * {@return why the API server would refuse a new pod in place of another one, as a sentence; as {@link #refusal}}
     */
    public static Optional<String> refusalOfReplacement(Pod pod, ClusterView view) {
        return refusal(pod, view).map(PodAdmission::ofReplacement);
    }

    /**
     * {@return why the API server would refuse the replacement of a pod that a policy calls exempt, as a sentence} The
     * API server may exempt pods from Pod Security, but not from LimitRanges. LimitRanges that Holdfast does not read
     * count as satisfied.
     */
    public static Optional<String> refusalOfExempt(Pod pod, ClusterView view) {
        return LimitRangeAdmission.knownRefusal(beforeDefaults(pod, view), view.limitRangesIn(pod.namespace()))
                .map(PodAdmission::ofReplacement);
    }

    private static String ofReplacement(String why) {
        return "the API server would refuse the replacement: " + why;
    }

    /**
     * {@return why the API server would refuse a new pod, as a part of a sentence; empty if no known plugin refuses it}
     */
    public static Optional<String> refusal(Pod pod, ClusterView view) {
        return view.namespace(pod.namespace())
                .flatMap(namespace -> bySecurity(pod, namespace, view))
                .or(() -> LimitRangeAdmission.refusal(beforeDefaults(pod, view), view.limitRangesIn(pod.namespace())));
    }

    /**
     * {@return a new pod with the requests and limits that the present LimitRanges set} Of several defaults, the
     * largest counts. No amount is below that of the given pod: a webhook may have set it, and not an earlier
     * LimitRange.
     *
     * <p>Example: a LimitRange set 100m of cpu when the pod was created, and sets 2 cores now. The new pod requests 2
     * cores. If the LimitRange sets 50m now, the new pod requests 100m.
     */
    public static Pod withDefaults(Pod pod, ClusterView view) {
        List<Container> own = pod.podRequirements().containers();
        List<Container> containers = containersOfNow(pod, view);
        return containers.equals(own)
                ? pod
                : requesting(pod, PodRequirements.raised(PodRequirements.withPodLevelDefaults(containers), own));
    }

    /**
     * {@return the new pods that the API server may make, each with the present defaults} The first pod has at least
     * the amounts of the given one. The other pod lacks amounts that an earlier LimitRange may have set, for which a
     * quota may refuse it.
     */
    public static List<Pod> admitted(Pod pod, ClusterView view) {
        Pod most = withDefaults(pod, view);
        return pod.podRequirements().hasDefaults()
                ? List.of(most, requesting(pod, PodRequirements.withPodLevelDefaults(containersOfNow(pod, view))))
                : List.of(most);
    }

    /**
     * {@return a pod that no API server has stored, with the amounts that it sets: the defaults of LimitRanges, and
     * what the pod as a whole leaves out} For a replacement, the pod notes that it has defaults.
     */
    public static Pod stored(Pod written, Collection<LimitRange> limitRanges) {
        PodRequirements requirements = written.podRequirements();
        if (requirements.hasUnreadContainers()) {
            return written;
        }
        List<Container> limited = LimitRangeAdmission.withDefaults(requirements.containers(), limitRanges);
        PodRequirements stored = requirements.requesting(PodRequirements.withPodLevelDefaults(limited));
        boolean isAsWritten = limited.equals(requirements.containers())
                || written.victimProtection().controller().isEmpty();
        return written.with(isAsWritten ? stored : stored.withDefaults());
    }

    private static Pod requesting(Pod pod, List<Container> containers) {
        return pod.with(pod.podRequirements().requesting(containers).withDefaults());
    }

    private static List<Container> containersOfNow(Pod pod, ClusterView view) {
        Collection<LimitRange> limitRanges = view.limitRangesIn(pod.namespace());
        return limitRanges.isEmpty()
                ? named(pod, view)
                : LimitRangeAdmission.withDefaults(named(pod, view), limitRanges);
    }

    /**
     * {@return the containers of a new pod without the defaults that were set earlier} If the earlier defaults are
     * unknown, the present defaults are the minimum.
     */
    private static List<Container> named(Pod pod, ClusterView view) {
        List<Container> own = pod.podRequirements().containers();
        return !pod.podRequirements().hasDefaults()
                ? own
                : template(pod, view)
                        .map(template -> template.named(own))
                        .orElseGet(() -> LimitRangeAdmission.raised(own, view.limitRangesIn(pod.namespace())));
    }

    /** {@return the requirements of a new pod before LimitRanges set defaults, without earlier defaults} */
    private static PodRequirements beforeDefaults(Pod pod, ClusterView view) {
        PodRequirements requirements = pod.podRequirements();
        List<Container> containers = requirements.containers();
        return template(pod, view)
                .map(template -> requirements.with(
                        requirements.hasDefaults()
                                ? template.beforeDefaults(containers)
                                : template.beforePodLevelDefaults(containers)))
                .orElse(requirements);
    }

    /** {@return the template of a pod in which admission has set amounts, if template and containers are read} */
    private static Optional<PodTemplate> template(Pod pod, ClusterView view) {
        PodRequirements requirements = pod.podRequirements();
        return pod.victimProtection()
                .controller()
                .filter(_ -> !requirements.hasUnreadContainers())
                .filter(_ -> requirements.hasDefaults() || requirements.hasPodLevel())
                .flatMap(controller -> view.owner(pod.namespace(), controller.uid()))
                .flatMap(owner -> template(pod, owner));
    }

    /** {@return the template of a pod; empty if it was not read, as for an earlier revision of a StatefulSet} */
    private static Optional<PodTemplate> template(Pod pod, Owner owner) {
        return owner.podCreation()
                .template()
                .filter(template -> template.unread().isEmpty())
                .filter(_ -> owner.revisions()
                        .map(it -> pod.labels().has(StatefulSetRevisions.LABEL, it.update()))
                        .orElse(true));
    }

    /**
     * {@return the refusal of the plugin PodSecurity, by the latest version of the standards} Exemptions in the API
     * server's configuration are unknown, and an older version in {@code enforce-version} may allow more.
     */
    private static Optional<String> bySecurity(Pod pod, Namespace namespace, ClusterView view) {
        PodSecurityLevel enforced = PodSecurityLevel.enforcedIn(namespace);
        PodSecurityLevel level = pod.victimProtection().securityLevel();
        if (level.satisfies(enforced)) {
            return Optional.empty();
        }
        String why = namespace.labels().areUnread()
                ? "namespace " + namespace.name() + " has more labels than Holdfast reads, so its label "
                        + PodSecurityLevel.ENFORCE + " may refuse the pod"
                : "the label " + PodSecurityLevel.ENFORCE + " of namespace " + namespace.name() + " enforces "
                        + enforced.label();
        return Optional.of(why + ", and " + (isOfEditedTemplate(pod, view) ? "a pod of its template" : "the pod")
                + " satisfies " + level.label() + " at most");
    }

    /** {@return whether the Pod Security level of a new pod follows from a template that a user can edit} */
    private static boolean isOfEditedTemplate(Pod pod, ClusterView view) {
        return pod.victimProtection()
                .controller()
                .flatMap(controller -> view.owner(pod.namespace(), controller.uid()))
                .filter(Replacement::isEditable)
                .flatMap(owner -> owner.podCreation().template())
                .filter(template -> template.unread().isEmpty())
                .filter(template ->
                        template.securityLevel() == pod.victimProtection().securityLevel())
                .isPresent();
    }
}
