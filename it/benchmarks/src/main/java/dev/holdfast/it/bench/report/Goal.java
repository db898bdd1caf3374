package dev.holdfast.it.bench.report;

/**
 * One figure beside what it should be. A goal that is missed is a result and no failure of the bench.
 *
 * @param goal in words
 * @param seen in words
 */
public record Goal(String figure, String goal, String seen, boolean met) {}
