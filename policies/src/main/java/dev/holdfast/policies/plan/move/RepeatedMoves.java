package dev.holdfast.policies.plan.move;

import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.RuleIdentity;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The recent successful moves, by workload and rule. It finds pods that are moved to and fro: a label that flaps slowly
 * lets each move succeed and the rule break again later. Owned by one thread.
 *
 * <p>Moves are counted in rounds: a move is one round after another one if its victim was created after the other
 * eviction. So a rule that breaks for 30 pods of a workload at once is one round with 30 moves, not 30 rounds.
 *
 * <p>After three rounds within a day the next one waits, as long as after three futile moves: 20 minutes. Each further
 * round doubles the wait, up to a day. A day after the wait is over, the rounds are forgotten.
 */
public final class RepeatedMoves {
    /** The number of rounds within a day after which the next round waits. */
    static final int ALLOWED = 3;

    static final Duration DAY = Duration.ofDays(1);

    /** The maximum number of moves that are kept for a workload and rule: the latest ones. */
    private static final int KEPT = 100;

    private final Map<Key, List<Success>> successes = new HashMap<>();

    private record Key(String workloadUid, RuleIdentity rule) {}

    /**
     * A successful move.
     *
     * @param evictions when a pod was evicted in this and up to two earlier rounds, oldest first
     * @param rounds the number of this round; it counts only while the rounds are close together
     * @param restless whether the next round waits
     * @param at when the replacement was Ready
     */
    private record Success(List<Instant> evictions, int rounds, boolean restless, String replacementUid, Instant at) {
        boolean isBefore(Pod pod) {
            return pod.uid().equals(replacementUid) || pod.life().creationTime().isAfter(evictions.getLast());
        }

        Instant again() {
            return restless ? at.plus(Futility.waitAfter(rounds)) : at;
        }

        boolean isForgotten(Instant now) {
            return !now.isBefore(again().plus(DAY));
        }
    }

    /**
     * The rounds of moves before a pod, after which the next round waits.
     *
     * @param number the number of rounds, at least {@link #ALLOWED}
     * @param again when the next move is allowed
     */
    public record Rounds(int number, Instant again) {}

    /**
     * Records a successful move.
     *
     * @param replacementUid the UID of the pod that replaced the victim
     */
    public void succeeded(Move move, Workload workload, Instant evictedAt, String replacementUid, Instant now) {
        Key key = new Key(workload.uid(), move.key().rule());
        Success success = before(key, move.victim(), evictedAt)
                .map(last -> nextRound(last, evictedAt, replacementUid, now))
                .orElseGet(() -> new Success(List.of(evictedAt), 1, false, replacementUid, now));
        List<Success> all = successes.computeIfAbsent(key, _ -> new ArrayList<>());
        all.add(success);
        if (all.size() > KEPT) {
            all.removeFirst();
        }
    }

    private static Success nextRound(Success last, Instant evictedAt, String replacementUid, Instant now) {
        List<Instant> evictions = new ArrayList<>(last.evictions());
        evictions.add(evictedAt);
        List<Instant> latest =
                List.copyOf(evictions.subList(Math.max(0, evictions.size() - ALLOWED), evictions.size()));
        boolean withinADay =
                latest.size() == ALLOWED && latest.getFirst().plus(DAY).isAfter(evictedAt);
        boolean restless = last.restless() || withinADay;
        int rounds = restless ? Math.max(ALLOWED, last.rounds() + 1) : Math.min(ALLOWED - 1, last.rounds() + 1);
        return new Success(latest, rounds, restless, replacementUid, now);
    }

    /** {@return the last successful move before this pod with the most rounds} */
    private Optional<Success> before(Key key, Pod pod, Instant now) {
        return successes.getOrDefault(key, List.of()).stream()
                .filter(success -> success.isBefore(pod) && !success.isForgotten(now))
                .max(Comparator.comparingInt(Success::rounds).thenComparing(Success::at));
    }

    /** {@return the rounds before a move of this pod; empty if its workload needs not wait because of them} */
    public Optional<Rounds> before(Pod pod, Workload workload, RuleIdentity rule, Instant now) {
        if (successes.isEmpty()) {
            return Optional.empty();
        }
        return before(new Key(workload.uid(), rule), pod, now)
                .filter(Success::restless)
                .map(success -> new Rounds(success.rounds(), success.again()));
    }

    /** Forgets the moves whose wait was over a day ago. */
    public void forgetOld(Instant now) {
        successes.values().forEach(all -> all.removeIf(success -> success.isForgotten(now)));
        successes.values().removeIf(List::isEmpty);
    }

    /** {@return the number of stored moves} */
    public int size() {
        return successes.values().stream().mapToInt(List::size).sum();
    }
}
