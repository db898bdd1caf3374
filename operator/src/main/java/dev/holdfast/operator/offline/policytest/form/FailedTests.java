package dev.holdfast.operator.offline.policytest.form;

import dev.holdfast.operator.offline.check.ViolationState;
import dev.holdfast.operator.offline.policytest.TestReport;
import dev.holdfast.operator.offline.print.Count;
import java.util.Locale;
import java.util.Optional;

/** The failed tests that make the exit code 1: the values of {@code --fail-on} of {@code holdfast test}. */
public enum FailedTests {
    /** A test with any deviation. */
    ANY,
    /** A test with a deviation that is more than a violation which policies audit, or excepted pods have. */
    ENFORCED,
    /** A test with a deviation that is more than a violation whose forgiveness has not passed. */
    DUE,
    NEVER;

    /** {@return whether a test has such a deviation} */
    public boolean isIn(TestReport report) {
        return report.tests().stream().anyMatch(this::counts);
    }

    private boolean counts(TestReport.Result test) {
        return test.deviations().stream().map(TestReport.Difference::state).anyMatch(this::counts);
    }

    private boolean counts(ViolationState state) {
        return switch (this) {
            case ANY -> true;
            case ENFORCED -> state.isEnforced();
            case DUE -> state == ViolationState.DUE;
            case NEVER -> false;
        };
    }

    /** {@return that failed tests do not make the exit code 1, as a sentence; empty unless it is about modes} */
    public Optional<String> tolerated(TestReport report) {
        long failed = report.tests().stream()
                .filter(test -> !test.passed() && test.error().isEmpty())
                .count();
        return this == NEVER || failed == 0 || isIn(report)
                ? Optional.empty()
                : Optional.of(Count.of(failed, "failed test") + " left out of the exit code by --fail-on "
                        + name().toLowerCase(Locale.ROOT));
    }
}
