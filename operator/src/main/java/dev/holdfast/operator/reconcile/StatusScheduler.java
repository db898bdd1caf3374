package dev.holdfast.operator.reconcile;

import dev.holdfast.crds.v1alpha1.status.PolicyCondition;
import dev.holdfast.crds.v1alpha1.status.PolicyStatus;
import dev.holdfast.operator.publish.Metrics;
import dev.holdfast.operator.publish.Metrics.Readiness;
import dev.holdfast.operator.translate.Translation;
import dev.holdfast.policies.plan.conduct.DisruptionControls;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a policy's status is written. Only the leader writes, and only a changed status: the first time at once,
 * then at most once per interval. A new generation and the engine's first report about it do not wait for the interval.
 */
public final class StatusScheduler {
    /** How long an edit may take to be evaluated before the status shows that it is not. */
    private static final Duration EVALUATION = Duration.ofSeconds(2);

    /** How long the status of an earlier run is kept while this run reads the cluster. */
    private static final Duration EVALUATION_AFTER_START = Duration.ofSeconds(30);

    /** How long the watch may take to show a write. After that, the status on the object counts. */
    private static final Duration COMING_BACK = Duration.ofSeconds(5);

    /** How long a view may be lost before statuses report it: a relist takes at most some seconds. */
    private static final Duration BLINK = Duration.ofSeconds(10);

    private final PolicyReports reports;
    private final BooleanSupplier leads;
    private final Supplier<Optional<String>> missing;
    private final Metrics metrics;
    private final InstantSource clock;
    private final Duration interval;

    private volatile Optional<String> whyCapped = Optional.empty();
    private volatile Optional<String> whyBlind = Optional.empty();

    /** When the status of a policy changes next with time alone. */
    private final Map<PolicyId, Instant> changes = new ConcurrentHashMap<>();

    /** Since when a view is not synced. Used only by the thread that calls {@link #look}. */
    private Optional<Instant> blindSince = Optional.empty();

    private final Map<PolicyId, Memory> memories = new ConcurrentHashMap<>();
    private final Set<PolicyId> known = ConcurrentHashMap.newKeySet();

    /**
     * The last write. Whether it succeeded is known only when the watch shows it.
     *
     * @param evaluated whether the engine had reported on the policy
     * @param counted the time of the last write that counts for the interval
     */
    private record Memory(String uid, PolicyStatus written, boolean evaluated, Instant at, Optional<Instant> counted) {}

    /**
     * A scheduler that has written nothing yet.
     *
     * @param missing which view of the cluster is not synced, and why; empty if all are synced
     * @param interval the least time between two writes of one policy's status
     */
    public StatusScheduler(
            PolicyReports reports,
            BooleanSupplier leads,
            Supplier<Optional<String>> missing,
            Metrics metrics,
            InstantSource clock,
            Duration interval) {
        this.reports = reports;
        this.leads = leads;
        this.missing = missing;
        this.metrics = metrics;
        this.clock = clock;
        this.interval = interval;
    }

