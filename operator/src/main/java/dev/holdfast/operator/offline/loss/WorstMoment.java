package dev.holdfast.operator.offline.loss;

import dev.holdfast.operator.offline.simulate.object.BudgetShortage;
import dev.holdfast.operator.publish.DurationText;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The time at which a change costs a workload the most. Of several such times, the one that lasts until the end, or the
 * longest. Part of documents that commands print, so no field changes its meaning.
 *
 * @param state how the workload stands meanwhile
 * @param ready the least number of Ready pods meanwhile
 * @param fromSeconds when it begins, in seconds after the change
 * @param seconds how long it lasts; until the end of the simulation if the workload has the same state then
 * @param budgets the budgets that are not met then
 */
public record WorstMoment(
        WorkloadState state, int ready, long fromSeconds, long seconds, List<BudgetShortage> budgets) {
    /** The mildest first, and then the shortest. */
    static final Comparator<WorstMoment> MILDEST_FIRST =
            Comparator.comparing(WorstMoment::state).thenComparingLong(WorstMoment::seconds);

    public WorstMoment {
        budgets = List.copyOf(budgets);
    }

    /** {@return the moment of a workload that loses no pod} */
    static WorstMoment none(int pods) {
        return new WorstMoment(WorkloadState.FINE, pods, 0, 0, List.of());
    }

    /** {@return this moment and the end: {@code gone for 5m21s}, {@code gone for 5m21s, then degraded}} */
    public String words(WorkloadState end) {
        return end == state
                ? state.words()
                : state.words() + duration() + (end == WorkloadState.FINE ? "" : ", then " + end.words());
    }

    /** {@return the same with the numbers of pods that are left: {@code degraded (1) for 5m21s}} */
    public String cell(WorkloadState end, int left) {
        if (end == state) {
            return state.words() + (ready == left ? count(state, left) : " (" + ready + ", then " + left + ")");
        }
        return state.words()
                + count(state, ready)
                + duration()
                + (end == WorkloadState.FINE ? "" : ", then " + end.words() + count(end, left));
    }

    private static String count(WorkloadState state, int left) {
        return switch (state) {
            case FINE, GONE -> "";
            case DEGRADED, BELOW_BUDGET -> " (" + left + ")";
        };
    }

    private String duration() {
        return " for " + text(seconds);
    }

    /**
     * {@return what comes back when: {@code 0 of 6 Ready after 0s, 6 of 6 after 5m21s}; empty if nothing does}
     *
     * @param backSeconds when the last pod came back
     */
    List<String> recovery(int pods, int left, long backSeconds) {
        if (ready >= left) {
            return List.of();
        }
        String times = ready + " of " + pods + " Ready after " + text(fromSeconds) + ", " + left + " of " + pods
                + " after " + text(backSeconds);
        return Stream.concat(
                        Stream.of(times),
                        budgets.stream()
                                .map(it -> "budget " + it.budget() + " requires " + it.required()
                                        + " Ready pods and has " + it.ready() + " meanwhile"))
                .toList();
    }

    private static String text(long seconds) {
        return DurationText.of(Duration.ofSeconds(seconds));
    }
}
