package dev.holdfast.operator.offline.rollout;

import dev.holdfast.operator.offline.print.TimeText;
import dev.holdfast.operator.offline.simulate.Change;
import dev.holdfast.operator.offline.simulate.Simulation;
import dev.holdfast.operator.offline.simulate.object.PodStages;
import dev.holdfast.operator.offline.waiting.Waiting;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.StatefulSetRevisions;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Says how the roll-outs of some changes stand.
 *
 * <p>Example: three replicas on three nodes exclude each other by host name, with maxSurge 1 and maxUnavailable 0. No
 * node takes the fourth pod, so the roll-out hangs.
 */
public final class RollOutsAtEnd {
    /**
     * After this time without a Ready pod, Kubernetes says that a roll-out makes no progress. It counts from the
     * beginning of the roll-out, however long a pod was not Ready before.
     */
    private static final Duration NO_PROGRESS = Duration.ofMinutes(10);

    private static final Comparator<Pod> BY_NAME =
            Comparator.comparing(pod -> pod.name().name());

    private final Simulation simulation;

    private RollOutsAtEnd(Simulation simulation) {
        this.simulation = simulation;
    }

    /** {@return the last roll-out of each workload, as it stands now, in the order of their beginnings} */
    public static List<RollOut> of(Simulation simulation, Collection<Change> changes) {
        Map<String, Change> last = new LinkedHashMap<>();
        Map<String, Boolean> paused = new LinkedHashMap<>();
        for (Change change : changes) {
            if (change instanceof Change.RollOutDeployment rollOut) {
                last.put(rollOut.deployment().uid(), rollOut);
            }
            if (change instanceof Change.RollOutStatefulSet rollOut && rollOut.isUnderWay()) {
                last.put(rollOut.statefulSet().uid(), rollOut);
            }
            if (change instanceof Change.PauseRollOut(String uid, boolean isPaused)) {
                paused.put(uid, isPaused);
            }
        }
        RollOutsAtEnd atEnd = new RollOutsAtEnd(simulation);
        return last.entrySet().stream()
                .flatMap(it -> {
                    boolean isPaused = paused.getOrDefault(it.getKey(), false);
                    if (it.getValue() instanceof Change.RollOutDeployment rollOut) {
                        return Stream.of(atEnd.ofDeployment(rollOut, isPaused));
                    }
                    return it.getValue() instanceof Change.RollOutStatefulSet rollOut
                            ? Stream.of(atEnd.ofStatefulSet(rollOut))
                            : Stream.empty();
                })
                .toList();
    }

    private RollOut ofDeployment(Change.RollOutDeployment rollOut, boolean paused) {
        Owner deployment = rollOut.deployment();
        String namespace = deployment.name().namespace();
        List<Pod> updated = podsOf(rollOut.replicaSet());
        List<Pod> old = simulation.cluster().ownersIn(namespace).stream()
                .filter(set -> set.controller().map(Controller::uid).equals(Optional.of(deployment.uid())))
                .filter(set -> !set.uid().equals(rollOut.replicaSet().uid()))
                .flatMap(set -> podsOf(set).stream())
                .toList();
        // A pod that terminates has another one in its place, whether or not it ever ends.
        boolean hasOld = old.stream().anyMatch(pod -> !pod.terminating());
        int wanted = simulation
                .replicasOfRollOut(deployment.uid())
                .orElseGet(() -> simulation
                        .cluster()
                        .owner(namespace, rollOut.replicaSet().uid())
                        .orElse(rollOut.replicaSet())
                        .replicas()
                        .orElse(0));
        int ready = ready(updated);
        List<Pod> awaited = Stream.concat(
                        updated.stream().filter(pod -> !pod.terminating()),
                        rollOut.recreate() ? old.stream() : Stream.empty())
                .toList();
        return rollOut(deployment, ready, wanted, ready >= wanted && !hasOld, paused, awaited);
    }

    private RollOut ofStatefulSet(Change.RollOutStatefulSet rollOut) {
        Owner set = simulation
                .cluster()
                .owner(
                        rollOut.statefulSet().name().namespace(),
                        rollOut.statefulSet().uid())
                .orElse(rollOut.statefulSet());
        StatefulSetRevisions revisions = rollOut.revisions();
        int first = revisions.firstOrdinal() + revisions.partition();
        int wanted = Math.max(0, set.replicas().orElse(0) - revisions.partition());
        List<Pod> pods = podsOf(set);
        int ready = ready(pods.stream()
                .filter(pod -> PodStages.ordinal(pod) >= first)
                .filter(pod -> pod.labels().get(StatefulSetRevisions.LABEL).equals(Optional.of(revisions.update())))
                .toList());
        return rollOut(set, ready, wanted, ready >= wanted, false, pods);
    }

