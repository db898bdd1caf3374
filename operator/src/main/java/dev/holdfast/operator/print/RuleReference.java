package dev.holdfast.operator.print;

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
}
