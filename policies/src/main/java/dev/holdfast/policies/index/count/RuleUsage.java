package dev.holdfast.policies.index.count;

/**
 * The heap that the counts of rules take for one namespace, as an estimate in bytes. A rule that pods of several
 * namespaces have counts for one of them.
 */
final class RuleUsage {
    private final String namespace;
    private final RuleLimits limits;
    private long bytes;
    private int rules;

    RuleUsage(String namespace, RuleLimits limits) {
        this.namespace = namespace;
        this.limits = limits;
    }

    /** {@return the namespace whose pods have the rules} */
    String namespace() {
        return namespace;
    }

    /** {@return the estimated heap in bytes} */
    long bytes() {
        return bytes;
    }

    /** Counts a rule that takes this many bytes now. */
    void add(int size) {
        rules++;
        take(size);
    }

    /** Counts a rule no more. */
    void remove(int size) {
        take(-size);
        rules--;
        if (rules == 0) {
            limits.remove(this);
        }
    }

    /** Counts that a rule takes more bytes, or less if negative. */
    void take(int more) {
        long before = bytes;
        bytes += more;
        limits.changed(this, before);
    }
}
