package dev.holdfast.policies.engine.status;

import dev.holdfast.policies.compact.CompactMap;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.engine.state.SharedValues;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.forgive.Deadlines;
import dev.holdfast.policies.forgive.KeysByTime;
import dev.holdfast.policies.forgive.ViolationKey;
import java.time.Instant;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The violation counts of one policy, updated with each change of a violation. */
final class ViolationTally {
    /**
     * The hold reasons that only delay an eviction: a limit is reached, the pod waits for its turn in the search for a
     * node, or a breaker closed recently.
     */
    private static final Set<Reason> PACE = EnumSet.of(
            Reason.CLUSTER_LIMIT,
            Reason.HOURLY_LIMIT,
            Reason.NAMESPACE_LIMIT,
            Reason.NODE_LIMIT,
            Reason.WORKLOAD_LIMIT,
            Reason.POLICY_LIMIT,
            Reason.SLOW_START,
            Reason.QUEUED,
            Reason.RESUMING);

    private final Map<String, PodTally> pods = new CompactMap<>();
    private final Map<PolicyReport.RuleState, Integer> byRule = new HashMap<>();
    private final Map<Reason, Integer> holds = new EnumMap<>(Reason.class);
    private final Deadlines forgiving = new Deadlines();
    private final KeysByTime beginnings = new KeysByTime();
    private final SharedValues<PodTally> shared = new SharedValues<>();
    private int toEvict;
    private int due;
    private int held;
    private long version;

    /**
     * How many violations one pod has.
     *
     * @param violations all violations
     * @param due how many of them are due
     * @param held how many of them are held
     * @param toEvict how many of them lead to an eviction now, or once limits and planning allow it; in Audit, how many
     *     would
     */
    private record PodTally(int violations, int due, int held, int toEvict) {
        static final PodTally NONE = new PodTally(0, 0, 0, 0);
    }

    /**
     * Counts a violation.
     *
     * @param since when the clock of the violation started
     * @param line the violation as the policy sees it
     * @param change the number of this change, which no earlier change had; it becomes the version of the counts
     */
    void add(ViolationKey key, Instant since, CountedViolation.Line line, long change) {
        version = change;
        count(key, line, 1);
        beginnings.add(since, key);
        if (!line.state().due()) {
            forgiving.put(key, line.deadline());
        }
    }

    /** Stops counting a violation: reverts {@link #add}. */
    void remove(ViolationKey key, Instant since, CountedViolation.Line line, long change) {
        version = change;
        count(key, line, -1);
        beginnings.remove(since, key);
        forgiving.remove(key);
    }

    private void count(ViolationKey key, CountedViolation.Line line, int more) {
        add(byRule, new PolicyReport.RuleState(line.rule(), line.state()), more);
        line.held().ifPresent(reason -> add(holds, reason, more));
        String uid = key.podUid();
        PodTally before = pods.getOrDefault(uid, PodTally.NONE);
        PodTally after = new PodTally(
                before.violations() + more,
                before.due() + (line.state().due() ? more : 0),
                before.held() + (line.held().isPresent() ? more : 0),
                before.toEvict() + (isToBeEvicted(line) ? more : 0));
        toEvict += Integer.signum(after.toEvict()) - Integer.signum(before.toEvict());
        due += Integer.signum(after.due()) - Integer.signum(before.due());
        held += Integer.signum(after.held()) - Integer.signum(before.held());
        if (after.violations() == 0) {
            pods.remove(uid);
        } else {
            pods.put(uid, shared.of(after));
        }
    }

    private static boolean isToBeEvicted(CountedViolation.Line line) {
        return switch (line.state()) {
            case FORGIVING -> false;
            case WOULD_EVICT, EVICTING -> true;
            case HELD -> line.held().filter(PACE::contains).isPresent();
        };
    }

    private static <K> void add(Map<K, Integer> counts, K key, int more) {
        int count = counts.getOrDefault(key, 0) + more;
        if (count == 0) {
            counts.remove(key);
        } else {
            counts.put(key, count);
        }
    }

    /** {@return the version of the counts, which differs after each change; 0 if no violation was ever counted} */
    long version() {
        return version;
    }

    boolean isEmpty() {
        return pods.isEmpty();
    }

    /** {@return how many pods Holdfast evicts, or in Audit would evict, now or when limits and planning allow it} */
    int toEvict() {
        return toEvict;
    }

    PolicyReport.Pods pods(int selected) {
        return new PolicyReport.Pods(selected, pods.size(), due, held);
    }

    Map<PolicyReport.RuleState, Integer> byRule() {
        return byRule;
    }

    Map<Reason, Integer> holds() {
        return holds;
    }

    /** {@return when the next violation becomes due; empty if all violations are due} */
    Optional<Instant> nextDeadline() {
        return forgiving.first();
    }

    /** {@return the {@code most} violations that began first, or all if there are fewer; sorted, the oldest first} */
    List<ViolationKey> oldest(int most) {
        return beginnings.first(most);
    }
}
