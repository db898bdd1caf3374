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
 * Where candidates could land. To find out takes a look at nodes and at many pods; a plan does that for a few candidates,
 * those first for whom it was done longest ago, and remembers it of the others for as long. Enforced ones come first, but
 * for a tenth that is kept for the others.
 *
 * <p>Example: of 50 candidates, three plans look for 1 to 20, 21 to 40, and 41 to 50 and 1 to 10 again; if each of them
 * tried 5,000 nodes in vain, a plan that may try 20,000 would look for four at a time.
 */
public final class PlacementCache {
    /** What was found out is good for so long, however much happens meanwhile. */
    private static final Duration FRESH = Duration.ofSeconds(1);

    private static final int TENTH = 10;

    /** To begin looking for a place, at the rules and the pods that they speak of, takes as long as to try so many nodes. */
    private static final int NODES_TO_BEGIN = 1_000;

    private final int lookedForInAPlan;
    private final int nodesInAPlan;
    private final Map<ViolationKey, Place> known = new HashMap<>();

    /** Whose last turn passed without a look. */
    private final Map<ViolationKey, Instant> passed = new HashMap<>();

    private final InfeasibleSince infeasibleSince = new InfeasibleSince();

    private Set<ViolationKey> toLookFor = Set.of();
    private final Set<ViolationKey> lookedFor = new HashSet<>();

    /** How many nodes this plan may still try, for enforced candidates and for others. */
    private int nodesForEnforced;

    private int nodesForOthers;

    /**
     * Where a candidate could land, as of an instant.
     *
     * @param podUid of the pod that would go
     * @param target the node that would take it
     * @param against what speaks against all nodes; absent where one would take it
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
     * Places of which nothing is known yet.
     *
     * @param lookedForInAPlan for how many candidates a plan looks at most
     * @param nodesInAPlan how many nodes are tried for them, until it looks for no further one
     */
    public PlacementCache(int lookedForInAPlan, int nodesInAPlan) {
        this.lookedForInAPlan = lookedForInAPlan;
        this.nodesInAPlan = nodesInAPlan;
    }

    /** Begins a plan in which places matter for these candidates. */
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

    /** {@return whether it is the candidate's turn, and there are nodes left to try} */
    private boolean hasTurn(Candidate candidate) {
        return toLookFor.contains(candidate.violation().key())
                && (isEnforced(candidate) ? nodesForEnforced : nodesForOthers) > 0;
    }

    /** Lets the turn of a candidate pass that is held or put off anyway: those after it must not wait for it for ever. */
    public void pass(Candidate candidate, Instant now) {
        if (hasTurn(candidate)) {
            passed.put(candidate.violation().key(), now);
        }
    }

    /** {@return where the candidate could land; empty where nothing is known of it, nor found out in this plan} */
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

    /** {@return where the candidate could land, looked for anew; empty where this plan has no nodes left to try for it} */
    public Optional<Place> lookAgain(Candidate candidate, Situation situation) {
        return hasTurn(candidate) ? Optional.of(look(candidate, situation)) : Optional.empty();
    }

    /** {@return whether another moves to the node meanwhile, and leaves no place for the candidate} */
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
            // For another pod that was to go nobody has to have looked for as long.
            infeasibleSince.forget(key);
        }
        Place place = new Place(candidate.pod().uid(), search.target(), search.against(), situation.now());
        passed.remove(key);
        known.put(key, place);
        lookedFor.add(key);
        // What may not be overridden is no want of a place: it is not known, or there is one that is better left alone.
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

    /** {@return when to look again for those of whom this plan has only remembered something} */
    public Optional<Instant> nextLook(Stream<Candidate> candidates) {
        return candidates
                .filter(candidate -> !lookedFor.contains(candidate.violation().key()))
                .flatMap(candidate -> known(candidate).stream())
                .map(place -> place.at().plus(FRESH))
                .min(Comparator.naturalOrder());
    }

    /** {@return for how long no node would have taken the candidate; absent where one would, or nobody has looked} */
    public Optional<InfeasibleSince.Stretch> nowhere(Candidate candidate) {
        return infeasibleSince.of(candidate.violation().key());
    }

    /** Notes that a violation's time begins anew: for how long there was no place does so with it. */
    public void restart(ViolationKey key) {
        infeasibleSince.forget(key);
    }

    /** Forgets a violation that is no more. */
    public void forget(ViolationKey key) {
        known.remove(key);
        passed.remove(key);
        infeasibleSince.forget(key);
    }

    /** {@return how much is remembered of candidates} */
    public int size() {
        return known.size() + passed.size() + infeasibleSince.size();
    }
}
