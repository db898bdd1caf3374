package dev.holdfast.policies.engine.state;

import dev.holdfast.policies.compact.CompactMap;
import dev.holdfast.policies.compact.CompactSortedSet;
import dev.holdfast.policies.engine.backlog.PolicyBacklogs;
import dev.holdfast.policies.engine.report.ClockRestart;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.forgive.ClockShards;
import dev.holdfast.policies.forgive.Clocks;
import dev.holdfast.policies.forgive.Deadlines;
import dev.holdfast.policies.forgive.Postponement;
import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.plan.controls.PodOverrides;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.RuleIdentity;
import dev.holdfast.policies.rule.VictimChoice;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The running violations, with their deadlines and last reports. A violation is running while its clock runs, that is,
 * until it ends.
 */
public final class ViolationBook implements ViolationMemory {
    private final RequestedRules requested;
    private final PlannerMemory plannerMemory;
    private final PolicyBacklogs backlogs;
    private final PlanSchedule schedule;
    private final DueTimes dueTimes;
    private final Readiness readiness;
    private final Clocks clocks = new Clocks();
    private final ClockShards clockShards = new ClockShards();

    /**
     * The last report of each running violation. Used when the index no longer shows the violation, so that no new
     * report can be created.
     */
    private final LastReports reported = new LastReports();

    private final Map<ClockRestart, Long> restarts = new EnumMap<>(ClockRestart.class);

    /** The violations that began, changed or ended since the status of policies last counted them. */
    private final Set<ViolationKey> changed = Collections.newSetFromMap(new CompactMap<>());

    public ViolationBook(
            RequestedRules requested,
            Readiness readiness,
            PlannerMemory plannerMemory,
            PolicyBacklogs backlogs,
            PlanSchedule schedule) {
        this.backlogs = backlogs;
        this.requested = requested;
        this.readiness = readiness;
        this.plannerMemory = plannerMemory;
        this.schedule = schedule;
        this.dueTimes = new DueTimes(requested, readiness);
    }

    /** {@return the violation, if its clock runs} */
    public Optional<Violation> find(ViolationKey key) {
        return clocks.find(key);
    }

    /** {@return the running violation of a rule by a pod, on whichever node the pod is} */
    public Optional<Violation> find(String podUid, RuleIdentity rule) {
        return clocks.find(podUid, rule);
    }

    /** {@return the running violations of a pod, ordered by key} */
    public List<Violation> of(String podUid) {
        return clocks.of(podUid);
    }

    /** {@return all running violations, in the order in which their pods began to violate rules} */
    public List<Violation> running() {
        return clocks.all();
    }

    /** {@return the number of running violations} */
    public int count() {
        return clocks.size();
    }

    /**
     * {@return when each running violation is due for the first policy} Policies in mode Audit do not count if another
     * policy enforces the rule.
     */
    public Deadlines deadlines() {
        return dueTimes.due();
    }

    /** {@return when a running violation is due for one policy that requests its rule} */
    public Instant deadline(ViolationKey key, PolicyId policy) {
        return dueTimes.of(key, policy);
    }

    /** {@return from when a policy's forgiveness of a running violation counts} */
    public Instant countedFrom(Violation violation, PolicyId policy) {
        return dueTimes.countedFrom(violation, requested.get(violation.key()), policy);
    }

    /** {@return whether only one policy requests the rule of a running violation, so that it has one deadline} */
    public boolean hasOneDeadline(ViolationKey key) {
        return dueTimes.hasOne(key);
    }

    /** {@return the next instant at which a running violation becomes due for a policy; empty if there is none} */
    public Optional<Instant> nextDeadline(Instant now) {
        return dueTimes.nextAfter(now);
    }

    /**
     * {@return whether a running violation is due for any policy} Policies in mode Audit do not count if another policy
     * enforces the rule.
     */
    public boolean isDue(ViolationKey key, Instant now) {
        return !now.isBefore(deadlines().of(key));
    }

    /** {@return whether a running violation is due for one policy that requests its rule} */
    public boolean isDue(ViolationKey key, PolicyId policy, Instant now) {
        return !now.isBefore(deadline(key, policy));
    }

