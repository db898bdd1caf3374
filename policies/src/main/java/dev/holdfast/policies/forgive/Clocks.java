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
 * The clocks of all violations. A clock starts at the first Violated verdict and is forgotten at the first that is not,
 * be it Satisfied or Undetermined; so a rule that flaps faster than its forgiveness is never due.
 */
public final class Clocks {
    private final NavigableMap<ViolationKey, Violation> violations = new TreeMap<>();

    /** Starts a clock. */
    public void put(Violation violation) {
        violations.put(violation.key(), violation);
    }

    /** Stops a clock: the rule holds again, nobody can tell any more, its pod is gone, or nobody asks for it. */
    public void remove(ViolationKey key) {
        violations.remove(key);
    }

    /** {@return the violation whose clock runs} */
    public Optional<Violation> find(ViolationKey key) {
        return Optional.ofNullable(violations.get(key));
    }

    /** {@return the violation of a rule by a pod, on whichever node} */
    public Optional<Violation> find(String podUid, RuleIdentity rule) {
        // From one to the next: a stream, or a view of what comes after, costs more than all there is of one pod.
        Map.Entry<ViolationKey, Violation> next = violations.ceilingEntry(ViolationKey.leastOf(podUid));
        while (next != null && next.getKey().podUid().equals(podUid)) {
            if (next.getKey().rule().equals(rule)) {
                return Optional.of(next.getValue());
            }
            next = violations.higherEntry(next.getKey());
        }
        return Optional.empty();
    }

    /** Sets the beginning of every violation anew, after a time in which nothing could be observed. */
    public void restart(Function<Violation, Instant> beginning) {
        violations.replaceAll((_, violation) -> violation.since(beginning.apply(violation)));
    }

    /** {@return all violations, by key} */
    public Collection<Violation> all() {
        return Collections.unmodifiableCollection(violations.values());
    }
}
