package dev.holdfast.operator.offline.report;

import dev.holdfast.operator.offline.policytest.PolicyTests;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Draws the time line of each test at its end. The simulations themselves are not kept.
 *
 * <p>Confined to the thread that plays the tests.
 */
public final class PlayedTests implements Consumer<PolicyTests.Played> {
    /** The maximum number of lanes of a test. */
    public static final int MOST_LANES = 50;

    private final Map<String, TimeLine> timeLines = new HashMap<>();

    @Override
    public void accept(PolicyTests.Played played) {
        timeLines.put(played.result().name(), TimeLineBuilder.of(played.simulation(), MOST_LANES));
    }

    /** {@return what happened to pods in a test; an empty time line for a test that was not played} */
    public TimeLine timeLine(String test) {
        return timeLines.getOrDefault(test, TimeLine.NONE);
    }
}
