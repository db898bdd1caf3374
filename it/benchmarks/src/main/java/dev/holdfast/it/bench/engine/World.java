package dev.holdfast.it.bench.engine;

import dev.holdfast.it.bench.engine.WorldPlan.Shape;
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
import dev.holdfast.policies.rule.PodRules;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.Rule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * A cluster generated from a {@link WorldPlan}: workloads with rules of all four kinds, PlacementPolicies and
 * ClusterPlacementPolicies. Nearly all rules hold. Pods have the zone and region labels of their nodes, as in
 * Kubernetes 1.35. Of 150,000 pods, one big workload has 3,000, and one big namespace has 3,000 others.
 *
 * <p>Each call of a method such as {@code pod} creates new objects with new strings, as if just decoded from a watch.
 * Pods of one template share the objects for their scheduling fields and their controller, as after decoding.
 */
public final class World {
    /** The key of a namespace label. Policies select pods only in namespaces where its value is {@code yes}. */
    static final String AUDITED = "audited";

    static final String TEAM = "team";

    private static final int ONE_IN = 10;
    private static final int SPREAD_SEEDS = 31;

    private final WorldPlan plan;
    private final WorldNodes worldNodes;
    private final List<WorldWorkload> worldWorkloads;

    /**
     * For each pod, by its number: the number of its workload. Likewise {@code replica} has the pod's number within its
     * workload, and {@code home} the number of its node.
     */
    private final int[] workload;

    private final int[] replica;
    private final int[] home;

    /** {@return the cluster generated from a plan; the same plan gives the same cluster} */
    public static World of(WorldPlan plan) {
        return new World(plan);
    }

    private World(WorldPlan plan) {
        this.plan = plan;
        this.worldNodes = new WorldNodes(plan.nodes());
        this.worldWorkloads = new WorldWorkloads(plan, new Random(plan.seed())).draw();
        this.workload = new int[plan.pods()];
        this.replica = new int[plan.pods()];
        this.home = new int[plan.pods()];
        place();
    }

    /**
     * Chooses a node for every pod, in the zone of the pod. The first three replicas of each workload go to the nodes
     * that get exactly 110 pods, while these have room. All other pods go to the other nodes.
     */
    private void place() {
        int[] room = new int[worldNodes.fullOnes()];
        Arrays.fill(room, WorldNodes.FULL);
        int pod = 0;
        for (int number = 0; number < worldWorkloads.size(); number++) {
            WorldWorkload one = worldWorkloads.get(number);
            for (int i = 0; i < one.replicas(); i++, pod++) {
                workload[pod] = number;
                replica[pod] = i;
                int zone = (one.firstZone() + i) % WorldNodes.ZONES;
                int full = i < WorldNodes.ZONES ? fullNode(room, zone) : -1;
                home[pod] = full >= 0 ? full : worldNodes.next(zone, one.scheduling());
            }
        }
    }

    private static int fullNode(int[] room, int zone) {
        for (int node = zone; node < room.length; node += WorldNodes.ZONES) {
            if (room[node] > 0) {
                room[node]--;
                return node;
            }
        }
        return -1;
    }

    WorldPlan plan() {
        return plan;
    }

    WorldNodes worldNodes() {
        return worldNodes;
    }

    List<WorldWorkload> worldWorkloads() {
        return Collections.unmodifiableList(worldWorkloads);
    }

    WorldWorkload workloadOf(int pod) {
        return worldWorkloads.get(workload[pod]);
    }

    /** {@return the numbers of the pods in a namespace} */
    List<Integer> podsIn(String namespace) {
        List<Integer> pods = new ArrayList<>();
        for (int pod = 0; pod < plan.pods(); pod++) {
            if (workloadOf(pod).namespace().equals(namespace)) {
                pods.add(pod);
            }
        }
        return pods;
    }

    /** {@return the numbers of the nodes with this many pods} */
    List<Integer> nodesWith(int pods) {
        int[] count = new int[worldNodes.count()];
        for (int node : home) {
            count[node]++;
        }
        List<Integer> found = new ArrayList<>();
        for (int node = 0; node < count.length; node++) {
            if (count[node] == pods) {
                found.add(node);
            }
        }
        return found;
    }

