package dev.holdfast.policies.engine.ledger;

import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.protocol.ledger.ClockShard;
import dev.holdfast.policies.engine.protocol.ledger.Ledger;
import dev.holdfast.policies.engine.protocol.ledger.RememberedClock;
import dev.holdfast.policies.engine.state.Readiness;
import dev.holdfast.policies.engine.state.RequestedRules;
import dev.holdfast.policies.engine.state.ViolationBook;
import dev.holdfast.policies.forgive.Cause;
import dev.holdfast.policies.forgive.ClockShards;
import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.controls.KeepAnnotations;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.VictimChoice;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Converts running clocks into their stored form, and decides after a restart which clocks go on. Only time that an
 * operator observed counts. The time in between, the gap, adds nothing. After a long gap, the clock starts again.
 *
 * <p>Example: with a forgiveness of 300 s, a violation was observed for 200 s. The next process sees it again 40 s
 * later, so the violation is due 100 s after that. After a gap of 61 s, the violation would be due 300 s later.
 */
final class ClockRecall {
    /** The longest gap after which a clock goes on. */
    private static final Duration LONGEST_GAP = Duration.ofSeconds(60);

    /** The part of its forgiveness (a fifth) that a gap may last at most, so that a clock goes on. */
    private static final int SHARE = 5;

    /** The largest error of a measured gap, because two processes compared their clocks with the API server's. */
    private static final Duration INEXACT = Ledger.INEXACT;

    /**
     * The maximum number of violations that one write reads, audited ones included, so that a storm does not stop the
     * engine.
     */
    private static final int MOST_SEEN = 100_000;

    /** A time later than any deadline. */
    private static final Duration FAR = Duration.ofDays(36_500);

    /** The maximum number of violations that are stored: those that are due first. */
    private static final int MOST = 50_000;

    /** The maximum number of clocks in a part: a ConfigMap has room for about 10,000. */
    private static final int MOST_IN_PART = 8_000;

    private final LiveCluster cluster;
    private final RequestedRules requested;
    private final ViolationBook book;
    private final Readiness readiness;

    ClockRecall(LiveCluster cluster, RequestedRules requested, ViolationBook book, Readiness readiness) {
        this.cluster = cluster;
        this.requested = requested;
        this.book = book;
        this.readiness = readiness;
    }

    /** {@return whether any policy may evict, so that clocks are worth storing} */
    boolean isWorthwhile() {
        return requested.ceiling() == Mode.ENFORCE
                && cluster.index().policies().stream()
                        .anyMatch(policy -> policy.mode() == Mode.ENFORCE
                                || policy.enforcements().anyMatch(it -> it.mode() == Mode.ENFORCE));
    }

    /**
     * {@return the clocks of enforced rules, by part} The clock of a pod that an annotation keeps is not stored, nor
     * the clock of a rule owner whose possible victims are kept: a user may remove the annotation unseen while no
     * operator runs.
     */
    Map<Integer, List<RememberedClock>> remembered(ClockShards shards, Instant now) {
        Map<Integer, List<RememberedClock>> remembered = new HashMap<>();
        int stored = 0;
        for (ViolationKey key : dueNextFirst(now)) {
            if (stored >= MOST) {
                break;
            }
            stored += isEnforced(key) ? 1 : 0;
            int shard = ClockShards.of(key.podUid());
            if (shards.isChanged(shard)) {
                remember(key, remembered.computeIfAbsent(shard, _ -> new ArrayList<>()), now);
            }
        }
        return remembered;
    }

    /**
     * {@return the violations in the order in which they are stored while there is room: the next due ones first, then
     * those already due and held, maybe for weeks}
     */
    private List<ViolationKey> dueNextFirst(Instant now) {
        List<ViolationKey> keys = new ArrayList<>(book.deadlines().dueBetween(now, now.plus(FAR)));
        keys.addAll(book.deadlines().dueAt(now));
        return keys.subList(0, Math.min(keys.size(), MOST_SEEN));
    }

    private boolean isEnforced(ViolationKey key) {
        return requested.get(key).mode(requested.ceiling()) == Mode.ENFORCE;
    }

