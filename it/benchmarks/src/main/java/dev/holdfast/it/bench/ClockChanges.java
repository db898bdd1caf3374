package dev.holdfast.it.bench;

import dev.holdfast.it.bench.cluster.ChangeCommitter;
import dev.holdfast.it.bench.cluster.PlannedChange;
import dev.holdfast.it.bench.cluster.PlannedChanges;
import dev.holdfast.policies.rule.RuleKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * The label changes of the ledger bench.
 *
 * @param lasting those whose violations run clocks all the time
 * @param passing those that are made and reverted in turn meanwhile; they break other rules than the lasting ones
 */
record ClockChanges(List<PlannedChange> lasting, List<PlannedChange> passing) {
    /** Nodes keep their labels, because the label breaker would open. */
    private static final List<RuleKind> KINDS =
            List.of(RuleKind.POD_ANTI_AFFINITY, RuleKind.POD_AFFINITY, RuleKind.TOPOLOGY_SPREAD);

    /** The violations of the passing changes: enough that consecutive changes are independent if each is used again. */
    private static final int PASSING = 100;

    ClockChanges {
        lasting = List.copyOf(lasting);
        passing = List.copyOf(passing);
        if (passing.size() < ChangeCommitter.APART) {
            throw new IllegalArgumentException("only " + passing.size() + " changes can be made and reverted, not "
                    + ChangeCommitter.APART + ": give more --pods");
        }
    }

    /**
     * {@return changes whose violations run the given number of clocks or slightly more, and others}
     *
     * @throws IllegalArgumentException with a message of one line, if there are too few changes
     */
    static ClockChanges of(PlannedChanges planned, int clocks, Random random) {
        List<PlannedChange> lasting = new ArrayList<>();
        List<PlannedChange> passing = new ArrayList<>();
        int violations = 0;
        for (PlannedChange change : planned.together(KINDS, clocks + PASSING, random)) {
            if (violations < clocks) {
                lasting.add(change);
            } else {
                passing.add(change);
            }
            violations += change.expectedViolation().size();
        }
        return new ClockChanges(lasting, passing);
    }

    /** {@return how many violations the lasting changes cause} */
    int violations() {
        return violations(lasting);
    }

    static int violations(List<PlannedChange> changes) {
        return changes.stream()
                .mapToInt(change -> change.expectedViolation().size())
                .sum();
    }

    /** {@return this many passing changes; each is used again and again} */
    List<PlannedChange> passing(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> passing.get(i % passing.size()))
                .toList();
    }
}
