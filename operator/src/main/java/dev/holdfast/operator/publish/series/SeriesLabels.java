package dev.holdfast.operator.publish.series;

import dev.holdfast.policies.engine.report.ViolationState;
import dev.holdfast.policies.rule.PolicyId;

/**
 * The labels that name a policy, as text that all series of the policy share.
 *
 * @param policy the label {@code policy}
 * @param policyAndNamespace the labels {@code policy} and {@code policy_namespace}
 */
record SeriesLabels(String policy, String policyAndNamespace) {
    /** The value of a label that stands for all policies, rules or reasons without a series of their own. */
    static final String OTHERS = "(others)";

    /** The most bytes that a series has besides the labels of its policy and its rule. */
    private static final int REST = 110;

    /** The series of a rule: the counter of violations that began, and the violations now in each state. */
    private static final int OF_RULE = 1 + ViolationState.values().length;

    static SeriesLabels of(PolicyId policy) {
        return of(policy.toString(), policy.namespace().orElse(""));
    }

    /** {@return the most bytes that this many series of the policy add to a scrape} */
    long bytes(int series) {
        return (long) series * (REST + policyAndNamespace.length());
    }

    /** {@return the most bytes that the series of a rule add to a scrape} */
    long bytesOfRule(String rule) {
        return bytes(OF_RULE) + (long) OF_RULE * rule.length();
    }

    static SeriesLabels ofOthers() {
        return of(OTHERS, OTHERS);
    }

    private static SeriesLabels of(String policy, String namespace) {
        String label = MetricsText.label("policy", policy);
        return new SeriesLabels(label, label + "," + MetricsText.label("policy_namespace", namespace));
    }
}
