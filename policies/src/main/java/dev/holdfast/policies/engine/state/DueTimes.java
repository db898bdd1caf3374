package dev.holdfast.policies.engine.state;

import dev.holdfast.policies.forgive.Deadlines;
import dev.holdfast.policies.forgive.Postponement;
import dev.holdfast.policies.forgive.Restarts;
import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The deadlines of each running violation, one for each policy that requests its rule: the end of that policy's own
 * forgiveness. The violation is due at the first of these deadlines; policies in mode Audit do not count if another
 * policy enforces the rule.
 *
 * <p>Example: policy A forgives 60 s and B forgives 300 s. After 60 s the violation is due for A; B may evict only
 * after 300 s. If B is created 50 s after the violation began, its 300 s count from then.
 */
final class DueTimes implements ViolationMemory {
    private final RequestedRules requested;
    private final Readiness readiness;

    /** When each violation is due. */
    private final Deadlines due = new Deadlines();

    /**
     * The deadline of each policy, for violations whose rule several policies request. Other violations are only in
     * {@link #due}.
     */
    private final Map<ViolationKey, Map<PolicyId, Instant>> ofPolicies = new HashMap<>();

    /** All deadlines in {@link #ofPolicies}, sorted by time, so that the next one is found without a search. */
    private final NavigableSet<Crossing> crossings = new TreeSet<>();

    private final Restarts restarts = new Restarts();

    /**
     * The policies for which an earlier process observed a violation. The deadlines of these policies need not wait
     * until this replica has watched for long enough.
     */
    private final Map<ViolationKey, Set<PolicyId>> continued = new HashMap<>();

    /** The deadline of a violation for some policy; sorted by time. */
    private record Crossing(Instant at, ViolationKey key) implements Comparable<Crossing> {
        /** {@return where to start a search for deadlines later than an instant: it sorts before all of them} */
        static Crossing after(Instant instant) {
            return new Crossing(instant.plusNanos(1), ViolationKey.LEAST);
        }

        @Override
        public int compareTo(Crossing other) {
            int byTime = at.compareTo(other.at);
            return byTime != 0 ? byTime : key.compareTo(other.key);
        }
    }

    DueTimes(RequestedRules requested, Readiness readiness) {
        this.requested = requested;
        this.readiness = readiness;
    }

    /** {@return when each running violation is due} */
    Deadlines due() {
        return due;
    }

    /** {@return when a running violation is due for one policy that requests its rule} */
    Instant of(ViolationKey key, PolicyId policy) {
        Map<PolicyId, Instant> all = ofPolicies.get(key);
        return all == null ? due.of(key) : all.getOrDefault(policy, Instant.MAX);
    }

    /** {@return whether only one policy requests the rule of a violation} */
    boolean hasOne(ViolationKey key) {
        return !ofPolicies.containsKey(key);
    }

    /** {@return the next instant at which a violation becomes due for a policy; empty if there is none} */
    Optional<Instant> nextAfter(Instant now) {
        Optional<Instant> other =
                Optional.ofNullable(crossings.ceiling(Crossing.after(now))).map(Crossing::at);
        return Stream.of(due.nextAfter(now), other).flatMap(Optional::stream).min(Comparator.naturalOrder());
    }

    /** {@return the violations that became due for a policy after {@code after}, up to {@code now}; may repeat one} */
    Collection<ViolationKey> dueBetween(Instant after, Instant now) {
        List<ViolationKey> keys = new ArrayList<>(due.dueBetween(after, now));
        crossings.tailSet(Crossing.after(after), true).stream()
                .takeWhile(crossing -> !crossing.at().isAfter(now))
                .forEach(crossing -> keys.add(crossing.key()));
        return keys;
    }

    /** Computes the deadlines of a violation again. At least one policy must request the violated rule. */
    void update(Violation violation) {
        ViolationKey key = violation.key();
        AppliedRule rule = requested.get(key);
        forgetCrossings(key);
        restarts.retain(key, rule::isRequestedBy);
        if (rule.requests().size() == 1) {
            due.put(key, deadline(violation, rule, rule.requests().getFirst().policy()));
            return;
        }
        List<PolicyId> effective = rule.requestingPolicies(requested.ceiling());
        Map<PolicyId, Instant> all = new HashMap<>();
        effective.forEach(policy -> all.put(policy, deadline(violation, rule, policy)));
        Instant first = Collections.min(all.values());
        due.put(key, first);
        // An audit beside an enforcing policy has no decision of its own before the violation is due.
        for (AppliedRule.Request request : rule.requests()) {
            all.computeIfAbsent(request.policy(), policy -> later(first, deadline(violation, rule, policy)));
        }
        ofPolicies.put(key, all);
        all.values().forEach(at -> crossings.add(new Crossing(at, key)));
    }

    /** {@return the end of a policy's forgiveness, but not before this replica has watched long enough} */
    private Instant deadline(Violation violation, AppliedRule rule, PolicyId policy) {
        Instant forgiven =
                countedFrom(violation, rule, policy).plus(requested.forgiveness(violation.key(), rule, policy));
        boolean goesOn = continued.getOrDefault(violation.key(), Set.of()).contains(policy);
        return goesOn ? forgiven : later(forgiven, readiness.earliestDeadline());
    }

