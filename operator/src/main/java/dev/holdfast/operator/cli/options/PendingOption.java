package dev.holdfast.operator.cli.options;

import dev.holdfast.operator.offline.check.CheckReport;
import dev.holdfast.operator.offline.check.CheckedCluster;
import dev.holdfast.operator.offline.check.PendingPods;
import dev.holdfast.policies.model.Pod;
import java.util.List;
import java.util.function.Predicate;
import picocli.CommandLine.Option;

/** The option that says whether a command lists the pods without a node. */
public final class PendingOption {
    @Option(
            names = "--pending",
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "true|false",
            description = "List the pods without a node, and why no node takes them. They are no findings. Default:"
                    + " true.")
    private boolean pending = true;

    /** {@return the listed pods without a node; none if they are not asked for} */
    public List<CheckReport.PendingPod> of(CheckedCluster cluster, Predicate<Pod> listed) {
        return pending ? PendingPods.of(cluster, listed) : List.of();
    }
}
