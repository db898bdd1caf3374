package dev.holdfast.operator.cli;

import dev.holdfast.operator.cli.options.ProgramVersion;
import dev.holdfast.operator.config.OperatorConfig;
import dev.holdfast.operator.offline.check.ListedNamespace;
import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.dump.ReadCluster;
import dev.holdfast.operator.offline.dump.live.ClusterLists;
import dev.holdfast.operator.offline.loss.ZoneFailures;
import dev.holdfast.operator.offline.loss.ZonesOutput;
import dev.holdfast.operator.offline.loss.ZonesReport;
import dev.holdfast.operator.offline.simulate.object.Zones;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code holdfast zones}: says what the failure of each zone would do to each workload. */
@Command(
        name = "zones",
        description = {
            "Says for each workload and each zone what the failure of all nodes of the zone costs at its worst moment,"
                    + " and for how long if not to the end: fine (as many pods are Ready as before), degraded (fewer),"
                    + " below its budget (fewer, and fewer than a disruption budget requires), gone (none).",
            "It plays each failure as what-if --fail-zone does, until all pods that can run elsewhere are Ready there."
                    + " The operator evicts nothing meanwhile. DaemonSets and static pods are left out. A zone is a"
                    + " value of the nodes' label topology.kubernetes.io/zone. Give the kinds that what-if needs."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        versionProvider = ProgramVersion.class,
        footerHeading = "%nExample:%n",
        footer = {
            "  holdfast zones -f docs/samples/zones.yaml",
            "",
            "Exit codes:",
            "  0  no workload is hit at or above --fail-on",
            "  1  a workload is",
            "  2  invalid command line",
            "  3  the input cannot be read as a whole, or has no node with a zone, or lacks the namespace"
        })
final class ZonesCommand implements Callable<Integer> {
    private final ProcessEnvironment processEnvironment;

    @Mixin
    private final ClusterInput input;

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAME",
            description = "List the workloads of this namespace only. All objects are played.")
    private @Nullable String namespace;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORM",
            description = "text, wide (with the workloads that stay fine), json or yaml. Default: text.")
    private ZonesOutput output = ZonesOutput.TEXT;

    @Option(
            names = "--fail-on",
            paramLabel = "STATE",
            description = "The mildest state that makes the exit code 1, if only for a time: degraded, budget, gone,"
                    + " never. Default: budget.")
    private Finding failOn = Finding.BUDGET;

    private enum Finding {
        DEGRADED,
        BUDGET,
        GONE,
        NEVER
    }

    ZonesCommand(ProcessEnvironment processEnvironment) {
        this.processEnvironment = processEnvironment;
        this.input = new ClusterInput(processEnvironment, () -> ClusterLists.Depth.PLANS);
    }

    @Override
    public Integer call() {
        return input.read(this::play);
    }

    private int play(ReadCluster cluster, OperatorConfig config) throws DumpException {
        input.warnOfMissingForPlans(cluster.dump(), List.of());
        if (namespace != null) {
            input.warn(ListedNamespace.require(namespace, cluster.dump()));
        }
        Instant start = cluster.dump().start(processEnvironment.clock().instant());
        ZonesReport report = input.play(done ->
                ZoneFailures.of(cluster, config, start).report(it -> namespace == null || it.equals(namespace), done));
        if (report.zones().isEmpty()) {
            throw new DumpException("no node has the label " + Zones.KEY + ", so there is no zone that could fail");
        }
        input.warn(report.warnings());
        input.print(output.lines(report.with(cluster.dump().unreadable(), input.warnings()), input.width()));
        input.say(ZonesOutput.summary(report));
        ZonesReport.Summary summary = report.summary();
        int found = switch (failOn) {
            case DEGRADED -> summary.degraded() + summary.belowBudget() + summary.gone();
            case BUDGET -> summary.belowBudget() + summary.gone();
            case GONE -> summary.gone();
            case NEVER -> 0;
        };
        return found > 0 ? ExitCode.FINDINGS : ExitCode.OK;
    }
}
