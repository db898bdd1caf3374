package dev.holdfast.policies.index;

import dev.holdfast.policies.model.AnnotationRules;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.HostPort;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.NodeLifecycle;
import dev.holdfast.policies.model.Phase;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodLifecycle;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.model.Resources;
import dev.holdfast.policies.model.RestartPolicy;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.Taint;
import dev.holdfast.policies.model.VictimProtection;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.testing.Facts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/**
 * Generates random histories of a cluster: sequences of events and policy changes. They contain every kind of event
 * that can change a verdict, and events that cannot.
 *
 * <p>They also contain what a watch may deliver: an event twice, an object before another object that it refers to, and
 * a relist in another order. A new pod may have the name of an old pod that is not gone yet. Some events are long
 * outdated, even those of deleted pods. Some events are never sent by an API server: a replaced scheduling, or a pod on
 * another node.
 */
final class RandomHistory {
    private static final Resources HALF_A_CORE = new Resources(500, 0, 0, 0, Map.of());
    private static final PodRequirements BUSY =
            new PodRequirements(HALF_A_CORE, HALF_A_CORE, List.of(new HostPort("0.0.0.0", 80, "TCP")), List.of());

    private static final int RELIST_IN = 400;
    private static final int TEMPLATES = 5;
    private static final List<String> EFFECTS = List.of("NoSchedule", "NoExecute", "PreferNoSchedule");

    private final Random random;
    private final RandomDemands demands;
    private final int mostPods;
    private final int mostNodes;

    /** The cluster after the steps generated so far. */
    private final ReferenceCluster referenceCluster = new ReferenceCluster();

    private final RandomPolicies policyDraws;
    private final List<Policy> policies = new ArrayList<>();

    /** Past steps, which a watch may repeat much later. */
    private final List<Step> old = new ArrayList<>();

    private final List<Scheduling> templates = new ArrayList<>();

    /** The steps that {@link #next} returns first, before it generates any. */
    private final List<Step> begin = new ArrayList<>();

    private int uids;
    private long version;

    RandomHistory(long seed, int mostPods, int mostNodes) {
        this.random = new Random(seed);
        this.demands = new RandomDemands(random);
        this.policyDraws = new RandomPolicies(random, demands);
        this.mostPods = mostPods;
        this.mostNodes = mostNodes;
        for (int i = 0; i < TEMPLATES; i++) {
            templates.add(demands.scheduling());
        }
    }

    /**
     * {@return a history that begins with many pods of one template on one node}
     *
     * @param pods the number of these pods
     */
    static RandomHistory crowded(long seed, int pods) {
        RandomHistory history = new RandomHistory(seed, 2 * pods, 3);
        for (int i = 0; i < pods; i++) {
            history.begin.add(new Step.Fact(new ClusterEvent.PodChanged(
                    history.newPod("p" + i, Optional.of("n1"), history.templates.getFirst()))));
        }
        return history;
    }

    /** Generates the next steps, mostly one, applies them to {@link #referenceCluster}, and returns them. */
    List<Step> next() {
        List<Step> steps = begin.isEmpty() ? draw() : List.copyOf(begin);
        begin.clear();
        steps.forEach(this::follow);
        if (demands.chance(3)) {
            steps = new ArrayList<>(steps);
            steps.addAll(List.copyOf(steps));
        }
        return steps;
    }

    private void follow(Step step) {
        switch (step) {
            case Step.Fact(ClusterEvent event) -> {
                referenceCluster.apply(event);
                if (demands.chance(15)) {
                    old.add(step);
                }
            }
            case Step.PolicyPut(Policy policy) -> {
                policies.removeIf(known -> known.id().equals(policy.id()));
                policies.add(policy);
            }
            case Step.PolicyRemoved(PolicyId id) ->
                policies.removeIf(known -> known.id().equals(id));
        }
    }

    private List<Step> draw() {
        if (random.nextInt(RELIST_IN) == 0) {
            return relist();
        }
        int dice = random.nextInt(100);
        if (policies.isEmpty() || dice < 3) {
            return List.of(new Step.PolicyPut(policyDraws.next(++version)));
        }
        if (dice < 5) {
            return List.of(new Step.PolicyPut(policyDraws.edited(demands.one(policies), ++version)));
        }
        if (dice < 6) {
            return List.of(new Step.PolicyRemoved(demands.one(policies).id()));
        }
        if (dice < 20) {
            return List.of(new Step.Fact(nodeEvent()));
        }
        if (dice < 26) {
            return List.of(new Step.Fact(namespaceEvent()));
        }
        return podEvent();
    }

