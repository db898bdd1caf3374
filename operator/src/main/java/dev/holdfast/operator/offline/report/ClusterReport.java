package dev.holdfast.operator.offline.report;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.holdfast.operator.offline.check.CheckReport;
import dev.holdfast.operator.offline.check.Workload;
import dev.holdfast.operator.offline.dump.UnreadableKind;
import dev.holdfast.operator.offline.explain.ExplainedRule;
import dev.holdfast.operator.offline.explain.PodExplanation;
import dev.holdfast.operator.offline.loss.ZonesReport;
import dev.holdfast.operator.offline.print.Count;
import dev.holdfast.operator.offline.print.RuleReference;
import java.util.List;

/**
 * A cluster at one moment, as {@code holdfast report -o json} writes it. Published as {@code
 * docs/schemas/cluster-report.json}: no field changes its meaning. A pod is affected if it violates a rule, or if there
 * is no verdict on one of its rules.
 *
 * @param title what the user calls the report
 * @param source the file that was read; empty for several files, standard input and a live cluster
 * @param topologies for each topology key, where the pods of affected workloads run; fewest domains first
 * @param topologyKeysLeftOut keys of violated rules that have no table, because others have more findings
 * @param spreads the spread constraints that are violated, and the first of those that hold
 * @param pods the affected pods, by namespace and name
 * @param explanations of the first affected pods of each workload, in the order of {@code pods}
 * @param violations as in a CheckReport
 * @param undetermined as in a CheckReport
 * @param pending the pods without a node, as in a CheckReport
 * @param policies the valid policies, by name
 * @param budgets the disruption budgets that never allow an eviction, by namespace and name
 * @param zoneFailures what the failure of each zone would do to the workloads, as in a ZonesReport; empty if the user
 *     did not ask for it
 * @param unreadable as in a CheckReport
 * @param warnings what may be wrong with the input, and which rules can do nothing there, as sentences
 */
