package dev.holdfast.operator.reconcile;

import dev.holdfast.crds.v1alpha1.status.PolicyCondition;
import dev.holdfast.crds.v1alpha1.status.PolicyLeader;
import dev.holdfast.crds.v1alpha1.status.PolicyStatus;
import dev.holdfast.operator.api.InjectionSupport;
import dev.holdfast.operator.publish.Metrics;
import dev.holdfast.operator.publish.Metrics.Readiness;
import dev.holdfast.operator.reconcile.status.ConditionContent;
import dev.holdfast.operator.reconcile.status.ConditionType;
import dev.holdfast.operator.reconcile.status.PolicyEntry;
import dev.holdfast.operator.reconcile.status.SpecWarnings;
import dev.holdfast.operator.reconcile.status.StatusDraft;
import dev.holdfast.operator.reconcile.status.StatusInput;
import dev.holdfast.operator.translate.Translation;
import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Decides when a policy's status is written. Only the leader writes, only a changed status, and at most once per
 * interval. Two statuses do not wait for the interval: the first one for a new generation, and the first one after the
 * engine has evaluated that generation.
 */
public final class StatusScheduler {
    /** How long the engine may take to evaluate an edit before the status shows that it is not evaluated yet. */
    private static final Duration EVALUATION = Duration.ofSeconds(2);

    /** How long the status that an earlier process wrote is kept while this process reads the cluster. */
    private static final Duration EVALUATION_AFTER_START = Duration.ofSeconds(30);

    /** How long the watch may take to show a written status. After that, the write counts as lost. */
    private static final Duration WATCH_DELAY = Duration.ofSeconds(5);

    /** How long a view may be lost before statuses report the loss. A normal relist takes less. */
    private static final Duration LOSS_GRACE = Duration.ofSeconds(10);

    /** The time after a failover within which statuses without other changes name the new leader. */
    private static final Duration LEADER_WITHIN = Duration.ofMinutes(5);

    private final PolicyReports reports;
    private final Supplier<Optional<PolicyLeader>> leader;
    private final Supplier<Optional<String>> missing;
    private final Supplier<InjectionSupport> support;
    private final Metrics metrics;
    private final Function<PolicyId, Optional<String>> uids;
    private final InstantSource clock;
    private final Duration interval;

    /** When this replica last began to lead, by the clock of this process. */
    private volatile Instant leadingSince = Instant.EPOCH;

    /** Whether this replica began to lead since the last check. */
    private final AtomicBoolean takenOver = new AtomicBoolean();

    private volatile Optional<String> whyCapped = Optional.empty();
    private volatile Optional<String> whyBlind = Optional.empty();

    /**
     * Since when at least one view is not synced; empty while all are. Used only by the thread that calls {@link
     * #check}.
     */
    private Optional<Instant> blindSince = Optional.empty();

    /** The last decision about each policy. Only the reconciliation of a policy changes its decision. */
    private final Map<PolicyId, LastDecision> decisions = new ConcurrentHashMap<>();

    /**
     * The input of the last decision about a policy.
     *
     * @param uid UID of the policy
     * @param support whether the API server could inject rules
     * @param nextChange when the next of the policy's {@code exceptions} expires; empty if none does. The policy's
     *     status must change then, although no event says so
     * @param lastWrite the last status that was sent; empty if none was
     */
    private record LastDecision(
            String uid, InjectionSupport support, Optional<Instant> nextChange, Optional<LastWrite> lastWrite) {
        /** {@return the decision to write this status} */
        LastDecision written(LastWrite write) {
            return new LastDecision(uid, support, nextChange, Optional.of(write));
        }

        /** {@return whether a status would say something else now, although no report does} */
        boolean isOutdated(InjectionSupport supported, Instant now) {
            return supported != support
                    || nextChange.filter(it -> !now.isBefore(it)).isPresent();
        }
    }

    /**
     * The last status that was sent for a policy. The write may still fail; the watch shows that it succeeded.
     *
     * @param evaluated whether the status was built from a report of the engine
     * @param at when the status was sent
     * @param counted when the last status was sent that starts the minimum interval; empty if none was. The first
     *     status for a new generation does not start it
     */
    private record LastWrite(PolicyStatus written, boolean evaluated, Instant at, Optional<Instant> counted) {}

