package dev.holdfast.operator.cli;

import dev.holdfast.operator.cli.change.ChangeOptions;
import dev.holdfast.operator.cli.options.ProgramVersion;
import dev.holdfast.operator.config.OperatorConfig;
import dev.holdfast.operator.offline.check.CheckedCluster;
import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.dump.DumpedPolicies;
import dev.holdfast.operator.offline.dump.ReadCluster;
import dev.holdfast.operator.offline.dump.live.ClusterLists;
import dev.holdfast.operator.offline.print.TimeText;
import dev.holdfast.operator.offline.report.PlayedChange;
import dev.holdfast.operator.offline.report.form.WhatIfForm;
import dev.holdfast.operator.offline.simulate.SimulationInput;
import dev.holdfast.operator.offline.simulate.object.Assumptions;
import dev.holdfast.operator.offline.whatif.ChangeEffect;
import dev.holdfast.operator.offline.whatif.Scenario;
import dev.holdfast.operator.offline.whatif.SimulationWatcher;
import dev.holdfast.operator.offline.whatif.WhatIf;
import dev.holdfast.operator.offline.whatif.WhatIfOutput;
import dev.holdfast.operator.offline.whatif.WhatIfReport;
import dev.holdfast.operator.translate.PolicyTranslator;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code holdfast what-if}: says what would follow from a change of the cluster or of a policy. */
@Command(
        name = "what-if",
        description = {
            "Says what would follow from a change: which violations would begin and end, which pods the operator would"
                    + " evict, in which order and when, where the new pods would run, and what would be held and why.",
            "It plays the operator's own planner on a simulated clock, with the change and without it. It changes"
                + " nothing. A pod that is evicted is gone at once; a new one is bound after 1 s to a node that takes"
                + " it, and is Ready 20 s later. Scores of the scheduler are not simulated. Policies with scheduling:"
                + " Inject or InjectAlsoInAudit add their rules to new pods, as the chart's admission policies do."
                + " Give pods,nodes,namespaces,deploy,rs,sts,jobs,pdb,quota,limits,pvc,pv,storageclasses,csinodes and"
                + " the policies: kinds that the input lacks count as empty. If pods may be evicted, a warning names"
                + " the kinds that a file lacks.",
            "The change is made now; for a file, at the newest time in its objects. This time decides which windows and"
                    + " pauses apply."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        versionProvider = ProgramVersion.class,
        footerHeading = "%nExample:%n",
        footer = {
            "  holdfast what-if -f docs/samples/shop.yaml --policy docs/samples/keep.yaml --label node/node-2 disk-",
            "",
            "Exit codes:",
            "  0  no finding at or above --fail-on",
            "  1  findings",
            "  2  invalid command line",
            "  3  the input cannot be read as a whole, or lacks an object that a change names"
        })
final class WhatIfCommand implements Callable<Integer> {
    private static final Duration LONGEST = Duration.ofDays(7);

    /** A message that an object of a namespace is not there. */
    private static final Pattern NOT_THERE = Pattern.compile("there is no (pod|Deployment|ReplicaSet|StatefulSet) ");

    private final ProcessEnvironment processEnvironment;

    @Mixin
    private final ChangeOptions changeOptions = new ChangeOptions();

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAME",
            description = "Namespace of the pods in --delete and the workloads in --scale. Default: that of the"
                    + " kubeconfig's context, else default.")
    private @Nullable String namespace;

    @Option(
            names = "--until",
            paramLabel = "TIME",
            description =
                    "How long to simulate after the change: 90s, 15m, 2h, 1h30m. Default: 2h, or ten minutes more than"
                            + " the longest forgiveness of a policy; then as long as the operator may evict more pods,"
                            + " for example when a window opens, for seven days at most.")
    private @Nullable String until;

    @Mixin
    private final ClusterInput input;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli fills it in before anything is run
    private CommandSpec spec;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORM",
            description = "text, wide (text with all rows), json, yaml or html (one page with the map before and after"
                    + " the change, and a time line of the pods). Default: text.")
    private WhatIfForm form = WhatIfForm.TEXT;

    @Option(
            names = "--only-change",
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "BOOLEAN",
            description = "List only what the change causes in text, and count the rest in one line: evictions and"
                    + " holds that are there without the change too. Default: true in a terminal, else false.")
    private @Nullable Boolean onlyChange;

    @Option(
            names = "--fail-on",
            paramLabel = "FINDING",
            description = "The exit code is 1 if the change has such an effect. evicted: the operator evicts a pod that"
                    + " it would not evict otherwise. stuck: a pod is missing or has no node at the end, is still on"
                    + " a drained node, or would have none in a roll-out; or a roll-out hangs. budget: a workload is"
                    + " gone or below its budget, if only for a time. gone: a workload is. The others are met by"
                    + " evicted, stuck, budget if nodes fail, and violations that begin: any, or violated (whatever"
                    + " policies ask for); enforced (of a rule that a policy enforces, unless an exception names the"
                    + " pod; what policies only audit is a warning then); due (its forgiveness passes). never: none."
                    + " Default: violated.")
    private ChangeEffect failOn = ChangeEffect.VIOLATED;

    WhatIfCommand(ProcessEnvironment processEnvironment) {
        this.processEnvironment = processEnvironment;
        this.input = new ClusterInput(processEnvironment, () -> ClusterLists.Depth.PLANS);
    }

    @Override
    public Integer call() {
        Optional<Duration> given = Optional.ofNullable(until).map(this::time);
        return input.read(() -> changeOptions.applied(input::files), (cluster, config) -> play(cluster, config, given));
    }

    private int play(ReadCluster cluster, OperatorConfig config, Optional<Duration> given) throws DumpException {
        DumpedPolicies translated = new DumpedPolicies(new PolicyTranslator(config.defaultForgiveness()));
        Scenario scenario = new Scenario(
                cluster, changeOptions.changes(cluster, translated, input.namespace(namespace), input::warn));
        input.warn(translated.warnings());
        if (scenario.mayMovePods()) {
            input.warnOfMissingForPlans(cluster.dump(), scenario.added());
        }
        Instant start = cluster.dump().start(processEnvironment.clock().instant());
        WhatIf whatIf = new WhatIf(
                scenario.settings(config.engineSettings()),
                config.maxMode(),
                Assumptions.defaults(),
                start,
                given.orElseGet(scenario::time),
                given.isEmpty());
        SimulationInput simulated = SimulationInput.of(cluster, scenario.policies(CheckedCluster.OWN_RULES))
                .withLedger(input.ledger(cluster, start));
        PlayedChange played = new PlayedChange();
        WhatIfReport report;
        try {
            SimulationWatcher watcher = form == WhatIfForm.HTML ? played : SimulationWatcher.NONE;
            report = scenario.shown(input.play(done -> whatIf.report(simulated, scenario.changes(), done, watcher)));
        } catch (WhatIf.ImpossibleChangeException e) {
            boolean otherNamespace = namespace == null
                    && NOT_THERE.matcher(String.valueOf(e.getMessage())).lookingAt();
            input.say(e.getMessage() + (otherNamespace ? ": see -n" : ""));
            return ExitCode.COULD_NOT_RUN;
        }
        input.warn(scenario.warnings(report));
        failOn.tolerated(report).ifPresent(input::warn);
        WhatIfReport printed = report.with(cluster.dump().unreadable(), input.warnings());
        boolean shortened = form == WhatIfForm.TEXT
                && (onlyChange == null ? processEnvironment.terminal().showsOutput() : onlyChange);
        List<String> arguments = spec.commandLine().getParseResult().originalArgs();
        input.print(
                shortened
                        ? WhatIfOutput.onlyChange(printed, input.width())
                        : form.lines(printed, played.picture(), arguments, input.width()));
        input.say(WhatIfOutput.summary(report));
        return failOn.isOf(report, scenario.failsNodes()) ? ExitCode.FINDINGS : ExitCode.OK;
    }

    private Duration time(String text) {
        return TimeText.parse(text)
                .filter(time -> time.isPositive() && time.compareTo(LONGEST) <= 0)
                .orElseThrow(() -> new ParameterException(
                        spec.commandLine(),
                        "--until must be a time of at most 168h, such as 90s, 15m or 2h, and is " + text));
    }
}
