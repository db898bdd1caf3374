package dev.holdfast.policies.plan.input;

import dev.holdfast.policies.evaluate.NodeRejection;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.controls.KeepAnnotations;
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
 * The strategy that evicts, instead of the rule owner, the pods of lower priority that break the owner's anti-affinity
 * ({@code victim: LowestPriority}).
 *
 * @param owner the candidate for the rule owner, which stays
 * @param inTheWay UIDs of all pods in the owner's way, including the pod to evict
 * @param rest the candidates for the pods that must move after this one, in order
 */
public record SubstituteVictim(Candidate owner, Set<String> inTheWay, List<Candidate> rest) implements VictimStrategy {
    public SubstituteVictim {
        inTheWay = Set.copyOf(inTheWay);
        rest = List.copyOf(rest);
    }

    /**
     * {@return the candidate for the pod to evict first, in victim order; its strategy lists the pods that must move
     * after it}
     *
     * @param owner the candidate for the rule owner
     * @param inTheWay the candidates for the pods in the owner's way; at least one
     */
    public static Candidate first(Candidate owner, List<Candidate> inTheWay) {
        Set<String> uids = inTheWay.stream().map(it -> it.pod().uid()).collect(Collectors.toSet());
        List<Candidate> rest = List.of();
        for (Candidate next : Candidate.inOrder(inTheWay, Map.of()).reversed()) {
            Candidate substitute = next.asSubstitute(new SubstituteVictim(owner, uids, rest));
            rest = Stream.concat(Stream.of(substitute), rest.stream()).toList();
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

    /**
     * {@return a rejection that keeps the victim out of the rule owner's domain} The victim is not held to the broken
     * rule, so evaluating that rule for the victim would accept every node.
     */
    @Override
    public NodeRejection rejection(Rule rule, Pod victim, ClusterView view) {
        if (!(rule instanceof Rule.PodAntiAffinity apart)) {
            return NodeRejection.NONE;
        }
        String topologyKey = apart.term().topologyKey();
        Optional<String> domain =
                view.countedNode(owner.pod()).flatMap(node -> node.labels().get(topologyKey));
        return NodeRejection.unless(
                node -> !node.labels().get(topologyKey).equals(domain), "in the same domain as the rule owner");
    }

    @Override
    public Hold namingVictim(Hold hold, Pod victim) {
        return hold.saying(instead(victim));
    }

    /** {@return words that name the pod to move instead of the rule owner; the message of a hold follows them} */
    public static String instead(Pod victim) {
        return "pod " + victim.name() + ", whose priority is lower, would be moved instead: ";
    }

    /**
     * {@return until when annotations of the victim forbid its eviction} The deadline of the violation includes only
     * the annotations of the rule owner. The annotations of the victim may ask for longer forgiveness, which counts
     * from when the forgiveness of the policy does.
     */
    @Override
    public Optional<Instant> forgivenUntil(Candidate candidate, ClusterView view) {
        Duration asked = candidate
                .requestingPolicy()
                .disruptionControls()
                .overrides()
                .lengthened(Duration.ZERO, KeepAnnotations.annotationsOf(candidate.pod(), view));
        return Optional.of(candidate.requestingPolicy().countedFrom().plus(asked));
    }

    @Override
    public boolean mayEvictWithoutNode() {
        return false;
    }

    @Override
    public boolean mayContradict() {
        return false;
    }

    /**
     * Returns false: the pods that cause the violation are themselves evicted, and the policy covers their namespaces.
     */
    @Override
    public boolean needsTrust() {
        return false;
    }
}
