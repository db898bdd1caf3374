package dev.holdfast.operator.cli;

import dev.holdfast.operator.cli.options.ColorOption;
import dev.holdfast.operator.cli.options.FailOption;
import dev.holdfast.operator.cli.options.ListOptions;
import dev.holdfast.operator.cli.options.PendingOption;
import dev.holdfast.operator.cli.options.PodSelection;
import dev.holdfast.operator.cli.options.ProgramVersion;
import dev.holdfast.operator.cli.options.SoftOption;
import dev.holdfast.operator.cli.options.WatchOption;
import dev.holdfast.operator.config.OperatorConfig;
import dev.holdfast.operator.offline.check.CheckReport;
import dev.holdfast.operator.offline.check.CheckedCluster;
import dev.holdfast.operator.offline.check.PolicyEnforcement;
import dev.holdfast.operator.offline.check.form.ChangeLines;
import dev.holdfast.operator.offline.check.form.CheckOutput;
import dev.holdfast.operator.offline.check.watch.ClusterWatch;
import dev.holdfast.operator.offline.check.watch.WatchedCluster;
import dev.holdfast.operator.offline.check.watch.WatchedPods;
import dev.holdfast.operator.offline.dump.Dump;
import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.dump.ReadCluster;
import dev.holdfast.operator.offline.soft.SoftOutput;
import dev.holdfast.operator.offline.soft.SoftReport;
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
            "  3  the input cannot be read as a whole, or lacks the namespace or the labels"
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
            description = "table (the first 200 violations), wide (all violations and columns), summary (the 40 largest"
                    + " groups), json, yaml or name. Default: table.")
    private CheckOutput output = CheckOutput.TABLE;

    @Mixin
    private final ListOptions listOptions = new ListOptions();

    @Mixin
    private final ColorOption color = new ColorOption();

    @Mixin
    private final FailOption failOn = new FailOption();

    @Mixin
    private final WatchOption watchOption = new WatchOption();

    @Mixin
    private final SoftOption soft = new SoftOption();

    CheckCommand(ProcessEnvironment processEnvironment) {
        this.processEnvironment = processEnvironment;
        this.input = new ClusterInput(processEnvironment, soft::depth);
    }

    @Override
    public Integer call() {
        Predicate<Pod> listed = podSelection.listed();
        return watchOption.isGiven()
                ? watch(listed)
                : input.read((cluster, config) -> {
                    podSelection.require(cluster, listed);
                    if (soft.isGiven()) {
                        return soft(podSelection.checked(cluster, config), cluster.dump(), listed);
                    }
                    CheckReport report = report(cluster, config, listed);
                    print(lines(report));
                    input.say(CheckOutput.summary(report));
                    return failOn.isMetBy(report) ? ExitCode.FINDINGS : ExitCode.OK;
                });
    }

    private int soft(CheckedCluster cluster, Dump dump, Predicate<Pod> listed) throws DumpException {
        SoftReport report = soft.of(cluster, dump, listed);
        input.warn(SoftOption.warnings(dump));
        input.print(soft.lines(report.withWarnings(input.warnings()), output, input.width()));
        input.say(SoftOutput.summary(report));
        return report.summary().improvablePods() == 0 ? ExitCode.OK : ExitCode.FINDINGS;
    }

    private CheckReport report(ReadCluster read, OperatorConfig config, Predicate<Pod> listed) {
        CheckedCluster cluster = podSelection.checked(read, config);
        PolicyEnforcement enforcement = PolicyEnforcement.of(
                read,
                config.maxMode(),
                read.dump().start(processEnvironment.clock().instant()));
        CheckReport report = listOptions.sorted(cluster.report(listed, listOptions.labelKeys(), enforcement)
                .withStranded(podSelection.stranded(read, config, listed))
                .withPending(pendingOption.of(cluster, listed)));
        input.warn(podSelection.warnings(cluster, report, listed));
        failOn.tolerated(report).ifPresent(input::warn);
        return report;
    }

    private List<String> lines(CheckReport report) {
        return output.lines(report.withWarnings(input.warnings()), listOptions.style(input.width()));
    }

    private void print(List<String> lines) throws DumpException {
        input.print(output.isForPeople() ? color.paint(lines, processEnvironment.terminal()) : lines);
    }

    private int watch(Predicate<Pod> listed) {
        watchOption.refuseOthers(output, input.readsFiles());
        try (ClusterWatch watch = new ClusterWatch(processEnvironment.clock(), input::say)) {
            return input.watch(watch, (cluster, config) -> {
                WatchedCluster watched = new WatchedCluster(
                        cluster,
                        new WatchedPods(listed, listOptions.labelKeys(), podSelection.ownRules(), config),
                        processEnvironment.clock().instant());
                CheckReport report = report(cluster, config, listed);
                List<String> list = watchOption.beginsWithList() ? lines(report) : List.of();
                print(list);
                input.say(CheckOutput.summary(report));
                ChangeLines lines = new ChangeLines(output, listOptions.style(input.width()), watched.hasZones());
                print(lines.header(!list.isEmpty()));
                input.expectInterrupt();
                throw watch.follow(
                        watched,
                        policies -> input.inForce(cluster.dump().withPolicies(policies), config),
                        changes -> print(lines.of(changes)));
            });
        }
    }
}
