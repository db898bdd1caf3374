package dev.holdfast.policies.engine.planning;

import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.state.Decisions;
import dev.holdfast.policies.engine.state.MovesInFlight;
import dev.holdfast.policies.engine.state.PlanSchedule;
import dev.holdfast.policies.engine.state.PlannerMemory;
import dev.holdfast.policies.engine.state.RequestedRules;
import dev.holdfast.policies.engine.state.ViolationBook;
import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.rule.AppliedRule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Selects the candidates of a plan from the due violations, and holds the violations that no plan may act on now. */
public final class DueCandidates {
    /**
     * The maximum number of violations in one plan. Such a plan takes about 25 ms, in which the engine handles no
     * event. Later plans consider the other violations.
     */
    private static final int MOST_IN_A_PLAN = 3_000;

    /** The number of unplanned audited violations that cost as much as one violation whose pod waits for a node. */
    private static final int AUDITED_PER_STANDING = 32;

    private final ViolationBook book;
    private final MovesInFlight moves;
    private final Decisions decisions;
    private final PlannerMemory plannerMemory;
    private final PrePlanHolds outside;
    private final HoldRecorder holds;
    private final PlanningFairness planningFairness;
    private final AuditPace auditPace;

    public DueCandidates(
            LiveCluster cluster,
            ViolationBook book,
            RequestedRules requested,
            MovesInFlight moves,
            Decisions decisions,
            PlannerMemory plannerMemory,
            PrePlanHolds outside,
            HoldRecorder holds) {
        this.book = book;
        this.moves = moves;
        this.decisions = decisions;
        this.plannerMemory = plannerMemory;
        this.outside = outside;
        this.holds = holds;
        this.planningFairness = new PlanningFairness(MOST_IN_A_PLAN, key -> lane(key, cluster, requested));
        this.auditPace = new AuditPace(cluster, requested, decisions, plannerMemory.placementCache());
    }

    private static PlanningFairness.Lane lane(ViolationKey key, LiveCluster cluster, RequestedRules requested) {
        AppliedRule rule = requested.get(key);
        return new PlanningFairness.Lane(
                rule.mode(requested.ceiling()),
                cluster.pod(key.podUid()).orElseThrow().namespace(),
                rule.requestingPolicies(requested.ceiling()).getFirst());
    }

    /**
     * The due violations, and those of them that one plan considers.
     *
     * @param due the due violations without those that keep their decision
     * @param standing how many violations keep their decision without a plan, because no node takes their pods and
     *     nothing changed that may help. Audited ones that were planned a short time ago count a thirty-second
     * @param standingUntil when the first of them is planned again; absent if there is none
     * @param turn the due violations that this plan considers
     * @param candidates the candidates for the violations in {@code turn}, without those that are held or already
     *     moving
     */
    record Selection(
            List<ViolationKey> due,
            int standing,
            Optional<Instant> standingUntil,
            List<ViolationKey> turn,
            List<Candidate> candidates) {
        /** {@return whether some due violations must wait for a later plan} */
        boolean isPartial() {
            return turn.size() < due.size();
        }
    }

    /**
     * Selects the candidates of the next plan, and holds the violations that no plan may act on now. Adds a
     * notification to the effects for each hold with a new reason.
     *
     * @param batch creates the candidates
     * @return the violations that the plan considers, and the candidates
     */
    Selection select(CandidateFactory.Batch batch, Instant now, List<Effect> effects) {
        plannerMemory.beginPlan(moves.all());
        List<ViolationKey> all = book.deadlines().dueAt(now);
        List<ViolationKey> due = all;
        Optional<Instant> standingUntil = Optional.empty();
        int audited = 0;
        boolean paused = outside.anyPauseApplies(now);
        boolean withAudited = auditPace.isTurn(all, paused, now);
        if (!outside.holdAll()) {
            due = new ArrayList<>();
            for (ViolationKey key : all) {
                Optional<Instant> until = withAudited ? Optional.empty() : auditPace.standsUntil(key);
                if (until.isPresent()) {
                    audited++;
                } else if (!paused) {
                    until = standsUntil(key, now);
                }
                if (until.isEmpty()) {
                    due.add(key);
                } else if (standingUntil.filter(until.get()::isAfter).isEmpty()) {
                    standingUntil = until;
                }
            }
        }
        List<ViolationKey> turn = planningFairness.next(due);
        if (withAudited) {
            auditPace.planned(turn.size() == due.size());
        }
        List<Candidate> candidates = new ArrayList<>();
        for (ViolationKey key : turn) {
            Optional<Move> moving = moves.of(key);
            if (moving.isEmpty()) {
                select(book.find(key).orElseThrow(), batch, now, effects).ifPresent(candidates::add);
            } else if (!moving.get().key().equals(key)) {
                holds.holdFor(moving.get(), key);
            }
        }
        int standing = all.size() - due.size() - audited + audited / AUDITED_PER_STANDING;
        return new Selection(due, standing, standingUntil, turn, candidates);
    }

    /**
     * {@return until when a violation keeps its hold without a plan: no node would take its pod, and nothing changed
     * that may help; empty if a plan must consider the violation}
     */
    private Optional<Instant> standsUntil(ViolationKey key, Instant now) {
        return decisions.isWithoutNode(key) && book.hasOneDeadline(key)
                ? plannerMemory.placementCache().standsUntil(key, now)
                : Optional.empty();
    }

    private Optional<Candidate> select(
            Violation violation, CandidateFactory.Batch batch, Instant now, List<Effect> effects) {
        Optional<Hold> hold = outside.against(violation, now);
        Optional<Candidate> candidate = Optional.empty();
        if (hold.isEmpty()) {
            candidate = Optional.of(batch.candidate(violation, now));
            hold = outside.againstSubstitute(candidate.get(), now);
        }
        if (hold.isEmpty()) {
            return candidate;
        }
        holds.hold(violation, hold.get(), now, effects);
        return Optional.empty();
    }

    /**
     * Schedules a plan for when the next violation becomes due for a policy. If any violation is due now, also
     * schedules a plan for when the next pause starts or ends.
     */
    void scheduleNext(Selection selection, PlanSchedule schedule, Instant now) {
        book.nextDeadline(now).ifPresent(schedule::planAt);
        selection.standingUntil().ifPresent(schedule::planBy);
        if (!selection.due().isEmpty()) {
            outside.nextChange(now).ifPresent(schedule::planBy);
        }
    }
}
