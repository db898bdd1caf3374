package dev.holdfast.operator.lead;

import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.annotated;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;

import dev.holdfast.operator.api.SteadyClock;
import dev.holdfast.operator.loop.WallClockStep;
import dev.holdfast.policies.engine.Engine;
import dev.holdfast.policies.engine.EngineScenario;
import dev.holdfast.policies.engine.TestPolicies;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.plan.controls.Pause;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.plan.move.EvictionRequest;
import dev.holdfast.policies.rule.Mode;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * A machine whose clock may be wrong and which may sleep, with a real engine on it. The API server answers a request
 * for the lease every five seconds, with its own time as {@code Date}.
 */
final class SleepyMachine {
    private static final Duration TICK = Duration.ofSeconds(5);

    private final HandClock hand = new HandClock();
    private final SteadyClock steady;
    private final ClockComparison comparison;
    private final WallClockStep step;
    private final ReferenceCluster truth = new ReferenceCluster();
    private final Deque<Event> pending = new ArrayDeque<>();
    private final List<Instant> evictions = new ArrayList<>();
    private final List<String> holds = new ArrayList<>();
    private Instant server;
    private boolean dates = true;
    private Duration ran = Duration.ZERO;

    /**
     * A machine that starts at this time of the API server.
     *
     * @param ahead how far the clock of the machine is ahead
     */
    SleepyMachine(Instant server, Duration ahead) {
        this.server = server;
        hand.wallMoves(Duration.between(HandClock.START, server.plus(ahead)));
        steady = hand.clock();
        comparison = new ClockComparison(steady);
        step = new WallClockStep(new Engine(EngineScenario.settings())::step, comparison::wallClock);
    }

    /** Starts the engine: it leads, and a pod that satisfies its node selector runs on {@code n1}. */
    void begin(DisruptionControls controls, Optional<Pause> pause, List<String> annotations) {
        cluster()
                .node("n1", labels("disk", "ssd"))
                .node("n2", labels("disk", "ssd"))
                .replicaSet("web", 1)
                .pod(
                        "web-1",
                        on("n1"),
                        replicaOf("web"),
                        nodeSelector("disk", "ssd"),
                        annotated(annotations.toArray(String[]::new)))
                .facts()
                .forEach(this::happens);
        event(new Event.PolicyChanged(TestPolicies.enforcing(), controls));
        pause.ifPresent(it -> event(new Event.PauseChanged(it)));
        event(new Event.ModeCapped(Mode.ENFORCE, "the right to evict is there"));
        event(new Event.LeadershipGained());
        for (View view : View.values()) {
            event(new Event.ViewSynced(view));
        }
    }

    /** Breaks the rule of the pod: it is due a minute later. */
    void breakRule() {
        happens(nodeChanged("n1", labels("disk", "hdd")));
    }

    /** Runs for this time by the monotonic clock. */
    void runFor(Duration time) {
        if (time.isPositive()) {
            runUntil(server.plus(time));
        }
    }

    /** {@return how long the machine has run, by its monotonic clock, except for sleep in which that clock went on} */
    Duration ranFor() {
        return ran;
    }

    /** Runs until this time of the API server. */
    void runUntil(Instant end) {
        while (server.isBefore(end)) {
            passes(TICK);
            ran = ran.plus(TICK);
            ClockReading sent = comparison.reading();
            comparison.compare(
                    sent,
                    comparison.reading(),
                    Optional.of(DateTimeFormatter.RFC_1123_DATE_TIME.format(server.atZone(ZoneOffset.UTC)))
                            .filter(_ -> dates));
            event(new Event.TimePassed());
        }
    }

    private void passes(Duration time) {
        server = server.plus(time);
        hand.passes(time);
    }

    /** Sets the clock of the machine forward, or back if negative. */
    void wallMoves(Duration by) {
        hand.wallMoves(by);
    }

    /** Sets the clock of the machine to the API server's time. */
    void correct() {
        hand.wallMoves(Duration.between(steady.wall(), server));
    }

    /** Lets the machine sleep. Its monotonic clock stands. */
    void sleeps(Duration time) {
        server = server.plus(time);
        hand.wallMoves(time);
    }

    /** Lets the machine sleep. Its monotonic clock goes on. */
    void sleepsWhileTheMonotonicClockGoesOn(Duration time) {
        passes(time);
    }

    /** From now on, responses have no {@code Date}. */
    void sendNoDates() {
        dates = false;
    }

    /** From now on, responses have a {@code Date} again. */
    void sendDates() {
        dates = true;
    }

    /** {@return the API server's times of all eviction requests} */
    List<Instant> evictions() {
        return evictions;
    }

    /** {@return the messages of all holds, in order} */
    List<String> holds() {
        return holds;
    }

    private void happens(ClusterEvent fact) {
        truth.apply(fact);
        event(new Event.ObjectChanged(fact));
    }

    private void event(Event event) {
        pending.add(event);
        while (!pending.isEmpty()) {
            step.apply(pending.removeFirst(), steady.instant()).forEach(this::carryOut);
        }
    }

    private void carryOut(Effect effect) {
        switch (effect) {
            case Effect.Confirm confirm ->
                pending.add(new Event.Confirmed(
                        confirm.planId(),
                        truth.pods().stream()
                                .filter(pod -> pod.name().equals(confirm.pod()))
                                .findFirst(),
                        truth.node(confirm.node()),
                        List.of()));
            case Effect.ReadLedger _, Effect.WriteLedger _, Effect.WriteClocks _ ->
                throw new AssertionError("this engine keeps no ledger");
            case Effect.DryRun(EvictionRequest request) ->
                pending.add(new Event.DryRunAnswered(request.planId(), new EvictionAnswer.Evicted()));
            case Effect.Evict(EvictionRequest request) -> {
                evictions.add(server);
                pending.add(new Event.Answered(request.planId(), new EvictionAnswer.Evicted()));
                ClusterEvent gone = podGone(request.uid());
                truth.apply(gone);
                pending.add(new Event.ObjectChanged(gone));
            }
            case Effect.Notify(Notification notification) -> {
                if (notification instanceof Notification.Held(var _, var hold)) {
                    holds.add(hold.message());
                }
            }
            case Effect.ReadClaim _,
                    Effect.WakeAt _,
                    Effect.Publish _,
                    Effect.Braked _,
                    Effect.Compared _,
                    Effect.FoundTooComplex _,
                    Effect.FoundInvalidRules _ -> {
                // The machine runs the engine each five seconds.
            }
        }
    }
}
