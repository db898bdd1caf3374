package dev.holdfast.policies.engine.eviction;

import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.plan.move.Workload;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Finds the other pods of a victim's workload: those that exist before the eviction, and the replacement after it. */
public final class WorkloadPods {
    private final LiveCluster cluster;

    public WorkloadPods(LiveCluster cluster) {
        this.cluster = cluster;
    }

    /**
     * {@return the UIDs of the pods that the victim's workload has now, and of the victim: none of them can be the
     * replacement}
     */
    Set<String> siblings(Move move) {
        Set<String> siblings = new TreeSet<>();
        siblings.add(move.victim().uid());
        all(move).map(Pod::uid).forEach(siblings::add);
        return siblings;
    }

    /**
     * {@return the replacement: a pod of the workload that did not exist before the eviction and is bound to a node;
     * the first by UID if there are several}
     *
     * @param siblings the UIDs of the pods that existed before the eviction
     */
    Optional<Pod> boundReplacement(Move move, Set<String> siblings) {
        return replacement(move, siblings, _ -> true);
    }

    /**
     * {@return a bound pod of the workload that did not exist before the eviction and passes a test; the first by UID}
     */
    Optional<Pod> replacement(Move move, Set<String> siblings, Predicate<Pod> test) {
        return replacements(move, siblings).filter(test).min(Comparator.comparing(Pod::uid));
    }

    private Stream<Pod> replacements(Move move, Set<String> siblings) {
        return all(move)
                .filter(pod -> !siblings.contains(pod.uid()))
                .filter(pod -> !pod.terminating() && !pod.finished())
                .filter(pod -> pod.nodeName().isPresent());
    }

    private Stream<Pod> all(Move move) {
        return cluster.podsIn(move.victim().namespace()).stream()
                .filter(pod ->
                        move.workload().isPresent() && Workload.of(pod, cluster).equals(move.workload()));
    }

    /**
     * {@return whether the outcome of a move may depend on the pod: it is the victim, or has the same controller or
     * workload}
     */
    boolean concerns(Move move, Pod pod) {
        return pod.uid().equals(move.victim().uid())
                || (pod.namespace().equals(move.victim().namespace())
                        && (pod.victimProtection()
                                        .controller()
                                        .equals(move.victim().victimProtection().controller())
                                || Workload.of(pod, cluster).equals(move.workload())));
    }

    /**
     * {@return whether no replacement will be created: the victim's controller is gone, or its workload wants no
     * further pod} A workload wants none if pods that existed before the eviction fill the replicas of all its
     * controllers, for example because it was scaled down. All ReplicaSets of a Deployment count together, because a
     * roll-out moves the replicas from one to another.
     *
     * @param siblings the UIDs of the pods that existed before the eviction
     * @param ownerWasKnown whether the victim's controller was known when the eviction was requested: if it is unknown
     *     now, it was deleted
     */
    boolean noReplacementExpected(Move move, Set<String> siblings, boolean ownerWasKnown) {
        Optional<Controller> controller = move.victim().victimProtection().controller();
        if (controller.isEmpty()) {
            return true;
        }
        Optional<Owner> known =
                cluster.owner(move.victim().namespace(), controller.get().uid());
        boolean saysANumber = known.map(owner -> owner.replicas().isPresent()).orElse(ownerWasKnown);
        if (!saysANumber) {
            // A controller of an unwatched kind may still exist, so its next pod is awaited. So is that of a Job.
            return false;
        }
        List<Pod> living = all(move)
                .filter(pod -> !pod.uid().equals(move.victim().uid()))
                .filter(pod -> !pod.terminating() && !pod.finished())
                .toList();
        return living.size() >= wanted(move) && living.stream().allMatch(pod -> siblings.contains(pod.uid()));
    }

    /**
     * {@return why the API server refuses the replacement, as the victim's controller says; empty if it does not refuse
     * it} A pod of the workload that did not exist before the eviction is the replacement, even if it waits for a node.
     * A ResourceQuota counts the victim until it is gone.
     *
     * @param siblings the UIDs of the pods that existed before the eviction
     */
    Optional<String> refusal(Move move, Set<String> siblings) {
        return move.victim()
                .victimProtection()
                .controller()
                .flatMap(controller -> cluster.owner(move.victim().namespace(), controller.uid()))
                .flatMap(Owner::replicaFailure)
                .filter(message -> !StageTimeouts.isByQuota(message)
                        || cluster.pod(move.victim().uid()).isEmpty())
                .filter(_ -> all(move).allMatch(pod -> siblings.contains(pod.uid())));
    }

    /** {@return the number of pods that the controllers of the victim's workload want together} */
    private long wanted(Move move) {
        return cluster.ownersIn(move.victim().namespace()).stream()
                .filter(owner -> move.workload()
                        .filter(Workload.of(owner, cluster)::equals)
                        .isPresent())
                .mapToLong(Owner::directReplicas)
                .sum();
    }
}
