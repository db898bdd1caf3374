package dev.holdfast.policies.plan.move;

import dev.holdfast.policies.rule.PolicyId;
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
 * The recent successful moves, by replacement and rule. It finds pods that are moved to and fro: a label that flaps
 * slowly lets each move succeed, and the rule break again later for the replacement. Owned by one thread.
 *
 * <p>Moves are counted in rounds: the pod, its replacement, the replacement of that, and so on. So a rule that breaks
 * for 30 pods of a workload is one round for each, and a pod of a new roll-out begins with its first round.
 *
 * <p>After three rounds within a day the next one waits, as long as after three futile moves: 20 minutes. Each further
 * round doubles the wait, up to a day. A day after the wait is over, the rounds are forgotten.
 */
public final class RepeatedMoves {
    /** The number of rounds within a day after which the next round waits. */
    static final int ALLOWED = 3;

    static final Duration DAY = Duration.ofDays(1);

    private final ChangeCounter changes;
    private final Map<Key, Rounds> rounds = new HashMap<>();

    private record Key(String podUid, RuleIdentity rule) {}

    /** @param changes counts the changes of what must be remembered */
    RepeatedMoves(ChangeCounter changes) {
        this.changes = changes;
    }

    /** The rounds of moves that led to one pod, for the next process of the operator: of very many, the last ones. */
    public record Remembered(String podUid, RuleIdentity rule, Rounds rounds) {
        /** The maximum number of pods: more than can be moved in a day by default. */
        static final int MOST = 4_000;
    }

    List<Remembered> remembered() {
        return rounds.entrySet().stream()
                .map(one -> new Remembered(one.getKey().podUid(), one.getKey().rule(), one.getValue()))
                .sorted(Comparator.comparing((Remembered one) -> one.rounds().at(), Comparator.reverseOrder()))
                .limit(Remembered.MOST)
                .toList();
    }

    void recall(List<Remembered> remembered) {
        rounds.clear();
        remembered.forEach(one -> rounds.put(new Key(one.podUid(), one.rule()), one.rounds()));
    }

    /**
     * The rounds of successful moves that led to a pod.
     *
     * @param evictions when the pods of this and up to two earlier rounds were evicted, oldest first
     * @param number the number of rounds; it counts only while they are close together
     * @param restless whether the next round waits
     * @param policy the policy of the last move
     * @param at when the pod was Ready
     */
    public record Rounds(List<Instant> evictions, int number, boolean restless, PolicyId policy, Instant at) {
        public Rounds {
            evictions = List.copyOf(evictions);
        }

        /** {@return when the next move is allowed} */
        public Instant again() {
            return restless ? at.plus(Futility.waitAfter(number)) : at;
        }

        private boolean isForgotten(Instant now) {
            return !now.isBefore(again().plus(DAY));
        }

        private Rounds and(Instant evictedAt, PolicyId next, Instant now) {
            List<Instant> all = new ArrayList<>(evictions);
            all.add(evictedAt);
            List<Instant> latest = all.subList(Math.max(0, all.size() - ALLOWED), all.size());
            boolean withinADay =
                    latest.size() == ALLOWED && latest.getFirst().plus(DAY).isAfter(evictedAt);
            boolean waits = restless || withinADay;
            return new Rounds(
                    latest,
                    waits ? Math.max(ALLOWED, number + 1) : Math.min(ALLOWED - 1, number + 1),
                    waits,
                    next,
                    now);
        }
    }

    /**
     * Records a successful move.
     *
     * @param replacementUid the UID of the pod that replaced the victim
     */
    public void succeeded(Move move, Instant evictedAt, String replacementUid, Instant now) {
        RuleIdentity rule = move.key().rule();
        Rounds next = Optional.ofNullable(rounds.remove(new Key(move.victim().uid(), rule)))
                .filter(before -> !before.isForgotten(evictedAt))
                .map(before -> before.and(evictedAt, move.policy(), now))
                .orElseGet(() -> new Rounds(List.of(evictedAt), 1, false, move.policy(), now));
        rounds.put(new Key(replacementUid, rule), next);
        changes.changed();
    }

    /** {@return the rounds of moves that led to this pod; empty if the pod need not wait because of them} */
    public Optional<Rounds> before(String podUid, RuleIdentity rule, Instant now) {
        return rounds.isEmpty()
                ? Optional.empty()
                : Optional.ofNullable(rounds.get(new Key(podUid, rule)))
                        .filter(it -> it.restless() && !it.isForgotten(now));
    }

    /** Records an edit of a policy: the rounds that were made for it are forgotten. */
    public void edited(PolicyId policy) {
        if (rounds.values().removeIf(it -> it.policy().equals(policy))) {
            changes.changed();
        }
    }

    /** Forgets the rounds whose wait was over a day ago. */
    public void forgetOld(Instant now) {
        rounds.values().removeIf(it -> it.isForgotten(now));
    }

    /** {@return the number of pods with such rounds} */
    public int size() {
        return rounds.size();
    }
}
