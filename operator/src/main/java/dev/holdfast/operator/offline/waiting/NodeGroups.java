package dev.holdfast.operator.offline.waiting;

import dev.holdfast.policies.evaluate.ExistingAntiAffinityView;
import dev.holdfast.policies.evaluate.NodeFilter;
import dev.holdfast.policies.evaluate.NodeRejection;
import dev.holdfast.policies.evaluate.Placement;
import dev.holdfast.policies.evaluate.Verdict;
import dev.holdfast.policies.model.NamespacedName;
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
    private static final String TAINTED = "tainted ";

    private final Pod pod;
    private final SchedulerFilters schedulerFilters;
    private final Map<String, NodeFilter> rules;
    private final NodeRejection closed;
    private final NodeRejection taints;
    private final VolumeTopology volumes;
    private final NodeRejection attachLimits;
    private final ExcludingPods excludingPods;
    private final List<String> accepting = new ArrayList<>();

    /** The names of the nodes that would not take the pod: by why, and by what is special about the node. */
    private final Map<String, Map<String, List<String>>> refusing = new LinkedHashMap<>();

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
        this.excludingPods = schedulerFilters.excludingPods(pod);
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
     * @param mostDetails by how many details the nodes that one thing keeps the pod off are told apart; of more, one is
     *     an example
     */
    public Answers of(Collection<Node> nodes, List<Rule> further, int mostDetails) {
        Map<SchedulerFilters.Filter, NodeRejection> filters = schedulerFilters.of(pod, further);
        nodes.forEach(node -> add(node, filters));
        Map<String, List<String>> described = new LinkedHashMap<>();
        refusing.forEach((why, details) -> describe(why + amounts(why), details, mostDetails, described));
        return new Answers(
                accepting,
                described,
                volumes.missing(pod).isPresent()
                        ? ""
                        : volumes.unreadable(pod).map(Infeasibility::message).orElse(""));
    }

    /** Describes nodes that one thing keeps the pod off. Of many different details, one is an example. */
    private static void describe(
            String why, Map<String, List<String>> byDetail, int mostDetails, Map<String, List<String>> described) {
        if (byDetail.size() <= mostDetails) {
            byDetail.forEach((detail, names) -> described.put(why + detail, names));
            return;
        }
        List<String> all = byDetail.values().stream().flatMap(List::stream).toList();
        Map.Entry<String, List<String>> example = byDetail.entrySet().iterator().next();
        String detail = example.getKey().startsWith(": ")
                ? example.getKey().substring(2)
                : why.substring(TAINTED.length()) + example.getKey();
        described.put(why + ", for example " + example.getValue().getFirst() + ": " + detail, all);
    }

    private String amounts(String why) {
        return Optional.ofNullable(shortages.get(why))
                .map(shortage -> ": " + shortage.describe())
                .orElse("");
    }

    private void add(Node node, Map<SchedulerFilters.Filter, NodeRejection> filters) {
        // The scheduler looks for the claims before it looks at nodes.
        Optional<NamespacedName> missing = volumes.missing(pod);
        if (missing.isPresent()) {
            refuse(node, Refusal.of(VolumeTopology.OUT_OF_REACH + ": claim " + missing.get() + " does not exist"));
            return;
        }
        for (Map.Entry<SchedulerFilters.Filter, NodeRejection> filter : filters.entrySet()) {
            Optional<String> rejected = filter.getKey() == SchedulerFilters.Filter.NODE
                    ? closed.or(filter.getValue()).to(node)
                    : filter.getValue().to(node);
            if (rejected.isPresent()) {
                refuse(node, refusal(filter.getKey(), rejected.get(), node));
                return;
            }
        }
        attachLimits.to(node).ifPresentOrElse(why -> refuse(node, Refusal.of(why)), () -> accepting.add(node.name()));
    }

    private void refuse(Node node, Refusal refusal) {
        refusing.computeIfAbsent(refusal.why(), _ -> new LinkedHashMap<>())
                .computeIfAbsent(refusal.detail(), _ -> new ArrayList<>())
                .add(node.name());
    }

    private Refusal refusal(SchedulerFilters.Filter filter, String rejected, Node node) {
        return switch (filter) {
            case READINESS -> Refusal.of(rejected);
            case NODE ->
                closed.or(taints)
                        .to(node)
                        .map(NodeGroups::closing)
                        .or(() -> brokenRule(node))
                        .orElse(Refusal.of(rejected));
            case ROOM -> {
                schedulerFilters
                        .shortage(pod, node)
                        .ifPresent(shortage -> shortages.merge(rejected, shortage, Shortage::smaller));
                yield Refusal.of(rejected);
            }
            case PODS -> brokenRule(node).or(() -> excluded(node, rejected)).orElse(Refusal.of(rejected));
            case VOLUMES -> Refusal.of(rejected + ": " + volumes.describe(pod));
        };
    }

    /** {@return which pods exclude the pod from the node, if that is why the node does not take it} */
    private Optional<Refusal> excluded(Node node, String rejected) {
        return rejected.equals(ExistingAntiAffinityView.EXCLUDED)
                ? excludingPods.from(node).map(pods -> new Refusal(rejected, ": " + pods))
                : Optional.empty();
    }

    /** {@return the refusal of a closed node; what is special about a tainted one is the value and the effect} */
    private static Refusal closing(String why) {
        int value = why.indexOf('=');
        return why.startsWith(TAINTED) && value > 0
                ? new Refusal(why.substring(0, value), why.substring(value))
                : Refusal.of(why);
    }

    /** {@return the first rule that does not hold on the node, and what keeps it from that} */
    private Optional<Refusal> brokenRule(Node node) {
        return rules.entrySet().stream()
                .filter(rule -> !rule.getValue().accepts(node))
                .findFirst()
                .map(rule -> new Refusal(rule.getKey(), detail(rule.getValue().on(node))));
    }

    private static String detail(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Satisfied _ -> "";
            case Verdict.Violated(var violated) -> ": " + violated.ofCandidate();
            case Verdict.Undetermined(var _, String why) -> ": it cannot be evaluated: " + why;
        };
    }

    /**
     * Why a node would not take the pod.
     *
     * @param detail what is special about the node, as text that follows: behind a colon, or as the rest of a taint;
     *     empty if nothing is
     */
    private record Refusal(String why, String detail) {
        static Refusal of(String why) {
            return new Refusal(why, "");
        }
    }
}
