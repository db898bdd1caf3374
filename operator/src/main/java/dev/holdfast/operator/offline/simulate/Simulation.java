package dev.holdfast.operator.offline.simulate;

import dev.holdfast.operator.offline.simulate.cluster.Admission;
import dev.holdfast.operator.offline.simulate.cluster.Agenda;
import dev.holdfast.operator.offline.simulate.cluster.AppliedObjects;
import dev.holdfast.operator.offline.simulate.cluster.NodeFailures;
import dev.holdfast.operator.offline.simulate.cluster.SimulatedCluster;
import dev.holdfast.operator.offline.simulate.cluster.SimulatedVolumes;
import dev.holdfast.operator.offline.simulate.object.Assumptions;
import dev.holdfast.operator.offline.simulate.object.BudgetShortage;
import dev.holdfast.operator.offline.simulate.object.NewPods;
import dev.holdfast.operator.offline.waiting.AlikePods;
import dev.holdfast.operator.offline.waiting.Waiting;
import dev.holdfast.policies.engine.protocol.EngineSettings;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.inject.InjectingPolicies;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.controls.Pause;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A cluster and the operator on a simulated clock. The operator has known the objects for an hour when it begins to
 * judge them, so the forgiveness of each violation counts from the beginning.
 *
 * <p>The engine is the operator's own. {@link Assumptions} stand for what the rest of the cluster does.
 */
public final class Simulation {
    /** The time that the operator knows the objects before the beginning, so that they count as settled. */
    private static final Duration KNOWN_BEFORE = Duration.ofHours(1);

    private static final Duration NEXT_PLAN = Duration.ofSeconds(1);

    /** After this time without a change, nodes and workloads count as settled. */
    private static final Duration CALM = Duration.ofMinutes(10);

    /** The longest leap, so that windows, pauses and settings are checked often enough. */
    private static final Duration LEAP = Duration.ofMinutes(4);

    /** How long before a decision a leap ends, so that decisions due together are made in the operator's turns. */
    private static final Duration BEFORE_DECISION = Duration.ofSeconds(30);

    /** The maximum number of steps at one instant: more than a cluster of any size needs. */
    private static final long MOST_STEPS = 50_000_000;

    private final Instant start;
    private final Agenda agenda;
    private final Admission admission;
    private final SimulatedVolumes volumes;
    private final SimulatedCluster cluster;
    private final SimulatedOperator operator;
    private final Changes changes;
    private final NodeFailures failures;
    private final NodeChanges nodes;
    private final AppliedObjects applied;
    private final RollOuts rollOuts;

    /** How often objects of the cluster have changed. */
    private long changed;

    private final List<Happening> happenings = new ArrayList<>();
    private final List<String> idle = new ArrayList<>();
    private Consumer<ClusterEvent> listener = _ -> {};

    /**
     * @param strongest no policy acts in a stronger mode; with Disabled there is no operator
     * @param start the time at the beginning
     */
    public Simulation(
            EngineSettings settings, SimulationInput input, Mode strongest, Assumptions assumptions, Instant start) {
        this.start = start;
        this.agenda = new Agenda(start.minus(KNOWN_BEFORE));
        this.admission = new Admission(settings.untouchedNamespaces());
        this.volumes = new SimulatedVolumes(input.volumes());
        this.cluster = new SimulatedCluster(
                agenda, assumptions, volumes, this::template, admission, this::replicasOfRollOut, this::watch);
        this.operator = new SimulatedOperator(
                settings, input.ledger(), cluster, agenda, happenings::add, strongest != Mode.DISABLED);
        this.rollOuts = new RollOuts(cluster, agenda);
        this.changes = new Changes(cluster, volumes, rollOuts, agenda, this::changed);
        this.failures = new NodeFailures(cluster, agenda, changes::displaced);
        this.applied = new AppliedObjects(cluster, failures);
        this.nodes = new NodeChanges(cluster.view(), changes, failures);
        input.objects().forEach(cluster::change);
        input.policies().forEach(this::put);
        input.pauses().forEach(pause -> operator.receive(new Event.PauseChanged(pause)));
        if (!input.created().isEmpty()) {
            cluster.begin();
            input.created().forEach(this::create);
        }
        advanceTo(start);
        cluster.countBudgets();
        cluster.begin();
        failures.begin(input.taints());
        operator.begin(strongest);
        settle();
    }

    private void watch(ClusterEvent event) {
        changed++;
        operator.receive(new Event.ObjectChanged(event));
        if (event instanceof ClusterEvent.OfPod) {
            rollOuts.podChanged();
        }
        failures.changed(event);
        listener.accept(event);
        volumes.changed(event, cluster.view());
    }

