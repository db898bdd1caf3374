package dev.holdfast.policies.plan;

import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.WhenInfeasible;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A due violation with what its planning needs. The rule owner is the candidate victim.
 *
 * @param rule the broken rule as it is asked for, its matchLabelKeys not merged
 * @param further the rules that policies bring to the pod beside those of its own spec; they must hold on its next node
 * @param mode AUDIT candidates are planned like the others, and nothing is done
 */
public record Candidate(
        Violation violation,
        Pod pod,
        Rule rule,
        List<Rule> further,
        Mode mode,
        WhenInfeasible whenInfeasible,
        Optional<Workload> workload,
        Scope scope) {
    /**
     * Who goes first: enforced before audited, then the lowest priority, then the newest pod, then the UID, so that the
     * order is total (D-15).
     */
    static final Comparator<Candidate> ORDER = Comparator.comparing(Candidate::mode)
            .reversed()
            .thenComparingInt(candidate -> candidate.pod().protection().priority())
            .thenComparing(candidate -> candidate.pod().life().creationTime(), Comparator.reverseOrder())
            .thenComparing(candidate -> candidate.violation().key());

    public Candidate {
        further = List.copyOf(further);
    }

    /** {@return the node the pod is on} */
    public String node() {
        return violation.key().node();
    }
}
