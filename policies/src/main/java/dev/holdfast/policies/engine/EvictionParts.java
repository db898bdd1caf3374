package dev.holdfast.policies.engine;

import dev.holdfast.policies.engine.eviction.AffectedMoves;
import dev.holdfast.policies.engine.eviction.EvictionProtocol;
import dev.holdfast.policies.engine.eviction.FutilityResets;
import dev.holdfast.policies.engine.eviction.MoveOutcomes;
import dev.holdfast.policies.engine.eviction.RefusedEvictions;
import dev.holdfast.policies.engine.eviction.ReplacementTracker;
import dev.holdfast.policies.engine.eviction.Revalidation;
import dev.holdfast.policies.engine.eviction.StageTimeouts;
import dev.holdfast.policies.engine.eviction.WorkloadPods;
import dev.holdfast.policies.engine.planning.EnforcedRulesReader;
import dev.holdfast.policies.engine.protocol.EngineSettings;
import dev.holdfast.policies.engine.protocol.ReplacementTimes;
import dev.holdfast.policies.engine.state.ReadyReplacements;
import dev.holdfast.policies.engine.state.SyncedViews;

/** The parts of the engine that carry out a move, from the reads before the eviction to the outcome. */
final class EvictionParts {
    final AffectedMoves affectedMoves;
    final FutilityResets futilityResets;
    final ReplacementTracker replacementTracker;
    final EvictionProtocol protocol;

    EvictionParts(EngineSettings settings, StateParts state, ViolationParts violations, PlanningParts planning) {
        RefusedEvictions refusedEvictions = new RefusedEvictions(
                state.cluster,
                state.book,
                state.decisions,
                state.moves,
                planning.budgets,
                planning.reads,
                planning.holds,
                state.requestPace);
        WorkloadPods workloadPods = new WorkloadPods(state.cluster);
        affectedMoves = new AffectedMoves(state.cluster, workloadPods);
        futilityResets = new FutilityResets(
                state.cluster,
                state.moves,
                state.breakers.outcome(),
                settings.breakers().teamLabel());
        replacementTracker = replacementTracker(
                settings.replacementTimes(), state, planning.enforcedRules, workloadPods, refusedEvictions);
        protocol = new EvictionProtocol(
                state.book,
                state.moves,
                revalidation(state, violations, planning),
                planning.reads,
                violations.reportFactory,
                replacementTracker,
                refusedEvictions);
    }

    private static ReplacementTracker replacementTracker(
            ReplacementTimes times,
            StateParts state,
            EnforcedRulesReader enforcedRules,
            WorkloadPods workloadPods,
            RefusedEvictions refusedEvictions) {
        SyncedViews views = state.readiness.views();
        ReadyReplacements readyReplacements = new ReadyReplacements(times.minReady(), views);
        return new ReplacementTracker(
                state.cluster,
                state.moves,
                state.plannerMemory.workloadDisturbances(),
                workloadPods,
                new StageTimeouts(state.cluster, views, readyReplacements, times.timeout()),
                readyReplacements,
                new MoveOutcomes(state.cluster, enforcedRules, state.moves, state.breakers.outcome(), times.timeout()),
                refusedEvictions);
    }

    private static Revalidation revalidation(StateParts state, ViolationParts violations, PlanningParts planning) {
        return new Revalidation(
                state.book,
                state.moves,
                violations.crossCheck,
                planning.candidates,
                planning.prePlanHolds,
                planning.breakerUpdate,
                planning.planner,
                planning.holds,
                planning.enforcedRules);
    }
}
