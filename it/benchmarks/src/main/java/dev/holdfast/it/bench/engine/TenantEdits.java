package dev.holdfast.it.bench.engine;

import dev.holdfast.it.bench.measure.Summary;
import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Target;
import dev.holdfast.it.bench.report.Unit;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.DisruptionAnnotations;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.VictimProtection;
import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.plan.controls.PodOverrides;
import dev.holdfast.policies.plan.controls.PolicyLimits;
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
 *
 * @param violations the number of violations at the same time
 * @param pods the nanoseconds of each annotation that no longer keeps a pod
 * @param workloads the nanoseconds of each annotation that no longer keeps the pods of a workload
 * @param policies the nanoseconds of each edit that widens a policy of a namespace
 */
record TenantEdits(int violations, List<Long> pods, List<Long> workloads, List<Long> policies) {
    private static final Target EDIT = Target.atMost(50);
    private static final double NANOS = 1e3;
    private static final int EDITS = 2_000;

    /**
     * The distance of the numbers of two pods that are edited one after the other, so that they are of other workloads.
     */
    private static final int STEP = 31;

    /** How many of the first edits are not measured, because the JVM has not compiled the code yet. */
    private static final int WARMUP = 10_000;

    TenantEdits {
        pods = List.copyOf(pods);
        workloads = List.copyOf(workloads);
        policies = List.copyOf(policies);
    }

    static TenantEdits measure(World world) {
        PressedEngine engine = new PressedEngine(world, Pressure.onAll());
        engine.until(engine.now().plus(Pressure.FORGIVENESS));
        // All violations are a backlog, to which each protection that is removed adds its pod again.
        engine.step(
                new Event.PolicyChanged(Pressure.policy(Pressure.ID, 2, LabelSelector.everything()), controls(true)));
        engine.step(
                new Event.PolicyChanged(Pressure.policy(Pressure.ID, 3, LabelSelector.everything()), controls(false)));
        List<Long> pods = new ArrayList<>();
        List<Long> workloads = new ArrayList<>();
        List<Long> policies = new ArrayList<>();
        for (int edit = 0; edit < WARMUP + EDITS; edit++) {
            Pod pod = world.pod(Math.floorMod(edit * STEP, world.plan().pods()));
            WorldWorkload workload = usual(world, edit);
            engine.step(changed(marked(pod, true)));
            pods.add(nanos(engine, changed(marked(pod, false))));
            engine.step(changed(owner(workload, true)));
            workloads.add(nanos(engine, changed(owner(workload, false))));
            engine.step(new Event.PolicyChanged(own(workload, 1), controls(true)));
            policies.add(nanos(engine, new Event.PolicyChanged(own(workload, 2), controls(false))));
            engine.step(new Event.PolicyRemoved(own(workload, 2).id()));
        }
        return new TenantEdits(world.plan().pods(), measured(pods), measured(workloads), measured(policies));
    }

    private static Event changed(Pod pod) {
        return new Event.ObjectChanged(new ClusterEvent.PodChanged(pod));
    }

    private static Event changed(Owner owner) {
        return new Event.ObjectChanged(new ClusterEvent.OwnerChanged(owner));
    }

    private static List<Long> measured(List<Long> all) {
        return all.subList(WARMUP, all.size());
    }

    private static long nanos(PressedEngine engine, Event event) {
        engine.takeNanos();
        engine.step(event);
        return engine.takeNanos().getFirst();
    }

    /** {@return a workload with the usual number of replicas, another one for each edit} */
    private static WorldWorkload usual(World world, int edit) {
        List<WorldWorkload> all = world.worldWorkloads();
        int at = Math.floorMod(edit, all.size());
        while (!all.get(at).app().startsWith("app-")) {
            at = (at + 1) % all.size();
        }
        return all.get(at);
    }

    private static Pod marked(Pod pod, boolean keep) {
        VictimProtection protection = pod.victimProtection();
        return new Pod(
                pod.uid(),
                pod.name(),
                pod.resourceVersion() + 1,
                pod.labels(),
                pod.nodeName(),
                pod.scheduling(),
                pod.podRequirements(),
                pod.life(),
                new VictimProtection(
                        protection.controller(),
                        protection.priority(),
                        protection.restartPolicy(),
                        protection.mirror(),
                        protection.gangMember(),
                        protection.localStorage(),
                        protection.schedulerName(),
                        protection.resourceClaims(),
                        protection.evictionResponder(),
                        protection.securityLevel(),
                        marks(keep)));
    }

    private static Owner owner(WorldWorkload workload, boolean keep) {
        Controller controller = workload.controller();
        return new Owner(
                controller.uid(),
                controller.kind(),
                new NamespacedName(workload.namespace(), controller.name()),
                Optional.empty(),
                OptionalInt.of(workload.replicas()),
                marks(keep));
    }

    private static DisruptionAnnotations marks(boolean keep) {
        return new DisruptionAnnotations(
                Optional.empty(), keep, Optional.empty(), Optional.empty(), Set.of(), 0, List.of());
    }

    private static Policy own(WorldWorkload workload, int generation) {
        return Pressure.policy(
                PolicyId.namespaced(workload.namespace(), "own"),
                generation,
                new LabelSelector(Labels.of("app", workload.app()), List.of()));
    }

    private static DisruptionControls controls(boolean narrow) {
        return new DisruptionControls(
                List.of(),
                List.of(),
                narrow ? Set.of() : Set.of(Reason.LOCAL_STORAGE),
                Optional.empty(),
                PodOverrides.all(),
                PolicyLimits.none());
    }

    List<Figure> figures() {
        String others = String.format(Locale.ROOT, " among %,d violations, p99", violations);
        return List.of(
                figure("annotation keeps a pod no longer" + others, pods),
                figure("annotation keeps a workload no longer" + others, workloads),
                figure("edit widens a policy of a namespace" + others, policies));
    }

    private static Figure figure(String name, List<Long> nanos) {
        List<Double> micros = nanos.stream().map(one -> one / NANOS).toList();
        Summary summary = Summary.of(micros);
        return Figure.of("P19", name, summary.p99(), Unit.MICROSECONDS)
                .against(EDIT)
                .noting(String.format(
                        Locale.ROOT,
                        "median %s, max %s of %,d",
                        Unit.MICROSECONDS.print(summary.p50()),
                        Unit.MICROSECONDS.print(summary.max()),
                        summary.count()));
    }
}
