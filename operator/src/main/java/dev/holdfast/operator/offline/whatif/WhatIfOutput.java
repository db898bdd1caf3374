package dev.holdfast.operator.offline.whatif;

import dev.holdfast.operator.offline.loss.WorkloadLoss;
import dev.holdfast.operator.offline.loss.WorkloadState;
import dev.holdfast.operator.offline.print.Count;
import dev.holdfast.operator.offline.print.Documents;
import dev.holdfast.operator.offline.print.LineWidth;
import dev.holdfast.operator.offline.print.PodRows;
import dev.holdfast.operator.offline.print.Printable;
import dev.holdfast.operator.offline.print.RowLimit;
import dev.holdfast.operator.offline.print.Table;
import dev.holdfast.operator.offline.rollout.RollOut;
import dev.holdfast.operator.offline.stranded.StrandedWorkload;
import dev.holdfast.operator.publish.DurationText;
import dev.holdfast.policies.plan.move.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The forms in which a report is printed: the values of {@code -o}. */
public enum WhatIfOutput {
    TEXT {
        @Override
        public List<String> lines(WhatIfReport report, LineWidth width) {
            return text(report, width, RowLimit.FORTY);
        }
    },
    /** All rows, also if they are many. */
    WIDE {
        @Override
        public List<String> lines(WhatIfReport report, LineWidth width) {
            return text(report, width, RowLimit.ALL);
        }
    },
    JSON {
        @Override
        public List<String> lines(WhatIfReport report, LineWidth width) {
            return Documents.json(report);
        }
    },
    YAML {
        @Override
        public List<String> lines(WhatIfReport report, LineWidth width) {
            return Documents.yaml(report);
        }
    };

    /**
     * {@return the report as lines; empty if there is nothing to list}
     *
     * @param width the most characters of a line of text
     */
    public abstract List<String> lines(WhatIfReport report, LineWidth width);

    private static List<String> text(WhatIfReport report, LineWidth width, RowLimit limit) {
        List<String> lines = new ArrayList<>();
        rollOuts(lines, width, report.rollOuts());
        losses(lines, width, limit, report.losses());
        stuck(lines, width, limit, report.stuck());
        pending(lines, width, report.pending());
        stranded(lines, width, report.stranded());
        violations(lines, width, limit, "would begin", report.begins());
        violations(lines, width, limit, "would end", report.ends());
        displaced(lines, width, limit, report.displaced());
        created(lines, width, limit, report.created());
        evictions(lines, width, limit, report.evictions());
        audited(lines, width, limit, report.audited());
        prevented(lines, width, limit, report.prevented());
        held(lines, width, limit, report.held());
        if (!report.brakes().isEmpty()) {
            heading(lines, width, "Breakers and backlogs:");
            report.brakes()
                    .forEach(brake -> lines.addAll(
                            width.wrap(after(brake.seconds()) + "   " + Printable.of(brake.message()), "  ")));
        }
        return lines;
    }

    private static void rollOuts(List<String> lines, LineWidth width, List<RollOut> rollOuts) {
        if (!rollOuts.isEmpty()) {
            heading(
                    lines,
                    width,
                    Count.of(rollOuts.size(), "roll-out") + ", of which " + hanging(rollOuts) + " would hang:");
            lines.addAll(RollOut.table(rollOuts).lines(width));
        }
    }

    private static long hanging(List<RollOut> rollOuts) {
        return rollOuts.stream().filter(RollOut::hangs).count();
    }

    private static void violations(
            List<String> lines, LineWidth width, RowLimit limit, String what, List<WhatIfReport.Violation> violations) {
        if (!violations.isEmpty()) {
            heading(lines, width, Count.of(violations.size(), "violation") + " " + what + ":");
            PodRows rows = new PodRows(
                    List.of("AFTER", "NAMESPACE", "POD", "NODE", "RULE", "BREACH"),
                    List.of("AFTER", "NAMESPACE", "RULE"));
            violations.forEach(it -> rows.row(
                    after(it.seconds()),
                    it.namespace(),
                    it.pod(),
                    it.node(),
                    it.rule().name(),
                    it.breach()));
            lines.addAll(rows.lines(width, limit));
        }
    }

    private static void evictions(
            List<String> lines, LineWidth width, RowLimit limit, List<WhatIfReport.Eviction> evictions) {
        if (!evictions.isEmpty()) {
            heading(lines, width, Count.of(evictions.size(), "pod") + " would be evicted:");
            PodRows rows = new PodRows(
                    List.of("AFTER", "NAMESPACE", "POD", "FROM", "TO", "POLICY", "RULE", "OUTCOME", "CAUSE"),
                    List.of("NAMESPACE", "POLICY", "RULE", "OUTCOME", "CAUSE"));
            evictions.forEach(it -> rows.row(
                    after(it.seconds()),
                    it.namespace(),
                    it.pod(),
                    it.fromNode(),
                    none(it.toNode()),
                    it.policy(),
                    it.rule().name(),
                    none(it.outcome()),
                    it.withoutChangeToo() ? "Anyway" : "Change"));
            lines.addAll(rows.lines(width, limit));
        }
    }

