package dev.holdfast.policies.plan.move;

import dev.holdfast.policies.rule.PolicyId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The moves in flight, and the earlier evictions that hourly limits count. Owned by one thread. */
public final class Moves {
    static final Duration HOUR = Duration.ofHours(1);

    private final ChangeCounter changes;
    private final NavigableMap<String, Move> inFlight = new TreeMap<>();
    private final List<PastEviction> pastEviction = new ArrayList<>();
    private final MoveHistory history;
    private final SlowStart slowStart;
    private final TurnHistory turns;

    /** Moves that will be made anyway, for a plan; see {@link #expect}. */
    private List<Move> expected = List.of();

    /** When each victim was evicted, by UID. Each new eviction removes the entries that are an hour old or older. */
    private final Map<String, Instant> evicted = new HashMap<>();

    /**
     * One eviction that was made.
     *
     * @param namespace the namespace of the pod
     * @param policy the policy that the pod was moved for
     * @param workload the topmost controller of the pod; absent for a bare pod
     * @param nodeKeys the keys of the node labels that the broken rule depends on
     */
    public record PastEviction(
            Instant at, String namespace, PolicyId policy, Optional<Workload> workload, Set<String> nodeKeys) {
        public PastEviction {
            nodeKeys = Set.copyOf(nodeKeys);
        }

        public static PastEviction of(Move move, Instant at) {
            return new PastEviction(at, move.victim().namespace(), move.policy(), move.workload(), move.nodeKeys());
        }
    }

    /**
     * The stored evictions, with which the next process of the operator keeps the limits.
     *
     * @param evictions the evictions of the last hour
     * @param victims the pods that were evicted within the last hour
     */
    public record Remembered(
            List<PastEviction> evictions,
            List<Victim> victims,
            MoveHistory.Remembered futility,
            SlowStart.Remembered slowStart,
            List<MoveHistory.Lineage> repeated,
            TurnHistory.Remembered turns) {
        /** A pod that was evicted, and when. */
        public record Victim(String uid, Instant at) {}

        public Remembered {
            evictions = List.copyOf(evictions);
            victims = List.copyOf(victims);
            repeated = List.copyOf(repeated);
        }

        /** {@return the stored state of an operator that has moved no pod} */
        public static Remembered nothing() {
            return new Moves().remembered();
        }
    }

    public Moves() {
        this(new ChangeCounter());
    }

    /** Creates moves in a cluster where each namespace is a tenant of its own. */
    public Moves(ChangeCounter changes) {
        this(changes, Tenancy.BY_NAMESPACE);
    }

    /**
     * @param changes counts the changes of everything that the ledger stores
     * @param tenancy decides when the failures of several namespaces concern all
     */
    public Moves(ChangeCounter changes, Tenancy tenancy) {
        this(changes, new MoveHistory(changes, tenancy), new SlowStart(changes, tenancy), new TurnHistory());
    }

    private Moves(ChangeCounter changes, MoveHistory history, SlowStart slowStart, TurnHistory turns) {
        this.changes = changes;
        this.history = history;
        this.slowStart = slowStart;
        this.turns = turns;
    }

    /** Adds a move, or replaces the move with the same plan ID. */
    public void put(Move move) {
        inFlight.put(move.id(), move);
        changes.changed();
    }

    /** {@return the move in flight with this plan ID} */
    public Optional<Move> find(String id) {
        return Optional.ofNullable(inFlight.get(id));
    }

    /** Removes a move that has ended. */
    public void remove(String id) {
        if (inFlight.remove(id) != null) {
            changes.changed();
        }
    }

    /** {@return the moves in flight, by plan ID} */
    public Collection<Move> inFlight() {
        return Collections.unmodifiableCollection(inFlight.values());
    }

    /** {@return a copy for a plan to change; it shares the records of outcomes, which plans do not change} */
    public Moves copy() {
        Moves copy = new Moves(new ChangeCounter(), history, slowStart, turns);
        copy.inFlight.putAll(inFlight);
        copy.pastEviction.addAll(pastEviction);
        copy.evicted.putAll(evicted);
        copy.expected = expected;
        return copy;
    }

    /**
     * Sets the moves that will be made anyway, now or soon. Expected moves are not in flight: no limit counts them. A
     * new list replaces the earlier one.
     */
    public void expect(List<Move> moves) {
        expected = List.copyOf(moves);
    }

    /** {@return the moves that will be made anyway, without those in flight} */
    public List<Move> expected() {
        return expected.stream().filter(move -> !isVictim(move.victim().uid())).toList();
    }

    /** Records that the victim of a move was evicted, so that the hourly limits count the eviction. */
    public void spend(Move move, Instant now) {
        forgetOlder(now);
        pastEviction.add(PastEviction.of(move, now));
        turns.served(new TurnHistory.Turn(move.victim().namespace(), move.policy()));
        evicted.values().removeIf(at -> !at.isAfter(now.minus(HOUR)));
        evicted.put(move.victim().uid(), now);
        changes.changed();
    }