    private void remember(ViolationKey key, List<RememberedClock> clocks, Instant now) {
        if (!isEnforced(key)) {
            return;
        }
        AppliedRule rule = requested.get(key);
        Violation violation = book.find(key).orElseThrow();
        Pod pod = cluster.pod(key.podUid()).orElseThrow();
        for (PolicyId policy : rule.requestingPolicies(requested.ceiling())) {
            if (clocks.size() < MOST_IN_PART && isStored(rule, policy, pod)) {
                clocks.add(new RememberedClock(
                        key.podUid(),
                        key.rule(),
                        policy,
                        requested.version(policy),
                        requested.forgiveness(key, rule, policy),
                        observed(book.countedFrom(violation, policy), now)));
            }
        }
    }

    private static Duration observed(Instant from, Instant now) {
        return from.isBefore(now) ? Duration.between(from, now).truncatedTo(ChronoUnit.MILLIS) : Duration.ZERO;
    }

    private boolean isStored(AppliedRule rule, PolicyId policy, Pod pod) {
        boolean ofOwner =
                rule.effectiveRequest(policy, requested.ceiling()).enforcement().victim() == VictimChoice.RULE_OWNER;
        boolean kept = requested.controlsOf(policy).overrides().honored()
                && KeepAnnotations.annotationsOf(pod, cluster).stream()
                        .anyMatch(it -> it.keep() || it.keepUntil().isPresent());
        return ofOwner && !kept;
    }

    /** Lets the clocks go on that an earlier process stored, as far as that is safe. */
    void recall(List<ClockShard> shards, Duration steadyAhead) {
        Map<ViolationKey, Map<PolicyId, Instant>> goingOn = new HashMap<>();
        long restarted = 0;
        for (ClockShard shard : shards) {
            for (RememberedClock clock : shard.clocks()) {
                Optional<Violation> running = book.find(clock.podUid(), clock.rule());
                if (running.isPresent()) {
                    Optional<Instant> from = from(clock, shard.until(), running.get(), steadyAhead);
                    from.ifPresent(at -> goingOn.computeIfAbsent(running.get().key(), _ -> new HashMap<>())
                            .put(clock.policy(), at));
                    restarted += from.isEmpty() ? 1 : 0;
                }
            }
        }
        book.recall(goingOn, restarted);
    }

    /**
     * {@return from when the forgiveness counts as if this process had observed all of it; empty if the forgiveness
     * starts again}
     */
    private Optional<Instant> from(RememberedClock clock, Instant until, Violation violation, Duration steadyAhead) {
        AppliedRule rule = requested.get(violation.key());
        boolean same = rule.requestingPolicies(requested.ceiling()).contains(clock.policy())
                && requested.version(clock.policy()).equals(clock.version())
                && requested.forgiveness(violation.key(), rule, clock.policy()).compareTo(clock.forgiveness()) >= 0;
        if (!same) {
            return Optional.empty();
        }
        Instant seen = later(violation.since(), readiness.gaplessSince());
        // As all instants of the API server's clock that limit something, this one counts as later: the clocks of two
        // machines are compared to a second, and the time of the binding is a whole second.
        Instant bound = cluster.pod(clock.podUid())
                .orElseThrow()
                .life()
                .boundTime()
                .plus(steadyAhead)
                .plus(Ledger.READ_LATER);
        if (!seen.isAfter(until.minus(INEXACT))) {
            // This replica watched meanwhile, and saw no end of the violation. Maybe it saw its beginning too.
            Instant begun = violation.cause() instanceof Cause.FoundAtStart ? bound : later(bound, violation.since());
            return Optional.of(later(until.minus(clock.observed()), begun));
        }
        boolean found = violation.cause() instanceof Cause.FoundAtStart;
        Duration gap = Duration.between(until, seen).plus(INEXACT);
        // If this replica saw the violation just before the last write, the time of both counts once.
        return found && gap.compareTo(longestGap(clock.forgiveness())) <= 0
                ? Optional.of(later(later(seen, until).minus(clock.observed()), bound))
                : Optional.empty();
    }

    private static Duration longestGap(Duration forgiveness) {
        Duration part = forgiveness.dividedBy(SHARE);
        return part.compareTo(LONGEST_GAP) < 0 ? part : LONGEST_GAP;
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }
}