    /** Starts the clock of a violation. */
    public void begin(Violation violation) {
        clocks.put(violation);
        update(violation);
    }

    /**
     * Records that policies changed their requests for the rule of a running violation. The forgiveness of each policy
     * that now allows more evictions restarts.
     *
     * @return these policies
     */
    public List<PolicyId> ruleChanged(Violation violation, AppliedRule before, AppliedRule after, Instant now) {
        List<PolicyId> widened = after.widenedSince(before);
        widened.forEach(policy -> restart(violation, policy, ClockRestart.POLICY_WIDENED, now));
        update(violation);
        return widened;
    }

    /**
     * Sets the disruption controls of a policy (when it may evict pods, how many, and which not). If the new controls
     * allow more evictions, the forgiveness of the policy's violations restarts.
     */
    public void controlsChanged(PolicyId policy, DisruptionControls after, Instant now) {
        DisruptionControls before = requested.controlsOf(policy);
        requested.put(policy, after);
        if (!after.overrides().equals(before.overrides())) {
            of(policy).forEach(this::update);
        }
        if (after.isWiderThan(before)) {
            restart(policy, now);
        }
    }

    /**
     * Restarts each forgiveness of a policy, because an edit allows more evictions, or may allow more. A forgiveness
     * that starts now anyway stays as it is.
     */
    public void restart(PolicyId policy, Instant now) {
        for (Violation violation : of(policy)) {
            if (dueTimes.startedFrom(violation, policy).isBefore(now)) {
                restart(violation, policy, ClockRestart.POLICY_WIDENED, now);
                update(violation);
            }
            backlogs.widened(policy, violation.key(), () -> "it was edited");
        }
    }

    /** {@return the running violations of rules that a policy requests; others cost no time} */
    public List<Violation> of(PolicyId policy) {
        List<Violation> all = new ArrayList<>();
        requested.forEachSelected(policy, pod -> all.addAll(clocks.of(pod.uid())));
        all.removeIf(violation -> requested
                .find(violation.key())
                .filter(rule -> rule.isRequestedBy(policy))
                .isEmpty());
        return all;
    }

    /**
     * Records that annotations protect the pod of a violation less than before. For each policy that honors these
     * annotations now, the forgiveness restarts. The deadline changes with the next {@link #update}.
     */
    public void released(Violation violation, Instant now) {
        released(violation, requested.get(violation.key()).policies(), now);
    }

    /**
     * Records, as {@link #released}, that annotations protect a possible victim less, which some policies move instead
     * of the rule owner ({@code victim: LowestPriority}). Only the forgiveness of these policies restarts.
     */
    public void partnerReleased(Violation violation, Instant now) {
        released(violation, movingPartners(violation), now);
    }

    /** {@return whether a policy may move other pods instead of the rule owner ({@code victim: LowestPriority})} */
    public boolean mayMovePartners(Violation violation) {
        return movingPartners(violation).findAny().isPresent();
    }

    private Stream<PolicyId> movingPartners(Violation violation) {
        return requested.get(violation.key()).requests().stream()
                .filter(request -> request.enforcement().victim() == VictimChoice.LOWEST_PRIORITY)
                .map(AppliedRule.Request::policy);
    }

    private void released(Violation violation, Stream<PolicyId> policies, Instant now) {
        policies.forEach(policy -> {
            PodOverrides overrides = requested.controlsOf(policy).overrides();
            if (overrides.honorsAt(now, violation.since())) {
                restart(violation, policy, ClockRestart.ANNOTATION_REMOVED, now);
                backlogs.widened(policy, violation.key(), () -> "annotations that kept pods were removed");
            }
        });
    }

    private void restart(Violation violation, PolicyId policy, ClockRestart cause, Instant now) {
        dueTimes.restart(violation.key(), policy, now);
        restarts.merge(cause, 1L, Long::sum);
    }

