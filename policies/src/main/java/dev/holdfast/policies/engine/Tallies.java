package dev.holdfast.policies.engine;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.plan.Hold;
import dev.holdfast.policies.rule.HeldRule;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Instant;
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

    Tallies(State state) {
        this.state = state;
    }

    /** Brings all tallies up to date. */
    void count(Instant now) {
        state.restless.addAll(state.deadlines.dueBetween(counted, now));
        counted = now;
        for (ViolationKey key : state.restless) {
            Standing before = standings.remove(key);
            if (before != null) {
                before.lines().forEach(line -> uncount(before, line));
            }
            state.clocks.find(key).ifPresent(violation -> {
                Standing after = standing(violation, now);
                standings.put(key, after);
                after.lines()
                        .forEach(line -> tallies.computeIfAbsent(line.policy(), _ -> new Tally())
                                .add(after, line.rule()));
            });
        }
        state.restless.clear();
    }

    private void uncount(Standing standing, Standing.Line line) {
        of(line.policy()).remove(standing, line.rule());
    }

    private Standing standing(Violation violation, Instant now) {
        ViolationKey key = violation.key();
        HeldRule rule = state.asked(key).orElseThrow();
        List<Standing.Line> lines = rule.strongestAsks().stream()
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

    /** Forgets the tally of a policy that is gone, and with it all its violations. */
    void forget(PolicyId policy) {
        tallies.remove(policy);
    }

    /** {@return the entries that must shrink with the cluster} */
    int size() {
        return standings.size();
    }
}
