package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.situation.Candidate;
import dev.holdfast.policies.plan.situation.Resumption;
import dev.holdfast.policies.plan.situation.Situation;
import java.time.Instant;
import java.util.Optional;

/** After a breaker closed, no more evictions of what it had stopped than it allows to begin with. */
final class ResumptionCheck implements Check {
    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        return situation.signals().breakerGate().resumptions().stream()
                .filter(resumption -> !resumption.isOver(situation.planLimits().limits(), situation.now()))
                .filter(resumption -> resumption.concerns(candidate.nodeKeys()))
                .flatMap(resumption -> against(resumption, situation).stream())
                .findFirst();
    }

    private static Optional<Hold> against(Resumption resumption, Situation situation) {
        Instant now = situation.now();
        int allowed = resumption.allowed(now);
        int made =
                situation.moves().since(resumption.stepBegan(now), spent -> resumption.concerns(spent.nodeKeys()), now);
        return made < allowed
                ? Optional.empty()
                : Optional.of(Hold.until(
                        Reason.RESUMING,
                        "breaker " + resumption.breaker() + " closed at " + Hold.second(resumption.closed())
                                + ", and evictions begin slowly after that: "
                                + (now.isBefore(resumption.begins())
                                        ? "nothing is evicted before " + Hold.second(resumption.begins())
                                                + ", since it may be healing still"
                                        : made + " of " + allowed
                                                + " in these ten minutes were made or are being asked for, twice as"
                                                + " many may be in the next"),
                        resumption.stepEnds(now)));
    }
}
