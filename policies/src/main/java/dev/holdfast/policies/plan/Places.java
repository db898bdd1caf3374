package dev.holdfast.policies.plan;

import dev.holdfast.policies.forgive.ViolationKey;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Where candidates could land. To find out takes a look at all nodes and many pods; a plan does that for a few
 * candidates, for those first for whom it was done longest ago, and remembers it of the others.
 *
 * <p>Example: of 50 candidates, three plans look for 1 to 20, 21 to 40, and 41 to 50 and 1 to 10 again.
 */
public final class Places {
    private final int lookedForInAPlan;
    private final Map<ViolationKey, Place> known = new HashMap<>();
    private Set<ViolationKey> toLookFor = Set.of();
    private long looks;

    /** Where a candidate could land, as of a look; looks are numbered. */
    private record Place(Optional<String> target, long look) {}

    /** @param lookedForInAPlan for how many candidates a plan looks */
    public Places(int lookedForInAPlan) {
        this.lookedForInAPlan = lookedForInAPlan;
    }

    /** Begins a plan for these candidates. */
    void begin(List<Candidate> candidates) {
        toLookFor = candidates.stream()
                .map(candidate -> candidate.violation().key())
                .sorted(Comparator.comparingLong(this::lastLook))
                .limit(lookedForInAPlan)
                .collect(Collectors.toSet());
    }

    private long lastLook(ViolationKey key) {
        Place place = known.get(key);
        return place == null ? -1 : place.look();
    }

    /** {@return whether something is known of where the candidate could land, or is found out in this plan} */
    boolean knows(Candidate candidate) {
        ViolationKey key = candidate.violation().key();
        return known.containsKey(key) || toLookFor.contains(key);
    }

    /** {@return the node that would take the candidate, as far as this plan knows} */
    Optional<String> target(Candidate candidate, Situation situation) {
        ViolationKey key = candidate.violation().key();
        if (toLookFor.contains(key)) {
            known.put(key, new Place(Feasibility.target(candidate, situation), looks++));
        }
        return Optional.ofNullable(known.get(key)).flatMap(Place::target);
    }

    /** Forgets a violation that is no more. */
    public void forget(ViolationKey key) {
        known.remove(key);
    }

    /** {@return of how many candidates something is remembered} */
    public int size() {
        return known.size();
    }
}
