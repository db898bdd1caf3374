package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.plan.capacity.Replacement;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.plan.move.Hold;
import java.util.Optional;

/**
 * Holds a pod whose controller would create no replacement, or an unknown one. A policy can permit evictions of pods
 * whose controller is of an unknown kind: {@code allow: [UnknownController]}.
 */
final class ReplacementCheck implements Check {
    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        return Replacement.hold(
                        candidate.pod(), situation.view(), situation.cluster().replicaCounts())
                .filter(hold -> !candidate
                        .requestingPolicy()
                        .disruptionControls()
                        .allowed()
                        .contains(hold.reason()));
    }
}
