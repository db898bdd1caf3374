package dev.holdfast.operator.offline.policytest;

import dev.holdfast.operator.offline.check.ViolationState;
import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.print.Count;
import dev.holdfast.operator.offline.print.TimeText;
import dev.holdfast.operator.offline.rollout.RollOut;
import dev.holdfast.operator.offline.rollout.RollOutsAtEnd;
import dev.holdfast.operator.offline.simulate.Change;
import dev.holdfast.operator.offline.simulate.History;
import dev.holdfast.operator.offline.simulate.Simulation;
import dev.holdfast.operator.offline.simulate.object.Assumptions;
import dev.holdfast.operator.offline.waiting.Waiting;
import dev.holdfast.operator.offline.whatif.ViolationStates;
import dev.holdfast.policies.engine.report.BoundPod;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.move.Outcome;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Plays a test on the simulated clock, and compares what happens with what is expected. */
final class PolicyTestRun {
    private static final String POD = "pod";
    private static final String NODE = "node";
    private static final String RULE = "rule";
    private static final String POLICY = "policy";
    private static final String STATE = "state";
    private static final Comparator<ViolationReport> BY_POD = Comparator.comparing(
                    (ViolationReport it) -> it.pod().namespace())
            .thenComparing(it -> it.pod().name())
            .thenComparing(it -> it.policy().toString())
            .thenComparing(it -> it.key().rule().hash());

    private final PolicyTestFolder test;
    private final Simulation simulation;
    private final List<String> warnings;

    /** The pods that had no node at the beginning, by UID. */
    private final Map<String, Pod> waitedBefore = new LinkedHashMap<>();

    private int made;

    /** Begins to play a test. */
    PolicyTestRun(PolicyTestFolder test) {
        this.test = test;
        this.simulation = new Simulation(
                test.config().engineSettings(),
                test.input(),
                test.config().maxMode(),
                Assumptions.defaults(),
                test.start());
        Map<Pod, Waiting> waiting = simulation.waiting();
        waiting.keySet().forEach(pod -> waitedBefore.put(pod.uid(), pod));
        this.warnings = new ArrayList<>(warnings(waiting, "beginning"));
    }

    /** {@return warnings about the cluster at the beginning and about the steps so far, as sentences} */
    List<String> warnings() {
        return List.copyOf(warnings);
    }

    /** {@return the simulation, as far as it was played} */
    Simulation simulation() {
        return simulation;
    }

    private static List<String> warnings(Map<Pod, Waiting> waiting, String when) {
        return waiting.entrySet().stream()
                .findFirst()
                .map(first -> Count.of(waiting.size(), "pod") + " without a node at the " + when + ", for example "
                        + name(first.getKey().name()) + ": " + first.getValue().why())
                .stream()
                .toList();
    }

    /**
     * {@return how what happens deviates from each expectation; empty if the test passes}
     *
     * @throws DumpException if the cluster does not have what a step is about
     */
    List<Deviation> deviations() throws DumpException {
        List<Deviation> deviations = new ArrayList<>();
        for (PolicyTestFolder.Expectation expectation : test.expectations()) {
            playUntil(expectation.at());
            for (Map.Entry<Entry.Subject, List<Entry>> list : new TreeMap<>(expectation.lists()).entrySet()) {
                deviations.addAll(
                        Deviation.between(expectation.at(), list.getKey(), list.getValue(), found(list.getKey())));
            }
        }
        // A step that cannot be made is an error, even if nothing is expected after it.
        playUntil(test.end());
        warnOfIdlePolicies();
        warnOfMissingPods();
        warnOfWaitingPods();
        warnOfUncomparedEvictions();
        return deviations;
    }

    /**
     * {@return the entries found at the times of the expectations and at the end, by kind}
     *
     * @throws DumpException if the cluster does not have what a step is about
     */
    SortedMap<Duration, Map<Entry.Subject, List<Entry>>> recorded() throws DumpException {
        SortedSet<Duration> times = new TreeSet<>(Set.of(test.end()));
        test.expectations().forEach(expectation -> times.add(expectation.at()));
        SortedMap<Duration, Map<Entry.Subject, List<Entry>>> recorded = new TreeMap<>();
        for (Duration time : times) {
            playUntil(time);
            Map<Entry.Subject, List<Entry>> found = new EnumMap<>(Entry.Subject.class);
            for (Entry.Subject subject : Entry.Subject.values()) {
                found.put(subject, found(subject));
            }
            recorded.put(time, found);
        }
        warnOfIdlePolicies();
        warnOfMissingPods();
        warnOfWaitingPods();
        return recorded;
    }

