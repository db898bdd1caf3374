package dev.holdfast.policies.engine;

import dev.holdfast.policies.engine.breaker.Breakers;
import dev.holdfast.policies.engine.live.DirectEvaluation;
import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.memory.Decisions;
import dev.holdfast.policies.engine.memory.Memory;
import dev.holdfast.policies.engine.memory.MovesInFlight;
import dev.holdfast.policies.engine.memory.PausesInForce;
import dev.holdfast.policies.engine.memory.PlanSchedule;
import dev.holdfast.policies.engine.memory.PlannerMemory;
import dev.holdfast.policies.engine.memory.Readiness;
import dev.holdfast.policies.engine.memory.RequestedRules;
import dev.holdfast.policies.engine.memory.ViolationBook;
import dev.holdfast.policies.engine.planning.BreakerUpdate;
import dev.holdfast.policies.engine.planning.BudgetHolds;
import dev.holdfast.policies.engine.planning.CandidateFactory;
import dev.holdfast.policies.engine.planning.ClusterPlanner;
import dev.holdfast.policies.engine.planning.ConfirmingReads;
import dev.holdfast.policies.engine.planning.DueCandidates;
import dev.holdfast.policies.engine.planning.HoldRecorder;
import dev.holdfast.policies.engine.planning.OutsideHolds;
import dev.holdfast.policies.engine.planning.PlanExecution;
import dev.holdfast.policies.engine.planning.PlanRunner;
import dev.holdfast.policies.engine.planning.StandIns;
import dev.holdfast.policies.engine.planning.SubstituteHolds;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.EngineSettings;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.engine.protocol.ViewStatus;
import dev.holdfast.policies.engine.status.PolicyReportFactory;
import dev.holdfast.policies.engine.status.Publishing;
import dev.holdfast.policies.engine.status.Reports;
import dev.holdfast.policies.engine.status.Tallies;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.plan.capacity.Volumes;
import dev.holdfast.policies.plan.conduct.Conduct;
import dev.holdfast.policies.plan.conduct.Pause;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The engine: one thread hands it every event in order and carries out what comes back.
 *
 * <p>Nothing is judged before every view has been synced once; then everything is judged at once, and what is broken
 * already starts its clock there. Not thread-safe.
 */
public final class Engine {
    /** How many effects an event has, as a rule at most. */
    private static final int FEW = 4;

    private final PlanSchedule schedule;
    private final Readiness readiness;
    private final PausesInForce pauses;
    private final Volumes volumes;
    private final ReadinessEventHandler readinessEvents;
    private final ClusterEventHandler clusterEvents;
    private final PolicyEventHandler policyEvents;
    private final ConcernedMoves concernedMoves;
    private final Shadow shadow;
    private final Resets resets;
    private final PlanRunner planRunner;
    private final Mover mover;
    private final FollowUp followUp;
    private final Publishing publishing;
    private final List<Memory> memories;

    public Engine(EngineSettings settings) {
        this(settings, new LiveCluster(settings.exemptNamespaces()));
    }

    /** Makes all parts, each with only those parts that it uses. */
    Engine(EngineSettings settings, LiveCluster cluster) {
        schedule = new PlanSchedule();
        readiness = new Readiness(schedule);
        pauses = new PausesInForce(cluster);
        DirectEvaluation evaluation = new DirectEvaluation(cluster, settings.exemptNamespaces());
        Breakers breakers = new Breakers(cluster, settings.brakes(), settings.limits());

        // Memory.
        PlannerMemory plannerMemory = new PlannerMemory(cluster);
        volumes = plannerMemory.volumes();
        RequestedRules requested = new RequestedRules(cluster, readiness);
        ViolationBook book = new ViolationBook(requested, readiness, plannerMemory, schedule);
        Decisions decisions = new Decisions(cluster, book, schedule);
        MovesInFlight moves = new MovesInFlight(cluster, decisions, schedule);
        IgnoredAnnotations annotations = new IgnoredAnnotations(cluster);
        Tallies tallies = new Tallies(requested, book, decisions);
        memories = List.of(book, decisions, moves, plannerMemory, annotations, tallies, breakers::size);

        // Reports.
        Reports reports = new Reports(cluster, requested, book, decisions, moves, settings.protectedNamespaces());
        publishing = new Publishing(
                cluster,
                readiness,
                breakers,
                moves.history(),
                tallies,
                new PolicyReportFactory(
                        cluster,
                        readiness,
                        requested,
                        book,
                        breakers,
                        moves.history(),
                        reports,
                        settings.limits().perHour()));

        // Violations.
        shadow = new Shadow(cluster, evaluation, requested, book, readiness);
        resets = new Resets(cluster, moves);
        Judge judge = new Judge(
                cluster, book, breakers, reports, new ViolationEnds(cluster, requested, moves), annotations, memories);
        BudgetHolds budgets = new BudgetHolds(cluster, decisions);
        Witness witness = new Witness(cluster, plannerMemory, moves, decisions, readiness);
        clusterEvents =
                new ClusterEventHandler(cluster, budgets, witness, resets, breakers, judge, decisions, schedule);
        policyEvents = new PolicyEventHandler(
                judge, book, requested, resets, breakers.backlogs(), moves.history(), publishing);
        readinessEvents = new ReadinessEventHandler(
                readiness,
                book,
                plannerMemory.domains(),
                new ObservationGaps(readiness.views(), book, requested),
                judge);

        // Plans.
        StandIns standIns = new StandIns(cluster, requested, book, settings.protectedNamespaces());
        CandidateFactory candidates = new CandidateFactory(cluster, requested, standIns);
        ClusterPlanner planner = new ClusterPlanner(settings, cluster, evaluation, plannerMemory, moves, breakers);
        BreakerUpdate breakerUpdate = new BreakerUpdate(breakers, readiness, requested, book, candidates, planner);
        HoldRecorder holds = new HoldRecorder(book, decisions, reports, schedule);
        OutsideHolds outside = new OutsideHolds(
                cluster,
                readiness,
                requested,
                pauses,
                decisions,
                new SubstituteHolds(requested, standIns, pauses, budgets));
        ConfirmingReads reads = new ConfirmingReads(cluster, evaluation);
        planRunner = new PlanRunner(
                schedule,
                breakerUpdate,
                candidates,
                new DueCandidates(book, requested, moves, outside, holds),
                planner,
                new PlanExecution(book, decisions, moves, volumes, reports, reads, holds));

        // Moves.
        RefusedMoves refusedMoves = new RefusedMoves(book, decisions, moves, budgets, reads, holds);
        WorkloadPods workloadPods = new WorkloadPods(cluster, moves);
        concernedMoves = new ConcernedMoves(cluster, workloadPods);
        followUp = new FollowUp(
                cluster,
                moves,
                plannerMemory.disturbances(),
                workloadPods,
                new StageTimeouts(readiness.views(), settings.replacementTimeout()),
                new MoveOutcomes(cluster, evaluation, moves, settings.replacementTimeout()),
                refusedMoves);
        Revalidation revalidation =
                new Revalidation(book, moves, shadow, candidates, outside, breakerUpdate, planner, holds);
        mover = new Mover(book, moves, revalidation, reads, reports, followUp, refusedMoves);
    }

