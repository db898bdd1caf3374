package dev.holdfast.policies.plan.move;

import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.RuleIdentity;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The moves in a row that came to nothing, by revision of a workload and rule. Owned by one thread.
 *
 * <p>After the n-th of them the next move waits for {@link #FIRST_WAIT} x 2^(n-1): 5, 10, 20, 40 minutes. After the fifth
 * there is no next move, until a node changes so that it might help. Then there is one more, and the wait goes on from
 * where it was: 80 minutes after the fifth at the earliest, 160 after the sixth, at last {@link #LONGEST_WAIT}. However
 * restless the nodes are, a workload is so moved in vain at most five times in 75 minutes and then less and less, in the
 * end once a day.
 */
public final class Futility {
    /**
     * The default forgiveness: a replacement that breaks the rule again is not due any sooner, so that it is the second
     * wait that first slows anything down.
     */
    static final Duration FIRST_WAIT = Duration.ofMinutes(5);

    /** So many moves take at least 75 minutes: longer than it takes to roll out a workload or to replace a node. */
    static final int TRIES = 5;

    /** Who mends a cluster by changing a node does not wait longer than this to see that it helped. */
    static final Duration LONGEST_WAIT = Duration.ofDays(1);

    private final Map<Subject, Streak> streaks = new HashMap<>();

    private Instant nodeChanged = Instant.MIN;

    /** What is moved in vain: the pods of one direct controller, so that another revision begins anew, for one rule. */
    public record Subject(String controllerUid, RuleIdentity rule) {
        /** {@return the subject that a move of the pod for the rule counts for; empty for a bare pod} */
        public static Optional<Subject> of(Pod pod, RuleIdentity rule) {
            return pod.victimProtection().controller().map(controller -> of(controller, rule));
        }

        private static Subject of(Controller controller, RuleIdentity rule) {
            return new Subject(controller.uid(), rule);
        }
    }

    /**
     * A move that came to nothing.
     *
     * @param at when that was known
     * @param policy for which it was made
     * @param why what became of the replacement: {@code landed on n1 and broke the rule again}
     */
    public record Try(Instant at, PolicyId policy, String why) {}

    /**
     * All that were in vain since one helped.
     *
     * @param count how many
     * @param last the last of them, oldest first; at least one and at most {@link #TRIES}
     */
    public record Streak(Workload workload, int count, List<Try> last) {
        public Streak {
            last = List.copyOf(last);
        }

        /** {@return the earliest instant of the next move} */
        public Instant again() {
            Duration wait = FIRST_WAIT;
            for (int i = 1; i < count && wait.compareTo(LONGEST_WAIT) < 0; i++) {
                wait = wait.multipliedBy(2);
            }
            return last.getLast().at().plus(wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT);
        }

        private Streak and(Try next) {
            List<Try> all = new ArrayList<>(last);
            all.add(next);
            return new Streak(workload, count + 1, all.subList(Math.max(0, all.size() - TRIES), all.size()));
        }

        private Streak lastOnly() {
            return new Streak(workload, 1, List.of(last.getLast()));
        }
    }

    /** Notes that a move was in vain. */
    public void failed(Subject subject, Workload workload, Try failed) {
        streaks.merge(subject, new Streak(workload, 1, List.of(failed)), (before, _) -> before.and(failed));
    }

    /** Notes that a move of the workload for the rule has helped: all of its that did not are forgotten. */
    public void helped(Workload workload, RuleIdentity rule) {
        streaks.entrySet()
                .removeIf(it -> it.getKey().rule().equals(rule)
                        && it.getValue().workload().uid().equals(workload.uid()));
    }

    /** Notes that a node came or changed so that it may now take whom it did not take before. */
    public void nodeChanged(Instant now) {
        nodeChanged = now;
    }

    /**
     * Notes that a policy was edited: of the moves made for it all but the last are forgotten. That one still has its
     * wait, so that whoever edits a policy without end has no pod moved faster than that.
     */
    public void edited(PolicyId policy) {
        streaks.replaceAll((_, streak) -> streak.last().getLast().policy().equals(policy) ? streak.lastOnly() : streak);
    }

    /** Forgets what was in vain only before an instant, and concerns none of these subjects. */
    public void forgetBefore(Instant instant, Set<Subject> living) {
        streaks.entrySet()
                .removeIf(it -> it.getValue().last().getLast().at().isBefore(instant) && !living.contains(it.getKey()));
    }

    /** {@return the namespaces of the workloads that were moved in vain} */
    public Set<String> namespaces() {
        return streaks.values().stream()
                .map(streak -> streak.workload().name().namespace())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** {@return of how many subjects something is remembered} */
    public int size() {
        return streaks.size();
    }

    /** {@return the moves in a row that were in vain; empty if the last one helped, or there was none} */
    public Optional<Streak> streak(Subject subject) {
        return Optional.ofNullable(streaks.get(subject));
    }

    /** {@return whether there is no next move unless something changes} */
    public boolean givenUp(Streak streak) {
        return streak.count() >= TRIES
                && !nodeChanged.isAfter(streak.last().getLast().at());
    }
}