public record ClusterReport(
        String apiVersion,
        String kind,
        String title,
        String source,
        Summary summary,
        List<Topology> topologies,
        List<String> topologyKeysLeftOut,
        List<Spread> spreads,
        List<AffectedPod> pods,
        List<Explanation> explanations,
        List<CheckReport.Violation> violations,
        List<CheckReport.Undetermined> undetermined,
        List<CheckReport.PendingPod> pending,
        List<PolicyState> policies,
        List<NeverAllowing> budgets,
        List<ZonesReport.Workload> zoneFailures,
        List<UnreadableKind> unreadable,
        List<String> warnings) {
    /** The kind of the document. */
    public static final String KIND = "ClusterReport";

    /** The topology key of a table whose domains are the nodes, by their names. */
    public static final String BY_NODE = "metadata.name";

    public ClusterReport {
        topologies = List.copyOf(topologies);
        topologyKeysLeftOut = List.copyOf(topologyKeysLeftOut);
        spreads = List.copyOf(spreads);
        pods = List.copyOf(pods);
        explanations = List.copyOf(explanations);
        violations = List.copyOf(violations);
        undetermined = List.copyOf(undetermined);
        pending = List.copyOf(pending);
        policies = List.copyOf(policies);
        budgets = List.copyOf(budgets);
        zoneFailures = List.copyOf(zoneFailures);
        unreadable = List.copyOf(unreadable);
        warnings = List.copyOf(warnings);
    }

    /** {@return the same report with what the failure of each zone would do, and with warnings} */
    public ClusterReport with(List<ZonesReport.Workload> workloads, List<String> sentences) {
        return new ClusterReport(
                apiVersion,
                kind,
                title,
                source,
                summary,
                topologies,
                topologyKeysLeftOut,
                spreads,
                pods,
                explanations,
                violations,
                undetermined,
                pending,
                policies,
                budgets,
                workloads,
                unreadable,
                sentences);
    }

    /**
     * The numbers of the report.
     *
     * @param pods the pods that were read
     * @param nodes the nodes that were read
     * @param listedPods the running pods that the report is about
     * @param workloads how many workloads have an affected pod
     * @param violatingPods how many pods violate at least one rule
     * @param killedByKubeletRestart how many pods the kubelet would refuse if it restarted
     * @param undetermined the rules of pods without a verdict
     * @param spreads the spread constraints of listed pods, shown or not
     * @param violatedSpreads those of them that a listed pod violates
     * @param uncheckedPods as in a CheckReport
     */
    public record Summary(
            int pods,
            int nodes,
            int listedPods,
            int workloads,
            int violations,
            int violatingPods,
            int killedByKubeletRestart,
            int undetermined,
            int spreads,
            int violatedSpreads,
            int uncheckedPods) {}

    /** The state of a pod: the gravest of its findings. The gravest state comes first. */
    public enum State {
        /** The kubelet would refuse the pod if it restarted. The pod violates a node rule of its own spec. */
        KILLED("Killed"),
        /** The pod violates a rule. */
        VIOLATED("Violated"),
        /** There is no verdict on a rule of the pod, and the pod violates no rule. */
        UNDETERMINED("Undetermined"),
        /** All rules of the pod hold. */
        FINE("Fine");

        private final String label;

        State(String label) {
            this.label = label;
        }

        /** {@return the state in documents} */
        @JsonValue
        public String label() {
            return label;
        }
    }

    /**
     * The table of a topology key.
     *
     * @param topologyKey the key of a node label, or {@value #BY_NODE}
     * @param domains all domains that nodes form, by name; the name is empty for nodes without the label, and for nodes
     *     that were not read
     * @param rows the affected workloads
     */
    public record Topology(String topologyKey, List<Domain> domains, List<Row> rows) {
        public Topology {
            domains = List.copyOf(domains);
            rows = List.copyOf(rows);
        }

        /** {@return what the domains are, for people} */
        public String title() {
            return "By " + (topologyKey.equals(BY_NODE) ? "node" : topologyKey);
        }
    }

    /**
     * A topology domain.
     *
     * @param affectedPods the affected pods on its nodes
     */
    public record Domain(String name, int nodes, int affectedPods) {
        /** {@return the name, or that there is none, for people} */
        public String label() {
            return name.isEmpty() ? "(no label)" : name;
        }
    }

    /**
     * A workload in a table.
     *
     * @param cells the domains in which the workload has running pods, in the order of the domains
     */
    public record Row(Workload workload, List<Cell> cells) {
        public Row {
            cells = List.copyOf(cells);
        }
    }

    /**
     * The running pods of a workload in a domain, by their state.
     *
     * @param affected the UIDs of those that are not fine
     */
    public record Cell(String domain, int killed, int violated, int undetermined, int fine, List<String> affected) {
        public Cell {
            affected = List.copyOf(affected);
        }
    }

    /**
     * A spread constraint in a namespace.
     *
     * @param requirement what the constraint requires, with its selector
     * @param pods the listed pods that are held to the constraint
     * @param violatingPods the listed pods that violate the constraint
     * @param min the number of matching pods in the emptiest domain; 0 if there are fewer domains than minDomains
     * @param max the number of matching pods in the fullest domain
     * @param domainCount the number of its domains
     * @param domains its domains: if there are many, those in which a pod violates it, then the fullest and the
     *     emptiest
     */
    public record Spread(
            String namespace,
            RuleReference rule,
            String requirement,
            String topologyKey,
            int maxSkew,
            int minDomains,
            int pods,
            int violatingPods,
            int min,
            int max,
            int domainCount,
            List<SpreadDomain> domains) {
        public Spread {
            domains = List.copyOf(domains);
        }

        /** {@return the skew beside the allowed one, and how many pods violate the constraint, for people} */
        public String verdict() {
            return violatingPods == 0
                    ? "skew " + (max - min) + ", allowed " + maxSkew
                    : "skew " + (max - min) + ", allowed " + maxSkew + ": " + Count.of(violatingPods, "pod")
                            + (violatingPods == 1 ? " violates" : " violate") + " it";
        }
    }

    /**
     * A domain of a spread constraint.
     *
     * @param pods the matching pods in the domain
     * @param over whether a pod in the domain violates the constraint
     */
    public record SpreadDomain(String name, int pods, boolean over) {}

    /** A pod that violates a rule, or has a rule without a verdict. */
    public record AffectedPod(String namespace, String pod, String uid, String node, Workload workload, State state) {}

    /** What {@code holdfast explain} says about an affected pod. */
    public record Explanation(String uid, List<ExplainedRule> rules, PodExplanation.Nodes nodes) {
        public Explanation {
            rules = List.copyOf(rules);
        }
    }

    /**
     * A policy, and what it does about violations.
     *
     * @param policy its name, with the namespace of a PlacementPolicy: {@code shop/keep}
     * @param mode the mode in effect: Audit, Enforce or Disabled
     * @param selectedPods how many pods it selects, listed or not
     * @param violations the listed violations of rules that it asks for
     * @param due those of them that are due, because it enforces the rule and the forgiveness has passed
     * @param forgiveness how long a violation lasts before it is due: {@code 5m}, or {@code 0s to 1h}; empty if the
     *     policy asks for no rule
     * @param holds the holds in its status, the most frequent reason first; empty if no operator wrote a status
     * @param deadlines the listed violations in its status, which has the oldest ones
     */
    public record PolicyState(
            String policy,
            String mode,
            int selectedPods,
            int violations,
            int due,
            String forgiveness,
            List<HoldCount> holds,
            List<Deadline> deadlines) {
        public PolicyState {
            holds = List.copyOf(holds);
            deadlines = List.copyOf(deadlines);
        }
    }

    /**
     * How many violations are held for a reason.
     *
     * @param reason a name, as in docs/reasons.md
     * @param ends what ends these holds, or what to do; empty for an unknown reason
     */
    public record HoldCount(String reason, int count, String ends) {}

    /**
     * A violation in the status of a policy.
     *
     * @param rule the name of the rule in the policy
     * @param deadlineTime when the violation is or was due; empty if that is not known
     * @param state Forgiving, Held, WouldEvict or Evicting
     * @param reason why it is held; empty if it is not
     */
    public record Deadline(
            String namespace, String pod, String node, String rule, String deadlineTime, String state, String reason) {}

    /**
     * A disruption budget that would allow no eviction even if all its pods were healthy.
     *
     * @param pods how many pods it selects
     * @param why which limit of its spec that is
     * @param advice what to do
     */
    public record NeverAllowing(String namespace, String budget, int pods, String why, String advice) {}
}
