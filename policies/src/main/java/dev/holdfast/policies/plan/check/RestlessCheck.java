package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.plan.move.Hold;
import java.util.Optional;

/**
 * Holds a pod that is the outcome of three moves within a day, whatever their rules: a pod was moved, then its
 * replacement, then the replacement of that. Something changes to and fro, for example a node label, or the scheduler
 * does not know a rule. Each further move would only follow that change.
 *
 * <p>Example: after the third move the next one waits for 20 minutes, then for 40, 80 and so on, up to a day.
 */
final class RestlessCheck implements Check {
    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        return situation
                .moves()
                .history()
                .before(candidate.pod().uid(), situation.now())
                .filter(rounds -> situation.now().isBefore(rounds.again()))
                .map(rounds -> Hold.until(Reason.RESTLESS, describe(rounds.number()), rounds.again()));
    }

    private static String describe(int rounds) {
        return "this pod and those before it were moved " + rounds
                + " times one after the other: something changes to and fro, for example a node label, or the scheduler"
                + " does not know all rules. An edit of the rule ends the wait";
    }
}
