package dev.holdfast.operator.cli;

import dev.holdfast.operator.app.BuildVersion;
import dev.holdfast.operator.cli.options.FailOption;
import dev.holdfast.operator.cli.options.PendingOption;
import dev.holdfast.operator.cli.options.PodSelection;
import dev.holdfast.operator.cli.options.ProgramVersion;
import dev.holdfast.operator.cli.options.ZonesOption;
import dev.holdfast.operator.config.OperatorConfig;
import dev.holdfast.operator.offline.check.CheckReport;
import dev.holdfast.operator.offline.check.CheckedCluster;
import dev.holdfast.operator.offline.check.PolicyEnforcement;
import dev.holdfast.operator.offline.check.form.CheckOutput;
import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.dump.ReadCluster;
import dev.holdfast.operator.offline.dump.live.ClusterLists;
import dev.holdfast.operator.offline.loss.ZoneFailures;
import dev.holdfast.operator.offline.loss.ZonesReport;
import dev.holdfast.operator.offline.report.ClusterReport;
import dev.holdfast.operator.offline.report.ReportBuilder;
import dev.holdfast.operator.offline.report.form.ReportOutput;
import dev.holdfast.policies.model.Pod;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code holdfast report}: draws the violations in a dump of a cluster, or in a live one. */
@Command(
        name = "report",
        description = {
            "Writes a report about the pods that violate a required placement rule on their node now: which workloads,"
                    + " in which topology domains, why, and which nodes would take the pods.",
            "The default is one HTML file that loads nothing. The same input gives the same report, which has no date."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        versionProvider = ProgramVersion.class,
        footerHeading = "%nExample:%n",
        footer = {
            "  kubectl get pods,nodes,namespaces -A -o json | holdfast report -f - > report.html",
            "",
            "Exit codes:",
            "  0  no finding at or above --fail-on",
            "  1  findings",
            "  2  invalid command line",
            "  3  the input cannot be read as a whole, or lacks the namespace or the labels"
        })
final class ReportCommand implements Callable<Integer> {
    @Mixin
    private final ClusterInput input;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli fills it in before anything is run
    private CommandSpec spec;

    @Mixin
    private final PodSelection podSelection = new PodSelection();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORM",
            description = "html, md (Markdown), json, junit (test results as XML) or sarif (for code scanning)."
                    + " Default: html.")
    private ReportOutput output = ReportOutput.HTML;

    @Option(
            names = "--title",
            paramLabel = "TEXT",
            description = "The title of the report: for example the name of the cluster and the date.")
    private String title = "Holdfast report";

    @Option(
            names = "--limit",
            paramLabel = "NUMBER",
            description =
                    "The number of pods that are explained in html and json: the first ones of each workload, then"
                            + " the second ones, and so on. The report says how many are left out. Default: 500.")
    private int limit = 500;

    @Mixin
    private final PendingOption pendingOption = new PendingOption();

    @Mixin
    private final ZonesOption zones = new ZonesOption();

    @Mixin
    private final FailOption failOn = new FailOption();

    private final ProcessEnvironment processEnvironment;

    ReportCommand(ProcessEnvironment processEnvironment) {
        this.processEnvironment = processEnvironment;
        this.input = new ClusterInput(
                processEnvironment, () -> zones.isGiven() ? ClusterLists.Depth.PLANS : ClusterLists.Depth.BUDGETS);
    }

    @Override
    public Integer call() {
        if (limit < 0) {
            throw new ParameterException(spec.commandLine(), "--limit must be greater than or equal to 0");
        }
        zones.requireShownBy(output, spec);
        Predicate<Pod> listed = podSelection.listed();
        return input.read((cluster, config) -> report(cluster, config, listed));
    }

    private int report(ReadCluster read, OperatorConfig config, Predicate<Pod> listed) throws DumpException {
        podSelection.require(read, listed);
        CheckedCluster cluster = podSelection.checked(read, config);
        Instant start = read.dump().start(processEnvironment.clock().instant());
        PolicyEnforcement enforcement = PolicyEnforcement.of(read, config.maxMode(), start);
        CheckReport found =
                cluster.report(listed, List.of(), enforcement).withPending(pendingOption.of(cluster, listed));
        ReportBuilder builder = new ReportBuilder(read, cluster, found, listed);
        input.warn(podSelection.warnings(cluster, builder.found(), listed));
        failOn.tolerated(builder.found()).ifPresent(input::warn);
        List<ZonesReport.Workload> failures =
                zones.isGiven() ? zoneFailures(read, config, start, cluster.namespacesOf(listed)::contains) : List.of();
        ClusterReport report = builder.report(title, input.source(), output.mostExplained(limit), config.maxMode())
                .with(failures, input.warnings());
        input.print(output.lines(report, builder.map(), BuildVersion.get()));
        input.say(CheckOutput.summary(builder.found()));
        return failOn.isMetBy(builder.found()) ? ExitCode.FINDINGS : ExitCode.OK;
    }

    /** {@return what the failure of each zone would do to the workloads in these namespaces} */
    private List<ZonesReport.Workload> zoneFailures(
            ReadCluster read, OperatorConfig config, Instant start, Predicate<String> namespaces) {
        input.warnOfMissingForPlans(read.dump(), List.of());
        ZonesReport played =
                input.play(done -> ZoneFailures.of(read, config, start).report(namespaces, done));
        input.warn(played.warnings());
        return played.workloads();
    }
}
