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
import java.util.stream.Collectors;

/**
 * Counts futile moves in a row, separately for each rule and each revision of a workload. Owned by one thread.
 *
 * <p>After the n-th futile move the next one waits for {@link #FIRST_WAIT} x 2^(n-1): 5, 10, 20, 40 minutes. After the
 * fifth there is no next move until a node changes in a way that may help. Then one more move is allowed, and the wait
 * keeps doubling: at least 80 minutes after the fifth, 160 after the sixth, up to {@link #LONGEST_WAIT}. So however
 * often nodes change, a workload has at most five futile moves in 75 minutes, then fewer, and finally one a day.
 *
 * <p>If Holdfast has given up on {@link #WORKLOADS} workloads of a namespace for the same rule, it gives up on the rule
 * for the pods of this namespace. It gives up on the rule for all pods if it has given up on that many workloads, of
 * which each namespace counts at most {@link #OF_ONE_NAMESPACE}. So that takes three namespaces, and no tenant supplies
 * most of the evidence against the others. A changed node then allows one move for the rule, not one for each workload.
 * If that move succeeds, each workload may try again.
 *
 * <p>Example: 5 workloads of namespace a and 2 of b were given up for a rule. 5 are enough for namespace a, and 2 + 2
 * are too few for all. One more workload of a namespace c makes 2 + 2 + 1.
 */
public final class Futility {
    /**
     * The wait after the first futile move. It is as long as the default forgiveness. So by default it delays nothing
     * if the replacement breaks the rule again: the replacement is not due earlier anyway.
     */
    static final Duration FIRST_WAIT = Duration.ofMinutes(5);

    /**
     * The number of futile moves in a row after which Holdfast gives up. Five futile moves take at least 75 minutes,
     * which is longer than a roll-out or the replacement of a node.
     */
    public static final int TRIES = 5;

    /**
     * The maximum wait after a futile move, however many there were in a row. Once Holdfast has given up, the next move
     * needs a node change that may help, too.
     */
    static final Duration LONGEST_WAIT = Duration.ofDays(1);

    /** The number of workloads without success for a rule after which Holdfast gives up on the rule. */
    static final int WORKLOADS = 5;

    /** The maximum number of workloads of one namespace that count towards giving up on the rule for all pods. */
    static final int OF_ONE_NAMESPACE = 2;

    private final ChangeCounter changes;
    private final Map<Key, Streak> streaks = new HashMap<>();

    /** When a move for each rule last succeeded, as long as some workload has futile moves for the rule. */
    private final Map<RuleIdentity, Instant> succeeded = new HashMap<>();

    /** The number of futile moves for each rule since Holdfast gave up on it, for all pods or for one namespace. */
    private final Map<FutileScope, Integer> triesOfRule = new HashMap<>();

    /** The rules that Holdfast has given up on; empty if it must be computed again. */
    private Optional<Map<FutileScope, FutileRule>> futileRules = Optional.empty();

    private Instant nodeChanged = Instant.MIN;

    /**
     * What futile moves are counted for: the pods of one direct controller, for example a ReplicaSet, and one rule.
     * Another revision of a Deployment has another ReplicaSet, so its count starts at zero. Pods of another namespace do
     * not count, whatever controller they name.
     */
    public record Key(String namespace, String controllerUid, RuleIdentity rule) {
        /** {@return the controller and rule for which a futile move of the pod counts; empty for a bare pod} */
        public static Optional<Key> of(Pod pod, RuleIdentity rule) {
            return pod.victimProtection()
                    .controller()
                    .map(controller -> new Key(pod.namespace(), controller.uid(), rule));
        }
    }

    /**
     * One futile move.
     *
     * @param at when its outcome was known
     * @param policy the policy that the pod was moved for
     * @param why what happened to the replacement: {@code landed on n1 and broke the rule again}
     */
    public record FutileMove(Instant at, PolicyId policy, String why) {}

    /**
     * The futile moves of one workload for one rule since the last successful one.
     *
     * @param count the number of these moves
     * @param last the most recent of these moves, oldest first; from one to {@link #TRIES} moves
     */
    public record Streak(Workload workload, int count, List<FutileMove> last) {
        public Streak {
            last = List.copyOf(last);
            if (last.isEmpty()) {
                throw new IllegalArgumentException("a streak without a futile move");
            }
        }

        /** {@return the earliest time of the next move; each futile move doubles the wait, up to the maximum} */
        public Instant again() {
            return last.getLast().at().plus(waitAfter(count));
        }

        private Streak and(FutileMove next) {
            List<FutileMove> all = new ArrayList<>(last);
            all.add(next);
            return new Streak(workload, count + 1, all.subList(Math.max(0, all.size() - TRIES), all.size()));
        }

        private Streak lastOnly() {
            return new Streak(workload, 1, List.of(last.getLast()));
        }
    }

    /** A rule and the pods for which Holdfast may give up on it: those of one namespace, or all if it is absent. */
    private record FutileScope(RuleIdentity rule, Optional<String> namespace) {}

