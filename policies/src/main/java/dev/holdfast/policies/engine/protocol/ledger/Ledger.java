package dev.holdfast.policies.engine.protocol.ledger;

import dev.holdfast.policies.plan.domain.RememberedNodes;
import dev.holdfast.policies.plan.move.Moves;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The stored state of the operator, which the next process reads, so that a restart lifts no brake and no limit.
 *
 * @param limits the evictions that limits count, futile moves and the slow start
 * @param moves the moves in flight
 * @param missing the moves that ended without a Ready replacement
 * @param nodes what is known of nodes and domains; absent if there was no room for it, or if an earlier version wrote
 *     this
 * @param policies the version of each policy that the operator may enforce, so that an edit is noticed that no operator
 *     saw; absent if there was no room for them. Empty while the operator only audits
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
     * The time that is added to each instant when it is read, because two processes know their clocks only to a second
     * each. So no limit and no wait ends early.
     */
    public static final Duration READ_LATER = Duration.ofSeconds(2);

    /**
     * The largest error of an instant that another process wrote: both compared their clocks to a second, rounded
     * later.
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

    /** Creates a ledger without the record of what the configuration kept from eviction. */
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
     * {@return ever smaller ledgers, for a storage that has no room for all} One after the other leaves out more:
     * domains and the turns of namespaces, moves to and fro, futile moves, the versions of policies, and nodes. The
     * last ledgers have brakes that are {@linkplain RememberedBrakes#shorter shorter} and hold more. All ledgers have
     * brakes and moves in flight.
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
