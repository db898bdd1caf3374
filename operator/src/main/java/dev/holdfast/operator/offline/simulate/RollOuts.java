package dev.holdfast.operator.offline.simulate;

import dev.holdfast.operator.offline.simulate.cluster.Agenda;
import dev.holdfast.operator.offline.simulate.cluster.SimulatedCluster;
import dev.holdfast.operator.offline.simulate.object.LeavingOrder;
import dev.holdfast.operator.offline.simulate.object.PodStages;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.StatefulSetRevisions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Roll-outs of new pod templates. Like those of the controllers of Deployments and StatefulSets, these roll-outs go on
 * each time a pod appears, becomes Ready or goes.
 *
 * <p>Example: of a Deployment with 4 replicas, maxSurge 1 and maxUnavailable 1, one old pod goes at once and two new
 * pods are created. When these are Ready, two old pods go and two new pods are created, and so on.
 */
final class RollOuts {
    private final SimulatedCluster cluster;
    private final Agenda agenda;

    /** The roll-outs of Deployments that are not over, by the UID of the Deployment. */
    private final Map<String, Change.RollOutDeployment> deployments = new LinkedHashMap<>();

    /** The newest templates of StatefulSets, by the UID of the StatefulSet. */
    private final Map<String, Change.RollOutStatefulSet> statefulSets = new LinkedHashMap<>();

    /** The StatefulSets whose scale-down is not over, by UID. */
    private final Map<String, Shrinking> shrinking = new LinkedHashMap<>();

    /** The UIDs of the Deployments that are paused. */
    private final Set<String> paused = new HashSet<>();

    /** How many pods each roll-out has created, by the common part of their names. */
    private final Map<String, Integer> created = new HashMap<>();

    /** When the last roll-out of each workload began, by the UID of the workload. */
    private final Map<String, Instant> began = new HashMap<>();

    private boolean goingOn;

    private record Shrinking(Owner statefulSet, Consumer<Pod> ended) {}

    /** How often a Deployment has got another number of replicas during its roll-out. */
    private long scaled;

    RollOuts(SimulatedCluster cluster, Agenda agenda) {
        this.cluster = cluster;
        this.agenda = agenda;
    }

    /** Begins to replace the pods of a Deployment; an earlier roll-out of the Deployment stops halfway. */
    void begin(Change.RollOutDeployment rollOut) {
        deployments.put(rollOut.deployment().uid(), rollOut);
        began.put(rollOut.deployment().uid(), agenda.instant());
        put(rollOut.deployment());
        if (cluster.view()
                .owner(
                        rollOut.replicaSet().name().namespace(),
                        rollOut.replicaSet().uid())
                .isEmpty()) {
            put(rollOut.replicaSet().withReplicas(0));
        }
        advance();
    }

    /** Begins to replace the pods of a StatefulSet, or goes on by another update strategy. */
    void begin(Change.RollOutStatefulSet next) {
        String uid = next.statefulSet().uid();
        Change.RollOutStatefulSet rollOut = Optional.ofNullable(statefulSets.get(uid))
                .map(before -> next.withCurrent(before.revisions().current()))
                .orElse(next);
        statefulSets.put(uid, rollOut);
        began.put(uid, agenda.instant());
        put(rollOut.statefulSet());
        advance();
    }

    /** {@return when the last roll-out of a workload began; the present without one} */
    Instant began(String workload) {
        return began.getOrDefault(workload, agenda.instant());
    }

    /** Stops the roll-out of a Deployment, or lets it go on. */
    void pause(Change.PauseRollOut change) {
        if (change.paused()) {
            paused.add(change.uid());
        } else {
            paused.remove(change.uid());
        }
        advance();
    }

    /**
     * Gives a Deployment whose roll-out is not over another number of replicas. Returns false without such a roll-out:
     * then the only ReplicaSet is scaled.
     */
    boolean scale(Owner deployment, int replicas) {
        Optional<Change.RollOutDeployment> rollOut = Optional.ofNullable(deployments.get(deployment.uid()));
        if (rollOut.isEmpty()) {
            return false;
        }
        scaled += rollOut.get().replicas() == replicas ? 0 : 1;
        deployments.put(deployment.uid(), rollOut.get().withReplicas(replicas));
        cluster.countBudgets(deployment.name().namespace());
        advance();
        return true;
    }

    /** {@return how many pods a Deployment wants whose roll-out is not over, by its UID; empty for others} */
    OptionalInt replicas(String deployment) {
        return Optional.ofNullable(deployments.get(deployment))
                .map(rollOut -> OptionalInt.of(rollOut.replicas()))
                .orElse(OptionalInt.empty());
    }

    /** {@return how often a Deployment has got another number of replicas during its roll-out} */
    long scaled() {
        return scaled;
    }

    /** Learns what further pods of a StatefulSet are like. */
    void scaled(Owner statefulSet, List<Pod> pods) {
        statefulSets.computeIfPresent(statefulSet.uid(), (_, rollOut) -> rollOut.withPods(pods));
    }

