package dev.holdfast.policies.engine.backlog;

import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The violations that newly came under one policy, when they came, and the number of pods that have them. A pod with
 * several violations counts once. There may be 150,000, so one sorted map has all of it.
 */
final class AddedViolations {
    /** When a violation came that counts although it is not known to be new. */
    private static final Instant LONG_AGO = Instant.MIN;

    private final Set<PolicyId> policy;

    /** When each counted violation came. The keys of a pod are neighbours. */
    private final NavigableMap<ViolationKey, Instant> counted = new TreeMap<>();

    /** When each other violation came: it ended, or the policy no longer enforces its rule. */
    private final Map<ViolationKey, Instant> past = new HashMap<>();

    private int pods;

    AddedViolations(PolicyId policy) {
        this.policy = Set.of(policy);
    }

    /** {@return a set that has only the policy; the same object each time, which all its violations can share} */
    Set<PolicyId> policy() {
        return policy;
    }

    /** Counts a violation that comes under the policy. */
    void add(ViolationKey violation, Instant now) {
        past.remove(violation);
        put(violation, now);
    }

    /** Counts a violation that did not newly come under the policy, or came earlier. */
    void count(ViolationKey violation) {
        Instant known = past.remove(violation);
        put(violation, known == null ? counted.getOrDefault(violation, LONG_AGO) : known);
    }

    private void put(ViolationKey violation, Instant at) {
        if (!hasPod(violation.podUid())) {
            pods++;
        }
        counted.put(violation, at);
    }

    private boolean hasPod(String podUid) {
        ViolationKey first = counted.ceilingKey(ViolationKey.leastOf(podUid));
        return first != null && first.podUid().equals(podUid);
    }

    /** Forgets a violation, if it is counted. */
    void remove(ViolationKey violation) {
        if (counted.remove(violation) != null && !hasPod(violation.podUid())) {
            pods--;
        }
    }

    /** Stops counting a violation, but remembers when it came. */
    void retire(ViolationKey violation) {
        Instant at = counted.getOrDefault(violation, LONG_AGO);
        remove(violation);
        remember(violation, at);
    }

    /** Stops counting these violations, but remembers when they came. */
    void retireAll(Predicate<ViolationKey> which) {
        counted.entrySet().removeIf(one -> {
            boolean retires = which.test(one.getKey());
            if (retires) {
                remember(one.getKey(), one.getValue());
            }
            return retires;
        });
        countPods();
    }

    private void remember(ViolationKey violation, Instant at) {
        if (!at.equals(LONG_AGO)) {
            past.put(violation, at);
        }
    }

    /** Counts all violations again that do not count. */
    void restore() {
        counted.putAll(past);
        past.clear();
        countPods();
    }

    /** Forgets the violations that came before an instant. */
    void forgetBefore(Instant instant) {
        past.values().removeIf(at -> at.isBefore(instant));
        if (counted.values().removeIf(at -> at.isBefore(instant))) {
            countPods();
        }
    }

    private void countPods() {
        pods = 0;
        String last = "";
        for (ViolationKey violation : counted.keySet()) {
            if (!violation.podUid().equals(last)) {
                pods++;
                last = violation.podUid();
            }
        }
    }

    /** {@return for each pod without a counted violation, when its last violation came} */
    List<Instant> gone() {
        Map<String, Instant> last = new HashMap<>();
        past.forEach((violation, at) -> {
            if (!hasPod(violation.podUid())) {
                last.merge(violation.podUid(), at, (one, other) -> one.isAfter(other) ? one : other);
            }
        });
        return new ArrayList<>(last.values());
    }

    boolean has(ViolationKey violation) {
        return counted.containsKey(violation);
    }

    /** {@return the counted violations, ordered by key} */
    Collection<ViolationKey> violations() {
        return Collections.unmodifiableSet(counted.keySet());
    }

    /** {@return the UIDs of the pods with counted violations, in order} */
    List<String> podUids() {
        return counted.keySet().stream().map(ViolationKey::podUid).distinct().toList();
    }

    /** {@return the number of pods with counted violations} */
    int pods() {
        return pods;
    }

    /** {@return the number of violations, counted or not} */
    int size() {
        return counted.size() + past.size();
    }
}