    private static void displaced(
            List<String> lines, LineWidth width, RowLimit limit, List<WhatIfReport.Displaced> displaced) {
        if (!displaced.isEmpty()) {
            heading(lines, width, Count.of(displaced.size(), "pod") + " would be removed by the change itself:");
            PodRows rows = new PodRows(
                    List.of("AFTER", "NAMESPACE", "POD", "FROM", "REPLACEMENT", "TO", "WORKLOAD"),
                    List.of("AFTER", "NAMESPACE", "WORKLOAD"));
            displaced.forEach(it -> rows.row(
                    after(it.seconds()),
                    it.namespace(),
                    it.pod(),
                    none(it.fromNode()),
                    none(it.replacement()),
                    none(it.toNode()),
                    it.workload()));
            lines.addAll(rows.lines(width, limit));
        }
    }

    private static void created(
            List<String> lines, LineWidth width, RowLimit limit, List<WhatIfReport.Created> created) {
        if (!created.isEmpty()) {
            heading(lines, width, Count.of(created.size(), "pod") + " would be created by the change itself:");
            PodRows rows = new PodRows(
                    List.of("AFTER", "NAMESPACE", "POD", "NODE", "WORKLOAD"),
                    List.of("AFTER", "NAMESPACE", "WORKLOAD"));
            created.forEach(
                    it -> rows.row(after(it.seconds()), it.namespace(), it.pod(), none(it.node()), it.workload()));
            lines.addAll(rows.lines(width, limit));
        }
    }

    private static void audited(
            List<String> lines, LineWidth width, RowLimit limit, List<WhatIfReport.Audited> audited) {
        if (!audited.isEmpty()) {
            heading(
                    lines,
                    width,
                    Count.of(audited.size(), "pod")
                            + " would be evicted first if the policies in Audit enforced; --enforce shows all:");
            PodRows rows = new PodRows(
                    List.of("AFTER", "NAMESPACE", "POD", "FROM", "TO", "POLICY", "RULE", "CAUSE"),
                    List.of("NAMESPACE", "POLICY", "RULE", "CAUSE"));
            audited.forEach(it -> rows.row(
                    after(it.seconds()),
                    it.namespace(),
                    it.pod(),
                    it.node(),
                    none(it.toNode()),
                    it.policy(),
                    it.rule().name(),
                    it.withoutChangeToo() ? "Anyway" : "Change"));
            lines.addAll(rows.lines(width, limit));
        }
    }

    private static void prevented(
            List<String> lines, LineWidth width, RowLimit limit, List<WhatIfReport.Eviction> prevented) {
        if (!prevented.isEmpty()) {
            heading(lines, width, Count.of(prevented.size(), "pod") + " would no longer be evicted:");
            PodRows rows = new PodRows(
                    List.of("AFTER", "NAMESPACE", "POD", "NODE", "POLICY", "RULE"),
                    List.of("NAMESPACE", "POLICY", "RULE"));
            prevented.forEach(it -> rows.row(
                    after(it.seconds()),
                    it.namespace(),
                    it.pod(),
                    it.fromNode(),
                    it.policy(),
                    it.rule().name()));
            lines.addAll(rows.lines(width, limit));
        }
    }

    private static void stuck(List<String> lines, LineWidth width, RowLimit limit, List<WhatIfReport.Stuck> stuck) {
        if (!stuck.isEmpty()) {
            heading(
                    lines,
                    width,
                    Count.of(stuck.size(), "pod")
                            + " would be stuck at the end, missing, pending or on a drained or failed node:");
            PodRows rows = new PodRows(
                    List.of("NAMESPACE", "POD", "NODE", "WHY", "WORKLOAD"), List.of("NAMESPACE", "WORKLOAD", "WHY"));
            stuck.forEach(it -> rows.row(it.namespace(), it.pod(), none(it.node()), it.why(), it.workload()));
            lines.addAll(rows.lines(width, limit));
        }
    }

    /** Writes one row for all pods of a namespace that have the same fate. */
    private static void pending(List<String> lines, LineWidth width, WhatIfReport.Pending pending) {
        if (!pending.pods().isEmpty()) {
            heading(
                    lines,
                    width,
                    Count.of(pending.pods().size(), "pod") + " had no node before the change: " + pending.describe()
                            + ":");
            Map<List<String>, List<String>> alike = new LinkedHashMap<>();
            pending.pods()
                    .forEach(it -> alike.computeIfAbsent(
                                    List.of(
                                            it.namespace(),
                                            none(it.node()),
                                            it.state(),
                                            it.withoutChangeToo() ? "Anyway" : "Change",
                                            none(it.why())),
                                    _ -> new ArrayList<>())
                            .add(it.pod()));
            Table table = new Table("NAMESPACE", "POD", "NODE", "STATE", "CAUSE", "WHY");
            alike.forEach((row, pods) ->
                    table.row(row.getFirst(), Count.named(pods), row.get(1), row.get(2), row.get(3), row.getLast()));
            lines.addAll(table.lines(width));
        }
    }

