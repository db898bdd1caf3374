package dev.holdfast.operator.offline.loss;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.holdfast.operator.offline.print.Table;
import java.util.Comparator;
import java.util.List;

/**
 * A workload of which fewer pods are Ready after a change, for a time or at the end. Documents have it, so no field
 * changes its meaning.
 *
 * @param kind of the topmost controller: Deployment, StatefulSet, CronJob; Pod for a pod without a controller
 * @param pods how many pods were Ready before, 1 at least
 * @param left how many are Ready at the end
 * @param state how it stands at the end
 * @param why what comes back when, the budgets that are not met, and why one of the lost pods is not replaced
 * @param worstMoment when it stands worst
 */
public record WorkloadLoss(
        String namespace,
        String kind,
        String name,
        int pods,
        int left,
        WorkloadState state,
        String why,
        WorstMoment worstMoment) {
    /** The worst first: by the worst state, the state at the end, lost majority of StatefulSets, and the share left. */
    static final Comparator<WorkloadLoss> WORST_FIRST = Comparator.comparing(
                    (WorkloadLoss loss) -> loss.worstMoment.state())
            .thenComparing(WorkloadLoss::state)
            .reversed()
            .thenComparing(loss -> !loss.losesQuorum())
            .thenComparingDouble(loss -> (double) loss.left / loss.pods)
            .thenComparingInt(loss -> -loss.pods)
            .thenComparing(WorkloadLoss::workload);

    /** {@return whether more than half of the pods are left, which a quorum needs} */
    @JsonProperty
    public boolean majority() {
        return left * 2 > pods;
    }

    /** {@return whether the workload stands this badly or worse, for a time or at the end} */
    public boolean isAtLeast(WorkloadState mildest) {
        return worstMoment.state().compareTo(mildest) >= 0;
    }

    WorkloadName workload() {
        return new WorkloadName(namespace, kind, name);
    }

    private boolean losesQuorum() {
        return isQuorum(kind, pods) && !majority();
    }

    /** {@return whether the pods of a workload may vote: a StatefulSet of three or more} */
    static boolean isQuorum(String kind, int pods) {
        return kind.equals("StatefulSet") && pods >= 3;
    }

    /** {@return workloads as a table} */
    public static Table table(List<WorkloadLoss> losses) {
        Table table = new Table("NAMESPACE", "WORKLOAD", "LEAST", "LEFT", "STATE", "WHY");
        losses.forEach(it -> table.row(
                it.namespace,
                it.kind + "/" + it.name,
                it.worstMoment.ready() + " of " + it.pods,
                it.left + " of " + it.pods,
                it.worstMoment.words(it.state),
                it.why));
        return table;
    }

    /** {@return the workloads of which fewer pods are left, for a time or at the end, than in another list} */
    public static List<WorkloadLoss> more(List<WorkloadLoss> losses, List<WorkloadLoss> before) {
        return losses.stream()
                .filter(one -> before.stream()
                        .noneMatch(other -> other.workload().equals(one.workload())
                                && other.left <= one.left
                                && other.worstMoment.ready() <= one.worstMoment.ready()))
                .toList();
    }
}
