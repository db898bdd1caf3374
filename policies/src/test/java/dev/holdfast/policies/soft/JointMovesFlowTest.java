package dev.holdfast.policies.soft;

import static dev.holdfast.policies.testing.Demands.expression;
import static dev.holdfast.policies.testing.Demands.nodeTerm;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PreferenceTraits.preferring;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.evaluate.Evaluator;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.score.SpreadDefaults;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.Facts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jgrapht.Graph;
import org.jgrapht.alg.flow.mincost.CapacityScalingMinimumCostFlow;
import org.jgrapht.alg.flow.mincost.MinimumCostFlowProblem;
import org.jgrapht.alg.interfaces.MinimumCostFlowAlgorithm;
import org.jgrapht.graph.DefaultWeightedEdge;
import org.jgrapht.graph.SimpleDirectedWeightedGraph;
import org.junit.jupiter.api.Test;

/**
 * Clusters that are too large to try all orders: pods prefer nodes, and nodes have few seats. A min-cost flow
 * from pods to nodes has at least the gain that any moves have, since it ignores their order and what the scheduler
 * chooses.
 */
class JointMovesFlowTest {
    private static final int CLUSTERS = 12;
    private static final int NODES = 24;
    private static final int PODS = 120;
    private static final List<String> DISKS = List.of("ssd", "hdd", "nvme");
    private static final List<String> POOLS = List.of("spot", "demand");

    private static SeatedCluster crowded(Random random) {
        ClusterBuilder builder = Facts.cluster();
        Map<String, Integer> seats = new HashMap<>();
        for (int i = 0; i < NODES; i++) {
            String name = "n" + i;
            builder.node(name, labels("disk", one(DISKS, random), "pool", one(POOLS, random)));
            seats.put(name, 0);
        }
        for (int i = 0; i < PODS; i++) {
            String node = "n" + random.nextInt(NODES);
            seats.merge(node, 1, Integer::sum);
            builder.pod(
                    "p" + i,
                    on(node),
                    preferring(1 + random.nextInt(100), nodeTerm(expression("disk", "In", one(DISKS, random)))),
                    preferring(1 + random.nextInt(100), nodeTerm(expression("pool", "In", one(POOLS, random)))));
        }
        seats.replaceAll((_, taken) -> taken + random.nextInt(3));
        return new SeatedCluster(builder.build(), seats);
    }

    private static String one(List<String> values, Random random) {
        return values.get(random.nextInt(values.size()));
    }

    /** {@return the gain of the best assignment of all pods to nodes} */
    private static long bound(SeatedCluster crowded) {
        List<Pod> pods = crowded.pods();
        Graph<String, DefaultWeightedEdge> graph = new SimpleDirectedWeightedGraph<>(DefaultWeightedEdge.class);
        Map<String, Integer> supplies = new HashMap<>();
        graph.addVertex("sink");
        supplies.put("sink", -pods.size());
        for (Node node : crowded.cluster().nodes()) {
            graph.addVertex(node.name());
            graph.setEdgeWeight(graph.addEdge(node.name(), "sink"), 0);
        }
        for (Pod pod : pods) {
            graph.addVertex(pod.uid());
            supplies.put(pod.uid(), 1);
            long now = weight(pod, crowded.cluster().countedNode(pod).orElseThrow());
            for (Node node : crowded.cluster().nodes()) {
                graph.setEdgeWeight(graph.addEdge(pod.uid(), node.name()), (double) (now - weight(pod, node)));
            }
        }
        MinimumCostFlowAlgorithm.MinimumCostFlow<DefaultWeightedEdge> flow = new CapacityScalingMinimumCostFlow<
                        String, DefaultWeightedEdge>()
                .getMinimumCostFlow(new MinimumCostFlowProblem.MinimumCostFlowProblemImpl<>(
                        graph,
                        vertex -> supplies.getOrDefault(vertex, 0),
                        edge -> graph.getEdgeTarget(edge).equals("sink")
                                ? crowded.seats().getOrDefault(graph.getEdgeSource(edge), 0)
                                : 1));
        return Math.round(-flow.getCost());
    }

    private static long weight(Pod pod, Node node) {
        return SoftRule.of(pod, SpreadDefaults.none()).stream()
                .mapToLong(rule -> Evaluator.prepare((Rule.OfNode) rule.rule()).accepts(node) ? rule.weight() : 0)
                .sum();
    }

    @Test
    void theMovesGainNearlyAsMuchAsAnyAssignment() {
        long seed = Long.getLong("holdfast.seed", 47);
        Random random = new Random(seed);
        List<Double> shares = new ArrayList<>();
        for (int i = 0; i < CLUSTERS; i++) {
            SeatedCluster crowded = crowded(random);
            List<Pod> moves = JointMoves.choose(crowded.pods(), crowded.start(), PODS, PODS * PODS);
            shares.add((double) crowded.gain(moves) / (double) bound(crowded));
        }
        shares.sort(Comparator.naturalOrder());
        System.out.println(CLUSTERS + " clusters, seed " + seed + "; share of the flow: least " + shares.getFirst()
                + ", median " + shares.get(CLUSTERS / 2));
        assertThat(shares.getFirst()).isGreaterThanOrEqualTo(0.8);
        assertThat(shares.get(CLUSTERS / 2)).isGreaterThanOrEqualTo(0.97);
    }
}
