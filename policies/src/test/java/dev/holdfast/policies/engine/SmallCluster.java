package dev.holdfast.policies.engine;

import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.NodeTraits.hostname;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;

import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.PodTrait;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A random cluster of 3 to 6 nodes in 2 or 3 zones, with 2 to 8 pods of 1 to 3 workloads. Pods and nodes are numbered
 * from 0: node 0 has the name n0. All pods of a workload have the same rules.
 */
final class SmallCluster {
    private static final List<SmallRule.Kind> KINDS = List.of(SmallRule.Kind.values());

    private final List<SmallNode> nodes;

    /** The rules of each workload by kind. */
    private final List<Map<SmallRule.Kind, SmallRule>> workloads;

    /** The workload of each pod. */
    private final int[] workloadOf;

    /** The node of each pod at the start. */
    private final int[] start;

    private SmallCluster(
            List<SmallNode> nodes, List<Map<SmallRule.Kind, SmallRule>> workloads, int[] workloadOf, int[] start) {
        this.nodes = nodes;
        this.workloads = workloads;
        this.workloadOf = workloadOf;
        this.start = start;
    }

    List<SmallNode> nodes() {
        return nodes;
    }

    /** {@return the rules of the workload of a pod} */
    Map<SmallRule.Kind, SmallRule> rulesOf(int pod) {
        return workloads.get(workloadOf[pod]);
    }

    int workloadOf(int pod) {
        return workloadOf[pod];
    }

    /** {@return the node of each pod at the start} */
    int[] start() {
        return start.clone();
    }

    /**
     * One node.
     *
     * @param ssd whether the node has the label disk=ssd
     */
    record SmallNode(int zone, boolean ssd) {}

    /** {@return the first cluster drawn from the seed that is accepted} */
    static SmallCluster random(long seed, Predicate<SmallCluster> accepted) {
        Random random = new Random(seed);
        return Stream.generate(() -> any(random)).filter(accepted).findFirst().orElseThrow();
    }

    private static SmallCluster any(Random random) {
        int zones = 2 + random.nextInt(2);
        List<SmallNode> nodes = new ArrayList<>();
        int nodeCount = 3 + random.nextInt(4);
        for (int node = 0; node < nodeCount; node++) {
            nodes.add(new SmallNode(node < zones ? node : random.nextInt(zones), random.nextBoolean()));
        }
        int workloadCount = 1 + random.nextInt(3);
        List<Map<SmallRule.Kind, SmallRule>> workloads = IntStream.range(0, workloadCount)
                .mapToObj(workload -> rules(workload, workloadCount, random))
                .toList();
        int[] workloadOf = new int[2 + random.nextInt(7)];
        int[] start = new int[workloadOf.length];
        for (int pod = 0; pod < start.length; pod++) {
            workloadOf[pod] = random.nextInt(workloadCount);
            start[pod] = random.nextInt(nodeCount);
        }
        return new SmallCluster(nodes, workloads, workloadOf, start);
    }

    private static Map<SmallRule.Kind, SmallRule> rules(int workload, int workloads, Random random) {
        Map<SmallRule.Kind, SmallRule> rules = new EnumMap<>(SmallRule.Kind.class);
        int most = 1 + random.nextInt(3);
        for (int i = 0; i < most; i++) {
            SmallRule.Kind kind = KINDS.get(random.nextInt(KINDS.size()));
            rules.put(kind, SmallRule.random(kind, workload, workloads, random));
        }
        return rules;
    }

    /** {@return the number of pairs of a pod and a rule that it violates at the start} */
    int violations() {
        return new SmallVerdicts(this).violations(start);
    }

    /** {@return the number of rules that at least one pod violates at the start; workloads count separately} */
    int brokenRules() {
        SmallVerdicts verdicts = new SmallVerdicts(this);
        int broken = 0;
        for (int workload = 0; workload < workloads.size(); workload++) {
            int of = workload;
            for (SmallRule rule : workloads.get(workload).values()) {
                boolean isBroken = IntStream.range(0, start.length)
                        .anyMatch(pod -> workloadOf[pod] == of && verdicts.isBroken(rule, pod, start));
                broken += isBroken ? 1 : 0;
            }
        }
        return broken;
    }

    /** {@return the events that create the cluster} */
    ClusterBuilder facts() {
        ClusterBuilder facts = cluster();
        for (int node = 0; node < nodes.size(); node++) {
            facts.node(
                    "n" + node,
                    zone("z" + nodes.get(node).zone()),
                    hostname("n" + node),
                    labels("disk", nodes.get(node).ssd() ? "ssd" : "hdd"));
        }
        for (int pod = 0; pod < start.length; pod++) {
            facts.pod(name(pod), on("n" + start[pod]), replicaOf(app(workloadOf[pod])), demands(workloadOf[pod]));
        }
        return facts;
    }

    private PodTrait demands(int workload) {
        return draft ->
                workloads.get(workload).values().forEach(rule -> rule.trait().of(draft));
    }

    static String name(int pod) {
        return "p" + pod;
    }

    static String app(int workload) {
        return "app" + workload;
    }

    /** {@return the cluster as text, for messages} */
    String describe() {
        StringBuilder text = new StringBuilder("nodes");
        for (int node = 0; node < nodes.size(); node++) {
            text.append(" n" + node + "(z" + nodes.get(node).zone())
                    .append(nodes.get(node).ssd() ? " ssd)" : ")");
        }
        for (int pod = 0; pod < start.length; pod++) {
            text.append(" " + name(pod) + "(" + app(workloadOf[pod]) + ")@n" + start[pod]);
        }
        for (int workload = 0; workload < workloads.size(); workload++) {
            text.append(" " + app(workload) + ": " + workloads.get(workload).values());
        }
        return text.toString();
    }
}
