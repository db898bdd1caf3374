package dev.holdfast.policies.plan.move;

import dev.holdfast.policies.plan.move.FutileStreak.FutileMove;
import dev.holdfast.policies.rule.RuleIdentity;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The rules that Holdfast has given up on, because moves for them were futile for many workloads. Owned by one thread.
 *
 * <p>If Holdfast has given up on {@link #WORKLOADS} workloads of a {@linkplain Tenancy#tenantOf tenant} that have
 * futile moves for the same rule, it gives up on the rule for the pods of all namespaces of this tenant. Holdfast gives
 * up on the rule for all pods if it has given up on that many workloads, of which each tenant counts at most {@link
 * #OF_ONE_TENANT}. So three tenants are needed, and none supplies most of the evidence against the others. A changed
 * node then allows one move for the rule, not one for each workload. If that move succeeds, each workload may try
 * again.
 *
 * <p>Example: 5 workloads of tenant a and 2 of b were given up for a rule. 5 are enough for tenant a, and 2 + 2 are too
 * few for all. One more workload of a tenant c makes 2 + 2 + 1.
 */
public final class FutileRules {
    /** The number of workloads without success for a rule after which Holdfast gives up on the rule. */
    static final int WORKLOADS = 5;

    /** The maximum number of workloads of one tenant that count towards giving up on the rule for all pods. */
    static final int OF_ONE_TENANT = 2;

    /** The maximum number of streaks, and of rules, in the ledger: a ConfigMap has room for about 6,000. */
    static final int MOST_REMEMBERED = 2_000;

    private final Collection<FutileStreak> streaks;
    private final Tenancy tenancy;

    /** When a move for each rule last succeeded, as long as some workload has futile moves for the rule. */
    private final Map<RuleIdentity, Instant> succeeded = new HashMap<>();

    /**
     * The number of futile moves for each rule since Holdfast gave up on it, of all pods or of each namespace. The
     * number of a tenant is the sum over its namespaces, because the tenant of a namespace may change.
     */
    private final Map<TriesOf, Integer> tries = new HashMap<>();

    /** The rules that Holdfast has given up on; empty if the list must be computed again. */
    private Optional<Map<Scope, FutileRule>> computed = Optional.empty();

    /** A rule and the pods for which Holdfast may give up on it: those of one tenant, or all if it is absent. */
    private record Scope(RuleIdentity rule, Optional<String> tenant) {}

    /** A rule and the namespace of the futile moves for it; absent if Holdfast gave up on the rule for all pods. */
    private record TriesOf(RuleIdentity rule, Optional<String> namespace) {}

    /** When a move for a rule last succeeded. */
    public record Success(RuleIdentity rule, Instant at) {}

    /**
     * The number of futile moves for a rule since Holdfast gave up on it.
     *
     * @param namespace the namespace of the moves; absent if Holdfast gave up on the rule for all pods
     */
    public record Tries(RuleIdentity rule, Optional<String> namespace, int number) {}

    /**
     * A rule that Holdfast has given up on, for all pods or for those of one tenant.
     *
     * @param tenant the {@linkplain Tenancy#tenantOf tenant} for whose pods Holdfast has given up on the rule; absent
     *     if for all pods
     * @param workloads the workloads whose moves were futile, by name; at least {@link #WORKLOADS}
     * @param last the last futile move for the rule, of any workload of these pods
     * @param tries the number of futile moves for the rule since Holdfast gave up on it
     */
    public record FutileRule(Optional<String> tenant, List<Workload> workloads, FutileMove last, int tries) {
        public FutileRule {
            workloads = List.copyOf(workloads);
        }

        /** {@return the earliest time of the next move for the rule, after a node has changed} */
        public Instant again() {
            return last.at().plus(FutileStreak.waitAfter(FutileStreak.TRIES + tries));
        }
    }

    /** @param streaks a live view of the futile moves of all owners */
    FutileRules(Collection<FutileStreak> streaks, Tenancy tenancy) {
        this.streaks = streaks;
        this.tenancy = tenancy;
    }

    List<Success> rememberedSuccesses() {
        return succeeded.entrySet().stream()
                .map(one -> new Success(one.getKey(), one.getValue()))
                .limit(MOST_REMEMBERED)
                .toList();
    }

    List<Tries> rememberedTries() {
        return tries.entrySet().stream()
                .map(one -> new Tries(one.getKey().rule(), one.getKey().namespace(), one.getValue()))
                .limit(MOST_REMEMBERED)
                .toList();
    }

    void recall(List<Success> successes, List<Tries> futile) {
        succeeded.clear();
        successes.forEach(one -> succeeded.put(one.rule(), one.at()));
        tries.clear();
        futile.forEach(one -> tries.put(new TriesOf(one.rule(), one.namespace()), one.number()));
        computed = Optional.empty();
    }

    /** Notes that the futile moves of an owner have changed. */
    void changed() {
        computed = Optional.empty();
        succeeded.keySet().removeIf(rule -> streaks.stream().noneMatch(streak -> streak.isFor(rule)));
    }

    /** Notes that namespaces may be of other tenants now, so that other workloads count together. */
    void tenantsChanged() {
        computed = Optional.empty();
    }

    /** Notes a futile move, before it is added to the streak of its owner. */
    void failed(RuleIdentity rule, String namespace) {
        of(rule, namespace)
                .ifPresent(futile ->
                        tries.merge(new TriesOf(rule, futile.tenant().map(_ -> namespace)), 1, Integer::sum));
    }

    void succeeded(RuleIdentity rule, Instant now) {
        succeeded.put(rule, now);
    }

    /** {@return the rule, if Holdfast has given up on the rule for pods of the namespace; else empty} */
    public Optional<FutileRule> of(RuleIdentity rule, String namespace) {
        if (!mayBeAny()) {
            return Optional.empty();
        }
        Map<Scope, FutileRule> all = computed.orElseGet(this::compute);
        computed = Optional.of(all);
        return Optional.ofNullable(all.get(new Scope(rule, Optional.empty())))
                .or(() -> Optional.ofNullable(all.get(new Scope(rule, Optional.of(tenancy.tenantOf(namespace))))));
    }

    /** {@return whether Holdfast has given up on the rule for pods of the namespace} */
    public boolean concerns(FutileRule rule, String namespace) {
        return rule.tenant().isEmpty() || rule.tenant().get().equals(tenancy.tenantOf(namespace));
    }

    /** {@return whether Holdfast may have given up on any rule; false only if it surely has not} */
    public boolean mayBeAny() {
        return streaks.size() >= WORKLOADS;
    }

    int size() {
        return succeeded.size() + tries.size();
    }

    private Map<Scope, FutileRule> compute() {
        Set<RuleIdentity> rules = new HashSet<>();
        streaks.forEach(streak -> streak.last().forEach(move -> move.rule().ifPresent(rules::add)));
        Map<Scope, Integer> triesIn = new HashMap<>();
        tries.forEach((of, number) -> triesIn.merge(scope(of), number, Integer::sum));
        Map<Scope, FutileRule> all = new HashMap<>();
        rules.forEach(rule -> compute(rule, triesIn, all));
        tries.keySet().removeIf(of -> !all.containsKey(scope(of)));
        return all;
    }

    private Scope scope(TriesOf tries) {
        return new Scope(tries.rule(), tries.namespace().map(tenancy::tenantOf));
    }

    private void compute(RuleIdentity rule, Map<Scope, Integer> triesIn, Map<Scope, FutileRule> all) {
        List<FutileStreak> futile = streaks.stream()
                .filter(streak -> lastFor(rule, streak)
                        .filter(last -> last.at().isAfter(succeeded.getOrDefault(rule, Instant.MIN)))
                        .isPresent())
                .toList();
        Map<String, List<FutileStreak>> byTenant = futile.stream()
                .collect(Collectors.groupingBy(
                        streak -> tenancy.tenantOf(streak.workload().name().namespace())));
        int counted = byTenant.values().stream()
                .mapToInt(own -> Math.min(OF_ONE_TENANT, givenUp(own).size()))
                .sum();
        Map<Scope, List<FutileStreak>> given = new HashMap<>();
        if (counted >= WORKLOADS) {
            given.put(new Scope(rule, Optional.empty()), futile);
        } else {
            byTenant.forEach((tenant, own) -> given.put(new Scope(rule, Optional.of(tenant)), own));
        }
        given.forEach((scope, own) -> {
            List<Workload> workloads = givenUp(own);
            if (workloads.size() >= WORKLOADS) {
                all.put(
                        scope,
                        new FutileRule(scope.tenant(), workloads, last(rule, own), triesIn.getOrDefault(scope, 0)));
            }
        });
    }

    private static FutileMove last(RuleIdentity rule, List<FutileStreak> futile) {
        return futile.stream()
                .flatMap(streak -> lastFor(rule, streak).stream())
                .max(Comparator.comparing(FutileMove::at))
                .orElseThrow();
    }

    private static Optional<FutileMove> lastFor(RuleIdentity rule, FutileStreak streak) {
        return streak.last().reversed().stream()
                .filter(move -> move.rule().filter(rule::equals).isPresent())
                .findFirst();
    }

    private static List<Workload> givenUp(List<FutileStreak> streaks) {
        return streaks.stream()
                .filter(streak -> streak.count() >= FutileStreak.TRIES)
                .map(FutileStreak::workload)
                .distinct()
                .sorted(Comparator.comparing(Workload::toString))
                .toList();
    }
}
