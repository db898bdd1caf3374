package dev.holdfast.it.bench.report;

import java.util.List;

/** Figures beside what they should be, as text. */
final class GoalTable {
    private GoalTable() {}

    static String of(List<FigureGoal> goals) {
        Table table = new Table().row("", "figure", "goal", "beyond", "measured", "");
        goals.forEach(goal ->
                table.row(goal.section(), goal.figure(), goal.goal(), goal.beyond(), goal.seen(), goal.verdict()));
        return table.text();
    }
}
