package dev.holdfast.policies.plan.place;

import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.plan.capacity.Infeasibility;
import dev.holdfast.policies.plan.capacity.InfeasibleSince;
import dev.holdfast.policies.plan.situation.Candidate;
import dev.holdfast.policies.plan.situation.Situation;
import dev.holdfast.policies.rule.Mode;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A cache of feasibility checks, from plan to plan. A check reads nodes and many pods, so each plan checks only a few
 * candidates, the ones checked longest ago first. For the others the last result counts. Enforced candidates come
 * first; a tenth of the budget is reserved for audited ones.
 *
 * <p>Example with 50 candidates and 20 checks in a plan: three plans check 1 to 20, then 21 to 40, then 41 to 50 and 1
 * to 10 again. If each check tried 5,000 nodes without success, a plan with a budget of 20,000 nodes would check four.
 */
public final class PlacementCache {
    /** How long a result is not checked again, however much changes meanwhile. */
    private static final Duration FRESH = Duration.ofSeconds(1);

    private static final int TENTH = 10;

    /** The fixed cost of one check, as a number of nodes tried: preparing the rules and their partners. */
    private static final int NODES_TO_BEGIN = 1_000;

    private final int lookedForInAPlan;
    private final int nodesInAPlan;
    private final Map<ViolationKey, Place> known = new HashMap<>();

    /** The candidates that let their last turn pass without a check. */
    private final Map<ViolationKey, Instant> passed = new HashMap<>();

    private final InfeasibleSince infeasibleSince = new InfeasibleSince();

    private Set<ViolationKey> toLookFor = Set.of();
    private final Set<ViolationKey> lookedFor = new HashSet<>();

    /** The number of nodes that this plan may still try, for enforced candidates and for audited ones. */
    private int nodesForEnforced;

    private int nodesForOthers;

    /**
     * The result of a feasibility check, as of an instant.
     *
     * @param podUid of the pod that would move
     * @param target the node that would take it
     * @param against why no node would take it; absent if one would
     */
    public record Place(String podUid, Optional<String> target, Optional<Infeasibility> against, Instant at) {
        private boolean isFresh(Instant now) {
            return now.isBefore(at.plus(FRESH));
        }

        private boolean isOf(Candidate candidate) {
            return podUid.equals(candidate.pod().uid());
        }
    }

    /**
     * An empty cache.
     *
     * @param lookedForInAPlan the most candidates that a plan checks
     * @param nodesInAPlan the number of nodes tried after which a plan begins no further check
     */
    public PlacementCache(int lookedForInAPlan, int nodesInAPlan) {
        this.lookedForInAPlan = lookedForInAPlan;
        this.nodesInAPlan = nodesInAPlan;
    }

    /**
     * Begins a plan.
     *
     * @param candidates those that passed all checks except feasibility
     */
    public void begin(List<Candidate> candidates, Instant now) {
        List<Candidate> waiting = candidates.stream()
                .filter(candidate ->
                        known(candidate).filter(it -> it.isFresh(now)).isEmpty())
                .sorted(Comparator.comparing(this::lastTurn))
                .toList();
        List<Candidate> enforced =
                waiting.stream().filter(PlacementCache::isEnforced).toList();
        List<Candidate> others = waiting.stream().filter(it -> !isEnforced(it)).toList();
        int kept = Math.min(others.size(), lookedForInAPlan / TENTH);
        List<Candidate> first = enforced.subList(0, Math.min(enforced.size(), lookedForInAPlan - kept));
        List<Candidate> rest = others.subList(0, Math.min(others.size(), lookedForInAPlan - first.size()));
        toLookFor = Stream.concat(first.stream(), rest.stream())
                .map(candidate -> candidate.violation().key())
                .collect(Collectors.toSet());
        lookedFor.clear();
        nodesForOthers = first.isEmpty() ? nodesInAPlan : nodesInAPlan / TENTH;
        nodesForEnforced = rest.isEmpty() ? nodesInAPlan : nodesInAPlan - nodesForOthers;
    }

    private static boolean isEnforced(Candidate candidate) {
        return candidate.mode() == Mode.ENFORCE;
    }

