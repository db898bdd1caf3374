package dev.holdfast.policies.engine.report;

import dev.holdfast.policies.rule.PolicyId;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Somebody has acknowledged what there is not: an id was mistyped, or is of what is over or of another replica.
 *
 * @param policy whose annotation it is; absent for the operator's own namespace
 * @param message which id it was, and which there are
 */
public record UnknownAcknowledgement(Optional<PolicyId> policy, String message) implements BrakeReport {
    private static final int NAMED = 5;

    /**
     * {@return that nothing is held under the ids}
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
