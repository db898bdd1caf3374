package dev.holdfast.operator.cli;

import dev.holdfast.operator.check.CheckOutput;
import dev.holdfast.operator.check.CheckReport;
import dev.holdfast.operator.check.CheckedCluster;
import dev.holdfast.operator.check.FailOn;
import dev.holdfast.operator.check.SelectorText;
import dev.holdfast.operator.dump.ClusterLists;
import dev.holdfast.operator.dump.DumpException;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.selector.ParseResult;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code holdfast check}: lists the violations in a dump of a cluster, or in a live one. */
@Command(
        name = "check",
        description = {
            "Lists the pods that violate a required placement rule on their node now.",
            "Without policies, each pod is held to the rules of its own spec: nodeSelector, required node affinity,"
                    + " required pod affinity and anti-affinity, and spread constraints with DoNotSchedule."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        versionProvider = VersionCommand.class,
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
    @Mixin
    private final ClusterInput input;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli fills it in before anything is run
    private CommandSpec spec;

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAME",
            description = "List the pods of this namespace only. All pods are read, as rules depend on them.")
    private @Nullable String namespace;

    @Option(
            names = {"-A", "--all-namespaces"},
            description = "List the pods of all namespaces. This is the default.")
    private boolean allNamespaces;

    @Option(
            names = {"-l", "--selector"},
            paramLabel = "SELECTOR",
            description = "List the pods with these labels only, as for kubectl: app=web,tier!=test,zone in (a,b).")
    private String selector = "";

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORM",
            description = "table, wide, json, yaml or name. Default: table.")
    private CheckOutput output = CheckOutput.TABLE;

    @Option(
            names = "--fail-on",
            paramLabel = "FINDING",
            description =
                    "The exit code is 1 if there is such a finding, or a graver one: undetermined, violated, killed"
                            + " (a restart of the kubelet would reject the pod), never. Default: violated.")
    private FailOn failOn = FailOn.VIOLATED;

    CheckCommand(ProcessEnvironment processEnvironment) {
        this.input = new ClusterInput(processEnvironment, ClusterLists.Depth.VERDICTS);
    }

    @Override
    public Integer call() {
        if (namespace != null && allNamespaces) {
            throw new ParameterException(spec.commandLine(), "give either --namespace or --all-namespaces");
        }
        Predicate<Pod> listed = listed();
        return input.read((cluster, config) -> check(CheckedCluster.of(cluster, config.exemptNamespaces()), listed));
    }

    private int check(CheckedCluster cluster, Predicate<Pod> listed) throws DumpException {
        cluster.idlePolicies().forEach(policy -> input.say("warning: policy " + policy + " selects no pod"));
        if (namespace != null && !cluster.hasPodsIn(namespace)) {
            input.say("warning: the input has no pod in namespace " + namespace);
        }
        CheckReport report = cluster.report(listed);
        input.print(output.lines(report));
        input.say(CheckOutput.summary(report));
        return failOn.isMetBy(report) ? ExitCode.FINDINGS : ExitCode.OK;
    }

    /** {@return which pods are listed} */
    private Predicate<Pod> listed() {
        LabelMatcher labels = switch (SelectorText.parse(selector)) {
            case ParseResult.Usable<LabelMatcher>(LabelMatcher matcher) -> matcher;
            case ParseResult.Unusable<LabelMatcher>(String why) ->
                throw new ParameterException(spec.commandLine(), "--selector: " + why);
        };
        return pod -> (namespace == null || pod.namespace().equals(namespace)) && labels.matches(pod.labels());
    }
}