    /**
     * Postpones all deadlines after a time in which changes may have been missed. For this, moves every instant from
     * which a forgiveness counts.
     *
     * @param later computes the new instant of each forgiveness
     */
    public void postponeAll(Postponement later, Instant now) {
        long restarted = clocks.all().stream()
                .mapToLong(violation -> dueTimes.restartedBy(later, violation, now))
                .sum();
        restarts.merge(ClockRestart.VIEW_LOST, restarted, Long::sum);
        clocks.restart(violation -> dueTimes.postpone(violation, later));
        clocks.all().forEach(violation -> plannerMemory.restart(violation.key()));
        updateAll();
    }

    /** Computes all deadlines again, and counts each forgiveness that starts again now for this cause. */
    public void updateAll(ClockRestart cause, Instant now) {
        updateAll();
        long restarted = clocks.all().stream()
                .filter(violation -> violation.since().isBefore(now))
                .mapToLong(violation -> dueTimes.countedFrom(violation, now))
                .sum();
        restarts.merge(cause, restarted, Long::sum);
    }

    /** {@return which parts of the clocks have changed since they were last stored} */
    public ClockShards clockShards() {
        return clockShards;
    }

    /**
     * Sets the start of each forgiveness that an earlier process observed.
     *
     * @param observed these instants, by violation and policy; all other forgivenesses count as before
     * @param restarted how many clocks of an earlier process start again
     */
    public void recall(Map<ViolationKey, Map<PolicyId, Instant>> observed, long restarted) {
        Instant led = readiness.enforcingSince();
        List<Violation> earlier = clocks.all().stream()
                .filter(violation -> violation.since().isBefore(led))
                .toList();
        clocks.restart(violation -> dueTimes.recall(violation, observed.getOrDefault(violation.key(), Map.of())));
        readiness.recalled();
        long all = earlier.stream()
                .flatMap(violation -> find(violation.key()).stream())
                .mapToLong(violation -> dueTimes.countedFrom(violation, led))
                .sum();
        restarts.merge(ClockRestart.OPERATOR_AWAY, restarted, Long::sum);
        restarts.merge(ClockRestart.LEADERSHIP_GAINED, Math.max(0, all - restarted), Long::sum);
        updateAll();
    }

    /** {@return how often a forgiveness started again, for each cause that occurred} */
    public Map<ClockRestart, Long> restarts() {
        return Map.copyOf(restarts);
    }

    /** Computes all deadlines again. */
    public void updateAll() {
        clocks.all().forEach(this::update);
    }

    /** Computes the deadline of a violation again, and schedules a new plan. */
    public void update(Violation violation) {
        dueTimes.update(violation);
        clockShards.changed(violation.key());
        changed.add(violation.key());
        schedule.invalidate();
    }

    /** Records a report as the last one of its violation, and returns it. */
    public ViolationReport reported(ViolationReport report) {
        reported.put(report);
        return report;
    }

    /** {@return the last report of a running violation; empty if there is none} */
    public Optional<ViolationReport> lastReport(ViolationKey key) {
        return reported.find(key);
    }

    /**
     * {@return whether the last report of a running violation says that it is held for this reason}
     *
     * @param reason the reason as the policy of the report sees it
     */
    public boolean wasReportedHeld(ViolationKey key, Function<PolicyId, Reason> reason) {
        return reported.saysHeld(key, reason);
    }

    /** Records that the status of policies must count a violation again. */
    void changed(ViolationKey key) {
        changed.add(key);
    }

    /**
     * Returns the violations to count again for the status of policies, ordered by key, and forgets them. The result
     * includes the violations that became due since the last call.
     *
     * @param since the instant of the last call
     */
    public Set<ViolationKey> takeChanged(Instant since, Instant now) {
        Set<ViolationKey> taken = new CompactSortedSet<>();
        taken.addAll(changed);
        changed.clear();
        taken.addAll(dueTimes.dueBetween(since, now));
        return taken;
    }

    @Override
    public void forget(ViolationKey key) {
        clocks.remove(key);
        clockShards.changed(key);
        dueTimes.forget(key);
        reported.forget(key);
        changed.add(key);
        schedule.invalidate();
    }

    @Override
    public int size() {
        return clocks.size() + dueTimes.size() + reported.size() + changed.size();
    }
}
