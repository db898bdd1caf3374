package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.Resumption;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.plan.move.Hold;
import java.time.Instant;
import java.util.Optional;

/**
 * Holds a candidate while evictions resume slowly after a breaker closed. In each ten minutes, a limited number of
 * evictions is allowed. The candidate is held if that number is reached.
 */
final class ResumptionCheck implements Check {
    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        return situation.clusterSignals().brakeGate().resumptions().stream()
                .filter(resumption -> !resumption.isOver(situation.planLimits().operatorLimits(), situation.now()))
                .filter(resumption -> resumption
                        .scope()
                        .has(
                                candidate.requestingPolicy().policy(),
                                candidate.pod().namespace(),
                                candidate.nodeKeys()))
                .flatMap(resumption -> against(resumption, situation).stream())
                .findFirst();
    }

    private static Optional<Hold> against(Resumption resumption, Situation situation) {
        Instant now = situation.now();
        int allowed = resumption.allowed(now);
        int made = situation
                .moves()
                .since(
                        resumption.stepBegan(now),
                        past -> resumption.scope().has(past.policy(), past.namespace(), past.nodeKeys()),
                        now);
        return made < allowed
                ? Optional.empty()
                : Optional.of(Hold.until(
                        Reason.RESUMING,
                        "breaker " + resumption.breaker() + " closed at " + Hold.second(resumption.closed())
                                + ", and evictions resume slowly: "
                                + (now.isBefore(resumption.begins())
                                        ? "no pod is evicted before " + Hold.second(resumption.begins())
                                                + ", because the cluster may still be healing"
                                        : made + " of " + allowed
                                                + " evictions of these ten minutes were sent or are in progress;"
                                                + " twice as many are allowed in the next"),
                        resumption.stepEnds(now)));
    }
}
