package dev.holdfast.operator.simulate;

import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.StatefulSetRevisions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.zip.CRC32;

/**
 * Roll-outs of new pod templates. As the controllers of Deployments and StatefulSets do, they go on each time when a pod
 * appears, becomes Ready or goes.
 *
 * <p>Example: of a Deployment with 4 replicas, maxSurge 1 and maxUnavailable 1, one old pod goes at once and two new pods are
 * created. When these are Ready, two old pods go and two new pods are created, and so on.
 */
final class RollOuts {
    private final SimulatedCluster cluster;
    private final Agenda agenda;

    /** The roll-outs of Deployments that are not over, by the UID of the Deployment. */
    private final Map<String, Change.RollOutDeployment> deployments = new LinkedHashMap<>();

    /** The newest templates of StatefulSets, by the UID of the StatefulSet. */
    private final Map<String, Change.RollOutStatefulSet> statefulSets = new LinkedHashMap<>();

    /** How many pods of new ReplicaSets were created, by the UID of the ReplicaSet. */
    private final Map<String, Integer> created = new HashMap<>();

    private boolean goingOn;

    RollOuts(SimulatedCluster cluster, Agenda agenda) {
        this.cluster = cluster;
        this.agenda = agenda;
    }

    /** Begins to replace the pods of a Deployment; an earlier roll-out of it ends as it is. */
    void begin(Change.RollOutDeployment rollOut) {
        deployments.put(rollOut.deployment().uid(), rollOut);
        created.put(rollOut.replicaSet().uid(), 0);
        put(rollOut.deployment());
        put(with(rollOut.replicaSet(), 0));
        advance();
    }

    /** Begins to replace the pods of a StatefulSet. */
    void begin(Change.RollOutStatefulSet rollOut) {
        statefulSets.put(rollOut.statefulSet().uid(), rollOut);
        put(rollOut.statefulSet());
        advance();
    }

    /** Goes on after a change of a pod. */
    void podChanged() {
        boolean any = !deployments.isEmpty() || !statefulSets.isEmpty();
        if (any && !goingOn) {
            goingOn = true;
            agenda.in(Duration.ZERO, this::advance);
        }
    }

    /** Does all that the roll-outs can do now. */
    private void advance() {
        goingOn = false;
        List.copyOf(deployments.values()).forEach(this::advance);
        List.copyOf(statefulSets.values()).forEach(this::advance);
    }

    private void advance(Change.RollOutDeployment rollOut) {
        grow(rollOut);
        shrink(rollOut);
        if (wanted(older(rollOut)) == 0
                && created.getOrDefault(rollOut.replicaSet().uid(), 0)
                        == rollOut.pods().size()) {
            deployments.remove(rollOut.deployment().uid());
        }
    }

    private void grow(Change.RollOutDeployment rollOut) {
        String uid = rollOut.replicaSet().uid();
        int begun = created.getOrDefault(uid, 0);
        int room = rollOut.pods().size() + rollOut.maxSurge() - begun - wanted(older(rollOut));
        List<Pod> pods = rollOut.pods().subList(begun, Math.min(rollOut.pods().size(), begun + Math.max(0, room)));
        if (!pods.isEmpty()) {
            created.put(uid, begun + pods.size());
            put(with(rollOut.replicaSet(), begun + pods.size()));
            pods.forEach(cluster::createOwing);
        }
    }

    /** Old pods that are not Ready go first, as far as enough others remain; then old pods go that are not needed. */
    private void shrink(Change.RollOutDeployment rollOut) {
        List<Pod> newer = cluster.podsOf(rollOut.replicaSet());
        List<Pod> old = new ArrayList<>();
        older(rollOut).forEach(set -> old.addAll(cluster.podsOf(set)));
        int needed = rollOut.pods().size() - rollOut.maxUnavailable();
        int spare = old.size() + ready(newer) - needed;
        List<Pod> leaving = old.stream()
                .filter(pod -> !pod.ready())
                .limit(Math.max(0, spare))
                .toList();
        int spareReady = ready(newer) + ready(old) - needed;
        List<Pod> leavingReady = old.stream()
                .filter(Pod::ready)
                .sorted(Comparator.comparing((Pod pod) -> pod.life().creationTime())
                        .reversed()
                        .thenComparingLong(RollOuts::scattered))
                .limit(Math.max(0, spareReady))
                .toList();
        end(leaving);
        end(leavingReady);
    }

    /** {@return a number that decides between pods of the same age} In a cluster their random UIDs decide. */
    private static long scattered(Pod pod) {
        CRC32 sum = new CRC32();
        sum.update(pod.uid().getBytes(StandardCharsets.UTF_8));
        return sum.getValue();
    }

    private void end(List<Pod> pods) {
        for (Pod pod : pods) {
            pod.victimProtection()
                    .controller()
                    .map(Controller::uid)
                    .flatMap(uid -> cluster.view().owner(pod.namespace(), uid))
                    .ifPresent(set -> put(with(set, Math.max(0, set.replicas().orElse(0) - 1))));
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

    private static int wanted(List<Owner> sets) {
        return sets.stream().mapToInt(set -> set.replicas().orElse(0)).sum();
    }

    private void put(Owner owner) {
        cluster.change(new ClusterEvent.OwnerChanged(owner));
    }

    private static Owner with(Owner owner, int replicas) {
        return new Owner(
                owner.uid(),
                owner.kind(),
                owner.name(),
                owner.controller(),
                OptionalInt.of(replicas),
                owner.disruptionAnnotations(),
                owner.revisions());
    }

    /** From the last pod to the first, an old pod goes as soon as all pods after it are Ready. */
    private void advance(Change.RollOutStatefulSet rollOut) {
        StatefulSetRevisions revisions = rollOut.revisions();
        if (revisions.current().equals(revisions.update())) {
            return;
        }
        List<Pod> pods = cluster.podsOf(rollOut.statefulSet()).stream()
                .sorted(Comparator.comparingInt(PodStages::ordinal).reversed())
                .toList();
        if (!revisions.onDelete()) {
            for (Pod pod : pods) {
                boolean old = !revision(pod).equals(revisions.ofNewPod(PodStages.ordinal(pod)));
                if (old) {
                    cluster.remove(pod);
                }
                if (old || !pod.ready()) {
                    return;
                }
            }
        }
        if (pods.stream().allMatch(pod -> revision(pod).equals(revisions.update()))) {
            complete(rollOut);
        }
    }

    private static String revision(Pod pod) {
        return pod.labels().get(StatefulSetRevisions.LABEL).orElse("");
    }

    private void complete(Change.RollOutStatefulSet rollOut) {
        Change.RollOutStatefulSet complete = rollOut.complete();
        statefulSets.put(complete.statefulSet().uid(), complete);
        put(complete.statefulSet());
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
        StatefulSetRevisions revisions = rollOut.revisions();
        return rollOut.pods().stream()
                .filter(newer -> newer.name().equals(pod.name()))
                .filter(newer -> revision(newer).equals(revisions.ofNewPod(PodStages.ordinal(pod))))
                .findFirst();
    }
}