    /** Lets listeners get each change of an object, and each time right before the clock goes on. */
    public void listen(Consumer<ClusterEvent> changes, Consumer<Instant> moments) {
        listener = changes;
        agenda.beforeAdvance(moments);
    }

    private Pod template(Pod pod) {
        return rollOuts.template(pod);
    }

    private void put(Event.PolicyChanged changed) {
        admission.put(changed.policy());
        operator.receive(changed);
    }

    private void create(ClusterEvent event) {
        if (event instanceof ClusterEvent.PodChanged(Pod pod)) {
            cluster.add(pod);
        } else {
            cluster.change(event);
        }
    }

    /** {@return how many pods a Deployment wants whose roll-out is not over, by its UID; empty for others} */
    public OptionalInt replicasOfRollOut(String deployment) {
        return rollOuts.replicas(deployment);
    }

    /** {@return when the last roll-out of a workload began, by its UID; the present without one} */
    public Instant rollOutBegan(String workload) {
        return rollOuts.began(workload);
    }

    /** Makes a change now. Returns why the change cannot be made; empty if it was. */
    public Optional<String> make(Change change) {
        long before = changed();
        idle.addAll(IdleChanges.known(change, nodes, admission));
        Optional<String> problem = makeNow(change);
        failures.nodesChanged();
        idle.addAll(problem.isEmpty() && changed() == before ? IdleChanges.found(change) : List.of());
        settle();
        return problem;
    }

    /** {@return what the changes so far left as it was, as sentences} */
    public List<String> idle() {
        return List.copyOf(idle);
    }

    private Optional<String> makeNow(Change change) {
        return switch (change) {
            case Change.ChangeNodes several -> nodes.make(several);
            case Change.LabelNodes label -> changes.label(label);
            case Change.Cordon(String node) -> changes.cordon(node);
            case Change.Uncordon(String node) -> done(() -> changes.uncordon(node));
            case Change.Drain(String node) -> changes.drain(node);
            case Change.RemoveNode(String node) -> nodes.remove(node);
            case Change.AddObjects(List<ClusterEvent> objects) -> done(() -> objects.forEach(applied::add));
            case Change.DeletePod(NamespacedName pod) -> changes.delete(pod);
            case Change.DeletePods several -> changes.delete(several);
            case Change.CrashPod(NamespacedName pod) -> changes.crash(pod);
            case Change.RepairPod(NamespacedName pod) -> changes.repair(pod);
            case Change.FinishPod(NamespacedName pod) -> changes.finish(pod);
            case Change.FailNode(String node) -> failures.fail(node);
            case Change.RecoverNode(String node) -> failures.recover(node);
            case Change.SetNewPods(NewPods fate) -> done(() -> cluster.set(fate));
            case Change.Scale scale -> changes.scale(scale);
            case Change.RollOutDeployment rollOut -> done(() -> rollOuts.begin(rollOut));
            case Change.RollOutStatefulSet rollOut -> done(() -> rollOuts.begin(rollOut));
            case Change.PauseRollOut pause -> done(() -> rollOuts.pause(pause));
            case Change.PutPolicy(Event.PolicyChanged policy) -> done(() -> put(policy));
            case Change.Acknowledge(PolicyId policy) -> acknowledge(policy);
            case Change.PutPause(Pause pause) -> done(() -> operator.receive(new Event.PauseChanged(pause)));
        };
    }

    private static Optional<String> done(Runnable change) {
        change.run();
        return Optional.empty();
    }

    /** Acknowledges a backlog. The engine reports a backlog only with its next plan, so time may pass first. */
    private Optional<String> acknowledge(PolicyId policy) {
        if (!operator.hasBacklog(policy)) {
            advanceTo(agenda.instant().plus(NEXT_PLAN));
        }
        return operator.acknowledge(policy);
    }

    /**
     * Lets time pass until an end. While nothing happens, and a policy only waits to evict a pod that no other node
     * takes, the engine gets an event every few minutes: a node that did not take the pod does not take it later.
     */
    public void leapTo(Duration sinceStart) {
        Instant end = start.plus(sinceStart);
        settle();
        while (agenda.instant().isBefore(end)) {
            long before = changed + happenings.size();
            advanceTo(Collections.min(List.of(end, agenda.instant().plus(CALM))));
            if (changed + happenings.size() == before) {
                leap(end);
            }
        }
    }

    /** Leaves out what would only be tried again, until something happens or may be decided otherwise. */
    private void leap(Instant end) {
        long before = changed + happenings.size();
        while (agenda.isQuietUntil(agenda.instant().plus(CALM))
                && operator.awaitsEvictionWithoutNode()
                && changed + happenings.size() == before
                && agenda.instant().isBefore(end)) {
            Instant next =
                    operator.nextDecision().map(at -> at.minus(BEFORE_DECISION)).orElse(end);
            Instant landing =
                    Collections.min(List.of(end, next, agenda.instant().plus(LEAP)));
            if (!landing.isAfter(agenda.instant())) {
                return;
            }
            agenda.advanceTo(landing);
            operator.receive(new Event.NothingChanged());
            settle();
        }
    }

