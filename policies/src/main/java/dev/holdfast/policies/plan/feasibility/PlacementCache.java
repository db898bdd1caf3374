package dev.holdfast.policies.plan.feasibility;

import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.plan.capacity.Infeasibility;
import dev.holdfast.policies.plan.capacity.InfeasibleSince;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.OwnerVictim;
import dev.holdfast.policies.plan.input.Situation;
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
 * candidate's pod, which reads nodes and many pods. So a plan checks only some candidates, in turn by namespace and
 * policy, beginning with those whose last check is the oldest. For all others, the last result counts. Candidates of
 * mode Enforce come first, but a tenth of the checks is reserved for mode Audit.
 *
 * <p>Example: with 50 candidates and 20 checks in a plan, the first plan checks candidates 1 to 20, the second 21 to
 * 40, and the third 41 to 50 and 1 to 10. There is a second limit, on the nodes tried in a plan. If that is 20,000 and
 * no check finds a node among 5,000, a plan makes four checks.
 */
public final class PlacementCache {
    /** How long after a check the same candidate is not checked again, whatever changes meanwhile. */
    private static final Duration FRESH = Duration.ofSeconds(1);

    /**
     * How long the result "no node would take the pod" counts, unless something changes that may help. The time is
     * short, because a change that Holdfast does not watch may help too, and because nodes settle as time passes.
     */
    private static final Duration REMEMBERED = Duration.ofSeconds(30);

    /**
     * The minimum time between two plans that check candidates again although nothing changed that may help them. So
     * very many pods without a node take at most one part in 500 of the engine's time.
     */
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(3);

    private static final int TENTH = 10;

    /**
     * Each check counts as this many tried nodes, plus the nodes that it really tries: preparing the rules and their
     * partners takes about as long.
     */
    private static final int NODES_TO_BEGIN = 1_000;

    /** A result that the check of another pod gave counts as this many tried nodes. */
    private static final int NODES_FOR_SHARED = 50;

    private final int lookedForInAPlan;
    private final int nodesInAPlan;
    private final Map<ViolationKey, Result> known = new HashMap<>();

    /**
     * When a plan was to check a violation but skipped it, because the candidate was held or left to a later plan. The
     * next check removes the entry.
     */
    private final Map<ViolationKey, Instant> passed = new HashMap<>();

    private final InfeasibleSince infeasibleSince = new InfeasibleSince();
    private final SharedSearches sharedSearches = new SharedSearches();

    /** How often nodes changed in a way that may help a pod without a node. */
    private long nodeChanges;

    /** How often nodes, pods, moves or volumes changed in a way that may help a pod without a node. */
    private long changes;

    /** The earliest instant at which candidates may be checked again although nothing changed that may help them. */
    private Instant nextLookWithoutChange = Instant.MIN;

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
     * @param validity until when and for which changes the result counts
     */
    public record Result(
            String podUid, Optional<String> target, Optional<Infeasibility> against, Instant at, Validity validity) {
        private boolean isOf(Candidate candidate) {
            return podUid.equals(candidate.pod().uid());
        }
    }

    /**
     * When a result must be checked again.
     *
     * @param byNodesAlone whether only changes of nodes may help
     * @param changes the number of changes that might have helped when the check was made
     * @param until the end of the time for which the result counts if nothing changes that may help
     * @param standing whether the violation needs no plan meanwhile: its own pod waits for a node, and no policy lets
     *     it be evicted without one
     */
    record Validity(boolean byNodesAlone, long changes, Instant until, boolean standing) {}

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

    /** Notes that nodes changed in a way that may help a pod for which no node was found. */
    public void nodesChanged() {
        nodeChanges++;
        changes++;
    }

    /** {@return how often nodes changed so that they may help a pod without one, or a policy, pause or view changed} */
    public long nodeChanges() {
        return nodeChanges;
    }

    /** Notes that pods, moves or volumes changed in a way that may help a pod for which no node was found. */
    public void othersChanged() {
        changes++;
    }

    /**
     * {@return until when a violation needs no plan, because no node would take its pod and nothing changed that may
     * help; empty if it needs one}
     */
    public Optional<Instant> standsUntil(ViolationKey key, Instant now) {
        Result result = known.get(key);
        if (result == null || !result.validity().standing() || isOutdated(result)) {
            return Optional.empty();
        }
        Instant again = checkedAgain(result);
        return now.isBefore(again) ? Optional.of(again) : Optional.empty();
    }

    /** {@return when a plan may replace the result by a new one; it may be in the past} */
    private Instant checkedAgain(Result result) {
        if (isOutdated(result)) {
            return result.at().plus(FRESH);
        }
        Instant until = result.validity().until();
        boolean paced = result.validity().standing() && until.isBefore(nextLookWithoutChange);
        return paced ? nextLookWithoutChange : until;
    }

    /** {@return whether something changed since the check that may help the candidate} */
    private boolean isOutdated(Result result) {
        return result.validity().changes() != (result.validity().byNodesAlone() ? nodeChanges : changes);
    }

    /** {@return whether a result counts for the candidate; a policy that evicts without a node needs a new one soon} */
    private boolean isFresh(Result result, Candidate candidate, Instant now) {
        return now.isBefore(result.at().plus(FRESH))
                || (now.isBefore(result.validity().until()) && !isOutdated(result) && candidate.waitsForNode());
    }