    /** Warns of missing pods: without their violations, a test may pass only because a pod is missing. */
    private void warnOfMissingPods() {
        Map<Pod, String> missing = simulation.missing();
        missing.keySet().stream()
                .min(Comparator.comparing(pod -> name(pod.name())))
                .map(pod -> Count.of(missing.size(), "pod") + " missing at the end, for example " + name(pod.name())
                        + ": " + missing.get(pod))
                .ifPresent(warnings::add);
    }

    /**
     * Warns of pods that lost their node or never got one, and of roll-outs that wait for such a pod, unless the test
     * expects so.
     */
    private void warnOfWaitingPods() {
        Map<Pod, Waiting> waiting = new LinkedHashMap<>(simulation.waiting());
        waiting.keySet().removeIf(pod -> waitedBefore.containsKey(pod.uid()));
        warnings.addAll(isCompared(Entry.Subject.PENDING) ? List.of() : warnings(waiting, "end"));
        rollOuts().stream()
                .filter(it -> it.hangs() && !isCompared(Entry.Subject.ROLL_OUTS))
                .map(it -> "the roll-out of " + it.kind() + " " + it.namespace() + "/" + it.name() + " hangs: pod "
                        + it.pod() + ": " + it.why())
                .forEach(warnings::add);
    }

    /** {@return how the roll-outs of the steps so far stand now} */
    private List<RollOut> rollOuts() {
        return RollOutsAtEnd.of(
                simulation,
                test.steps().subList(0, made).stream()
                        .flatMap(step -> step.changes().stream())
                        .toList());
    }

    private boolean isCompared(Entry.Subject subject) {
        return test.expectations().stream()
                .anyMatch(expectation -> expectation.lists().containsKey(subject));
    }

    private void warnOfIdlePolicies() {
        test.policies().stream()
                .filter(policy -> policy.mode() != Mode.DISABLED)
                .map(Policy::id)
                .distinct()
                .filter(policy -> !simulation.hasSelectedPods(policy))
                .map(policy -> "policy " + policy + " selects no pod at any time")
                .sorted()
                .forEach(warnings::add);
    }

    /** Warns of evictions that no expectation compares, because a user easily overlooks them. */
    private void warnOfUncomparedEvictions() {
        int evictions = History.of(simulation.happenings()).evictions().size();
        if (evictions > 0 && !isCompared(Entry.Subject.EVICTIONS)) {
            warnings.add(Count.of(evictions, "pod") + " evicted, and no expectation lists `evictions`");
        }
    }

    /** Plays the steps up to a time, which is included. */
    private void playUntil(Duration end) throws DumpException {
        List<PolicyTestFolder.Step> steps = test.steps();
        while (made < steps.size() && steps.get(made).at().compareTo(end) <= 0) {
            PolicyTestFolder.Step step = steps.get(made);
            simulation.advanceTo(step.at());
            long before = simulation.changed();
            for (Change change : step.changes()) {
                Optional<String> problem = simulation.make(change);
                if (problem.isPresent()) {
                    throw new DumpException(step.place() + ": " + problem.get());
                }
            }
            if (simulation.changed() == before && step.changes().stream().allMatch(PolicyTestRun::isOfObjects)) {
                warnings.add(step.place() + ": changes nothing at this time");
            }
            made++;
        }
        simulation.advanceTo(end);
    }

    /** {@return whether a change is one of objects of the cluster at once, and of nothing else} */
    private static boolean isOfObjects(Change change) {
        return switch (change) {
            case Change.PutPolicy _,
                    Change.Acknowledge _,
                    Change.PutPause _,
                    Change.PauseRollOut _,
                    Change.SetNewPods _,
                    Change.CrashPod _ -> false;
            case Change.LabelNodes _,
                    Change.ChangeNodes _,
                    Change.Cordon _,
                    Change.Uncordon _,
                    Change.Drain _,
                    Change.RemoveNode _,
                    Change.FailNode _,
                    Change.RecoverNode _,
                    Change.AddObjects _,
                    Change.DeletePod _,
                    Change.DeletePods _,
                    Change.RepairPod _,
                    Change.FinishPod _,
                    Change.Scale _,
                    Change.RollOutDeployment _,
                    Change.RollOutStatefulSet _ -> true;
        };
    }

