package dev.holdfast.policies.plan;

import dev.holdfast.policies.plan.move.Moves;
import dev.holdfast.policies.plan.move.Scope;
import dev.holdfast.policies.plan.place.RoundRobin;
import dev.holdfast.policies.plan.situation.Candidate;
import dev.holdfast.policies.plan.situation.Situation;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/**
 * The order in which a plan decides about candidates, so that all share the limits: in turn by namespace, within a
 * namespace in turn by policy, and for each policy in victim order. The namespace whose last eviction is the longest ago
 * comes first, and so does the policy within a namespace.
 *
 * <p>Candidates of one scope, for example of pods that conflict with one another, stay in victim order, whatever their
 * namespaces. They take the turns of the first of them.
 *
 * <p>Example: namespace a has 1,000 candidates, b has one, and two evictions may be in flight. The first plan chooses
 * one pod of each. When a third may be in flight, a is alone, and a pod of a is chosen.
 */
final class FairOrder {
    private final Map<String, Instant> lastOfNamespace = new HashMap<>();
    private final Map<Turn, Instant> lastOfTurn = new HashMap<>();

    /** The turn of the first candidate of each scope. Sets of conflicting pods are compared by object identity. */
    private final Map<Scope.SameRule, Turn> ofSameRule = new HashMap<>();

    private final IdentityHashMap<Set<String>, Turn> ofConflict = new IdentityHashMap<>();

    /** The candidates that take turns together, because one policy requests them for pods of one namespace. */
    private record Turn(String namespace, PolicyId policy) {}

    private FairOrder(Collection<Moves.PastEviction> evictions) {
        for (Moves.PastEviction eviction : evictions) {
            lastOfNamespace.put(eviction.namespace(), eviction.at());
            lastOfTurn.put(new Turn(eviction.namespace(), eviction.policy()), eviction.at());
        }
    }

    /**
     * {@return the candidates in the order in which they are decided}
     *
     * @param inOrder candidates in victim order
     * @param policy the policy for which a candidate would be moved
     */
    static List<Candidate> of(List<Candidate> inOrder, Function<Candidate, PolicyId> policy, Situation situation) {
        if (inOrder.size() < 2) {
            return inOrder;
        }
        return new FairOrder(situation.moves().withinHour(situation.now())).inTurn(inOrder, policy);
    }

    private List<Candidate> inTurn(List<Candidate> inOrder, Function<Candidate, PolicyId> policy) {
        IdentityHashMap<Candidate, Turn> turns = new IdentityHashMap<>();
        inOrder.forEach(candidate -> turns.put(
                candidate, turnOf(candidate, new Turn(candidate.pod().namespace(), policy.apply(candidate)))));
        Function<Candidate, Turn> turn = candidate -> Objects.requireNonNull(turns.get(candidate));
        return RoundRobin.by(
                candidate -> turn.apply(candidate).namespace(),
                turn,
                inOrder.stream()
                        .sorted(Comparator.comparing(turn, longestAgoFirst()))
                        .toList());
    }

    private Comparator<Turn> longestAgoFirst() {
        return Comparator.comparing((Turn turn) -> lastOfNamespace.getOrDefault(turn.namespace(), Instant.MIN))
                .thenComparing(turn -> lastOfTurn.getOrDefault(turn, Instant.MIN));
    }

    private Turn turnOf(Candidate candidate, Turn own) {
        return switch (candidate.scope()) {
            case Scope.Alone _ -> own;
            case Scope.SameRule sameRule -> ofSameRule.computeIfAbsent(sameRule, _ -> own);
            case Scope.Conflicting(Set<String> uids) -> ofConflict.computeIfAbsent(uids, _ -> own);
        };
    }
}