    /** {@return what the next process of the operator must know to keep the limits, without the moves in flight} */
    public Remembered remembered() {
        List<Remembered.Victim> victims = new ArrayList<>();
        evicted.forEach((uid, at) -> victims.add(new Remembered.Victim(uid, at)));
        return new Remembered(
                pastEviction,
                victims,
                history.remembered(),
                slowStart.remembered(),
                history.rememberedLineages(),
                turns.remembered());
    }

    /** Replaces everything that is known, moves in flight too, by the state that an earlier process stored. */
    public void recall(Remembered remembered) {
        inFlight.clear();
        pastEviction.clear();
        pastEviction.addAll(remembered.evictions());
        // The oldest must be first: its age says when a limit has room again.
        pastEviction.sort(Comparator.comparing(PastEviction::at));
        evicted.clear();
        remembered.victims().forEach(victim -> evicted.put(victim.uid(), victim.at()));
        history.recall(remembered.futility(), remembered.repeated());
        slowStart.recall(remembered.slowStart());
        turns.recall(remembered.turns());
        changes.changed();
    }

    /**
     * {@return whether the pod is the victim of a move in flight, or was evicted a short time ago and may still be
     * terminating}
     */
    public boolean isVictim(String podUid) {
        return evicted.containsKey(podUid)
                || inFlight.values().stream()
                        .anyMatch(move -> move.victim().uid().equals(podUid));
    }

    /** {@return the outcomes of past moves: the futile ones of each owner, and the rounds of each pod} */
    public MoveHistory history() {
        return history;
    }

    /** {@return the slow start: how many moves may be in flight, by the outcomes of the last moves} */
    public SlowStart slowStart() {
        return slowStart;
    }

    /** {@return when namespaces and policies were last served} */
    public TurnHistory turns() {
        return turns;
    }

    /** {@return the number of moves, in flight or planned, that the predicate accepts} */
    public int inFlight(Predicate<Move> sharing) {
        int found = 0;
        for (Move move : inFlight.values()) {
            found += sharing.test(move) ? 1 : 0;
        }
        return found;
    }

    /** {@return the number of moves, in flight or planned, by namespace; a namespace without any is absent} */
    public Map<String, Integer> inFlightByNamespace() {
        Map<String, Integer> found = new HashMap<>();
        for (Move move : inFlight.values()) {
            found.merge(move.victim().namespace(), 1, Integer::sum);
        }
        return found;
    }

    /**
     * {@return the evictions of the last hour that the predicate accepts} A move in flight whose eviction is not
     * confirmed yet counts as an eviction.
     */
    public Hour hour(Predicate<PastEviction> sharing, Instant now) {
        forgetOlder(now);
        int evictions = inFlight(move -> move.pending() && sharing.test(PastEviction.of(move, now)));
        Optional<Instant> next = Optional.empty();
        for (PastEviction one : pastEviction) {
            if (sharing.test(one)) {
                evictions++;
                next = next.or(() -> Optional.of(one.at().plus(HOUR)));
            }
        }
        return new Hour(evictions, next);
    }

    /**
     * {@return the number of evictions since an instant that the predicate accepts} A move in flight whose eviction is
     * not confirmed yet counts as an eviction.
     *
     * @param from the start of the counted time, less than an hour ago
     */
    public int since(Instant from, Predicate<PastEviction> sharing, Instant now) {
        int evictions = inFlight(move -> move.pending() && sharing.test(PastEviction.of(move, now)));
        for (PastEviction one : pastEviction) {
            evictions += !one.at().isBefore(from) && sharing.test(one) ? 1 : 0;
        }
        return evictions;
    }

    /**
     * The evictions of the last hour.
     *
     * @param evictions the number of these evictions
     * @param next when the oldest confirmed one is an hour old and no longer counts; absent if none is confirmed
     */
    public record Hour(int evictions, Optional<Instant> next) {}

    /**
     * {@return a move in flight that blocks a move of the pod; empty if there is none} A move blocks if it moves or
     * replaces this pod, or moves another pod to heal a rule of this pod. A move also blocks if its scope overlaps the
     * given scope, until {@link Move#holdsScopeUntil}.
     */
    public Optional<Move> blocking(String podUid, Scope scope, Instant now) {
        for (Move move : inFlight.values()) {
            boolean holdsScope =
                    now.isBefore(move.holdsScopeUntil()) && move.scope().meets(scope);
            if (holdsScope || move.concerns(podUid) || move.key().podUid().equals(podUid)) {
                return Optional.of(move);
            }
        }
        return Optional.empty();
    }

    private void forgetOlder(Instant now) {
        Instant anHourAgo = now.minus(HOUR);
        pastEviction.removeIf(it -> !it.at().isAfter(anHourAgo));
    }
}