    private List<Entry> found(Entry.Subject subject) {
        History history = History.of(simulation.happenings());
        ViolationStates states = new ViolationStates(
                history, simulation.cluster(), simulation.start().plus(simulation.elapsed()), test.versions());
        return switch (subject) {
            case VIOLATIONS ->
                history.running().stream()
                        .sorted(BY_POD)
                        .map(it -> violation(it, states.of(it)))
                        .toList();
            case EVICTIONS -> history.evictions().stream().map(this::eviction).toList();
            case HOLDS ->
                history.held().stream()
                        .sorted(Comparator.comparing(History.Held::violation, BY_POD))
                        .map(it -> hold(it, states.of(it.violation())))
                        .toList();
            case PENDING -> pending();
            case ROLL_OUTS -> rollOuts().stream().map(PolicyTestRun::rollOut).toList();
        };
    }

    /** {@return the pods without a node now, then those that had none at the beginning} */
    private List<Entry> pending() {
        List<Entry> entries = new ArrayList<>();
        Set<String> waiting = new HashSet<>();
        simulation.waiting().forEach((pod, why) -> {
            waiting.add(pod.uid());
            entries.add(pending(pod, "", why.state().label(), why.why()));
        });
        waitedBefore.forEach((uid, pod) -> {
            if (!waiting.contains(uid)) {
                String node =
                        simulation.cluster().pod(uid).flatMap(Pod::nodeName).orElse("");
                entries.add(pending(pod, node, node.isEmpty() ? Entry.GONE : Entry.BOUND, ""));
            }
        });
        return entries;
    }

    private static Entry pending(Pod pod, String node, String state, String why) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put(POD, name(pod.name()));
        put(NODE, node, fields);
        fields.put(STATE, state);
        put(Entry.WHY, why, fields);
        return new Entry(fields);
    }

    private static void put(String name, String value, Map<String, String> fields) {
        if (!value.isEmpty()) {
            fields.put(name, value);
        }
    }

    private static Entry rollOut(RollOut rollOut) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("kind", rollOut.kind());
        fields.put("name", rollOut.namespace() + "/" + rollOut.name());
        fields.put(STATE, rollOut.state().label());
        put(POD, rollOut.pod().isEmpty() ? "" : rollOut.namespace() + "/" + rollOut.pod(), fields);
        put(Entry.WHY, rollOut.why(), fields);
        return new Entry(fields);
    }

    private static String name(NamespacedName pod) {
        return pod.namespace() + "/" + pod.name();
    }

    private static Entry violation(ViolationReport violation, ViolationState state) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put(POD, name(violation.pod()));
        fields.put(NODE, violation.key().node());
        fields.put(RULE, violation.rule());
        return new Entry(fields, state);
    }

    private Entry eviction(History.Eviction eviction) {
        ViolationReport violation = eviction.violation();
        BoundPod victim = violation.victim();
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("at", TimeText.of(Duration.between(simulation.start(), eviction.at())));
        fields.put(POD, name(victim.name()));
        fields.put(NODE, victim.node());
        eviction.move().flatMap(Notification.Moved::toNode).ifPresent(node -> fields.put("to", node));
        fields.put(POLICY, violation.policy().toString());
        fields.put(RULE, violation.rule());
        eviction.move()
                .map(Notification.Moved::outcome)
                .map(Outcome::label)
                .ifPresent(outcome -> fields.put("outcome", outcome));
        return new Entry(fields);
    }

    private static Entry hold(History.Held held, ViolationState state) {
        ViolationReport violation = held.violation();
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put(POD, name(violation.pod()));
        fields.put(NODE, violation.key().node());
        fields.put(POLICY, violation.policy().toString());
        fields.put(RULE, violation.rule());
        fields.put("reason", held.hold().reason().label());
        return new Entry(fields, state);
    }
}