    /**
     * A rule that Holdfast has given up on, for all pods or for those of one namespace.
     *
     * @param namespace the namespace for whose pods Holdfast has given up on the rule; absent if for all pods
     * @param workloads the workloads whose moves were futile, by name; at least {@link #WORKLOADS}
     * @param last the last futile move for the rule, of any workload of these pods
     * @param tries the number of futile moves for the rule since Holdfast gave up on it
     */
    public record FutileRule(Optional<String> namespace, List<Workload> workloads, FutileMove last, int tries) {
        public FutileRule {
            workloads = List.copyOf(workloads);
        }

        /** {@return whether Holdfast has given up on the rule for pods of the namespace} */
        public boolean concerns(String of) {
            return namespace.isEmpty() || namespace.get().equals(of);
        }

        /** {@return the earliest time of the next move for the rule, after a node has changed} */
        public Instant again() {
            return last.at().plus(waitAfter(TRIES + tries));
        }
    }

    /** @param changes counts the changes of what must be remembered */
    Futility(ChangeCounter changes) {
        this.changes = changes;
    }

    /**
     * The futile moves, for the next process of the operator: of very many, the last ones. It does not know which nodes
     * changed meanwhile, so for it all did.
     */
    public record Remembered(List<OneStreak> streaks, List<Success> succeeded, List<Tries> tries) {
        /** The maximum number of streaks: a ConfigMap has room for about 6,000. */
        static final int MOST = 2_000;

        /** The futile moves of the pods of one controller for one rule. */
        public record OneStreak(Key key, Streak streak) {}

        /** When a move for a rule last succeeded. */
        public record Success(RuleIdentity rule, Instant at) {}

        /**
         * The number of futile moves for a rule since Holdfast gave up on it.
         *
         * @param namespace the namespace for whose pods Holdfast gave up on the rule; absent if for all pods
         */
        public record Tries(RuleIdentity rule, Optional<String> namespace, int number) {}

        public Remembered {
            streaks = List.copyOf(streaks);
            succeeded = List.copyOf(succeeded);
            tries = List.copyOf(tries);
        }
    }

    Remembered remembered() {
        return new Remembered(
                streaks.entrySet().stream()
                        .map(one -> new Remembered.OneStreak(one.getKey(), one.getValue()))
                        .sorted(Comparator.comparing(
                                (Remembered.OneStreak one) ->
                                        one.streak().last().getLast().at(),
                                Comparator.reverseOrder()))
                        .limit(Remembered.MOST)
                        .toList(),
                succeeded.entrySet().stream()
                        .map(one -> new Remembered.Success(one.getKey(), one.getValue()))
                        .limit(Remembered.MOST)
                        .toList(),
                triesOfRule.entrySet().stream()
                        .map(one -> new Remembered.Tries(
                                one.getKey().rule(), one.getKey().namespace(), one.getValue()))
                        .limit(Remembered.MOST)
                        .toList());
    }

    void recall(Remembered remembered) {
        streaks.clear();
        remembered.streaks().forEach(one -> streaks.put(one.key(), one.streak()));
        succeeded.clear();
        remembered.succeeded().forEach(one -> succeeded.put(one.rule(), one.at()));
        triesOfRule.clear();
        remembered.tries().forEach(one -> triesOfRule.put(new FutileScope(one.rule(), one.namespace()), one.number()));
        futileRules = Optional.empty();
    }

    /** {@return how long the next move waits after this number of futile moves in a row} */
    static Duration waitAfter(int futileMoves) {
        Duration wait = FIRST_WAIT;
        for (int i = 1; i < futileMoves && wait.compareTo(LONGEST_WAIT) < 0; i++) {
            wait = wait.multipliedBy(2);
        }
        return wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT;
    }

    /** Records a futile move. */
    public void failed(Key key, Workload workload, FutileMove failed) {
        futileRule(key.rule(), workload.name().namespace())
                .ifPresent(
                        futile -> triesOfRule.merge(new FutileScope(key.rule(), futile.namespace()), 1, Integer::sum));
        streaks.merge(key, new Streak(workload, 1, List.of(failed)), (before, _) -> before.and(failed));
        changed();
    }

    private void changed() {
        futileRules = Optional.empty();
        changes.changed();
    }

    /** Records a successful move: the futile moves of all revisions of the workload for the rule are forgotten. */
    public void succeeded(Workload workload, RuleIdentity rule, Instant now) {
        streaks.entrySet()
                .removeIf(it -> it.getKey().rule().equals(rule)
                        && it.getValue().workload().id().equals(workload.id()));
        if (streaks.keySet().stream().anyMatch(key -> key.rule().equals(rule))) {
            succeeded.put(rule, now);
        }
        changed();
    }

    /** Records that a node was added, or changed so that it may now take pods that it did not take before. */
    public void nodeChanged(Instant now) {
        nodeChanged = now;
    }

    /**
     * Records an edit of a policy. If the last of several futile moves in a row was made for that policy, the earlier
     * ones are forgotten. The last one still delays the next move, so that repeated edits do not speed up moves.
     */
    public void edited(PolicyId policy) {
        streaks.replaceAll((_, streak) -> streak.last().getLast().policy().equals(policy) ? streak.lastOnly() : streak);
        changed();
    }

