package dev.holdfast.operator.simulate;

import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/** Makes changes in a simulated cluster. Each method returns why it cannot; empty if it could. */
final class Changes {
    /** How soon a drain tries again to evict a pod that a disruption budget keeps, as {@code kubectl drain} does. */
    private static final Duration RETRY = Duration.ofSeconds(5);

    private final SimulatedCluster cluster;
    private final Agenda agenda;
    private final List<Displaced> displaced = new ArrayList<>();

    /** Why pods are still on nodes that are drained. */
    private final Map<Pod, String> undrained = new LinkedHashMap<>();

    Changes(SimulatedCluster cluster, Agenda agenda) {
        this.cluster = cluster;
        this.agenda = agenda;
    }

    Optional<String> label(Change.LabelNodes change) {
        List<Node> nodes = switch (change.nodes()) {
            case Change.Selection.Named(String name) ->
                cluster.view().node(name).stream().toList();
            case Change.Selection.Labeled(var labels) ->
                cluster.view().nodes().stream()
                        .filter(node -> labels.test(node.labels()))
                        .toList();
        };
        nodes.forEach(node -> put(node.withLabels(changed(node.labels(), change.labels()))));
        return nodes.isEmpty() ? Optional.of("no node is " + change.target()) : Optional.empty();
    }

    private static Labels changed(Labels before, Map<String, Optional<String>> change) {
        Map<String, String> labels = new HashMap<>(before.toMap());
        change.forEach((key, value) -> value.ifPresentOrElse(it -> labels.put(key, it), () -> labels.remove(key)));
        return Labels.of(labels);
    }

    private void put(Node node) {
        cluster.change(new ClusterEvent.NodeChanged(node));
    }

    private static Optional<String> noNode(String name) {
        return Optional.of("there is no node " + name);
    }

    Optional<String> cordon(String name) {
        Optional<Node> node = cluster.view().node(name);
        node.ifPresent(it -> put(cordoned(it)));
        return node.isEmpty() ? noNode(name) : Optional.empty();
    }

    private static Node cordoned(Node node) {
        return new Node(
                node.name(),
                node.uid(),
                node.resourceVersion() + 1,
                node.labels(),
                node.taints(),
                true,
                node.life(),
                node.allocatable(),
                node.tooComplex());
    }

    Optional<String> drain(String name) {
        Optional<String> problem = cordon(name);
        if (problem.isEmpty()) {
            evictAll(name);
        }
        return problem;
    }

    private void evictAll(String node) {
        undrained.keySet().removeIf(pod -> pod.isOn(node));
        for (Pod pod : List.copyOf(cluster.view().podsOn(node))) {
            boolean stays = pod.finished()
                    || pod.victimProtection().ofDaemonSet()
                    || pod.victimProtection().mirror();
            if (!stays) {
                switch (cluster.answer(pod.name(), pod.uid())) {
                    case EvictionAnswer.Evicted _ -> displaced(pod, cluster.removeEvicted(pod));
                    case EvictionAnswer refused -> undrained.put(pod, refused.message());
                }
            }
        }
        if (undrained.keySet().stream().anyMatch(pod -> pod.isOn(node))) {
            agenda.in(RETRY, () -> evictAll(node));
        }
    }

    private void displaced(Pod pod, Optional<Pod> replacement) {
        displaced.add(new Displaced(agenda.instant(), pod, replacement.map(Pod::uid)));
    }

    List<Displaced> displaced() {
        return List.copyOf(displaced);
    }

    Map<Pod, String> undrained() {
        return Collections.unmodifiableMap(undrained);
    }

    Optional<String> removeNode(String name) {
        if (cluster.view().node(name).isEmpty()) {
            return noNode(name);
        }
        cluster.change(new ClusterEvent.NodeGone(name));
        List.copyOf(cluster.view().podsOn(name)).forEach(pod -> displaced(pod, cluster.remove(pod)));
        return Optional.empty();
    }

    Optional<String> delete(NamespacedName name) {
        Optional<Pod> pod = cluster.find(name);
        pod.ifPresent(it -> displaced(it, cluster.remove(it)));
        return pod.isEmpty() ? Optional.of("there is no pod " + name) : Optional.empty();
    }

    Optional<String> scale(Change.Scale change) {
        Optional<Owner> owner = cluster.view().ownersIn(change.name().namespace()).stream()
                .filter(it -> it.kind().equals(change.kind()) && it.name().equals(change.name()))
                .findFirst();
        if (owner.isEmpty()) {
            return Optional.of("there is no " + change.kind() + " " + change.name());
        }
        Set<String> controllers = cluster.view().ownersIn(change.name().namespace()).stream()
                .filter(it -> it.controller()
                        .filter(above -> above.uid().equals(owner.get().uid()))
                        .isPresent())
                .map(Owner::uid)
                .collect(Collectors.toSet());
        controllers.add(owner.get().uid());
        List<Pod> pods = cluster.view().podsIn(change.name().namespace()).stream()
                .filter(pod -> pod.victimProtection()
                        .controller()
                        .filter(it -> controllers.contains(it.uid()))
                        .isPresent())
                .filter(pod -> !pod.finished() && !pod.terminating())
                .sorted(Comparator.comparingInt(PodStages::ordinal)
                        .thenComparing(pod -> pod.life().creationTime())
                        .thenComparing(pod -> pod.name().name()))
                .toList();
        if (pods.isEmpty()) {
            return Optional.of(change.kind() + " " + change.name() + " has no pod, of which others could be copies");
        }
        cluster.change(new ClusterEvent.OwnerChanged(with(owner.get(), change.replicas())));
        for (int i = pods.size(); i < change.replicas(); i++) {
            cluster.create(nameOfNext(pods, i), pods.getFirst());
        }
        // The controller ends the pods with the highest numbers, and of a ReplicaSet the newest ones.
        pods.subList(Math.min(pods.size(), change.replicas()), pods.size())
                .forEach(pod -> cluster.change(new ClusterEvent.PodGone(pod.uid())));
        return Optional.empty();
    }

    /** {@return the name of the next pod of a workload, which has this many} */
    private NamespacedName nameOfNext(List<Pod> pods, int number) {
        Pod last = pods.getLast();
        if (!PodStages.isOfStatefulSet(last)) {
            return PodStages.nameOfReplacement(last, cluster.nextNumber());
        }
        int ordinal = PodStages.ordinal(last) + 1 + number - pods.size();
        return new NamespacedName(last.namespace(), PodStages.base(last.name().name()) + "-" + ordinal);
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
}
