package dev.holdfast.operator.offline.policytest;

import dev.holdfast.operator.offline.check.ViolationState;
import java.util.List;
import java.util.Map;

/**
 * The results of tests, as {@code holdfast test -o json} writes them. Published as
 * {@code docs/schemas/test-report.json}: no field changes its meaning.
 *
 * @param tests in the order of their names
 */
public record TestReport(String apiVersion, String kind, Summary summary, List<Result> tests) {
    /** The kind of the document. */
    public static final String KIND = "TestReport";

    public TestReport {
        tests = List.copyOf(tests);
    }

    /**
     * The numbers of tests.
     *
     * @param errors the tests that could not be read or played
     */
    public record Summary(int tests, int passed, int failed, int errors) {}

    /**
     * The result of one test.
     *
     * @param name the folder
     * @param story what the test is about; may be empty
     * @param error why the test could not be read or played; empty if the test was played
     * @param deviations how what happens deviates from what is expected, in the order of time
     * @param warnings what may be wrong with the test although it can be played, as sentences
     */
    public record Result(
            String name,
            String story,
            boolean passed,
            String error,
            List<Difference> deviations,
            List<String> warnings) {
        public Result {
            deviations = List.copyOf(deviations);
            warnings = List.copyOf(warnings);
        }
    }

    /**
     * A difference between what is expected and what happens.
     *
     * @param seconds the time of the expectation, in whole seconds after the beginning
     * @param list {@code violations}, {@code evictions}, {@code holds}, {@code pending} or {@code rollOuts}
     * @param difference {@code Missing} if it is expected and does not happen, {@code Unexpected} if it happens and is
     *     not expected, {@code Misplaced} if it is expected and happens in another order
     * @param entry the fields by name
     * @param state what policies ask for: {@code Audited}, {@code Excepted}, {@code Enforced} or {@code Due}; it is
     *     {@code Due} of what is no violation
     * @param message all of this as a sentence
     */
    public record Difference(
            long seconds,
            String list,
            String difference,
            Map<String, String> entry,
            ViolationState state,
            String message) {}

    static TestReport of(List<Result> tests) {
        int passed = (int) tests.stream().filter(Result::passed).count();
        int errors =
                (int) tests.stream().filter(test -> !test.error().isEmpty()).count();
        return new TestReport(
                PolicyTestReader.API_VERSION,
                KIND,
                new Summary(tests.size(), passed, tests.size() - passed - errors, errors),
                tests);
    }

    static Result result(PolicyTestFolder test, List<Deviation> deviations, List<String> warnings) {
        return new Result(
                test.name(),
                test.story(),
                deviations.isEmpty(),
                "",
                deviations.stream().map(it -> difference(it, test.gravest())).toList(),
                warnings);
    }

    static Result unread(String name, String error, List<String> warnings) {
        return new Result(name, "", false, error, List.of(), warnings);
    }

    /** @param expected what policies ask for about a violation that is expected and does not happen */
    private static Difference difference(Deviation deviation, ViolationState expected) {
        return new Difference(
                deviation.at().toSeconds(),
                deviation.subject().plural(),
                switch (deviation.difference()) {
                    case MISSING -> "Missing";
                    case UNEXPECTED -> "Unexpected";
                    case MISPLACED -> "Misplaced";
                },
                deviation.entry().fields(),
                deviation.isExpectedViolation() ? expected : deviation.entry().state(),
                deviation.line());
    }
}
