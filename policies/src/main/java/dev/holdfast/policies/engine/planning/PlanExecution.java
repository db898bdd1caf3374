package dev.holdfast.policies.engine.planning;

import dev.holdfast.policies.engine.ledger.LedgerState;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.engine.state.Decisions;
import dev.holdfast.policies.engine.state.MovesInFlight;
import dev.holdfast.policies.engine.state.RecordedDecision;
import dev.holdfast.policies.engine.state.ViolationBook;
import dev.holdfast.policies.engine.status.ReportFactory;
import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.Plan;
import dev.holdfast.policies.plan.capacity.VolumeTopology;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.rule.Mode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Carries out a plan: starts moves, reports what mode Enforce would evict, and records holds. */
public final class PlanExecution {
    private final ViolationBook book;
    private final Decisions decisions;
    private final MovesInFlight moves;
    private final LedgerState ledger;
    private final VolumeTopology volumeTopology;
    private final ReportFactory reportFactory;
    private final ConfirmingReads reads;
    private final HoldRecorder holds;
    private final EnforcedRulesReader enforcedRules;
    private long plans;

    public PlanExecution(
            ViolationBook book,
            Decisions decisions,
            MovesInFlight moves,
            LedgerState ledger,
            VolumeTopology volumeTopology,
            ReportFactory reportFactory,
            ConfirmingReads reads,
            HoldRecorder holds,
            EnforcedRulesReader enforcedRules) {
        this.book = book;
        this.decisions = decisions;
        this.moves = moves;
        this.ledger = ledger;
        this.volumeTopology = volumeTopology;
        this.reportFactory = reportFactory;
        this.reads = reads;
        this.holds = holds;
        this.enforcedRules = enforcedRules;
    }

    /** Starts the chosen moves of enforced rules, reports those of audited rules, and holds all other candidates. */
    void carryOut(Plan plan, Instant now, List<Effect> effects) {
        for (Candidate candidate : plan.later()) {
            holds.queue(candidate.violation().key(), now);
            volumeTopology.toRead(candidate.pod(), now).forEach(claim -> effects.add(new Effect.ReadClaim(claim)));
        }
        volumeTopology.wanted(now).forEach(claim -> effects.add(new Effect.ReadClaim(claim)));
        plan.held().forEach(held -> holds.hold(held, now, effects));
        for (Plan.Chosen chosen : plan.chosen()) {
            if (chosen.candidate().mode() == Mode.ENFORCE) {
                start(chosen, now, effects);
            } else {
                wouldEvict(chosen, now, effects);
            }
        }
        moves.moves().slowStart().endPlan(moves.moves().inFlightByNamespace());
    }

    /** Holds the due violations about which no plan has decided yet, until a later plan considers them. */
    void queueUndecided(List<ViolationKey> due, Instant now) {
        for (ViolationKey key : due) {
            if (decisions.find(key).isEmpty()) {
                holds.queue(key, now);
            }
        }
    }

    private void wouldEvict(Plan.Chosen chosen, Instant now, List<Effect> effects) {
        Pod victim = chosen.candidate().pod();
        Violation violation = chosen.candidate().violation();
        Optional<RecordedDecision> before = decisions.find(violation.key());
        decisions.decide(violation.key(), new RecordedDecision.WouldEvict(victim, chosen.target()));
        boolean known = before.filter(it -> it instanceof RecordedDecision.WouldEvict(Pod last, var _)
                        && last.uid().equals(victim.uid()))
                .isPresent();
        if (!known) {
            ViolationReport report = book.reported(reportFactory.describe(violation, now));
            effects.add(new Effect.Notify(new Notification.WouldEvict(report, chosen.target())));
        }
    }

    private void start(Plan.Chosen chosen, Instant now, List<Effect> effects) {
        Candidate candidate = chosen.candidate();
        String planId = Long.toString(now.toEpochMilli(), Character.MAX_RADIX) + "-" + ++plans;
        Move move = new Move(
                planId,
                candidate.violation().key(),
                candidate.requestingPolicy().policy(),
                candidate.pod(),
                Optional.of(candidate.rule()),
                candidate.nodeKeys(),
                candidate.workload(),
                candidate.scope(),
                chosen.target(),
                enforcedRules.ofVictim(candidate, now),
                1,
                ledger.firstStage(now));
        moves.put(move);
        moves.recordCause(move, reportFactory.of(move, candidate.violation(), now), now);
        decisions.decide(move.key(), new RecordedDecision.Evicting(planId));
        if (move.stage() instanceof Move.Stage.Confirming) {
            effects.add(reads.request(move));
        }
    }
}
