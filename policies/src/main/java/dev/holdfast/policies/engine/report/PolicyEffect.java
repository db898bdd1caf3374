package dev.holdfast.policies.engine.report;

import dev.holdfast.policies.effect.NoEffect;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which rules of a policy can do something in the cluster as it is.
 *
 * @param rules the number of names of rules that the selected pods are held to
 * @param withoutEffect the names of those rules that can do nothing for any of the pods, with the cause of one pod. A
 *     rule of pods' own spec has its kind as name
 * @param notExamined the names of other rules that the operator did not examine for all the pods, because that takes
 *     too long. No pod was found for which they can do something
 */
public record PolicyEffect(int rules, SortedMap<String, NoEffect> withoutEffect, SortedSet<String> notExamined) {
    /** The effect of a policy whose pods are held to no rule. */
    public static final PolicyEffect NO_RULES = new PolicyEffect(0, Map.of(), Set.of());

    public PolicyEffect {
        withoutEffect = Collections.unmodifiableSortedMap(new TreeMap<>(withoutEffect));
        notExamined = Collections.unmodifiableSortedSet(new TreeSet<>(notExamined));
    }

    public PolicyEffect(int rules, Map<String, NoEffect> withoutEffect, Set<String> notExamined) {
        this(rules, new TreeMap<>(withoutEffect), new TreeSet<>(notExamined));
    }

    /** {@return whether rules were not examined, and no other rule can do anything} */
    public boolean isUnknown() {
        return !notExamined.isEmpty() && rules == withoutEffect.size() + notExamined.size();
    }

    /** {@return whether the pods are held to rules, and none of these can do anything} */
    public boolean isNone() {
        return rules > 0 && rules == withoutEffect.size();
    }
}
