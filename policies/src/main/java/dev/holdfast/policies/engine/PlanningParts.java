package dev.holdfast.policies.engine;

import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.planning.BreakerUpdate;
import dev.holdfast.policies.engine.planning.CandidateFactory;
import dev.holdfast.policies.engine.planning.ClusterPlanner;
import dev.holdfast.policies.engine.planning.ConfirmingReads;
import dev.holdfast.policies.engine.planning.DecisionTimes;
import dev.holdfast.policies.engine.planning.DisruptionBudgetHolds;
import dev.holdfast.policies.engine.planning.DueCandidates;
import dev.holdfast.policies.engine.planning.EnforcedRulesReader;
import dev.holdfast.policies.engine.planning.HoldRecorder;
import dev.holdfast.policies.engine.planning.PlacementChanges;
import dev.holdfast.policies.engine.planning.PlanExecution;
import dev.holdfast.policies.engine.planning.PlanRunner;
import dev.holdfast.policies.engine.planning.PrePlanHolds;
import dev.holdfast.policies.engine.planning.SubstituteHolds;
import dev.holdfast.policies.engine.planning.SubstituteVictims;
import dev.holdfast.policies.engine.protocol.EngineSettings;
import dev.holdfast.policies.engine.status.ReportFactory;
import dev.holdfast.policies.plan.feasibility.PlacementCache;

/** The parts of the engine that decide which due violations lead to a move. */
final class PlanningParts {
    final PlacementChanges placementChanges;
    final DecisionTimes decisionTimes;
    final DisruptionBudgetHolds budgets;
    final CandidateFactory candidates;
    final ClusterPlanner planner;
    final BreakerUpdate breakerUpdate;
    final HoldRecorder holds;
    final PrePlanHolds prePlanHolds;
    final ConfirmingReads reads;
    final EnforcedRulesReader enforcedRules;
    final PlanRunner runner;

    PlanningParts(EngineSettings settings, StateParts state, ReportFactory reportFactory) {
        LiveCluster cluster = state.cluster;
        PlacementCache placementCache = state.plannerMemory.placementCache();
        placementChanges = new PlacementChanges(cluster, placementCache);
        decisionTimes = new DecisionTimes(state.book, state.requested, state.decisions, placementCache);
        budgets = new DisruptionBudgetHolds(cluster, state.decisions);
        SubstituteVictims substituteVictims =
                new SubstituteVictims(cluster, state.requested, state.book, settings.protectedPods());
        candidates = new CandidateFactory(cluster, state.requested, state.book, substituteVictims);
        planner = new ClusterPlanner(
                settings, cluster, state.evaluation, state.readiness, state.plannerMemory, state.moves, state.breakers);
        breakerUpdate = new BreakerUpdate(
                cluster,
                state.breakers,
                state.readiness,
                state.ledgerState,
                state.requested,
                state.book,
                candidates,
                planner);
        holds = new HoldRecorder(state.book, state.decisions, reportFactory, state.schedule);
        prePlanHolds =
                prePlanHolds(state, new SubstituteHolds(state.requested, substituteVictims, state.pauses, budgets));
        reads = new ConfirmingReads(cluster, state.evaluation);
        enforcedRules = new EnforcedRulesReader(cluster, state.evaluation);
        runner = new PlanRunner(
                state.schedule,
                state.endedHolds,
                breakerUpdate,
                candidates,
                dueCandidates(state, prePlanHolds, holds),
                planner,
                execution(state, reportFactory, reads, holds, enforcedRules));
    }

    private static PrePlanHolds prePlanHolds(StateParts state, SubstituteHolds substitutes) {
        return new PrePlanHolds(
                state.cluster,
                state.readiness,
                state.ledgerState,
                state.requested,
                state.pauses,
                state.decisions,
                substitutes,
                state.requestPace);
    }

    private static DueCandidates dueCandidates(StateParts state, PrePlanHolds prePlanHolds, HoldRecorder holds) {
        return new DueCandidates(
                state.cluster,
                state.book,
                state.requested,
                state.moves,
                state.decisions,
                state.plannerMemory,
                prePlanHolds,
                holds);
    }

    private static PlanExecution execution(
            StateParts state,
            ReportFactory reportFactory,
            ConfirmingReads reads,
            HoldRecorder holds,
            EnforcedRulesReader enforcedRules) {
        return new PlanExecution(
                state.book,
                state.decisions,
                state.moves,
                state.ledgerState,
                state.plannerMemory.volumeTopology(),
                reportFactory,
                reads,
                holds,
                enforcedRules);
    }
}
