package dev.holdfast.policies.forgive;

import dev.holdfast.policies.evaluate.Cause;
import dev.holdfast.policies.evaluate.Verdict;
import dev.holdfast.policies.rule.RuleIdentity;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
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

    /** What a verdict did to a clock. */
    public sealed interface Change {
        /** The rule was not broken before. */
        record Started(Violation violation) implements Change {}

        /** The rule is still broken, perhaps in another way. */
        record Goes(Violation violation) implements Change {}

        /** The rule is broken no more, or nobody can tell. */
        record Stopped(Violation violation, Verdict verdict) implements Change {}

        /** There was no clock and there is none. */
        record None() implements Change {}
    }

    /** Notes a verdict, and says what that did to the clock. The cause counts only where the clock starts. */
    public Change observe(ViolationKey key, Verdict verdict, Cause cause, Instant now) {
        Optional<Violation> known = find(key);
        if (verdict instanceof Verdict.Violated(var breach)) {
            Violation violation =
                    known.map(it -> it.now(breach)).orElseGet(() -> new Violation(key, now, cause, breach));
            violations.put(key, violation);
            return known.isPresent() ? new Change.Goes(violation) : new Change.Started(violation);
        }
        violations.remove(key);
        return known.<Change>map(it -> new Change.Stopped(it, verdict)).orElseGet(Change.None::new);
    }

    /** Stops a clock, since its pod is gone or nobody asks for its rule any more. */
    public void forget(ViolationKey key) {
        violations.remove(key);
    }

    /** {@return the violation whose clock runs} */
    public Optional<Violation> find(ViolationKey key) {
        return Optional.ofNullable(violations.get(key));
    }

    /** Sets the beginning of every violation anew, after a time in which nothing could be observed. */
    public void restart(Function<Violation, Instant> beginning) {
        violations.replaceAll((_, violation) -> violation.since(beginning.apply(violation)));
    }

    /** {@return the violations of one pod, by key, as they are now} */
    public List<Violation> of(String podUid) {
        ViolationKey least = new ViolationKey(podUid, "", new RuleIdentity(""));
        return violations.tailMap(least).values().stream()
                .takeWhile(violation -> violation.key().podUid().equals(podUid))
                .toList();
    }

    /** {@return all violations, by key} */
    public Collection<Violation> all() {
        return Collections.unmodifiableCollection(violations.values());
    }
}