    /**
     * {@return what to do now}
     *
     * @param seen the status on the object as last seen
     * @param again whether the last write failed
     */
    StatusDecision decide(PolicyId policy, PolicyEntry entry, Optional<PolicyStatus> seen, boolean again) {
        Instant now = clock.instant();
        known.add(policy);
        PolicyStanding policyStanding = new PolicyStanding(entry, reports.look(policy), whyCapped, whyBlind);
        Optional<Memory> memory =
                Optional.ofNullable(memories.get(policy)).filter(it -> it.uid().equals(entry.uid()));
        Optional<Memory> underWay = memory.filter(
                it -> !again && remaining(it.at(), COMING_BACK, now).isPresent());
        Optional<PolicyStatus> before = underWay.map(Memory::written).or(() -> seen);
        List<PolicyCondition> conditions = before.map(PolicyStatus::conditions).orElse(List.of());
        PolicyStatus draft = StatusDraft.of(policyStanding, conditions, now);
        metrics.ready(policy, readiness(draft));
        changes.compute(policy, (_, _) -> nextChange(entry, now));
        if (!leads.getAsBoolean()) {
            return new StatusDecision.Leave();
        }
        if (before.filter(draft::equals).isPresent()) {
            return underWay.filter(_ -> seen.filter(draft::equals).isEmpty())
                    .flatMap(it -> remaining(it.at(), COMING_BACK, now))
                    .<StatusDecision>map(StatusDecision.Later::new)
                    .orElseGet(StatusDecision.Leave::new);
        }
        boolean edited = before.filter(it -> draft.observedGeneration() != null
                        && draft.observedGeneration().equals(it.observedGeneration()))
                .isEmpty();
        if (before.isPresent() && unevaluated(policyStanding)) {
            Duration patience = edited ? EVALUATION : EVALUATION_AFTER_START;
            Optional<Duration> wait = remaining(entry.readAt(), patience, now);
            if (wait.isPresent()) {
                return new StatusDecision.Later(wait.get());
            }
        }
        Optional<Instant> counted = memory.flatMap(Memory::counted);
        boolean first = !unevaluated(policyStanding)
                && memory.filter(it -> !it.evaluated()).isPresent();
        Optional<Duration> wait = counted.filter(_ -> !edited && !first).flatMap(it -> remaining(it, interval, now));
        if (wait.isPresent()) {
            reports.hush(policy);
            return new StatusDecision.Later(wait.get());
        }
        memories.put(
                policy,
                new Memory(entry.uid(), draft, !unevaluated(policyStanding), now, edited ? counted : Optional.of(now)));
        return new StatusDecision.Write(draft);
    }

    private static @Nullable Instant nextChange(PolicyEntry entry, Instant now) {
        return entry.translation() instanceof Translation.Understood(var _, DisruptionControls disruptionControls)
                ? SpecWarnings.nextChange(disruptionControls, now).orElse(null)
                : null;
    }

    /** {@return whether the engine has the policy but has not reported on it yet} */
    private static boolean unevaluated(PolicyStanding policyStanding) {
        return policyStanding.entry().inForce().isPresent()
                && policyStanding.evaluated().isEmpty();
    }

    private static Optional<Duration> remaining(Instant from, Duration length, Instant now) {
        return Optional.of(Duration.between(now, from.plus(length))).filter(Duration::isPositive);
    }

    private static Readiness readiness(PolicyStatus status) {
        return status.conditions().stream()
                        .anyMatch(it -> it.type().equals(ConditionType.READY.label())
                                && it.status().equals(PolicyConditions.TRUE))
                ? Readiness.READY
                : Readiness.NOT_READY;
    }

    /** {@return whether this replica leads now, and may write statuses} */
    boolean leads() {
        return leads.getAsBoolean();
    }

    /**
     * Triggers a reconciliation of every policy. A new leader writes the statuses that it did not write as a standby.
     */
    public void takeOver() {
        known.forEach(reports::notifyChanged);
    }

    /**
     * Takes why no policy may enforce now; empty if policies may. A change of only the reason triggers a reconciliation
     * of every policy, since the engine knows the modes but not the reason.
     */
    public void capped(Optional<String> why) {
        Optional<String> before = whyCapped;
        whyCapped = why;
        if (before.isPresent() && why.isPresent() && !before.equals(why)) {
            known.forEach(reports::notifyChanged);
        }
    }

    /**
     * Triggers a reconciliation of every policy when the unsynced view to report changes; statuses report a view after
     * ten seconds. Also triggers those of policies whose status has changed with time. To be called each second, by one
     * thread.
     *
     * <p>It polls, since each view is lost and synced on its own thread, so callbacks would have no order.
     */
    void look() {
        Instant now = clock.instant();
        changes.forEach((policy, change) -> {
            if (!now.isBefore(change) && changes.remove(policy, change)) {
                reports.notifyChanged(policy);
            }
        });
        Optional<String> seen = missing.get();
        blindSince = seen.map(_ -> blindSince.orElse(now));
        Optional<String> why = blindSince
                .filter(since -> remaining(since, BLINK, now).isEmpty())
                .flatMap(_ -> seen);
        if (!why.equals(whyBlind)) {
            whyBlind = why;
            known.forEach(reports::notifyChanged);
        }
    }

    /** Drops the state of a deleted policy. */
    public void forget(PolicyId policy) {
        known.remove(policy);
        memories.remove(policy);
        changes.remove(policy);
    }
}
