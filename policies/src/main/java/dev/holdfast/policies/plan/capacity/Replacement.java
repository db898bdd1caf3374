package dev.holdfast.policies.plan.capacity;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodRequirements.NextRequests;
import dev.holdfast.policies.model.PodTemplate;
import dev.holdfast.policies.model.StatefulSetRevisions;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.ReplicaCounts;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The pod that the controller of a pod creates once that pod is gone, or the reason why it creates none. Planner,
 * expected replacements, quota checks and simulations all use this answer.
 */
public sealed interface Replacement {
    /** The kinds of Kubernetes itself whose controllers create another pod. */
    Set<String> KINDS = Set.of("ReplicaSet", "ReplicationController", "StatefulSet", "Job", "DaemonSet");

    /**
     * The controller creates a pod.
     *
     * @param pod the new pod, with UID, name and node of the one that is gone; a pod of a StatefulSet has the label of
     *     its revision, if the status names the revision
     */
    record Created(Pod pod) implements Replacement {}

    /**
     * The controller creates no pod now, or it is not known whether it does, so a victim must stay.
     *
     * @param hold the reason
     */
    record None(Hold hold) implements Replacement {}

    /**
     * {@return why the pod must stay: its controller would create no pod after an eviction, or one of another revision}
     *
     * @param counts the pods in the view
     */
    static Optional<Hold> hold(Pod victim, ClusterView view, ReplicaCounts counts) {
        return controllerOf(victim, view)
                .filter(owner -> stopped(owner, view).isEmpty())
                .flatMap(owner -> owner.revisions()
                        .flatMap(revisions -> otherRevision(victim, owner, revisions))
                        .or(() -> otherTemplate(victim, owner)))
                .or(() -> withoutOwner(victim, view))
                .or(() -> switch (of(victim, view, counts)) {
                    case Created _ -> Optional.empty();
                    case None(Hold hold) -> Optional.of(hold);
                });
    }

    /**
     * {@return what the controller of the pod creates once the pod is gone}
     *
     * @param counts the pods in the view, with the one that is gone or without it
     */
    static Replacement of(Pod gone, ClusterView view, ReplicaCounts counts) {
        Optional<Controller> controller = gone.victimProtection().controller();
        if (controller.isEmpty()) {
            return new None(Hold.untilChange(Reason.NO_CONTROLLER, "the pod has no controller that would replace it"));
        }
        if (!KINDS.contains(controller.get().kind())) {
            return new None(Hold.untilChange(
                    Reason.UNKNOWN_CONTROLLER,
                    "Holdfast does not know whether its controller "
                            + controller.get().kind() + " " + controller.get().name() + " would create another pod"));
        }
        // The garbage collector deletes a pod whose owner does not exist.
        return controllerOf(gone, view)
                .flatMap(owner -> stopped(owner, view).or(() -> waiting(gone, owner, counts)))
                .<Replacement>map(None::new)
                .orElseGet(() -> new Created(ofNextRevision(podFor(gone, view), view)));
    }

    /** {@return the controller of a pod as an object of the cluster} */
    private static Optional<Owner> controllerOf(Pod pod, ClusterView view) {
        return pod.victimProtection()
                .controller()
                .flatMap(controller -> view.owner(pod.namespace(), controller.uid())
                        .filter(owner -> owner.kind().equals(controller.kind())));
    }

    /** {@return the hold of a pod whose controller creates no pods: it is being deleted or is suspended} */
    private static Optional<Hold> stopped(Owner owner, ClusterView view) {
        Optional<Owner> deleted = Stream.concat(
                        Stream.of(owner),
                        owner
                                .controller()
                                .flatMap(above -> view.owner(owner.name().namespace(), above.uid()))
                                .stream())
                .filter(it -> it.podCreation().deleted())
                .findFirst();
        if (deleted.isPresent()) {
            return Optional.of(Hold.untilChange(
                    Reason.NO_CONTROLLER, "its controller " + describe(deleted.get()) + " is being deleted"));
        }
        return owner.podCreation().suspended()
                ? Optional.of(Hold.untilChange(
                        Reason.NO_CONTROLLER,
                        "its controller " + describe(owner) + " is suspended and creates no pods (spec.suspend)"))
                : Optional.empty();
    }

