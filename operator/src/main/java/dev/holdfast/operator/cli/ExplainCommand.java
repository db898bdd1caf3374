package dev.holdfast.operator.cli;

import dev.holdfast.operator.check.CheckedCluster;
import dev.holdfast.operator.check.ExplainOutput;
import dev.holdfast.operator.check.PodExplanation;
import dev.holdfast.operator.config.OperatorConfig;
import dev.holdfast.operator.dump.ClusterLists;
import dev.holdfast.operator.dump.DumpException;
import dev.holdfast.operator.dump.ReadCluster;
import dev.holdfast.operator.simulate.Assumptions;
import dev.holdfast.operator.simulate.Simulation;
import dev.holdfast.operator.whatif.Horizon;
import dev.holdfast.operator.whatif.NextStep;
import dev.holdfast.policies.model.NamespacedName;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code holdfast explain}: says which rules apply to a pod, and where else it could run. */
@Command(
        name = "explain",
        description = {
            "Says which required rules apply to a pod, where they come from and whether they hold, and which nodes"
                + " would take the pod: by its rules, the anti-affinity of other pods, taints and cordons. Resources,"
                + " host ports and volumes do not count.",
            "If the pod violates a rule and there are policies, it also says what the operator would do about it if it"
                    + " started now and nothing else changed: the planner's decision on a simulated clock, until ten"
                    + " minutes after the longest forgiveness."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        versionProvider = VersionCommand.class,
        footerHeading = "%nExample:%n",
        footer = {
            "  holdfast explain pod/web-1 -n shop -f docs/samples/shop.yaml",
            "",
            "Exit codes:",
            "  0  the pod was explained",
            "  2  invalid command line",
            "  3  the input cannot be read as a whole, or has no such pod"
        })
final class ExplainCommand implements Callable<Integer> {
    private static final Pattern POD = Pattern.compile("(?:po|pods?)/(.+)");

    private final ProcessEnvironment processEnvironment;

    @Mixin
    private final ClusterInput input;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli fills it in before anything is run
    private CommandSpec spec;

    @Parameters(paramLabel = "pod/NAME", description = "The pod.")
    private String pod = "";

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAME",
            description = "Namespace of the pod. Default: default.")
    private String namespace = "default";

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORM",
            description = "text, json or yaml. Default: text.")
    private ExplainOutput output = ExplainOutput.TEXT;

    ExplainCommand(ProcessEnvironment processEnvironment) {
        this.processEnvironment = processEnvironment;
        this.input = new ClusterInput(processEnvironment, ClusterLists.Depth.PLANS);
    }

    @Override
    public Integer call() {
        Matcher named = POD.matcher(pod);
        if (!named.matches()) {
            throw new ParameterException(spec.commandLine(), "'" + pod + "' is not a pod: write pod/NAME");
        }
        NamespacedName name = new NamespacedName(namespace, named.group(1));
        return input.read((cluster, config) -> explain(cluster, config, name));
    }

    private int explain(ReadCluster cluster, OperatorConfig config, NamespacedName name) throws DumpException {
        Optional<PodExplanation> explanation = CheckedCluster.of(cluster, config.exemptNamespaces())
                .explain(name)
                .map(it -> it.isViolated() && !cluster.policies().isEmpty()
                        ? it.with(next(cluster, config, it.uid()))
                        : it);
        if (explanation.isEmpty()) {
            input.say("the input has no pod " + name + ": see -n, or list them with kubectl get pods -A");
            return ExitCode.COULD_NOT_RUN;
        }
        input.print(output.lines(explanation.get()));
        return ExitCode.OK;
    }

    private List<NextStep> next(ReadCluster cluster, OperatorConfig config, String podUid) {
        Simulation simulation = new Simulation(
                config.engineSettings(),
                new Simulation.Input(cluster.dump().objects(), cluster.policies(), cluster.pauses()),
                config.maxMode(),
                Assumptions.defaults(),
                processEnvironment.clock().instant());
        return NextStep.play(simulation, podUid, Horizon.of(cluster.rules()));
    }
}