    /** Goes on after a change of a pod. */
    void podChanged() {
        boolean any = !deployments.isEmpty()
                || !shrinking.isEmpty()
                || statefulSets.values().stream().anyMatch(Change.RollOutStatefulSet::isUnderWay);
        if (any && !goingOn) {
            goingOn = true;
            agenda.in(Duration.ZERO, this::advance);
        }
    }

    /** Does all that the roll-outs can do now. */
    private void advance() {
        goingOn = false;
        List.copyOf(deployments.values()).forEach(this::advance);
        List.copyOf(shrinking.values()).forEach(this::advance);
        List.copyOf(statefulSets.values()).forEach(this::advance);
    }

    /**
     * Begins to end the pods of a StatefulSet that are above the wanted number.
     *
     * @param ended gets each of these pods as it was
     */
    void shrink(Owner statefulSet, Consumer<Pod> ended) {
        shrinking.put(statefulSet.uid(), new Shrinking(statefulSet, ended));
        advance();
    }

    /**
     * Ends the last pod of a StatefulSet first. With {@code OrderedReady}, a pod goes only while all pods that stay are
     * Ready, and a pod that is not Ready goes only when all pods before it are Ready.
     */
    private void advance(Shrinking shrunk) {
        Owner set = owner(shrunk.statefulSet());
        int end = firstOrdinal(set) + set.replicas().orElse(0);
        NavigableMap<Integer, Pod> leaving = new TreeMap<>();
        cluster.allPodsOf(set).stream()
                .filter(pod -> PodStages.ordinal(pod) >= end)
                .forEach(pod -> leaving.put(PodStages.ordinal(pod), pod));
        for (Map.Entry<Integer, Pod> pod : leaving.descendingMap().entrySet()) {
            boolean before = cluster.areReady(set, isReady(pod.getValue()) ? end : pod.getKey());
            if (set.podCreation().orderedReady() && (!before || pod.getValue().terminating())) {
                return;
            }
            cluster.gone(pod.getValue());
            shrunk.ended().accept(pod.getValue());
        }
        shrinking.remove(set.uid());
    }

    private static int firstOrdinal(Owner set) {
        return set.revisions().map(StatefulSetRevisions::firstOrdinal).orElse(0);
    }

    private void advance(Change.RollOutDeployment rollOut) {
        String uid = rollOut.deployment().uid();
        if (paused.contains(uid)) {
            return;
        }
        int desired = rollOut.replicas();
        limit(rollOut, desired);
        if (!rollOut.recreate() || !anyRuns(older(rollOut))) {
            grow(rollOut, desired);
        }
        shrink(rollOut, desired);
        if (wanted(older(rollOut)) == 0
                && owner(rollOut.replicaSet()).replicas().orElse(0) == desired) {
            deployments.remove(uid);
        }
    }

    /** {@return the owner as it is now} */
    private Owner owner(Owner known) {
        return cluster.view().owner(known.name().namespace(), known.uid()).orElse(known);
    }

    /** Ends new pods that are not wanted any more. */
    private void limit(Change.RollOutDeployment rollOut, int desired) {
        Owner newest = owner(rollOut.replicaSet());
        List<Pod> pods = cluster.podsOf(newest);
        end(LeavingOrder.of(pods, pods).stream()
                .limit(Math.max(0, newest.replicas().orElse(0) - desired))
                .toList());
    }

    private void grow(Change.RollOutDeployment rollOut, int desired) {
        Owner newest = owner(rollOut.replicaSet());
        int begun = newest.replicas().orElse(0);
        int room = desired + rollOut.maxSurge() - begun - wanted(older(rollOut));
        int more = Math.max(0, Math.min(desired - begun, room));
        if (more > 0) {
            put(newest.withReplicas(begun + more));
        }
        for (int i = 0; i < more; i++) {
            String base = PodStages.base(rollOut.template().name().name());
            String namespace = newest.name().namespace();
            int number = created.merge(namespace + "/" + base, 1, Integer::sum);
            cluster.create(
                    "ReplicaSet/" + namespace + "/" + base + "/" + number,
                    new NamespacedName(namespace, base + "-" + number),
                    rollOut.template());
        }
    }

    /** Ends old pods: unready ones first, as far as enough others remain, then those that are not needed. */
    private void shrink(Change.RollOutDeployment rollOut, int desired) {
        List<Pod> newer = cluster.podsOf(rollOut.replicaSet());
        List<Pod> old = new ArrayList<>();
        older(rollOut).forEach(set -> old.addAll(cluster.podsOf(set)));
        List<Pod> all = new ArrayList<>(newer);
        all.addAll(old);
        int needed = desired - rollOut.maxUnavailable();
        List<Pod> leaving = LeavingOrder.of(old, all);
        List<Pod> unready = leaving.stream()
                .filter(pod -> !pod.ready())
                .limit(Math.max(0, old.size() + ready(newer) - needed))
                .toList();
        List<Pod> spare = leaving.stream()
                .filter(Pod::ready)
                .limit(Math.max(0, ready(newer) + ready(old) - needed))
                .toList();
        end(unready);
        end(spare);
    }

