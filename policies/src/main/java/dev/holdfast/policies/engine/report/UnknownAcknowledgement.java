package dev.holdfast.policies.engine.report;

import dev.holdfast.policies.model.QuotedText;
import dev.holdfast.policies.rule.PolicyId;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The report that users acknowledged an unknown id: the id is mistyped, belongs to a breaker or backlog that has ended,
 * or comes from another replica.
 *
 * @param policy the policy that has the annotation; absent if the operator's own namespace has it
 * @param message for users: the unknown ids, and the ids that can be acknowledged
 */
public record UnknownAcknowledgement(Optional<PolicyId> policy, String message) implements BrakeReport {
    private static final int NAMED = 5;

    /**
     * {@return the report that these ids belong to no open breaker and to no backlog}
     *
     * @param policy the policy that has the annotation; absent if the operator's own namespace has it
     * @param ids the unknown ids, at least one
     * @param open the ids that an annotation on the same object can acknowledge now
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
        return sorted.stream().limit(NAMED).map(QuotedText::of).collect(Collectors.joining(", ")) + more;
    }
}
