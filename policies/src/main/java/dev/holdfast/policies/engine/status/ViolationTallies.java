package dev.holdfast.policies.engine.status;

import dev.holdfast.policies.compact.CompactMap;
import dev.holdfast.policies.engine.state.Decisions;
import dev.holdfast.policies.engine.state.RequestedRules;
import dev.holdfast.policies.engine.state.SharedValues;
import dev.holdfast.policies.engine.state.ViolationBook;
import dev.holdfast.policies.engine.state.ViolationMemory;
import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The violation counts of all policies. Only violations that may have changed are counted again. */
public final class ViolationTallies implements ViolationMemory {
    private static final ViolationTally NOTHING = new ViolationTally();

    private final RequestedRules requested;
    private final ViolationBook book;
    private final Decisions decisions;
    private final Map<ViolationKey, CountedViolation> countedViolations = new CompactMap<>();
    private final Map<PolicyId, ViolationTally> tallies = new HashMap<>();
    private final SharedValues<CountedViolation> shared = new SharedValues<>();
    private Instant counted = Instant.MIN;
    private long version;

    public ViolationTallies(RequestedRules requested, ViolationBook book, Decisions decisions) {
        this.requested = requested;
        this.book = book;
        this.decisions = decisions;
    }

    /** Updates the counts of all policies. */
    void count(Instant now) {
        Set<ViolationKey> changed = book.takeChanged(counted, now);
        counted = now;
        for (ViolationKey key : changed) {
            Optional<CountedViolation> before = Optional.ofNullable(countedViolations.get(key));
            Optional<CountedViolation> after = book.find(key).map(violation -> counted(violation, now));
            if (!before.equals(after)) {
                version++;
                before.ifPresent(it -> remove(key, it));
                after.ifPresent(it -> add(key, it));
            }
        }
    }

    private void add(ViolationKey key, CountedViolation countedViolation) {
        countedViolations.put(key, countedViolation);
        countedViolation
                .lines()
                .forEach(line -> tallies.computeIfAbsent(line.policy(), _ -> new ViolationTally())
                        .add(key, countedViolation.since(), line, version));
    }

    private void remove(ViolationKey key, CountedViolation countedViolation) {
        countedViolations.remove(key);
        for (CountedViolation.Line line : countedViolation.lines()) {
            ViolationTally violationTally = of(line.policy());
            violationTally.remove(key, countedViolation.since(), line, version);
            if (violationTally.isEmpty()) {
                tallies.remove(line.policy());
            }
        }
    }

    private CountedViolation counted(Violation violation, Instant now) {
        List<CountedViolation.Line> lines = requested.find(violation.key()).map(AppliedRule::strongestRequests).stream()
                .flatMap(Collection::stream)
                .map(request -> line(violation, request, now))
                .toList();
        return shared.of(new CountedViolation(violation.since(), lines));
    }

    private CountedViolation.Line line(Violation violation, AppliedRule.Request request, Instant now) {
        PolicyId policy = request.policy();
        return new CountedViolation.Line(
                policy,
                request.name(),
                book.deadline(violation.key(), policy),
                decisions.stateOf(violation, policy, now),
                decisions.holdOf(violation, policy, now).map(Hold::reason));
    }

    /** {@return the violation counts of a policy at the last update; empty counts if it has no violation} */
    ViolationTally of(PolicyId policy) {
        return tallies.getOrDefault(policy, NOTHING);
    }

    @Override
    public int size() {
        return countedViolations.size() + tallies.size();
    }
}
