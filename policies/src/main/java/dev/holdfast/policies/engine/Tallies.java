package dev.holdfast.policies.engine;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.plan.Hold;
import dev.holdfast.policies.rule.HeldRule;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The tallies of all policies: only violations that may stand otherwise than before are counted again. */
final class Tallies {
    private static final Tally NOTHING = new Tally();

    private final State state;
    private final Map<ViolationKey, Standing> standings = new HashMap<>();
    private final Map<PolicyId, Tally> tallies = new HashMap<>();
    private Instant counted = Instant.MIN;
    private long version;

    Tallies(State state) {
        this.state = state;
    }

    /** Brings all tallies up to date. */
    void count(Instant now) {
        state.restless.addAll(state.deadlines.dueBetween(counted, now));
        counted = now;
        for (ViolationKey key : state.restless) {
            Optional<Standing> before = Optional.ofNullable(standings.get(key));
            Optional<Standing> after = state.clocks.find(key).map(violation -> standing(violation, now));
            if (!before.equals(after)) {
                version++;
                before.ifPresent(this::remove);
                after.ifPresent(this::add);
            }
        }
        state.restless.clear();
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
        List<Standing.Line> lines = state.asked(key).map(HeldRule::strongestAsks).stream()
                .flatMap(Collection::stream)
                .map(ask -> new Standing.Line(ask.policy(), ask.name()))
                .toList();
        Optional<Reason> held = state.hold(violation, now).map(Hold::reason);
        return new Standing(
                key, violation.since(), state.deadlines.of(key), state.stateOf(violation, now), held, lines);
    }

    /** {@return the tally of a policy as last counted} */
    Tally of(PolicyId policy) {
        return tallies.getOrDefault(policy, NOTHING);
    }

    /** {@return the entries that must shrink with the cluster} */
    int size() {
        return standings.size() + tallies.size();
    }
}
