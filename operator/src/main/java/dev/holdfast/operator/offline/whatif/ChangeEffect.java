package dev.holdfast.operator.offline.whatif;

import dev.holdfast.operator.offline.check.ViolationState;
import dev.holdfast.operator.offline.loss.WorkloadState;
import dev.holdfast.operator.offline.print.Count;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The effects of a change that make the exit code 1: the values of {@code --fail-on} of {@code holdfast what-if}. */
public enum ChangeEffect {
    /** A violation begins, whatever policies ask for, or an effect as for {@link #ENFORCED}. */
    ANY,
    /** As {@link #ANY}. */
    VIOLATED,
    /** A violation begins that a policy enforces and no exception names, or an effect as for {@link #DUE}. */
    ENFORCED,
    /** A violation begins whose forgiveness passes, the operator evicts a further pod, or pods are stuck. */
    DUE,
    /** The operator evicts a pod that it would not evict otherwise. */
    EVICTED,
    /** Pods are stuck, or would be after a roll-out. */
    STUCK,
    /** A workload is below its disruption budget or gone, for a time or at the end. */
    BUDGET,
    /** A workload is gone, for a time or at the end. */
    GONE,
    NEVER;

    /**
     * {@return whether the change has such an effect}
     *
     * @param ofFailure whether nodes fail: then {@link #BUDGET} meets the effects that are about violations too
     */
    public boolean isOf(WhatIfReport report, boolean ofFailure) {
        return switch (this) {
            case ANY, VIOLATED, ENFORCED, DUE -> isOf(report) || (ofFailure && BUDGET.isOf(report));
            case EVICTED, STUCK, BUDGET, GONE, NEVER -> isOf(report);
        };
    }

    private boolean isOf(WhatIfReport report) {
        return switch (this) {
            case ANY, VIOLATED, ENFORCED, DUE -> begins(report) || report.evicts() || report.strands();
            case BUDGET -> hits(report, WorkloadState.BELOW_BUDGET);
            case GONE -> hits(report, WorkloadState.GONE);
            case EVICTED -> report.evicts();
            case STUCK -> report.strands();
            case NEVER -> false;
        };
    }

    private static boolean hits(WhatIfReport report, WorkloadState mildest) {
        return report.losses().stream().anyMatch(loss -> loss.isAtLeast(mildest));
    }

    private boolean begins(WhatIfReport report) {
        return report.begins().stream().map(WhatIfReport.Violation::state).anyMatch(this::counts);
    }

    private boolean counts(ViolationState state) {
        return switch (this) {
            case ANY, VIOLATED -> true;
            case ENFORCED -> state.isEnforced();
            case DUE -> state == ViolationState.DUE;
            case EVICTED, STUCK, BUDGET, GONE, NEVER -> false;
        };
    }

    /** {@return that violations begin and do not make the exit code 1, and why; empty if it is not about modes} */
    public Optional<String> tolerated(WhatIfReport report) {
        return switch (this) {
            case ANY, VIOLATED, EVICTED, STUCK, BUDGET, GONE, NEVER -> Optional.empty();
            case ENFORCED, DUE -> {
                List<ViolationState> states = report.begins().stream()
                        .map(WhatIfReport.Violation::state)
                        .toList();
                yield states.isEmpty() || isOf(report)
                        ? Optional.empty()
                        : Optional.of(
                                Count.of(states.size(), "violation") + " that would begin left out of the exit code"
                                        + " by --fail-on " + name().toLowerCase(Locale.ROOT) + ": "
                                        + ViolationState.count(states));
            }
        };
    }
}