    /**
     * Creates a scheduler that has written nothing yet.
     *
     * @param reports the engine's latest reports
     * @param leader this replica while it leads; empty while it does not
     * @param missing which view of the cluster is not synced, and why; empty if all views are synced
     * @param support whether the API server can inject rules
     * @param metrics gets whether each policy is ready
     * @param uids finds the UID of a policy; empty if the policy was deleted
     * @param interval the minimum time between two writes of one policy's status
     */
    public StatusScheduler(
            PolicyReports reports,
            Supplier<Optional<PolicyLeader>> leader,
            Supplier<Optional<String>> missing,
            Supplier<InjectionSupport> support,
            Metrics metrics,
            Function<PolicyId, Optional<String>> uids,
            InstantSource clock,
            Duration interval) {
        this.reports = reports;
        this.leader = leader;
        this.missing = missing;
        this.support = support;
        this.metrics = metrics;
        this.uids = uids;
        this.clock = clock;
        this.interval = interval;
    }

    /**
     * Decides whether to write the status of a policy now. If so, records the write.
     *
     * @param seen the status of the policy as the watch last showed it
     * @param again whether this reconciliation is a retry after a failure
     */
    StatusDecision decide(PolicyId policy, PolicyEntry entry, Optional<PolicyStatus> seen, boolean again) {
        Instant now = clock.instant();
        InjectionSupport supported = support.get();
        Optional<LastWrite> lastWrite = Optional.ofNullable(decisions.get(policy))
                .filter(it -> it.uid().equals(entry.uid()))
                .flatMap(LastDecision::lastWrite);
        LastDecision decision = new LastDecision(entry.uid(), supported, nextChange(entry, now), lastWrite);
        // First, so that a change of what is read below triggers the next reconciliation.
        decisions.put(policy, decision);
        StatusInput statusInput = new StatusInput(entry, reports.takeLatest(policy), whyCapped, whyBlind, supported);
        Optional<LastWrite> underWay = lastWrite.filter(
                it -> !again && remaining(it.at(), WATCH_DELAY, now).isPresent());
        Optional<PolicyStatus> before = underWay.map(LastWrite::written).or(() -> seen);
        List<PolicyCondition> conditions = before.map(PolicyStatus::conditions).orElse(List.of());
        Optional<PolicyLeader> leading = leader.get();
        PolicyStatus draft = StatusDraft.of(statusInput, leading, conditions, now);
        metrics.ready(policy, readiness(draft));
        if (leading.isEmpty()) {
            return new StatusDecision.Leave();
        }
        if (before.filter(draft::equals).isPresent()) {
            return underWay.filter(_ -> seen.filter(draft::equals).isEmpty())
                    .flatMap(it -> remaining(it.at(), WATCH_DELAY, now))
                    .<StatusDecision>map(StatusDecision.Later::new)
                    .orElseGet(StatusDecision.Leave::new);
        }
        Optional<Duration> early = before.flatMap(it -> untilLeaderMayChange(policy, draft, it, now));
        if (early.isPresent()) {
            return new StatusDecision.Later(early.get());
        }
        boolean edited = before.filter(it -> draft.observedGeneration() != null
                        && draft.observedGeneration().equals(it.observedGeneration()))
                .isEmpty();
        if (before.isPresent() && unevaluated(statusInput)) {
            Duration patience = edited ? EVALUATION : EVALUATION_AFTER_START;
            Optional<Duration> wait = remaining(entry.readAt(), patience, now);
            if (wait.isPresent()) {
                return new StatusDecision.Later(wait.get());
            }
        }
        Optional<Instant> counted = lastWrite.flatMap(LastWrite::counted);
        boolean first = !unevaluated(statusInput)
                && lastWrite.filter(it -> !it.evaluated()).isPresent();
        Optional<Duration> wait = counted.filter(_ -> !edited && !first).flatMap(it -> remaining(it, interval, now));
        if (wait.isPresent()) {
            reports.suppress(policy);
            return new StatusDecision.Later(wait.get());
        }
        decisions.put(
                policy,
                decision.written(
                        new LastWrite(draft, !unevaluated(statusInput), now, edited ? counted : Optional.of(now))));
        return new StatusDecision.Write(draft);
    }

