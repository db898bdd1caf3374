package dev.holdfast.operator.cli.options;

import dev.holdfast.operator.offline.check.CheckedCluster;
import dev.holdfast.operator.offline.check.form.CheckOutput;
import dev.holdfast.operator.offline.dump.Dump;
import dev.holdfast.operator.offline.dump.live.ClusterLists;
import dev.holdfast.operator.offline.print.LineWidth;
import dev.holdfast.operator.offline.soft.SoftOutput;
import dev.holdfast.operator.offline.soft.SoftReport;
import dev.holdfast.operator.offline.soft.UnmetRules;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.score.SpreadDefaults;
import java.util.List;
import java.util.function.Predicate;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options with which a command lists unmet soft rules in place of violations. */
public final class SoftOption {
    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli fills it in before anything is run
    private CommandSpec spec;

    @Option(
            names = "--soft",
            description = "List the unmet soft rules in place of violations: preferred terms, and spread constraints"
                    + " with ScheduleAnyway. For each, the scheduler's own scores say what a move of the pod would"
                    + " gain. Policies do not count. With --soft, the exit code 1 says that a move would gain"
                    + " something.")
    private boolean soft;

    @Option(
            names = "--min-improvement",
            paramLabel = "NUMBER",
            description = "With --soft: the least gain that is worth a move, in pods of skew or as the sum of the"
                    + " weights of terms. Default: 1.")
    private long minImprovement = 1;

    /** {@return whether unmet soft rules are listed} */
    public boolean isGiven() {
        if (minImprovement < 1) {
            throw new ParameterException(
                    spec.commandLine(), "--min-improvement must be at least 1, and is " + minImprovement);
        }
        return soft;
    }

    /** {@return how much of a live cluster is read} */
    public ClusterLists.Depth depth() {
        return soft ? ClusterLists.Depth.SCORES : ClusterLists.Depth.VERDICTS;
    }

    /** {@return what the input lacks, so that scores are not known, as sentences} */
    public static List<String> warnings(Dump dump) {
        return dump.count("Service") > 0
                ? List.of()
                : List.of("the input has no Services, which the scheduler reads for pods without spread constraints:"
                        + " give svc,rs,sts,rc too");
    }

    /** {@return the unmet soft rules of the listed pods} */
    public SoftReport of(CheckedCluster cluster, Dump dump, Predicate<Pod> listed) {
        return UnmetRules.in(cluster, listed, SpreadDefaults.ofSystem(dump.selectors()), minImprovement);
    }

    /** {@return the report in a form of the command} */
    public List<String> lines(SoftReport report, CheckOutput form, LineWidth width) {
        return switch (form) {
            case TABLE -> SoftOutput.TABLE.lines(report, width);
            case WIDE -> SoftOutput.WIDE.lines(report, width);
            case JSON -> SoftOutput.JSON.lines(report, width);
            case YAML -> SoftOutput.YAML.lines(report, width);
            case NAME -> SoftOutput.NAME.lines(report, width);
            case SUMMARY ->
                throw new ParameterException(
                        spec.commandLine(), "--soft has no -o summary: its table groups more than 40 rows");
        };
    }
}
