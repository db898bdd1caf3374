package dev.holdfast.policies.engine;

import dev.holdfast.policies.engine.protocol.EngineSettings;
import dev.holdfast.policies.engine.status.PolicyEffects;
import dev.holdfast.policies.engine.status.PolicyReportFactory;
import dev.holdfast.policies.engine.status.ReportFactory;
import dev.holdfast.policies.engine.status.ReportPublisher;
import dev.holdfast.policies.engine.violations.CrossCheck;
import dev.holdfast.policies.engine.violations.ViolationEnds;
import dev.holdfast.policies.engine.violations.ViolationTracker;

/** The parts of the engine that find violations, check them again by other sources, and report them. */
final class ViolationParts {
    final ReportFactory reportFactory;
    final ReportPublisher reportPublisher;
    final CrossCheck crossCheck;
    final ViolationTracker tracker;

    ViolationParts(EngineSettings settings, StateParts state) {
        reportFactory = new ReportFactory(
                state.cluster, state.requested, state.book, state.decisions, state.moves, settings.protectedPods());
        reportPublisher = new ReportPublisher(
                state.cluster,
                state.readiness,
                state.breakers,
                state.moves.evictionHistory(),
                state.violationTallies,
                state.uninjectedPods,
                new PolicyEffects(state.cluster),
                policyReports(settings, state, reportFactory));
        crossCheck = new CrossCheck(state.cluster, state.evaluation, state.requested, state.book, state.readiness);
        tracker = new ViolationTracker(
                state.cluster,
                state.requested,
                state.book,
                state.breakers,
                reportFactory,
                new ViolationEnds(state.cluster, state.requested, state.moves),
                state.annotations,
                state.memories);
    }

    private static PolicyReportFactory policyReports(
            EngineSettings settings, StateParts state, ReportFactory reportFactory) {
        return new PolicyReportFactory(
                state.cluster,
                state.readiness,
                state.ledgerState,
                state.requested,
                state.book,
                state.breakers,
                state.moves.evictionHistory(),
                reportFactory,
                state.uninjectedPods,
                settings.operatorLimits());
    }
}
