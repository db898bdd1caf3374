package dev.holdfast.policies.forgive;

import dev.holdfast.policies.compact.CompactMap;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The instant from which a policy's forgiveness of a violation counts, if this forgiveness was restarted. Example: an
 * edit lets the policy evict more pods.
 */
public final class Restarts {
    /** The maps of violations are immutable, small and shared, because there may be very many of them. */
    private final Map<ViolationKey, Map<PolicyId, Instant>> ofViolations = new CompactMap<>();

    /** The last map that was stored. An event restarts the forgiveness of many violations at the same instant. */
    private Map<PolicyId, Instant> last = Map.of();

    /** {@return from when a policy's forgiveness of a violation counts; {@link Instant#MIN} if it was not restarted} */
    public Instant of(ViolationKey key, PolicyId policy) {
        return ofViolations.getOrDefault(key, Map.of()).getOrDefault(policy, Instant.MIN);
    }

    /** Restarts a policy's forgiveness of a violation. */
    public void restart(ViolationKey key, PolicyId policy, Instant now) {
        ofViolations.merge(key, shared(Map.of(policy, now)), Restarts::with);
    }

    private Map<PolicyId, Instant> shared(Map<PolicyId, Instant> restarts) {
        if (!last.equals(restarts)) {
            last = Map.copyOf(restarts);
        }
        return last;
    }

    private static Map<PolicyId, Instant> with(Map<PolicyId, Instant> known, Map<PolicyId, Instant> later) {
        if (known.keySet().equals(later.keySet())) {
            return later;
        }
        Map<PolicyId, Instant> all = new HashMap<>(known);
        all.putAll(later);
        return Map.copyOf(all);
    }

    /** Replaces the restarts of a violation. */
    public void replace(ViolationKey key, Map<PolicyId, Instant> from) {
        if (from.isEmpty()) {
            ofViolations.remove(key);
        } else {
            ofViolations.put(key, shared(from));
        }
    }

    /** Forgets the restarts of a violation for other policies than these. */
    public void retain(ViolationKey key, Predicate<PolicyId> policies) {
        Map<PolicyId, Instant> known = ofViolations.getOrDefault(key, Map.of());
        // Nearly always nothing changes, and this is called for each update of a violation: a stream would cost more.
        for (PolicyId policy : known.keySet()) {
            if (!policies.test(policy)) {
                Map<PolicyId, Instant> left = new HashMap<>(known);
                left.keySet().removeIf(policies.negate());
                replace(key, left);
                return;
            }
        }
    }

    public void forget(ViolationKey key) {
        ofViolations.remove(key);
    }

    /** {@return the number of violations with a restart} */
    public int size() {
        return ofViolations.size();
    }
}
