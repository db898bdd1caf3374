package dev.holdfast.operator.cli;

import dev.holdfast.operator.cli.options.ProgramVersion;
import dev.holdfast.operator.config.OperatorConfig;
import dev.holdfast.operator.offline.check.CheckedCluster;
import dev.holdfast.operator.offline.dump.ClusterLists;
import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.dump.DumpedPolicies;
import dev.holdfast.operator.offline.dump.ReadCluster;
import dev.holdfast.operator.offline.print.Count;
import dev.holdfast.operator.offline.print.TimeText;
import dev.holdfast.operator.offline.rollout.RollOut;
import dev.holdfast.operator.offline.simulate.Change;
import dev.holdfast.operator.offline.simulate.SimulationInput;
import dev.holdfast.operator.offline.simulate.cluster.Assumptions;
import dev.holdfast.operator.offline.whatif.Horizon;
import dev.holdfast.operator.offline.whatif.OtherSchedulers;
import dev.holdfast.operator.offline.whatif.WhatIf;
import dev.holdfast.operator.offline.whatif.WhatIfOutput;
import dev.holdfast.operator.offline.whatif.WhatIfReport;
import dev.holdfast.operator.translate.PolicyTranslator;
import dev.holdfast.policies.engine.protocol.EngineSettings;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Stream;
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
    private static final Duration USUAL = Duration.ofHours(2);

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
            description = "text, json or yaml. Default: text.")
    private WhatIfOutput output = WhatIfOutput.TEXT;

    @Option(
            names = "--fail-on",
            paramLabel = "FINDING",
            description = "The exit code is 1 if the change has such an effect: violated (a violation begins, a pod is"
                    + " evicted, or a pod is stuck), evicted (the operator evicts a pod that it would not evict"
                    + " otherwise), stuck (a pod is missing or has no node at the end, is still on a drained node,"
                    + " or would have none in a roll-out; or a roll-out hangs), never. Default: violated.")
    private Finding failOn = Finding.VIOLATED;

    /** Effects of a change that make the exit code 1. */
    private enum Finding {
        VIOLATED,
        EVICTED,
        STUCK,
        NEVER
    }

    WhatIfCommand(ProcessEnvironment processEnvironment) {
        this.processEnvironment = processEnvironment;
        this.input = new ClusterInput(processEnvironment, ClusterLists.Depth.PLANS);
    }

    @Override
    public Integer call() {
        Optional<Duration> given = Optional.ofNullable(until).map(this::time);
        return input.read(() -> changeOptions.applied(input), (cluster, config) -> play(cluster, config, given));
    }

    private int play(ReadCluster cluster, OperatorConfig config, Optional<Duration> given) throws DumpException {
        DumpedPolicies translated = new DumpedPolicies(new PolicyTranslator(config.defaultForgiveness()));
        List<Change> changes = changeOptions.changes(input, cluster, translated, input.namespace(namespace));
        input.warn(translated.warnings());
        if (mayEvict(cluster, changes)) {
            input.warnOfMissingForPlans(cluster.dump(), added(changes));
        }
        Instant start = cluster.dump().start(processEnvironment.clock().instant());
        WhatIf whatIf = new WhatIf(
                settings(config, cluster, changes),
                config.maxMode(),
                Assumptions.defaults(),
                start,
                given.orElseGet(() -> time(cluster, changes)),
                given.isEmpty());
        WhatIfReport report;
        try {
            WhatIfReport played = whatIf.report(
                    SimulationInput.of(cluster, policies(cluster, changes)).withLedger(input.ledger(cluster, start)),
                    changes,
                    input::setDone);
            report = hasPolicies(cluster, changes) ? played : played.withoutPolicies();
        } catch (WhatIf.ImpossibleChangeException e) {
            boolean otherNamespace = namespace == null
                    && NOT_THERE.matcher(String.valueOf(e.getMessage())).lookingAt();
            input.say(e.getMessage() + (otherNamespace ? ": see -n" : ""));
            return ExitCode.COULD_NOT_RUN;
        }
        report.policiesWithoutPods().forEach(policy -> input.warn("policy " + policy + " selects no pod at any time"));
        OtherSchedulers.warning(report, cluster.dump().objects()).ifPresent(input::warn);
        if (report.endedBy() == WhatIfReport.End.SEVEN_DAYS) {
            input.warn("the simulation ends after seven days, but the operator may evict more pods after that");
        }
        undecided(report, cluster, changes).ifPresent(input::warn);
        input.print(output.lines(report.with(cluster.dump().unreadable(), input.warnings()), input.width()));
        input.say(WhatIfOutput.summary(report));
        boolean found = switch (failOn) {
            case VIOLATED -> report.summary().begins() > 0 || isStuck(report) || evicts(report);
            case EVICTED -> evicts(report);
            case STUCK -> isStuck(report);
            case NEVER -> false;
        };
        return found ? ExitCode.FINDINGS : ExitCode.OK;
    }

    /** {@return a warning if violations are left that no pod is evicted for, and why} */
    private static Optional<String> undecided(WhatIfReport report, ReadCluster cluster, List<Change> changes) {
        int left = report.summary().violatedAtEnd() - report.summary().held();
        if (report.summary().violatedAtEnd() > 0 && !hasPolicies(cluster, changes)) {
            return Optional.of("there is no policy, so no pod is evicted: read plpol,cplpol too, or give --policy");
        }
        if (report.summary().violatedAtEnd() > 0
                && all(cluster, changes).stream().noneMatch(policy -> policy.mode() == Mode.ENFORCE)) {
            return Optional.of(
                    "no policy is in mode Enforce, so no pod is evicted: --enforce NAME shows all" + " that would be");
        }
        return report.endedBy() == WhatIfReport.End.UNTIL && left > 0
                ? Optional.of("the simulation ends at --until, and " + Count.of(left, "violation")
                        + (left == 1 ? " is" : " are") + " undecided then: leave --until out to go on")
                : Optional.empty();
    }

    private static boolean isStuck(WhatIfReport report) {
        return report.summary().stuck() > 0
                || report.summary().stranded() > 0
                || report.rollOuts().stream().anyMatch(RollOut::isHanging);
    }

    private static boolean evicts(WhatIfReport report) {
        return report.evictions().stream().anyMatch(eviction -> !eviction.withoutChangeToo());
    }

    /**
     * {@return the policies before the change; if there is none at all, each pod is held to the rules of its own spec}
     */
    private static List<Event.PolicyChanged> policies(ReadCluster cluster, List<Change> changes) {
        return hasPolicies(cluster, changes)
                ? cluster.policies()
                : List.of(new Event.PolicyChanged(CheckedCluster.OWN_RULES));
    }

    private static boolean hasPolicies(ReadCluster cluster, List<Change> changes) {
        return !cluster.policies().isEmpty() || changes.stream().anyMatch(Change.PutPolicy.class::isInstance);
    }

    /** {@return the settings; without policies, no namespace is exempt, as for the scheduler} */
    private static EngineSettings settings(OperatorConfig config, ReadCluster cluster, List<Change> changes) {
        EngineSettings settings = config.engineSettings();
        return hasPolicies(cluster, changes)
                ? settings
                : new EngineSettings(
                        settings.operatorLimits(),
                        settings.protectedPods(),
                        Set.of(),
                        settings.replacementTimes(),
                        settings.breakers());
    }

    /** {@return whether a policy or drain may evict; only then budgets, quotas, controllers and volumes matter} */
    private static boolean mayEvict(ReadCluster cluster, List<Change> changes) {
        return changes.stream().anyMatch(Change.Drain.class::isInstance)
                || all(cluster, changes).stream().anyMatch(policy -> policy.mode() != Mode.DISABLED);
    }

    private static List<ClusterEvent> added(List<Change> changes) {
        return changes.stream()
                .flatMap(change -> change instanceof Change.AddObjects(List<ClusterEvent> objects)
                        ? objects.stream()
                        : Stream.empty())
                .toList();
    }

    private static List<Policy> all(ReadCluster cluster, List<Change> changes) {
        List<Policy> policies = new ArrayList<>(cluster.rules());
        for (Change change : changes) {
            if (change instanceof Change.PutPolicy(Event.PolicyChanged put)) {
                policies.add(put.policy());
            }
        }
        return policies;
    }

    private static Duration time(ReadCluster cluster, List<Change> changes) {
        Duration horizon = Horizon.of(all(cluster, changes));
        return horizon.compareTo(USUAL) > 0 ? horizon : USUAL;
    }

    private Duration time(String text) {
        return TimeText.parse(text)
                .filter(time -> time.isPositive() && time.compareTo(LONGEST) <= 0)
                .orElseThrow(() -> new ParameterException(
                        spec.commandLine(),
                        "--until must be a time of at most 168h, such as 90s, 15m or 2h, and is " + text));
    }
}
