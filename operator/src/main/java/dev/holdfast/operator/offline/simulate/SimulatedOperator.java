package dev.holdfast.operator.offline.simulate;

import dev.holdfast.operator.offline.simulate.cluster.Agenda;
import dev.holdfast.operator.offline.simulate.cluster.SimulatedCluster;
import dev.holdfast.policies.engine.Engine;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.EngineSettings;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.engine.protocol.ledger.LedgerReading;
import dev.holdfast.policies.engine.report.BacklogReport;
import dev.holdfast.policies.engine.report.BrakeReport;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.controls.WallClock;
import dev.holdfast.policies.plan.move.EvictionRequest;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** The engine of the operator on a simulated cluster. */
final class SimulatedOperator {
    private final Engine engine;
    private final SimulatedCluster cluster;
    private final Agenda agenda;
    private final Consumer<Happening> happenings;
    private final Optional<LedgerReading> ledger;
    private final boolean works;
    private final Set<PolicyId> known = new HashSet<>();
    private final Set<PolicyId> selecting = new HashSet<>();
    /** The ids of backlogs that are not over. */
    private final Map<PolicyId, String> backlogs = new HashMap<>();

    private final Deque<Event> pending = new ArrayDeque<>();
    private long steps;
    private Optional<Instant> wake = Optional.empty();

    /**
     * @param ledger what the operator remembers; empty if it has no ledger
     * @param works false if there is no operator: the engine then gets no event, and does nothing
     */
    SimulatedOperator(
            EngineSettings settings,
            Optional<LedgerReading> ledger,
            SimulatedCluster cluster,
            Agenda agenda,
            Consumer<Happening> happenings,
            boolean works) {
        this.works = works;
        this.engine = new Engine(ledger.isPresent() ? settings.withLedger() : settings);
        this.ledger = ledger;
        this.cluster = cluster;
        this.agenda = agenda;
        this.happenings = happenings;
        receive(new Event.WallClockRead(WallClock.trusted(Duration.ZERO)));
    }

    void receive(Event event) {
        if (!works) {
            return;
        }
        if (event instanceof Event.PolicyChanged changed) {
            known.add(changed.policy().id());
        }
        pending.add(event);
    }

    /** Makes the engine the leader, and lets the engine judge the objects that have been sent. */
    void begin(Mode strongest) {
        receive(new Event.ModeCapped(strongest, "the simulation allows it"));
        receive(new Event.LeadershipGained());
        for (View view : View.values()) {
            receive(new Event.ViewSynced(view));
        }
    }

    boolean hasBacklog(PolicyId policy) {
        return backlogs.containsKey(policy);
    }

    /** Acknowledges the backlog of a policy. Returns why that is impossible; empty if it was. */
    Optional<String> acknowledge(PolicyId policy) {
        if (!known.contains(policy)) {
            return Optional.of("there is no policy " + policy
                    + " to acknowledge: name one as NAMESPACE/NAME, or as NAME if it is a ClusterPlacementPolicy");
        }
        if (!hasBacklog(policy)) {
            return Optional.of("policy " + policy + " has no backlog to acknowledge, as no edit of it moves enough pods"
                    + " to begin one: leave the acknowledgement out");
        }
        receive(new Event.PolicyAcknowledged(policy, Set.of(backlogs.getOrDefault(policy, ""))));
        return Optional.empty();
    }

    private void note(BacklogReport report) {
        switch (report.change()) {
            case OPENED, TAKEN_OVER -> backlogs.put(report.policy(), report.id());
            case HEALED, ACKNOWLEDGED -> backlogs.remove(report.policy());
        }
    }

    /** {@return whether a policy has selected a pod at any time} */
    boolean hasSelectedPods(PolicyId policy) {
        return selecting.contains(policy);
    }

    /** {@return when the engine wants to be woken; empty if it only waits for events} */
    Optional<Instant> wake() {
        return wake;
    }

    /**
     * {@return when the engine may decide otherwise although nothing changes but the time; empty if that never happens}
     */
    Optional<Instant> nextDecision() {
        return engine.nextDecision(agenda.instant());
    }

    /**
     * {@return whether the engine needs an event every few minutes, so that it evicts a pod that no other node takes}
     */
    boolean awaitsEvictionWithoutNode() {
        return engine.awaitsEvictionWithoutNode(agenda.instant());
    }

    /** Gives the engine one event, or wakes it if that is due. Returns false if there is nothing to do. */
    boolean step() {
        boolean due = wake.filter(at -> !at.isAfter(agenda.instant())).isPresent();
        if (pending.isEmpty() && !due) {
            return false;
        }
        steps++;
        Event event = pending.isEmpty() ? new Event.TimePassed() : pending.removeFirst();
        wake = Optional.empty();
        engine.step(event, agenda.instant()).forEach(this::carryOut);
        return true;
    }

    long steps() {
        return steps;
    }

    private void carryOut(Effect effect) {
        switch (effect) {
            case Effect.Notify(Notification notification) ->
                happenings.accept(new Happening.Notified(agenda.instant(), notification));
            case Effect.Braked(BrakeReport report) -> {
                happenings.accept(new Happening.Braked(agenda.instant(), report));
                if (report instanceof BacklogReport backlog) {
                    note(backlog);
                }
            }
            case Effect.WakeAt(Instant at) -> wake = Optional.of(at);
            case Effect.Publish(PolicyReport report) -> {
                if (report.pods().selected() > 0) {
                    selecting.add(report.policy());
                }
            }
            case Effect.FoundTooComplex _, Effect.FoundInvalidRules _, Effect.Compared _ -> {
                // The check of a cluster lists such pods, and nothing is compared.
            }
            case Effect.Confirm confirm -> receive(read(confirm));
            case Effect.ReadClaim(NamespacedName claim) -> receive(new Event.ClaimRead(claim, cluster.volume(claim)));
            case Effect.ReadLedger(long number) ->
                receive(new Event.LedgerRead(number, ledger.orElseThrow(), Duration.ZERO));
            case Effect.WriteLedger write -> receive(new Event.LedgerWritten(write.revision()));
            case Effect.WriteClocks _ -> {
                // No other process reads them. Without an answer the engine writes none again.
            }
            case Effect.DryRun(EvictionRequest request) ->
                receive(new Event.DryRunAnswered(request.planId(), cluster.answer(request.pod(), request.uid())));
            case Effect.Evict(EvictionRequest request) ->
                receive(new Event.Answered(request.planId(), cluster.evict(request.pod(), request.uid())));
        }
    }

    private Event read(Effect.Confirm confirm) {
        List<Pod> partners = confirm.partners().stream()
                .flatMap(partner -> cluster.find(partner).stream())
                .toList();
        return new Event.Confirmed(
                confirm.planId(), cluster.find(confirm.pod()), cluster.view().node(confirm.node()), partners);
    }
}