    private static void losses(List<String> lines, LineWidth width, RowLimit limit, List<WorkloadLoss> losses) {
        if (!losses.isEmpty()) {
            heading(
                    lines,
                    width,
                    Count.of(losses.size(), "workload") + " would have fewer Ready pods, for a time or at the end:");
            boolean all = limit.allows(losses.size());
            List<WorkloadLoss> listed = all ? losses : losses.subList(0, PodRows.MOST);
            lines.addAll(WorkloadLoss.table(listed).lines(width));
            if (!all) {
                lines.add("and " + Count.of(losses.size() - PodRows.MOST, "more workload") + ": -o wide");
            }
        }
    }

    private static void stranded(List<String> lines, LineWidth width, List<StrandedWorkload> stranded) {
        if (!stranded.isEmpty()) {
            heading(
                    lines,
                    width,
                    Count.of(stranded.size(), "workload")
                            + " would have pods without a node after a roll-out, because of injected rules:");
            lines.addAll(StrandedWorkload.table(stranded).lines(width));
        }
    }

    private static String none(String text) {
        return text.isEmpty() ? "<none>" : text;
    }

    private static void held(List<String> lines, LineWidth width, RowLimit limit, List<WhatIfReport.Held> held) {
        if (!held.isEmpty()) {
            heading(lines, width, Count.of(held.size(), "violation") + " would be held at the end:");
            PodRows rows = new PodRows(
                    List.of("NAMESPACE", "POD", "NODE", "RULE", "REASON", "MESSAGE"),
                    List.of("NAMESPACE", "RULE", "REASON"));
            held.forEach(it ->
                    rows.row(it.namespace(), it.pod(), it.node(), it.rule().name(), it.reason(), it.message()));
            lines.addAll(rows.lines(width, limit));
        }
    }

    /** {@return what the change causes as text, and how much is left out} */
    public static List<String> onlyChange(WhatIfReport report, LineWidth width) {
        WhatIfReport caused = report.onlyChange();
        List<String> lines = new ArrayList<>(TEXT.lines(caused, width));
        List<String> rest = new ArrayList<>();
        addRest(rest, report.evictions().size() - caused.evictions().size(), "eviction");
        addRest(rest, report.audited().size() - caused.audited().size(), "audited eviction");
        addRest(rest, report.held().size() - caused.held().size(), "hold");
        addRest(rest, report.pending().pods().size() - caused.pending().pods().size(), "pending pod");
        if (!rest.isEmpty()) {
            heading(lines, width, "Without the change too: " + String.join(", ", rest) + "; see --only-change=false");
        }
        return lines;
    }

    private static void addRest(List<String> rest, int number, String noun) {
        if (number > 0) {
            rest.add(Count.of(number, noun));
        }
    }

    /** {@return the numbers of a report as one sentence} */
    public static String summary(WhatIfReport report) {
        WhatIfReport.Summary summary = report.summary();
        long anyway = report.evictions().stream()
                .filter(WhatIfReport.Eviction::withoutChangeToo)
                .count();
        long futile = report.evictions().stream()
                .filter(eviction -> eviction.outcome().equals(Outcome.NOT_READY.label()))
                .count();
        return "within " + after(report.seconds()) + ": " + Count.of(summary.begins(), "violation") + " would begin, "
                + summary.ends() + " end; " + Count.of(summary.evictions(), "pod") + " would be evicted, " + anyway
                + " of them without the change too"
                + (futile == 0 ? "" : ", " + futile + " of them futile") + "; at the end "
                + Count.of(summary.violatedAtEnd(), "violation") + ", "
                + summary.held() + " of them held, and " + Count.of(summary.stuck(), "pod") + " stuck"
                + outages(report)
                + (hanging(report.rollOuts()) == 0
                        ? ""
                        : "; " + Count.of(hanging(report.rollOuts()), "roll-out") + " would hang")
                + (report.pending().pods().isEmpty()
                        ? ""
                        : "; of " + Count.of(report.pending().pods().size(), "pod") + " without a node before, "
                                + report.pending().describe())
                + (summary.stranded() == 0
                        ? ""
                        : "; a roll-out would strand pods of " + Count.of(summary.stranded(), "workload"));
    }

    /** {@return how many workloads are gone or below their budgets, for a time or at the end; empty if none is} */
    private static String outages(WhatIfReport report) {
        long gone = report.losses().stream()
                .filter(it -> it.isAtLeast(WorkloadState.GONE))
                .count();
        long below = report.losses().stream()
                        .filter(it -> it.isAtLeast(WorkloadState.BELOW_BUDGET))
                        .count()
                - gone;
        return gone + below == 0
                ? ""
                : "; at their worst moments " + Count.of(gone, "workload") + " gone and " + below
                        + " below a disruption budget";
    }

    private static void heading(List<String> lines, LineWidth width, String text) {
        if (!lines.isEmpty()) {
            lines.add("");
        }
        lines.addAll(width.wrap(text, "  "));
    }

    private static String after(long seconds) {
        return DurationText.of(Duration.ofSeconds(seconds));
    }
}
