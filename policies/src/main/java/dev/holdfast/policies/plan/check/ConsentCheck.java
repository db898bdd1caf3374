package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.conduct.Conduct;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.situation.Candidate;
import dev.holdfast.policies.plan.situation.Situation;
import java.util.Optional;

/** The policy consents to evictions now: no exception names the pod, and no window is in the way. */
final class ConsentCheck implements Check {
    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        Conduct conduct = candidate.asker().conduct();
        return conduct.exceptions().stream()
                .filter(exception -> !exception.isOver(situation.now()))
                .filter(exception -> exception.pods().matches(candidate.pod().labels())
                        || exception.pods().matches(candidate.owner().labels()))
                .findFirst()
                .map(ConsentCheck::excepted)
                .or(() -> situation.bounds().openings().against(conduct.windows()));
    }

    private static Hold excepted(Conduct.StandingException exception) {
        String until =
                exception.until().map(end -> " until " + Hold.second(end)).orElse("");
        return new Hold(
                Reason.EXCEPTION,
                "an exception of the policy names it" + until + ": " + exception.reason(),
                exception.until());
    }
}