    private Optional<Place> known(Candidate candidate) {
        return Optional.ofNullable(known.get(candidate.violation().key())).filter(place -> place.isOf(candidate));
    }

    private Instant lastTurn(Candidate candidate) {
        return Optional.ofNullable(passed.get(candidate.violation().key()))
                .or(() -> known(candidate).map(Place::at))
                .orElse(Instant.MIN);
    }

    /** {@return whether this plan may check the candidate: it is its turn, and the node budget is not used up} */
    private boolean hasTurn(Candidate candidate) {
        return toLookFor.contains(candidate.violation().key())
                && (isEnforced(candidate) ? nodesForEnforced : nodesForOthers) > 0;
    }

    /**
     * Lets the turn of a held or deferred candidate pass, so that the candidates after it do not wait for it forever.
     */
    public void pass(Candidate candidate, Instant now) {
        if (hasTurn(candidate)) {
            passed.put(candidate.violation().key(), now);
        }
    }

    /** {@return the result of the candidate's feasibility check, new or cached; empty if none exists} */
    public Optional<Place> place(Candidate candidate, Situation situation) {
        if (hasTurn(candidate)) {
            return Optional.of(look(candidate, situation));
        }
        if (known(candidate)
                .filter(place -> isPromisedAway(place, candidate, situation))
                .isPresent()) {
            known.remove(candidate.violation().key());
        }
        return known(candidate);
    }

    /** {@return the result of a new feasibility check; empty if this plan has no budget left for it} */
    public Optional<Place> lookAgain(Candidate candidate, Situation situation) {
        return hasTurn(candidate) ? Optional.of(look(candidate, situation)) : Optional.empty();
    }

    /**
     * {@return whether another move in flight goes to the cached target, and the node has no room left for the
     * candidate}
     */
    private static boolean isPromisedAway(Place place, Candidate candidate, Situation situation) {
        boolean promised = place.target().isPresent()
                && situation.moves().inFlight().stream()
                        .anyMatch(move -> move.target().equals(place.target()));
        return promised && !Feasibility.takes(place.target().get(), candidate, situation);
    }

    private Place look(Candidate candidate, Situation situation) {
        Feasibility.Search search = PlacementSearch.search(candidate, situation);
        ViolationKey key = candidate.violation().key();
        if (known(candidate).isEmpty()) {
            // The last result was for another victim: the time without a feasible node starts again.
            infeasibleSince.forget(key);
        }
        Place place = new Place(candidate.pod().uid(), search.target(), search.against(), situation.now());
        passed.remove(key);
        known.put(key, place);
        lookedFor.add(key);
        // Other reasons do not mean that no node has room: the check was impossible, or a node fits but is not used.
        if (search.against().filter(Infeasibility::mayBeOverridden).isPresent()) {
            infeasibleSince.foundNone(key, situation.now());
        } else {
            infeasibleSince.forget(key);
        }
        int nodes = NODES_TO_BEGIN + search.tried();
        if (isEnforced(candidate)) {
            nodesForEnforced -= nodes;
        } else {
            nodesForOthers -= nodes;
        }
        return place;
    }

    /** {@return when the first of the cached results that this plan used expires; empty if it used none} */
    public Optional<Instant> nextLook(Stream<Candidate> candidates) {
        return candidates
                .filter(candidate -> !lookedFor.contains(candidate.violation().key()))
                .flatMap(candidate -> known(candidate).stream())
                .map(place -> place.at().plus(FRESH))
                .min(Comparator.naturalOrder());
    }

    /** {@return how long no node would have taken the candidate; absent if one would, or if it was never checked} */
    public Optional<InfeasibleSince.Stretch> infeasible(Candidate candidate) {
        return infeasibleSince.of(candidate.violation().key());
    }

    /** Restarts the time without a feasible node, because the clock of the violation restarted. */
    public void restart(ViolationKey key) {
        infeasibleSince.forget(key);
    }

    /** Forgets a violation that has ended. */
    public void forget(ViolationKey key) {
        known.remove(key);
        passed.remove(key);
        infeasibleSince.forget(key);
    }

    /** {@return the number of cached entries} */
    public int size() {
        return known.size() + passed.size() + infeasibleSince.size();
    }
}
