package dev.holdfast.policies.forgive;

import dev.holdfast.policies.rule.RuleIdentity;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The clocks of all present violations. A clock starts at the first Violated verdict and is discarded at the first
 * Satisfied or Undetermined verdict. Therefore a rule that flaps faster than its forgiveness is never due.
 */
public final class Clocks {
    private final NavigableMap<ViolationKey, Violation> violations = new TreeMap<>();

    /** Starts the clock of a violation. */
    public void put(Violation violation) {
        violations.put(violation.key(), violation);
    }

    /** Discards a clock: the violation healed, became undetermined, its pod is gone, or no policy requests the rule. */
    public void remove(ViolationKey key) {
        violations.remove(key);
    }

    /** {@return the violation with this key; empty if no such clock runs} */
    public Optional<Violation> find(ViolationKey key) {
        return Optional.ofNullable(violations.get(key));
    }

    /** {@return the violation of a rule by a pod, on any node} */
    public Optional<Violation> find(String podUid, RuleIdentity rule) {
        // One pod has few violations: stepping from key to key costs less than a stream or a submap.
        Map.Entry<ViolationKey, Violation> next = violations.ceilingEntry(ViolationKey.leastOf(podUid));
        while (next != null && next.getKey().podUid().equals(podUid)) {
            if (next.getKey().rule().equals(rule)) {
                return Optional.of(next.getValue());
            }
            next = violations.higherEntry(next.getKey());
        }
        return Optional.empty();
    }

    /** Gives every violation a new start instant, after a time in which the cluster could not be observed. */
    public void restart(Function<Violation, Instant> beginning) {
        violations.replaceAll((_, violation) -> violation.since(beginning.apply(violation)));
    }

    /** {@return all violations, ordered by key; a live view} */
    public Collection<Violation> all() {
        return Collections.unmodifiableCollection(violations.values());
    }
}