    /**
     * {@return the hold of a pod of a StatefulSet that creates its pods in order, while a pod before it is missing or
     * not Ready} Source: {@code processReplica} in kubernetes/pkg/controller/statefulset.
     *
     * <p>Example: of db-0 to db-2, db-0 is not Ready. After an eviction of db-2, the StatefulSet would wait for db-0.
     */
    private static Optional<Hold> waiting(Pod victim, Owner owner, ReplicaCounts counts) {
        if (!owner.podCreation().orderedReady()) {
            return Optional.empty();
        }
        int missing = counts.firstNotReady(owner);
        return missing >= StatefulSetRevisions.ordinal(victim).orElse(Integer.MAX_VALUE)
                ? Optional.empty()
                : Optional.of(Hold.untilChange(
                        Reason.WORKLOAD_DEGRADED,
                        describe(owner) + " creates its pods in order, and would not create this one again before pod "
                                + owner.name().name() + "-" + missing + " is Ready"));
    }

    private static String describe(Owner owner) {
        return owner.kind() + " " + owner.name().name();
    }

    /**
     * {@return the pod that needs a node after the eviction: the one that the controller creates, now or as soon as
     * nothing keeps it from that}
     */
    static Pod podFor(Pod victim, ClusterView view) {
        return victim.podRequirements().mayDifferFromNext()
                ? victim.victimProtection()
                        .controller()
                        .flatMap(controller -> view.owner(victim.namespace(), controller.uid()))
                        .filter(owner -> !isOfFixedTemplate(victim, owner))
                        .map(owner -> podFor(victim, owner))
                        .orElse(victim)
                : victim;
    }

    private static Pod podFor(Pod victim, Owner owner) {
        return owner.podCreation()
                .template()
                .filter(template -> template.unread().isEmpty())
                .map(template -> {
                    Pod next = template.inPlaceOf(victim);
                    return isEditable(owner) ? template.editedIn(next) : next;
                })
                .orElse(victim);
    }

    /** {@return whether a user may have edited the template since: only if a ReplicaSet has no Deployment} */
    static boolean isEditable(Owner owner) {
        return owner.controller().isEmpty() && owner.kind().equals("ReplicaSet");
    }

    /**
     * {@return the hold of a pod whose controller would make the replacement from a template that Holdfast did not
     * read, or that has other rules than the pod}
     */
    private static Optional<Hold> otherTemplate(Pod victim, Owner owner) {
        return owner.podCreation()
                .template()
                .map(template -> otherTemplate(victim, owner, template))
                .orElseGet(() -> withoutTemplate(victim, owner));
    }

    private static Optional<Hold> otherTemplate(Pod victim, Owner owner, PodTemplate template) {
        if (template.unread().isPresent()) {
            return Optional.of(Hold.untilChange(
                    Reason.TOO_COMPLEX,
                    "the pod template of " + describe(owner) + " is not read: "
                            + template.unread().get()));
        }
        if (template.nodeName().isPresent()) {
            return Optional.of(Hold.untilChange(
                    Reason.TOO_COMPLEX,
                    "the pod template of " + describe(owner) + " names node "
                            + template.nodeName().get()
                            + " (spec.nodeName), so the replacement would run there without the scheduler"));
        }
        if (template.gated()) {
            return Optional.of(Hold.untilChange(
                    Reason.TOO_COMPLEX,
                    "the pod template of " + describe(owner) + " has scheduling gates (spec.schedulingGates), so no"
                            + " scheduler would place the replacement before another component removes them"));
        }
        if (!victim.podRequirements().mayDifferFromNext() || isOfFixedTemplate(victim, owner)) {
            return Optional.empty();
        }
        if (victim.podRequirements().hasUnreadContainers()
                || template.requirements().hasUnreadContainers()) {
            return Optional.of(Hold.untilChange(
                    Reason.TOO_COMPLEX,
                    "Holdfast cannot compare the pod with its template: one of them has too many containers, requests"
                            + " and limits. The replacement may differ from the pod"));
        }
        return owner.revisions()
                .map(revisions -> ofOldRevision(victim, owner, revisions))
                .orElseGet(() -> otherRules(victim, owner, template));
    }

    /**
     * {@return whether a pod that was never changed is what its controller makes, because no user edits the template}
     */
    private static boolean isOfFixedTemplate(Pod pod, Owner owner) {
        return pod.podRequirements().nextRequests() == NextRequests.LARGER
                && owner.controller().isPresent();
    }

