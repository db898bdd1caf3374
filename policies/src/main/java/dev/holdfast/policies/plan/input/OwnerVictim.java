package dev.holdfast.policies.plan.input;

import dev.holdfast.policies.evaluate.NodeRejection;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.rule.Rule;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The strategy that evicts the rule owner when its rule is broken. */
public record OwnerVictim() implements VictimStrategy {
    static final OwnerVictim INSTANCE = new OwnerVictim();

    @Override
    public Pod owner(Pod victim) {
        return victim;
    }

    @Override
    public List<Candidate> following() {
        return List.of();
    }

    @Override
    public Set<String> leaving() {
        return Set.of();
    }

    @Override
    public NodeRejection rejection(Rule rule, Pod victim, ClusterView view) {
        return NodeRejection.NONE;
    }

    @Override
    public Hold namingVictim(Hold hold, Pod victim) {
        return hold;
    }

    @Override
    public Optional<Instant> forgivenUntil(Candidate candidate, ClusterView view) {
        return Optional.empty();
    }

    @Override
    public boolean mayEvictWithoutNode() {
        return true;
    }

    @Override
    public boolean mayContradict() {
        return true;
    }

    @Override
    public boolean needsTrust() {
        return true;
    }
}
