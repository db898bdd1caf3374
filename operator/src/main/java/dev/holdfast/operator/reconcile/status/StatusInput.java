package dev.holdfast.operator.reconcile.status;

import dev.holdfast.operator.api.InjectionSupport;
import dev.holdfast.policies.engine.report.PolicyReport;
import java.util.Optional;

/**
 * The state of a policy from which its status is built.
 *
 * @param entry the policy's entry in the registry
 * @param report the engine's latest report on the policy, maybe of an earlier generation; empty before the first report
 * @param whyCapped why no policy may have mode Enforce now, for example a missing right; empty if policies may
 * @param whyBlind which view of the cluster is not synced, and why; empty if all views are synced
 * @param support whether the API server can inject rules
 */
public record StatusInput(
        PolicyEntry entry,
        Optional<PolicyReport> report,
        Optional<String> whyCapped,
        Optional<String> whyBlind,
        InjectionSupport support) {
    /** {@return the report, if it is about the generation of the policy that the engine uses now; otherwise empty} */
    public Optional<PolicyReport> evaluated() {
        return report.filter(it -> entry.inForce()
                .filter(inForce -> inForce.generation() == it.generation())
                .isPresent());
    }
}
