package dev.holdfast.operator.offline.report.page;

import dev.holdfast.operator.offline.loss.WorkloadState;
import dev.holdfast.operator.offline.loss.ZonesReport.Failure;
import dev.holdfast.operator.offline.loss.ZonesReport.Workload;
import dev.holdfast.operator.offline.print.Count;
import dev.holdfast.operator.offline.report.ClusterReport.State;
import dev.holdfast.operator.offline.report.html.Html;
import dev.holdfast.operator.offline.report.html.SectionHtml;
import dev.holdfast.operator.offline.report.html.StateMark;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Writes a matrix: what the failure of each zone would do to each workload, and why. */
final class ZonesHtml {
    /** The maximum number of workloads in the matrix: those that bear the worst. */
    static final int MOST_ROWS = 40;

    /** The maximum number of zones: those whose failure hits the most workloads. */
    static final int MOST_COLUMNS = 12;

    private final Html html;
    private final SectionHtml section;

    /** A workload that the failure of a zone hits. */
    private record Hit(Workload workload, Failure failure) {}

    ZonesHtml(Html html) {
        this.html = html;
        this.section = new SectionHtml(html);
    }

    void write(List<Workload> workloads) {
        if (workloads.isEmpty()) {
            return;
        }
        List<Workload> hit = workloads.stream()
                .filter(it -> it.worst() != WorkloadState.FINE)
                .toList();
        List<String> zones = zones(workloads);
        Set<String> shown = Set.copyOf(zones);
        section.begin("zonefailures", "If a zone fails");
        section.table(
                Stream.concat(
                                Stream.of("Workload", "Ready pods"),
                                zones.stream().map(zone -> "Without " + zone))
                        .toList(),
                hit,
                MOST_ROWS,
                "workload",
                workload -> row(workload, shown));
        int fine = workloads.size() - hit.size();
        int more = workloads.getFirst().failures().size() - zones.size();
        section.note(Count.of(fine, "workload") + " would keep all Ready pods, whichever zone fails."
                + (more > 0 ? " " + Count.of(more, "more zone") + " not in this table." : ""));
        reasons(hit, shown);
        section.end();
    }

    /** {@return the zones in order; of many, those whose failure hits the most workloads} */
    private static List<String> zones(List<Workload> workloads) {
        Map<String, Integer> hits = new HashMap<>();
        workloads.forEach(workload -> workload.failures()
                .forEach(failure -> hits.merge(failure.zone(), failure.hits() ? 1 : 0, Integer::sum)));
        return hits.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue()
                        .reversed()
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(MOST_COLUMNS)
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    private void row(Workload workload, Set<String> shown) {
        section.head(name(workload)).cell(workload.pods());
        workload.failures().stream().filter(it -> shown.contains(it.zone())).forEach(failure -> {
            State state = state(failure.worstMoment().state());
            html.markup("<td><span class=\"c " + StateMark.cssClass(state) + "\"><span aria-hidden=true>")
                    .text(StateMark.shape(state))
                    .markup("</span>")
                    .text(failure.words())
                    .markup("</span></td>");
        });
    }

    private static String name(Workload workload) {
        return workload.namespace() + "/" + workload.name() + " " + workload.kind();
    }

    private static State state(WorkloadState state) {
        return switch (state) {
            case FINE -> State.FINE;
            case DEGRADED -> State.UNDETERMINED;
            case BELOW_BUDGET -> State.VIOLATED;
            case GONE -> State.KILLED;
        };
    }

    private void reasons(List<Workload> hit, Set<String> shown) {
        List<Hit> hits = hit.stream()
                .flatMap(workload -> workload.failures().stream().map(failure -> new Hit(workload, failure)))
                .filter(it -> it.failure().hits() && shown.contains(it.failure().zone()))
                .sorted(Comparator.comparing(
                        (Hit it) -> it.failure().worstMoment().state(), Comparator.reverseOrder()))
                .toList();
        if (!hits.isEmpty()) {
            html.markup("<details><summary>What comes back when, and why the others are not replaced</summary>\n");
            section.table(
                    List.of("Workload", "Without", "Least", "Left", "State", "Why"),
                    hits,
                    MOST_ROWS,
                    "reason",
                    it -> section.head(name(it.workload()))
                            .cell(it.failure().zone())
                            .cell(it.failure().worstMoment().ready() + " of "
                                    + it.workload().pods())
                            .cell(it.failure().left() + " of " + it.workload().pods())
                            .cell(it.failure().worstMoment().words(it.failure().state()))
                            .cell(it.failure().why()));
            html.markup("</details>\n");
        }
    }
}
