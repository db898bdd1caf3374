package dev.holdfast.operator.offline.explain;

import dev.holdfast.operator.offline.check.CheckReport;
import dev.holdfast.operator.offline.dump.UnreadableKind;
import dev.holdfast.operator.offline.print.LineWidth;
import dev.holdfast.operator.offline.print.Printable;
import dev.holdfast.operator.offline.print.Table;
import dev.holdfast.operator.publish.DurationText;
import dev.holdfast.policies.model.NamespacedName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Which rules apply to a pod, whether they hold, and where else it could run; as {@code holdfast explain -o json}
 * writes it. Published as {@code docs/schemas/pod-explanation.json}.
 *
 * @param node the node of the pod; empty if the pod is not bound
 * @param rules the rules that policies request, by identity; then the other rules of the pod's own spec
 * @param nodes which nodes would take the pod if it left its own, as far as the scheduler's filters say
 * @param next what the operator would do about the pod if it started now and nothing else changed; empty without
 *     policies, and if the pod violates no rule now
 * @param observed the violations that the operator observes, as the status of policies has them
 * @param history the evictions of pods with this name, in the order of time: of the status of policies, of events and
 *     of audit logs
 * @param unreadable the kinds of a live cluster that could not be listed; empty for files, and in a PodListExplanation,
 *     which has its own list
 * @param warnings what may be wrong with the input, as sentences; empty in a PodListExplanation, which has its own list
 */
