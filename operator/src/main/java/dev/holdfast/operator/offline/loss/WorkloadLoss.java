package dev.holdfast.operator.offline.loss;

import dev.holdfast.operator.offline.print.Table;
import java.util.Comparator;
import java.util.List;

/**
 * A workload of which fewer pods are Ready after a change. Part of documents that commands print, so no field changes
 * its meaning.
 *
 * @param kind of the topmost controller: Deployment, StatefulSet, CronJob; Pod for a pod without a controller
 * @param pods how many pods were Ready before, 1 at least
 * @param left how many are Ready at the end
 * @param majority whether more than half of the pods are left, which a quorum needs
 * @param why the budgets that are not met, and why one of the lost pods is not replaced
 */
public record WorkloadLoss(
        String namespace,
        String kind,
        String name,
        int pods,
        int left,
        boolean majority,
        WorkloadState state,
        String why) {
    /** The worst first: by state, lost majority of StatefulSets, and the share that is left. */
    static final Comparator<WorkloadLoss> WORST_FIRST = Comparator.comparing(WorkloadLoss::state)
            .reversed()
            .thenComparing(loss -> !loss.losesQuorum())
            .thenComparingDouble(loss -> (double) loss.left / loss.pods)
            .thenComparingInt(loss -> -loss.pods)
            .thenComparing(WorkloadLoss::workload);

    WorkloadName workload() {
        return new WorkloadName(namespace, kind, name);
    }

    private boolean losesQuorum() {
        return isQuorum(kind, pods) && !majority;
    }

    /** {@return whether the pods of a workload may vote: a StatefulSet of three or more} */
    static boolean isQuorum(String kind, int pods) {
        return kind.equals("StatefulSet") && pods >= 3;
    }

    /** {@return workloads as a table} */
    public static Table table(List<WorkloadLoss> losses) {
        Table table = new Table("NAMESPACE", "WORKLOAD", "LEFT", "STATE", "WHY");
        losses.forEach(it -> table.row(it.namespace, it.kind + "/" + it.name, it.count(), it.state.words(), it.why));
        return table;
    }

    String count() {
        return left + " of " + pods;
    }

    /** {@return the workloads of which fewer pods are left than in another list} */
    public static List<WorkloadLoss> more(List<WorkloadLoss> losses, List<WorkloadLoss> before) {
        return losses.stream()
                .filter(one -> before.stream()
                        .noneMatch(other -> other.workload().equals(one.workload()) && other.left <= one.left))
                .toList();
    }
}
