package dev.holdfast.operator;

import dev.holdfast.crds.v1alpha1.PlacementPolicy;
import dev.holdfast.operator.translate.PolicyTranslator;
import dev.holdfast.operator.translate.Translation;
import dev.holdfast.policies.engine.Engine;
import dev.holdfast.policies.engine.protocol.BreakerSettings;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.EngineSettings;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.ReplacementTimes;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.NodeLifecycle;
import dev.holdfast.policies.model.Phase;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodLifecycle;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.Resources;
import dev.holdfast.policies.model.RestartPolicy;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.VictimProtection;
import dev.holdfast.policies.plan.controls.OperatorLimits;
import dev.holdfast.policies.plan.controls.ProtectedPods;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.testing.ChecksWithout;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A real engine with more violations due at once than it plans at once, in a policy that enforces. Its requests get no
 * answer.
 */
final class BusyEngine {
    private static final int PODS = 100;
    private static final Instant LONG_AGO = Instant.parse("2026-11-20T12:00:00Z");
    private static final Instant BEGIN = LONG_AGO.plus(Duration.ofHours(2));
    private static final OperatorLimits NO_LIMITS = new OperatorLimits(1_000, 1_000, 1_000, 1_000, 1_000);

    /** Everything that the engine notified, and the reasons of all holds that it reported in a status. */
    record Told(List<Notification> notifications, Set<Reason> holds) {}

    private final Engine engine = new Engine(new EngineSettings(
            NO_LIMITS,
            ProtectedPods.in(Set.of()),
            Set.of(),
            ReplacementTimes.defaults(),
            BreakerSettings.defaults("holdfast"),
            ChecksWithout.reasons(Set.of(Reason.SLOW_START)),
            false));
    private final Told told = new Told(new ArrayList<>(), EnumSet.noneOf(Reason.class));

    private BusyEngine() {}

    /** {@return what an engine tells within 32 seconds, after these events and a list of the cluster} */
    static Told after(List<Event> events) {
        BusyEngine busy = new BusyEngine();
        busy.lists();
        for (Event event : events) {
            busy.step(event, BEGIN);
        }
        for (View view : View.values()) {
            busy.step(new Event.ViewSynced(view), BEGIN);
        }
        for (int millis = 100; millis <= 32_000; millis += 100) {
            busy.step(new Event.TimePassed(), BEGIN.plusMillis(millis));
        }
        return busy.told;
    }

    private void lists() {
        step(new Event.ObjectChanged(new ClusterEvent.NodeChanged(node("n1", "hdd"))), BEGIN);
        step(new Event.ObjectChanged(new ClusterEvent.NodeChanged(node("n2", "ssd"))), BEGIN);
        for (int i = 0; i < PODS; i++) {
            step(new Event.ObjectChanged(new ClusterEvent.PodChanged(pod("web-" + i))), BEGIN);
        }
        Translation.Valid policy = new PolicyTranslator(Duration.ZERO)
                .translate(Serialization.unmarshal("""
                    apiVersion: holdfast.dev/v1alpha1
                    kind: PlacementPolicy
                    metadata: {namespace: shop, name: web, generation: 3}
                    spec: {mode: Enforce, podSelector: {}, limits: {minReplicas: 0}}
                    """, PlacementPolicy.class))
                .valid()
                .orElseThrow();
        step(new Event.PolicyChanged(policy.policy(), policy.disruptionControls()), BEGIN);
        step(new Event.ModeCapped(Mode.ENFORCE, "the right to evict is there"), BEGIN);
    }

    private void step(Event event, Instant now) {
        for (Effect effect : engine.step(event, now)) {
            if (effect instanceof Effect.Notify(Notification notification)) {
                told.notifications().add(notification);
            } else if (effect instanceof Effect.Publish(var report)) {
                told.holds().addAll(report.holds().keySet());
            }
        }
    }

    private static Node node(String name, String disk) {
        return new Node(
                name,
                name + "-uid",
                1,
                Labels.of("disk", disk),
                List.of(),
                false,
                new NodeLifecycle(true, Optional.empty(), LONG_AGO, Optional.empty()),
                new Resources(0, 0, 0, 1_000, Map.of()));
    }

    /** A pod on n1 whose node selector only n2 matches. */
    private static Pod pod(String name) {
        return new Pod(
                name + "-uid",
                new NamespacedName("shop", name),
                1,
                Labels.none(),
                Optional.of("n1"),
                new Scheduling(Labels.of("disk", "ssd"), Optional.empty(), List.of(), List.of(), List.of(), List.of()),
                PodRequirements.none(),
                new PodLifecycle(Phase.RUNNING, true, LONG_AGO, LONG_AGO, Optional.empty(), false),
                new VictimProtection(
                        Optional.of(new Controller("ReplicaSet", name, name + "-rs")),
                        0,
                        RestartPolicy.ALWAYS,
                        false,
                        false,
                        false));
    }
}
