package dev.holdfast.operator.offline.simulate;

import dev.holdfast.operator.offline.simulate.cluster.Agenda;
import dev.holdfast.operator.offline.simulate.cluster.NodeFailures;
import dev.holdfast.operator.offline.simulate.cluster.SimulatedCluster;
import dev.holdfast.operator.offline.simulate.cluster.SimulatedVolumes;
import dev.holdfast.operator.offline.simulate.object.LeavingOrder;
import dev.holdfast.operator.offline.simulate.object.NodeStages;
import dev.holdfast.operator.offline.simulate.object.PodStages;
import dev.holdfast.operator.offline.simulate.object.Zones;
import dev.holdfast.policies.evaluate.UnreadNodes;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.RestartPolicy;
import dev.holdfast.policies.model.StatefulSetRevisions;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/** Makes changes in a simulated cluster. Each method returns why the change is impossible. */
final class Changes {
    /** How soon a drain tries again to evict a pod that a disruption budget keeps, as {@code kubectl drain} does. */
    private static final Duration RETRY = Duration.ofSeconds(5);

    private final SimulatedCluster cluster;
    private final SimulatedVolumes volumes;
    private final RollOuts rollOuts;
    private final Agenda agenda;
    private final LongSupplier changed;
    private final Map<String, Displaced> displaced = new LinkedHashMap<>();
    private final List<Pod> created = new ArrayList<>();

    /** Why pods are still on nodes that are drained, by node. */
    private final Map<String, Map<Pod, String>> undrained = new LinkedHashMap<>();

    /** @param changed how often objects have changed so far */
    Changes(
            SimulatedCluster cluster,
            SimulatedVolumes volumes,
            RollOuts rollOuts,
            Agenda agenda,
            LongSupplier changed) {
        this.cluster = cluster;
        this.volumes = volumes;
        this.rollOuts = rollOuts;
        this.agenda = agenda;
        this.changed = changed;
    }

    Optional<String> label(Change.LabelNodes change) {
        List<Node> nodes = selected(change.nodes());
        for (Node node : nodes) {
            Labels labels = changed(node.labels(), change.labels());
            if (!labels.equals(node.labels())) {
                put(node.withLabels(labels));
            }
        }
        return nodes.isEmpty() ? noNode(change.target()) : Optional.empty();
    }

    /** {@return the nodes of a selection by name} */
    List<Node> selected(Change.Selection nodes) {
        return switch (nodes) {
            case Change.Selection.Named(String name) ->
                cluster.view().node(name).stream().toList();
            case Change.Selection.Labeled(var labels) -> nodesWith(labels);
            case Change.Selection.InZone(String zone) -> nodesWith(labels -> labels.has(Zones.KEY, zone));
        };
    }

    private List<Node> nodesWith(Predicate<Labels> labels) {
        return cluster.view().nodes().stream()
                .filter(node -> labels.test(node.labels()))
                .sorted(Comparator.comparing(Node::name))
                .toList();
    }

    private static Labels changed(Labels before, Map<String, Optional<String>> change) {
        Map<String, String> labels = new HashMap<>(before.toMap());
        change.forEach((key, value) -> value.ifPresentOrElse(it -> labels.put(key, it), () -> labels.remove(key)));
        return Labels.of(labels);
    }

    private void put(Node node) {
        cluster.change(new ClusterEvent.NodeChanged(node));
    }

    Optional<String> noNode(String name) {
        return Optional.of(cluster.view().unreadNode(name).map(UnreadNodes::why).orElse("there is no node " + name));
    }

    Optional<String> cordon(String name) {
        Optional<Node> node = cluster.view().node(name);
        node.filter(it -> !it.unschedulable()).ifPresent(it -> put(NodeStages.cordoned(it)));
        return node.isEmpty() ? noNode(name) : Optional.empty();
    }

    void uncordon(String name) {
        cluster.view().node(name).filter(Node::unschedulable).ifPresent(it -> put(NodeStages.uncordoned(it)));
    }

    Optional<String> drain(String name) {
        Optional<String> problem = cordon(name);
        if (problem.isEmpty()) {
            evictAll(name);
        }
        return problem;
    }

    void evictAll(String node) {
        boolean ends = cluster.view().node(node).filter(Node::ready).isPresent();
        Map<Pod, String> left = new LinkedHashMap<>();
        boolean refused = false;
        for (Pod pod : LeavingOrder.podsOn(node, cluster.view()).stream()
                .filter(Changes::isDrained)
                .toList()) {
            if (pod.terminating() && !ends) {
                keep(pod, left);
                continue;
            }
            EvictionAnswer answer = cluster.answer(pod.name(), pod.uid());
            if (answer instanceof EvictionAnswer.Evicted) {
                Optional<Pod> replacement = cluster.remove(pod);
                displaced(pod, replacement);
                cluster.view().pod(pod.uid()).ifPresent(terminating -> keep(terminating, left));
            } else {
                left.put(pod, answer.message());
                refused = true;
            }
        }
        undrained.put(node, left);
        if (refused) {
            retry(node, changed.getAsLong());
        }
    }