    /** {@return the hold of a pod that was changed, if its controller is not watched, or is not in the input} */
    private static Optional<Hold> withoutOwner(Pod victim, ClusterView view) {
        return victim.victimProtection()
                .controller()
                .filter(controller -> KINDS.contains(controller.kind()))
                .filter(_ -> controllerOf(victim, view).isEmpty())
                .filter(_ -> victim.podRequirements().nextRequests() == NextRequests.TEMPLATE)
                .map(controller -> Hold.untilChange(
                        Reason.TOO_COMPLEX,
                        "the pod template of " + controller.kind() + " " + controller.name()
                                + " is not read, and the spec of the pod was changed after its creation"));
    }

    /** {@return the hold of a pod that was changed, if nothing says what its controller makes pods from} */
    private static Optional<Hold> withoutTemplate(Pod victim, Owner owner) {
        boolean wasChanged = victim.podRequirements().nextRequests() == NextRequests.TEMPLATE;
        return wasChanged && !owner.replicas().equals(OptionalInt.of(0))
                ? Optional.of(Hold.untilChange(
                        Reason.TOO_COMPLEX,
                        describe(owner)
                                + " has no pod template (spec.template), and the spec of the pod was changed after"
                                + " its creation"))
                : Optional.empty();
    }

    /** {@return the hold of a pod of an earlier revision that was changed: of its template, only a copy is left} */
    private static Optional<Hold> ofOldRevision(Pod victim, Owner owner, StatefulSetRevisions revisions) {
        return victim.labels()
                .get(StatefulSetRevisions.LABEL)
                .filter(present -> !present.equals(revisions.update()))
                .map(present -> Hold.untilChange(
                        Reason.REVISION_PENDING,
                        describe(owner) + " would make the replacement from the template of revision " + present
                                + ", which Holdfast does not read, and the spec of the pod was changed after"
                                + " its creation"));
    }

    /**
     * {@return the hold of a pod of a ReplicaSet whose template was edited since; for a Deployment, a new ReplicaSet
     * would exist}
     */
    private static Optional<Hold> otherRules(Pod victim, Owner owner, PodTemplate template) {
        return !isEditable(owner)
                        || template.scheduling()
                                .hasRulesStoredAs(victim.scheduling().own())
                ? Optional.empty()
                : Optional.of(Hold.untilChange(
                        Reason.REVISION_PENDING,
                        describe(owner) + " would make the replacement from a template with other required rules than"
                                + " the pod has"));
    }

    /**
     * {@return the hold of a pod of a StatefulSet that would make the replacement from another revision} An eviction
     * would also carry out a roll-out that a user stopped or wants to do by hand.
     *
     * <p>Example: a StatefulSet with {@code updateStrategy: OnDelete} got a new pod template. The pods of the old
     * revision are held.
     */
    private static Optional<Hold> otherRevision(Pod pod, Owner owner, StatefulSetRevisions revisions) {
        String set = "StatefulSet " + owner.name();
        String next = nextRevision(pod, revisions);
        if (next.isEmpty()) {
            return Optional.of(Hold.untilChange(
                    Reason.REVISION_PENDING,
                    "the status of " + set + " does not say from which revision it would make the replacement"));
        }
        String present = pod.labels().get(StatefulSetRevisions.LABEL).orElse("none");
        return present.equals(next)
                ? Optional.empty()
                : Optional.of(Hold.untilChange(
                        Reason.REVISION_PENDING,
                        set + " would make the replacement from revision " + next + ", and the pod is of revision "
                                + present));
    }

    /**
     * {@return the revision from which the StatefulSet makes the next pod of this name; empty if its status does not
     * say}
     */
    private static String nextRevision(Pod pod, StatefulSetRevisions revisions) {
        OptionalInt ordinal = StatefulSetRevisions.ordinal(pod);
        return revisions.observed() && ordinal.isPresent() ? revisions.ofNewPod(ordinal.getAsInt()) : "";
    }

    private static Pod ofNextRevision(Pod pod, ClusterView view) {
        return controllerOf(pod, view)
                .filter(_ -> !pod.labels().areUnread())
                .flatMap(Owner::revisions)
                .map(revisions -> nextRevision(pod, revisions))
                .filter(next -> !next.isEmpty() && !pod.labels().has(StatefulSetRevisions.LABEL, next))
                .map(next -> {
                    Map<String, String> labels = new HashMap<>(pod.labels().toMap());
                    labels.put(StatefulSetRevisions.LABEL, next);
                    return pod.withLabels(Labels.of(labels));
                })
                .orElse(pod);
    }
}
