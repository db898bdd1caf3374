package dev.holdfast.operator.cli;

import dev.holdfast.operator.cli.options.ColorOption;
import dev.holdfast.operator.cli.options.ProgramVersion;
import dev.holdfast.operator.cli.options.SoftOption;
import dev.holdfast.operator.config.OperatorConfig;
import dev.holdfast.operator.offline.check.CheckedCluster;
import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.dump.DumpFile;
import dev.holdfast.operator.offline.dump.ReadCluster;
import dev.holdfast.operator.offline.dump.live.ClusterLists;
import dev.holdfast.operator.offline.explain.EvictionLog;
import dev.holdfast.operator.offline.explain.ExplainOutput;
import dev.holdfast.operator.offline.explain.NextStep;
import dev.holdfast.operator.offline.explain.PodExplainer;
import dev.holdfast.operator.offline.explain.PodExplanation;
import dev.holdfast.operator.offline.explain.PodListExplanation;
import dev.holdfast.operator.offline.explain.PolicyRecords;
import dev.holdfast.operator.offline.explain.ScoreExplanation;
import dev.holdfast.operator.offline.print.Count;
import dev.holdfast.operator.offline.print.TimeText;
import dev.holdfast.operator.offline.simulate.Simulation;
import dev.holdfast.operator.offline.simulate.SimulationInput;
import dev.holdfast.operator.offline.simulate.object.Assumptions;
import dev.holdfast.operator.offline.whatif.Horizon;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.score.SpreadDefaults;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code holdfast explain}: says which rules apply to pods, and where else they could run. */
@Command(
        name = "explain",
        description = {
            "Says which required rules apply to a pod, where they come from and whether they hold, and which nodes"
                + " would take the pod if it left its node. Other nodes are listed with the reason why they would not:"
                + " readiness, removal, drain or maintenance, taints, cordons, the pod's rules, its requests and host"
                + " ports, the anti-affinity of other pods, where its volumes can be used, and how many volumes a node"
                + " can attach. Give pods,nodes,namespaces,deploy,rs,pvc,pv,storageclasses,csinodes and the policies:"
                + " objects that the input lacks do not count.",
            "The status of policies shows what the operator observes of the pod. Past evictions of pods of this name,"
                    + " even if the pods are gone, come from the status of policies, the operator's events and the file"
                    + " of --audit-log.",
            "If the pod violates a rule and there are policies, the command also says what the operator would do if it"
                    + " started now and nothing else changed: the planner's decision on a simulated clock, until ten"
                    + " minutes after the longest forgiveness. For a file, now is the newest time in its objects."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        versionProvider = ProgramVersion.class,
        footerHeading = "%nExample:%n",
        footer = {
            "  holdfast explain pod/web-1 -n shop -f docs/samples/shop.yaml",
            "",
            "Exit codes:",
            "  0  all pods of the answer are explained",
            "  2  invalid command line",
            "  3  the input cannot be read as a whole, or lacks the pod, workload or node"
        })
final class ExplainCommand implements Callable<Integer> {
    private static final Pattern TARGET = Pattern.compile("([A-Za-z]+)(?:\\.[a-z.]+)?/(.+)");

    /** The suffix that Kubernetes appends to the names of pods; pods of an indexed Job have a number before it. */
    private static final Pattern POD_SUFFIX = Pattern.compile("(?:[0-9]+-)?[a-z0-9]{1,10}");

    /** The kinds that can be explained, by the names that kubectl knows. */
    private static final Map<String, String> KINDS = Map.ofEntries(
            Map.entry("po", "Pod"),
            Map.entry("pod", "Pod"),
            Map.entry("pods", "Pod"),
            Map.entry("no", "Node"),
            Map.entry("node", "Node"),
            Map.entry("nodes", "Node"),
            Map.entry("deploy", "Deployment"),
            Map.entry("deployment", "Deployment"),
            Map.entry("rs", "ReplicaSet"),
            Map.entry("replicaset", "ReplicaSet"),
            Map.entry("sts", "StatefulSet"),
            Map.entry("statefulset", "StatefulSet"),
            Map.entry("ds", "DaemonSet"),
            Map.entry("daemonset", "DaemonSet"),
            Map.entry("deployments", "Deployment"),
            Map.entry("replicasets", "ReplicaSet"),
            Map.entry("statefulsets", "StatefulSet"),
            Map.entry("daemonsets", "DaemonSet"),
            Map.entry("jobs", "Job"),
            Map.entry("job", "Job"));

    private final ProcessEnvironment processEnvironment;

    @Mixin
    private final ClusterInput input;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli fills it in before anything is run
    private CommandSpec spec;

    @Parameters(
            arity = "1..2",
            paramLabel = "KIND/NAME",
            description = "A pod (pod/web-1), a workload (deploy/web, rs/web, sts/db, ds/agent, job/report) or a node"
                    + " (node/n1). For a workload or a node, all its pods are explained.")
    private List<String> target = List.of();

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAME",
            description = "Namespace of the pod or workload. Default: that of the kubeconfig's context, else default.")
    private @Nullable String namespace;

    @Option(
            names = "--audit-log",
            paramLabel = "FILE",
            description = "The audit log of the operator, which is its standard output, for the evictions of the pod.")
    private @Nullable String auditLog;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORM",
            description = "text, json or yaml. Default: text.")
    private ExplainOutput output = ExplainOutput.TEXT;

    @Option(
            names = "--scores",
            description = "Say where the scheduler would place the pod, or its replacement, and by which scores.")
    private boolean scores;

    @Mixin
    private final ColorOption color = new ColorOption();

    ExplainCommand(ProcessEnvironment processEnvironment) {
        this.processEnvironment = processEnvironment;
        this.input = new ClusterInput(
                processEnvironment, () -> scores ? ClusterLists.Depth.SCORES : ClusterLists.Depth.HISTORY);
    }

    @Override
    public Integer call() {
        if (DumpFile.STANDARD_INPUT.equals(auditLog) && input.readsStandardInput()) {
            throw new ParameterException(spec.commandLine(), "standard input can be read only once");
        }
        if (target.size() > 1 && target.stream().anyMatch(it -> it.contains("/"))) {
            throw new ParameterException(
                    spec.commandLine(), "explain takes one object: give " + String.join(" or ", target));
        }
        Matcher named = TARGET.matcher(String.join("/", target));
        String kind = named.matches() ? KINDS.getOrDefault(named.group(1).toLowerCase(Locale.ROOT), "") : "";
        if (kind.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "'" + String.join(" ", target)
                            + "' cannot be explained: write pod/NAME, deploy/NAME, rs/NAME, sts/NAME, ds/NAME,"
                            + " job/NAME or node/NAME");
        }
        if (scores && !kind.equals("Pod")) {
            throw new ParameterException(spec.commandLine(), "--scores is for one pod: write pod/NAME");
        }
        return input.read((cluster, config) -> {
            NamespacedName name = new NamespacedName(input.namespace(namespace), named.group(2));
            if (scores) {
                return explainScores(cluster, config, name);
            }
            return kind.equals("Pod") ? explain(cluster, config, name) : explain(cluster, config, kind, name);
        });
    }

    private int explain(ReadCluster cluster, OperatorConfig config, String kind, NamespacedName name)
            throws DumpException {
        PodExplainer explainer = explainer(cluster, config);
        boolean ofNode = kind.equals("Node");
        Optional<List<PodExplanation>> found =
                ofNode ? explainer.explainNode(name.name()) : explainer.explainWorkload(kind, name);
        if (found.isEmpty()) {
            input.say(
                    ofNode
                            ? "the input has no node " + name.name()
                            : "the input has no pod of " + kind + " " + name + ": see -n"
                                    + (kind.equals("Deployment") ? ", and give its ReplicaSets too" : ""));
            return ExitCode.COULD_NOT_RUN;
        }
        PolicyRecords records =
                new PolicyRecords(cluster.dump().policies(), cluster.dump().events());
        List<PodExplanation> explained = new ArrayList<>();
        for (PodExplanation pod : found.get()) {
            // The text of many pods does not show the nodes for each of them.
            explained.add((output == ExplainOutput.TEXT ? pod : explainer.withNodes(pod))
                    .with(records.observed(new NamespacedName(pod.namespace(), pod.pod())), List.of()));
        }
        Set<String> controllers = explainer.controllersOf(kind, name);
        PodListExplanation explanation = PodListExplanation.of(
                kind + " " + (ofNode ? name.name() : name),
                explained,
                history(
                        records,
                        past -> ofNode
                                ? past.fromNode().equals(name.name())
                                        || past.toNode().equals(name.name())
                                : controllers.stream()
                                        .anyMatch(controller ->
                                                isPodOf(name.namespace() + "/" + controller, past.pod()))),
                cluster.dump().unreadable());
        print(output.lines(explanation.withWarnings(input.warnings()), input.width()));
        return ExitCode.OK;
    }

    private int explainScores(ReadCluster cluster, OperatorConfig config, NamespacedName name) throws DumpException {
        Optional<ScoreExplanation> found = new PodExplainer(CheckedCluster.of(cluster, config.exemptNamespaces()))
                .scores(name, SpreadDefaults.ofSystem(cluster.dump().selectors()));
        if (found.isEmpty()) {
            return missing(name);
        }
        input.warn(SoftOption.warnings(cluster.dump()));
        print(output.lines(found.get(), input.width()));
        return ExitCode.OK;
    }

    private int missing(NamespacedName pod) {
        input.say("the input has no pod " + pod + ": see -n, or list them with kubectl get pods -A");
        return ExitCode.COULD_NOT_RUN;
    }

    private void print(List<String> lines) throws DumpException {
        input.print(output == ExplainOutput.TEXT ? color.paint(lines, processEnvironment.terminal()) : lines);
    }

    /** {@return whether a pod that is gone was of a controller: its name is then longer by one part or two} */
    private static boolean isPodOf(String controller, String pod) {
        return pod.startsWith(controller + "-")
                && POD_SUFFIX.matcher(pod.substring(controller.length() + 1)).matches();
    }

    private int explain(ReadCluster cluster, OperatorConfig config, NamespacedName name) throws DumpException {
        PolicyRecords records =
                new PolicyRecords(cluster.dump().policies(), cluster.dump().events());
        List<PolicyRecords.PastEviction> history =
                history(records, past -> past.pod().equals(name.namespace() + "/" + name.name()));
        PodExplainer explainer = explainer(cluster, config);
        Optional<PodExplanation> found = explainer.explain(name);
        if (found.isEmpty() && history.isEmpty()) {
            return missing(name);
        }
        PodExplanation explanation = found.orElseGet(() -> PodExplanation.ofGone(name))
                .with(records.observed(name), history)
                .withUnreadable(cluster.dump().unreadable());
        if (explanation.violatesARequestedRule() && !cluster.policies().isEmpty()) {
            explanation = explanation.withNext(next(cluster, config, explanation.uid()));
        }
        print(output.lines(explanation.withWarnings(input.warnings()), input.width()));
        return ExitCode.OK;
    }

    /** {@return the cluster in the index} Warns of policies that select nothing, which is probably a mistake. */
    private PodExplainer explainer(ReadCluster cluster, OperatorConfig config) {
        CheckedCluster checked = CheckedCluster.of(cluster, config.exemptNamespaces());
        checked.idlePolicies().forEach(policy -> input.warn("policy " + policy + " selects no pod"));
        return new PodExplainer(checked);
    }

    /** {@return the requested evictions, from the status of policies and from the audit log} */
    private List<PolicyRecords.PastEviction> history(PolicyRecords records, Predicate<PolicyRecords.PastEviction> asked)
            throws DumpException {
        List<PolicyRecords.PastEviction> history = new ArrayList<>(records.evictions(asked));
        for (DumpFile file : auditLog == null ? List.<DumpFile>of() : input.files(auditLog)) {
            EvictionLog log = EvictionLog.read(file, asked);
            if (log.unread() > 0) {
                input.warn(file.name() + ": " + Count.of(log.unread(), "line")
                        + " left out that are no entries of the operator's audit log");
            }
            history.addAll(log.entries());
        }
        return history;
    }

    private List<NextStep> next(ReadCluster cluster, OperatorConfig config, String podUid) {
        if (cluster.rules().stream().anyMatch(policy -> policy.mode() == Mode.ENFORCE)) {
            input.warnOfMissingForPlans(cluster.dump(), List.of());
        }
        Instant start = cluster.dump().start(processEnvironment.clock().instant());
        Simulation simulation = new Simulation(
                config.engineSettings(),
                SimulationInput.of(cluster, cluster.policies()).withLedger(input.ledger(cluster, start)),
                config.maxMode(),
                Assumptions.defaults(),
                start);
        Duration horizon = Horizon.of(cluster.rules());
        input.setDone(() -> "simulated " + TimeText.of(simulation.elapsed()) + " of " + TimeText.of(horizon));
        return NextStep.play(simulation, podUid, horizon);
    }
}
