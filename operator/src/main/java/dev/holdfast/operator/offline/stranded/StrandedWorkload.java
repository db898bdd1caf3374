package dev.holdfast.operator.offline.stranded;

import dev.holdfast.operator.offline.print.Count;
import dev.holdfast.operator.offline.print.Table;
import java.util.Comparator;
import java.util.List;

/**
 * A workload with running pods that would find no node if all its pods were created again. Part of documents that
 * commands print, so no field changes its meaning.
 *
 * @param kind of the topmost controller that the input has: Deployment, StatefulSet, ReplicaSet
 * @param name of that controller
 * @param pods how many running pods it has
 * @param strandedPods how many of them would find no node
 * @param why what keeps them off the nodes: {@code 3 nodes: 2 against its rules; 1 cordoned or tainted}
 * @param policies the policies whose rules are injected into these pods
 */
public record StrandedWorkload(
        String namespace, String kind, String name, int pods, int strandedPods, String why, List<String> policies) {
    static final Comparator<StrandedWorkload> ORDER = Comparator.comparing(StrandedWorkload::namespace)
            .thenComparing(StrandedWorkload::kind)
            .thenComparing(StrandedWorkload::name);

    public StrandedWorkload {
        policies = List.copyOf(policies);
    }

    /** {@return workloads as a table} */
    public static Table table(List<StrandedWorkload> workloads) {
        Table table = new Table("NAMESPACE", "WORKLOAD", "STRANDED", "POLICIES", "WHY");
        workloads.forEach(it -> table.row(
                it.namespace,
                it.kind + "/" + it.name,
                it.strandedPods + " of " + Count.of(it.pods, "pod"),
                String.join(",", it.policies),
                it.why));
        return table;
    }

    /** {@return whether both are about one workload} */
    private boolean isSame(StrandedWorkload other) {
        return ORDER.compare(this, other) == 0;
    }

    /** {@return the workloads of which more pods are stranded than in another list} */
    public static List<StrandedWorkload> more(List<StrandedWorkload> workloads, List<StrandedWorkload> before) {
        return workloads.stream()
                .filter(one ->
                        before.stream().noneMatch(other -> one.isSame(other) && one.strandedPods <= other.strandedPods))
                .toList();
    }
}