    /** Lets time pass until nothing more is planned, in a simulation without the operator. */
    public void advanceToEnd() {
        failures.taint();
        settle();
        while (!agenda.isQuiet()) {
            agenda.next().ifPresent(agenda::advanceTo);
            settle();
        }
    }

    /** Lets time pass until a time after the beginning. */
    public void advanceTo(Duration sinceStart) {
        advanceTo(start.plus(sinceStart));
    }

    /**
     * {@return the time since the beginning at which the operator may decide otherwise although nothing changes but the
     * time: a forgiveness, window, pause or back-off ends; empty if that never happens}
     */
    public Optional<Duration> nextDecision() {
        return operator.nextDecision().map(at -> Duration.between(start, at));
    }

    /** {@return after which time since the beginning the next pod leaves a failed node; empty if none does} */
    public Optional<Duration> nextDeletion() {
        return failures.nextDeletion().map(at -> Duration.between(start, at));
    }

    /**
     * Lets time pass until the next decision, or until an earlier time. Steps that would only fail again meanwhile are
     * left out.
     */
    public void leapToNextDecision(Duration sinceStart) {
        if (agenda.isQuietUntil(start.plus(sinceStart)) && !operator.awaitsEvictionWithoutNode()) {
            agenda.advanceTo(start.plus(sinceStart));
        }
        leapTo(sinceStart);
    }

    private void advanceTo(Instant end) {
        failures.taint();
        settle();
        Optional<Instant> next = next();
        while (next.filter(at -> !at.isAfter(end)).isPresent()) {
            agenda.advanceTo(next.get());
            settle();
            next = next();
        }
        agenda.advanceTo(end);
    }

    private Optional<Instant> next() {
        return Stream.of(operator.wake(), agenda.next())
                .flatMap(Optional::stream)
                .min(Comparator.naturalOrder());
    }

    /** Does all that is due now. */
    private void settle() {
        long steps = 0;
        while (operator.step() || agenda.step()) {
            if (++steps > MOST_STEPS) {
                throw new IllegalStateException("the simulation does not get on at " + agenda.instant());
            }
        }
    }

    /** {@return how often the engine got an event or was woken so far} */
    long operatorSteps() {
        return operator.steps();
    }

    /** {@return whether a policy has selected a pod at any time} */
    public boolean hasSelectedPods(PolicyId policy) {
        return operator.hasSelectedPods(policy);
    }

    /** {@return how often objects of the cluster have changed so far} */
    public long changed() {
        return changed + rollOuts.scaled();
    }

    /** {@return all that the operator would have reported so far, in order} */
    public List<Happening> happenings() {
        return List.copyOf(happenings);
    }

    /** {@return the time at the beginning} */
    public Instant start() {
        return start;
    }

    /** {@return the time since the beginning; zero before it; may be called by another thread} */
    public Duration elapsed() {
        return Collections.max(List.of(Duration.ZERO, Duration.between(start, agenda.instant())));
    }

    /** {@return the pods that the changes removed, in order, with those that took their places} */
    public List<Displaced> displaced() {
        return changes.displaced();
    }

    /**
     * {@return the pods that the changes created, as they are now, or were at first if they are gone; in order, without
     * those that took other pods' places}
     */
    public List<Pod> created() {
        return changes.created();
    }

    /** {@return the pods that controllers have yet to create, each with the reason, in order} */
    public Map<Pod, String> missing() {
        return cluster.missing();
    }

    /** {@return why pods are still on nodes that are drained, by pod} */
    public Map<Pod, String> undrained() {
        return changes.undrained();
    }

    /** {@return the failed nodes, with the pods that are lost there} */
    public NodeFailures failures() {
        return failures;
    }

    /** {@return the budgets that select a pod and have fewer Ready pods than they require, by name} */
    public List<BudgetShortage> shortages(Pod pod) {
        return cluster.shortages(pod);
    }

    /** {@return why a pod has no node now} */
    public Waiting whyWaiting(Pod pod) {
        return cluster.whyWaiting(pod);
    }

    /** {@return the pods that wait for a node now, by name, and why each does} */
    public Map<Pod, Waiting> waiting() {
        ClusterView view = cluster.view();
        return AlikePods.why(view.pods(), view, cluster::whyWaiting);
    }

    /** {@return the policies that inject rules into new pods now} */
    public InjectingPolicies injecting() {
        return admission.injecting();
    }

    /** {@return the cluster as it is now} */
    public ClusterView cluster() {
        return cluster.view();
    }
}
