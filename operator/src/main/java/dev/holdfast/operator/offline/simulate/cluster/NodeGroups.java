package dev.holdfast.operator.offline.simulate.cluster;

import dev.holdfast.policies.evaluate.NodeFilter;
import dev.holdfast.policies.evaluate.NodeRejection;
import dev.holdfast.policies.evaluate.Placement;
import dev.holdfast.policies.evaluate.Verdict;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.capacity.Infeasibility;
import dev.holdfast.policies.plan.capacity.LeavingNodes;
import dev.holdfast.policies.plan.capacity.Shortage;
import dev.holdfast.policies.plan.capacity.VolumeTopology;
import dev.holdfast.policies.rule.Rule;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The nodes of a cluster, grouped by why they would not take a pod. The reasons are those of the planner, with more
 * details: the rule, the taint, the amounts of a resource, the claim.
 */
public final class NodeGroups {
    private final Pod pod;
    private final SchedulerFilters schedulerFilters;
    private final Map<String, NodeFilter> rules;
    private final NodeRejection closed;
    private final NodeRejection taints;
    private final VolumeTopology volumes;
    private final NodeRejection attachLimits;
    private final List<String> accepting = new ArrayList<>();
    private final Map<String, List<String>> refusing = new LinkedHashMap<>();

    /** Of each group of nodes that are short of a resource, the smallest shortage. */
    private final Map<String, Shortage> shortages = new HashMap<>();

    /**
     * @param rules the rules of the pod, by their text
     * @param attachLimits rejects the nodes that cannot attach the volumes of the pod
     */
    public NodeGroups(
            Pod pod, SchedulerFilters schedulerFilters, Map<String, NodeFilter> rules, NodeRejection attachLimits) {
        this.pod = pod;
        this.schedulerFilters = schedulerFilters;
        this.rules = rules;
        // The scheduler, which places a waiting pod, reads no announcements.
        this.closed = pod.nodeName().isPresent() ? LeavingNodes::closed : NodeRejection.NONE;
        this.taints = Placement.ofTaints(pod);
        this.volumes = schedulerFilters.volumes(pod);
        this.attachLimits = attachLimits;
    }

    /**
     * The nodes by their answer.
     *
     * @param accepting the names of the nodes that would take the pod
     * @param refusing the names of the others, by why they would not
     * @param unreadableVolume why it is unknown where a volume of the pod can be used, so that this volume keeps it off
     *     no node; empty if it is known
     */
    public record Answers(List<String> accepting, Map<String, List<String>> refusing, String unreadableVolume) {
        public Answers {
            accepting = List.copyOf(accepting);
            refusing = Collections.unmodifiableMap(new LinkedHashMap<>(refusing));
        }
    }

    /**
     * {@return the nodes, grouped by why they would not take the pod}
     *
     * @param further rules that a node must satisfy in addition to those of the pod's own spec
     */
    public Answers of(Collection<Node> nodes, List<Rule> further) {
        Map<SchedulerFilters.Filter, NodeRejection> filters = schedulerFilters.of(pod, further);
        nodes.forEach(node -> add(node, filters));
        Map<String, List<String>> described = new LinkedHashMap<>();
        refusing.forEach((why, names) -> described.put(why + amounts(why), names));
        return new Answers(
                accepting,
                described,
                volumes.unreadable(pod).map(Infeasibility::message).orElse(""));
    }

    private String amounts(String why) {
        return Optional.ofNullable(shortages.get(why))
                .map(shortage -> ": " + shortage.describe())
                .orElse("");
    }

    private void add(Node node, Map<SchedulerFilters.Filter, NodeRejection> filters) {
        for (Map.Entry<SchedulerFilters.Filter, NodeRejection> filter : filters.entrySet()) {
            Optional<String> rejected = filter.getKey() == SchedulerFilters.Filter.NODE
                    ? closed.or(filter.getValue()).to(node)
                    : filter.getValue().to(node);
            if (rejected.isPresent()) {
                refuse(node, why(filter.getKey(), rejected.get(), node));
                return;
            }
        }
        attachLimits.to(node).ifPresentOrElse(why -> refuse(node, why), () -> accepting.add(node.name()));
    }

    private void refuse(Node node, String why) {
        refusing.computeIfAbsent(why, _ -> new ArrayList<>()).add(node.name());
    }

    private String why(SchedulerFilters.Filter filter, String rejected, Node node) {
        return switch (filter) {
            case READINESS -> rejected;
            case NODE -> closed.or(taints).to(node).or(() -> brokenRule(node)).orElse(rejected);
            case ROOM -> {
                schedulerFilters
                        .shortage(pod, node)
                        .ifPresent(shortage -> shortages.merge(rejected, shortage, Shortage::smaller));
                yield rejected;
            }
            case PODS -> brokenRule(node).orElse(rejected);
            case VOLUMES -> rejected + ": " + volumes.describe(pod);
        };
    }

    private Optional<String> brokenRule(Node node) {
        return rules.entrySet().stream()
                .filter(rule -> !(rule.getValue().on(node) instanceof Verdict.Satisfied))
                .map(Map.Entry::getKey)
                .findFirst();
    }
}
