package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.situation.Candidate;
import dev.holdfast.policies.plan.situation.Situation;
import java.util.Optional;

/**
 * Holds a pod that is the outcome of three moves within a day for the same rule: a pod was moved, then its replacement,
 * then the replacement of that, each time with success. Something changes to and fro, for example a node label, and
 * each further move would only follow it.
 *
 * <p>Example: after the third move the next one waits for 20 minutes, then for 40, 80 and so on, up to a day.
 */
final class RestlessCheck implements Check {
    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        return situation
                .moves()
                .repeated()
                .before(candidate.pod().uid(), candidate.violation().key().rule(), situation.now())
                .filter(rounds -> situation.now().isBefore(rounds.again()))
                .map(rounds -> Hold.until(Reason.RESTLESS, describe(rounds.number()), rounds.again()));
    }

    private static String describe(int rounds) {
        return "this pod and those before it were moved " + rounds
                + " times one after the other for this rule, each time with success, and the rule broke again:"
                + " something changes to and fro, for example a node label. An edit of the policy ends the wait";
    }
}
