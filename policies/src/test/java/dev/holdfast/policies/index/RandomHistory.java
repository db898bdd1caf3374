package dev.holdfast.policies.index;

import dev.holdfast.policies.model.Cluster;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Phase;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodLife;
import dev.holdfast.policies.model.Protection;
import dev.holdfast.policies.model.RestartPolicy;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.Taint;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.RuleKind;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.selector.Parsed;
import dev.holdfast.policies.testing.Facts;
import java.time.Duration;
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
 * Draws histories of a cluster: every kind of event that can flip a verdict (semantics 3.3), events that cannot, and
 * what a watch may do: the same event twice, objects of one kind before those of another that they speak of, a list of
 * everything in another order, a new pod under an old name before the old one is gone.
 */
final class RandomHistory {
    private static final int RELIST_IN = 400;

    private final Random random;
    private final RandomDemands demands;
    private final int mostPods;
    private final int mostNodes;

    /** The cluster as it is after the steps drawn so far. */
    private final Cluster cluster = new Cluster();

    private final List<Policy> policies = new ArrayList<>();
    private final List<Scheduling> templates = new ArrayList<>();
    private int uids;
    private long version;

    RandomHistory(long seed, int mostPods, int mostNodes) {
        this.random = new Random(seed);
        this.demands = new RandomDemands(random);
        this.mostPods = mostPods;
        this.mostNodes = mostNodes;
        for (int i = 0; i < 5; i++) {
            templates.add(demands.scheduling());
        }
    }

    /** {@return the next steps; mostly one} */
    List<Step> next() {
        List<Step> steps = draw();
        steps.forEach(this::follow);
        if (demands.chance(3)) {
            steps = new ArrayList<>(steps);
            steps.addAll(List.copyOf(steps));
        }
        return steps;
    }

