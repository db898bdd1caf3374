package dev.holdfast.policies.plan;

import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.rule.Mode;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where candidates could land. To find out takes a look at all nodes and many pods; a plan does that for a few
 * candidates, enforced ones first and of these those first for whom it was done longest ago, and remembers it of the
 * others for as long.
 *
 * <p>Example: of 50 candidates, three plans look for 1 to 20, 21 to 40, and 41 to 50 and 1 to 10 again.
 */
public final class Places {
    /** What was found out is good for so long, however much happens meanwhile. */
    private static final Duration FRESH = Duration.ofSeconds(1);

    private final int lookedForInAPlan;
    private final int nodesInAPlan;
    private final Map<ViolationKey, Place> known = new HashMap<>();

    /** Whose last turn passed without a look. */
    private final Map<ViolationKey, Instant> passed = new HashMap<>();

    private Set<ViolationKey> toLookFor = Set.of();

    /** Where a candidate could land, as of an instant. */
    private record Place(Optional<String> target, Instant at) {
        boolean isFresh(Instant now) {
            return now.isBefore(at.plus(FRESH));
        }
    }

    /** A candidate for whom a place may be looked for. */
    private record Waiting(ViolationKey key, Mode mode, Instant lastTurn) {
        static final Comparator<Waiting> ORDER =
                Comparator.comparing(Waiting::mode).reversed().thenComparing(Waiting::lastTurn);
    }

    /**
     * Places of which nothing is known yet.
     *
     * @param lookedForInAPlan for how many candidates a plan looks at most
     * @param nodesInAPlan for fewer, but for one at least, where all of them together would look at more nodes than this:
     *     whom no node takes is looked for on every one
     */
    public Places(int lookedForInAPlan, int nodesInAPlan) {
        this.lookedForInAPlan = lookedForInAPlan;
        this.nodesInAPlan = nodesInAPlan;
    }

    /** Begins a plan in which places matter for these candidates. */
    void begin(List<Candidate> candidates, Situation situation) {
        Instant now = situation.now();
        int nodes = Math.max(1, situation.view().nodes().size());
        toLookFor = candidates.stream()
                .filter(candidate ->
                        place(candidate).filter(it -> it.isFresh(now)).isEmpty())
                .map(candidate -> new Waiting(candidate.violation().key(), candidate.mode(), lastTurn(candidate)))
                .sorted(Waiting.ORDER)
                .map(Waiting::key)
                .limit(Math.min(lookedForInAPlan, Math.max(1, nodesInAPlan / nodes)))
                .collect(Collectors.toSet());
    }

    private Optional<Place> place(Candidate candidate) {
        return Optional.ofNullable(known.get(candidate.violation().key()));
    }

    private Instant lastTurn(Candidate candidate) {
        return Optional.ofNullable(passed.get(candidate.violation().key()))
                .or(() -> place(candidate).map(Place::at))
                .orElse(Instant.MIN);
    }

    /** Lets the turn of a candidate pass that is held or put off anyway: those after it must not wait for it for ever. */
    void pass(Candidate candidate, Instant now) {
        ViolationKey key = candidate.violation().key();
        if (toLookFor.contains(key)) {
            passed.put(key, now);
        }
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
            passed.remove(key);
            known.put(key, new Place(Feasibility.target(candidate, situation), situation.now()));
        }
        return place(candidate).flatMap(Place::target);
    }

    /** {@return when to look again for those of whom this plan has only remembered something} */
    Optional<Instant> nextLook(Stream<Candidate> candidates) {
        return candidates
                .filter(candidate -> !toLookFor.contains(candidate.violation().key()))
                .flatMap(candidate -> place(candidate).stream())
                .map(place -> place.at().plus(FRESH))
                .min(Comparator.naturalOrder());
    }

    /** Forgets a violation that is no more. */
    public void forget(ViolationKey key) {
        known.remove(key);
        passed.remove(key);
    }

    /** {@return how much is remembered of candidates} */
    public int size() {
        return known.size() + passed.size();
    }
}
