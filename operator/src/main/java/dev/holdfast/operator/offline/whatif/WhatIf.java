package dev.holdfast.operator.offline.whatif;

import dev.holdfast.operator.offline.check.ViolationState;
import dev.holdfast.operator.offline.loss.ReadyPods;
import dev.holdfast.operator.offline.loss.WorkloadLoss;
import dev.holdfast.operator.offline.print.TimeText;
import dev.holdfast.operator.offline.simulate.Change;
import dev.holdfast.operator.offline.simulate.Happening;
import dev.holdfast.operator.offline.simulate.History;
import dev.holdfast.operator.offline.simulate.Simulation;
import dev.holdfast.operator.offline.simulate.SimulationInput;
import dev.holdfast.operator.offline.simulate.object.Assumptions;
import dev.holdfast.operator.offline.stranded.StrandedByRollOut;
import dev.holdfast.operator.offline.stranded.StrandedWorkload;
import dev.holdfast.operator.offline.waiting.Waiting;
import dev.holdfast.policies.engine.protocol.EngineSettings;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.inject.InjectingPolicies;
import dev.holdfast.policies.model.ClaimedVolume;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.Mode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Simulates a cluster twice, with a change and without it, and compares what happens. */
public final class WhatIf {
    private static final Duration STEP = Duration.ofHours(1);
    private static final Duration LONGEST = Duration.ofDays(7);

    private final EngineSettings settings;
    private final Mode strongest;
    private final Assumptions assumptions;
    private final Instant start;
    private final Duration until;
    private final boolean goesOn;

    /** A change that cannot be made. The message says why. */
    public static final class ImpossibleChangeException extends Exception {
        private static final long serialVersionUID = 1;

        ImpossibleChangeException(String message) {
            super(message);
        }
    }

    /**
     * @param strongest no policy acts in a stronger mode
     * @param start the time of the change, which maintenance windows depend on
     * @param until how long to simulate after that
     * @param goesOn whether the simulation then goes on while pods are evicted or a wait ends; for seven days at most
     */
    public WhatIf(
            EngineSettings settings,
            Mode strongest,
            Assumptions assumptions,
            Instant start,
            Duration until,
            boolean goesOn) {
        this.settings = settings;
        this.strongest = strongest;
        this.assumptions = assumptions;
        this.start = start;
        this.until = until;
        this.goesOn = goesOn;
    }

    /** {@return the same as below, which nothing watches} */
    public WhatIfReport report(SimulationInput input, List<Change> changes, Consumer<Supplier<String>> progress)
            throws ImpossibleChangeException {
        return report(input, changes, progress, SimulationWatcher.NONE);
    }