    private void end(List<Pod> pods) {
        for (Pod pod : pods) {
            pod.victimProtection()
                    .controller()
                    .map(Controller::uid)
                    .flatMap(uid -> cluster.view().owner(pod.namespace(), uid))
                    .ifPresent(set ->
                            put(set.withReplicas(Math.max(0, set.replicas().orElse(0) - 1))));
            cluster.end(pod);
        }
    }

    private static int ready(List<Pod> pods) {
        return (int) pods.stream().filter(Pod::ready).count();
    }

    private List<Owner> older(Change.RollOutDeployment rollOut) {
        return cluster.view().ownersIn(rollOut.deployment().name().namespace()).stream()
                .filter(owner -> owner.controller()
                        .filter(it -> it.uid().equals(rollOut.deployment().uid()))
                        .isPresent())
                .filter(owner -> !owner.uid().equals(rollOut.replicaSet().uid()))
                .toList();
    }

    /** {@return whether ReplicaSets have a pod that has not ended} One that terminates may still run. */
    private boolean anyRuns(List<Owner> sets) {
        return sets.stream().anyMatch(set -> !cluster.allPodsOf(set).isEmpty());
    }

    private static int wanted(List<Owner> sets) {
        return sets.stream().mapToInt(set -> set.replicas().orElse(0)).sum();
    }

    private void put(Owner owner) {
        cluster.change(new ClusterEvent.OwnerChanged(owner));
    }

    /**
     * Replaces pods from the last to the first: an old pod goes as soon as all pods after it are Ready. With {@code
     * OrderedReady}, all pods must be Ready, so that a pod that crashes stops a roll-out.
     */
    private void advance(Change.RollOutStatefulSet rollOut) {
        if (!rollOut.isUnderWay()) {
            return;
        }
        Map<Integer, Pod> pods = new HashMap<>();
        cluster.allPodsOf(rollOut.statefulSet()).forEach(pod -> pods.put(PodStages.ordinal(pod), pod));
        int first = rollOut.revisions().firstOrdinal();
        int end = first + owner(rollOut.statefulSet()).replicas().orElse(0);
        boolean waits = !rollOut.parallel();
        for (int ordinal = first; waits && ordinal < end; ordinal++) {
            if (Optional.ofNullable(pods.get(ordinal)).filter(RollOuts::isReady).isEmpty()) {
                return;
            }
        }
        boolean updated = true;
        for (int ordinal = end - 1; ordinal >= first; ordinal--) {
            Optional<Pod> pod = Optional.ofNullable(pods.get(ordinal));
            Optional<Pod> old = pod.filter(it -> !it.terminating() && isOld(it, rollOut));
            old.ifPresent(cluster::remove);
            if (old.isPresent() || pod.filter(RollOuts::isReady).isEmpty()) {
                return;
            }
            updated &= revision(pod.orElseThrow()).equals(rollOut.revisions().update());
        }
        if (updated) {
            Change.RollOutStatefulSet complete =
                    rollOut.withCurrent(rollOut.revisions().update());
            statefulSets.put(complete.statefulSet().uid(), complete);
            put(complete.statefulSet()
                    .withReplicas(owner(complete.statefulSet()).replicas().orElse(0)));
        }
    }

    private static boolean isReady(Pod pod) {
        return pod.ready() && !pod.terminating();
    }

    /**
     * {@return whether the roll-out replaces the pod, because the pod is not of the revision that is wanted}
     */
    private static boolean isOld(Pod pod, Change.RollOutStatefulSet rollOut) {
        return !rollOut.revisions().onDelete()
                && !revision(pod).equals(rollOut.revisions().ofNewPod(PodStages.ordinal(pod)))
                && template(pod, rollOut).isPresent();
    }

    private static String revision(Pod pod) {
        return pod.labels().get(StatefulSetRevisions.LABEL).orElse("");
    }

    /** {@return what the next pod in the place of this one is like: itself, or a pod of a newer template} */
    Pod template(Pod pod) {
        return pod.victimProtection()
                .controller()
                .map(Controller::uid)
                .flatMap(uid -> Optional.ofNullable(statefulSets.get(uid)))
                .flatMap(rollOut -> template(pod, rollOut))
                .orElse(pod);
    }

    private static Optional<Pod> template(Pod pod, Change.RollOutStatefulSet rollOut) {
        return rollOut.pods().stream()
                .filter(newer -> newer.name().equals(pod.name()))
                .filter(newer -> revision(newer).equals(rollOut.revisions().ofNewPod(PodStages.ordinal(pod))))
                .findFirst();
    }
}
