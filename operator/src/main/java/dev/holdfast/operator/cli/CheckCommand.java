package dev.holdfast.operator.cli;

import dev.holdfast.operator.api.StreamingRequests;
import dev.holdfast.operator.check.CheckOutput;
import dev.holdfast.operator.check.CheckReport;
import dev.holdfast.operator.check.ClusterCheck;
import dev.holdfast.operator.check.FailOn;
import dev.holdfast.operator.config.LogFormat;
import dev.holdfast.operator.config.LogLevel;
import dev.holdfast.operator.config.OperatorConfig;
import dev.holdfast.operator.dump.ClusterLists;
import dev.holdfast.operator.dump.Dump;
import dev.holdfast.operator.dump.DumpException;
import dev.holdfast.operator.dump.DumpFile;
import dev.holdfast.operator.dump.DumpReader;
import dev.holdfast.operator.dump.DumpedPolicies;
import dev.holdfast.operator.translate.PolicyTranslator;
import dev.holdfast.policies.rule.Policy;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
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
    private final ProcessEnvironment processEnvironment;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli fills it in before anything is run
    private CommandSpec spec;

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            description = "What kubectl printed with -o json or -o yaml: a file, a folder, or - for standard input; may"
                    + " be compressed with gzip, and given several times. Default: the cluster of the kubeconfig, of"
                    + " which the command only lists objects.")
    private List<String> files = new ArrayList<>();

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "Kubeconfig file. Default: $KUBECONFIG, else ~/.kube/config, else, in a cluster, the pod's"
                    + " service account.")
    private @Nullable Path kubeconfig;

    @Option(
            names = "--context",
            paramLabel = "NAME",
            description = "Context of the kubeconfig. Default: its current-context.")
    private @Nullable String context;

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
            names = "--policy",
            paramLabel = "FILE",
            description =
                    "PlacementPolicies and ClusterPlacementPolicies, in addition to those in the input; may be given"
                            + " several times.")
    private List<String> policies = new ArrayList<>();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORM",
            description = "One of: ${COMPLETION-CANDIDATES}. Default: table.")
    private CheckOutput output = CheckOutput.TABLE;

    @Option(
            names = "--fail-on",
            paramLabel = "FINDING",
            description =
                    "The exit code is 1 if there is such a finding, or a graver one: undetermined, violated, killed"
                            + " (a restart of the kubelet would end the pod), never. Default: violated.")
    private FailOn failOn = FailOn.VIOLATED;

    CheckCommand(ProcessEnvironment processEnvironment) {
        this.processEnvironment = processEnvironment;
    }

    @Override
    public Integer call() {
        Logging.configure(LogLevel.WARN, LogFormat.TEXT);
        if (namespace != null && allNamespaces) {
            throw new ParameterException(spec.commandLine(), "give either --namespace or --all-namespaces");
        }
        if (!files.isEmpty() && (kubeconfig != null || context != null)) {
            throw new ParameterException(spec.commandLine(), "give either --filename or a cluster, not both");
        }
        try {
            CheckReport whole = check();
            CheckReport report = namespace == null ? whole : whole.in(namespace);
            print(report);
            return failOn.isMetBy(report) ? ExitCode.FINDINGS : ExitCode.OK;
        } catch (DumpException | Kubeconfig.UnusableException e) {
            say(String.valueOf(e.getMessage()));
            return ExitCode.COULD_NOT_RUN;
        } catch (InterruptedException _) {
            say("interrupted");
            return ExitCode.COULD_NOT_RUN;
        } finally {
            Logging.close();
        }
    }

    private CheckReport check() throws DumpException, Kubeconfig.UnusableException, InterruptedException {
        OperatorConfig config = OperatorConfig.defaults();
        Dump dump = files.isEmpty() ? listed() : read(files);
        dump.warnings().forEach(warning -> say("warning: " + warning));
        DumpedPolicies translated = new DumpedPolicies(new PolicyTranslator(config.defaultForgiveness()));
        List<Policy> inForce = new ArrayList<>(translated.translate(dump.policies()));
        if (!policies.isEmpty()) {
            inForce.addAll(translated.translate(read(policies).policies()));
        }
        translated.warnings().forEach(warning -> say("warning: " + warning));
        missing(dump);
        return ClusterCheck.of(dump.objects(), inForce, config.exemptNamespaces());
    }

    private Dump listed() throws DumpException, Kubeconfig.UnusableException, InterruptedException {
        Kubeconfig credentials = new Kubeconfig(Optional.ofNullable(kubeconfig), Optional.ofNullable(context));
        try (StreamingRequests requests = new StreamingRequests(credentials.connection(processEnvironment))) {
            return new ClusterLists(requests, _ -> {}).read();
        }
    }

    private Dump read(List<String> arguments) throws DumpException {
        List<DumpFile> found = new ArrayList<>();
        for (String argument : arguments) {
            found.addAll(DumpFile.of(argument, processEnvironment.standardInput()));
        }
        return new DumpReader(_ -> {}).read(found);
    }

    /** Says which verdicts cannot be given, because objects of a whole kind are not there. */
    private void missing(Dump dump) {
        if (dump.count("Node") == 0) {
            say("warning: the input has no nodes, so there is no verdict on any pod: add `nodes` to kubectl get");
        }
        if (dump.count("Namespace") == 0) {
            say("warning: the input has no namespaces, so there is no verdict on rules that select namespaces by"
                    + " labels: add `namespaces` to kubectl get");
        }
    }

    private void print(CheckReport report) {
        PrintWriter out = spec.commandLine().getOut();
        output.lines(report).forEach(out::println);
        out.flush();
        say(CheckOutput.summary(report));
    }

    private void say(String text) {
        PrintWriter errors = spec.commandLine().getErr();
        errors.println("holdfast: " + text);
        errors.flush();
    }
}
