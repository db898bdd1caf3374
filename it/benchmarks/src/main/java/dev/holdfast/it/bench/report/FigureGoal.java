package dev.holdfast.it.bench.report;

/**
 * One figure beside what is promised and what is hoped for. A goal that is missed is a result and no
 * failure of the bench.
 *
 * @param goal in words; empty where nothing is promised
 * @param beyond in words
 * @param seen in words
 * @param met whether it is what is promised
 * @param beyondMet whether it is what is hoped for
 */
public record FigureGoal(
        String section, String figure, String goal, String beyond, String seen, boolean met, boolean beyondMet) {
    /** {@return what came of it, in a word or two} */
    String verdict() {
        if (!met) {
            return "MISSED";
        }
        if (beyondMet) {
            return goal.isEmpty() ? "beyond met" : "met, beyond too";
        }
        return goal.isEmpty() ? "beyond missed" : "met";
    }
}
