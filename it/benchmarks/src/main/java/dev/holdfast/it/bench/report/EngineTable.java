package dev.holdfast.it.bench.report;

import java.util.Locale;

/** The report of the engine as text for a terminal. */
public final class EngineTable {
    private static final double MIB = 1 << 20;

    private final EngineReport report;

    private EngineTable(EngineReport report) {
        this.report = report;
    }

    /** {@return the report in many lines, without one at the end} */
    public static String of(EngineReport report) {
        EngineTable table = new EngineTable(report);
        StringBuilder text = new StringBuilder(table.head());
        text.append("\n\n").append(table.events());
        if (!report.heaps().isEmpty()) {
            text.append("\n\n").append(table.heaps());
        }
        return text.append("\n\n").append(GoalTable.of(report.goals())).toString();
    }

    private String head() {
        EngineBenchOptions options = report.options();
        return String.format(
                Locale.ROOT,
                "%,d pods, %,d nodes, seed %d; %s; commit %s%n%s",
                options.pods(),
                options.nodes(),
                options.seed(),
                options.forks() == 0
                        ? "in this JVM: the figures mean nothing"
                        : String.format(
                                Locale.ROOT,
                                "%d x %d iterations of %d ms",
                                options.forks(),
                                options.iterations(),
                                options.iterationMillis()),
                report.checkout(),
                report.machine());
    }

    private String events() {
        Table table = new Table().row("", "", "cost", "garbage", "mean", "p50", "p90", "p99", "max", "samples");
        report.events().forEach(figures -> add(table, figures.section(), figures));
        report.million().forEach(figures -> add(table, "P4", figures));
        return table.text();
    }

    private static void add(Table table, String section, EventFigures figures) {
        table.row(
                section,
                figures.what(),
                EngineGoals.time(figures.cost()),
                String.format(Locale.ROOT, "%,.0f B", figures.garbage()),
                EngineGoals.time(figures.mean()),
                EngineGoals.time(figures.p50()),
                EngineGoals.time(figures.p90()),
                EngineGoals.time(figures.p99()),
                EngineGoals.time(figures.max()),
                String.format(Locale.ROOT, "%,d", figures.samples()));
    }

    private String heaps() {
        Table table = new Table()
                .row("heap", "pods", "nodes", "terms", "violations", "loaded in", "MiB", "B a pod", "without facts");
        for (HeapFigures heap : report.heaps()) {
            table.row(
                    heap.world(),
                    String.format(Locale.ROOT, "%,d", heap.pods()),
                    String.format(Locale.ROOT, "%,d", heap.nodes()),
                    String.format(Locale.ROOT, "%,d", heap.terms()),
                    String.format(Locale.ROOT, "%,d", heap.violations()),
                    String.format(Locale.ROOT, "%,.0f ms", heap.loadMillis()),
                    String.format(Locale.ROOT, "%.1f", heap.bytes() / MIB),
                    String.format(Locale.ROOT, "%.0f", heap.perPod()),
                    heap.factBytes() == 0 ? "-" : String.format(Locale.ROOT, "%.0f", heap.ownPerPod()));
        }
        return table.text();
    }
}
