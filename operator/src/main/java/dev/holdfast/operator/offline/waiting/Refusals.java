package dev.holdfast.operator.offline.waiting;

import dev.holdfast.policies.evaluate.NodeRejection;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.HostPort;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.Resources;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.VolumeReach;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Remembers which pods no node takes, so that after a change only those nodes are asked again that may take one now. A
 * node that refuses a pod for its own sake does so until the node changes or a pod leaves it. A node that refuses a pod
 * because of other pods is asked again when such pods may have changed.
 *
 * <p>Pods that the filters cannot tell apart share what is remembered.
 */
public final class Refusals {
    private final ClusterView cluster;
    private final SchedulerFilters filters;
    private final ReadLabels labels = new ReadLabels();
    private final Map<Asked, Refusal> known = new HashMap<>();

    /** The nodes that may take more since they changed, in the order of the changes. */
    private final List<String> changedNodes = new ArrayList<>();

    /** How many changes there were of pods that count, of nodes and of namespaces. */
    private long changes;

    /** The number of the last change on which any rule about other pods may depend. */
    private long lastOfAll;

    /** The number of the last change of a pod that counts. */
    private long lastOfPods;

    /** The number of the last change of a pod that counts, by namespace. */
    private final Map<String, Long> lastIn = new HashMap<>();

    private long questions;

    /**
     * All that the filters read of a pod without a node.
     *
     * @param labels those that a rule reads
     * @param reaches where the volumes can be used, of those that cannot be used everywhere
     */
    private record Asked(
            String namespace,
            Labels labels,
            Scheduling scheduling,
            Resources requests,
            List<HostPort> hostPorts,
            Set<VolumeReach> reaches) {}

    /**
     * All nodes refused a pod.
     *
     * @param at the number of changes until then
     * @param seen how many of {@link #changedNodes} there were
     * @param byPods the names of the nodes that refused the pod because of other pods
     */
    private record Refusal(long at, int seen, Set<String> byPods) {}

    /** What decides of a pod whether other pods can be near it. */
    private record Effect(String node, Labels labels, boolean terminating, Scheduling scheduling) {
        static Optional<Effect> of(Optional<Pod> pod) {
            return pod.filter(Pod::counts)
                    .flatMap(it -> it.nodeName()
                            .map(node -> new Effect(node, it.labels(), it.terminating(), it.scheduling())));
        }

        boolean keepsAway() {
            return !scheduling.podAntiAffinity().isEmpty();
        }
    }

    /** @param filters the filters, of the cluster */
    public Refusals(ClusterView cluster, SchedulerFilters filters) {
        this.cluster = cluster;
        this.filters = filters;
    }

    /** {@return how often a node was asked whether it takes a pod} */
    public long questions() {
        return questions;
    }

    /**
     * Notes a change of the cluster. It must get each one.
     *
     * @param before the pod before the change; empty if it is new, or if the change is of another object
     */
    public void changed(ClusterEvent event, Optional<Pod> before) {
        switch (event) {
            case ClusterEvent.PodChanged(Pod pod) -> podChanged(before, Optional.of(pod));
            case ClusterEvent.PodGone _ -> podChanged(before, Optional.empty());
            case ClusterEvent.NodeChanged(Node node) -> nodeChanged(node.name());
            case ClusterEvent.NodeUnread(Node node) -> nodeChanged(node.name());
            case ClusterEvent.NodeGone(String name) -> nodeChanged(name);
            case ClusterEvent.OfNamespace _ -> lastOfAll = ++changes;
            case ClusterEvent.OfOwner _, ClusterEvent.OfBudget _, ClusterEvent.OfCapacity _ -> {}
        }
    }

    private void nodeChanged(String name) {
        changedNodes.add(name);
        lastOfAll = ++changes;
    }

    private void podChanged(Optional<Pod> before, Optional<Pod> after) {
        if (after.filter(labels::add).isPresent()) {
            known.clear();
        }
        before.filter(Pod::counts)
                .filter(pod -> after.filter(it -> takesAsMuch(pod, it)).isEmpty())
                .flatMap(Pod::nodeName)
                .ifPresent(changedNodes::add);
        Optional<Effect> was = Effect.of(before);
        Optional<Effect> is = Effect.of(after);
        if (!was.equals(is)) {
            lastOfPods = ++changes;
            after.or(() -> before).ifPresent(pod -> lastIn.put(pod.namespace(), changes));
            if (was.filter(Effect::keepsAway).isPresent()
                    || is.filter(Effect::keepsAway).isPresent()) {
                lastOfAll = changes;
            }
        }
    }

