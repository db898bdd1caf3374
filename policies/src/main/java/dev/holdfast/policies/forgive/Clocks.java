package dev.holdfast.policies.forgive;

import dev.holdfast.policies.rule.RuleIdentity;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The clocks of all present violations. A clock starts at the first Violated verdict and is discarded at the first
 * Satisfied or Undetermined verdict. Therefore a rule that breaks and heals faster than its forgiveness is never due.
 */
public final class Clocks {
    private final NavigableMap<ViolationKey, Violation> violations = new TreeMap<>();

    /** Starts the clock of a violation at {@link Violation#since}. */
    public void put(Violation violation) {
        violations.put(violation.key(), violation);
    }

    /** Discards the clock of a violation that ended, for example because it healed or its pod is gone. */
    public void remove(ViolationKey key) {
        violations.remove(key);
    }

    /** {@return the violation with this key; empty if no clock runs for it} */
    public Optional<Violation> find(ViolationKey key) {
        return Optional.ofNullable(violations.get(key));
    }

    /** {@return the violation of this rule by this pod, on any node; empty if no clock runs for it} */
    public Optional<Violation> find(String podUid, RuleIdentity rule) {
        for (Violation violation : from(podUid)) {
            if (!violation.key().podUid().equals(podUid)) {
                break;
            }
            if (violation.key().rule().equals(rule)) {
                return Optional.of(violation);
            }
        }
        return Optional.empty();
    }

    /** {@return the violations of this pod, ordered by key} */
    public List<Violation> of(String podUid) {
        List<Violation> all = new ArrayList<>();
        for (Violation violation : from(podUid)) {
            if (!violation.key().podUid().equals(podUid)) {
                break;
            }
            all.add(violation);
        }
        return all;
    }

    /**
     * {@return the violations from the first of a pod on, ordered by key} One pod has few violations: an iterator finds
     * the next key without a search from the root, and looks for no end, as that of a range does.
     */
    private Collection<Violation> from(String podUid) {
        return violations.tailMap(ViolationKey.leastOf(podUid)).values();
    }

    /**
     * Changes the start of each clock, after a time when the operator did not observe the cluster.
     *
     * @param beginning computes the new start of the clock of a violation
     */
    public void restart(Function<Violation, Instant> beginning) {
        violations.replaceAll((_, violation) -> violation.since(beginning.apply(violation)));
    }

    /** {@return all violations, ordered by key; the collection changes with the clocks} */
    public Collection<Violation> all() {
        return Collections.unmodifiableCollection(violations.values());
    }
}
