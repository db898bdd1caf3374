package dev.holdfast.operator.whatif;

import dev.holdfast.operator.print.Documents;
import dev.holdfast.operator.print.Printable;
import dev.holdfast.operator.print.Table;
import dev.holdfast.operator.publish.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The forms in which a report is printed: the values of {@code -o}. */
public enum WhatIfOutput {
    TEXT {
        @Override
        public List<String> lines(WhatIfReport report) {
            List<String> lines = new ArrayList<>();
            violations(lines, "would begin", report.begins());
            violations(lines, "would end", report.ends());
            evictions(lines, report.evictions());
            held(lines, report.held());
            if (!report.brakes().isEmpty()) {
                heading(lines, "Breakers and backlogs:");
                report.brakes()
                        .forEach(brake -> lines.add(after(brake.seconds()) + "   " + Printable.of(brake.message())));
            }
            if (!report.waiting().isEmpty()) {
                heading(lines, number(report.waiting().size(), "pod") + " would find no node:");
                report.waiting().forEach(pod -> lines.add(Printable.of(pod)));
            }
            return lines;
        }
    },
    JSON {
        @Override
        public List<String> lines(WhatIfReport report) {
            return Documents.json(report);
        }
    },
    YAML {
        @Override
        public List<String> lines(WhatIfReport report) {
            return Documents.yaml(report);
        }
    };

    /** {@return the report as lines; empty if there is nothing to list} */
    public abstract List<String> lines(WhatIfReport report);

    private static void violations(List<String> lines, String what, List<WhatIfReport.Violation> violations) {
        if (!violations.isEmpty()) {
            heading(lines, number(violations.size(), "violation") + " " + what + ":");
            Table table = new Table("AFTER", "NAMESPACE", "POD", "NODE", "RULE", "BREACH");
            violations.forEach(it -> table.row(
                    after(it.seconds()),
                    it.namespace(),
                    it.pod(),
                    it.node(),
                    it.rule().name(),
                    it.breach()));
            lines.addAll(table.lines());
        }
    }

    private static void evictions(List<String> lines, List<WhatIfReport.Eviction> evictions) {
        if (!evictions.isEmpty()) {
            heading(lines, number(evictions.size(), "pod") + " would be evicted:");
            Table table = new Table("AFTER", "NAMESPACE", "POD", "FROM", "TO", "POLICY", "RULE", "OUTCOME", "CAUSE");
            evictions.forEach(it -> table.row(
                    after(it.seconds()),
                    it.namespace(),
                    it.pod(),
                    it.fromNode(),
                    it.toNode().isEmpty() ? "<none>" : it.toNode(),
                    it.policy(),
                    it.rule().name(),
                    it.outcome().isEmpty() ? "<none>" : it.outcome(),
                    it.withoutChangeToo() ? "Anyway" : "Change"));
            lines.addAll(table.lines());
        }
    }

    private static void held(List<String> lines, List<WhatIfReport.Held> held) {
        if (!held.isEmpty()) {
            heading(lines, number(held.size(), "violation") + " would be held at the end:");
            Table table = new Table("NAMESPACE", "POD", "NODE", "RULE", "REASON", "MESSAGE");
            held.forEach(it ->
                    table.row(it.namespace(), it.pod(), it.node(), it.rule().name(), it.reason(), it.message()));
            lines.addAll(table.lines());
        }
    }

    /** {@return the numbers of a report as one sentence} */
    public static String summary(WhatIfReport report) {
        WhatIfReport.Summary summary = report.summary();
        int evictions = report.evictions().size();
        return "within " + after(report.seconds()) + ": " + number(summary.begins(), "violation") + " would begin, "
                + summary.ends() + " end; " + number(evictions, "pod") + " would be evicted, "
                + (evictions - summary.evictions()) + " of them without the change too; "
                + number(summary.held(), "violation") + " held at the end";
    }

    private static void heading(List<String> lines, String text) {
        if (!lines.isEmpty()) {
            lines.add("");
        }
        lines.add(text);
    }

    private static String after(long seconds) {
        return DurationText.of(Duration.ofSeconds(seconds));
    }

    private static String number(long count, String noun) {
        return String.format(Locale.ROOT, "%,d %s%s", count, noun, count == 1 ? "" : "s");
    }
}