public record PodExplanation(
        String apiVersion,
        String kind,
        String namespace,
        String pod,
        String uid,
        String node,
        List<ExplainedRule> rules,
        Nodes nodes,
        List<NextStep> next,
        List<PolicyRecords.Observation> observed,
        List<PolicyRecords.PastEviction> history,
        List<UnreadableKind> unreadable,
        List<String> warnings) {
    /** The kind of the document. */
    public static final String KIND = "PodExplanation";

    /** The most nodes that are named of each group. */
    private static final int MOST_NAMED = 10;

    public PodExplanation {
        rules = List.copyOf(rules);
        next = List.copyOf(next);
        observed = List.copyOf(observed);
        history = List.copyOf(history);
        unreadable = List.copyOf(unreadable);
        warnings = List.copyOf(warnings);
    }

    /** {@return the explanation of a pod that is not there any more, of which only its history is known} */
    public static PodExplanation ofGone(NamespacedName pod) {
        return new PodExplanation(
                CheckReport.API_VERSION,
                KIND,
                pod.namespace(),
                pod.name(),
                "",
                "",
                List.of(),
                Nodes.NONE,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of());
    }

    private boolean isGone() {
        return uid.isEmpty();
    }

    /** {@return whether the pod now violates a requested rule} Not named like a field of the document. */
    public boolean violatesARequestedRule() {
        return rules.stream()
                .anyMatch(rule -> !rule.policies().isEmpty() && rule.verdict().equals(ExplainedRule.VIOLATED));
    }

    PodExplanation withNodes(Nodes checked) {
        return new PodExplanation(
                apiVersion,
                kind,
                namespace,
                pod,
                uid,
                node,
                rules,
                checked,
                next,
                observed,
                history,
                unreadable,
                warnings);
    }

    /** {@return the same explanation with what the operator would do next} */
    public PodExplanation withNext(List<NextStep> steps) {
        return new PodExplanation(
                apiVersion,
                kind,
                namespace,
                pod,
                uid,
                node,
                rules,
                nodes,
                steps,
                observed,
                history,
                unreadable,
                warnings);
    }

    /** {@return the same explanation with the kinds that could not be listed} */
    public PodExplanation withUnreadable(List<UnreadableKind> kinds) {
        return new PodExplanation(
                apiVersion, kind, namespace, pod, uid, node, rules, nodes, next, observed, history, kinds, warnings);
    }

    /** {@return the same explanation with these warnings} */
    public PodExplanation withWarnings(List<String> sentences) {
        return new PodExplanation(
                apiVersion,
                kind,
                namespace,
                pod,
                uid,
                node,
                rules,
                nodes,
                next,
                observed,
                history,
                unreadable,
                sentences);
    }

    /** {@return the same explanation with what the operator has recorded} */
    public PodExplanation with(
            List<PolicyRecords.Observation> observations, Collection<PolicyRecords.PastEviction> evictions) {
        return new PodExplanation(
                apiVersion,
                kind,
                namespace,
                pod,
                uid,
                node,
                rules,
                nodes,
                next,
                observations,
                evictions.stream().sorted(PolicyRecords.PastEviction.ORDER).toList(),
                unreadable,
                warnings);
    }

    /**
     * Where the pod could run.
     *
     * @param accepting the nodes that would take the pod, perhaps with its own
     * @param refusing the other nodes, by why they would not take it; the largest group first
     * @param unreadableVolume why it is unknown where a volume of the pod can be used, so that this volume keeps it off
     *     no node; empty if it is known
     * @param excluding rules in the spec of a pod without a node that no node satisfies together
     * @param uncertain whether a rule that cannot be evaluated may keep the pod off any of the nodes
     */
    public record Nodes(
            Group accepting,
            List<Group> refusing,
            String unreadableVolume,
            List<ExcludingRules> excluding,
            boolean uncertain) {
        public Nodes {
            refusing = List.copyOf(refusing);
            excluding = List.copyOf(excluding);
        }

        static final Nodes NONE = of(List.of(), Map.of(), "");

        static Nodes of(List<String> accepting, Map<String, List<String>> refusing, String unreadableVolume) {
            List<Group> groups = new ArrayList<>();
            refusing.forEach((why, names) -> groups.add(Group.of(why, names)));
            groups.sort(Comparator.comparingInt(Group::count).reversed().thenComparing(Group::why));
            return new Nodes(Group.of("", accepting), groups, unreadableVolume, List.of(), false);
        }

        Nodes with(List<ExcludingRules> pairs, boolean anyUncertain) {
            return new Nodes(accepting, refusing, unreadableVolume, pairs, anyUncertain);
        }

        /**
         * {@return the line about the nodes that would take the pod}
         *
         * @param present the node that the pod is on
         */
        public String describeAccepting(String present) {
            int all =
                    accepting.count() + refusing.stream().mapToInt(Group::count).sum();
            return accepting.count() + " of " + all + (all == 1 ? " node" : " nodes") + " would take the pod"
                    + (accepting.count() == 0 ? "" : ": " + accepting.describe(present));
        }

        /** {@return the line about each group of nodes that would not take the pod} */
        public List<String> describeRefusing(String present) {
            return refusing.stream()
                    .map(group -> group.count() + " would not (" + group.why() + "): " + group.describe(present))
                    .toList();
        }
    }

    /**
     * Nodes that would take the pod, or would not for the same reason.
     *
     * @param why why they would not take the pod; empty for those that would
     * @param names the first of them by name, at most ten
     */
    public record Group(String why, int count, List<String> names) {
        public Group {
            names = List.copyOf(names);
        }

        static Group of(String why, List<String> names) {
            return new Group(
                    why, names.size(), names.stream().sorted().limit(MOST_NAMED).toList());
        }

        private String describe(String present) {
            return names.stream()
                            .map(name -> name.equals(present) ? name + " (its node now)" : name)
                            .collect(Collectors.joining(", "))
                    + (count > names.size() ? " and " + (count - names.size()) + " more" : "");
        }
    }

    /**
     * {@return the explanation for people}
     *
     * @param width the most characters of a line
     */
    public List<String> lines(LineWidth width) {
        List<String> lines = new ArrayList<>();
        if (isGone()) {
            lines.add(Printable.of("Pod " + namespace + "/" + pod + " is not there any more."));
        } else {
            lines.add(Printable.of(
                    "Pod " + namespace + "/" + pod + (node.isEmpty() ? ", bound to no node" : " on " + node)));
            lines.add("");
            lines.addAll(linesOfRules(width));
            lines.add("");
            lines.addAll(linesOfNodes(width));
        }
        lines.addAll(linesOfRecords(width));
        if (!next.isEmpty()) {
            lines.add("");
            lines.addAll(width.wrap("What the operator would do if it started now and nothing else changed:", "  "));
            Table table = new Table("AFTER", "EVENT", "MESSAGE");
            next.forEach(step ->
                    table.row(DurationText.of(Duration.ofSeconds(step.seconds())), step.event(), step.message()));
            lines.addAll(table.lines(width));
        }
        return lines;
    }

    private List<String> linesOfRules(LineWidth width) {
        if (rules.isEmpty()) {
            return List.of("No required rule applies to the pod.");
        }
        List<String> lines = new ArrayList<>(ExplainedRule.table(rules).lines(width));
        rules.stream().filter(ExplainedRule::isMissing).forEach(rule -> {
            lines.add("");
            lines.addAll(width.wrap(
                    Printable.of("Rule " + rule.rule().name() + " is not in the pod's spec (" + rule.injection() + "): "
                            + rule.whyMissing()),
                    "  "));
        });
        rules.stream().filter(rule -> rule.domains().count() > 0).forEach(rule -> {
            lines.add("");
            lines.addAll(width.wrap(
                    Printable.of("Pods that rule " + rule.rule().name() + " (" + rule.requirement() + ") counts, by "
                            + rule.domains().describe()),
                    "  "));
        });
        return lines;
    }

    private List<String> linesOfNodes(LineWidth width) {
        List<String> lines = new ArrayList<>();
        nodes.excluding()
                .forEach(pair -> lines.addAll(width.wrap(
                        Printable.of("Its rules " + pair.one() + " and " + pair.other() + " exclude each other: "
                                + pair.why()),
                        "    ")));
        lines.addAll(width.wrap(Printable.of(nodes.describeAccepting(node)), "    "));
        if (nodes.uncertain()) {
            lines.addAll(width.wrap("A rule without a verdict may keep the pod off any of these nodes.", "    "));
        }
        nodes.describeRefusing(node).forEach(line -> lines.addAll(width.wrap(Printable.of("  " + line), "    ")));
        if (!nodes.unreadableVolume().isEmpty()) {
            lines.addAll(width.wrap(Printable.of("  A volume does not count: " + nodes.unreadableVolume()), "    "));
        }
        return lines;
    }

    private List<String> linesOfRecords(LineWidth width) {
        List<String> lines = new ArrayList<>();
        if (!observed.isEmpty()) {
            lines.add("");
            lines.add("What the operator observes, by the status of its policies:");
            Table table = new Table("POLICY", "RULE", "NODE", "STATE", "SINCE", "DUE", "HELD", "MESSAGE");
            observed.forEach(it -> table.row(
                    it.policy(), it.rule(), it.node(), it.state(), it.since(), it.due(), it.reason(), it.message()));
            lines.addAll(table.lines(width));
        }
        if (!history.isEmpty()) {
            lines.add("");
            lines.add("What happened:");
            Table table = new Table("TIME", "EVENT", "POLICY", "RULE", "FROM", "TO", "RESULT", "MESSAGE");
            history.forEach(it -> table.row(
                    it.time(),
                    it.event(),
                    it.policy(),
                    it.rule(),
                    it.fromNode(),
                    it.toNode(),
                    it.result(),
                    it.message()));
            lines.addAll(table.lines(width));
        }
        return lines;
    }
}
