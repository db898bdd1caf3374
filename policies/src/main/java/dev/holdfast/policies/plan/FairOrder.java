package dev.holdfast.policies.plan;

import dev.holdfast.policies.plan.feasibility.RoundRobin;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.plan.move.Moves;
import dev.holdfast.policies.plan.move.Scope;
import dev.holdfast.policies.plan.move.TurnHistory;
import dev.holdfast.policies.plan.move.TurnHistory.Turn;
import dev.holdfast.policies.rule.PolicyId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The order in which a plan decides about candidates, so that all share the limits: in turn by namespace, within a
 * namespace in turn by policy, and for each policy in victim order. The namespace whose last eviction is the longest
 * ago comes first, and so does the policy within a namespace. Of policies never served, cluster policies come first.
 *
 * <p>Candidates of one scope, for example of pods that conflict with one another, take the turns of the first of them,
 * whatever their namespaces. Candidates that a cluster policy enforces come first, so that no tenant can put pods of
 * its own in the way. The others stay in victim order.
 *
 * <p>Example: namespace a has 1,000 candidates, b has one, and two evictions may be in flight. The first plan chooses
 * one pod of each. When a third may be in flight, a is alone, and a pod of a is chosen.
 */
final class FairOrder {
    private final Moves moves;

    /** The turn of the first candidate of each scope. Sets of conflicting pods are compared by object identity. */
    private final Map<Scope.SameRule, Turn> ofSameRule = new HashMap<>();

    private final IdentityHashMap<Set<String>, Turn> ofConflict = new IdentityHashMap<>();

    private FairOrder(Moves moves) {
        this.moves = moves;
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
        return new FairOrder(situation.moves()).inTurn(inOrder, policy);
    }

    private List<Candidate> inTurn(List<Candidate> inOrder, Function<Candidate, PolicyId> policy) {
        IdentityHashMap<Candidate, Turn> turns = new IdentityHashMap<>();
        Function<Candidate, Turn> turn = candidate -> Objects.requireNonNull(turns.get(candidate));
        // Stored, because finding the policy runs all checks.
        inOrder.forEach(
                candidate -> turns.put(candidate, new Turn(candidate.pod().namespace(), policy.apply(candidate))));
        List<Candidate> clusterFirst = inOrder.stream()
                .sorted(Comparator.comparing(
                        candidate -> !turn.apply(candidate).policy().isOfCluster()))
                .toList();
        clusterFirst.forEach(candidate -> turns.put(candidate, turnOf(candidate, turn.apply(candidate))));
        return RoundRobin.by(
                candidate -> turn.apply(candidate).namespace(),
                turn,
                clusterFirst.stream()
                        .sorted(Comparator.comparing(turn, longestAgoFirst()))
                        .toList());
    }

    private Comparator<Turn> longestAgoFirst() {
        Set<Turn> pending = moves.inFlight().stream()
                .filter(Move::pending)
                .map(move -> new Turn(move.victim().namespace(), move.policy()))
                .collect(Collectors.toSet());
        Set<String> pendingNamespaces = pending.stream().map(Turn::namespace).collect(Collectors.toSet());
        TurnHistory history = moves.turns();
        return Comparator.comparingLong((Turn turn) ->
                        pendingNamespaces.contains(turn.namespace()) ? Long.MAX_VALUE : history.last(turn.namespace()))
                .thenComparingLong(turn -> pending.contains(turn) ? Long.MAX_VALUE : history.last(turn));
    }

    private Turn turnOf(Candidate candidate, Turn own) {
        return switch (candidate.scope()) {
            case Scope.Alone _ -> own;
            case Scope.SameRule sameRule -> ofSameRule.computeIfAbsent(sameRule, _ -> own);
            case Scope.Conflicting(Set<String> uids) -> ofConflict.computeIfAbsent(uids, _ -> own);
        };
    }
}
