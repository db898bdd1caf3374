package dev.holdfast.policies.plan.move;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The slow start of moves: how many may be in flight, by the outcomes of the last moves. There is one number for the
 * cluster and one for each namespace. Each begins with 2. Each move whose replacement is Ready and satisfies the rule
 * allows one more. So if replacements cannot start anywhere, for example because a registry is down, only few pods are
 * lost. Owned by one thread.
 *
 * <p>A move without a Ready replacement lowers the number of its namespace to 1. The number of the cluster then loses
 * one, but stays at least 2, because the namespace may have a reason of its own. The number of the cluster falls to 1
 * only if failures in a row are of two tenants.
 *
 * <p>A namespace may start one move above the number of the cluster under three conditions. All moves in flight are of
 * other tenants. The namespaces of these moves are not {@linkplain Tenancy#areIndependent independent}. Each of these
 * namespaces has several moves in flight, or one after a failure. So no tenant can hold up the moves of others.
 *
 * <p>An allowance that a plan does not use is not kept: after each plan, at most one move more than are in flight is
 * allowed, or 2. Otherwise successes of a busy day would let many moves begin at once on a quiet one.
 *
 * <p>Example: 2 moves of namespace a are in flight, and both succeed: 4 are allowed. One of those 4 fails: 1 is allowed
 * in namespace a, so no further move of it starts while the other 3 are in flight. 3 are allowed in the cluster. All
 * these moves are of namespace a, so namespace b may start one. If that fails too, 1 is allowed in the cluster.
 */
public final class SlowStart {
    static final int AT_FIRST = 2;
    private static final int AFTER_A_FAILURE = 1;

    /**
     * How long successes count after the last one; later, only {@link #AT_FIRST} moves are allowed. The time is twice
     * the default time that a replacement may take.
     */
    static final Duration REST = Duration.ofMinutes(20);

    /** How long a failure counts if no move succeeds after it. */
    static final Duration KEPT = Duration.ofDays(1);

    private final Allowance ofCluster = new Allowance();

    /** The numbers of namespaces, without those that are still {@link #AT_FIRST}. */
    private final Map<String, Allowance> byNamespace = new HashMap<>();

    /** When a move of each namespace last failed, since the last success of any. */
    private final Map<String, Instant> failedInARow = new HashMap<>();

    private final ChangeCounter changes;
    private final Tenancy tenancy;

    /** @param changes counts the changes of everything that the ledger stores */
    SlowStart(ChangeCounter changes, Tenancy tenancy) {
        this.changes = changes;
        this.tenancy = tenancy;
    }

    /**
     * The slow start, for the next process of the operator.
     *
     * @param failedInARow when a move of each namespace last failed, since the last success of any
     */
    public record Remembered(
            OneAllowance ofCluster, Map<String, OneAllowance> byNamespace, Map<String, Instant> failedInARow) {
        /** The allowed number of moves in one scope, when a move last succeeded, and when one last failed. */
        public record OneAllowance(int allowed, Instant lastSuccess, Instant lastFailure) {}

        public Remembered {
            byNamespace = Map.copyOf(byNamespace);
            failedInARow = Map.copyOf(failedInARow);
        }
    }

    Remembered remembered() {
        Map<String, Remembered.OneAllowance> namespaces = new HashMap<>();
        byNamespace.forEach((namespace, allowance) -> namespaces.put(namespace, allowance.remembered()));
        return new Remembered(ofCluster.remembered(), namespaces, failedInARow);
    }

    /** Takes over stored numbers, each at most {@link #AT_FIRST}: successes do not count after a restart. */
    void recall(Remembered remembered) {
        ofCluster.recall(remembered.ofCluster());
        byNamespace.clear();
        remembered.byNamespace().forEach((namespace, allowance) -> of(namespace).recall(allowance));
        failedInARow.clear();
        failedInARow.putAll(remembered.failedInARow());
    }

    /** The allowed number of moves, and the times that change this number. */
    private static final class Allowance {
        private int allowed = AT_FIRST;
        private Instant lastSuccess = Instant.EPOCH;
        private Instant lastFailure = Instant.EPOCH;

        int allowed(Instant now) {
            boolean rested = !now.isBefore(lastSuccess.plus(REST));
            return rested ? Math.min(allowed, AT_FIRST) : allowed;
        }

        void succeeded(Instant now) {
            allowed = allowed(now) + 1;
            lastSuccess = now;
        }

        void rescued() {
            allowed = Math.max(allowed, AT_FIRST);
        }

        void failed(Instant now) {
            allowed = AFTER_A_FAILURE;
            lastFailure = now;
        }

        void losesOne() {
            allowed = Math.min(allowed, Math.max(AT_FIRST, allowed - 1));
        }

        /** {@return whether the number changes} */
        boolean endPlan(int inFlight) {
            int before = allowed;
            allowed = Math.min(allowed, Math.max(AT_FIRST, inFlight + 1));
            return allowed != before;
        }

        Remembered.OneAllowance remembered() {
            return new Remembered.OneAllowance(allowed, lastSuccess, lastFailure);
        }

        void recall(Remembered.OneAllowance remembered) {
            allowed = Math.clamp(remembered.allowed(), AFTER_A_FAILURE, AT_FIRST);
            lastSuccess = remembered.lastSuccess();
            lastFailure = remembered.lastFailure();
        }
    }

    /** Records a move of a namespace whose replacement is Ready and satisfies the rule. */
    public void succeeded(String namespace, Instant now) {
        ofCluster.succeeded(now);
        of(namespace).succeeded(now);
        failedInARow.clear();
        changes.changed();
    }

    /** Records a replacement that is Ready too late. At least two moves may then be in flight again. */
    public void rescued(String namespace) {
        ofCluster.rescued();
        of(namespace).rescued();
        failedInARow.remove(namespace);
        changes.changed();
    }

    /** Records a move of a namespace without a Ready replacement, although one was expected. */
    public void failed(String namespace, Instant now) {
        of(namespace).failed(now);
        failedInARow.put(namespace, now);
        failedInARow.values().removeIf(at -> at.isBefore(now.minus(KEPT)));
        if (failedInARow.keySet().stream().map(tenancy::tenantOf).distinct().count() > 1) {
            ofCluster.failed(now);
        } else {
            ofCluster.losesOne();
        }
        changes.changed();
    }

    private Allowance of(String namespace) {
        return byNamespace.computeIfAbsent(namespace, _ -> new Allowance());
    }

    /**
     * Drops the allowance that a plan did not use. Must be called after each plan, and a plan must follow each outcome.
     *
     * @param inFlight the number of moves in flight by namespace, with those of the plan; a namespace without any is
     *     absent
     */
    public void endPlan(Map<String, Integer> inFlight) {
        boolean fewer = ofCluster.endPlan(sum(inFlight));
        for (Map.Entry<String, Allowance> one : byNamespace.entrySet()) {
            fewer |= one.getValue().endPlan(inFlight.getOrDefault(one.getKey(), 0));
        }
        if (fewer) {
            changes.changed();
        }
        byNamespace.values().removeIf(allowance -> allowance.allowed == AT_FIRST);
    }

    /**
     * Forgets failures that are more than a day old.
     *
     * @param held whether a breaker holds a namespace, which begins with one move when it closes
     */
    public void forgetOld(Predicate<String> held, Instant now) {
        Instant aDayAgo = now.minus(KEPT);
        failedInARow.values().removeIf(at -> at.isBefore(aDayAgo));
        byNamespace
                .entrySet()
                .removeIf(entry -> !held.test(entry.getKey())
                        && entry.getValue().allowed == AFTER_A_FAILURE
                        && entry.getValue().lastFailure.isBefore(aDayAgo));
    }

    /** {@return the maximum number of moves in flight in the cluster, at least 1; operator limits may allow fewer} */
    public int allowed(Instant now) {
        return ofCluster.allowed(now);
    }

    /** {@return the maximum number of moves in flight of a namespace, at least 1} */
    public int allowedIn(String namespace, Instant now) {
        return Optional.ofNullable(byNamespace.get(namespace))
                .map(allowance -> allowance.allowed(now))
                .orElse(AT_FIRST);
    }

    /**
     * {@return whether the allowed number of moves in the cluster lets a namespace start a move}
     *
     * @param inFlight the number of moves in flight by namespace; a namespace without any is absent
     */
    public boolean clusterAllows(String namespace, Map<String, Integer> inFlight, Instant now) {
        return sum(inFlight) < allowed(now) || isHeldUpByFewOthers(namespace, inFlight, now);
    }

    private boolean isHeldUpByFewOthers(String namespace, Map<String, Integer> inFlight, Instant now) {
        String tenant = tenancy.tenantOf(namespace);
        return inFlight.entrySet().stream()
                        .allMatch(one -> !tenancy.tenantOf(one.getKey()).equals(tenant)
                                && (one.getValue() > 1 || allowedIn(one.getKey(), now) == AFTER_A_FAILURE))
                // Last, because it may count all namespaces of the cluster, and each candidate of a plan asks.
                && !tenancy.areIndependent(inFlight.keySet());
    }

    private static int sum(Map<String, Integer> inFlight) {
        return inFlight.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** {@return the number of stored entries} */
    public int size() {
        return byNamespace.size() + failedInARow.size();
    }
}
