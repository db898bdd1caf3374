package dev.holdfast.operator.simulate;

import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.model.ClaimedVolume;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.VictimProtection;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A cluster whose controllers replace pods that are evicted, and whose scheduler binds the new ones. A pod that is evicted
 * is gone at once.
 */
final class SimulatedCluster {
    private final LiveCluster cluster = new LiveCluster(Set.of());
    private final Agenda agenda;
    private final Assumptions assumptions;
    private final Consumer<ClusterEvent> watch;
    private final Function<NamespacedName, ClaimedVolume> volumes;
    private final SimulatedScheduler scheduler;
    private final SimulatedBudgets budgets = new SimulatedBudgets(cluster, this::change);

    /** The UIDs of pods that wait for a node. */
    private final Set<String> waiting = new LinkedHashSet<>();

    /** The UIDs of pods that take the place of others that were evicted. */
    private final Set<String> replacements = new LinkedHashSet<>();

    private boolean begun;
    private boolean scheduling;

    /**
     * @param volumes where the volumes of claims can be used
     * @param watch gets each change of an object
     */
    SimulatedCluster(
            Agenda agenda,
            Assumptions assumptions,
            Function<NamespacedName, ClaimedVolume> volumes,
            Consumer<ClusterEvent> watch) {
        this.agenda = agenda;
        this.assumptions = assumptions;
        this.volumes = volumes;
        this.scheduler = new SimulatedScheduler(cluster, volumes);
        this.watch = watch;
    }

    ClusterView view() {
        return cluster;
    }

    /** {@return where the volume of a claim can be used} */
    ClaimedVolume volume(NamespacedName claim) {
        return volumes.apply(claim);
    }

    /** Begins to bind pods that wait for a node, at the next change: until then the real scheduler has found none. */
    void begin() {
        begun = true;
    }

    /** Changes, creates or removes an object. */
    void change(ClusterEvent event) {
        cluster.apply(event);
        watch.accept(event);
        if (event instanceof ClusterEvent.PodChanged(Pod pod) && waitsForNode(pod)) {
            waiting.add(pod.uid());
        }
        // Each change may make room for a pod that waits.
        if (begun && !waiting.isEmpty() && !scheduling) {
            scheduling = true;
            agenda.in(assumptions.bindsAfter(), this::schedule);
        }
    }

    private static boolean waitsForNode(Pod pod) {
        return pod.nodeName().isEmpty()
                && !pod.finished()
                && !pod.terminating()
                && pod.victimProtection().schedulerName().equals(VictimProtection.DEFAULT_SCHEDULER);
    }

    /** Of a workload whose pod no node takes, no other pod is tried in this round: thousands of them may wait. */
    private void schedule() {
        Set<Optional<Controller>> refused = new HashSet<>();
        for (String uid : List.copyOf(waiting)) {
            Optional<Pod> pod = cluster.pod(uid).filter(SimulatedCluster::waitsForNode);
            if (pod.isEmpty()) {
                waiting.remove(uid);
            } else if (!refused.contains(pod.get().victimProtection().controller())) {
                scheduler
                        .nodeFor(pod.get())
                        .ifPresentOrElse(
                                node -> bind(pod.get(), node),
                                () -> pod.get()
                                        .victimProtection()
                                        .controller()
                                        .ifPresent(controller -> refused.add(Optional.of(controller))));
            }
        }
        scheduling = false;
    }

    private void bind(Pod pod, Node node) {
        waiting.remove(pod.uid());
        change(new ClusterEvent.PodChanged(PodStages.bound(pod, node, agenda.instant())));
        agenda.in(assumptions.readyAfter(), () -> becomesReady(pod.uid()));
    }

    private void becomesReady(String uid) {
        cluster.pod(uid)
                .filter(pod -> pod.nodeName()
                        .flatMap(cluster::node)
                        .filter(Node::ready)
                        .isPresent())
                .ifPresent(pod -> {
                    change(new ClusterEvent.PodChanged(PodStages.ready(pod)));
                    if (replacements.remove(uid)) {
                        budgets.ready(pod);
                    }
                });
    }

    /** {@return the answer to a request to evict a pod, which changes nothing yet} */
    EvictionAnswer answer(NamespacedName name, String uid) {
        return find(name)
                .filter(pod -> pod.uid().equals(uid))
                .map(budgets::answer)
                .orElseGet(EvictionAnswer.Gone::new);
    }

    /** Evicts a pod if its disruption budget allows it. Its controller creates another one. */
    EvictionAnswer evict(NamespacedName name, String uid) {
        EvictionAnswer answer = answer(name, uid);
        if (answer instanceof EvictionAnswer.Evicted) {
            remove(find(name).orElseThrow());
        }
        return answer;
    }

    /** {@return why no node takes a pod now} */
    String whyWaiting(Pod pod) {
        return scheduler.why(pod);
    }

    /** Removes a pod. Returns the pod that its controller creates; empty if it creates none. */
    Optional<Pod> remove(Pod pod) {
        budgets.gone(pod);
        change(new ClusterEvent.PodGone(pod.uid()));
        if (!isReplaced(pod)) {
            return Optional.empty();
        }
        Pod other = PodStages.replacing(pod, agenda.instant());
        if (pod.ready()) {
            replacements.add(other.uid());
        }
        change(new ClusterEvent.PodChanged(other));
        return Optional.of(other);
    }

    /** A controller replaces a pod as soon as it is deleted, so that a terminating one has its replacement already. */
    private static boolean isReplaced(Pod pod) {
        VictimProtection protection = pod.victimProtection();
        return protection.controller().isPresent()
                && !protection.ofDaemonSet()
                && !protection.mirror()
                && !pod.finished()
                && (!pod.terminating() || PodStages.isOfStatefulSet(pod));
    }

    /** Creates a pod like another one. */
    void create(String uid, NamespacedName name, Pod like) {
        change(new ClusterEvent.PodChanged(PodStages.created(uid, name, like, agenda.instant())));
    }

    /** {@return the pod of this name; empty if there is none} */
    Optional<Pod> find(NamespacedName name) {
        for (Pod pod : cluster.podsIn(name.namespace())) {
            if (pod.name().equals(name)) {
                return Optional.of(pod);
            }
        }
        return Optional.empty();
    }
}
