package dev.holdfast.policies.forgive;

import dev.holdfast.policies.rule.RuleIdentity;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The clocks of all present violations. A clock starts at the first Violated verdict and is discarded at the first
 * Satisfied or Undetermined verdict. Therefore a rule that breaks and heals faster than its forgiveness is never due.
 */
public final class Clocks {
    private static final Comparator<Violation> BY_KEY = Comparator.comparing(Violation::key);

    /** The violations of each pod, ordered by key. One pod has few, and very many pods may have one. */
    private final Map<String, List<Violation>> ofPods = new LinkedHashMap<>();

    private int size;

    /** Starts the clock of a violation at {@link Violation#since}. */
    public void put(Violation violation) {
        List<Violation> after = others(violation.key());
        after.add(violation);
        after.sort(BY_KEY);
        replace(violation.key().podUid(), after);
    }

    /** Discards the clock of a violation that ended, for example because it healed or its pod is gone. */
    public void remove(ViolationKey key) {
        replace(key.podUid(), others(key));
    }

    private List<Violation> others(ViolationKey key) {
        List<Violation> others = new ArrayList<>(of(key.podUid()));
        others.removeIf(violation -> violation.key().equals(key));
        return others;
    }

    private void replace(String podUid, List<Violation> after) {
        size += after.size() - of(podUid).size();
        if (after.isEmpty()) {
            ofPods.remove(podUid);
        } else {
            ofPods.put(podUid, List.copyOf(after));
        }
    }

    /** {@return the violation with this key; empty if no clock runs for it} */
    public Optional<Violation> find(ViolationKey key) {
        for (Violation violation : of(key.podUid())) {
            if (violation.key().equals(key)) {
                return Optional.of(violation);
            }
        }
        return Optional.empty();
    }

    /** {@return the violation of this rule by this pod, on any node; empty if no clock runs for it} */
    public Optional<Violation> find(String podUid, RuleIdentity rule) {
        for (Violation violation : of(podUid)) {
            if (violation.key().rule().equals(rule)) {
                return Optional.of(violation);
            }
        }
        return Optional.empty();
    }

    /** {@return the violations of this pod, ordered by key} */
    public List<Violation> of(String podUid) {
        return ofPods.getOrDefault(podUid, List.of());
    }

    /**
     * Changes the start of each clock, after a time when the operator did not observe the cluster.
     *
     * @param beginning computes the new start of the clock of a violation
     */
    public void restart(Function<Violation, Instant> beginning) {
        ofPods.replaceAll((_, before) -> {
            List<Violation> after = new ArrayList<>(before);
            after.replaceAll(violation -> violation.since(beginning.apply(violation)));
            return List.copyOf(after);
        });
    }

    /** {@return all violations, in the order in which their pods began to violate rules} */
    public List<Violation> all() {
        List<Violation> all = new ArrayList<>(size);
        ofPods.values().forEach(all::addAll);
        return all;
    }

    /** {@return the number of violations} */
    public int size() {
        return size;
    }
}
