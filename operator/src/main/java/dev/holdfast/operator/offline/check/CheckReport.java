package dev.holdfast.operator.offline.check;

import dev.holdfast.operator.offline.dump.UnreadableKind;
import dev.holdfast.operator.offline.print.RuleReference;
import dev.holdfast.operator.offline.stranded.StrandedWorkload;
import dev.holdfast.policies.rule.WhenRequired;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The violations in a cluster at one moment, as {@code holdfast check -o json} writes them. Published as {@code
 * docs/schemas/check-report.json}: no field changes its meaning.
 *
 * @param violations ordered by namespace, pod, kind of the rule and its identity
 * @param undetermined the rules of running pods for which no verdict can be given, in the same order
 * @param pending the pods without a node, by namespace and name; none if they were left out
 * @param stranded the workloads of which injected rules would leave running pods without a node if they were rolled out
 *     now; none if no policy injects its rules
 * @param unreadable the kinds of a live cluster that could not be listed; empty for files
 * @param clusterWideAntiAffinity the rules with which a pod can keep the pods of all namespaces out of a whole zone, in
 *     the same order as the violations
 * @param exceptions the exceptions of policies that name a pod with a violation of theirs
 * @param warnings what may be wrong with the input, as sentences
 */
public record CheckReport(
        String apiVersion,
        String kind,
        Summary summary,
        List<Violation> violations,
        List<Undetermined> undetermined,
        List<PendingPod> pending,
        List<StrandedWorkload> stranded,
        List<UnreadableKind> unreadable,
        List<ClusterWideRule> clusterWideAntiAffinity,
        List<ExceptedPods> exceptions,
        List<String> warnings) {
    /** The version of the documents that commands print. */
    public static final String API_VERSION = "cli.holdfast.dev/v1";

    static final String KIND = "CheckReport";

    public CheckReport {
        violations = List.copyOf(violations);
        undetermined = List.copyOf(undetermined);
        pending = List.copyOf(pending);
        stranded = List.copyOf(stranded);
        unreadable = List.copyOf(unreadable);
        clusterWideAntiAffinity = List.copyOf(clusterWideAntiAffinity);
        exceptions = List.copyOf(exceptions);
        warnings = List.copyOf(warnings);
    }

    /**
     * The numbers of objects that were read, and of violations that are listed.
     *
     * @param uncheckedPods how many of the listed running pods no policy selects, so that they are held to no rule; 0
     *     if there is no policy, or if such pods are held to the rules of their own spec
     * @param strandedPods how many of the listed running pods would have no node after a roll-out of their workloads,
     *     because of injected rules
     * @param clusterWideAntiAffinity how many such rules are listed
     */
    public record Summary(
            int pods, int nodes, int violations, int uncheckedPods, int strandedPods, int clusterWideAntiAffinity) {}

    /** {@return the same report with the workloads that a roll-out would strand} */
    public CheckReport withStranded(List<StrandedWorkload> workloads) {
        return new CheckReport(
                apiVersion,
                kind,
                new Summary(
                        summary.pods(),
                        summary.nodes(),
                        summary.violations(),
                        summary.uncheckedPods(),
                        workloads.stream()
                                .mapToInt(StrandedWorkload::strandedPods)
                                .sum(),
                        summary.clusterWideAntiAffinity()),
                violations,
                undetermined,
                pending,
                workloads,
                unreadable,
                clusterWideAntiAffinity,
                exceptions,
                warnings);
    }

    /** {@return the same report with the pods without a node} */
    public CheckReport withPending(List<PendingPod> pods) {
        return new CheckReport(
                apiVersion,
                kind,
                summary,
                violations,
                undetermined,
                pods,
                stranded,
                unreadable,
                clusterWideAntiAffinity,
                exceptions,
                warnings);
    }

    /** {@return the same report with these warnings} */
    public CheckReport withWarnings(List<String> sentences) {
        return new CheckReport(
                apiVersion,
                kind,
                summary,
                violations,
                undetermined,
                pending,
                stranded,
                unreadable,
                clusterWideAntiAffinity,
                exceptions,
                sentences);
    }

    /** {@return the same report with the violations in the order of some values} Equal ones keep their order. */
    public CheckReport sortedBy(Function<Violation, List<String>> values) {
        return new CheckReport(
                apiVersion,
                kind,
                summary,
                violations.stream()
                        .sorted(Comparator.comparing(it -> String.join("\0", values.apply(it))))
                        .toList(),
                undetermined,
                pending,
                stranded,
                unreadable,
                clusterWideAntiAffinity,
                exceptions,
                warnings);
    }

    /** The pod and the rule that an entry of a list is about. */
    public sealed interface OfPod {
        /** The order by namespace, pod, kind of the rule and its identity. */
        Comparator<OfPod> ORDER = Comparator.comparing(OfPod::namespace)
                .thenComparing(OfPod::pod)
                .thenComparing(entry -> entry.rule().kind())
                .thenComparing(entry -> entry.rule().identity());

        /** {@return the namespace of the pod} */
        String namespace();

        /** {@return the name of the pod} */
        String pod();

        /** {@return the UID of the pod} */
        String uid();

        /** {@return the node of the pod} */
        String node();

        /** {@return the rule} */
        RuleReference rule();
    }

    /**
     * A rule that a pod violates on its node.
     *
     * @param verdict always Violated
     * @param breach how the cluster violates the rule now, with the numbers
     * @param heals what would end the violation where the pod is
     * @param killedByKubeletRestart whether the kubelet of the node would refuse the pod if it restarted, because it
     *     checks node rules of the pod's spec again
     * @param when Always, or PossibleAtScheduling if the rule must hold only where a node can satisfy it
     * @param injection the outcome of the rule in the pod's spec, if a policy injects it: Injected, Own, Absent, or why
     *     it was left out; empty if none does
     * @param policies the policies that ask for the rule; empty if the pod's own spec alone does
     * @param workload the topmost controller of the pod that the input has
     * @param zone the zone of the node; empty if the node has no such label
     * @param cause how the cluster violates the rule, in words that alike violations have in common
     * @param state what policies ask for about the violation
     * @param labels the labels of the pod that the user asked for, as far as it has them
     */
    public record Violation(
            String namespace,
            String pod,
            String uid,
            String node,
            RuleReference rule,
            String verdict,
            String breach,
            String heals,
            boolean killedByKubeletRestart,
            String when,
            String injection,
            List<String> policies,
            Workload workload,
            String zone,
            String cause,
            ViolationState state,
            SortedMap<String, String> labels)
            implements OfPod {
        static final String VERDICT = "Violated";

        /** {@return the name of the rule, and whether it is required only where possible, for people} */
        public String ruleText() {
            return rule.name() + (when.equals(WhenRequired.POSSIBLE_AT_SCHEDULING.label()) ? " (where possible)" : "");
        }

        public Violation {
            policies = List.copyOf(policies);
            labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
        }
    }

    /**
     * A rule of a running pod for which no verdict can be given.
     *
     * @param reason a name, as in docs/reasons.md
     * @param message what is missing
     */
    public record Undetermined(
            String namespace, String pod, String uid, String node, RuleReference rule, String reason, String message)
            implements OfPod {}

    /**
     * A pod without a node.
     *
     * @param state what it waits for: NoNode, NotBound, Gated, Nominated, OtherScheduler, Unread or NotChecked
     * @param why why it has no node, with the number of nodes for each reason
     */
    public record PendingPod(String namespace, String pod, String uid, String state, String why) {}

    /**
     * A rule of a running pod's spec: required anti-affinity over all namespaces ({@code namespaceSelector: {}}) with a
     * topologyKey other than {@code kubernetes.io/hostname}.
     *
     * @param term which pods the pod must be apart from, and by which topologyKey
     */
    public record ClusterWideRule(
            String namespace, String pod, String uid, String node, RuleReference rule, String term) implements OfPod {}
}