    /**
     * {@return from when a policy's forgiveness of a violation counts: the latest of the start of the violation, the
     * last restart of this forgiveness and, for an enforced rule, the instant since which this replica may enforce} For
     * an enforced rule, the instant is postponed by the gaps in which no replica led.
     */
    Instant countedFrom(Violation violation, AppliedRule rule, PolicyId policy) {
        Instant from = countedWithoutGaps(violation, rule, policy);
        return isEnforced(rule)
                ? readiness.afterGaps(requested.forgiveness(violation.key(), rule, policy), from)
                : from;
    }

    private Instant countedWithoutGaps(Violation violation, AppliedRule rule, PolicyId policy) {
        Instant from = countedFrom(violation, policy);
        return isEnforced(rule) ? later(from, readiness.enforcingSince()) : from;
    }

    private boolean isEnforced(AppliedRule rule) {
        return rule.mode(requested.ceiling()) == Mode.ENFORCE;
    }

    /** {@return when a policy's forgiveness of a violation started or last restarted} */
    Instant startedFrom(Violation violation, PolicyId policy) {
        return countedFrom(violation, policy);
    }

    private Instant countedFrom(Violation violation, PolicyId policy) {
        return later(violation.since(), restarts.of(violation.key(), policy));
    }

    /** {@return the number of policies whose forgiveness of a violation counts from an instant} */
    long countedFrom(Violation violation, Instant instant) {
        AppliedRule rule = requested.get(violation.key());
        return rule.policies()
                .filter(policy -> countedFrom(violation, rule, policy).equals(instant))
                .count();
    }

    /** {@return the number of policies whose forgiveness of a violation a postponement would start again now} */
    long restartedBy(Postponement later, Violation violation, Instant now) {
        AppliedRule rule = requested.get(violation.key());
        return rule.policies()
                .filter(policy -> {
                    Instant from = countedWithoutGaps(violation, rule, policy);
                    return from.isBefore(now)
                            && later.of(requested.forgiveness(violation.key(), rule, policy), from)
                                    .equals(now);
                })
                .count();
    }

    /**
     * Restarts a policy's forgiveness of a violation, which counts from now. The deadline changes with the next {@link
     * #update}.
     */
    void restart(ViolationKey key, PolicyId policy, Instant now) {
        restarts.restart(key, policy, now);
        continued.computeIfPresent(key, (_, policies) -> {
            Set<PolicyId> left = new HashSet<>(policies);
            left.remove(policy);
            return left.isEmpty() ? null : left;
        });
    }

    /**
     * Sets from when the forgiveness of a violation counts, for the policies for which an earlier process observed it.
     * For all others, the forgiveness counts as before.
     *
     * @return the new start of the violation, the earliest for any policy
     */
    Instant recall(Violation violation, Map<PolicyId, Instant> observed) {
        ViolationKey key = violation.key();
        AppliedRule rule = requested.get(key);
        Map<PolicyId, Instant> from = new HashMap<>();
        Instant since = violation.since();
        for (PolicyId policy : rule.policies().toList()) {
            Instant start =
                    Optional.ofNullable(observed.get(policy)).orElseGet(() -> countedFrom(violation, rule, policy));
            from.put(policy, start);
            since = start.isBefore(since) ? start : since;
        }
        from.values().removeIf(since::equals);
        restarts.replace(key, from);
        if (!observed.isEmpty()) {
            continued.put(key, Set.copyOf(observed.keySet()));
        }
        return since;
    }

    /**
     * Moves the instants from which the forgiveness of a violation counts, after a time in which changes may have been
     * missed.
     *
     * @param later computes the new instant from the forgiveness and the old instant
     * @return the new start of the violation, the earliest for any policy
     */
    Instant postpone(Violation violation, Postponement later) {
        ViolationKey key = violation.key();
        continued.remove(key);
        AppliedRule rule = requested.get(key);
        Map<PolicyId, Instant> from = new HashMap<>();
        Instant since = Instant.MAX;
        for (PolicyId policy : rule.policies().toList()) {
            Duration forgiveness = requested.forgiveness(key, rule, policy);
            from.put(policy, later.of(forgiveness, countedWithoutGaps(violation, rule, policy)));
            Instant start = later.of(forgiveness, violation.since());
            since = start.isBefore(since) ? start : since;
        }
        from.values().removeIf(since::equals);
        restarts.replace(key, from);
        return since;
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    private void forgetCrossings(ViolationKey key) {
        Objects.requireNonNullElse(ofPolicies.remove(key), Map.<PolicyId, Instant>of())
                .values()
                .forEach(at -> crossings.remove(new Crossing(at, key)));
    }

    @Override
    public void forget(ViolationKey key) {
        due.remove(key);
        restarts.forget(key);
        continued.remove(key);
        forgetCrossings(key);
    }

    @Override
    public int size() {
        return due.size() + ofPolicies.size() + crossings.size() + restarts.size() + continued.size();
    }
}
