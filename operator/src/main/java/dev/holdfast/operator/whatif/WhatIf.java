package dev.holdfast.operator.whatif;

import dev.holdfast.operator.simulate.Assumptions;
import dev.holdfast.operator.simulate.Change;
import dev.holdfast.operator.simulate.Simulation;
import dev.holdfast.policies.engine.protocol.EngineSettings;
import dev.holdfast.policies.engine.report.BoundPod;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.move.Outcome;
import dev.holdfast.policies.rule.Mode;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Simulates a cluster twice, with a change and without it, and compares what happens. */
public final class WhatIf {
    private final EngineSettings settings;
    private final Mode strongest;
    private final Assumptions assumptions;
    private final Instant start;
    private final Duration until;

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
     */
    public WhatIf(EngineSettings settings, Mode strongest, Assumptions assumptions, Instant start, Duration until) {
        this.settings = settings;
        this.strongest = strongest;
        this.assumptions = assumptions;
        this.start = start;
        this.until = until;
    }

    /**
     * {@return what would follow from changes that are made at once}
     *
     * @throws ImpossibleChangeException if the cluster does not have what a change is about
     */
    public WhatIfReport report(Simulation.Input input, List<Change> changes) throws ImpossibleChangeException {
        Run without = run(input, List.of());
        Run with = run(input, changes);
        History after = with.history();
        Set<ViolationKey> anyway = without.history().started().keySet();
        List<WhatIfReport.Violation> begins = after.started().values().stream()
                .filter(turn -> !anyway.contains(turn.violation().key()))
                .map(this::violation)
                .toList();
        List<WhatIfReport.Violation> ends = after.ended().values().stream()
                .filter(turn -> turn.at().equals(start))
                .filter(turn -> !after.started().containsKey(turn.violation().key()))
                .map(this::violation)
                .toList();
        Set<String> evictedAnyway = without.history().evictions().stream()
                .map(eviction -> eviction.violation().victim().uid())
                .collect(Collectors.toSet());
        List<WhatIfReport.Eviction> evictions = after.evictions().stream()
                .map(eviction -> eviction(
                        eviction,
                        evictedAnyway.contains(eviction.violation().victim().uid())))
                .toList();
        List<WhatIfReport.Held> held = after.held().stream()
                .map(WhatIf::held)
                .sorted(Comparator.comparing(WhatIfReport.Held::namespace)
                        .thenComparing(WhatIfReport.Held::pod)
                        .thenComparing(one -> one.rule().identity()))
                .toList();
        Set<String> waiting = new HashSet<>(with.waiting());
        waiting.removeAll(without.waiting());
        return new WhatIfReport(
                WhatIfReport.API_VERSION,
                WhatIfReport.KIND,
                until.toSeconds(),
                new WhatIfReport.Summary(
                        begins.size(),
                        ends.size(),
                        evictions.stream()
                                .filter(one -> !one.withoutChangeToo())
                                .count(),
                        held.size(),
                        waiting.size()),
                begins,
                ends,
                evictions,
                held,
                after.brakes().stream()
                        .map(brake -> new WhatIfReport.Brake(
                                seconds(brake.at()), brake.report().message()))
                        .toList(),
                waiting.stream().sorted().toList());
    }

    /**
     * One simulation.
     *
     * @param history what happened from the change on
     * @param waiting the names of the pods without a node at the end
     */
    private record Run(History history, Set<String> waiting) {}

    private Run run(Simulation.Input input, List<Change> changes) throws ImpossibleChangeException {
        Simulation simulation = new Simulation(settings, input, strongest, assumptions, start);
        int before = simulation.happenings().size();
        for (Change change : changes) {
            Optional<String> problem = simulation.make(change);
            if (problem.isPresent()) {
                throw new ImpossibleChangeException(problem.get());
            }
        }
        simulation.run(until);
        return new Run(
                History.of(simulation
                        .happenings()
                        .subList(before, simulation.happenings().size())),
                simulation.cluster().pods().stream()
                        .filter(pod -> pod.nodeName().isEmpty() && !pod.finished())
                        .map(Pod::name)
                        .map(String::valueOf)
                        .collect(Collectors.toSet()));
    }

    private long seconds(Instant at) {
        return Duration.between(start, at).toSeconds();
    }

    private static WhatIfReport.RuleReference rule(ViolationReport violation) {
        return new WhatIfReport.RuleReference(
                violation.rule(), violation.key().rule().hash());
    }

    private WhatIfReport.Violation violation(History.Turn turn) {
        ViolationReport violation = turn.violation();
        return new WhatIfReport.Violation(
                seconds(turn.at()),
                violation.pod().namespace(),
                violation.pod().name(),
                violation.key().podUid(),
                violation.key().node(),
                rule(violation),
                violation.violationDetail().describe());
    }

    private WhatIfReport.Eviction eviction(History.Eviction eviction, boolean withoutChangeToo) {
        ViolationReport violation = eviction.violation();
        BoundPod victim = violation.victim();
        return new WhatIfReport.Eviction(
                seconds(eviction.at()),
                victim.name().namespace(),
                victim.name().name(),
                victim.uid(),
                victim.node(),
                eviction.move().flatMap(Notification.Moved::toNode).orElse(""),
                violation.policy().toString(),
                rule(violation),
                eviction.move()
                        .map(Notification.Moved::outcome)
                        .map(Outcome::label)
                        .orElse(""),
                withoutChangeToo);
    }

    private static WhatIfReport.Held held(History.Held held) {
        ViolationReport violation = held.violation();
        return new WhatIfReport.Held(
                violation.pod().namespace(),
                violation.pod().name(),
                violation.key().podUid(),
                violation.key().node(),
                violation.policy().toString(),
                rule(violation),
                held.hold().reason().label(),
                held.hold().message());
    }
}