    /** {@return whether only the time since the last check is a reason to check again} */
    private boolean isOnlyOld(Candidate candidate) {
        return known(candidate)
                .filter(result -> result.validity().standing() && !isOutdated(result) && candidate.waitsForNode())
                .isPresent();
    }

    /**
     * Begins a plan: selects the candidates that this plan may check.
     *
     * @param candidates those that passed all earlier checks and now need a node, in the order in which they are served
     */
    public void begin(List<Candidate> candidates, Instant now) {
        boolean again = !now.isBefore(nextLookWithoutChange);
        List<Candidate> waiting = candidates.stream()
                .filter(candidate -> known(candidate)
                        .filter(it -> isFresh(it, candidate, now))
                        .isEmpty())
                .filter(candidate -> again || !isOnlyOld(candidate))
                .sorted(Comparator.comparing(this::lastTurn))
                .toList();
        List<Candidate> enforced =
                inTurn(waiting.stream().filter(PlacementCache::isEnforced).toList());
        List<Candidate> others =
                inTurn(waiting.stream().filter(it -> !isEnforced(it)).toList());
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

    private static List<Candidate> inTurn(List<Candidate> candidates) {
        return RoundRobin.by(
                candidate -> candidate.pod().namespace(),
                candidate -> candidate.requestingPolicy().policy(),
                candidates);
    }

    private static boolean isEnforced(Candidate candidate) {
        return candidate.mode() == Mode.ENFORCE;
    }

    /** {@return the result of the last check of this pod, however old; empty if there was none} */
    public Optional<Result> last(Candidate candidate) {
        return known(candidate);
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
     * selected the candidate for a check, the next plans prefer other candidates.
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
        if (known(candidate).isEmpty()) {
            return sharedSearches
                    .find(candidate, situation, nodeChanges)
                    .map(shared -> record(candidate, shared, situation));
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
        if (isOnlyOld(candidate)) {
            nextLookWithoutChange = situation.now().plus(BETWEEN_LOOKS);
        }
        Optional<SharedSearches.Found> shared = sharedSearches.find(candidate, situation, nodeChanges);
        if (shared.isPresent()) {
            count(candidate, NODES_FOR_SHARED);
            return record(candidate, shared.get(), situation);
        }
        Feasibility.Search search = PlacementSearch.search(candidate, situation);
        count(candidate, NODES_TO_BEGIN + search.tried());
        return record(candidate, sharedSearches.put(candidate, search, situation, nodeChanges), situation);
    }

    private void count(Candidate candidate, int nodes) {
        if (isEnforced(candidate)) {
            nodesForEnforced -= nodes;
        } else {
            nodesForOthers -= nodes;
        }
    }

    private Result record(Candidate candidate, SharedSearches.Found found, Situation situation) {
        Feasibility.Search search = found.search();
        ViolationKey key = candidate.violation().key();
        if (known(candidate).isEmpty()) {
            // There is no result for this pod yet, so the time for which no node would take it starts now.
            infeasibleSince.forget(key);
        }
        // With any other reason, the check was impossible, or a node fits and must not be used.
        if (search.against().filter(Infeasibility::mayBeOverridden).isPresent()) {
            infeasibleSince.foundNone(key, situation.now());
        } else {
            infeasibleSince.forget(key);
        }
        Result result = new Result(
                candidate.pod().uid(), search.target(), search.against(), situation.now(), validity(candidate, found));
        passed.remove(key);
        known.put(key, result);
        lookedFor.add(key);
        return result;
    }

    private Validity validity(Candidate candidate, SharedSearches.Found found) {
        Feasibility.Search search = found.search();
        // Without a tried node, the check may have been impossible, for example because a volume could not be read.
        boolean remembered =
                search.target().isEmpty() && (search.byNodesAlone() || search.tried() > 0) && candidate.waitsForNode();
        return new Validity(
                search.byNodesAlone(),
                search.byNodesAlone() ? nodeChanges : changes,
                found.at().plus(remembered ? REMEMBERED : FRESH),
                remembered && candidate.strategy() instanceof OwnerVictim);
    }

    /**
     * {@return when to plan again, because the oldest result that this plan reused for these candidates is too old
     * then; empty if it reused none}
     */
    public Optional<Instant> nextLook(Stream<Candidate> candidates) {
        return candidates
                .filter(candidate -> !lookedFor.contains(candidate.violation().key()))
                .flatMap(candidate -> known(candidate).stream())
                .map(this::checkedAgain)
                .min(Comparator.naturalOrder());
    }

    /**
     * {@return since when no node would take the candidate; empty if its last check had another result, or if it was
     * never checked}
     */
    public Optional<InfeasibleSince.Period> infeasible(Candidate candidate) {
        return infeasible(candidate.violation().key());
    }

    /** {@return the period in which no check found a node for the pod of a violation; empty if there is none} */
    public Optional<InfeasibleSince.Period> infeasible(ViolationKey key) {
        return infeasibleSince.of(key);
    }

    /** Notes that nothing changed since the last check, which found no node for the pod of a violation. */
    public void stillInfeasible(ViolationKey key, Instant now) {
        infeasibleSince.stillNone(key, now);
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
