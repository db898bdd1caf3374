package dev.holdfast.it.incident;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.crds.v1alpha1.ClusterPlacementPolicy;
import dev.holdfast.crds.v1alpha1.PlacementPolicy;
import dev.holdfast.crds.v1alpha1.status.PolicyStatus;
import dev.holdfast.operator.reconcile.PlayedPolicies;
import dev.holdfast.policies.engine.Engine;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.EngineSettings;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.plan.controls.WallClock;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.plan.move.EvictionRequest;
import dev.holdfast.policies.rule.Mode;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The operator on a simulated cluster: its real engine, policy translation and policy statuses. */
final class SimulatedOperator {
    private final VirtualTime time;
    private final Engine engine;
    private final Deque<Event> pending = new ArrayDeque<>();
    private final PlayedPolicies policies;
    private final Map<String, PolicyReport> reports = new HashMap<>();
    private final List<EvictionRequest> evicted = new ArrayList<>();
    private final Map<Reason, Instant> holds = new EnumMap<>(Reason.class);
    private Optional<Instant> wake = Optional.empty();
    private long generations;

    SimulatedOperator(VirtualTime time, EngineSettings settings) {
        this.time = time;
        this.engine = new Engine(settings);
        this.policies = new PlayedPolicies(pending::add, time);
    }

    /** Queues a change of an object for the engine. */
    void receive(ClusterEvent fact) {
        pending.add(new Event.ObjectChanged(fact));
    }

    /** Queues the events of a complete start: all views are synced, this replica leads, and it may evict. */
    void begin() {
        pending.add(new Event.WallClockRead(WallClock.trusted(Duration.ZERO)));
        pending.add(new Event.ModeCapped(Mode.ENFORCE, "the right to evict is there"));
        pending.add(new Event.LeadershipGained());
        for (View view : View.values()) {
            pending.add(new Event.ViewSynced(view));
        }
    }

    /** Queues new or edited policies for the engine. */
    void apply(List<ObjectNode> written) {
        for (ObjectNode policy : written) {
            policy.withObjectProperty("metadata")
                    .put("uid", PodObjects.name(policy))
                    .put("generation", ++generations);
            switch (policy.path("kind").asText()) {
                case "PlacementPolicy" ->
                    policies.take(Serialization.unmarshal(policy.toString(), PlacementPolicy.class));
                case "ClusterPlacementPolicy" ->
                    policies.take(Serialization.unmarshal(policy.toString(), ClusterPlacementPolicy.class));
                default -> throw new IllegalArgumentException("no policy: " + policy);
            }
        }
    }

    /** {@return when the engine wants to be woken next; empty if it only waits for events} */
    Optional<Instant> wake() {
        return wake;
    }

    /**
     * Gives the engine one queued event, or wakes it if that is due, and carries out the effects. Returns false if
     * there was nothing to do.
     */
    boolean step(SimulatedCluster cluster, EvictionApi api) {
        boolean due = wake.filter(at -> !at.isAfter(time.instant())).isPresent();
        if (pending.isEmpty() && !due) {
            return false;
        }
        Event event = pending.isEmpty() ? new Event.TimePassed() : pending.removeFirst();
        wake = Optional.empty();
        engine.step(event, time.instant()).forEach(effect -> carryOut(effect, cluster, api));
        return true;
    }

    private void carryOut(Effect effect, SimulatedCluster cluster, EvictionApi api) {
        switch (effect) {
            case Effect.Notify(Notification notification) -> note(notification);
            case Effect.Braked _ -> {
                // The holds report it.
            }
            case Effect.Publish(PolicyReport report) ->
                reports.put(report.policy().toString(), report);
            case Effect.WakeAt(Instant at) -> wake = Optional.of(at);
            case Effect.FoundTooComplex found -> throw new AssertionError(found);
            case Effect.FoundInvalidRules found -> throw new AssertionError(found);
            case Effect.Compared(int _, Optional<String> difference) ->
                difference.ifPresent(it -> {
                    throw new AssertionError(it);
                });
            case Effect.Confirm confirm -> pending.add(read(confirm, cluster));
            case Effect.ReadClaim(NamespacedName claim) ->
                pending.add(new Event.ClaimRead(claim, cluster.volume(claim)));
            case Effect.ReadLedger _, Effect.WriteLedger _, Effect.WriteClocks _ ->
                throw new AssertionError("this engine keeps no ledger");
            case Effect.DryRun(EvictionRequest request) ->
                pending.add(new Event.DryRunAnswered(request.planId(), api.dryRun(request)));
            case Effect.Evict(EvictionRequest request) -> {
                EvictionAnswer answer = api.evict(request);
                if (answer instanceof EvictionAnswer.Evicted) {
                    evicted.add(request);
                }
                pending.add(new Event.Answered(request.planId(), answer));
            }
        }
    }

    private static Event read(Effect.Confirm confirm, SimulatedCluster cluster) {
        return new Event.Confirmed(
                confirm.planId(),
                cluster.facts().podsIn(confirm.pod().namespace()).stream()
                        .filter(pod -> pod.name().equals(confirm.pod()))
                        .findFirst(),
                cluster.facts().node(confirm.node()),
                cluster.facts().pods().stream()
                        .filter(pod -> confirm.partners().contains(pod.name()))
                        .toList());
    }

    private void note(Notification notification) {
        if (notification instanceof Notification.Held(var _, var hold)) {
            holds.putIfAbsent(hold.reason(), time.instant());
        }
    }

    /** {@return the evictions that the API server has granted so far, in order} */
    List<EvictionRequest> evicted() {
        return evicted;
    }

    /** {@return all hold reasons so far, each with the instant when it first occurred} */
    Map<Reason, Instant> holds() {
        return holds;
    }

    /** {@return the current status of a policy; empty before the engine's first report on the policy} */
    Optional<PolicyStatus> status(String policy) {
        return Optional.ofNullable(reports.get(policy)).map(policies::status);
    }
}
