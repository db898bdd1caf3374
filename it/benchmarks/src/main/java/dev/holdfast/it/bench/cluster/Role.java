package dev.holdfast.it.bench.cluster;

import dev.holdfast.policies.rule.RuleKind;
import java.util.Locale;
import java.util.Optional;

/** What the pods of a workload demand, if anything. */
public enum Role {
    /** Nodes with an SSD. */
    SSD(Optional.of(RuleKind.NODE_AFFINITY)),
    /** No other of their kind on the node, and nobody noisy. */
    APART(Optional.of(RuleKind.POD_ANTI_AFFINITY)),
    /** A cache of their block that serves, in the zone. */
    NEAR(Optional.of(RuleKind.POD_AFFINITY)),
    /** One in each zone: the partners of {@link #NEAR}. */
    CACHE(Optional.of(RuleKind.TOPOLOGY_SPREAD)),
    /** As many in each zone, but for one. */
    EVEN(Optional.of(RuleKind.TOPOLOGY_SPREAD)),
    /** Nothing. */
    PLAIN(Optional.empty());

    private final Optional<RuleKind> rule;

    Role(Optional<RuleKind> rule) {
        this.rule = rule;
    }

    /** {@return the kind of rule that its pods carry} */
    public Optional<RuleKind> rule() {
        return rule;
    }

    /** {@return its name in names and labels} */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
