package dev.holdfast.operator.offline.stranded;

import dev.holdfast.operator.offline.waiting.SchedulerFilters;
import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.evaluate.NodeRejection;
import dev.holdfast.policies.inject.InjectingPolicies;
import dev.holdfast.policies.model.ClaimedVolume;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.rule.PolicyId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Creates the pods of one workload after the other again, with the rules that policies inject, and finds those that no
 * node takes. All pods of the workload are gone then, and the pods of other workloads stay where they are.
 *
 * <p>Example: a policy injects anti-affinity by zone, and there are two zones. One pod of a Deployment with three pods
 * is stranded. Without the rule, none is.
 */
public final class StrandedByRollOut {
    private static final int MOST_KEPT = 100;

    private final LiveCluster cluster;
    private final SchedulerFilters filters;

    /** The nodes for constraints of pods; of the last ones only, as each entry may name all nodes. */
    private final Map<Scheduling, Suitable> suitable = new LinkedHashMap<>(16, 0.75F, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Scheduling, Suitable> eldest) {
            return size() > MOST_KEPT;
        }
    };

    /**
     * Which nodes may take a pod, as far as the nodes alone decide.
     *
     * @param nodes the nodes that may take the pod
     * @param rejected why the other nodes would not, with their numbers
     */
    private record Suitable(Set<Node> nodes, Map<String, Integer> rejected) {}

    /**
     * @param cluster the cluster, which each method changes and restores before it returns
     * @param volumes where the volumes of claims can be used
     */
    private StrandedByRollOut(LiveCluster cluster, Function<NamespacedName, ClaimedVolume> volumes) {
        this.cluster = cluster;
        this.filters = new SchedulerFilters(cluster.index(), cluster.resourceFit(), volumes);
    }

    /** {@return a finder of pods that roll-outs would strand, in a cluster of these objects} */
    public static StrandedByRollOut in(
            Collection<ClusterEvent> objects, Function<NamespacedName, ClaimedVolume> volumes) {
        // The scheduler exempts no namespace.
        LiveCluster cluster = new LiveCluster(Set.of());
        objects.forEach(cluster::apply);
        return new StrandedByRollOut(cluster, volumes);
    }

    /** {@return a finder of pods that roll-outs would strand, in a copy of a cluster} */
    public static StrandedByRollOut in(ClusterView view, Function<NamespacedName, ClaimedVolume> volumes) {
        Stream<ClusterEvent> objects = Stream.of(
                        view.namespaces().stream().map(ClusterEvent.NamespaceChanged::new),
                        view.namespaces().stream()
                                .flatMap(namespace -> view.ownersIn(namespace.name()).stream())
                                .map(ClusterEvent.OwnerChanged::new),
                        view.nodes().stream().map(ClusterEvent.NodeChanged::new),
                        view.unreadNodes().stream().map(ClusterEvent.NodeUnread::new),
                        view.pods().stream().map(ClusterEvent.PodChanged::new))
                .flatMap(events -> events);
        return in(objects.toList(), volumes);
    }

    /**
     * {@return the workloads of which injected rules strand pods, by namespace, kind and name} Without these rules,
     * fewer of their pods would be stranded.
     *
     * @param listed which pods are created again
     */
    public List<StrandedWorkload> strandedBy(InjectingPolicies policies, Predicate<Pod> listed) {
        List<StrandedWorkload> workloads = new ArrayList<>();
        workloads(policies, listed).forEach((workload, pods) -> {
            Placed placed = place(pods, pod -> policies.into(pod, cluster));
            if (!placed.stranded().isEmpty()
                    && placed.stranded().size()
                            > place(pods, pod -> pod.scheduling().own())
                                    .stranded()
                                    .size()) {
                workloads.add(new StrandedWorkload(
                        pods.getFirst().namespace(),
                        workload.kind(),
                        workload.name(),
                        pods.size(),
                        placed.stranded().size(),
                        placed.why(),
                        names(placed.stranded(), policies)));
            }
        });
        workloads.sort(StrandedWorkload.ORDER);
        return workloads;
    }

    /** {@return the running pods into which rules would be injected, by name, of each workload} */
    private Map<Controller, List<Pod>> workloads(InjectingPolicies policies, Predicate<Pod> listed) {
        Map<Controller, List<Pod>> workloads = new LinkedHashMap<>();
        cluster.pods().stream()
                .filter(pod -> pod.counts() && !pod.terminating() && listed.test(pod))
                .filter(pod -> pod.victimProtection().controller().isPresent())
                .filter(pod -> !policies.selecting(pod, cluster).isEmpty())
                .sorted(Comparator.comparing(Pod::namespace)
                        .thenComparing(pod -> pod.name().name()))
                .forEach(pod -> workloads
                        .computeIfAbsent(workload(pod), _ -> new ArrayList<>())
                        .add(pod));
        return workloads;
    }

    /** {@return the topmost controller of a pod that is known: the Deployment of its ReplicaSet} */
    private Controller workload(Pod pod) {
        Controller direct = pod.victimProtection().controller().orElseThrow();
        return cluster.owner(pod.namespace(), direct.uid())
                .flatMap(Owner::controller)
                .orElse(direct);
    }

    /**
     * The result of creating the pods of a workload again.
     *
     * @param stranded the pods that no node takes
     * @param why what keeps the first of them off the nodes
     */
    private record Placed(List<Pod> stranded, String why) {}

    private Placed place(List<Pod> pods, Function<Pod, Scheduling> constraints) {
        record Alike(Scheduling scheduling, PodRequirements requirements) {}
        Set<Alike> refused = new HashSet<>();
        List<Pod> stranded = new ArrayList<>();
        String why = "";
        pods.forEach(pod -> cluster.apply(new ClusterEvent.PodGone(pod.uid())));
        for (Pod pod : pods) {
            Pod created = with(pod, Optional.empty(), constraints.apply(pod));
            Alike alike = new Alike(created.scheduling(), created.podRequirements());
            // After a pod that no node takes the cluster is as before.
            Search search = refused.contains(alike) ? new Search(Optional.empty(), why) : search(created, pod);
            if (search.node().isPresent()) {
                cluster.apply(
                        new ClusterEvent.PodChanged(with(pod, search.node().map(Node::name), created.scheduling())));
            } else {
                stranded.add(created);
                why = why.isEmpty() ? search.why() : why;
                refused.add(alike);
            }
        }
        pods.forEach(pod -> cluster.apply(new ClusterEvent.PodChanged(pod)));
        return new Placed(stranded, why);
    }

    /**
     * The result of the search for a node.
     *
     * @param why why no node takes the pod; empty if one does
     */
    private record Search(Optional<Node> node, String why) {}

    /** {@return a node that takes a pod: its present one, if that does; else the first} */
    private Search search(Pod created, Pod running) {
        Suitable suitable = suitable(created);
        NodeRejection others = others(created);
        Optional<Node> present = running.nodeName()
                .flatMap(cluster::node)
                .filter(suitable.nodes()::contains)
                .filter(node -> others.to(node).isEmpty());
        if (present.isPresent()) {
            return new Search(present, "");
        }
        Map<String, Integer> rejected = new TreeMap<>(suitable.rejected());
        for (Node node : suitable.nodes()) {
            Optional<String> why = others.to(node);
            if (why.isEmpty()) {
                return new Search(Optional.of(node), "");
            }
            rejected.merge(why.get(), 1, Integer::sum);
        }
        return new Search(Optional.empty(), SchedulerFilters.why(cluster.nodes().size(), rejected));
    }

    /**
     * {@return what the nodes alone say about a pod, whichever pods there are; kept, as many workloads need the same}
     */
    private Suitable suitable(Pod created) {
        return suitable.computeIfAbsent(created.scheduling(), _ -> {
            Map<SchedulerFilters.Filter, NodeRejection> byFilter = filters.of(created, List.of());
            NodeRejection ofNode = all(byFilter, SchedulerFilters.Filter.READINESS, SchedulerFilters.Filter.NODE);
            Set<Node> nodes = new LinkedHashSet<>();
            Map<String, Integer> rejected = new TreeMap<>();
            cluster.nodes()
                    .forEach(node -> ofNode.to(node)
                            .ifPresentOrElse(why -> rejected.merge(why, 1, Integer::sum), () -> nodes.add(node)));
            return new Suitable(nodes, rejected);
        });
    }

    private NodeRejection others(Pod created) {
        return all(
                filters.of(created, List.of()),
                SchedulerFilters.Filter.ROOM,
                SchedulerFilters.Filter.PODS,
                SchedulerFilters.Filter.VOLUMES);
    }

    private static NodeRejection all(
            Map<SchedulerFilters.Filter, NodeRejection> byFilter, SchedulerFilters.Filter... filters) {
        return Stream.of(filters).map(byFilter::get).reduce(NodeRejection.NONE, NodeRejection::or);
    }

    private List<String> names(List<Pod> pods, InjectingPolicies policies) {
        return pods.stream()
                .flatMap(pod -> policies.selecting(pod, cluster).stream())
                .distinct()
                .sorted()
                .map(PolicyId::toString)
                .toList();
    }

    /** {@return the pod as the scheduler sees a new one: all rules in its spec count, and a node gives it no labels} */
    private static Pod with(Pod pod, Optional<String> node, Scheduling scheduling) {
        return pod.withSharedParts(
                        pod, pod.labels().own(), node, scheduling, pod.podRequirements(), pod.victimProtection())
                .withInjectedAsOwn();
    }
}
