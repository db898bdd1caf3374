package dev.holdfast.operator.offline.waiting;

import dev.holdfast.policies.evaluate.NodeRejection;
import dev.holdfast.policies.evaluate.Placement;
import dev.holdfast.policies.index.Index;
import dev.holdfast.policies.index.query.ImpactOnOthers;
import dev.holdfast.policies.model.ClaimedVolume;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.NodeSelector;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.VolumeReach;
import dev.holdfast.policies.model.view.HidingView;
import dev.holdfast.policies.plan.capacity.PendingMoves;
import dev.holdfast.policies.plan.capacity.ResourceFit;
import dev.holdfast.policies.plan.capacity.Shortage;
import dev.holdfast.policies.plan.capacity.VolumeTopology;
import dev.holdfast.policies.rule.Rule;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The filters of the scheduler: which nodes would take a pod. Each node is checked as if the pod had left its present
 * node, so that its own requests and host ports do not count there. Attach limits are no filters.
 */
public final class SchedulerFilters {
    private static final VolumeReach NOWHERE = VolumeReach.of(new NodeSelector(List.of()));

    private final Index index;
    private final ResourceFit resourceFit;
    private final Function<NamespacedName, ClaimedVolume> volumes;

    /** What keeps a pod off a node, in the order in which the planner looks for it. */
    public enum Filter {
        /** The node is not Ready. */
        READINESS,
        /** Taints, cordons, and rules of the pod that look at nodes alone. */
        NODE,
        /** Requests and host ports. */
        ROOM,
        /** Rules of the pod that look at other pods, and the anti-affinity of other pods. */
        PODS,
        /** Where the volumes of the pod can be used. */
        VOLUMES
    }

    /**
     * @param resourceFit the resources that the pods in the index use
     * @param volumes where the volumes of claims can be used
     */
    public SchedulerFilters(Index index, ResourceFit resourceFit, Function<NamespacedName, ClaimedVolume> volumes) {
        this.index = index;
        this.resourceFit = resourceFit;
        this.volumes = volumes;
    }

    /**
     * {@return the filters for a pod, in the order of {@link Filter}; a node would take the pod if none rejects it} The
     * filters are valid until a pod or node changes.
     *
     * @param further rules that the node must satisfy in addition to those of the pod's own spec
     */
    public Map<Filter, NodeRejection> of(Pod pod, List<Rule> further) {
        Map<Filter, NodeRejection> filters = new EnumMap<>(Filter.class);
        filters.put(Filter.READINESS, NodeRejection.unless(Node::ready, "not Ready"));
        filters.put(Filter.NODE, Placement.ofNode(pod, further));
        filters.put(
                Filter.ROOM,
                node -> resourceFit(pod, node)
                        .of(pod.podRequirements(), PendingMoves.NONE)
                        .to(node));
        filters.put(Filter.PODS, Placement.ofPods(pod, further, index.view(), index.existingAntiAffinityView()));
        filters.put(Filter.VOLUMES, volumes(pod).of(pod));
        return filters;
    }

    /**
     * {@return why no node takes a pod: {@code 3 nodes: 2 against its rules; 1 cordoned or tainted}}
     *
     * @param counts how many nodes reject it, by reason
     */
    public static String why(int nodes, Map<String, Integer> counts) {
        if (nodes == 0) {
            return "there is no node";
        }
        return nodes
                + (nodes == 1 ? " node: " : " nodes: ")
                + counts.entrySet().stream()
                        .sorted(Map.Entry.<String, Integer>comparingByValue()
                                .reversed()
                                .thenComparing(Map.Entry.comparingByKey()))
                        .map(one -> one.getValue() + " " + one.getKey())
                        .collect(Collectors.joining("; "));
    }

    /**
     * {@return the resource of which the node has too little for a pod; empty if that is not what keeps it off the
     * node}
     */
    public Optional<Shortage> shortage(Pod pod, Node node) {
        return resourceFit(pod, node).shortage(pod.podRequirements(), node);
    }

    /** {@return how a move of a pod changes the number of violations; the scheduler does not look at that} */
    public ImpactOnOthers impactOnOthers() {
        return index.impactOnOthers();
    }

    private ResourceFit resourceFit(Pod pod, Node node) {
        return pod.isOn(node.name())
                ? new ResourceFit(
                        new HidingView(index.view(), other -> other.uid().equals(pod.uid())))
                : resourceFit;
    }

    /** {@return where the volumes of a pod can be used} A volume that cannot be read may be usable everywhere. */
    public VolumeTopology volumes(Pod pod) {
        return volumes(List.of(pod));
    }

    /** {@return where the volumes of pods can be used, and which volumes they are} */
    public VolumeTopology volumes(Collection<Pod> pods) {
        VolumeTopology topology = new VolumeTopology();
        pods.stream()
                .flatMap(pod ->
                        pod.podRequirements().claims().stream().map(name -> new NamespacedName(pod.namespace(), name)))
                .distinct()
                .forEach(claim -> topology.put(claim, volumes.apply(claim), Instant.EPOCH));
        return topology;
    }

    /** {@return where the volumes of a pod can be used, of those that cannot be used everywhere} */
    Set<VolumeReach> reaches(Pod pod) {
        return pod.podRequirements().claims().stream()
                .map(name -> volumes.apply(new NamespacedName(pod.namespace(), name)))
                .flatMap(volume -> switch (volume) {
                    case ClaimedVolume.Bound(var _, VolumeReach reach, var _) -> Stream.of(reach);
                    case ClaimedVolume.OnDemand(var _, VolumeReach reach, var _) -> Stream.of(reach);
                    case ClaimedVolume.Missing _ -> Stream.of(NOWHERE);
                    case ClaimedVolume.Unreadable _ -> Stream.<VolumeReach>empty();
                })
                .filter(reach -> !reach.isEverywhere())
                .collect(Collectors.toSet());
    }

    /** {@return the pods whose anti-affinity excludes a pod from nodes} */
    ExcludingPods excludingPods(Pod pod) {
        return new ExcludingPods(pod, index.view());
    }
}
