package dev.holdfast.operator.offline.report.page;

import dev.holdfast.operator.offline.check.CheckReport.PendingPod;
import dev.holdfast.operator.offline.check.form.PendingGroup;
import dev.holdfast.operator.offline.print.Count;
import dev.holdfast.operator.offline.report.html.Html;
import dev.holdfast.operator.offline.report.html.SectionHtml;
import java.util.List;

/** Writes the pods without a node, and why no node takes them, in the groups of {@code holdfast check}. */
final class PendingHtml {
    /** The maximum number of groups. */
    static final int MOST_ROWS = 30;

    private final SectionHtml section;

    PendingHtml(Html html) {
        this.section = new SectionHtml(html);
    }

    void write(List<PendingPod> pods) {
        if (pods.isEmpty()) {
            return;
        }
        section.begin("pending", Count.of(pods.size(), "pod") + " without a node");
        section.table(
                List.of("Pods", "Namespace", "State", "Why"),
                PendingGroup.of(pods),
                MOST_ROWS,
                "reason",
                group -> section.head(Count.named(group.pods()))
                        .cell(group.namespace())
                        .cell(group.state())
                        .cell(group.why()));
        section.end();
    }
}
