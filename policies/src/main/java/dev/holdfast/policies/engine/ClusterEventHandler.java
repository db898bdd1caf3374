package dev.holdfast.policies.engine;

import dev.holdfast.policies.engine.breaker.Breakers;
import dev.holdfast.policies.engine.eviction.FutilityResets;
import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.planning.DisruptionBudgetHolds;
import dev.holdfast.policies.engine.planning.PlacementChanges;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.state.Decisions;
import dev.holdfast.policies.engine.state.PlanSchedule;
import dev.holdfast.policies.engine.status.UninjectedPods;
import dev.holdfast.policies.engine.violations.AnnotationChanges;
import dev.holdfast.policies.engine.violations.ViolationTracker;
import dev.holdfast.policies.model.AnnotationRules;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Handles a change of a cluster object, for example of a pod or a node. Components that compare the old with the new
 * state are called before the change is applied to the cluster state.
 */
final class ClusterEventHandler {
    private final LiveCluster cluster;
    private final AnnotationChanges annotations;
    private final DisruptionBudgetHolds budgets;
    private final DisturbanceTracker disturbanceTracker;
    private final PlacementChanges placementChanges;
    private final FutilityResets futilityResets;
    private final Breakers breakers;
    private final ViolationTracker violationTracker;
    private final UninjectedPods uninjectedPods;
    private final Decisions decisions;
    private final PlanSchedule schedule;

    ClusterEventHandler(
            StateParts state,
            ViolationTracker violationTracker,
            PlanningParts planning,
            FutilityResets futilityResets) {
        this.cluster = state.cluster;
        this.annotations = new AnnotationChanges(cluster, state.readiness);
        this.budgets = planning.budgets;
        this.disturbanceTracker = new DisturbanceTracker(
                cluster, state.plannerMemory, state.moves, state.decisions, state.readiness, state.changes);
        this.placementChanges = planning.placementChanges;
        this.futilityResets = futilityResets;
        this.breakers = state.breakers;
        this.violationTracker = violationTracker;
        this.uninjectedPods = state.uninjectedPods;
        this.decisions = state.decisions;
        this.schedule = state.schedule;
    }

    /**
     * Applies a change to the cluster state, starts and stops the clocks of violations, and schedules a plan if
     * necessary.
     */
    void handle(ClusterEvent written, Instant now, List<Effect> effects) {
        ClusterEvent fact = cluster.index().readable(breakers.withoutUnusedIds(written));
        if (fact instanceof ClusterEvent.NodeGone(String name)
                && cluster.node(name).isEmpty()
                && cluster.unreadNode(name).isEmpty()) {
            return;
        }
        // Looked up once for all components, because most changes are of pods.
        Optional<Pod> before =
                fact instanceof ClusterEvent.PodChanged(Pod pod) ? cluster.pod(pod.uid()) : Optional.empty();
        Optional<AnnotationChanges.Change> remarked = annotations.of(fact, before, now);
        budgets.beforeChange(fact);
        disturbanceTracker.beforeChange(fact, now);
        futilityResets.beforeChange(fact, now);
        breakers.beforeChange(fact, now);
        boolean matters = !isStatusOnly(fact, before) && !isHeartbeat(fact);
        placementChanges.beforeChange(fact);
        uninjectedPods.beforeChange(fact, now);
        violationTracker.fact(fact, now, effects);
        uninjectedPods.afterChange(fact, before, now);
        tooComplex(fact, before).ifPresent(effects::add);
        invalidRules(fact, before).ifPresent(effects::add);
        if (remarked.isPresent()) {
            violationTracker.annotationsChanged(remarked.get(), now, effects);
        }
        if (matters) {
            decisions.reconsider();
        }
        if (breakers.isStale()) {
            schedule.invalidate();
        }
    }

    /** {@return a report if this event is the first to show that a pod is too complex} */
    private static Optional<Effect> tooComplex(ClusterEvent fact, Optional<Pod> before) {
        return fact instanceof ClusterEvent.PodChanged(Pod pod)
                        && before.flatMap(it -> it.scheduling().tooComplex()).isEmpty()
                ? pod.scheduling().tooComplex().map(why -> Effect.FoundTooComplex.whole(pod, why))
                : Optional.empty();
    }

    /** {@return a report if this event is the first to show what is wrong with the rules in a pod's annotation} */
    private static Optional<Effect> invalidRules(ClusterEvent fact, Optional<Pod> before) {
        return fact instanceof ClusterEvent.PodChanged(Pod pod)
                        && pod.scheduling().annotationRules() instanceof AnnotationRules.Refused refused
                        && before.filter(it -> refused.equals(it.scheduling().annotationRules()))
                                .isEmpty()
                ? Optional.of(Effect.FoundInvalidRules.of(pod, refused.problem()))
                : Optional.empty();
    }

    /** {@return whether a node was written again without a change of anything that the engine reads} */
    private boolean isHeartbeat(ClusterEvent fact) {
        return switch (fact) {
            case ClusterEvent.NodeChanged(Node node) ->
                cluster.node(node.name()).filter(node::sameExceptVersion).isPresent();
            case ClusterEvent.NodeUnread(Node node) ->
                cluster.unreadNode(node.name())
                        .filter(before -> before.tooComplex().equals(node.tooComplex())
                                && before.labels().equals(node.labels()))
                        .isPresent();
            case ClusterEvent.NodeGone _,
                    ClusterEvent.OfPod _,
                    ClusterEvent.OfNamespace _,
                    ClusterEvent.OfOwner _,
                    ClusterEvent.OfBudget _,
                    ClusterEvent.OfCapacity _ -> false;
        };
    }

    private static boolean isStatusOnly(ClusterEvent fact, Optional<Pod> before) {
        return before.isPresent()
                && fact instanceof ClusterEvent.PodChanged(Pod pod)
                && isStatusOnly(before.get(), pod);
    }

    private static boolean isStatusOnly(Pod before, Pod now) {
        return now.hasSameVerdictInputsAs(before)
                && now.podRequirements().equals(before.podRequirements())
                && now.victimProtection().equals(before.victimProtection())
                && now.life().ready() == before.life().ready()
                && now.started() == before.started()
                && now.beingDisrupted() == before.beingDisrupted();
    }
}