    private void follow(Step step) {
        switch (step) {
            case Step.Fact(ClusterEvent event) -> cluster.apply(event);
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
            return List.of(new Step.PolicyPut(policy()));
        }
        if (dice < 4) {
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
        List<Pod> pods = List.copyOf(cluster.pods());
        if (pods.isEmpty() || (pods.size() < mostPods && demands.chance(35))) {
            return fact(new ClusterEvent.PodChanged(newPod("p" + random.nextInt(mostPods * 2))));
        }
        Pod pod = demands.one(pods);
        return switch (random.nextInt(10)) {
            case 0 -> fact(new ClusterEvent.PodGone(pod.uid()));
            case 1, 2, 3 -> fact(changed(pod, podLabels(pod.nodeName()), pod.nodeName(), pod.scheduling(), pod.life()));
            case 4 -> fact(changed(pod, pod.labels(), pod.nodeName(), pod.scheduling(), terminating(pod)));
            case 5 -> fact(changed(pod, pod.labels(), pod.nodeName(), pod.scheduling(), finished()));
            case 6 -> fact(changed(pod, pod.labels(), bound(pod), pod.scheduling(), pod.life()));
            case 7 -> fact(changed(pod, pod.labels(), pod.nodeName(), tolerating(pod.scheduling()), pod.life()));
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

    private static List<Step> fact(ClusterEvent event) {
        return List.of(new Step.Fact(event));
    }

    private ClusterEvent changed(Pod pod, Labels labels, Optional<String> node, Scheduling scheduling, PodLife life) {
        return new ClusterEvent.PodChanged(
                new Pod(pod.uid(), pod.name(), ++version, labels, node, scheduling, life, pod.protection()));
    }

    private Pod newPod(String name) {
        Optional<String> node = demands.chance(85) ? Optional.of(nodeName()) : Optional.empty();
        return new Pod(
                "u" + ++uids,
                new NamespacedName(demands.one(RandomDemands.NAMESPACES), name),
                ++version,
                podLabels(node),
                node,
                demands.chance(70) ? demands.one(templates) : demands.scheduling(),
                running(true),
                new Protection(Optional.empty(), 0, RestartPolicy.ALWAYS, false, false));
    }

    private Labels podLabels(Optional<String> node) {
        Map<String, String> labels = new TreeMap<>();
        if (demands.chance(90)) {
            labels.put("app", demands.one(RandomDemands.APPS));
        }
        if (demands.chance(40)) {
            labels.put("tier", demands.one(RandomDemands.TIERS));
        }
        if (demands.chance(40)) {
            labels.put("hash", demands.one(RandomDemands.HASHES));
        }
        // The API server copies the zone of the node as it was when the pod was bound.
        node.flatMap(cluster::node)
                .flatMap(it -> it.labels().get(Facts.ZONE))
                .filter(_ -> demands.chance(60))
                .ifPresent(zone -> labels.put(Facts.ZONE, zone));
        return Labels.of(labels);
    }

    private Optional<String> bound(Pod pod) {
        return pod.nodeName().isPresent() ? pod.nodeName() : Optional.of(nodeName());
    }

    private static PodLife terminating(Pod pod) {
        return new PodLife(
                pod.life().phase(),
                pod.life().ready(),
                pod.life().creationTime(),
                Optional.of(Instant.EPOCH.plusSeconds(30)));
    }

    private PodLife finished() {
        return new PodLife(demands.chance(50) ? Phase.SUCCEEDED : Phase.FAILED, false, Instant.EPOCH, Optional.empty());
    }

    private static PodLife running(boolean ready) {
        return new PodLife(Phase.RUNNING, ready, Instant.EPOCH, Optional.empty());
    }

    private Scheduling tolerating(Scheduling scheduling) {
        return new Scheduling(
                scheduling.nodeSelector(),
                scheduling.nodeAffinity(),
                scheduling.podAffinity(),
                scheduling.podAntiAffinity(),
                scheduling.topologySpread(),
                demands.tolerations());
    }

    private String nodeName() {
        return "n" + (1 + random.nextInt(mostNodes));
    }

    private ClusterEvent nodeEvent() {
        String name = nodeName();
        Optional<Node> known = cluster.node(name);
        if (known.isEmpty()) {
            return new ClusterEvent.NodeChanged(node(name, nodeLabels(name), List.of()));
        }
        Node node = known.get();
        return switch (random.nextInt(8)) {
            case 0 -> new ClusterEvent.NodeGone(name);
            case 1, 2 -> new ClusterEvent.NodeChanged(node(name, node.labels(), taints()));
            case 3 ->
                new ClusterEvent.NodeChanged(new Node(
                        name, node.uid(), ++version, node.labels(), node.taints(), !node.unschedulable(), true));
            default -> new ClusterEvent.NodeChanged(node(name, nodeLabels(name), node.taints()));
        };
    }

    private Node node(String name, Labels labels, List<Taint> taints) {
        return new Node(name, "uid-" + name, ++version, labels, taints, false, true);
    }

    private List<Taint> taints() {
        return demands.chance(50) ? List.of() : List.of(new Taint("gpu", "", "NoSchedule"));
    }

    private Labels nodeLabels(String name) {
        Map<String, String> labels = new HashMap<>();
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
        if (demands.chance(20) && cluster.namespace(name).isPresent()) {
            return new ClusterEvent.NamespaceGone(name);
        }
        Labels labels = demands.chance(80) ? Labels.of("team", demands.one(RandomDemands.TEAMS)) : Labels.none();
        return new ClusterEvent.NamespaceChanged(new Namespace(name, ++version, labels));
    }

    /** Everything that is, once more and in another order. */
    private List<Step> relist() {
        List<Step> steps = new ArrayList<>();
        cluster.pods().forEach(pod -> steps.add(new Step.Fact(new ClusterEvent.PodChanged(pod))));
        cluster.nodes().forEach(node -> steps.add(new Step.Fact(new ClusterEvent.NodeChanged(node))));
        cluster.namespaces().forEach(known -> steps.add(new Step.Fact(new ClusterEvent.NamespaceChanged(known))));
        Collections.shuffle(steps, random);
        return steps;
    }

    private Policy policy() {
        boolean namespaced = demands.chance(40);
        String name = "policy-" + random.nextInt(2);
        PolicyId id =
                namespaced ? PolicyId.namespaced(demands.one(RandomDemands.NAMESPACES), name) : PolicyId.cluster(name);
        Map<RuleKind, Enforcement> podRules = new HashMap<>();
        for (RuleKind kind : RuleKind.values()) {
            if (demands.chance(75)) {
                podRules.put(kind, enforcement(demands.chance(95) ? Mode.AUDIT : Mode.OFF));
            }
        }
        List<Policy.NamedRule> rules = new ArrayList<>();
        while (demands.chance(45)) {
            rules.add(new Policy.NamedRule("rule-" + rules.size(), rule(), enforcement(Mode.AUDIT)));
        }
        return new Policy(
                id,
                ++version,
                demands.chance(93) ? Mode.AUDIT : Mode.OFF,
                matcher(demands.chance(60) ? LabelSelector.everything() : demands.selector()),
                demands.chance(20) ? Optional.of(matcher(nodePool())) : Optional.empty(),
                demands.chance(40) ? Optional.of(matcher(demands.namespaceSelector())) : Optional.empty(),
                podRules,
                rules);
    }

    private LabelSelector nodePool() {
        return new LabelSelector(Labels.of("disk", demands.one(RandomDemands.DISKS)), List.of());
    }

    private Rule rule() {
        return switch (random.nextInt(4)) {
            case 0 -> new Rule.NodeAffinity(Labels.none(), Optional.of(demands.nodeSelector()));
            case 1 -> new Rule.PodAffinity(List.of(demands.term()));
            case 2 -> new Rule.PodAntiAffinity(demands.term());
            default -> new Rule.TopologySpread(demands.spread(), List.of());
        };
    }

    private static Enforcement enforcement(Mode mode) {
        return new Enforcement(mode, Duration.ofMinutes(5), WhenInfeasible.WAIT);
    }

    private static LabelMatcher matcher(LabelSelector selector) {
        return switch (LabelMatcher.of(Optional.of(selector))) {
            case Parsed.Usable<LabelMatcher>(LabelMatcher matcher) -> matcher;
            case Parsed.Unusable<LabelMatcher> _ -> LabelMatcher.nothing();
        };
    }
}
