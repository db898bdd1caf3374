package dev.holdfast.operator.offline.loss;

import dev.holdfast.operator.offline.simulate.Simulation;
import dev.holdfast.operator.offline.simulate.object.BudgetShortage;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.DisruptionBudget;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.selector.ParseResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The worst moment of each workload while a simulation goes on. Between two steps of one instant, no moment counts.
 */
final class ReadyHistory {
    private final Simulation simulation;
    private final Map<WorkloadName, Course> courses = new HashMap<>();

    /** The workloads of the pods that are Ready now, by UID. */
    private final Map<String, WorkloadName> ready = new HashMap<>();

    /** The workloads whose pods one budget selects, where they are several. */
    private final Map<WorkloadName, Set<WorkloadName>> sharing = new HashMap<>();

    private final Set<WorkloadName> changed = new HashSet<>();

    /** @param workloads the Ready pods of each workload now, from when on the history is kept */
    ReadyHistory(Simulation simulation, Map<WorkloadName, List<Pod>> workloads) {
        this.simulation = simulation;
        workloads.forEach((workload, pods) -> {
            courses.put(workload, new Course(pods));
            pods.forEach(pod -> ready.put(pod.uid(), workload));
        });
        findShared();
        simulation.listen(this::changed, this::judge);
    }

    private void findShared() {
        Map<String, List<WorkloadName>> byNamespace = new HashMap<>();
        courses.keySet()
                .forEach(workload -> byNamespace
                        .computeIfAbsent(workload.namespace(), _ -> new ArrayList<>())
                        .add(workload));
        byNamespace.forEach((namespace, workloads) ->
                simulation.cluster().budgetsIn(namespace).forEach(budget -> share(selected(budget, workloads))));
    }

    private List<WorkloadName> selected(DisruptionBudget budget, List<WorkloadName> workloads) {
        return LabelMatcher.of(budget.selector()) instanceof ParseResult.Usable<LabelMatcher>(LabelMatcher matcher)
                ? workloads.stream()
                        .filter(it -> course(it)
                                .filter(course -> course.hasPod(matcher))
                                .isPresent())
                        .toList()
                : List.of();
    }

    private void share(List<WorkloadName> workloads) {
        if (workloads.size() > 1) {
            workloads.forEach(
                    it -> sharing.computeIfAbsent(it, _ -> new HashSet<>()).addAll(workloads));
        }
    }

    private Optional<Course> course(WorkloadName workload) {
        return Optional.ofNullable(courses.get(workload));
    }

    private void changed(ClusterEvent event) {
        if (event instanceof ClusterEvent.PodChanged(Pod pod)) {
            count(pod.uid(), Readiness.isReady(pod) ? WorkloadName.of(pod, simulation.cluster()) : Optional.empty());
        } else if (event instanceof ClusterEvent.PodGone(String uid)) {
            count(uid, Optional.empty());
        }
    }

    private void count(String uid, Optional<WorkloadName> now) {
        Optional<WorkloadName> before = Optional.ofNullable(ready.remove(uid));
        now.ifPresent(workload -> ready.put(uid, workload));
        if (!before.equals(now)) {
            before.ifPresent(workload -> count(workload, -1));
            now.ifPresent(workload -> count(workload, 1));
        }
    }

    private void count(WorkloadName workload, int by) {
        course(workload).ifPresent(course -> {
            course.ready += by;
            changed.add(workload);
            changed.addAll(sharing.getOrDefault(workload, Set.of()));
        });
    }

    private void judge(Instant now) {
        changed.forEach(workload -> course(workload).ifPresent(course -> course.judge(now)));
        changed.clear();
    }

    /** {@return the worst moment of a workload until now} */
    WorstMoment worst(WorkloadName workload) {
        Instant now = simulation.start().plus(simulation.elapsed());
        judge(now);
        return course(workload).orElseThrow().worst(now);
    }

    /** {@return when the number of Ready pods of a workload changed last, in seconds after the change} */
    long lastChange(WorkloadName workload) {
        return seconds(course(workload).orElseThrow().lastChange);
    }

    private long seconds(Instant at) {
        return Duration.between(simulation.start(), at).toSeconds();
    }

    /** How one workload fares. */
    private final class Course {
        private final List<Pod> pods;

        /** One pod of each set of labels: the others have the same budgets. */
        private final List<Pod> different;

        private int ready;
        private int judged;
        private Instant lastChange = simulation.start();
        private Instant since = simulation.start();
        private WorkloadState state = WorkloadState.FINE;
        private int least;
        private List<BudgetShortage> shortages = List.of();
        private WorstMoment worst;

        Course(List<Pod> pods) {
            this.pods = pods;
            this.different = Readiness.different(pods);
            this.ready = pods.size();
            this.judged = ready;
            this.least = ready;
            this.worst = WorstMoment.none(ready);
        }

        boolean hasPod(LabelMatcher matcher) {
            return different.stream().anyMatch(pod -> matcher.matches(pod.labels()));
        }

        void judge(Instant now) {
            if (ready != judged) {
                judged = ready;
                lastChange = now;
            }
            boolean fewer = ready < Readiness.wanted(pods, simulation.cluster());
            List<BudgetShortage> unmet = fewer ? Readiness.shortages(different, simulation) : List.of();
            WorkloadState next = fewer ? Readiness.state(ready, unmet) : WorkloadState.FINE;
            if (next != state) {
                worst = longest(now);
                since = now;
                state = next;
                least = ready;
                shortages = unmet;
            } else if (ready < least) {
                least = ready;
                shortages = unmet;
            }
        }

        /** {@return the worst moment: the present one, if no other was worse} */
        WorstMoment worst(Instant now) {
            return state != WorkloadState.FINE && state == worst.state() ? last(now) : longest(now);
        }

        private WorstMoment longest(Instant now) {
            WorstMoment last = state == WorkloadState.FINE ? WorstMoment.none(pods.size()) : last(now);
            return WorstMoment.MILDEST_FIRST.compare(last, worst) >= 0 ? last : worst;
        }

        private WorstMoment last(Instant now) {
            return new WorstMoment(
                    state, least, seconds(since), Duration.between(since, now).toSeconds(), shortages);
        }
    }
}
