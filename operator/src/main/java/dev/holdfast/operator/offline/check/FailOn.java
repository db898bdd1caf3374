package dev.holdfast.operator.offline.check;

/** Which findings make the exit code 1: the values of {@code --fail-on}, from the strictest on. */
public enum FailOn {
    /** A rule without a verdict, or a violation. */
    UNDETERMINED {
        @Override
        public boolean isMetBy(CheckReport report) {
            return !report.undetermined().isEmpty() || VIOLATED.isMetBy(report);
        }
    },
    /** A violation. */
    VIOLATED {
        @Override
        public boolean isMetBy(CheckReport report) {
            return !report.violations().isEmpty();
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
}
