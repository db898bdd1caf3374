package dev.holdfast.operator.offline.waiting;

import dev.holdfast.policies.evaluate.Evaluator;
import dev.holdfast.policies.evaluate.NodeFilter;
import dev.holdfast.policies.evaluate.NodeRejection;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodScheduler;
import dev.holdfast.policies.model.VictimProtection;
import dev.holdfast.policies.rule.PodRules;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Says why pods have no node, by the filters of the scheduler. Preemption does not count. */
public final class WaitingReasons {
    private static final int MOST_NAMED = 3;

    private final ClusterView view;
    private final SchedulerFilters filters;

    public WaitingReasons(ClusterView view, SchedulerFilters filters) {
        this.view = view;
        this.filters = filters;
    }

    /** {@return why a pod has no node, where any node can attach its volumes} */
    public Waiting of(Pod pod) {
        return of(pod, NodeRejection.NONE);
    }

    /**
     * {@return why a pod has no node}
     *
     * @param attachLimits rejects the nodes that cannot attach the volumes of the pod
     */
    public Waiting of(Pod pod, NodeRejection attachLimits) {
        PodScheduler scheduler = pod.victimProtection().scheduler();
        if (scheduler.gated()) {
            return Waiting.GATED;
        }
        Optional<String> unread = pod.scheduling().tooComplex();
        if (unread.isPresent()) {
            return new Waiting(Waiting.State.UNREAD, unread.get());
        }
        Waiting byNodes = byNodes(pod.withInjectedAsOwn(), attachLimits);
        if (!scheduler.nominatedNode().isEmpty()) {
            return new Waiting(Waiting.State.NOMINATED, nominated(scheduler) + "; now " + byNodes.why());
        }
        return scheduler.name().equals(VictimProtection.DEFAULT_SCHEDULER)
                ? byNodes
                : new Waiting(
                        Waiting.State.OTHER_SCHEDULER,
                        "scheduler " + scheduler.name() + " places it, by rules of its own; by those of "
                                + VictimProtection.DEFAULT_SCHEDULER + ", " + byNodes.why());
    }

    private String nominated(PodScheduler scheduler) {
        String node = scheduler.nominatedNode();
        return "scheduler " + scheduler.name() + " makes room for it on node " + node + " (status.nominatedNodeName)"
                + (view.node(node).isEmpty() ? ", which is not there" : "");
    }

    private Waiting byNodes(Pod pod, NodeRejection attachLimits) {
        Map<String, NodeFilter> rules = new LinkedHashMap<>();
        PodRules.of(pod.scheduling())
                .forEach(rule -> rules.put(
                        "against its rule " + rule.kind().label() + ": " + rule.describe(),
                        Evaluator.prepare(rule, pod, view)));
        NodeGroups.Answers answers = new NodeGroups(pod, filters, rules, attachLimits).of(view.nodes(), List.of(), 1);
        if (answers.accepting().isEmpty()) {
            Map<String, Integer> counts = new LinkedHashMap<>();
            answers.refusing().forEach((why, names) -> counts.put(why, names.size()));
            return new Waiting(
                    Waiting.State.NO_NODE, SchedulerFilters.why(view.nodes().size(), counts));
        }
        List<String> accepting = answers.accepting();
        return new Waiting(
                Waiting.State.NOT_BOUND,
                accepting.size() + " of " + view.nodes().size()
                        + (view.nodes().size() == 1 ? " node takes it: " : " nodes take it: ")
                        + accepting.stream().sorted().limit(MOST_NAMED).collect(Collectors.joining(", "))
                        + (accepting.size() > MOST_NAMED ? ", ..." : "")
                        + (answers.unreadableVolume().isEmpty()
                                ? ""
                                : "; a volume does not count: " + answers.unreadableVolume()));
    }
}
