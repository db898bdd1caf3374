package dev.holdfast.it.bench;

import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Target;
import dev.holdfast.it.bench.report.Unit;
import java.util.ArrayList;
import java.util.List;

/**
 * What large objects of one kind did to the operator. A list is empty if the operator could not be measured to the
 * end, for example because it ended, and has one value otherwise.
 *
 * @param bytes the size of each object in etcd
 * @param watching the operator that ran when the objects were created
 * @param listing the operator that was started when they were there
 */
record HostileOutcome(String kind, int bytes, List<Watching> watching, List<Listing> listing) {
    /** The goal for a change at 20 changes a second, in a cluster without hostile objects. */
    private static final double ABOVE_WATCH_MILLIS = 10;

    HostileOutcome {
        watching = List.copyOf(watching);
        listing = List.copyOf(listing);
    }

    /**
     * An operator that saw the objects come.
     *
     * @param changes the latencies of changes while the objects are written again
     */
    record Watching(double peakMiB, ChangeLatencies changes) {}

    /**
     * An operator that found the objects at its start.
     *
     * @param seconds from the start of the process until all pods are evaluated
     */
    record Listing(double seconds, double peakMiB) {}

    /** {@return the figures of the report} */
    List<Figure> figures() {
        List<Figure> figures = new ArrayList<>();
        figures.add(Figure.of(kind, "an object in etcd", bytes, Unit.BYTES));
        figures.add(Figure.of(kind, "operators measured to the end, of 2", watching.size() + listing.size(), Unit.COUNT)
                .against(Target.atLeast(2, 2)));
        for (Watching one : watching) {
            figures.add(Figure.of(kind, "watching, peak of resident memory", one.peakMiB(), Unit.MEBIBYTES));
            figures.add(Figure.of(
                    kind,
                    "change to recorded, median",
                    one.changes().breaks().recorded().p50(),
                    Unit.MILLISECONDS));
            figures.add(Figure.of(
                    kind,
                    "change to recorded, p99",
                    one.changes().breaks().recorded().p99(),
                    Unit.MILLISECONDS));
            figures.add(Figure.of(
                            kind,
                            "change to recorded above a bare watch, p99",
                            one.changes().breaks().aboveWatch().p99(),
                            Unit.MILLISECONDS)
                    .against(Target.atMost(ABOVE_WATCH_MILLIS)));
        }
        for (Listing one : listing) {
            figures.add(Figure.of(kind, "start, whole cluster", one.seconds(), Unit.SECONDS));
            figures.add(Figure.of(kind, "start, peak of resident memory", one.peakMiB(), Unit.MEBIBYTES));
        }
        return figures;
    }
}
