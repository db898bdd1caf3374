package dev.holdfast.operator.reconcile;

import dev.holdfast.policies.engine.report.PolicyReport;
import java.util.Optional;

/**
 * All that a policy's status is made of.
 *
 * @param report the engine's latest word, of whatever generation; absent before the first
 * @param whyCapped why no policy may enforce now; absent while they may
 * @param whyBlind which view of the cluster is missing, and why; absent while all are there
 */
record PolicyStanding(
        PolicyEntry entry, Optional<PolicyReport> report, Optional<String> whyCapped, Optional<String> whyBlind) {
    /** {@return the report, if it speaks of the generation that is in force} */
    Optional<PolicyReport> evaluated() {
        return report.filter(it -> entry.inForce()
                .filter(inForce -> inForce.generation() == it.generation())
                .isPresent());
    }
}
