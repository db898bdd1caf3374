package dev.holdfast.operator.offline.soft;

import dev.holdfast.operator.offline.check.CheckedCluster;
import dev.holdfast.operator.offline.waiting.SchedulerFilters.Filter;
import dev.holdfast.policies.evaluate.NodeRejection;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodLifecycle;
import dev.holdfast.policies.model.view.AddingView;
import dev.holdfast.policies.model.view.ForwardingView;
import dev.holdfast.policies.model.view.HidingView;
import dev.holdfast.policies.plan.capacity.PendingMoves;
import dev.holdfast.policies.plan.capacity.Replacement;
import dev.holdfast.policies.score.Ranking;
import dev.holdfast.policies.score.SchedulerProfile;
import dev.holdfast.policies.score.Scorer;
import dev.holdfast.policies.score.SpreadDefaults;
import dev.holdfast.policies.soft.Prediction;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Where the scheduler may place the replacements of pods in a cluster that was read. The scheduler has its default
 * profile. The replacement requests what the template of the controller says, if the input has the template.
 */
public final class Landings {
    /**
     * The points that a node may get at most from what is not computed: ImageLocality gives 0 to 100, for the images
     * that the node has already.
     */
    public static final long UNKNOWN_POINTS = 100;

    /** The points that PodTopologySpread may give for default constraints whose selector is not known. */
    public static final long UNKNOWN_SPREAD = 200;

    private final CheckedCluster cluster;
    private final ClusterView view;
    private final SchedulerProfile profile;
    private final Scorer scorer;

    /** The view of a checked cluster with the workloads, of which it keeps a list. */
    private record ViewWithOwners(ClusterView view, Map<String, Owner> owners) implements ForwardingView {
        @Override
        public Optional<Owner> owner(String namespace, String uid) {
            return Optional.ofNullable(owners.get(uid))
                    .filter(owner -> owner.name().namespace().equals(namespace));
        }

        @Override
        public Collection<Owner> ownersIn(String namespace) {
            return owners.values().stream()
                    .filter(owner -> owner.name().namespace().equals(namespace))
                    .toList();
        }
    }

    /**
     * Where the replacement of one pod may land.
     *
     * @param ranking the scores once the pod is gone
     * @param spreadIsKnown whether the selector of the default constraints is known, if they count for the pod
     */
    public record Landing(Ranking ranking, Prediction prediction, boolean spreadIsKnown) {}

    /** @param spreadDefaults the spread constraints that the scheduler gives to pods without any */
    public Landings(CheckedCluster cluster, SpreadDefaults spreadDefaults) {
        this.cluster = cluster;
        Map<String, Owner> owners = new HashMap<>();
        cluster.owners().forEach(owner -> owners.put(owner.uid(), owner));
        this.view = new ViewWithOwners(cluster.view(), owners);
        this.profile = SchedulerProfile.withDefaults(spreadDefaults);
        this.scorer = new Scorer(profile, view);
    }

    /**
     * {@return where the scheduler may place the replacement of a pod}
     *
     * <p>Most controllers create it while the pod still terminates, so that the pod still counts in part. When the pod
     * is gone differs, so a node is possible if it is possible before or after that.
     */
    public Landing of(Pod pod) {
        Pod replacement = Replacement.podFor(pod, view);
        List<Node> feasible = feasible(replacement);
        boolean spreadIsKnown = !isSpreadUnknown(pod);
        long unknown = UNKNOWN_POINTS + (spreadIsKnown ? 0 : UNKNOWN_SPREAD);
        Ranking ranking = scorer.rank(replacement, feasible);
        Prediction afterwards = prediction(ranking, unknown);
        return new Landing(
                ranking,
                isAlone(pod)
                        ? afterwards
                        : either(afterwards, prediction(rankBeside(pod, replacement, feasible), unknown)),
                spreadIsKnown);
    }

    /** {@return whether the scheduler places the pod, or its replacement, when no other pod of its name is there} */
    private static boolean isAlone(Pod pod) {
        return pod.nodeName().isEmpty()
                || pod.victimProtection()
                        .controller()
                        .filter(it -> it.kind().equals("StatefulSet"))
                        .isPresent();
    }

    /** {@return the nodes that take a pod, as if it were gone from its own} */
    private List<Node> feasible(Pod pod) {
        Collection<NodeRejection> filters =
                cluster.schedulerFilters().of(pod, List.of()).values();
        NodeRejection attachLimits = cluster.attachLimits()
                .<NodeRejection>map(limits -> limits.of(pod, PendingMoves.NONE))
                .orElse(NodeRejection.NONE);
        return view.nodes().stream()
                .filter(node -> filters.stream().allMatch(it -> it.to(node).isEmpty())
                        && attachLimits.to(node).isEmpty())
                .toList();
    }

    /** {@return the scores while the pod terminates on its node} */
    private Ranking rankBeside(Pod pod, Pod replacement, List<Node> feasible) {
        PodLifecycle life = pod.life();
        Pod terminating = with(
                pod,
                pod.uid(),
                pod.nodeName(),
                new PodLifecycle(
                        life.phase(), false, life.creationTime(), life.boundTime(), Optional.of(Instant.EPOCH), false));
        ClusterView then =
                new AddingView(new HidingView(view, other -> other.uid().equals(pod.uid())), List.of(terminating));
        Pod next = with(replacement, pod.uid() + " next", Optional.empty(), life);
        return new Scorer(profile, then)
                .rank(next, feasible.stream().filter(beside(next)).toList());
    }

    /** {@return whether a node takes a pod beside the one that it replaces: by room and anti-affinity} */
    private Predicate<Node> beside(Pod next) {
        Map<Filter, NodeRejection> filters = cluster.schedulerFilters().of(next, List.of());
        List<Filter> counted = next.scheduling().podAntiAffinity().isEmpty()
                ? List.of(Filter.ROOM)
                : List.of(Filter.ROOM, Filter.PODS);
        return node -> counted.stream()
                .allMatch(it ->
                        filters.getOrDefault(it, NodeRejection.NONE).to(node).isEmpty());
    }

    private static Pod with(Pod pod, String uid, Optional<String> node, PodLifecycle life) {
        return new Pod(
                uid,
                pod.name(),
                pod.resourceVersion(),
                pod.labels(),
                node,
                pod.scheduling(),
                pod.podRequirements(),
                life,
                pod.victimProtection());
    }

    /** {@return whether the default constraints count for the pod, and their selector is not known} */
    private boolean isSpreadUnknown(Pod pod) {
        SpreadDefaults defaults = profile.spreadDefaults();
        return defaults.haveEffectOn(pod) && !defaults.selectors().areKnownFor(pod);
    }

    private Prediction prediction(Ranking ranking, long unknown) {
        return Prediction.of(ranking, unknown, view.nodes().size());
    }

    private static Prediction either(Prediction one, Prediction other) {
        if (one instanceof Prediction.Possible(List<String> nodes, Optional<Integer> sampled)
                && other instanceof Prediction.Possible(List<String> others, Optional<Integer> _)) {
            Set<String> both = new LinkedHashSet<>(nodes);
            both.addAll(others);
            return new Prediction.Possible(List.copyOf(both), sampled);
        }
        return one;
    }
}
