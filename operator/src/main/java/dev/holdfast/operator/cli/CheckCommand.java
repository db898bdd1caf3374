package dev.holdfast.operator.cli;

import dev.holdfast.operator.cli.options.ColorOption;
import dev.holdfast.operator.cli.options.FailOption;
import dev.holdfast.operator.cli.options.ListOptions;
import dev.holdfast.operator.cli.options.PendingOption;
import dev.holdfast.operator.cli.options.PodSelection;
import dev.holdfast.operator.cli.options.ProgramVersion;
import dev.holdfast.operator.offline.check.CheckReport;
import dev.holdfast.operator.offline.check.CheckedCluster;
import dev.holdfast.operator.offline.check.PolicyEnforcement;
import dev.holdfast.operator.offline.check.form.CheckOutput;
import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.dump.live.ClusterLists;
import dev.holdfast.operator.offline.stranded.StrandedWorkload;
import dev.holdfast.policies.model.Pod;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code holdfast check}: lists the violations in a dump of a cluster, or in a live one. */
@Command(
        name = "check",
        description = {
            "Lists the pods that violate a required placement rule on their node now.",
            "Without policies, each pod is held to the rules of its own spec: nodeSelector, required node affinity,"
                    + " required pod affinity and anti-affinity, and spread constraints with DoNotSchedule. With"
                    + " policies, pods that no policy selects are held to no rule, unless --own-rules is given.",
            "If policies inject their rules (scheduling: Inject or InjectAlsoInAudit), a second table lists the"
                + " workloads of which a roll-out would leave pods without a node. These workloads are no findings.",
            "Then lists the pods without a node, and why no node takes them.",
            "Also lists required anti-affinity over all namespaces (namespaceSelector: {}) with a topologyKey other"
                + " than kubernetes.io/hostname. With it, one pod can keep the pods of all namespaces out of a whole"
                + " zone."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        versionProvider = ProgramVersion.class,
        footerHeading = "%nExample:%n",
        footer = {
            "  kubectl get pods,nodes,namespaces -A -o json | holdfast check -f -",
            "",
            "Exit codes:",
            "  0  no finding at or above --fail-on",
            "  1  findings",
            "  2  invalid command line",
            "  3  the input cannot be read as a whole"
        })
final class CheckCommand implements Callable<Integer> {
    private final ProcessEnvironment processEnvironment;

    @Mixin
    private final ClusterInput input;

    @Mixin
    private final PodSelection podSelection = new PodSelection();

    @Mixin
    private final PendingOption pendingOption = new PendingOption();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORM",
            description = "table, wide, summary (groups without the list of violations), json, yaml or name. Default:"
                    + " table.")
    private CheckOutput output = CheckOutput.TABLE;

    @Mixin
    private final ListOptions listOptions = new ListOptions();

    @Mixin
    private final ColorOption color = new ColorOption();

    @Mixin
    private final FailOption failOn = new FailOption();

    CheckCommand(ProcessEnvironment processEnvironment) {
        this.processEnvironment = processEnvironment;
        this.input = new ClusterInput(processEnvironment, () -> ClusterLists.Depth.VERDICTS);
    }

    @Override
    public Integer call() {
        Predicate<Pod> listed = podSelection.listed();
        return input.read((cluster, config) -> check(
                podSelection.checked(cluster, config),
                PolicyEnforcement.of(
                        cluster,
                        config.maxMode(),
                        cluster.dump().start(processEnvironment.clock().instant())),
                podSelection.stranded(cluster, config, listed),
                listed));
    }

    private int check(
            CheckedCluster cluster,
            PolicyEnforcement enforcement,
            List<StrandedWorkload> stranded,
            Predicate<Pod> listed)
            throws DumpException {
        CheckReport report = listOptions.sorted(cluster.report(listed, listOptions.labelKeys(), enforcement)
                .withStranded(stranded)
                .withPending(pendingOption.of(cluster, listed)));
        input.warn(podSelection.warnings(cluster, report, listed));
        failOn.tolerated(report).ifPresent(input::warn);
        List<String> lines = output.lines(report.withWarnings(input.warnings()), listOptions.style(input.width()));
        input.print(output.isForPeople() ? color.paint(lines, processEnvironment.terminal()) : lines);
        input.say(CheckOutput.summary(report));
        return failOn.isMetBy(report) ? ExitCode.FINDINGS : ExitCode.OK;
    }
}