    /**
     * Forgets each controller and rule whose last futile move was before the instant.
     *
     * @param living controllers and rules that are not forgotten, because they still have pods or moves
     * @return whether any was forgotten
     */
    public boolean forgetBefore(Instant instant, Set<Key> living) {
        boolean forgotten = streaks.entrySet()
                .removeIf(it -> it.getValue().last().getLast().at().isBefore(instant) && !living.contains(it.getKey()));
        succeeded
                .keySet()
                .removeIf(rule ->
                        streaks.keySet().stream().noneMatch(key -> key.rule().equals(rule)));
        changed();
        return forgotten;
    }

    /** {@return the namespaces of all workloads with futile moves} */
    public Set<String> namespaces() {
        return streaks.values().stream()
                .map(streak -> streak.workload().name().namespace())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** {@return the number of pairs of a controller and a rule that have futile moves} */
    public int size() {
        return streaks.size() + succeeded.size() + triesOfRule.size();
    }

    /** {@return the futile moves in a row; empty if the last move succeeded, or if there was none} */
    public Optional<Streak> streak(Key key) {
        return Optional.ofNullable(streaks.get(key));
    }

    /**
     * {@return whether Holdfast has given up: no next move is made until a node, the policy or the workload's revision
     * changes}
     */
    public boolean givenUp(Streak streak) {
        return streak.count() >= TRIES
                && !nodeChanged.isAfter(streak.last().getLast().at());
    }

    /** {@return the rule as one that Holdfast has given up on for pods of the namespace; empty if it has not} */
    public Optional<FutileRule> futileRule(RuleIdentity rule, String namespace) {
        if (!hasFutileRules()) {
            return Optional.empty();
        }
        Map<FutileScope, FutileRule> all = futileRules.orElseGet(this::computeFutileRules);
        futileRules = Optional.of(all);
        return Optional.ofNullable(all.get(new FutileScope(rule, Optional.empty())))
                .or(() -> Optional.ofNullable(all.get(new FutileScope(rule, Optional.of(namespace)))));
    }

    /** {@return whether Holdfast may have given up on any rule; false says surely that it has not} */
    public boolean hasFutileRules() {
        return streaks.size() >= WORKLOADS;
    }

    /** {@return whether Holdfast has given up on the rule, and futile moves of this pod's controller count} */
    public boolean failedForGivenUpRule(Pod pod, RuleIdentity rule) {
        return futileRule(rule, pod.namespace()).isPresent()
                && Key.of(pod, rule).flatMap(this::streak).isPresent();
    }

    private Map<FutileScope, FutileRule> computeFutileRules() {
        Map<RuleIdentity, List<Streak>> byRule = new HashMap<>();
        streaks.forEach((key, streak) -> {
            boolean isLater = streak.last().getLast().at().isAfter(succeeded.getOrDefault(key.rule(), Instant.MIN));
            if (isLater) {
                byRule.computeIfAbsent(key.rule(), _ -> new ArrayList<>()).add(streak);
            }
        });
        Map<FutileScope, FutileRule> all = new HashMap<>();
        byRule.forEach((rule, futile) -> {
            Map<String, List<Streak>> byNamespace =
                    futile.stream().collect(Collectors.groupingBy(Futility::namespaceOf));
            int counted = byNamespace.values().stream()
                    .mapToInt(own ->
                            Math.min(OF_ONE_NAMESPACE, givenUpWorkloads(own).size()))
                    .sum();
            if (counted >= WORKLOADS) {
                put(new FutileScope(rule, Optional.empty()), futile, all);
            } else {
                byNamespace.forEach((namespace, own) -> {
                    if (givenUpWorkloads(own).size() >= WORKLOADS) {
                        put(new FutileScope(rule, Optional.of(namespace)), own, all);
                    }
                });
            }
        });
        triesOfRule.keySet().retainAll(all.keySet());
        return all;
    }

    private void put(FutileScope scope, List<Streak> futile, Map<FutileScope, FutileRule> all) {
        int tries = triesOfRule.getOrDefault(scope, 0);
        all.put(scope, new FutileRule(scope.namespace(), givenUpWorkloads(futile), last(futile), tries));
    }

    private static String namespaceOf(Streak streak) {
        return streak.workload().name().namespace();
    }

    private static List<Workload> givenUpWorkloads(List<Streak> streaks) {
        return streaks.stream()
                .filter(streak -> streak.count() >= TRIES)
                .map(Streak::workload)
                .distinct()
                .sorted(Comparator.comparing(Workload::toString))
                .toList();
    }

    private static FutileMove last(List<Streak> streaks) {
        return streaks.stream()
                .map(streak -> streak.last().getLast())
                .max(Comparator.comparing(FutileMove::at))
                .orElseThrow();
    }

    /** {@return whether there is no next move for the rule unless a node or the policy changes} */
    public boolean givenUp(FutileRule rule) {
        return !nodeChanged.isAfter(rule.last().at());
    }
}
