package dev.holdfast.policies.testing;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.check.Check;
import dev.holdfast.policies.plan.check.Checks;
import java.util.List;
import java.util.Set;

/** All checks of a planner, but without holds for some reasons. Tests show with it what harm the checks prevent. */
public final class ChecksWithout {
    private ChecksWithout() {}

    /** {@return all checks of the planner, changed so that they never hold a candidate for one of these reasons} */
    public static Checks reasons(Set<Reason> reasons) {
        Checks all = Checks.all();
        List<Check> ofCandidate = all.ofCandidate().stream()
                .<Check>map(check -> (candidate, situation) ->
                        check.against(candidate, situation).filter(hold -> !reasons.contains(hold.reason())))
                .toList();
        return new Checks(
                ofCandidate,
                (candidate, infeasibility, nowhere, now) -> all.ofPlace()
                        .against(candidate, infeasibility, nowhere, now)
                        .filter(hold -> !reasons.contains(hold.reason())));
    }
}
