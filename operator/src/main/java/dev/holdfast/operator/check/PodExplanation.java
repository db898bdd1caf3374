package dev.holdfast.operator.check;

import dev.holdfast.operator.print.Printable;
import dev.holdfast.operator.print.Table;
import dev.holdfast.operator.publish.DurationText;
import dev.holdfast.operator.whatif.NextStep;
import dev.holdfast.policies.evaluate.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Which rules apply to a pod, whether they hold, and where else it could run; as {@code holdfast explain -o json} writes
 * it. Published as {@code docs/schemas/pod-explanation.json}.
 *
 * @param node its node; empty if it is not bound
 * @param rules those that policies ask for, by identity; then those of its own spec that no policy asks for
 * @param nodes which nodes would take it by its rules, the anti-affinity of other pods, taints and cordons; resources, host
 *     ports and volumes do not count
 * @param next what the operator would do about it if it started now and nothing else changed; empty without policies, and
 *     if it violates no rule now
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
        List<NextStep> next) {
    static final String KIND = "PodExplanation";
    static final String UNDETERMINED = "Undetermined";
    private static final String VIOLATED = "Violated";

    /** The most nodes that are named of each group. */
    private static final int MOST_NAMED = 10;

    public PodExplanation {
        rules = List.copyOf(rules);
        next = List.copyOf(next);
    }

    /** {@return whether the pod violates a rule now that a policy asks for} */
    public boolean isViolated() {
        return rules.stream()
                .anyMatch(rule -> !rule.policies().isEmpty() && rule.verdict().equals(VIOLATED));
    }

    /** {@return the same explanation with what the operator would do next} */
    public PodExplanation with(List<NextStep> steps) {
        return new PodExplanation(apiVersion, kind, namespace, pod, uid, node, rules, nodes, steps);
    }

    /**
     * A rule of the pod.
     *
     * @param requirement what it requires: {@code disk In [ssd]}
     * @param ofSpec whether the pod's own spec has it
     * @param policies the policies that ask for it
     * @param verdict Satisfied, Violated or Undetermined
     * @param because how the cluster violates it, or why there is no verdict; empty if it is satisfied
     * @param heals what would end the violation where the pod is; empty if there is none
     */
    public record ExplainedRule(
            CheckReport.RuleReference rule,
            String requirement,
            boolean ofSpec,
            List<String> policies,
            String verdict,
            String because,
            String heals) {
        public ExplainedRule {
            policies = List.copyOf(policies);
        }
    }

    /**
     * Where the pod could run.
     *
     * @param accepting the nodes that would take it
     * @param refusing the others, by why they would not; the largest group first
     */
    public record Nodes(Group accepting, List<Group> refusing) {
        public Nodes {
            refusing = List.copyOf(refusing);
        }

        static Nodes of(List<String> accepting, Map<String, List<String>> refusing) {
            List<Group> groups = new ArrayList<>();
            refusing.forEach((why, names) -> groups.add(Group.of(why, names)));
            groups.sort(Comparator.comparingInt(Group::count).reversed().thenComparing(Group::why));
            return new Nodes(Group.of("", accepting), groups);
        }
    }

    /**
     * Nodes of which the same is true.
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

        @Override
        public String toString() {
            return String.join(", ", names) + (count > names.size() ? " and " + (count - names.size()) + " more" : "");
        }
    }

    static String label(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Satisfied _ -> "Satisfied";
            case Verdict.Violated _ -> VIOLATED;
            case Verdict.Undetermined _ -> UNDETERMINED;
        };
    }

    static String because(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Satisfied _ -> "";
            case Verdict.Violated(var detail) -> detail.describe();
            case Verdict.Undetermined(var _, String why) -> why;
        };
    }

    /** {@return the explanation for people} */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(
                Printable.of("Pod " + namespace + "/" + pod + (node.isEmpty() ? ", bound to no node" : " on " + node)));
        lines.add("");
        if (rules.isEmpty()) {
            lines.add("No required rule applies to it.");
        } else {
            Table table = new Table("RULE", "FROM", "VERDICT", "REQUIRES", "BECAUSE", "HEALS");
            rules.forEach(it ->
                    table.row(it.rule().name(), from(it), it.verdict(), it.requirement(), it.because(), it.heals()));
            lines.addAll(table.lines());
        }
        lines.add("");
        int all = nodes.accepting().count()
                + nodes.refusing().stream().mapToInt(Group::count).sum();
        lines.add(Printable.of(nodes.accepting().count() + " of " + all + " nodes would take it by its rules"
                + (nodes.accepting().count() == 0 ? "" : ": " + nodes.accepting())));
        nodes.refusing()
                .forEach(group ->
                        lines.add(Printable.of("  " + group.count() + " would not (" + group.why() + "): " + group)));
        if (!next.isEmpty()) {
            lines.add("");
            lines.add("What the operator would do if it started now and nothing else changed:");
            Table table = new Table("AFTER", "EVENT", "MESSAGE");
            next.forEach(step ->
                    table.row(DurationText.of(Duration.ofSeconds(step.seconds())), step.event(), step.message()));
            lines.addAll(table.lines());
        }
        return lines;
    }

    private static String from(ExplainedRule rule) {
        String ofPolicies = String.join(",", rule.policies());
        if (!rule.ofSpec()) {
            return ofPolicies;
        }
        return ofPolicies.isEmpty() ? "its spec alone" : "its spec," + ofPolicies;
    }
}
