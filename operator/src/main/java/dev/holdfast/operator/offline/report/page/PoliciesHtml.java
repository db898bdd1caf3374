package dev.holdfast.operator.offline.report.page;

import dev.holdfast.operator.offline.report.ClusterReport.Deadline;
import dev.holdfast.operator.offline.report.ClusterReport.HoldCount;
import dev.holdfast.operator.offline.report.ClusterReport.PolicyState;
import dev.holdfast.operator.offline.report.html.Html;
import dev.holdfast.operator.offline.report.html.SectionHtml;
import java.util.Comparator;
import java.util.List;

/** Writes the policies: their modes, what they select and find, and what is held and due by their status. */
final class PoliciesHtml {
    /** The maximum number of policies: those with the most violations. */
    static final int MOST_ROWS = 30;

    /** The maximum number of violations with a deadline. */
    static final int MOST_DEADLINES = 20;

    private final SectionHtml section;

    /** A hold with its policy. */
    private record Held(String policy, HoldCount hold) {}

    /** A violation with its policy. */
    private record Due(String policy, Deadline deadline) {}

    PoliciesHtml(Html html) {
        this.section = new SectionHtml(html);
    }

    void write(List<PolicyState> policies) {
        if (policies.isEmpty()) {
            return;
        }
        section.begin("policies", "Policies");
        section.table(
                List.of("Policy", "Mode", "Selected pods", "Violations", "Due", "Due after"),
                policies.stream()
                        .sorted(Comparator.comparingInt((PolicyState it) -> -it.violations()))
                        .toList(),
                MOST_ROWS,
                "row",
                it -> section.head(it.policy())
                        .cell(it.mode())
                        .cell(it.selectedPods())
                        .cell(it.violations())
                        .cell(it.due())
                        .cell(it.forgiveness()));
        holds(policies);
        deadlines(policies);
        section.end();
    }

    private void holds(List<PolicyState> policies) {
        List<Held> held = policies.stream()
                .flatMap(it -> it.holds().stream().map(hold -> new Held(it.policy(), hold)))
                .sorted(Comparator.comparingInt(it -> -it.hold().count()))
                .toList();
        if (!held.isEmpty()) {
            section.note("Due violations that the operator holds, by the status of the policies:");
            section.table(
                    List.of("Policy", "Held", "Reason", "What to do, or when it ends"),
                    held,
                    MOST_ROWS,
                    "hold",
                    it -> section.head(it.policy())
                            .cell(it.hold().count())
                            .cell(it.hold().reason())
                            .cell(it.hold().ends()));
        }
    }

    private void deadlines(List<PolicyState> policies) {
        List<Due> due = policies.stream()
                .flatMap(it -> it.deadlines().stream().map(deadline -> new Due(it.policy(), deadline)))
                .filter(it -> !it.deadline().deadlineTime().isEmpty())
                .sorted(Comparator.comparing((Due it) -> it.deadline().deadlineTime()))
                .toList();
        if (!due.isEmpty()) {
            section.note("The oldest violations with their deadlines, by the status of the policies:");
            section.table(
                    List.of("Deadline", "Pod", "Node", "Rule", "Policy", "State", "Held because"),
                    due,
                    MOST_DEADLINES,
                    "violation",
                    it -> section.head(it.deadline().deadlineTime())
                            .cell(it.deadline().namespace() + "/"
                                    + it.deadline().pod())
                            .cell(it.deadline().node())
                            .cell(it.deadline().rule())
                            .cell(it.policy())
                            .cell(it.deadline().state())
                            .cell(it.deadline().reason()));
        }
    }
}
