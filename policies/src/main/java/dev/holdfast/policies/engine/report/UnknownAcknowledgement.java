package dev.holdfast.policies.engine.report;

import dev.holdfast.policies.rule.PolicyId;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The report that an acknowledged id is unknown: it is mistyped, belongs to a breaker or backlog that is over, or comes
 * from another replica.
 *
 * @param policy the policy that has the annotation; absent for the operator's own namespace
 * @param message the unknown ids, and the ids that are open
 */
public record UnknownAcknowledgement(Optional<PolicyId> policy, String message) implements BrakeReport {
    private static final int NAMED = 5;

    /**
     * {@return the report that nothing is held under these ids}
     *
     * @param open the ids that can be acknowledged in the same place now
     */
    public static UnknownAcknowledgement of(
            Optional<PolicyId> policy, Collection<String> ids, Collection<String> open) {
        return new UnknownAcknowledgement(
                policy,
                "nothing is held under " + some(ids) + ", which was acknowledged; open now: "
                        + (open.isEmpty() ? "nothing" : some(open)));
    }

    private static String some(Collection<String> ids) {
        List<String> sorted = ids.stream().sorted().toList();
        String more = sorted.size() > NAMED ? " and " + (sorted.size() - NAMED) + " more" : "";
        return sorted.stream().limit(NAMED).collect(Collectors.joining(", ")) + more;
    }
}