    /** {@return the names of all namespaces} */
    Set<String> namespaces() {
        Set<String> names = new LinkedHashSet<>();
        worldWorkloads.forEach(one -> names.add(one.namespace()));
        return names;
    }

    Namespace namespace(String name) {
        return namespace(name, team(name), isAudited(name));
    }

    /** {@return the namespace with these label values, which may differ from the initial ones} */
    Namespace namespace(String name, String team, boolean audited) {
        return new Namespace(
                name, 1, Labels.of("kubernetes.io/metadata.name", name, TEAM, team, AUDITED, audited ? "yes" : "no"));
    }

    static String team(String namespace) {
        return "team-" + Math.floorMod(namespace.hashCode(), WorldWorkloads.TEAMS);
    }

    /** {@return whether policies initially select the pods of a namespace} */
    boolean isAudited(String namespace) {
        return plan.shape() != Shape.MOSTLY_UNSELECTED || namespace.hashCode() % ONE_IN == 0;
    }

    /**
     * {@return how many different pod affinity, anti-affinity and spread rules the pods' specs have} Equal rules in two
     * namespaces count twice.
     */
    int terms() {
        Set<Object> terms = new HashSet<>();
        for (WorldWorkload one : worldWorkloads) {
            for (Rule rule : PodRules.of(one.scheduling())) {
                if (!(rule instanceof Rule.NodeAffinity)) {
                    terms.add(Map.entry(one.namespace(), rule));
                }
            }
        }
        return terms.size();
    }

    List<Policy> policies() {
        return new WorldPolicies(namespaces().stream().filter(this::isAudited).toList()).all();
    }

    /** {@return the initial pod with this number} */
    Pod pod(int number) {
        return pod(number, 0, home[number]);
    }

    /**
     * {@return a replacement of the initial pod with this number, on another node that accepts it}
     *
     * @param edition part of the replacement's name and UID, so that they are unique; the initial pod has 0
     */
    Pod replacement(int number, int edition) {
        SplittableRandom random = new SplittableRandom(plan.seed() + (long) SPREAD_SEEDS * number + edition);
        int node = random.nextInt(worldNodes.count());
        while (node == home[number]
                || !worldNodes.takes(node, workloadOf(number).scheduling())) {
            node = random.nextInt(worldNodes.count());
        }
        return pod(number, edition, node);
    }

    private Pod pod(int number, int edition, int node) {
        WorldWorkload one = workloadOf(number);
        String template = one.app() + "-" + one.hash();
        Instant created = Instant.EPOCH.plusSeconds(number);
        return new Pod(
                uid(number, edition),
                new NamespacedName(one.namespace(), template + "-" + replica[number] + "-" + edition),
                1,
                ownLabels(labels(number, node)),
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

    private static String uid(int number, int edition) {
        return String.format(Locale.ROOT, "%08x-0000-4000-8000-%012x", number, edition);
    }

    private Map<String, String> labels(int number, int node) {
        WorldWorkload one = workloadOf(number);
        Map<String, String> labels = Labels.of(
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
                        WorldNodes.zone(node))
                .toMap();
        if (plan.shape() == Shape.UNIQUE_LABELS) {
            labels.put("run", "run-" + number);
        }
        return labels;
    }

    /**
     * {@return a new index with all policies and objects, added in the order in which the operator loads them at its
     * start}
     */
    Index load(VerdictListener listener) {
        Index index = new Index(Set.of("kube-system"), listener);
        policies().forEach(index::put);
        return load(index);
    }

    /** {@return a new index with all objects and without policies} */
    Index loadWithoutPolicies(VerdictListener listener) {
        return load(new Index(Set.of("kube-system"), listener));
    }

    private Index load(Index index) {
        tell(index::apply);
        return index;
    }

    /** Delivers an event for each namespace, then each node, then each pod, as at a start of the operator. */
    void tell(Consumer<ClusterEvent> listener) {
        namespaces().forEach(name -> listener.accept(new ClusterEvent.NamespaceChanged(namespace(name))));
        for (int node = 0; node < worldNodes.count(); node++) {
            listener.accept(new ClusterEvent.NodeChanged(worldNodes.node(node)));
        }
        for (int pod = 0; pod < plan.pods(); pod++) {
            listener.accept(new ClusterEvent.PodChanged(pod(pod)));
        }
    }
}
