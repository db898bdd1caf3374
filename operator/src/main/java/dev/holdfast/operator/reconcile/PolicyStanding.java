package dev.holdfast.operator.reconcile;

import dev.holdfast.policies.engine.report.PolicyReport;
import java.util.Optional;

/**
 * The input of a policy's status.
 *
 * @param report the engine's latest report, of any generation; empty before the first
 * @param whyCapped why no policy may enforce now; empty if policies may
 * @param whyBlind which view of the cluster is not synced, and why; empty if all are synced
 */
record PolicyStanding(
        PolicyEntry entry, Optional<PolicyReport> report, Optional<String> whyCapped, Optional<String> whyBlind) {
    /** {@return the report, if it is of the generation in force} */
    Optional<PolicyReport> evaluated() {
        return report.filter(it -> entry.inForce()
                .filter(inForce -> inForce.generation() == it.generation())
                .isPresent());
    }
}
