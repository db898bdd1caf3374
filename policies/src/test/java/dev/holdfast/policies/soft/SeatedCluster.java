package dev.holdfast.policies.soft;

import dev.holdfast.policies.evaluate.NodeRejection;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.score.SchedulerProfile;
import dev.holdfast.policies.score.Scorer;
import dev.holdfast.policies.score.SpreadDefaults;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** A cluster whose nodes take a number of pods, and whose scheduler scores by soft rules alone. */
record SeatedCluster(ReferenceCluster cluster, Map<String, Integer> seats) implements MovedPods.Terms {
    @Override
    public Prediction landing(Pod pod, ClusterView view) {
        List<Node> feasible =
                view.nodes().stream().filter(node -> hasSeat(node, pod, view)).toList();
        return Prediction.of(
                new Scorer(SchedulerProfile.ofSoftRules(spreadDefaults()), view).rank(pod, feasible),
                0,
                view.nodes().size());
    }

    private boolean hasSeat(Node node, Pod pod, ClusterView view) {
        long others = view.podsOn(node.name()).stream()
                .filter(it -> !it.uid().equals(pod.uid()))
                .count();
        return others < seats.getOrDefault(node.name(), 0);
    }

    @Override
    public NodeRejection violations(Pod pod, ClusterView view) {
        return NodeRejection.NONE;
    }

    @Override
    public long minImprovement(SoftRule rule) {
        return 1;
    }

    @Override
    public SpreadDefaults spreadDefaults() {
        return SpreadDefaults.none();
    }

    MovedPods start() {
        return MovedPods.none(cluster, this);
    }

    /** {@return all pods in a fixed order} */
    List<Pod> pods() {
        return cluster.pods().stream().sorted(Comparator.comparing(Pod::uid)).toList();
    }

    /** {@return what these moves gain together, one after the other} */
    long gain(List<Pod> moves) {
        long gain = 0;
        MovedPods now = start();
        for (Pod pod : moves) {
            gain += now.gain(pod);
            now = now.after(pod);
        }
        return gain;
    }
}
