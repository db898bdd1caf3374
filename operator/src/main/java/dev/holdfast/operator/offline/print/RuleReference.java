package dev.holdfast.operator.offline.print;

import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.Rule;

/**
 * A rule in a report.
 *
 * @param kind NodeAffinity, PodAffinity, PodAntiAffinity or TopologySpread; All for all rules of a pod's own spec that
 *     was not read
 * @param name its name in a policy; for a rule of the pod's own spec, its kind
 * @param identity the hash of its content: 16 hexadecimal digits; empty for All
 */
public record RuleReference(String kind, String name, String identity) {
    /** Stands for all rules of a pod's own spec that was not read. */
    public static final RuleReference ALL_OF_SPEC = new RuleReference("All", "All", "");

    /** {@return the reference to a rule by the name that its first policy gives it} */
    public static RuleReference of(AppliedRule applied) {
        return new RuleReference(
                applied.rule().kind().label(),
                applied.requests().getFirst().name(),
                applied.identity().hash());
    }

    /** {@return the reference to a rule of a pod's own spec that no policy asks for} */
    public static RuleReference ofSpec(Rule rule) {
        String kind = rule.kind().label();
        return new RuleReference(kind, kind, rule.identity().hash());
    }
}