    /**
     * Takes one event.
     *
     * @param now by a clock that never goes back within a run
     * @return what is to be done, in this order
     */
    public List<Effect> step(Event event, Instant now) {
        List<Effect> effects = new ArrayList<>(FEW);
        // Found first, since a pod that goes has no namespace any more.
        Predicate<Move> concerned = concernedMoves.by(event);
        take(event, now, effects);
        if (readiness.isComplete()) {
            followUp.run(concerned, now, effects);
            resets.sweep(now);
            planRunner.run(now, effects);
            publishing.run(now, effects);
            nextLook().ifPresent(at -> effects.add(new Effect.WakeAt(at)));
        }
        return effects;
    }

    /**
     * {@return the status of each view after the last event, which later events do not change} Only {@link Event.ViewSynced}
     * and {@link Event.ViewLost} change it.
     */
    public Map<View, ViewStatus> views() {
        return readiness.views().statuses();
    }

    /** {@return the number of remembered violations, moves and annotations; 0 in an empty cluster} */
    public int remembered() {
        return memories.stream().mapToInt(Memory::size).sum();
    }

    private Optional<Instant> nextLook() {
        return earlier(earlier(schedule.next(), followUp.nextLook()), publishing.nextLook());
    }

    /** Called after each event: no stream. */
    private static Optional<Instant> earlier(Optional<Instant> one, Optional<Instant> other) {
        if (one.isEmpty() || other.isEmpty()) {
            return one.isEmpty() ? other : one;
        }
        return other.get().isBefore(one.get()) ? other : one;
    }

    private void take(Event event, Instant now, List<Effect> effects) {
        switch (event) {
            case Event.FactChanged(ClusterEvent fact) -> clusterEvents.handle(fact, now, effects);
            case Event.PolicyChanged(Policy policy, Conduct conduct) ->
                policyEvents.changed(policy, conduct, now, effects);
            case Event.PolicyAcknowledged(PolicyId policy, var ids) -> policyEvents.acknowledged(policy, ids);
            case Event.PolicyRemoved(PolicyId policy) -> policyEvents.removed(policy, now, effects);
            case Event.PauseChanged(Pause pause) -> pauses.put(pause);
            case Event.PauseRemoved(String pause) -> pauses.remove(pause);
            case Event.ViewSynced(View view) -> readinessEvents.synced(view, now, effects);
            case Event.ViewLost lost -> readinessEvents.lost(lost);
            case Event.LeadershipGained _ -> readinessEvents.lead(now);
            case Event.LeadershipLost(String why) -> readinessEvents.follow(why);
            case Event.ModeCapped(var ceiling, var _) -> readinessEvents.cap(ceiling, now);
            case Event.TimePassed _ -> {
                // What time alone changes is found after each event.
            }
            case Event.TimeToCompare(int most) -> compare(most, effects);
            case Event.Confirmed confirmed -> mover.confirmed(confirmed, now, effects);
            case Event.ClaimRead(var claim, var volume) -> volumes.put(claim, volume, now);
            case Event.ConfirmFailed failed -> mover.confirmFailed(failed, now, effects);
            case Event.Rehearsed rehearsed -> mover.rehearsed(rehearsed, now, effects);
            case Event.Answered answered -> mover.answered(answered, now, effects);
        }
        if (event instanceof Event.TimeToCompare) {
            return;
        }
        if (!(event instanceof Event.FactChanged || event instanceof Event.TimePassed)) {
            schedule.invalidate();
        }
        publishing.changed();
    }

    private void compare(int most, List<Effect> effects) {
        if (readiness.isComplete()) {
            boolean trusted = readiness.distrust().isEmpty();
            effects.add(shadow.compare(most));
            if (trusted && readiness.distrust().isPresent()) {
                publishing.changed();
            }
        }
    }
}
