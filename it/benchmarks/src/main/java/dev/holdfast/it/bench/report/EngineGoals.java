package dev.holdfast.it.bench.report;

import dev.holdfast.it.bench.report.Aim.Statistic;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Holds the figures of the engine against what they should be. */
public final class EngineGoals {
    private static final double MIB = 1 << 20;
    private static final double THOUSAND = 1_000;
    private static final double MOST_TIMES = 2;
    private static final double UNCHANGED = 1.1;
    private static final double MOST_MIB = 600;
    private static final double FEW_MIB = 350;
    private static final double DRIFT = 1;

    private final List<FigureGoal> goals = new ArrayList<>();

    private EngineGoals() {}

    /** {@return the goals, in the order of the figures} */
    public static List<FigureGoal> of(
            List<EventFigures> events, List<EventFigures> million, List<HeapFigures> heaps, List<ChurnFigures> churn) {
        EngineGoals all = new EngineGoals();
        events.forEach(all::add);
        million.forEach(one -> all.addMillion(one, events));
        heaps.stream().filter(heap -> heap.factBytes() == 0).forEach(all::addMillion);
        churn.forEach(all::add);
        return all.goals;
    }

    private void add(EventFigures figures) {
        for (Aim aim : figures.aims()) {
            double seen = figures.of(aim.statistic());
            goals.add(new FigureGoal(
                    figures.section(),
                    figures.what() + ", " + name(aim.statistic()),
                    aim.goal() == Aim.NO_GOAL ? "" : limit(aim.statistic(), aim.goal()),
                    limit(aim.statistic(), aim.beyond()),
                    words(aim.statistic(), seen),
                    seen <= aim.goal(),
                    seen <= aim.beyond()));
        }
    }

    /** A million pods against 150,000 in the same run. */
    private void addMillion(EventFigures figures, List<EventFigures> events) {
        for (EventFigures fewer : events) {
            if (fewer.scene().equals(figures.scene())) {
                double times = figures.cost() / fewer.cost();
                goals.add(new FigureGoal(
                        "P4",
                        figures.what() + ", mean cost to that above",
                        "<= 2x",
                        "<= 1.1x",
                        String.format(Locale.ROOT, "%.2fx", times),
                        times <= MOST_TIMES,
                        times <= UNCHANGED));
            }
        }
    }

    private void addMillion(HeapFigures heap) {
        double mib = heap.bytes() / MIB;
        goals.add(new FigureGoal(
                "P4",
                "heap of " + heap.world(),
                "<= 600 MiB",
                "<= 350 MiB",
                String.format(Locale.ROOT, "%.0f MiB", mib),
                mib <= MOST_MIB,
                mib <= FEW_MIB));
    }

    private void add(ChurnFigures churn) {
        goals.add(new FigureGoal(
                "P17",
                String.format(Locale.ROOT, "drift of the heap over %,d events", churn.events()),
                "0 +- 1 %",
                "",
                String.format(Locale.ROOT, "%+.2f %%", churn.driftPercent()),
                Math.abs(churn.driftPercent()) <= DRIFT,
                false));
        goals.add(new FigureGoal(
                "P17",
                "the index afterwards, to before",
                "0 +- 1 %",
                "",
                String.format(Locale.ROOT, "%+.2f %%", churn.growthPercent()),
                Math.abs(churn.growthPercent()) <= DRIFT,
                false));
    }

    private static String name(Statistic statistic) {
        return switch (statistic) {
            case COST -> "mean cost";
            case P50 -> "median";
            case P99 -> "p99";
            case GARBAGE -> "garbage";
        };
    }

    private static String limit(Statistic statistic, double value) {
        if (statistic == Statistic.GARBAGE) {
            return String.format(Locale.ROOT, "<= %.0f B", value);
        }
        return value < THOUSAND
                ? String.format(Locale.ROOT, "<= %.0f us", value)
                : String.format(Locale.ROOT, "<= %.0f ms", value / THOUSAND);
    }

    private static String words(Statistic statistic, double value) {
        return statistic == Statistic.GARBAGE ? String.format(Locale.ROOT, "%,.0f B", value) : time(value);
    }

    /** {@return a time in microseconds in words} */
    static String time(double micros) {
        return micros < THOUSAND
                ? String.format(Locale.ROOT, micros < 10 ? "%.2f us" : "%.1f us", micros)
                : String.format(Locale.ROOT, "%,.1f ms", micros / THOUSAND);
    }
}
