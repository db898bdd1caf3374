package dev.holdfast.operator.offline.report.page;

import dev.holdfast.operator.offline.report.ClusterReport.NeverAllowing;
import dev.holdfast.operator.offline.report.html.Html;
import dev.holdfast.operator.offline.report.html.SectionHtml;
import java.util.List;

/** Writes the disruption budgets that never allow an eviction. */
final class BudgetsHtml {
    /** The maximum number of budgets. */
    static final int MOST_ROWS = 30;

    private final SectionHtml section;

    BudgetsHtml(Html html) {
        this.section = new SectionHtml(html);
    }

    void write(List<NeverAllowing> budgets) {
        if (budgets.isEmpty()) {
            return;
        }
        section.begin("budgets", "Budgets that never allow an eviction");
        section.table(
                List.of("Budget", "Pods", "Why", "What to do"),
                budgets,
                MOST_ROWS,
                "budget",
                it -> section.head(it.namespace() + "/" + it.budget())
                        .cell(it.pods())
                        .cell(it.why())
                        .cell(it.advice()));
        section.note("Even if all their pods are healthy, these PodDisruptionBudgets keep drains and the operator from"
                + " evicting the pods.");
        section.end();
    }
}
