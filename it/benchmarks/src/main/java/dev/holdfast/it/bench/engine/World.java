package dev.holdfast.it.bench.engine;

import dev.holdfast.policies.index.Index;
import dev.holdfast.policies.index.change.VerdictListener;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Phase;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodLifecycle;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.RestartPolicy;
import dev.holdfast.policies.model.VictimProtection;
import dev.holdfast.policies.rule.Policy;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * A cluster generated from a {@link WorldPlan}: workloads with rules of all four kinds, PlacementPolicies and
 * ClusterPlacementPolicies. Nearly all rules hold. Pods have the zone and region labels of their nodes, as in
 * Kubernetes 1.35. Of 150,000 pods, one big workload has 3,000, and one big namespace has 3,000 others. The same plan
 * gives the same cluster.
 *
 * <p>Each call of a method such as {@code pod} creates new objects with new strings, as if just decoded from a watch.
 * Pods of one template share the objects for their scheduling fields and their controller, as after decoding.
 */
final class World {
    /** The key of a namespace label. Policies select pods only in namespaces where its value is {@code yes}. */
    static final String AUDITED = "audited";

    static final String TEAM = "team";

    private final WorldPlan plan;
    private final WorldNodes nodes;
    private final List<WorldWorkloads.Workload> workloads;

    /**
     * For each pod, by its number: the number of its workload. Likewise {@code replica} has the pod's number within its
     * workload, and {@code home} the number of its node.
     */
    private final int[] workload;

    private final int[] replica;
    private final int[] home;

    World(WorldPlan plan) {
        this.plan = plan;
        this.nodes = new WorldNodes(plan.nodes());
        this.workloads = new WorldWorkloads(plan).draw();
        this.workload = new int[plan.pods()];
        this.replica = new int[plan.pods()];
        this.home = new int[plan.pods()];
        int pod = 0;
        for (int number = 0; number < workloads.size(); number++) {
            WorldWorkloads.Workload one = workloads.get(number);
            for (int i = 0; i < one.replicas(); i++, pod++) {
                workload[pod] = number;
                replica[pod] = i;
                // The first three replicas of each workload go to the nodes that get exactly 110 pods.
                int zone = (one.firstZone() + i) % WorldNodes.ZONES;
                home[pod] = nodes.next(zone, i < WorldNodes.ZONES, one.scheduling());
            }
        }
    }

    WorldPlan plan() {
        return plan;
    }

    WorldNodes nodes() {
        return nodes;
    }

    /** {@return the workloads with the usual number of replicas} */
    List<WorldWorkloads.Workload> usualWorkloads() {
        return workloads.stream().filter(it -> it.app().startsWith("app-")).toList();
    }

    WorldWorkloads.Workload workloadOf(int pod) {
        return workloads.get(workload[pod]);
    }

    /** {@return the numbers of the nodes with this many pods} */
    List<Integer> nodesWith(int pods) {
        int[] count = new int[plan.nodes()];
        for (int node : home) {
            count[node]++;
        }
        return IntStream.range(0, count.length)
                .filter(node -> count[node] == pods)
                .boxed()
                .toList();
    }

    /** {@return the names of all namespaces} */
    List<String> namespaces() {
        return workloads.stream()
                .map(WorldWorkloads.Workload::namespace)
                .distinct()
                .toList();
    }

    Namespace namespace(String name) {
        return namespace(name, team(name), isAudited(name));
    }

    /** {@return the namespace with these label values, which may differ from the initial ones} */
    static Namespace namespace(String name, String team, boolean audited) {
        return new Namespace(
                name, 1, Labels.of("kubernetes.io/metadata.name", name, TEAM, team, AUDITED, audited ? "yes" : "no"));
    }

    static String team(String namespace) {
        return "team-" + Math.floorMod(namespace.hashCode(), WorldWorkloads.TEAMS);
    }

    /** {@return whether policies initially select the pods of a namespace} */
    boolean isAudited(String namespace) {
        return namespace.hashCode() % plan.auditedOneIn() == 0;
    }

    List<Policy> policies() {
        return WorldPolicies.of(namespaces().stream().filter(this::isAudited).toList());
    }

    /** {@return the initial pod with this number} */
    Pod pod(int number) {
        return pod(number, 0, home[number]);
    }

    /** {@return a replacement of the initial pod with this number, on another node that accepts it} */
    Pod replacement(int number) {
        SplittableRandom random = new SplittableRandom(number);
        int node = random.nextInt(plan.nodes());
        while (node == home[number] || !nodes.takes(node, workloadOf(number).scheduling())) {
            node = random.nextInt(plan.nodes());
        }
        return pod(number, 1, node);
    }

    /** @param edition part of the pod's name and UID: 0 for the initial pod, 1 for its replacement */
    private Pod pod(int number, int edition, int node) {
        WorldWorkloads.Workload one = workloadOf(number);
        Instant created = Instant.EPOCH.plusSeconds(number);
        Map<String, String> labels = new HashMap<>(Map.of(
                "app",
                one.app(),
                "app.kubernetes.io/managed-by",
                "helm",
                WorldWorkloads.HASH,
                one.hash(),
                "tier",
                one.tier(),
                "version",
                "v" + one.replicas(),
                WorldNodes.REGION,
                "region-1",
                WorldNodes.ZONE,
                WorldNodes.zone(node)));
        return new Pod(
                String.format(Locale.ROOT, "%08x-0000-4000-8000-%012x", number, edition),
                new NamespacedName(
                        one.namespace(), one.app() + "-" + one.hash() + "-" + replica[number] + "-" + edition),
                1,
                ownLabels(labels),
                Optional.of(WorldNodes.name(node)),
                one.scheduling(),
                PodRequirements.none(),
                new PodLifecycle(Phase.RUNNING, true, created, created, Optional.empty(), false),
                new VictimProtection(Optional.of(one.controller()), 0, RestartPolicy.ALWAYS, false, false, false));
    }

    /** {@return a copy of the labels that shares no string with other objects} */
    static Labels ownLabels(Map<String, String> labels) {
        Map<String, String> own = new HashMap<>();
        labels.forEach((key, value) -> own.put(new String(key.toCharArray()), new String(value.toCharArray())));
        return Labels.of(own);
    }

    /**
     * {@return a new index with all policies and objects, added in the order in which the operator loads them at its
     * start}
     */
    Index load() {
        Index index = new Index(Set.of("kube-system"), VerdictListener.NONE);
        policies().forEach(index::put);
        tell(index::apply);
        return index;
    }

    /** Delivers an event for each namespace, then each node, then each pod, as at a start of the operator. */
    void tell(Consumer<ClusterEvent> listener) {
        namespaces().forEach(name -> listener.accept(new ClusterEvent.NamespaceChanged(namespace(name))));
        for (int node = 0; node < plan.nodes(); node++) {
            listener.accept(new ClusterEvent.NodeChanged(nodes.node(node)));
        }
        for (int pod = 0; pod < plan.pods(); pod++) {
            listener.accept(new ClusterEvent.PodChanged(pod(pod)));
        }
    }
}
