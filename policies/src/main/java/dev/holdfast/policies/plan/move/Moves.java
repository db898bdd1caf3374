package dev.holdfast.policies.plan.move;

import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.rule.NodeKeys;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The moves in flight, and what limits must remember of those before. Owned by one thread. */
public final class Moves {
    static final Duration HOUR = Duration.ofHours(1);

    private final NavigableMap<String, Move> inFlight = new TreeMap<>();
    private final List<Spent> spent = new ArrayList<>();
    private final Futility futility;

    /** When victims were evicted, by UID: those of the hour before the last one. */
    private final Map<String, Instant> evicted = new HashMap<>();

    /** One eviction that was sent, by what limits count it. */
    public record Spent(Instant at, PolicyId policy, Optional<Workload> workload, Rule rule, Scheduling scheduling) {
        public static Spent of(Move move, Instant at) {
            return new Spent(
                    at,
                    move.policy(),
                    move.workload(),
                    move.rule(),
                    move.victim().scheduling());
        }

        /** {@return the keys of node labels that the broken rule depends on} */
        public Set<String> nodeKeys() {
            return NodeKeys.of(rule, scheduling);
        }
    }

    public Moves() {
        this(new Futility());
    }

    private Moves(Futility futility) {
        this.futility = futility;
    }

    /** Notes a move, or how far a known one has come. */
    public void put(Move move) {
        inFlight.put(move.id(), move);
    }

    /** {@return the move with this plan id, if it is still in flight} */
    public Optional<Move> find(String id) {
        return Optional.ofNullable(inFlight.get(id));
    }

    /** Takes a move out of flight. */
    public void remove(String id) {
        inFlight.remove(id);
    }

    /** {@return the moves in flight, by plan id} */
    public Collection<Move> inFlight() {
        return Collections.unmodifiableCollection(inFlight.values());
    }

    /** {@return the same moves, to plan on without changing these; no plan changes what was in vain} */
    public Moves copy() {
        Moves copy = new Moves(futility);
        copy.inFlight.putAll(inFlight);
        copy.spent.addAll(spent);
        copy.evicted.putAll(evicted);
        return copy;
    }

    /** Notes that the eviction of a move was sent, for the hourly limits. */
    public void spend(Move move, Instant now) {
        forgetOlder(now);
        spent.add(Spent.of(move, now));
        evicted.values().removeIf(at -> !at.isAfter(now.minus(HOUR)));
        evicted.put(move.victim().uid(), now);
    }

    /** {@return whether the pod is the victim of a move in flight, or was evicted lately and may still be going} */
    public boolean isVictim(String podUid) {
        return evicted.containsKey(podUid)
                || inFlight.values().stream()
                        .anyMatch(move -> move.victim().uid().equals(podUid));
    }

    /** {@return what is remembered of moves that came to nothing} */
    public Futility futility() {
        return futility;
    }

    /** {@return how many moves are in flight or promised that have something in common} */
    public int inFlight(Predicate<Move> sharing) {
        int found = 0;
        for (Move move : inFlight.values()) {
            found += sharing.test(move) ? 1 : 0;
        }
        return found;
    }

    /** {@return what has been evicted within the last hour, or is being asked for, of what has something in common} */
    public Hour hour(Predicate<Spent> sharing, Instant now) {
        forgetOlder(now);
        int evictions = inFlight(move -> move.pending() && sharing.test(Spent.of(move, now)));
        Optional<Instant> next = Optional.empty();
        for (Spent one : spent) {
            if (sharing.test(one)) {
                evictions++;
                next = next.or(() -> Optional.of(one.at().plus(HOUR)));
            }
        }
        return new Hour(evictions, next);
    }

    /** {@return how many evictions were made since an instant less than an hour ago, or are being asked for} */
    public int since(Instant from, Predicate<Spent> sharing, Instant now) {
        int evictions = inFlight(move -> move.pending() && sharing.test(Spent.of(move, now)));
        for (Spent one : spent) {
            evictions += !one.at().isBefore(from) && sharing.test(one) ? 1 : 0;
        }
        return evictions;
    }

    /**
     * What one hour has seen.
     *
     * @param next when the oldest of its evictions is an hour ago; absent if all are still being asked for
     */
    public record Hour(int evictions, Optional<Instant> next) {}

    /**
     * {@return a move in flight of the same pod, or whose replacement it is, for whatever rule, or by which another makes way
     * for it, or one that holds a scope which meets this one}
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
        spent.removeIf(it -> !it.at().isAfter(anHourAgo));
    }
}
