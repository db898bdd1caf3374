package dev.holdfast.policies.engine;

import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.plan.move.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Finds the other pods of a victim's workload: those that exist before the eviction, and the replacement after it. */
final class WorkloadPods {
    private final LiveCluster cluster;

    WorkloadPods(LiveCluster cluster) {
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
        return replacements(move, siblings).min(Comparator.comparing(Pod::uid));
    }

    /** {@return whether a pod of the workload that did not exist before the eviction is Ready} */
    boolean hasReadyReplacement(Move move, Set<String> siblings) {
        return replacements(move, siblings).anyMatch(Pod::ready);
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
     * {@return whether no replacement will be created} This is so if the victim's controller was deleted or never
     * existed. It is also so if the controller was scaled down, so that the pods from before the eviction are enough
     * for its replicas.
     *
     * @param siblings the UIDs of the pods that existed before the eviction
     * @param ownerWasKnown whether the victim's controller was known when the eviction was requested: if it is unknown
     *     now, it was deleted
     */
    boolean noReplacementExpected(Move move, Set<String> siblings, boolean ownerWasKnown) {
        Optional<Controller> controller = move.victim().victimProtection().controller();
        Optional<Owner> known = controller.flatMap(it -> cluster.owner(it.uid()));
        if (known.isEmpty()) {
            // A controller of an unwatched kind may still exist, so its next pod is awaited.
            return controller.isEmpty() || ownerWasKnown;
        }
        Owner owner = known.get();
        List<Pod> living = new ArrayList<>();
        for (Pod pod : cluster.podsIn(move.victim().namespace())) {
            boolean sameController = pod.victimProtection().controller().equals(controller);
            boolean isVictim = pod.uid().equals(move.victim().uid());
            if (sameController && !isVictim && !pod.terminating() && !pod.finished()) {
                living.add(pod);
            }
        }
        boolean enough = owner.replicas().isPresent()
                && living.size() >= owner.replicas().getAsInt();
        return enough && living.stream().allMatch(pod -> siblings.contains(pod.uid()));
    }
}