    /**
     * {@return how long to wait with a status in which only the leader is another one; empty if it may be written now}
     * After a failover, the statuses of thousands of policies would be written at once.
     */
    private Optional<Duration> untilLeaderMayChange(
            PolicyId policy, PolicyStatus draft, PolicyStatus before, Instant now) {
        if (draft.leader() == null || !draft.withLeader(before.leader()).equals(before)) {
            return Optional.empty();
        }
        Duration own = Duration.ofSeconds(Math.floorMod(policy.hashCode(), LEADER_WITHIN.toSeconds()));
        return remaining(leadingSince, own, now);
    }

    private static Optional<Instant> nextChange(PolicyEntry entry, Instant now) {
        return entry.translation() instanceof Translation.Understood(var _, DisruptionControls disruptionControls)
                ? SpecWarnings.nextChange(disruptionControls, now)
                : Optional.empty();
    }

    /** {@return whether the engine uses the policy, but has not reported yet on the generation that it uses} */
    private static boolean unevaluated(StatusInput statusInput) {
        return statusInput.entry().inForce().isPresent()
                && statusInput.evaluated().isEmpty();
    }

    private static Optional<Duration> remaining(Instant from, Duration length, Instant now) {
        return Optional.of(Duration.between(now, from.plus(length))).filter(Duration::isPositive);
    }

    private static Readiness readiness(PolicyStatus status) {
        return status.conditions().stream()
                        .anyMatch(it -> it.type().equals(ConditionType.READY.label())
                                && it.status().equals(ConditionContent.TRUE))
                ? Readiness.READY
                : Readiness.NOT_READY;
    }

    /** {@return whether this replica leads now, and may write statuses} */
    boolean leads() {
        return leader.get().isPresent();
    }

    /**
     * Lets the next check trigger a reconciliation of every policy, so that a new leader writes the statuses that it
     * did not write as a standby. Runs no code of the Operator SDK: the calling thread must renew the lease.
     */
    public void takeOver() {
        leadingSince = clock.instant();
        takenOver.set(true);
    }

    /**
     * Sets why no policy may have mode Enforce now; empty if policies may have it. A changed reason triggers a
     * reconciliation of every policy. The engine's reports cannot trigger it, because they contain the modes but not
     * the reason.
     */
    public void capped(Optional<String> why) {
        Optional<String> before = whyCapped;
        whyCapped = why;
        if (before.isPresent() && why.isPresent() && !before.equals(why)) {
            notifyAllChanged();
        }
    }

    private void notifyAllChanged() {
        decisions.keySet().forEach(reports::notifyChanged);
    }

    /**
     * Triggers reconciliations for changes that no report shows. A policy is reconciled when one of its {@code
     * exceptions} expires. Policies whose status is wrong about injection are reconciled when the API server can inject
     * rules or no longer can. Every policy is reconciled when this replica began to lead, when a view has not been
     * synced for ten seconds, or when all views are synced again. Drops what is remembered of deleted policies. One
     * thread must call this each second.
     *
     * <p>The views are polled, because callbacks from the threads of several views would arrive in no particular order.
     */
    void check() {
        Instant now = clock.instant();
        // A reconciliation that was in progress when its policy was deleted may have put its decision back.
        decisions.entrySet().removeIf(it -> isGone(it.getKey(), it.getValue()));
        reports.keepOnly(policy -> uids.apply(policy).isPresent());
        InjectionSupport supported = support.get();
        decisions.forEach((policy, decision) -> {
            if (decision.isOutdated(supported, now)) {
                reports.notifyChanged(policy);
            }
        });
        Optional<String> seen = missing.get();
        blindSince = seen.map(_ -> blindSince.orElse(now));
        Optional<String> why = blindSince
                .filter(since -> remaining(since, LOSS_GRACE, now).isEmpty())
                .flatMap(_ -> seen);
        boolean blindnessChanged = !why.equals(whyBlind);
        whyBlind = why;
        if (takenOver.getAndSet(false) || blindnessChanged) {
            notifyAllChanged();
        }
    }

    private boolean isGone(PolicyId policy, LastDecision decision) {
        return uids.apply(policy).filter(decision.uid()::equals).isEmpty();
    }

    /** Drops what the scheduler remembers about a deleted policy. */
    public void forget(PolicyId policy) {
        decisions.remove(policy);
    }
}