    /** @param pods the pods that the roll-out may wait for */
    private RollOut rollOut(Owner workload, int ready, int wanted, boolean complete, boolean paused, List<Pod> pods) {
        Optional<RollOut> hanging = complete || paused
                ? Optional.empty()
                : blocking(pods, simulation.rollOutBegan(workload.uid()))
                        .map(it -> rollOut(workload, RollOut.State.HANGS, ready, wanted, it.pod(), it.why()));
        RollOut.State state =
                complete ? RollOut.State.COMPLETE : paused ? RollOut.State.PAUSED : RollOut.State.UNDER_WAY;
        return hanging.orElseGet(() -> rollOut(workload, state, ready, wanted, "", ""));
    }

    private static RollOut rollOut(Owner workload, RollOut.State state, int ready, int wanted, String pod, String why) {
        return new RollOut(
                workload.name().namespace(), workload.kind(), workload.name().name(), state, ready, wanted, pod, why);
    }

    /** A pod that keeps a roll-out from going on. */
    private record Blocking(String pod, String why) {}

    private Optional<Blocking> blocking(List<Pod> pods, Instant began) {
        Map<Pod, String> missing = simulation.missing();
        return Stream.<Stream<Blocking>>of(
                        pods.stream().filter(Waiting::isTrueOf).flatMap(pod -> {
                            Waiting waiting = simulation.whyWaiting(pod);
                            return waiting.state() == Waiting.State.NOT_BOUND
                                    ? Stream.empty()
                                    : Stream.of(blocking(pod, waiting.why()));
                        }),
                        pods.stream().filter(Pod::terminating).flatMap(pod -> neverEnds(pod, began).stream()),
                        pods.stream()
                                .flatMap(pod -> Optional.ofNullable(missing.get(pod)).stream()
                                        .map(why -> blocking(pod, why))),
                        pods.stream()
                                .filter(pod -> makesNoProgress(pod, began))
                                .map(pod -> blocking(pod, notReady(pod))))
                .flatMap(it -> it)
                .findFirst();
    }

    private static Blocking blocking(Pod pod, String why) {
        return new Blocking(pod.name().name(), why);
    }

    /** {@return what keeps a pod that terminates from its end, so that a StatefulSet creates no other in its place} */
    private Optional<Blocking> neverEnds(Pod pod, Instant began) {
        Optional<String> failed = pod.nodeName()
                .filter(name ->
                        simulation.cluster().node(name).filter(Node::ready).isEmpty());
        Instant deleted = pod.life().deletionTime().orElse(began);
        return failed.map(node -> "it is being deleted, and node " + node + ", which is not Ready, does not end it")
                .or(() -> isLong(latest(deleted, began))
                        ? Optional.of("it is being deleted for " + TimeText.of(since(deleted)) + ", and is not gone")
                        : Optional.empty())
                .map(why -> blocking(pod, why));
    }

    private boolean makesNoProgress(Pod pod, Instant began) {
        return pod.nodeName().isPresent()
                && !pod.ready()
                && !pod.terminating()
                && isLong(latest(pod.life().boundTime(), began));
    }

    private String notReady(Pod pod) {
        return "it is on node " + pod.nodeName().orElseThrow() + " for "
                + TimeText.of(since(pod.life().boundTime())) + ", and is not Ready";
    }

    private boolean isLong(Instant begin) {
        return since(begin).compareTo(NO_PROGRESS) >= 0;
    }

    private Duration since(Instant begin) {
        return Duration.between(begin, simulation.start().plus(simulation.elapsed()));
    }

    private static Instant latest(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    private static int ready(List<Pod> pods) {
        return (int)
                pods.stream().filter(pod -> pod.ready() && !pod.terminating()).count();
    }

    /** {@return the pods that a workload has or tries to create, by name} */
    private List<Pod> podsOf(Owner owner) {
        return Stream.concat(
                        simulation.cluster().podsIn(owner.name().namespace()).stream(),
                        simulation.missing().keySet().stream())
                .filter(pod ->
                        pod.victimProtection().controller().map(Controller::uid).equals(Optional.of(owner.uid())))
                .filter(pod -> !pod.finished())
                .sorted(BY_NAME)
                .toList();
    }
}
