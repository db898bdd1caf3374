package dev.holdfast.it.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Holds the figures of recorded watches against what they should be; they are meant for who judges too. */
public final class StreamGoals {
    private static final double PER_SECOND = 100_000;
    private static final double PER_SECOND_BEYOND = 250_000;
    private static final double GARBAGE = 1_024;
    private static final double GARBAGE_BEYOND = 256;

    private StreamGoals() {}

    /** {@return the goals, in the order of the figures} */
    public static List<FigureGoal> of(List<StreamFigures> streams) {
        List<FigureGoal> goals = new ArrayList<>();
        streams.stream().filter(StreamFigures::judged).forEach(figures -> {
            String what = figures.reader() + ", " + figures.stream();
            double perSecond = figures.perSecond().p50();
            goals.add(new FigureGoal(
                    "P11",
                    what + ", events a second",
                    ">= " + count(PER_SECOND),
                    ">= " + count(PER_SECOND_BEYOND),
                    count(perSecond),
                    perSecond >= PER_SECOND,
                    perSecond >= PER_SECOND_BEYOND));
            double garbage = figures.garbage().p50();
            goals.add(new FigureGoal(
                    "P11",
                    what + ", garbage an event",
                    "<= " + bytes(GARBAGE),
                    "<= " + bytes(GARBAGE_BEYOND),
                    bytes(garbage),
                    garbage <= GARBAGE,
                    garbage <= GARBAGE_BEYOND));
        });
        return goals;
    }

    static String count(double number) {
        return String.format(Locale.ROOT, "%,.0f", number);
    }

    static String bytes(double number) {
        return String.format(Locale.ROOT, "%,.0f B", number);
    }
}