    private List<Step> podEvent() {
        List<Pod> pods = List.copyOf(referenceCluster.pods());
        if (pods.isEmpty() || (pods.size() < mostPods && demands.chance(35))) {
            return fact(new ClusterEvent.PodChanged(newPod("p" + random.nextInt(mostPods * 2))));
        }
        if (!old.isEmpty() && demands.chance(4)) {
            return List.of(demands.one(old));
        }
        Pod pod = demands.one(pods);
        if (demands.chance(6)) {
            return fact(strange(pod));
        }
        return switch (random.nextInt(11)) {
            case 0 -> fact(new ClusterEvent.PodGone(pod.uid()));
            case 1, 2, 3 -> fact(changed(pod, podLabels(pod.nodeName()), pod.nodeName(), pod.scheduling(), pod.life()));
            case 4 -> fact(changed(pod, pod.labels(), pod.nodeName(), pod.scheduling(), terminating(pod)));
            case 5 -> fact(changed(pod, pod.labels(), pod.nodeName(), pod.scheduling(), finished()));
            case 6 -> fact(changed(pod, pod.labels(), bound(pod), pod.scheduling(), pod.life()));
            case 7 -> fact(changed(pod, pod.labels(), pod.nodeName(), tolerating(pod.scheduling()), pod.life()));
            case 9 -> fact(changed(pod, pod.labels(), pod.nodeName(), annotated(pod.scheduling()), pod.life()));
            case 8 ->
                demands.chance(50)
                        ? List.of(
                                new Step.Fact(new ClusterEvent.PodChanged(
                                        newPod(pod.name().name()))),
                                new Step.Fact(new ClusterEvent.PodGone(pod.uid())))
                        : List.of(
                                new Step.Fact(new ClusterEvent.PodGone(pod.uid())),
                                new Step.Fact(new ClusterEvent.PodChanged(
                                        newPod(pod.name().name()))));
            default -> fact(changed(pod, pod.labels(), pod.nodeName(), pod.scheduling(), running(demands.chance(50))));
        };
    }

    private ClusterEvent strange(Pod pod) {
        return switch (random.nextInt(3)) {
            case 0 -> {
                Optional<String> node = demands.chance(50) ? Optional.of(nodeName()) : Optional.empty();
                yield changed(pod, pod.labels(), node, pod.scheduling(), pod.life());
            }
            case 1 ->
                changed(pod, podLabels(pod.nodeName()), Optional.of(nodeName()), demands.scheduling(), pod.life());
            default -> changed(pod, Labels.none(), pod.nodeName(), pod.scheduling(), terminating(pod));
        };
    }

    private static List<Step> fact(ClusterEvent event) {
        return List.of(new Step.Fact(event));
    }

    private ClusterEvent changed(
            Pod pod, Labels labels, Optional<String> node, Scheduling scheduling, PodLifecycle life) {
        return new ClusterEvent.PodChanged(new Pod(
                pod.uid(),
                pod.name(),
                ++version,
                labels,
                node,
                scheduling,
                podRequirements(),
                life,
                pod.victimProtection()));
    }

    private Pod newPod(String name) {
        return newPod(
                name,
                demands.chance(85) ? Optional.of(nodeName()) : Optional.empty(),
                demands.chance(70) ? demands.one(templates) : demands.scheduling());
    }

    private Pod newPod(String name, Optional<String> node, Scheduling scheduling) {
        return new Pod(
                "u" + ++uids,
                new NamespacedName(demands.one(RandomDemands.NAMESPACES), name),
                ++version,
                podLabels(node),
                node,
                scheduling,
                podRequirements(),
                running(true),
                new VictimProtection(Optional.empty(), 0, RestartPolicy.ALWAYS, false, false, false));
    }

    private PodRequirements podRequirements() {
        return demands.chance(80) ? PodRequirements.none() : BUSY.withClaims(List.of(demands.one(RandomDemands.APPS)));
    }

    private Labels podLabels(Optional<String> node) {
        Map<String, String> labels = new TreeMap<>();
        if (demands.chance(90)) {
            labels.put("app", demands.chance(5) ? "" : demands.one(RandomDemands.APPS));
        }
        if (demands.chance(15)) {
            labels.put(RandomDemands.REGION, demands.one(RandomDemands.REGIONS));
        }
        if (demands.chance(8)) {
            labels.put(Facts.ZONE, demands.one(RandomDemands.ZONES));
        }
        if (demands.chance(8)) {
            labels.put("unique", "u" + version);
        }
        if (demands.chance(40)) {
            labels.put("tier", demands.one(RandomDemands.TIERS));
        }
        if (demands.chance(40)) {
            labels.put("hash", demands.one(RandomDemands.HASHES));
        }
        // The API server copies the zone of the node as it was when the pod was bound.
        node.flatMap(referenceCluster::node)
                .flatMap(it -> it.labels().get(Facts.ZONE))
                .filter(_ -> demands.chance(60))
                .ifPresent(zone -> labels.put(Facts.ZONE, zone));
        return Labels.of(labels);
    }

    private Optional<String> bound(Pod pod) {
        return pod.nodeName().isPresent() ? pod.nodeName() : Optional.of(nodeName());
    }

    private static PodLifecycle terminating(Pod pod) {
        return new PodLifecycle(
                pod.life().phase(),
                pod.life().ready(),
                pod.life().creationTime(),
                pod.life().boundTime(),
                Optional.of(Instant.EPOCH.plusSeconds(30)),
                pod.life().beingDisrupted());
    }

    private PodLifecycle finished() {
        return life(demands.chance(50) ? Phase.SUCCEEDED : Phase.FAILED, false);
    }