    /** Evicts pods later, once something has changed: until then, budgets allow no more. */
    private void retry(String node, long before) {
        agenda.retryIn(RETRY, () -> {
            if (changed.getAsLong() == before) {
                retry(node, before);
            } else {
                evictAll(node);
            }
        });
    }

    /** Keeps a pod that terminates on a node which is not Ready, unless another pod is in its place. */
    private static void keep(Pod pod, Map<Pod, String> left) {
        if (NodeFailures.isLost(pod)) {
            left.put(pod, "it is being deleted, and its node, which is not Ready, does not end it");
        }
    }

    /** {@return whether a drain evicts a pod of its node} Pods of DaemonSets and static pods belong to their node. */
    static boolean isDrained(Pod pod) {
        return !pod.finished()
                && !pod.victimProtection().ofDaemonSet()
                && !pod.victimProtection().mirror();
    }

    /** Lists a pod once, even if it is removed after its deletion was requested. */
    void displaced(Pod pod, Optional<Pod> replacement) {
        displaced.merge(
                pod.uid(), new Displaced(agenda.instant(), pod, replacement.map(Pod::uid)), Displaced::replacedBy);
    }

    List<Displaced> displaced() {
        return List.copyOf(displaced.values());
    }

    List<Pod> created() {
        return created.stream()
                .filter(pod -> !cluster.isAwaited(pod.uid()))
                .map(pod -> cluster.view().pod(pod.uid()).orElse(pod))
                .toList();
    }

    Map<Pod, String> undrained() {
        Map<Pod, String> all = new LinkedHashMap<>();
        undrained.forEach((node, pods) -> pods.forEach((pod, why) -> {
            if (cluster.view().pod(pod.uid()).filter(it -> it.isOn(node)).isPresent()) {
                all.put(pod, why);
            }
        }));
        return all;
    }

    Optional<String> removeNode(String name) {
        if (cluster.view().node(name).isEmpty()
                && cluster.view().unreadNode(name).isEmpty()) {
            return noNode(name);
        }
        cluster.change(new ClusterEvent.NodeGone(name));
        for (Pod pod : LeavingOrder.podsOn(name, cluster.view())) {
            Optional<Pod> replacement = cluster.remove(pod);
            if (isDrained(pod)) {
                displaced(pod, replacement);
            }
        }
        return Optional.empty();
    }

    Optional<String> delete(NamespacedName name) {
        return with(name, it -> displaced(it, cluster.remove(it)));
    }

    Optional<String> delete(Change.DeletePods change) {
        List<Pod> pods = cluster.view().podsIn(change.namespace()).stream()
                .filter(pod -> change.labels().test(pod.labels()))
                .sorted(Comparator.comparing(pod -> pod.name().name()))
                .toList();
        pods.forEach(pod -> displaced(pod, cluster.remove(pod)));
        return pods.isEmpty()
                ? Optional.of(
                        "there is no pod with labels " + change.selector() + " in namespace " + change.namespace())
                : Optional.empty();
    }

    Optional<String> crash(NamespacedName name) {
        return with(name, cluster::crash);
    }

    Optional<String> repair(NamespacedName name) {
        return with(name, cluster::repair);
    }

    /** Lets a pod succeed, but none with restartPolicy Always: its containers start again when they end. */
    Optional<String> finish(NamespacedName name) {
        if (cluster.find(name)
                .filter(pod -> pod.victimProtection().restartPolicy() == RestartPolicy.ALWAYS)
                .isPresent()) {
            return Optional.of("pod " + name + " cannot finish: its restartPolicy is Always, so its containers start"
                    + " again; use `crash` or `delete`");
        }
        return with(name, cluster::finish);
    }

    private Optional<String> with(NamespacedName name, Consumer<Pod> change) {
        Optional<Pod> pod = cluster.find(name);
        pod.ifPresent(change);
        return pod.isEmpty() ? Optional.of("there is no pod " + name) : Optional.empty();
    }

