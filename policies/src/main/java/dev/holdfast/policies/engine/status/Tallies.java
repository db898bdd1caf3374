package dev.holdfast.policies.engine.status;

import dev.holdfast.policies.engine.memory.Decisions;
import dev.holdfast.policies.engine.memory.Memory;
import dev.holdfast.policies.engine.memory.RequestedRules;
import dev.holdfast.policies.engine.memory.ViolationBook;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.rule.HeldRule;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The tallies of all policies: only violations that may stand otherwise than before are counted again. */
public final class Tallies implements Memory {
    private static final Tally NOTHING = new Tally();

    private final RequestedRules requested;
    private final ViolationBook book;
    private final Decisions decisions;
    private final Map<ViolationKey, Standing> standings = new HashMap<>();
    private final Map<PolicyId, Tally> tallies = new HashMap<>();
    private Instant counted = Instant.MIN;
    private long version;

    public Tallies(RequestedRules requested, ViolationBook book, Decisions decisions) {
        this.requested = requested;
        this.book = book;
        this.decisions = decisions;
    }

    /** Brings all tallies up to date. */
    void count(Instant now) {
        Set<ViolationKey> changed = book.takeChanged(counted, now);
        counted = now;
        for (ViolationKey key : changed) {
            Optional<Standing> before = Optional.ofNullable(standings.get(key));
            Optional<Standing> after = book.find(key).map(violation -> standing(violation, now));
            if (!before.equals(after)) {
                version++;
                before.ifPresent(this::remove);
                after.ifPresent(this::add);
            }
        }
    }

    private void add(Standing standing) {
        standings.put(standing.key(), standing);
        standing.lines()
                .forEach(line ->
                        tallies.computeIfAbsent(line.policy(), _ -> new Tally()).add(standing, line.rule(), version));
    }

    private void remove(Standing standing) {
        standings.remove(standing.key());
        for (Standing.Line line : standing.lines()) {
            Tally tally = of(line.policy());
            tally.remove(standing, line.rule(), version);
            if (tally.isEmpty()) {
                tallies.remove(line.policy());
            }
        }
    }

    private Standing standing(Violation violation, Instant now) {
        ViolationKey key = violation.key();
        List<Standing.Line> lines = requested.find(key).map(HeldRule::strongestAsks).stream()
                .flatMap(Collection::stream)
                .map(ask -> new Standing.Line(ask.policy(), ask.name()))
                .toList();
        Optional<Reason> held = decisions.holdOf(violation, now).map(Hold::reason);
        return new Standing(
                key, violation.since(), book.deadlines().of(key), decisions.stateOf(violation, now), held, lines);
    }

    /** {@return the tally of a policy as last counted} */
    Tally of(PolicyId policy) {
        return tallies.getOrDefault(policy, NOTHING);
    }

    @Override
    public int size() {
        return standings.size() + tallies.size();
    }
}
