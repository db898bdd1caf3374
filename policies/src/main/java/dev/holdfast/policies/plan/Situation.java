package dev.holdfast.policies.plan;

import dev.holdfast.policies.evaluate.Bystanders;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.evaluate.Repulsion;
import dev.holdfast.policies.model.ClusterView;
import java.time.Instant;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What a candidate is held against.
 *
 * @param partners who breaks the anti-affinity of candidates
 * @param repulsion whom the anti-affinity of the pods in the view keeps out
 * @param bystanders how the rules of all others come out of a move
 * @param room what pods leave of the nodes in the view
 * @param volumes where the volumes of claims can be used
 * @param unrest what disturbed workloads lately
 * @param domains what is known of domains
 * @param replicas how many pods workloads have
 * @param openings which windows of policies are open
 * @param moves those in flight and those remembered, the ones chosen earlier in the same plan included
 * @param brakes what stops evictions when too much breaks at once
 * @param protectedNamespaces pods in them are never victims
 * @param disregarded what is against a candidate for these reasons does not count; none in an operator
 */
public record Situation(
        ClusterView view,
        PartnerFinder partners,
        Repulsion repulsion,
        Bystanders bystanders,
        Room room,
        Volumes volumes,
        Unrest unrest,
        Domains domains,
        Replicas replicas,
        Openings openings,
        Moves moves,
        Limits limits,
        Brakes brakes,
        Set<String> protectedNamespaces,
        Set<Reason> disregarded,
        Instant now) {
    /**
     * {@return a situation in which all is asked of {@code evaluate}}
     *
     * @param execution the view without the pods that are no partners of anti-affinity while pods run
     */
    public static Situation judged(
            ClusterView view,
            ClusterView execution,
            Unrest unrest,
            Moves moves,
            Limits limits,
            Set<String> protectedNamespaces,
            Instant now) {
        return new Situation(
                view,
                new JudgedPartners(execution),
                Repulsion.of(view),
                Bystanders.NONE,
                new Room(view),
                new Volumes(),
                unrest,
                Domains.judged(view),
                new Replicas(view),
                new Openings(now),
                moves,
                limits,
                Brakes.NONE,
                protectedNamespaces,
                Set.of(),
                now);
    }

    /** {@return the same situation, its partners and repulsion found in other ways that say the same} */
    public Situation finding(PartnerFinder otherPartners, Repulsion otherRepulsion) {
        return changed(it -> {
            it.partners = otherPartners;
            it.repulsion = otherRepulsion;
        });
    }

    /** {@return the same situation, with others whose rules are held} */
    public Situation sparing(Bystanders others) {
        return changed(it -> {
            it.bystanders = others;
        });
    }

    /** {@return the same situation, with what was read of volumes} */
    public Situation knowing(Volumes read) {
        return changed(it -> {
            it.volumes = read;
        });
    }

    /** {@return the same situation, with what is left of nodes remembered from before} */
    public Situation remembering(Room known) {
        return changed(it -> {
            it.room = known;
        });
    }

    /** {@return the same situation, with what was seen of domains and of nodes before} */
    public Situation remembering(DomainHistory history, VanishedNodes vanished) {
        return remembering(new Domains(history, domains.spreads(), new NodeHealth(view, vanished.lately(now))));
    }

    /** {@return the same situation, with domains that break spreads found in another way that says the same} */
    public Situation finding(SpreadFinder spreads) {
        return remembering(new Domains(domains.history(), spreads, domains.health()));
    }

    private Situation remembering(Domains known) {
        return changed(it -> {
            it.domains = known;
        });
    }

    /** {@return the same situation, with what stops evictions when too much breaks at once} */
    public Situation braked(Brakes others) {
        return changed(it -> {
            it.brakes = others;
        });
    }

    /** {@return the same situation with these moves} */
    Situation with(Moves others) {
        return changed(it -> {
            it.moves = others;
        });
    }

    /** {@return the same situation, in which nothing is held for these reasons} */
    public Situation disregarding(Set<Reason> reasons) {
        return changed(it -> {
            it.disregarded = reasons;
        });
    }

    /** {@return whether a candidate is held for this reason} */
    boolean counts(Reason reason) {
        return !disregarded.contains(reason);
    }

    private Situation changed(Consumer<Parts> change) {
        Parts parts = new Parts(this);
        change.accept(parts);
        return parts.together();
    }

    /** What a situation is made of, while one of its parts is exchanged. */
    private static final class Parts {
        private final ClusterView view;
        private PartnerFinder partners;
        private Repulsion repulsion;
        private Bystanders bystanders;
        private Room room;
        private Volumes volumes;
        private final Unrest unrest;
        private Domains domains;
        private final Replicas replicas;
        private final Openings openings;
        private Moves moves;
        private final Limits limits;
        private Brakes brakes;
        private final Set<String> protectedNamespaces;
        private Set<Reason> disregarded;
        private final Instant now;

        Parts(Situation it) {
            view = it.view;
            partners = it.partners;
            repulsion = it.repulsion;
            bystanders = it.bystanders;
            room = it.room;
            volumes = it.volumes;
            unrest = it.unrest;
            domains = it.domains;
            replicas = it.replicas;
            openings = it.openings;
            moves = it.moves;
            limits = it.limits;
            brakes = it.brakes;
            protectedNamespaces = it.protectedNamespaces;
            disregarded = it.disregarded;
            now = it.now;
        }

        Situation together() {
            return new Situation(
                    view,
                    partners,
                    repulsion,
                    bystanders,
                    room,
                    volumes,
                    unrest,
                    domains,
                    replicas,
                    openings,
                    moves,
                    limits,
                    brakes,
                    protectedNamespaces,
                    disregarded,
                    now);
        }
    }
}
