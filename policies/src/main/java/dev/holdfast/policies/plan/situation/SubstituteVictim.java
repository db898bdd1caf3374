package dev.holdfast.policies.plan.situation;

import dev.holdfast.policies.evaluate.NodeRejection;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.conduct.OptOuts;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.rule.Rule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
public record SubstituteVictim(Candidate owner, Set<String> inTheWay, List<Candidate> rest) implements VictimStrategy {
    public SubstituteVictim {
        inTheWay = Set.copyOf(inTheWay);
        rest = List.copyOf(rest);
    }

    /** {@return the first to go of those in the owner's way, at least one; the others go after it} */
    public static Candidate first(Candidate owner, List<Candidate> inTheWay) {
        Set<String> uids = inTheWay.stream().map(it -> it.pod().uid()).collect(Collectors.toSet());
        List<Candidate> rest = List.of();
        for (Candidate next : Candidate.inOrder(inTheWay, Map.of()).reversed()) {
            Candidate standing = next.standingIn(new SubstituteVictim(owner, uids, rest));
            rest = Stream.concat(Stream.of(standing), rest.stream()).toList();
        }
        return rest.getFirst();
    }

    @Override
    public Pod owner(Pod victim) {
        return owner.pod();
    }

    @Override
    public List<Candidate> following() {
        return rest;
    }

    @Override
    public Set<String> leaving() {
        return inTheWay;
    }

    /** The rule is not the victim's own, so no verdict on the victim says whether it is still in the way. */
    @Override
    public NodeRejection objection(Rule rule, Pod victim, ClusterView view) {
        if (!(rule instanceof Rule.PodAntiAffinity apart)) {
            return NodeRejection.NONE;
        }
        String topologyKey = apart.term().topologyKey();
        Optional<String> domain =
                view.nodeCounting(owner.pod()).flatMap(node -> node.labels().get(topologyKey));
        return NodeRejection.unless(node -> !node.labels().get(topologyKey).equals(domain), "still in the way");
    }

    @Override
    public Hold named(Hold hold, Pod victim) {
        return hold.saying("pod " + victim.name() + ", whose priority is lower, is to go instead: ");
    }

    /** The deadline of the violation counts only what the annotations of the rule owner ask. */
    @Override
    public Optional<Instant> forgivenUntil(Candidate candidate, ClusterView view) {
        Duration asked = candidate
                .requestingPolicy()
                .disruptionControls()
                .overrides()
                .lengthened(Duration.ZERO, OptOuts.marksOf(candidate.pod(), view));
        return Optional.of(candidate.violation().since().plus(asked));
    }

    @Override
    public boolean mayGoWithoutPlace() {
        return false;
    }

    @Override
    public boolean mayContradict() {
        return false;
    }

    /** It goes because it is in the way itself, and its namespace is one that the policy selects. */
    @Override
    public boolean needsTrust() {
        return false;
    }
}
