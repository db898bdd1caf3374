package dev.holdfast.policies.engine.backlog;

import dev.holdfast.policies.engine.protocol.ledger.RememberedBrakes;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.model.DisruptionAnnotations;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The backlog of one policy: violations that newly came under the policy and that no user has acknowledged.
 *
 * @param since what brought the violations, as text that can follow "since"
 * @param generation the generation of the policy when the backlog began
 * @param added the violations, and the number of pods that have them
 * @param gone when each other pod came under the policy, that no longer violates its rule; such a pod counts for an
 *     hour
 * @param selected the number of pods that the policy selects
 * @param most the maximum number of violating pods that needs no acknowledgement
 * @param told the number of pods in the last report to users
 * @param holdsAll whether the backlog holds all violations of the policy, not only the added ones
 * @param namespaces the namespaces of these pods; a new pod in one of the namespaces joins
 * @param begun the creation time of the newest pod when the backlog began, so that pods from then on are new
 */
record Backlog(
        String id,
        String since,
        long generation,
        AddedViolations added,
        List<Instant> gone,
        int selected,
        int most,
        int told,
        boolean holdsAll,
        Set<String> namespaces,
        Instant begun) {
    /** The maximum number of characters of a cause, which the ledger also stores. */
    private static final int LONGEST_CAUSE = 300;

    /** {@return this backlog under an id that users do not know yet} */
    Backlog begun(String newId, String cause, long ofGeneration) {
        return new Backlog(
                newId,
                cause.substring(0, Math.min(cause.length(), LONGEST_CAUSE)),
                ofGeneration,
                added,
                gone,
                selected,
                most,
                added.pods(),
                holdsAll,
                namespaces,
                begun);
    }

    /** {@return whether a new violation of a pod joins: other violations of older pods have other causes} */
    boolean isJoinedBy(Pod pod) {
        return holdsAll
                || (namespaces.contains(pod.namespace())
                        && !pod.life().creationTime().isBefore(begun));
    }

    boolean holds(ViolationKey violation) {
        return holdsAll || added.has(violation);
    }

    boolean isOver() {
        return isOver(added, gone, most);
    }

    /** {@return whether pods are so few that they need no acknowledgement} */
    static boolean isOver(AddedViolations added, List<Instant> gone, int most) {
        return added.pods() == 0 || added.pods() + gone.size() <= most;
    }

    /**
     * {@return the stored form of the backlog for the next process of the operator}
     *
     * @param mostNamespaces the maximum number of namespaces; with more, the stored backlog holds all pods
     * @param mostPods the maximum number of pods; with more, it holds all violating pods of its namespaces
     */
    RememberedBrakes.Backlog remembered(PolicyId policy, long present, int mostNamespaces, int mostPods) {
        Optional<RememberedBrakes.Part> part = holdsAll || namespaces.size() > mostNamespaces
                ? Optional.empty()
                : Optional.of(new RememberedBrakes.Part(
                        namespaces.stream().sorted().toList(),
                        added.pods() > mostPods ? Optional.empty() : Optional.of(added.podUids())));
        return new RememberedBrakes.Backlog(policy, id, present, Optional.of(since), Optional.of(gone.size()), part);
    }

    /**
     * {@return whether a backlog held a pod, or a pod that this one may replace}
     *
     * @param namespaces the namespaces of the backlog
     * @param pods the UIDs of the pods of the backlog; absent if the backlog had too many
     * @param written when the backlog was remembered, by the clock that the creation times of pods follow
     */
    static boolean held(Pod pod, Set<String> namespaces, Optional<Set<String>> pods, Instant written) {
        return namespaces.contains(pod.namespace())
                && (pods.filter(known -> !known.contains(pod.uid())).isEmpty()
                        || pod.life().creationTime().isAfter(written));
    }

    /** {@return the message for users of the policy: what came under it, and how to acknowledge the backlog} */
    String describe(PolicyId policy) {
        String also = gone.isEmpty() ? "" : " beside " + gone.size() + " within an hour";
        return "since " + since + ", the policy would move "
                + added.pods() + " of its " + selected + " pods" + also + ", more than "
                + most + ": " + until(policy);
    }

    /** {@return the message for tenants whose pods a cluster policy selects, without names of other tenants' pods} */
    String describeToTenants(PolicyId policy) {
        return "many pods newly came under the policy: " + until(policy);
    }

    private String until(PolicyId policy) {
        String object = policy.namespace()
                .map(namespace -> "placementpolicy -n " + namespace + " " + policy.name())
                .orElseGet(() -> "clusterplacementpolicy " + policy.name());
        return (holdsAll ? "no pod" : "none of these pods")
                + " is evicted for it until you acknowledge that this is intended: kubectl annotate "
                + object + " --overwrite " + DisruptionAnnotations.ACKNOWLEDGE + "=" + id;
    }
}