    /**
     * {@return what would follow from changes that are made at once}
     *
     * @param progress gets what each simulation has done so far, as a part of a sentence; another thread may ask it
     * @param watcher sees the simulation with the changes
     * @throws ImpossibleChangeException if the cluster does not have what a change is about
     */
    public WhatIfReport report(
            SimulationInput input, List<Change> changes, Consumer<Supplier<String>> progress, SimulationWatcher watcher)
            throws ImpossibleChangeException {
        Run with = run(
                input,
                changes,
                goesOn ? Optional.empty() : Optional.of(until),
                time -> progress.accept(() -> simulated(time.get()) + " with the change"),
                watcher);
        Duration length = with.length();
        Run without = run(
                input,
                List.of(),
                Optional.of(length),
                time -> progress.accept(() -> simulated(time.get(), length) + " without the change"),
                SimulationWatcher.NONE);
        History after = with.history();
        ReportEntries entries = new ReportEntries(start, RuleKinds.of(input, changes));
        Set<String> victims = with.victims();
        Set<String> victimsAnyway = without.victims();
        Set<ViolationKey> anyway = without.history().started().keySet();
        List<WhatIfReport.Violation> begins = after.started().values().stream()
                .filter(turn -> !anyway.contains(turn.violation().key()))
                .map(turn -> entries.violation(turn, with.stateOf(turn)))
                .toList();
        List<WhatIfReport.Violation> ends = after.ended().values().stream()
                .filter(turn ->
                        !without.history().ended().containsKey(turn.violation().key()))
                .filter(turn -> !after.started().containsKey(turn.violation().key()))
                .map(turn -> entries.violation(turn, with.stateOf(turn)))
                .toList();
        List<WhatIfReport.Eviction> evictions = after.evictions().stream()
                .map(eviction -> entries.eviction(eviction, victimsAnyway))
                .toList();
        List<WhatIfReport.Eviction> prevented = without.history().evictions().stream()
                .filter(eviction ->
                        !victims.contains(ReportEntries.victim(eviction).uid()))
                .map(eviction -> entries.eviction(eviction, Set.of()))
                .toList();
        Set<ViolationKey> auditedAnyway = without.history().audited().stream()
                .map(one -> one.violation().key())
                .collect(Collectors.toSet());
        List<WhatIfReport.Audited> audited = after.audited().stream()
                .map(one -> entries.audited(
                        one, auditedAnyway.contains(one.violation().key())))
                .toList();
        Set<ViolationKey> heldAnyway = without.history().held().stream()
                .map(one -> one.violation().key())
                .collect(Collectors.toSet());
        List<WhatIfReport.Held> held = after.held().stream()
                .map(one -> entries.held(one, heldAnyway))
                .sorted(Comparator.comparing(WhatIfReport.Held::namespace)
                        .thenComparing(WhatIfReport.Held::pod)
                        .thenComparing(one -> one.rule().identity()))
                .toList();
        Set<List<String>> stuckAnyway =
                without.pods().stuck().stream().map(WhatIfReport.Stuck::place).collect(Collectors.toSet());
        List<WhatIfReport.Stuck> stuck = with.pods().stuck().stream()
                .filter(one -> !stuckAnyway.contains(one.place()))
                .toList();
        List<WhatIfReport.Displaced> displaced = with.pods().displacedBy(without.pods());
        List<StrandedWorkload> stranded = StrandedWorkload.more(with.stranded(), without.stranded());
        return new WhatIfReport(
                WhatIfReport.API_VERSION,
                WhatIfReport.KIND,
                length.toSeconds(),
                endedBy(with.mayGoOn()),
                new WhatIfReport.Summary(
                        begins.size(),
                        ends.size(),
                        evictions.size(),
                        prevented.size(),
                        audited.size(),
                        displaced.size(),
                        with.pods().created().size(),
                        stuck.size(),
                        stranded.size(),
                        with.violatedAtEnd(),
                        held.size()),
                begins,
                ends,
                evictions,
                prevented,
                audited,
                displaced,
                with.pods().created(),
                stuck,
                with.pods().rollOuts(),
                with.pods().pending(without.pods()),
                WorkloadLoss.more(with.pods().losses(), without.pods().losses()),
                stranded,
                held,
                after.brakes().stream()
                        .map(brake -> new WhatIfReport.Brake(
                                entries.seconds(brake.at()), brake.report().message()))
                        .toList(),
                with.idle().policies(),
                List.of(),
                with.idle().changes());
    }

    /**
     * One simulation.
     *
     * @param length how long was simulated
     * @param mayGoOn whether the operator evicts pods at the end, or may later if only time passes
     * @param history what happened from the change on
     * @param states what policies ask for about the violations of the history
     * @param violatedAtEnd how many violations there are at the end
     * @param pods what became of pods by the end
     * @param idle what has no effect
     * @param stranded the workloads that injected rules would leave without a node in a roll-out right after the change
     */
    private record Run(
            Duration length,
            boolean mayGoOn,
            History history,
            Map<ViolationKey, ViolationState> states,
            int violatedAtEnd,
            PodsAtEnd pods,
            Idle idle,
            List<StrandedWorkload> stranded) {
        /** {@return the UIDs of the pods that the operator evicted} */
        Set<String> victims() {
            return history.evictions().stream()
                    .map(eviction -> ReportEntries.victim(eviction).uid())
                    .collect(Collectors.toSet());
        }

        ViolationState stateOf(History.Turn turn) {
            return Objects.requireNonNull(states.get(turn.violation().key()));
        }
    }

    /**
     * What has no effect.
     *
     * @param policies the policies that selected no pod
     * @param changes the changes that changed nothing, as sentences
     */
    private record Idle(List<String> policies, List<String> changes) {}

