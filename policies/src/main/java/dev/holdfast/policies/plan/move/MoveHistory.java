package dev.holdfast.policies.plan.move;

import dev.holdfast.policies.model.Pod;
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
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The outcomes of past moves, whatever the rules were: the futile moves in a row of each owner, and the rounds of each
 * pod. Owned by one thread.
 *
 * <p>After the n-th futile move of an owner, its next one waits for {@link FutileStreak#FIRST_WAIT} x 2^(n-1): 5, 10,
 * 20, 40 minutes. After the fifth there is no next move until a node changes in a way that may help. Then one more move
 * is allowed, and the wait keeps doubling: at least 80 minutes after the fifth, 160 after the sixth, up to
 * {@link FutileStreak#LONGEST_WAIT}. So however often nodes change, an owner has at most five futile moves in 75
 * minutes, then fewer, and finally one a day.
 *
 * <p>A round is one move of a pod, its replacement, the replacement of that, and so on. Rounds count whatever the
 * outcome was, so they find pods that are moved to and fro: a label that flaps slowly lets each move succeed, and the
 * rule break again later. After three rounds within a day the next one waits, as long as after three futile moves: 20
 * minutes. Each further round doubles the wait, up to a day. A day after the wait is over, the rounds are forgotten.
 */
public final class MoveHistory {
    /** The number of rounds within a day after which the next round waits. */
    static final int ROUNDS = 3;

    static final Duration DAY = Duration.ofDays(1);

    private final ChangeCounter changes;
    private final Map<Owner, FutileStreak> streaks = new HashMap<>();
    private final Map<String, Lineage> lineages = new HashMap<>();
    private final FutileRules futileRules;

    private Instant nodeChanged = Instant.MIN;

    /** The owners that were not living when {@link #forgetBefore} was last called. */
    private Set<Owner> idleBefore = Set.of();

    /**
     * The unit for which futile moves are counted: the pods of one direct controller, for example a ReplicaSet. Another
     * revision of a Deployment has another ReplicaSet, so its count starts at zero. Pods of another namespace do not
     * count, whatever controller they name.
     */
    public record Owner(String namespace, String controllerUid) {
        /** {@return the owner for which a futile move of the pod counts; empty for a bare pod} */
        public static Optional<Owner> of(Pod pod) {
            return pod.victimProtection().controller().map(controller -> new Owner(pod.namespace(), controller.uid()));
        }
    }

    /**
     * The rounds of moves that led to a pod.
     *
     * @param rule the rule of the last move
     */
    public record Lineage(String podUid, RuleIdentity rule, Rounds rounds) {}

    /**
     * The rounds of one pod: the moves of the pod and of the pods that it replaced.
     *
     * @param evictions when the pods of this and up to two earlier rounds were evicted, oldest first
     * @param number the number of rounds that are close together
     * @param restless whether the next round waits
     * @param policy the policy of the last move
     * @param at when the outcome of the last move was known
     */
    public record Rounds(List<Instant> evictions, int number, boolean restless, PolicyId policy, Instant at) {
        public Rounds {
            evictions = List.copyOf(evictions);
        }

        /** {@return when the next move is allowed} */
        public Instant again() {
            return restless ? at.plus(FutileStreak.waitAfter(number)) : at;
        }

        private boolean isForgotten(Instant now) {
            return !now.isBefore(again().plus(DAY));
        }

        private Rounds and(Instant evictedAt, PolicyId next, Instant now) {
            List<Instant> all = new ArrayList<>(evictions);
            all.add(evictedAt);
            List<Instant> latest = all.subList(Math.max(0, all.size() - ROUNDS), all.size());
            boolean withinADay =
                    latest.size() == ROUNDS && latest.getFirst().plus(DAY).isAfter(evictedAt);
            boolean waits = restless || withinADay;
            return new Rounds(
                    latest, waits ? Math.max(ROUNDS, number + 1) : Math.min(ROUNDS - 1, number + 1), waits, next, now);
        }
    }

    /** @param changes counts the changes of everything that the ledger stores */
    MoveHistory(ChangeCounter changes, Tenancy tenancy) {
        this.changes = changes;
        this.futileRules = new FutileRules(streaks.values(), tenancy);
    }

    /**
     * The futile moves for the next process of the operator; of very many, the last ones. The next process treats all
     * nodes as changed, because it does not know which ones changed meanwhile.
     */
    public record Remembered(
            List<OneStreak> streaks, List<FutileRules.Success> succeeded, List<FutileRules.Tries> tries) {
        /** The maximum number of pods with rounds: more than can be moved in a day by default. */
        static final int MOST_LINEAGES = 4_000;

        /** The futile moves of one owner. */
        public record OneStreak(Key key, FutileStreak streak) {}

        /** An owner, and the rule of its last futile move. */
        public record Key(String namespace, String controllerUid, RuleIdentity rule) {}

        public Remembered {
            streaks = List.copyOf(streaks);
            succeeded = List.copyOf(succeeded);
            tries = List.copyOf(tries);
        }
    }

    Remembered remembered() {
        return new Remembered(
                streaks.entrySet().stream()
                        .map(one -> new Remembered.OneStreak(key(one.getKey(), one.getValue()), one.getValue()))
                        .sorted(Comparator.comparing(
                                (Remembered.OneStreak one) -> one.streak().at(), Comparator.reverseOrder()))
                        .limit(FutileRules.MOST_REMEMBERED)
                        .toList(),
                futileRules.rememberedSuccesses(),
                futileRules.rememberedTries());
    }

    private static Remembered.Key key(Owner owner, FutileStreak streak) {
        return new Remembered.Key(
                owner.namespace(),
                owner.controllerUid(),
                streak.last().getLast().rule().orElseThrow());
    }

    List<Lineage> rememberedLineages() {
        return lineages.values().stream()
                .sorted(Comparator.comparing((Lineage one) -> one.rounds().at(), Comparator.reverseOrder()))
                .limit(Remembered.MOST_LINEAGES)
                .toList();
    }

    /**
     * Takes over the history that an earlier process stored. An earlier version stored one streak for each rule of an
     * owner, and the rounds of a pod for each rule.
     */
    void recall(Remembered remembered, List<Lineage> rounds) {
        streaks.clear();
        for (Remembered.OneStreak one : remembered.streaks()) {
            Remembered.Key key = one.key();
            List<FutileStreak.FutileMove> last = one.streak().last().stream()
                    .map(it -> new FutileStreak.FutileMove(
                            it.at(), it.policy(), it.rule().orElse(key.rule()), it.why()))
                    .toList();
            streaks.merge(
                    new Owner(key.namespace(), key.controllerUid()),
                    new FutileStreak(one.streak().workload(), one.streak().count(), last),
                    FutileStreak::and);
        }
        lineages.clear();
        rounds.forEach(one -> lineages.merge(
                one.podUid(), one, (a, b) -> a.rounds().number() < b.rounds().number() ? b : a));
        futileRules.recall(remembered.succeeded(), remembered.tries());
    }

    /** Records a futile move. */
    public void failed(Owner owner, Workload workload, FutileStreak.FutileMove failed) {
        failed.rule().ifPresent(rule -> futileRules.failed(rule, owner.namespace()));
        streaks.merge(owner, new FutileStreak(workload, 1, List.of(failed)), FutileStreak::and);
        changed();
    }

    private void changed() {
        futileRules.changed();
        changes.changed();
    }

    /**
     * Records a successful move. The success ends the streaks of all revisions of the workload, except for those with a
     * rule that the replacement breaks.
     *
     * @param rule the rule that the pod was moved for
     * @param broken the rules that the replacement breaks
     */
    public void succeeded(Workload workload, RuleIdentity rule, Set<RuleIdentity> broken, Instant now) {
        streaks.values()
                .removeIf(it -> it.workload().id().equals(workload.id())
                        && broken.stream().noneMatch(it::isFor));
        if (!broken.contains(rule)) {
            futileRules.succeeded(rule, now);
        }
        changed();
    }

    /**
     * Records one more round of a pod.
     *
     * @param replacementUid the UID of the pod that replaced the victim
     */
    public void replaced(Move move, Instant evictedAt, String replacementUid, Instant now) {
        Rounds next = Optional.ofNullable(lineages.remove(move.victim().uid()))
                .map(Lineage::rounds)
                .filter(before -> !before.isForgotten(evictedAt))
                .map(before -> before.and(evictedAt, move.policy(), now))
                .orElseGet(() -> new Rounds(List.of(evictedAt), 1, false, move.policy(), now));
        lineages.put(replacementUid, new Lineage(replacementUid, move.key().rule(), next));
        changes.changed();
    }

    /** Records that the controller replaced the replacement of a move by another pod, in the same round. */
    public void replacedAgain(String replacementUid, String nextUid) {
        Optional.ofNullable(lineages.remove(replacementUid))
                .ifPresent(one -> lineages.put(nextUid, new Lineage(nextUid, one.rule(), one.rounds())));
        changes.changed();
    }

    /** {@return the rounds of moves that led to this pod; empty if the pod need not wait because of them} */
    public Optional<Rounds> before(String podUid, Instant now) {
        return Optional.ofNullable(lineages.get(podUid))
                .map(Lineage::rounds)
                .filter(it -> it.restless() && !it.isForgotten(now));
    }

    /** Records that a node was added, or changed so that it may now take pods that it did not take before. */
    public void nodeChanged(Instant now) {
        nodeChanged = now;
    }

    /** Records that namespaces may be of other tenants now. */
    public void tenantsChanged() {
        futileRules.tenantsChanged();
    }

    /**
     * Records that a policy requires something else of its pods. The rounds and the futile moves that were made for the
     * policy are forgotten. The last one still delays the next move, so that repeated edits do not speed up moves.
     */
    public void edited(PolicyId policy) {
        streaks.replaceAll((_, streak) -> streak.without(policy));
        lineages.values().removeIf(one -> one.rounds().policy().equals(policy));
        changed();
    }

    /**
     * Forgets each owner whose last futile move was before the instant, and that was not living at the last call
     * either: a policy may be deleted just now, and created under another name.
     *
     * @param living owners that are not forgotten, because a rule of their futile moves still applies to their pods, or
     *     because they have moves
     * @return whether any was forgotten
     */
    public boolean forgetBefore(Instant instant, Set<Owner> living) {
        Set<Owner> idle = streaks.entrySet().stream()
                .filter(it -> it.getValue().at().isBefore(instant) && !living.contains(it.getKey()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        boolean forgotten = streaks.keySet().removeIf(owner -> idle.contains(owner) && idleBefore.contains(owner));
        idleBefore = idle;
        changed();
        return forgotten;
    }

    /**
     * Forgets the rounds whose wait was over a day ago, and those of pods that are gone.
     *
     * @param lives whether a pod may still move, or be replaced
     */
    public void forgetRounds(Predicate<String> lives, Instant now) {
        lineages.values().removeIf(one -> one.rounds().isForgotten(now) || !lives.test(one.podUid()));
    }

    /** {@return the namespaces of all owners with futile moves} */
    public Set<String> namespaces() {
        return streaks.keySet().stream().map(Owner::namespace).collect(Collectors.toUnmodifiableSet());
    }

    /** {@return the number of owners and rules with futile moves, and of pods with rounds} */
    public int size() {
        return streaks.size() + futileRules.size() + lineages.size();
    }

    /** {@return the futile moves in a row; empty if the last move succeeded, or if there was none} */
    public Optional<FutileStreak> streak(Owner owner) {
        return Optional.ofNullable(streaks.get(owner));
    }

    /** {@return whether Holdfast has given up: the next move waits until a node, the rule or the revision changes} */
    public boolean givenUp(FutileStreak streak) {
        return streak.count() >= FutileStreak.TRIES && !nodeChanged.isAfter(streak.at());
    }

    /** {@return whether there is no next move for the rule unless a node or the rule changes} */
    public boolean givenUp(FutileRules.FutileRule rule) {
        return !nodeChanged.isAfter(rule.last().at());
    }

    /** {@return the rules that Holdfast has given up on} */
    public FutileRules futileRules() {
        return futileRules;
    }

    /** {@return whether Holdfast has given up on the rule, and the pod's owner has futile moves} */
    public boolean failedForGivenUpRule(Pod pod, RuleIdentity rule) {
        return futileRules.of(rule, pod.namespace()).isPresent()
                && Owner.of(pod).flatMap(this::streak).isPresent();
    }
}
