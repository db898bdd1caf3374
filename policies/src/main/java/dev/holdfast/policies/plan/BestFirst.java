package dev.holdfast.policies.plan;

import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.rule.Rule;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * Decides about candidates in the order in which they are served ({@link FairOrder}). Another candidate of the same
 * namespace and priority is chosen first if its move heals the violation of the next one too, and more violations in
 * all. So one change that breaks several rules moves the pod whose move heals them all.
 *
 * <p>Example: node n1 loses the label {@code disk=ssd} that a cache needs, and a zone label, so that two web pods have
 * no cache in their zone. The move of a web pod heals one violation. The move of the cache into their zone heals three.
 */
final class BestFirst {
    /** How many candidates are compared at a time. Each candidate costs a search for a node. */
    private static final int COMPARED = 8;

    private final PlanDraft draft;

    /** The candidates without a decision, in the order in which they are served. */
    private final Map<Peers, SequencedMap<ViolationKey, Candidate>> undecided = new HashMap<>();

    /** The options of undecided candidates that were compared already. */
    private final Map<ViolationKey, PlanOption> options = new HashMap<>();

    /** The candidates that are compared with one another. */
    private record Peers(String namespace, int priority) {
        static Peers of(Candidate candidate) {
            return new Peers(
                    candidate.pod().namespace(),
                    candidate.pod().victimProtection().priority());
        }
    }

    private BestFirst(List<Candidate> candidates, PlanDraft draft) {
        this.draft = draft;
        candidates.forEach(candidate -> undecided
                .computeIfAbsent(Peers.of(candidate), _ -> new LinkedHashMap<>())
                .put(candidate.violation().key(), candidate));
    }

    /**
     * Decides which candidates are chosen, held or left to a later plan.
     *
     * @param candidates candidates of equal mode, in the order in which they are served
     */
    static void decide(List<Candidate> candidates, PlanDraft draft) {
        BestFirst bestFirst = new BestFirst(candidates, draft);
        for (Candidate candidate : candidates) {
            while (bestFirst.isUndecided(candidate)) {
                bestFirst.serve(candidate);
            }
        }
    }

    private boolean isUndecided(Candidate candidate) {
        return peers(candidate).containsKey(candidate.violation().key());
    }

    private SequencedMap<ViolationKey, Candidate> peers(Candidate candidate) {
        return Objects.requireNonNull(undecided.get(Peers.of(candidate)));
    }

    /** Decides about the candidate, or chooses one of its peers first. */
    private void serve(Candidate next) {
        Optional<PlanOption> own = option(next);
        if (own.isEmpty()) {
            return;
        }
        PlanOption best = rivals(next).stream()
                .flatMap(rival -> option(rival).stream())
                .filter(rival -> rival.heals() > own.get().heals() && draft.healsToo(rival, next))
                .reduce(own.get(), (one, other) -> other.heals() > one.heals() ? other : one);
        decided(best.candidate());
        draft.refreshed(best).map(PlanOption::victim).ifPresent(draft::choose);
    }

    /** {@return the peers whose moves may heal the candidate's violation; none for a rule about nodes} */
    private List<Candidate> rivals(Candidate next) {
        return next.rule() instanceof Rule.OfNode
                ? List.of()
                : peers(next).values().stream()
                        .limit(COMPARED)
                        .filter(peer -> !peer.equals(next))
                        .toList();
    }

    /** {@return the candidate as an option in the present state; empty if it is decided now} */
    private Optional<PlanOption> option(Candidate candidate) {
        ViolationKey key = candidate.violation().key();
        Optional<PlanOption> option =
                Optional.ofNullable(options.get(key)).map(draft::refreshed).orElseGet(() -> draft.option(candidate));
        option.ifPresentOrElse(known -> options.put(key, known), () -> decided(candidate));
        return option;
    }

    private void decided(Candidate candidate) {
        ViolationKey key = candidate.violation().key();
        peers(candidate).remove(key);
        options.remove(key);
    }
}