    private static boolean takesAsMuch(Pod before, Pod after) {
        return after.counts()
                && before.nodeName().equals(after.nodeName())
                && before.podRequirements().equals(after.podRequirements());
    }

    /** {@return a search for a node that takes a pod, valid until a pod or node changes} */
    public Search search(Pod pod) {
        return new Search(pod);
    }

    /** A search for a node that takes a pod. */
    public final class Search {
        private final Pod pod;

        /** Null until the first node is asked: for most pods that wait, no node is. */
        private @Nullable Map<SchedulerFilters.Filter, NodeRejection> rejections;

        /** Empty for a pod with a node, whose nodes are asked as if it had left its own. */
        private final Optional<Asked> asked;

        private final Optional<Refusal> before;
        private final Set<String> byPods = new HashSet<>();
        private boolean taken;

        private Search(Pod pod) {
            this.pod = pod;
            this.asked = pod.nodeName().isEmpty() ? Optional.of(asked(pod)) : Optional.empty();
            this.before = asked.map(known::get);
        }

        /** {@return the nodes that may take the pod; all others refuse it, as they did before} */
        public Collection<Node> nodes() {
            if (before.isEmpty()) {
                return cluster.nodes();
            }
            Set<String> names =
                    new LinkedHashSet<>(changedNodes.subList(before.get().seen(), changedNodes.size()));
            if (mayHelp(before.get())) {
                names.addAll(before.get().byPods());
            }
            return names.stream().flatMap(name -> cluster.node(name).stream()).toList();
        }

        /** {@return whether other pods may have changed because of which nodes refused the pod} */
        private boolean mayHelp(Refusal refusal) {
            Scheduling scheduling = pod.scheduling();
            boolean readsAll = !scheduling.podAffinity().isEmpty()
                    || !scheduling.podAntiAffinity().isEmpty();
            return lastOfAll > refusal.at()
                    || (readsAll && lastOfPods > refusal.at())
                    || (!scheduling.topologySpread().isEmpty()
                            && lastIn.getOrDefault(pod.namespace(), 0L) > refusal.at());
        }

        /** {@return whether a node takes the pod} */
        public boolean accepts(Node node) {
            questions++;
            for (Map.Entry<SchedulerFilters.Filter, NodeRejection> filter :
                    rejections().entrySet()) {
                if (filter.getValue().to(node).isPresent()) {
                    if (filter.getKey() == SchedulerFilters.Filter.PODS) {
                        byPods.add(node.name());
                    }
                    return false;
                }
            }
            taken = true;
            return true;
        }

        private Map<SchedulerFilters.Filter, NodeRejection> rejections() {
            Map<SchedulerFilters.Filter, NodeRejection> prepared = rejections;
            if (prepared == null) {
                // For the scheduler, a rule that a policy injected is a rule of the spec like the others.
                prepared = filters.of(pod.withInjectedAsOwn(), List.of());
                rejections = prepared;
            }
            return prepared;
        }

        /** Ends the search. If all {@link #nodes} were asked and none takes the pod, that is remembered. */
        public void end() {
            if (taken) {
                asked.ifPresent(known::remove);
                return;
            }
            before.filter(refusal -> !mayHelp(refusal)).ifPresent(refusal -> {
                Set<String> again = new HashSet<>(changedNodes.subList(refusal.seen(), changedNodes.size()));
                refusal.byPods().stream().filter(name -> !again.contains(name)).forEach(byPods::add);
            });
            asked.ifPresent(it -> known.put(it, new Refusal(changes, changedNodes.size(), Set.copyOf(byPods))));
        }
    }

    private Asked asked(Pod pod) {
        return new Asked(
                pod.namespace(),
                labels.of(pod),
                pod.scheduling(),
                pod.podRequirements().requests(),
                pod.podRequirements().hostPorts(),
                filters.reaches(pod));
    }
}
