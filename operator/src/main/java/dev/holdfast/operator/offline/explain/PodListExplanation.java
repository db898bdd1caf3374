package dev.holdfast.operator.offline.explain;

import dev.holdfast.operator.offline.check.CheckReport;
import dev.holdfast.operator.offline.dump.UnreadableKind;
import dev.holdfast.operator.offline.print.Count;
import dev.holdfast.operator.offline.print.LineWidth;
import dev.holdfast.operator.offline.print.Printable;
import dev.holdfast.operator.offline.print.Table;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * The explanations of the pods of a workload or of a node, as {@code holdfast explain deploy/NAME -o json} writes them.
 * Published as {@code docs/schemas/pod-list-explanation.json}.
 *
 * @param target the kind and name: {@code Deployment shop/web}, {@code Node node-1}
 * @param pods in the order of their namespaces and names; what the operator would do next is only in the explanation of
 *     a single pod
 * @param history the evictions of pods of the workload, or from and to the node, in the order of time
 * @param unreadable the kinds of a live cluster that could not be listed; empty for files
 * @param warnings what may be wrong with the input, as sentences
 */
public record PodListExplanation(
        String apiVersion,
        String kind,
        String target,
        Summary summary,
        List<PodExplanation> pods,
        List<PolicyRecords.PastEviction> history,
        List<UnreadableKind> unreadable,
        List<String> warnings) {
    /** The kind of the document. */
    public static final String KIND = "PodListExplanation";

    public PodListExplanation {
        pods = List.copyOf(pods);
        history = List.copyOf(history);
        unreadable = List.copyOf(unreadable);
        warnings = List.copyOf(warnings);
    }

    /** {@return the same explanations with these warnings} */
    public PodListExplanation withWarnings(List<String> sentences) {
        return new PodListExplanation(apiVersion, kind, target, summary, pods, history, unreadable, sentences);
    }

    /**
     * The numbers of explained pods.
     *
     * @param violating the pods that violate a rule
     * @param undetermined the pods of which at least one verdict cannot be given
     */
    public record Summary(int pods, int violating, int undetermined) {}

    /** {@return the explanations of these pods} */
    public static PodListExplanation of(
            String target,
            List<PodExplanation> pods,
            Collection<PolicyRecords.PastEviction> history,
            List<UnreadableKind> unreadable) {
        return new PodListExplanation(
                CheckReport.API_VERSION,
                KIND,
                target,
                new Summary(pods.size(), count(pods, ExplainedRule.VIOLATED), count(pods, ExplainedRule.UNDETERMINED)),
                pods,
                history.stream().sorted(PolicyRecords.PastEviction.ORDER).toList(),
                unreadable,
                List.of());
    }

    private static int count(List<PodExplanation> pods, String verdict) {
        return (int) pods.stream()
                .filter(pod ->
                        pod.rules().stream().anyMatch(rule -> rule.verdict().equals(verdict)))
                .count();
    }

    /**
     * {@return the explanations for people}
     *
     * @param width the most characters of a line
     */
    public List<String> lines(LineWidth width) {
        List<String> lines = new ArrayList<>();
        lines.add(Printable.of(target) + ": " + Count.of(summary.pods(), "pod") + ", " + summary.violating()
                + (summary.violating() == 1 ? " of them violates a rule" : " of them violate a rule"));
        if (pods.stream().anyMatch(pod -> !pod.rules().isEmpty())) {
            lines.add("");
            Table table = new Table("POD", "NODE", "RULE", "FROM", "VERDICT", "REQUIRES", "BECAUSE");
            List<Map.Entry<ExplainedRule, PodExplanation>> rules = pods.stream()
                    .flatMap(pod -> pod.rules().stream().map(rule -> Map.entry(rule, pod)))
                    .toList();
            ExplainedRule.gravestFirst(rules, Map.Entry::getKey)
                    .forEach(row -> table.row(
                            row.getValue().namespace() + "/" + row.getValue().pod(),
                            row.getValue().node(),
                            row.getKey().rule().name(),
                            row.getKey().from(),
                            row.getKey().verdict(),
                            row.getKey().requirement(),
                            row.getKey().because()));
            lines.addAll(table.lines(width));
        }
        records(lines, width);
        lines.add("");
        lines.addAll(width.wrap(
                "For the numbers behind a verdict, for nodes that would take a pod and for what would happen next:"
                        + " holdfast explain pod/NAME",
                "  "));
        return lines;
    }

    private void records(List<String> lines, LineWidth width) {
        if (pods.stream().anyMatch(pod -> !pod.observed().isEmpty())) {
            lines.add("");
            lines.add("What the operator observes, by the status of its policies:");
            Table table = new Table("POD", "POLICY", "RULE", "STATE", "SINCE", "DUE", "HELD", "MESSAGE");
            pods.forEach(pod -> pod.observed()
                    .forEach(it -> table.row(
                            pod.namespace() + "/" + pod.pod(),
                            it.policy(),
                            it.rule(),
                            it.state(),
                            it.since(),
                            it.due(),
                            it.reason(),
                            it.message())));
            lines.addAll(table.lines(width));
        }
        if (!history.isEmpty()) {
            lines.add("");
            lines.add("What happened:");
            Table table = new Table("TIME", "EVENT", "POD", "POLICY", "RULE", "FROM", "TO", "RESULT", "MESSAGE");
            history.forEach(it -> table.row(
                    it.time(),
                    it.event(),
                    it.pod(),
                    it.policy(),
                    it.rule(),
                    it.fromNode(),
                    it.toNode(),
                    it.result(),
                    it.message()));
            lines.addAll(table.lines(width));
        }
    }
}
