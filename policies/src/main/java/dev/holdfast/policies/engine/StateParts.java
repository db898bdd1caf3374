package dev.holdfast.policies.engine;

import dev.holdfast.policies.engine.breaker.Breakers;
import dev.holdfast.policies.engine.breaker.Tenants;
import dev.holdfast.policies.engine.ledger.EndedHolds;
import dev.holdfast.policies.engine.ledger.LedgerKeeper;
import dev.holdfast.policies.engine.ledger.LedgerState;
import dev.holdfast.policies.engine.live.DirectEvaluation;
import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.protocol.EngineSettings;
import dev.holdfast.policies.engine.protocol.ledger.RememberedProtection;
import dev.holdfast.policies.engine.state.ActivePauses;
import dev.holdfast.policies.engine.state.Decisions;
import dev.holdfast.policies.engine.state.MovesInFlight;
import dev.holdfast.policies.engine.state.PlanSchedule;
import dev.holdfast.policies.engine.state.PlannerMemory;
import dev.holdfast.policies.engine.state.Readiness;
import dev.holdfast.policies.engine.state.RequestPace;
import dev.holdfast.policies.engine.state.RequestedRules;
import dev.holdfast.policies.engine.state.ViolationBook;
import dev.holdfast.policies.engine.state.ViolationMemory;
import dev.holdfast.policies.engine.status.UninjectedPods;
import dev.holdfast.policies.engine.status.ViolationTallies;
import dev.holdfast.policies.engine.violations.IgnoredAnnotations;
import dev.holdfast.policies.plan.move.ChangeCounter;
import java.util.List;

/** The parts of the engine that keep its state between events. All other parts use these. */
final class StateParts {
    final LiveCluster cluster;
    final DirectEvaluation evaluation;
    final PlanSchedule schedule = new PlanSchedule();
    final ChangeCounter changes = new ChangeCounter();
    final RequestPace requestPace = new RequestPace();
    final Readiness readiness;
    final ActivePauses pauses;
    final Breakers breakers;
    final PlannerMemory plannerMemory;
    final RequestedRules requested;
    final ViolationBook book;
    final Decisions decisions;
    final MovesInFlight moves;
    final LedgerState ledgerState;
    final EndedHolds endedHolds;
    final LedgerKeeper ledger;
    final IgnoredAnnotations annotations;
    final ViolationTallies violationTallies;
    final UninjectedPods uninjectedPods;

    /** The components that must forget a violation when it ends. */
    final List<ViolationMemory> memories;

    StateParts(EngineSettings settings, LiveCluster cluster) {
        this.cluster = cluster;
        evaluation = new DirectEvaluation(cluster, settings.exemptNamespaces());
        readiness = new Readiness(schedule, settings.breakers(), changes);
        pauses = new ActivePauses(cluster, readiness, changes);
        breakers = new Breakers(cluster, settings.breakers(), settings.operatorLimits(), changes);
        plannerMemory = new PlannerMemory(cluster);
        requested = new RequestedRules(cluster, readiness, settings.protectionVersion());
        book = new ViolationBook(requested, readiness, plannerMemory, breakers.policyBacklogs(), schedule);
        decisions = new Decisions(cluster, book, schedule);
        moves = new MovesInFlight(cluster, decisions, schedule, changes, new Tenants(cluster, settings.breakers()));
        ledgerState = new LedgerState(settings.remembers(), changes);
        endedHolds = new EndedHolds(
                cluster,
                readiness,
                requested,
                pauses,
                book,
                decisions,
                breakers.policyBacklogs(),
                RememberedProtection.of(settings.protectedPods(), settings.exemptNamespaces()));
        ledger = new LedgerKeeper(
                ledgerState, schedule, cluster, readiness, requested, book, moves, breakers, plannerMemory, endedHolds);
        annotations = new IgnoredAnnotations(cluster);
        violationTallies = new ViolationTallies(requested, book, decisions);
        uninjectedPods = new UninjectedPods(cluster, settings.untouchedNamespaces());
        memories = List.of(
                book, decisions, moves, plannerMemory, annotations, violationTallies, uninjectedPods, breakers::size);
    }
}
