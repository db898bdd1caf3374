package dev.holdfast.policies.engine.protocol.ledger;

import dev.holdfast.policies.plan.domain.RememberedNodes;
import dev.holdfast.policies.plan.move.Moves;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What the next process of the operator must know, so that a restart lifts no brake and no limit.
 *
 * @param limits the evictions that limits count, futile moves and the slow start
 * @param moves the moves in flight
 * @param missing the moves that ended without a Ready replacement
 * @param nodes what is known of nodes and domains; absent if there was no room for it, or if an earlier version wrote
 *     this
 * @param policies the version of each policy that the operator may enforce, so that an edit is noticed that no operator
 *     saw; absent if there was no room for them. It is empty while the operator only audits
 * @param protection which pods the configuration kept from eviction; absent if an earlier version wrote this
 */
public record Ledger(
        Moves.Remembered limits,
        List<RememberedMove> moves,
        List<RememberedMove.Missing> missing,
        RememberedBrakes brakes,
        Optional<RememberedNodes> nodes,
        Optional<List<PolicyVersion>> policies,
        Optional<RememberedProtection> protection) {
    /**
     * How much later all instants are read than they were written, because the clocks of two processes are compared to
     * a second each. So no limit and no wait ends early.
     */
    public static final Duration READ_LATER = Duration.ofSeconds(2);

    /**
     * How inexact an instant may be that another process wrote: both compared their clocks to a second, rounded later.
     */
    public static final Duration INEXACT = READ_LATER.multipliedBy(2);

    public Ledger {
        moves = List.copyOf(moves);
        policies = policies.map(List::copyOf);
        if (moves.stream().anyMatch(move -> move.violation().isEmpty())) {
            throw new IllegalArgumentException("a move in flight without its violation");
        }
        missing = List.copyOf(missing);
    }

    /** Creates a ledger that does not say what the configuration kept from eviction. */
    public Ledger(
            Moves.Remembered limits,
            List<RememberedMove> moves,
            List<RememberedMove.Missing> missing,
            RememberedBrakes brakes,
            Optional<RememberedNodes> nodes,
            Optional<List<PolicyVersion>> policies) {
        this(limits, moves, missing, brakes, nodes, policies, Optional.empty());
    }

    /**
     * {@return ledgers with less and less, for a storage that has no room for all: first without domains and whose turn
     * is next, then without moves to and fro, then without futile moves, then without the versions of policies, then
     * without nodes, and at last with brakes that are {@linkplain RememberedBrakes#shorter shorter} and hold more}
     * Brakes, and moves in flight, are in all of them.
     */
    public List<Ledger> smaller() {
        Moves.Remembered nothing = Moves.Remembered.nothing();
        Ledger withoutTurns = with(new Moves.Remembered(
                limits.evictions(),
                limits.victims(),
                limits.futility(),
                limits.slowStart(),
                limits.repeated(),
                nothing.turns()));
        Ledger withoutRepeated = with(new Moves.Remembered(
                limits.evictions(),
                limits.victims(),
                limits.futility(),
                limits.slowStart(),
                List.of(),
                nothing.turns()));
        Ledger withoutFutile = with(new Moves.Remembered(
                limits.evictions(),
                limits.victims(),
                nothing.futility(),
                limits.slowStart(),
                List.of(),
                nothing.turns()));
        Ledger withoutNodes = new Ledger(
                withoutFutile.limits(), moves, missing, brakes, Optional.empty(), Optional.empty(), protection);
        return List.of(
                withoutTurns,
                withoutRepeated,
                withoutFutile,
                new Ledger(withoutFutile.limits(), moves, missing, brakes, fewerNodes(), Optional.empty(), protection),
                withoutNodes,
                withoutNodes.with(brakes.shorter()));
    }

    /** {@return this ledger with other brakes} */
    public Ledger with(RememberedBrakes other) {
        return new Ledger(limits, moves, missing, other, nodes, policies, protection);
    }

    private Ledger with(Moves.Remembered fewer) {
        return new Ledger(fewer, moves, missing, brakes, fewerNodes(), policies, protection);
    }

    private Optional<RememberedNodes> fewerNodes() {
        return nodes.map(RememberedNodes::withoutDomains);
    }

    /** {@return the ledger of an operator that has moved no pod yet} */
    public static Ledger empty() {
        return new Ledger(
                Moves.Remembered.nothing(),
                List.of(),
                List.of(),
                RememberedBrakes.none(),
                Optional.empty(),
                Optional.of(List.of()));
    }
}
