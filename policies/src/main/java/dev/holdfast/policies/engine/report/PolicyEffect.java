package dev.holdfast.policies.engine.report;

import dev.holdfast.policies.effect.NoEffect;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which rules of a policy can do something in the cluster as it is.
 *
 * @param rules the number of names of rules that the selected pods are held to
 * @param withoutEffect the names of those rules that can do nothing for any of the pods, with the cause of one pod. A
 *     rule of pods' own spec has its kind as name
 */
public record PolicyEffect(int rules, SortedMap<String, NoEffect> withoutEffect) {
    /** The effect of a policy whose pods are held to no rule. */
    public static final PolicyEffect NO_RULES = new PolicyEffect(0, Map.of());

    public PolicyEffect {
        withoutEffect = Collections.unmodifiableSortedMap(new TreeMap<>(withoutEffect));
    }

    public PolicyEffect(int rules, Map<String, NoEffect> withoutEffect) {
        this(rules, new TreeMap<>(withoutEffect));
    }

    /** {@return whether the pods are held to rules, and none of these can do anything} */
    public boolean isNone() {
        return rules > 0 && rules == withoutEffect.size();
    }
}
