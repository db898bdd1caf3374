package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.plan.move.FutileRules;
import dev.holdfast.policies.plan.move.FutileStreak;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.MoveHistory;
import dev.holdfast.policies.plan.move.Workload;
import dev.holdfast.policies.rule.RuleIdentity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Holds the pods of an owner after futile moves in a row, whatever their rules. Each futile move makes the hold longer.
 * After the fifth, the hold has no time limit. Once five workloads of a tenant are held so for the same rule, the hold
 * is for all pods of the tenant with the rule, and a changed node allows one move for the rule. The hold is for the
 * pods of all tenants once five workloads are held so, of which each tenant counts at most two.
 */
final class FutileCheck implements Check {
    private static final int NAMED = 3;
    private static final String NODE_CHANGE =
            "a node that is added, turns Ready or schedulable, or gets other labels or taints";

    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        RuleIdentity rule = candidate.violation().key().rule();
        return situation
                .moves()
                .history()
                .futileRules()
                .of(rule, candidate.pod().namespace())
                .flatMap(futileRule -> againstRule(futileRule, candidate, situation))
                .or(() -> againstWorkload(candidate, situation));
    }

    private static Optional<Hold> againstWorkload(Candidate candidate, Situation situation) {
        MoveHistory history = situation.moves().history();
        return MoveHistory.Owner.of(candidate.pod()).flatMap(history::streak).flatMap(streak -> {
            // What tenants tried for rules of their own delays a cluster policy, and does not end it for their pods.
            boolean byTenants = candidate.requestingPolicy().policy().isOfCluster()
                    && streak.last().stream().noneMatch(move -> move.policy().isOfCluster());
            if (history.givenUp(streak) && !byTenants) {
                return Optional.of(Hold.untilChange(Reason.ENFORCEMENT_FUTILE, givenUp(streak)));
            }
            return situation.now().isBefore(streak.again())
                    ? Optional.of(Hold.until(Reason.FUTILE, describe(streak), streak.again()))
                    : Optional.empty();
        });
    }

    private static Optional<Hold> againstRule(FutileRules.FutileRule futile, Candidate candidate, Situation situation) {
        RuleIdentity rule = candidate.violation().key().rule();
        FutileRules rules = situation.moves().history().futileRules();
        String message = givenUp(futile, candidate.pod().namespace());
        boolean isTried = situation
                        .moves()
                        .inFlight(move -> move.key().rule().equals(rule)
                                && rules.concerns(futile, move.victim().namespace()))
                > 0;
        if (situation.moves().history().givenUp(futile) || isTried) {
            return Optional.of(Hold.untilChange(Reason.ENFORCEMENT_FUTILE, message));
        }
        return situation.now().isBefore(futile.again())
                ? Optional.of(Hold.until(Reason.ENFORCEMENT_FUTILE, message, futile.again()))
                : Optional.empty();
    }

    /** {@return the message, which names only workloads of the pod's own namespace} */
    private static String givenUp(FutileRules.FutileRule futile, String namespace) {
        List<Workload> own = futile.workloads().stream()
                .filter(workload -> workload.name().namespace().equals(namespace))
                .toList();
        List<String> names = new ArrayList<>(
                own.stream().limit(NAMED).map(Workload::toString).toList());
        int others = futile.workloads().size() - names.size();
        if (others > 0) {
            names.add(others + " others");
        }
        return "pods of " + futile.workloads().size() + " workloads with this rule (" + String.join(", ", names)
                + ") were moved five times or more without success: the last replacement "
                + futile.last().why()
                + ". No pod is moved for this rule until the rule is edited; " + NODE_CHANGE
                + " allows one more try for the rule, not before " + Hold.second(futile.again());
    }

    private static String givenUp(FutileStreak streak) {
        return describe(streak) + ". These pods are not moved again until the rule is edited or the workload's"
                + " revision changes; " + NODE_CHANGE + " allows one more try, not before "
                + Hold.second(streak.again());
    }

    private static String describe(FutileStreak streak) {
        String times = streak.count() == 1 ? "once" : streak.count() + " times in a row";
        String last = streak.count() > streak.last().size()
                ? " the last " + streak.last().size() + " times"
                : "";
        return "pods of " + streak.workload() + " were moved " + times + " without success:" + last
                + " the replacement " + whys(streak.last());
    }

    /** {@return why each move was futile, as text; equal reasons in a row are written once, with their number} */
    private static String whys(List<FutileStreak.FutileMove> tries) {
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