    Optional<String> scale(Change.Scale change) {
        Optional<Owner> owner = cluster.view().ownersIn(change.name().namespace()).stream()
                .filter(it -> it.kind().equals(change.kind()) && it.name().equals(change.name()))
                .findFirst();
        if (owner.isEmpty()) {
            return Optional.of("there is no " + change.kind() + " " + change.name());
        }
        Optional<Owner> deployment = owner.get()
                .controller()
                .map(Controller::uid)
                .flatMap(uid -> cluster.view().owner(change.name().namespace(), uid))
                .filter(it -> it.kind().equals("Deployment"));
        if (deployment.isPresent()) {
            String name = deployment.get().name().name();
            return Optional.of(change.kind() + " " + change.name() + " belongs to Deployment " + name
                    + ", which sets its replicas: scale deploy/" + name);
        }
        if (change.kind().equals("StatefulSet")) {
            return scaleStatefulSet(owner.get(), change);
        }
        return rollOuts.scale(owner.get(), change.replicas())
                ? Optional.empty()
                : scaleReplicaSets(owner.get(), change);
    }

    private Optional<String> scaleReplicaSets(Owner owner, Change.Scale change) {
        List<Owner> direct = cluster.view().ownersIn(change.name().namespace()).stream()
                .filter(it -> it.uid().equals(owner.uid())
                        || it.controller()
                                .filter(above -> above.uid().equals(owner.uid()))
                                .isPresent())
                .toList();
        List<Pod> pods = direct.stream()
                .flatMap(it -> cluster.podsOf(it).stream())
                .sorted(Comparator.comparing((Pod pod) -> !pod.ready())
                        .thenComparing(pod -> pod.life().creationTime())
                        .thenComparing(pod -> pod.name().name()))
                .toList();
        if (pods.isEmpty() && change.pods().isEmpty() && change.replicas() > 0) {
            return hasNoPod(change);
        }
        if (pods.isEmpty()) {
            // The UIDs of earlier pods must not come again.
            change.pods().forEach(pod -> create(pod.uid() + "/" + agenda.instant(), pod.name(), pod));
        }
        for (int i = pods.size(); !pods.isEmpty() && i < change.replicas(); i++) {
            create(owner.uid() + "/more" + i, nameOfNext(pods, i), pods.getFirst());
        }
        LeavingOrder.byName(pods).stream()
                .limit(Math.max(0, pods.size() - change.replicas()))
                .forEach(pod -> {
                    cluster.end(pod);
                    displaced(pod, Optional.empty());
                });
        direct.stream()
                .filter(it -> it.replicas().isPresent())
                .forEach(it -> put(
                        it,
                        it.kind().equals(change.kind())
                                ? change.replicas()
                                : cluster.podsOf(it).size()));
        return Optional.empty();
    }

    private void create(String uid, NamespacedName name, Pod like) {
        created.add(cluster.create(uid, name, like));
    }

    private static Optional<String> hasNoPod(Change.Scale change) {
        return Optional.of(change.kind() + " " + change.name() + " has no pod, of which others could be copies");
    }

    /** Scales a StatefulSet, whose pods have numbers without a gap. */
    private Optional<String> scaleStatefulSet(Owner set, Change.Scale change) {
        Map<Integer, Pod> pods = new TreeMap<>();
        cluster.allPodsOf(set).forEach(pod -> pods.put(PodStages.ordinal(pod), pod));
        Map<Integer, Pod> templates = new HashMap<>();
        change.pods().forEach(pod -> templates.put(PodStages.ordinal(pod), pod));
        Optional<Pod> any = pods.values().stream().findFirst();
        if (any.isEmpty() && templates.isEmpty() && change.replicas() > 0) {
            return hasNoPod(change);
        }
        int first = set.revisions().map(StatefulSetRevisions::firstOrdinal).orElse(0);
        int end = first + change.replicas();
        put(set, change.replicas());
        rollOuts.scaled(set, change.pods());
        for (int ordinal = first; ordinal < end; ordinal++) {
            if (!pods.containsKey(ordinal)) {
                NamespacedName name =
                        new NamespacedName(set.name().namespace(), set.name().name() + "-" + ordinal);
                any.ifPresent(pod -> volumes.createFor(name.name(), pod));
                Pod like = Optional.ofNullable(templates.get(ordinal))
                        .or(() -> any)
                        .orElseThrow();
                create(set.uid() + "/" + ordinal + "/" + agenda.instant(), name, like);
            }
        }
        rollOuts.shrink(set, pod -> displaced(pod, Optional.empty()));
        return Optional.empty();
    }

    private void put(Owner owner, int replicas) {
        cluster.change(new ClusterEvent.OwnerChanged(owner.withReplicas(replicas)));
    }

    /** {@return the name of the next pod of a workload, which has this many} */
    private static NamespacedName nameOfNext(List<Pod> pods, int number) {
        Pod last = pods.getLast();
        return new NamespacedName(last.namespace(), PodStages.base(last.name().name()) + "-more" + (number + 1));
    }
}