    private static PodLifecycle running(boolean ready) {
        return life(Phase.RUNNING, ready);
    }

    private static PodLifecycle life(Phase phase, boolean ready) {
        return new PodLifecycle(phase, ready, Instant.EPOCH, Instant.EPOCH, Optional.empty(), false);
    }

    private Scheduling tolerating(Scheduling scheduling) {
        Scheduling tolerating = new Scheduling(
                scheduling.nodeSelector(),
                scheduling.nodeAffinity(),
                scheduling.podAffinity(),
                scheduling.podAntiAffinity(),
                scheduling.topologySpread(),
                demands.tolerations());
        return tolerating.withAnnotationRules(scheduling.annotationRules());
    }

    /** {@return the constraints after an edit of the annotation, which a running pod allows at any time} */
    private Scheduling annotated(Scheduling scheduling) {
        return scheduling.withAnnotationRules(demands.chance(70) ? demands.annotationRules() : AnnotationRules.none());
    }

    private String nodeName() {
        return "n" + (1 + random.nextInt(mostNodes));
    }

    private ClusterEvent nodeEvent() {
        String name = nodeName();
        Optional<Node> known = referenceCluster.node(name);
        if (known.isEmpty()) {
            return new ClusterEvent.NodeChanged(node(name, nodeLabels(name), List.of()));
        }
        Node node = known.get();
        return switch (random.nextInt(8)) {
            case 0 ->
                random.nextBoolean()
                        ? new ClusterEvent.NodeGone(name)
                        : new ClusterEvent.NodeUnread(node.unread("it has too much"));
            case 1, 2 -> new ClusterEvent.NodeChanged(node(name, node.labels(), taints()));
            case 3 ->
                new ClusterEvent.NodeChanged(new Node(
                        name,
                        node.uid(),
                        ++version,
                        node.labels(),
                        node.taints(),
                        !node.unschedulable(),
                        life(),
                        allocatable()));
            default -> new ClusterEvent.NodeChanged(node(name, nodeLabels(name), node.taints()));
        };
    }

    private Node node(String name, Labels labels, List<Taint> taints) {
        return new Node(name, "uid-" + name, ++version, labels, taints, false, life(), allocatable());
    }

    /** {@return a node lifecycle; every second node was created 1 s after the epoch, when all pods were created} */
    private NodeLifecycle life() {
        return new NodeLifecycle(true, Optional.empty(), Instant.EPOCH.plusSeconds(version % 2), Optional.empty());
    }

    /** {@return resources of a node that is soon full; some nodes are full earlier than others} */
    private Resources allocatable() {
        return new Resources(500 + version % 3_000, 0, 0, 3 + version % 17, Map.of());
    }

    private List<Taint> taints() {
        if (demands.chance(50)) {
            return List.of();
        }
        return List.of(
                new Taint("gpu", demands.chance(70) ? "" : "v100", demands.one(EFFECTS)),
                new Taint("cpu", "4", demands.chance(30) ? "NoSchedule" : "PreferNoSchedule"));
    }

    private Labels nodeLabels(String name) {
        if (demands.chance(8)) {
            return Labels.none();
        }
        Map<String, String> labels = new HashMap<>();
        if (demands.chance(60)) {
            labels.put(RandomDemands.REGION, demands.one(RandomDemands.REGIONS));
        }
        labels.put("disk", demands.one(RandomDemands.DISKS));
        if (demands.chance(90)) {
            labels.put(Facts.ZONE, demands.one(RandomDemands.ZONES));
        }
        if (demands.chance(70)) {
            labels.put(Facts.RACK, demands.one(RandomDemands.RACKS));
        }
        if (demands.chance(95)) {
            labels.put(Facts.HOSTNAME, demands.chance(95) ? name : "n1");
        }
        if (demands.chance(30)) {
            labels.put("cores", demands.one(List.of("4", "16", "many")));
        }
        return Labels.of(labels);
    }

    private ClusterEvent namespaceEvent() {
        String name = demands.one(RandomDemands.NAMESPACES);
        if (demands.chance(20) && referenceCluster.namespace(name).isPresent()) {
            return new ClusterEvent.NamespaceGone(name);
        }
        Labels labels = demands.chance(80) ? Labels.of("team", demands.one(RandomDemands.TEAMS)) : Labels.none();
        return new ClusterEvent.NamespaceChanged(new Namespace(name, ++version, labels));
    }

    /** {@return the steps of a relist: one event for each pod, node and namespace, in random order} */
    private List<Step> relist() {
        List<Step> steps = new ArrayList<>();
        referenceCluster.pods().forEach(pod -> steps.add(new Step.Fact(new ClusterEvent.PodChanged(pod))));
        referenceCluster.nodes().forEach(node -> steps.add(new Step.Fact(new ClusterEvent.NodeChanged(node))));
        referenceCluster
                .namespaces()
                .forEach(known -> steps.add(new Step.Fact(new ClusterEvent.NamespaceChanged(known))));
        Collections.shuffle(steps, random);
        return steps;
    }
}
