package dev.holdfast.policies.engine.state;

import dev.holdfast.policies.compact.CompactMap;
import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.report.ViolationState;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;

/** The last decision about each due violation, and the last refusal by the API server. */
public final class Decisions implements ViolationMemory {
    private static final Set<Reason> WITHOUT_NODE = EnumSet.of(
            Reason.INFEASIBLE, Reason.NOT_POSSIBLE, Reason.TRADES_VIOLATIONS, Reason.CONTRADICTS, Reason.VOLUME_PINNED);

    private final LiveCluster cluster;
    private final ViolationBook book;
    private final PlanSchedule schedule;
    private final Map<ViolationKey, RecordedDecision> recordedDecisions = new CompactMap<>();
    private final Map<ViolationKey, Refused> refusals = new HashMap<>();
    private final Map<ViolationKey, Conflicts> conflicts = new HashMap<>();

    /** The pod whose eviction was refused, and the refusal. */
    private record Refused(String victimUid, Refusal refusal) {}

    /** The pod that changed between read and eviction request, and how often its labels and spec stayed the same. */
    private record Conflicts(Pod pod, int times) {}

    public Decisions(LiveCluster cluster, ViolationBook book, PlanSchedule schedule) {
        this.cluster = cluster;
        this.book = book;
        this.schedule = schedule;
    }

    /** {@return the last decision about a due violation; empty if there is none yet} */
    public Optional<RecordedDecision> find(ViolationKey key) {
        return Optional.ofNullable(recordedDecisions.get(key));
    }

    /**
     * {@return the state of a running violation as one policy sees it} Until the forgiveness of this policy has passed,
     * the state is FORGIVING, unless a move for another policy is in flight.
     */
    public ViolationState stateOf(Violation violation, PolicyId policy, Instant now) {
        Optional<ViolationState> decided = find(violation.key()).map(RecordedDecision::state);
        if (!book.isDue(violation.key(), policy, now)) {
            return decided.filter(state -> state == ViolationState.EVICTING).orElse(ViolationState.FORGIVING);
        }
        return decided.orElse(ViolationState.HELD);
    }

    /**
     * {@return why a violation that is due for a policy is held; empty if it is not held, or if no plan has decided
     * about it yet}
     */
    public Optional<Hold> holdOf(Violation violation, PolicyId policy, Instant now) {
        return stateOf(violation, policy, now) == ViolationState.HELD
                ? find(violation.key())
                        .flatMap(it -> it instanceof RecordedDecision.Held held
                                ? Optional.of(held.of(policy))
                                : Optional.empty())
                : Optional.empty();
    }

    /** {@return whether the last decision holds the violation because no node would take its pod} */
    public boolean isWithoutNode(ViolationKey key) {
        return recordedDecisions.get(key) instanceof RecordedDecision.Held held
                && WITHOUT_NODE.contains(held.hold().reason());
    }

    /** Records the decision about a due violation. */
    public void decide(ViolationKey key, RecordedDecision recordedDecision) {
        RecordedDecision before = recordedDecisions.put(key, recordedDecision);
        if (before == null || !recordedDecision.countsLike(before)) {
            book.changed(key);
        }
    }

    /**
     * Removes the decision that started this move, because the move has ended. Does nothing if there is already a later
     * decision about the violation.
     */
    void takeBack(Move move) {
        if (recordedDecisions.remove(move.key(), new RecordedDecision.Evicting(move.id()))) {
            book.changed(move.key());
        }
    }

    /**
     * Schedules a new plan after a change in the cluster, if any violation has a decision that the change may affect.
     */
    public void reconsider() {
        if (!recordedDecisions.isEmpty()) {
            schedule.invalidate();
        }
    }

    /**
     * Records a refusal (a refused eviction or a failed read). The refusal is kept until the violation ends, or until
     * {@link #lift} drops it.
     *
     * @param victimUid the UID of the pod that was not evicted
     */
    public void refuse(ViolationKey key, String victimUid, Refusal refusal) {
        refusals.put(key, new Refused(victimUid, refusal));
    }

    /**
     * {@return the last refusal for a violation; empty if there is none, or if the pod that was not evicted is gone}
     */
    public Optional<Refusal> refusal(ViolationKey key) {
        return Optional.ofNullable(refusals.get(key))
                .filter(refused -> cluster.pod(refused.victimUid()).isPresent())
                .map(Refused::refusal);
    }

    /**
     * Counts a conflict: the pod changed between its read and the eviction request. A change of its labels or spec
     * starts the count again.
     *
     * @param victim the pod as it is now
     */
    public void conflicted(ViolationKey key, Pod victim) {
        conflicts.put(key, new Conflicts(victim, conflicts(key, victim) + 1));
    }

    /** {@return the number of conflicts during which labels and spec of this pod stayed as they are now} */
    public int conflicts(ViolationKey key, Pod victim) {
        Conflicts before = conflicts.get(key);
        return before != null && victim.hasSameSpecAs(before.pod()) ? before.times() : 0;
    }

    /**
     * Drops refusals and schedules a plan, so that their violations may be planned again.
     *
     * @param lifted a test for the refusals to drop; it gets the pod that was not evicted, and the refusal
     */
    public void lift(BiPredicate<Pod, Refusal> lifted) {
        boolean any = refusals.values()
                .removeIf(refused -> cluster.pod(refused.victimUid())
                        .filter(pod -> lifted.test(pod, refused.refusal()))
                        .isPresent());
        if (any) {
            schedule.invalidate();
        }
    }

    @Override
    public void forget(ViolationKey key) {
        recordedDecisions.remove(key);
        refusals.remove(key);
        conflicts.remove(key);
    }

    @Override
    public int size() {
        return recordedDecisions.size() + refusals.size() + conflicts.size();
    }
}
