package dev.holdfast.policies.plan;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * For whom a candidate goes that does not break the rule itself, but is in the way of one that does, and who goes after it.
 *
 * @param owner the rule owner, which stays, as the candidate that it would be
 * @param inTheWay UIDs of all in its way, the candidate's own among them
 * @param rest those who go after it, in that order
 */
public record StandIn(Candidate owner, Set<String> inTheWay, List<Candidate> rest) {
    public StandIn {
        inTheWay = Set.copyOf(inTheWay);
        rest = List.copyOf(rest);
    }

    /** {@return the first to go of those in the owner's way, at least one; the others go after it} */
    public static Candidate first(Candidate owner, List<Candidate> inTheWay) {
        Set<String> uids = inTheWay.stream().map(it -> it.pod().uid()).collect(Collectors.toSet());
        List<Candidate> rest = List.of();
        for (Candidate next : Candidate.inOrder(inTheWay, Map.of()).reversed()) {
            Candidate standing = next.standingIn(new StandIn(owner, uids, rest));
            rest = Stream.concat(Stream.of(standing), rest.stream()).toList();
        }
        return rest.getFirst();
    }
}
