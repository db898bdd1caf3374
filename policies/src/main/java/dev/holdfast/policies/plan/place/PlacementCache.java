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
 * The results of feasibility checks, kept from plan to plan. Such a check looks for a node that would take a
 * candidate's pod, which reads nodes and many pods. So a plan checks only some candidates, beginning with those whose
 * last check is the oldest. For all others, the last result counts. Candidates of mode Enforce come first, but a tenth
 * of the checks is reserved for mode Audit.
 *
 * <p>Example: with 50 candidates and 20 checks in a plan, the first plan checks candidates 1 to 20, the second 21 to
 * 40, and the third 41 to 50 and 1 to 10. There is a second limit, on the nodes tried in a plan. If that is 20,000 and
 * no check finds a node among 5,000, a plan makes four checks.
 */
public final class PlacementCache {
    /** How long after a check the same candidate is not checked again, whatever changes meanwhile. */
    private static final Duration FRESH = Duration.ofSeconds(1);

    private static final int TENTH = 10;

    /**
     * Each check counts as this many tried nodes, plus the nodes that it really tries: preparing the rules and their
     * partners takes about as long.
     */
    private static final int NODES_TO_BEGIN = 1_000;

    private final int lookedForInAPlan;
    private final int nodesInAPlan;
    private final Map<ViolationKey, Result> known = new HashMap<>();

    /**
     * When a plan was to check a violation but skipped it, because the candidate was held or left to a later plan. The
     * next check removes the entry.
     */
    private final Map<ViolationKey, Instant> passed = new HashMap<>();

    private final InfeasibleSince infeasibleSince = new InfeasibleSince();

    private Set<ViolationKey> toLookFor = Set.of();
    private final Set<ViolationKey> lookedFor = new HashSet<>();

    /** How many more nodes this plan may try for candidates of mode Enforce. The last check may make it negative. */
    private int nodesForEnforced;

    /** How many more nodes this plan may try for candidates of mode Audit. The last check may make it negative. */
    private int nodesForOthers;

    /**
     * The result of one feasibility check.
     *
     * @param podUid the UID of the pod that needs a node
     * @param target a node that would take the pod; absent if none would
     * @param against why no node would take the pod; absent if one would
     * @param at when the check was made
     */
    public record Result(String podUid, Optional<String> target, Optional<Infeasibility> against, Instant at) {
        private boolean isFresh(Instant now) {
            return now.isBefore(at.plus(FRESH));
        }

        private boolean isOf(Candidate candidate) {
            return podUid.equals(candidate.pod().uid());
        }
    }

    /**
     * Creates an empty cache.
     *
     * @param lookedForInAPlan the maximum number of candidates that one plan checks
     * @param nodesInAPlan the number of nodes tried in one plan after which no further check begins
     */
    public PlacementCache(int lookedForInAPlan, int nodesInAPlan) {
        this.lookedForInAPlan = lookedForInAPlan;
        this.nodesInAPlan = nodesInAPlan;
    }

    /**
     * Begins a plan: selects the candidates that this plan may check.
     *
     * @param candidates those that passed all earlier checks and now need a node, in victim order ({@link
     *     Candidate#inOrder})
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

    private Optional<Result> known(Candidate candidate) {
        return Optional.ofNullable(known.get(candidate.violation().key())).filter(result -> result.isOf(candidate));
    }

    private Instant lastTurn(Candidate candidate) {
        return Optional.ofNullable(passed.get(candidate.violation().key()))
                .or(() -> known(candidate).map(Result::at))
                .orElse(Instant.MIN);
    }

    /**
     * {@return whether this plan may check the candidate: {@link #begin} selected it, and the limit on nodes is not
     * reached}
     */
    private boolean mayCheck(Candidate candidate) {
        return toLookFor.contains(candidate.violation().key())
                && (isEnforced(candidate) ? nodesForEnforced : nodesForOthers) > 0;
    }

    /**
     * Records that a candidate is not checked in this plan, because it is held or left to a later plan. If the plan had
     * selected it for a check, the next plans prefer other candidates.
     */
    public void skip(Candidate candidate, Instant now) {
        if (mayCheck(candidate)) {
            passed.put(candidate.violation().key(), now);
        }
    }

    /**
     * Checks the candidate if this plan may, and returns the result. Else returns the last result, or empty if the
     * candidate was never checked. The last result is dropped if it names a node that would no longer take this pod,
     * because another move in flight goes there.
     */
    public Optional<Result> place(Candidate candidate, Situation situation) {
        if (mayCheck(candidate)) {
            return Optional.of(check(candidate, situation));
        }
        if (known(candidate)
                .filter(result -> isPromisedAway(result, candidate, situation))
                .isPresent()) {
            known.remove(candidate.violation().key());
        }
        return known(candidate);
    }

    /** Checks the candidate again and returns the new result; empty if this plan may make no further check of it. */
    public Optional<Result> lookAgain(Candidate candidate, Situation situation) {
        return mayCheck(candidate) ? Optional.of(check(candidate, situation)) : Optional.empty();
    }

    /**
     * {@return whether the target node of the last result would no longer take the candidate, because another move in
     * flight goes there}
     */
    private static boolean isPromisedAway(Result result, Candidate candidate, Situation situation) {
        boolean promised = result.target().isPresent()
                && situation.moves().inFlight().stream()
                        .anyMatch(move -> move.target().equals(result.target()));
        return promised && !Feasibility.takes(result.target().get(), candidate, situation);
    }

    private Result check(Candidate candidate, Situation situation) {
        Feasibility.Search search = PlacementSearch.search(candidate, situation);
        ViolationKey key = candidate.violation().key();
        if (known(candidate).isEmpty()) {
            // There is no result for this pod yet, so the time for which no node would take it starts now.
            infeasibleSince.forget(key);
        }
        Result result = new Result(candidate.pod().uid(), search.target(), search.against(), situation.now());
        passed.remove(key);
        known.put(key, result);
        lookedFor.add(key);
        // With any other reason, the check was impossible, or a node fits and must not be used.
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
        return result;
    }

    /**
     * {@return when to plan again, because the oldest result that this plan reused for these candidates is too old
     * then; empty if it reused none}
     */
    public Optional<Instant> nextLook(Stream<Candidate> candidates) {
        return candidates
                .filter(candidate -> !lookedFor.contains(candidate.violation().key()))
                .flatMap(candidate -> known(candidate).stream())
                .map(result -> result.at().plus(FRESH))
                .min(Comparator.naturalOrder());
    }

    /**
     * {@return since when no node would take the candidate; empty if its last check had another result, or if it was
     * never checked}
     */
    public Optional<InfeasibleSince.Period> infeasible(Candidate candidate) {
        return infeasibleSince.of(candidate.violation().key());
    }

    /**
     * Forgets since when no node would take the pod of a violation, so that this time starts again. Called when the
     * deadline of the violation was computed again.
     */
    public void restart(ViolationKey key) {
        infeasibleSince.forget(key);
    }

    /** Forgets all results for a violation that has ended. */
    public void forget(ViolationKey key) {
        known.remove(key);
        passed.remove(key);
        infeasibleSince.forget(key);
    }

    /** {@return the number of stored entries} */
    public int size() {
        return known.size() + passed.size() + infeasibleSince.size();
    }
}
