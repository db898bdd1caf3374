package dev.holdfast.policies.engine;

import dev.holdfast.policies.engine.breaker.Breakers;
import dev.holdfast.policies.engine.eviction.AffectedMoves;
import dev.holdfast.policies.engine.eviction.EvictionProtocol;
import dev.holdfast.policies.engine.eviction.FutilityResets;
import dev.holdfast.policies.engine.eviction.ReplacementTracker;
import dev.holdfast.policies.engine.ledger.LedgerKeeper;
import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.planning.BreakerUpdate;
import dev.holdfast.policies.engine.planning.DecisionTimes;
import dev.holdfast.policies.engine.planning.PlacementChanges;
import dev.holdfast.policies.engine.planning.PlanRunner;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.EngineSettings;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.OwnerThread;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.engine.protocol.ViewStatus;
import dev.holdfast.policies.engine.report.BoundPod;
import dev.holdfast.policies.engine.report.EngineActivity;
import dev.holdfast.policies.engine.state.ActivePauses;
import dev.holdfast.policies.engine.state.MovesInFlight;
import dev.holdfast.policies.engine.state.PlanSchedule;
import dev.holdfast.policies.engine.state.Readiness;
import dev.holdfast.policies.engine.state.ViolationBook;
import dev.holdfast.policies.engine.state.ViolationMemory;
import dev.holdfast.policies.engine.status.ReportPublisher;
import dev.holdfast.policies.engine.violations.CrossCheck;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.plan.capacity.VolumeTopology;
import dev.holdfast.policies.plan.controls.OperatorLimits;
import dev.holdfast.policies.plan.controls.Pause;
import dev.holdfast.policies.plan.controls.WallClock;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.plan.move.Moves;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The decision engine, a state machine: one thread passes it every event in order and carries out the returned effects.
 *
 * <p>The engine reports no violation until every {@link View} has synced once. Then the clocks of all violations that
 * exist start.
 *
 * <p>Belongs to one thread: the first that uses it, or the last that called {@link #handOver}. Each use by another
 * thread is an {@link IllegalStateException}.
 */
public final class Engine {
    /** The initial capacity of the list of effects that one event leads to. Few events lead to more. */
    private static final int FEW = 4;

    private final OwnerThread owner = new OwnerThread("the engine");
    private final LiveCluster cluster;
    private final PlanSchedule schedule;
    private final Readiness readiness;
    private final ActivePauses pauses;
    private final Breakers breakers;
    private final ViolationBook book;
    private final MovesInFlight moves;
    private final OperatorLimits operatorLimits;
    private final VolumeTopology volumeTopology;
    private final ReadinessEventHandler readinessEvents;
    private final ClusterEventHandler clusterEvents;
    private final PlacementChanges placementChanges;
    private final PolicyEventHandler policyEvents;
    private final AffectedMoves affectedMoves;
    private final CrossCheck crossCheck;
    private final FutilityResets futilityResets;
    private final BreakerUpdate breakerUpdate;
    private final PlanRunner planRunner;
    private final DecisionTimes decisionTimes;
    private final EvictionProtocol evictionProtocol;
    private final ReplacementTracker replacementTracker;
    private final ReportPublisher reportPublisher;
    private final LedgerKeeper ledger;
    private final List<ViolationMemory> memories;

    public Engine(EngineSettings settings) {
        this(settings, new LiveCluster(settings.exemptNamespaces()));
    }

    Engine(EngineSettings settings, LiveCluster cluster) {
        StateParts state = new StateParts(settings, cluster);
        ViolationParts violations = new ViolationParts(settings, state);
        PlanningParts planning = new PlanningParts(settings, state, violations.reportFactory);
        EvictionParts eviction = new EvictionParts(settings, state, violations, planning);

        this.cluster = cluster;
        operatorLimits = settings.operatorLimits();
        schedule = state.schedule;
        readiness = state.readiness;
        pauses = state.pauses;
        breakers = state.breakers;
        book = state.book;
        moves = state.moves;
        volumeTopology = state.plannerMemory.volumeTopology();
        ledger = state.ledger;
        memories = state.memories;
        crossCheck = violations.crossCheck;
        reportPublisher = violations.reportPublisher;
        placementChanges = planning.placementChanges;
        breakerUpdate = planning.breakerUpdate;
        planRunner = planning.runner;
        decisionTimes = planning.decisionTimes;
        affectedMoves = eviction.affectedMoves;
        futilityResets = eviction.futilityResets;
        replacementTracker = eviction.replacementTracker;
        evictionProtocol = eviction.protocol;
        clusterEvents = new ClusterEventHandler(state, violations.tracker, planning, futilityResets);
        policyEvents = new PolicyEventHandler(state, violations, futilityResets);
        readinessEvents = new ReadinessEventHandler(state, violations.tracker);
    }

    /**
     * Makes the calling thread the owner of the engine. Allowed only after the previous owner has used the engine for
     * the last time: it started the caller, or the caller has joined it.
     */
    public void handOver() {
        owner.handOver();
    }

    /**
     * Handles one event.
     *
     * @param now the present time, by a clock that never goes back while the process runs
     * @return the effects to carry out, in this order
     */
    public List<Effect> step(Event event, Instant now) {
        owner.check();
        List<Effect> effects = new ArrayList<>(FEW);
        // Before the event is applied: afterwards the index no longer has a deleted pod.
        Predicate<Move> concerned = affectedMoves.by(event);
        take(event, now, effects);
        breakers.policyBacklogs().decide(now);
        if (readiness.isComplete()) {
            ledger.takeOver(now);
            replacementTracker.run(concerned, mayEndAwaiting(event) ? concerned : _ -> false, now, effects);
            if (event instanceof Event.Ending) {
                breakerUpdate.run(now, effects);
                ledger.end(now, effects);
                return effects;
            }
            futilityResets.sweep(now);
            planRunner.run(now, effects);
            reportPublisher.run(now, effects);
            ledger.run(now, effects);
            nextLook().ifPresent(at -> effects.add(new Effect.WakeAt(at)));
        }
        return effects;
    }

    /**
     * {@return whether the replacement of a failed move may be Ready after an event} A change that arrives while a view
     * is not synced counts only when the view is synced.
     */
    private static boolean mayEndAwaiting(Event event) {
        return event instanceof Event.ObjectChanged || event instanceof Event.ViewSynced;
    }

    /**
     * {@return a copy of the status of each view after the last event} Only {@link Event.ViewSynced} and
     * {@link Event.ViewLost} change a status.
     */
    public Map<View, ViewStatus> views() {
        owner.check();
        return readiness.views().statuses();
    }

    /**
     * {@return the controller of a pod's controller, such as the Deployment of a ReplicaSet; empty if it is unknown}
     */
    public Optional<Controller> controllerAbove(BoundPod pod) {
        owner.check();
        return pod.controller()
                .flatMap(direct -> cluster.owner(pod.name().namespace(), direct.uid()))
                .flatMap(Owner::controller);
    }

    /** {@return what the engine does at an instant, which is not earlier than the last event} */
    public EngineActivity activity(Instant now) {
        owner.check();
        Moves all = moves.moves();
        boolean leads = readiness.isLeading();
        return new EngineActivity(
                leads ? all.inFlight().size() : 0,
                leads ? Math.min(operatorLimits.cluster(), all.slowStart().allowed(now)) : 0,
                leads ? all.hour(_ -> true, now).evictions() : 0,
                leads ? breakers.open() : Map.of(),
                pauses.count(now),
                cluster.tooComplex(),
                cluster.unreadNodes().size(),
                schedule.last(),
                book.restarts());
    }

    /**
     * {@return the number of entries that the engine stores for violations, moves, annotations and others} Tests find
     * leaks by this number: it is 0 again once the cluster is empty.
     */
    public int remembered() {
        owner.check();
        return memories.stream().mapToInt(ViolationMemory::size).sum();
    }

    /**
     * {@return when the engine may decide otherwise, or a move ends, although nothing changes but the time; empty if
     * that never happens} Unlike {@link Effect.WakeAt}, this instant ignores that the engine checks violations again
     * every few seconds.
     */
    public Optional<Instant> nextDecision(Instant now) {
        owner.check();
        return earlier(decisionTimes.next(now), replacementTracker.nextLook().filter(now::isBefore));
    }

    /**
     * {@return whether a pod will be evicted if no other node takes it for longer} Until then the engine must get an
     * event every few minutes.
     */
    public boolean awaitsEvictionWithoutNode(Instant now) {
        owner.check();
        return decisionTimes.anyEvictionWithoutNode(now);
    }

    private Optional<Instant> nextLook() {
        return earlier(
                earlier(schedule.next(), replacementTracker.nextLook()),
                earlier(reportPublisher.nextLook(), ledger.nextLook()));
    }

    /**
     * {@return the earlier of two instants; if one is absent, the other} Creates no stream, because the engine calls
     * this method after each event.
     */
    private static Optional<Instant> earlier(Optional<Instant> one, Optional<Instant> other) {
        if (one.isEmpty() || other.isEmpty()) {
            return one.isEmpty() ? other : one;
        }
        return other.get().isBefore(one.get()) ? other : one;
    }

    private void take(Event event, Instant now, List<Effect> effects) {
        boolean trusted = readiness.distrust().isEmpty();
        placementChanges.happened(event);
        switch (event) {
            case Event.ObjectChanged(ClusterEvent change) -> {
                pauses.beforeChange(change);
                clusterEvents.handle(change, now, effects);
            }
            case Event.PolicyChanged changed -> policyEvents.changed(changed, now, effects);
            case Event.PolicyAcknowledged(PolicyId policy, var ids) -> policyEvents.acknowledged(policy, ids);
            case Event.PolicyRemoved(PolicyId policy) -> policyEvents.removed(policy, now, effects);
            case Event.PauseChanged(Pause pause) -> pauses.put(pause);
            case Event.PauseRemoved(String pause) -> pauses.remove(pause);
            case Event.ViewSynced(View view) -> readinessEvents.synced(view, now, effects);
            case Event.ViewLost lost -> readinessEvents.lost(lost);
            case Event.LeadershipGained _ -> {
                readinessEvents.lead(now, effects);
                breakerUpdate.lead();
            }
            case Event.LeadershipRegained _ -> readinessEvents.leadAgain(now, effects);
            case Event.LeadershipLost(String why, Instant since) -> readinessEvents.follow(why, since, now);
            case Event.ModeCapped capped -> readinessEvents.cap(capped, now);
            case Event.WallClockRead(WallClock wallClock) -> readiness.read(wallClock);
            case Event.TimePassed _ -> {
                // Everything that depends on the time is checked after each event.
            }
            case Event.NothingChanged _ -> decisionTimes.nothingChanged(now);
            case Event.TimeToCompare(int most) -> compare(most, now, effects);
            case Event.Confirmed confirmed -> {
                crossCheck.contents(confirmed, now, effects);
                evictionProtocol.confirmed(confirmed, now, effects);
            }
            case Event.ClaimRead(var claim, var volume) -> volumeTopology.put(claim, volume, now);
            case Event.ConfirmFailed failed -> evictionProtocol.confirmFailed(failed, now, effects);
            case Event.DryRunAnswered dryRun -> evictionProtocol.dryRunAnswered(dryRun, now, effects);
            case Event.Answered answered -> evictionProtocol.answered(answered, now, effects);
            case Event.LedgerRead read -> ledger.read(read, now);
            case Event.LedgerWritten written ->
                ledger.written(written).forEach(move -> evictionProtocol.recorded(move, now, effects));
            case Event.LedgerNotWritten failed -> ledger.notWritten(failed);
            case Event.ClocksWritten answer -> ledger.clocksWritten(answer);
            case Event.Ending _ -> {
                // What is left is written once the brakes are up to date.
            }
        }
        if (event instanceof Event.TimeToCompare || CrossCheck.isOfSample(event)) {
            if (trusted && readiness.distrust().isPresent()) {
                reportPublisher.changed();
            }
            return;
        }
        cluster.index().takeLeftOut().forEach(rule -> effects.add(Effect.FoundTooComplex.rule(rule)));
        if (!(event instanceof Event.ObjectChanged
                || event instanceof Event.TimePassed
                || event instanceof Event.LedgerWritten
                || event instanceof Event.ClocksWritten)) {
            schedule.invalidate();
        }
        reportPublisher.changed();
    }

    private void compare(int most, Instant now, List<Effect> effects) {
        if (readiness.isComplete()) {
            effects.add(crossCheck.compare(most, now));
            crossCheck.sample(now).ifPresent(effects::add);
        }
    }
}
