package dev.holdfast.it.bench.engine;

import dev.holdfast.it.bench.measure.Summary;
import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Unit;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.DisruptionAnnotations;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.VictimProtection;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The CPU time of the engine's steps that a tenant can cause as often as it likes, while every selected pod violates a
 * rule and waits for an acknowledgement. Each edit allows more evictions than before, and concerns one workload of the
 * usual size.
 */
final class TenantEdits {
    private static final double MOST_MICROS = 50;
    private static final double NANOS = 1e3;
    private static final int EDITS = 2_000;

    /**
     * The distance of the numbers of two pods that are edited one after the other, so that they are of other workloads.
     */
    private static final int STEP = 31;

    /** How many of the first edits are not measured, because the JVM has not compiled the code yet. */
    private static final int WARMUP = 10_000;

    private final World world;
    private final ClockedEngine engine;

    TenantEdits(World world) {
        this.world = world;
        this.engine = ClockedEngine.enforcing(world, Pressure.onAll(1));
        engine.pass(Pressure.FORGIVENESS);
        // All violations are a backlog, to which each protection that is removed adds its pod again.
        Pressure.beginBacklogOfAll(engine);
    }

    Figure[] measure() {
        List<WorldWorkloads.Workload> workloads = world.usualWorkloads();
        List<Double> ofPods = new ArrayList<>();
        List<Double> ofWorkloads = new ArrayList<>();
        List<Double> ofPolicies = new ArrayList<>();
        for (int edit = 0; edit < WARMUP + EDITS; edit++) {
            Pod pod = world.pod(Math.floorMod(edit * STEP, world.plan().pods()));
            WorldWorkloads.Workload workload = workloads.get(edit % workloads.size());
            engine.step(changed(pod, true));
            ofPods.add(micros(changed(pod, false)));
            engine.step(changed(workload, true));
            ofWorkloads.add(micros(changed(workload, false)));
            engine.step(new Event.PolicyChanged(own(workload, 1), Pressure.controls(true)));
            ofPolicies.add(micros(new Event.PolicyChanged(own(workload, 2), Pressure.controls(false))));
            engine.step(new Event.PolicyRemoved(own(workload, 2).id()));
        }
        return new Figure[] {
            figure("annotation keeps a pod no longer", ofPods),
            figure("annotation keeps a workload no longer", ofWorkloads),
            figure("edit widens a policy of a namespace", ofPolicies)
        };
    }

    private double micros(Event event) {
        var _ = engine.takeSteps();
        engine.step(event);
        return engine.takeSteps().getFirst().nanos() / NANOS;
    }

    private static Event changed(Pod pod, boolean keep) {
        VictimProtection own = pod.victimProtection();
        Pod marked = EventScripts.with(pod, pod.resourceVersion() + 1, pod.life());
        return new Event.ObjectChanged(new ClusterEvent.PodChanged(marked.with(new VictimProtection(
                own.controller(),
                own.priority(),
                own.restartPolicy(),
                own.mirror(),
                own.gangMember(),
                own.localStorage(),
                own.scheduler(),
                own.resourceClaims(),
                own.evictionResponder(),
                own.securityLevel(),
                marks(keep)))));
    }

    private static Event changed(WorldWorkloads.Workload workload, boolean keep) {
        Controller controller = workload.controller();
        return new Event.ObjectChanged(new ClusterEvent.OwnerChanged(new Owner(
                controller.uid(),
                controller.kind(),
                new NamespacedName(workload.namespace(), controller.name()),
                Optional.empty(),
                OptionalInt.of(workload.replicas()),
                marks(keep))));
    }

    private static DisruptionAnnotations marks(boolean keep) {
        return new DisruptionAnnotations(
                Optional.empty(), keep, Optional.empty(), Optional.empty(), Set.of(), 0, List.of());
    }

    private static Policy own(WorldWorkloads.Workload workload, int generation) {
        return Pressure.policy(
                PolicyId.namespaced(workload.namespace(), "own"),
                generation,
                WorldPolicies.having("app", workload.app()));
    }

    private Figure figure(String what, List<Double> micros) {
        Summary summary = Summary.of(micros.subList(WARMUP, micros.size()));
        String name = String.format(
                Locale.ROOT, "%s among %,d violations, p99", what, world.plan().pods());
        return Figure.of("P19", name, summary.p99(), Unit.MICROSECONDS)
                .atMost(MOST_MICROS)
                .noting("median " + Unit.MICROSECONDS.print(summary.p50()) + ", max "
                        + Unit.MICROSECONDS.print(summary.max()) + " of " + summary.count());
    }
}