    private Run run(
            SimulationInput input,
            List<Change> changes,
            Optional<Duration> exactly,
            Consumer<Supplier<Duration>> progress,
            SimulationWatcher watcher)
            throws ImpossibleChangeException {
        Simulation simulation = new Simulation(settings, input, strongest, assumptions, start);
        progress.accept(simulation::elapsed);
        watcher.beforeChange(simulation);
        int before = simulation.happenings().size();
        Map<Pod, Waiting> waitedBefore = simulation.waiting();
        ReadyPods ready = ReadyPods.countedIn(simulation);
        for (Change change : changes) {
            Optional<String> problem = simulation.make(change);
            if (problem.isPresent()) {
                throw new ImpossibleChangeException(problem.get());
            }
        }
        List<StrandedWorkload> stranded = stranded(simulation, input.volumes());
        simulation.leapTo(until);
        // Two simulations at once would need twice the memory.
        Duration length = goOn(simulation, exactly);
        progress.accept(() -> length);
        watcher.atEnd(simulation);
        List<Happening> happenings = simulation.happenings();
        History history = History.of(happenings.subList(before, happenings.size()));
        return new Run(
                length,
                evictsSince(simulation, length.minus(STEP))
                        || simulation.nextDecision().isPresent(),
                history,
                new ViolationStates(history, simulation.cluster(), start.plus(length), policies(input, changes))
                        .ofTurns(),
                History.of(happenings).running().size(),
                PodsAtEnd.of(simulation, waitedBefore, ready, changes),
                new Idle(
                        Scenario.withoutPods(simulation, input, changes),
                        simulation.idle().stream()
                                .map(why -> why + ", so this change has no effect")
                                .toList()),
                stranded);
    }

    private static List<Event.PolicyChanged> policies(SimulationInput input, List<Change> changes) {
        List<Event.PolicyChanged> policies = new ArrayList<>(input.policies());
        changes.forEach(change -> {
            if (change instanceof Change.PutPolicy(Event.PolicyChanged put)) {
                policies.add(put);
            }
        });
        return policies;
    }

    private static List<StrandedWorkload> stranded(
            Simulation simulation, Function<NamespacedName, ClaimedVolume> volumes) {
        InjectingPolicies injecting = simulation.injecting();
        return injecting.isEmpty()
                ? List.of()
                : StrandedByRollOut.in(simulation.cluster(), volumes).strandedBy(injecting, _ -> true);
    }

    /**
     * Lets time pass hour by hour: while pods are evicted, and from each time at which the operator may decide
     * otherwise, or a pod leaves a node that has failed.
     *
     * @param exactly when to end; empty if that is when nothing more happens
     * @return the end
     */
    private Duration goOn(Simulation simulation, Optional<Duration> exactly) {
        Duration most = exactly.orElse(LONGEST);
        Duration end = until;
        Optional<Duration> next = next(simulation, end, most).or(() -> exactly);
        while (end.compareTo(most) < 0 && next.isPresent()) {
            simulation.leapToNextDecision(next.get());
            end = Collections.min(List.of(next.get().plus(STEP), most));
            simulation.leapTo(end);
            next = next(simulation, end, most).or(() -> exactly);
        }
        // Nothing happens before the next decision, which is later than all that is simulated.
        if (exactly.isEmpty()
                && end.compareTo(most) < 0
                && simulation.nextDecision().isPresent()) {
            simulation.leapToNextDecision(most);
            return most;
        }
        return end;
    }

    private Optional<Duration> next(Simulation simulation, Duration end, Duration most) {
        return evictsSince(simulation, end.minus(STEP))
                ? Optional.of(end)
                : Stream.of(simulation.nextDecision(), simulation.nextDeletion())
                        .flatMap(Optional::stream)
                        .filter(time -> time.compareTo(most) < 0)
                        .min(Comparator.naturalOrder());
    }

    private boolean evictsSince(Simulation simulation, Duration time) {
        return History.of(simulation.happenings()).evictions().stream()
                .anyMatch(eviction -> eviction.at().isAfter(start.plus(time)));
    }

    private SimulationEnd endedBy(boolean mayGoOn) {
        if (!goesOn) {
            return SimulationEnd.UNTIL;
        }
        return mayGoOn ? SimulationEnd.SEVEN_DAYS : SimulationEnd.NOTHING_MORE;
    }

    /** {@return the simulated time and its end; only the maximum if the simulation goes on beyond the end} */
    private String simulated(Duration time) {
        return time.compareTo(until) <= 0
                ? simulated(time, until)
                : "simulated " + TimeText.of(time) + " of at most " + TimeText.of(LONGEST);
    }

    private static String simulated(Duration time, Duration length) {
        return "simulated " + TimeText.of(time) + " of " + TimeText.of(length);
    }
}
