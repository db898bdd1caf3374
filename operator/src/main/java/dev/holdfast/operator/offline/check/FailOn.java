package dev.holdfast.operator.offline.check;

import dev.holdfast.operator.offline.print.Count;
import java.util.Locale;
import java.util.Optional;

/** Which findings make the exit code 1: the values of {@code --fail-on}, from the strictest on. */
public enum FailOn {
    /** A rule without a verdict, or a violation. */
    UNDETERMINED {
        @Override
        public boolean isMetBy(CheckReport report) {
            return !report.undetermined().isEmpty() || ANY.isMetBy(report);
        }
    },
    /** A violation, whatever policies ask for. */
    ANY {
        @Override
        public boolean isMetBy(CheckReport report) {
            return !report.violations().isEmpty();
        }
    },
    /** As {@link #ANY}. */
    VIOLATED {
        @Override
        public boolean isMetBy(CheckReport report) {
            return ANY.isMetBy(report);
        }
    },
    /** A violation of a rule that a policy enforces, of a pod that no exception names. */
    ENFORCED {
        @Override
        public boolean isMetBy(CheckReport report) {
            return report.violations().stream().anyMatch(it -> it.state().isEnforced());
        }
    },
    /** An enforced violation whose forgiveness has passed. */
    DUE {
        @Override
        public boolean isMetBy(CheckReport report) {
            return report.violations().stream().anyMatch(it -> it.state() == ViolationState.DUE);
        }
    },
    /** A pod that would not start again after a restart of the kubelet. */
    KILLED {
        @Override
        public boolean isMetBy(CheckReport report) {
            return report.violations().stream().anyMatch(CheckReport.Violation::killedByKubeletRestart);
        }
    },
    NEVER {
        @Override
        public boolean isMetBy(CheckReport report) {
            return false;
        }
    };

    /** {@return whether a report has such a finding} */
    public abstract boolean isMetBy(CheckReport report);

    /** {@return that violations do not make the exit code 1, and why, as a sentence; empty if it is not about modes} */
    public Optional<String> tolerated(CheckReport report) {
        return switch (this) {
            case UNDETERMINED, ANY, VIOLATED, KILLED, NEVER -> Optional.empty();
            case ENFORCED, DUE ->
                report.violations().isEmpty() || isMetBy(report)
                        ? Optional.empty()
                        : Optional.of(Count.of(report.violations().size(), "violation") + " left out of the exit code"
                                + " by --fail-on " + name().toLowerCase(Locale.ROOT) + ": "
                                + ViolationState.count(report.violations().stream()
                                        .map(CheckReport.Violation::state)
                                        .toList()));
        };
    }
}
