package dev.holdfast.policies.engine.memory;

import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.forgive.Clocks;
import dev.holdfast.policies.forgive.Deadlines;
import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.plan.conduct.DisruptionControls;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.RuleIdentity;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;

/** The running violations: their clocks, their deadlines, and how each was last reported. */
public final class ViolationBook implements LeakChecked {
    private final RequestedRules requested;
    private final PlannerMemory plannerMemory;
    private final PlanSchedule schedule;
    private final DueTimes dueTimes;
    private final Clocks clocks = new Clocks();

    /** Each running violation as it was last reported, for when it can no longer be described. */
    private final Map<ViolationKey, ViolationReport> reported = new HashMap<>();

    /** The violations whose counts may be outdated: running ones, and those just ended. */
    private Set<ViolationKey> changed = new TreeSet<>();

    /** While a policy edit is applied: the violations whose forgiveness it starts or restarts. */
    private Optional<Set<ViolationKey>> started = Optional.empty();

    public ViolationBook(
            RequestedRules requested, Readiness readiness, PlannerMemory plannerMemory, PlanSchedule schedule) {
        this.requested = requested;
        this.plannerMemory = plannerMemory;
        this.schedule = schedule;
        this.dueTimes = new DueTimes(requested, readiness);
    }

    /** {@return the violation, if its clock runs} */
    public Optional<Violation> find(ViolationKey key) {
        return clocks.find(key);
    }

    /** {@return the running violation of a rule by a pod, on whichever node} */
    public Optional<Violation> find(String podUid, RuleIdentity rule) {
        return clocks.find(podUid, rule);
    }

    /** {@return all running violations, by key} */
    public Collection<Violation> running() {
        return clocks.all();
    }

    /** {@return the deadlines of all running violations} */
    public Deadlines deadlines() {
        return dueTimes.deadlines();
    }

    /** {@return whether the forgiveness of a running violation has passed} */
    public boolean isDue(ViolationKey key, Instant now) {
        return !now.isBefore(deadlines().of(key));
    }

    /** Starts the clock of a violation. */
    public void begin(Violation violation) {
        clocks.put(violation);
        started.ifPresent(all -> all.add(violation.key()));
        update(violation);
    }

    /**
     * Notes that the requests for the rule of a running violation changed. If they allow more evictions, forgiveness
     * restarts.
     */
    public void ruleChanged(Violation violation, AppliedRule before, AppliedRule after, Instant now) {
        if (after.isWiderThan(before)) {
            restart(violation, now);
        }
        update(violation);
    }

    /** Sets how a policy restricts moves. If it allows more than before, forgiveness restarts. */
    public void conductChanged(PolicyId policy, DisruptionControls after, Instant now) {
        DisruptionControls before = requested.controlsOf(policy);
        requested.put(policy, after);
        if (!after.overrides().equals(before.overrides())) {
            updateAll();
        }
        if (after.isWiderThan(before)) {
            for (Violation violation : clocks.all()) {
                if (requested
                        .find(violation.key())
                        .filter(rule -> rule.isAskedBy(policy))
                        .isPresent()) {
                    restart(violation, now);
                    update(violation);
                }
            }
        }
    }

    private void restart(Violation violation, Instant now) {
        dueTimes.restart(violation.key(), now);
        started.ifPresent(all -> all.add(violation.key()));
    }

    /** {@return the violations whose forgiveness a policy edit starts or restarts} */
    public Set<ViolationKey> startedBy(Runnable edit) {
        Set<ViolationKey> all = new TreeSet<>();
        started = Optional.of(all);
        edit.run();
        started = Optional.empty();
        return all;
    }

    /** After a gap in observation, moves every instant from which a forgiveness counts. */
    public void postponeAll(BiFunction<Violation, Instant, Instant> later) {
        clocks.all().forEach(violation -> dueTimes.postpone(violation, later));
        clocks.restart(violation -> later.apply(violation, violation.since()));
        updateAll();
    }

    /** Computes all deadlines again. */
    public void updateAll() {
        clocks.all().forEach(this::update);
    }

    /** Computes the deadline of a violation again, and schedules a new plan. */
    public void update(Violation violation) {
        dueTimes.update(violation);
        plannerMemory.restart(violation.key());
        changed.add(violation.key());
        schedule.invalidate();
    }

    /** {@return the report, noted as the last one of its violation} */
    public ViolationReport reported(ViolationReport report) {
        reported.put(report.key(), report);
        return report;
    }

    /** {@return the last report of a running violation} */
    public Optional<ViolationReport> lastReport(ViolationKey key) {
        return Optional.ofNullable(reported.get(key));
    }

    /** Notes that the counts of a violation may have changed. */
    void changed(ViolationKey key) {
        changed.add(key);
    }

    /**
     * {@return the violations whose counts may have changed, including those that became due since an instant, in
     * order}
     */
    public Set<ViolationKey> takeChanged(Instant since, Instant now) {
        Set<ViolationKey> taken = changed;
        changed = new TreeSet<>();
        taken.addAll(deadlines().dueBetween(since, now));
        return taken;
    }

    @Override
    public void forget(ViolationKey key) {
        clocks.remove(key);
        dueTimes.forget(key);
        reported.remove(key);
        changed.add(key);
        schedule.invalidate();
    }

    @Override
    public int size() {
        return clocks.all().size() + dueTimes.size() + reported.size() + changed.size();
    }
}
