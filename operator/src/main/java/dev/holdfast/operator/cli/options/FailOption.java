package dev.holdfast.operator.cli.options;

import dev.holdfast.operator.offline.check.CheckReport;
import dev.holdfast.operator.offline.check.FailOn;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The option that says which findings in a cluster make the exit code 1. */
public final class FailOption {
    @Option(
            names = "--fail-on",
            paramLabel = "FINDING",
            description = "The mildest finding that makes the exit code 1. From mild to grave: undetermined; any, or"
                + " violated (a violation, whatever policies ask for); enforced (a violation of a rule that a policy"
                + " enforces, unless an exception names the pod; what policies only audit is a warning then); due (the"
                + " forgiveness of an enforced violation has passed, as the status of the policy says, or it is 0);"
                + " killed (a restart of the kubelet would reject the pod); never (none). Default: violated.")
    private FailOn failOn = FailOn.VIOLATED;

    /** {@return whether a report has such a finding} */
    public boolean isMetBy(CheckReport report) {
        return failOn.isMetBy(report);
    }

    /** {@return a warning if there are violations, and their modes are why they do not make the exit code 1} */
    public Optional<String> tolerated(CheckReport report) {
        return failOn.tolerated(report);
    }
}
