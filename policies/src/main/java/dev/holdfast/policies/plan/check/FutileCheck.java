package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.move.Futility;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.situation.Candidate;
import dev.holdfast.policies.plan.situation.Situation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Holds the pods of a workload after futile moves in a row for the same rule. Each futile move makes the hold longer.
 * After the fifth it has no time limit.
 */
final class FutileCheck implements Check {
    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        Futility futility = situation.moves().futility();
        return Futility.Key.of(candidate.pod(), candidate.violation().key().rule())
                .flatMap(futility::streak)
                .flatMap(streak -> {
                    if (futility.givenUp(streak)) {
                        return Optional.of(Hold.untilChange(Reason.ENFORCEMENT_FUTILE, givenUp(streak)));
                    }
                    return situation.now().isBefore(streak.again())
                            ? Optional.of(Hold.until(Reason.FUTILE, describe(streak), streak.again()))
                            : Optional.empty();
                });
    }

    private static String givenUp(Futility.Streak streak) {
        return describe(streak) + ". They are not moved again until the policy is edited or the workload's"
                + " revision changes; a node that is added, turns Ready or schedulable, or gets other labels or"
                + " taints allows one more try, not before " + Hold.second(streak.again());
    }

    private static String describe(Futility.Streak streak) {
        String times = streak.count() == 1 ? "once" : streak.count() + " times in a row";
        String last = streak.count() > streak.last().size()
                ? " the last " + streak.last().size() + " times"
                : "";
        return "pods of " + streak.workload() + " were moved " + times + " for this rule without success:" + last
                + " the replacement " + whys(streak.last());
    }

    /** {@return why each move was futile, as text; equal reasons in a row are written once, with their number} */
    private static String whys(List<Futility.FutileMove> tries) {
        List<String> whys = new ArrayList<>();
        int same = 0;
        for (int i = 0; i < tries.size(); i++) {
            String why = tries.get(i).why();
            same++;
            if (i + 1 == tries.size() || !tries.get(i + 1).why().equals(why)) {
                whys.add(same == 1 ? why : why + " (" + same + " times)");
                same = 0;
            }
        }
        return String.join(", then ", whys);
    }
}
