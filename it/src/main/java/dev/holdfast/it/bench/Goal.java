package dev.holdfast.it.bench;

/**
 * One figure beside what it should be. A goal that is missed is a result and no failure of the bench.
 *
 * @param goal in words
 * @param seen in words
 */
record Goal(String figure, String goal, String seen, boolean met) {}
