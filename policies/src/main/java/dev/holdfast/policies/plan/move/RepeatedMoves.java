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
 * The successful moves of the last day, by workload and rule. It finds pods that are moved to and fro: a label that
 * flaps slowly lets each move succeed and the rule break again later. Owned by one thread.
 *
 * <p>Moves are counted one after the other: a move counts after another one if its victim was created after the other
 * eviction. So a rule that breaks for 30 pods of a workload at once is one round with 30 moves, not 30 rounds.
 */
public final class RepeatedMoves {
    /** The number of rounds within a day after which the next one waits. */
    public static final int ALLOWED = 3;

    static final Duration DAY = Duration.ofDays(1);

    /**
     * The maximum number of moves that are kept for a workload and rule, the latest ones, and of rounds before a move.
     * The wait has its full length before that.
     */
    private static final int KEPT = 100;

    private final Map<Key, List<Success>> successes = new HashMap<>();

    private record Key(String workloadUid, RuleIdentity rule) {}

    /**
     * A successful move.
     *
     * @param evictions when the pods of this and earlier rounds were evicted, oldest first; the last is of this move
     */
    private record Success(List<Instant> evictions, String replacementUid, Instant at) {
        boolean isBefore(Pod pod) {
            return pod.uid().equals(replacementUid) || pod.life().creationTime().isAfter(evictions.getLast());
        }

        int roundsSince(Instant dayAgo) {
            return (int) evictions.stream().filter(at -> at.isAfter(dayAgo)).count();
        }
    }

    /**
     * The rounds of successful moves within a day before a pod.
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
        List<Instant> evictions = new ArrayList<>(
                before(key, move.victim(), now).map(Success::evictions).orElse(List.of()));
        evictions.add(evictedAt);
        List<Success> all = successes.computeIfAbsent(key, _ -> new ArrayList<>());
        all.add(new Success(
                List.copyOf(evictions.subList(Math.max(0, evictions.size() - KEPT), evictions.size())),
                replacementUid,
                now));
        if (all.size() > KEPT) {
            all.removeFirst();
        }
    }

    /** {@return the successful move before this pod with the most rounds within a day} */
    private Optional<Success> before(Key key, Pod pod, Instant now) {
        Instant dayAgo = now.minus(DAY);
        return successes.getOrDefault(key, List.of()).stream()
                .filter(success -> success.isBefore(pod))
                .max(Comparator.comparingInt((Success success) -> success.roundsSince(dayAgo))
                        .thenComparing(Success::at));
    }

    /**
     * {@return the rounds before a move of this pod; empty if there were fewer than {@link #ALLOWED} within a day} The
     * wait after the last of them is that after as many futile moves.
     */
    public Optional<Rounds> before(Pod pod, Workload workload, RuleIdentity rule, Instant now) {
        if (successes.isEmpty()) {
            return Optional.empty();
        }
        return before(new Key(workload.uid(), rule), pod, now)
                .map(success -> {
                    int rounds = success.roundsSince(now.minus(DAY));
                    return new Rounds(rounds, success.at().plus(Futility.waitAfter(rounds)));
                })
                .filter(rounds -> rounds.number() >= ALLOWED);
    }

    /** Forgets the moves that are older than a day. */
    public void forgetOld(Instant now) {
        Instant dayAgo = now.minus(DAY);
        successes.values().forEach(all -> all.removeIf(success -> !success.at().isAfter(dayAgo)));
        successes.values().removeIf(List::isEmpty);
    }

    /** {@return the number of stored moves} */
    public int size() {
        return successes.values().stream().mapToInt(List::size).sum();
    }
}
