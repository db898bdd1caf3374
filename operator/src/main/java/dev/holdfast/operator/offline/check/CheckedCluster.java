package dev.holdfast.operator.offline.check;

import dev.holdfast.operator.offline.dump.ReadCluster;
import dev.holdfast.operator.offline.dump.UnreadableKind;
import dev.holdfast.operator.offline.print.RuleReference;
import dev.holdfast.operator.offline.waiting.SchedulerFilters;
import dev.holdfast.operator.offline.waiting.Waiting;
import dev.holdfast.policies.evaluate.ViolationDetail;
import dev.holdfast.policies.index.Index;
import dev.holdfast.policies.index.change.VerdictListener;
import dev.holdfast.policies.inject.InjectionOutcome;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.CsiNode;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.view.ForwardingView;
import dev.holdfast.policies.plan.capacity.AttachLimits;
import dev.holdfast.policies.plan.capacity.ResourceFit;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.PodRules;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.RuleKind;
import dev.holdfast.policies.rule.WhenDomainAdded;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.selector.ParseResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A cluster at one moment, in the index that the operator uses, and the policies that ask for rules. */
public final class CheckedCluster {
    private static final Duration NEVER_DUE = Duration.ofDays(36_500);

    /** The policy in place of others if none is given: it holds each pod to its own spec. No violation is ever due. */
    public static final Policy OWN_RULES = new Policy(
            PolicyId.cluster(""),
            0,
            Mode.AUDIT,
            everything(),
            Optional.empty(),
            Optional.empty(),
            Arrays.stream(RuleKind.values()).collect(Collectors.toMap(kind -> kind, _ -> audited())),
            List.of());

    private final Index index;
    private final SchedulerFilters schedulerFilters;
    private final Set<String> exemptNamespaces;
    private final List<UnreadableKind> unreadable;
    private final List<Pod> pods = new ArrayList<>();
    private final List<Owner> owners = new ArrayList<>();
    private final Map<String, CsiNode> csiNodes = new HashMap<>();
    private final boolean hasClaims;
    private int nodes;
    private final UnknownVerdicts unknown;

    /** The limits of attached volumes; absent if the input has no CSINodes, which say how large they are. */
    private final Optional<AttachLimits> attachLimits;

    /** The UIDs of the pods with verdicts that no policy selects. */
    private final Set<String> unselected;

    /** The same cluster without policies, for the pods that no policy selects; absent if those are held to no rule. */
    private final Optional<CheckedCluster> byOwnRules;

    /** The view of an index with the CSINodes, which an index does not keep. */
    private record ViewWithCsiNodes(ClusterView view, Map<String, CsiNode> csiNodes) implements ForwardingView {
        @Override
        public Optional<CsiNode> csiNode(String node) {
            return Optional.ofNullable(csiNodes.get(node));
        }
    }

    private CheckedCluster(
            ReadCluster cluster,
            List<Policy> policies,
            Set<String> exemptNamespaces,
            Optional<CheckedCluster> byOwnRules,
            UnaryOperator<Pod> reading) {
        this.exemptNamespaces = Set.copyOf(exemptNamespaces);
        this.byOwnRules = byOwnRules;
        unreadable = cluster.dump().unreadable();
        hasClaims = cluster.dump().count("PersistentVolumeClaim") > 0;
        index = new Index(exemptNamespaces, VerdictListener.NONE);
        schedulerFilters = new SchedulerFilters(
                index, new ResourceFit(index.view()), cluster.dump().volumes()::volumeOf);
        cluster.dump().objects().forEach(event -> see(event, reading));
        policies.forEach(index::put);
        unknown = new UnknownVerdicts(index, pods);
        attachLimits = csiNodes.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new AttachLimits(new ViewWithCsiNodes(index.view(), csiNodes), schedulerFilters.volumes(pods)));
        unselected = pods.stream()
                .filter(CheckedCluster::isJudged)
                .filter(pod -> policies.stream().noneMatch(policy -> policy.selects(pod, index.view())))
                .map(Pod::uid)
                .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * {@return a cluster that was read, in which pods that no policy selects are held to no rule} Without policies,
     * each pod is held to the rules of its own spec, with the verdicts of the scheduler, which exempts no namespace.
     *
     * @param exemptNamespaces as in the configuration of the operator: anti-affinity does not count pods in these
     *     namespaces
     */
    public static CheckedCluster of(ReadCluster cluster, Set<String> exemptNamespaces) {
        List<Policy> policies = cluster.rules();
        return policies.isEmpty()
                ? withoutPolicies(cluster)
                : new CheckedCluster(cluster, policies, exemptNamespaces, Optional.empty(), pod -> pod);
    }

    /** {@return a cluster that was read, in which pods that no policy selects are held to the rules of their spec} */
    public static CheckedCluster withOwnRules(ReadCluster cluster, Set<String> exemptNamespaces) {
        List<Policy> policies = cluster.rules();
        return policies.isEmpty()
                ? withoutPolicies(cluster)
                : new CheckedCluster(
                        cluster, policies, exemptNamespaces, Optional.of(withoutPolicies(cluster)), pod -> pod);
    }

    private static CheckedCluster withoutPolicies(ReadCluster cluster) {
        // Without policies, a rule that one injected is a rule of the pod's spec like the others.
        return new CheckedCluster(cluster, List.of(OWN_RULES), Set.of(), Optional.empty(), Pod::withInjectedAsOwn);
    }

    private static LabelMatcher everything() {
        return switch (LabelMatcher.of(Optional.of(LabelSelector.everything()))) {
            case ParseResult.Usable<LabelMatcher>(LabelMatcher matcher) -> matcher;
            case ParseResult.Unusable<LabelMatcher>(String why) -> throw new IllegalStateException(why);
        };
    }

    private static Enforcement audited() {
        return new Enforcement(Mode.AUDIT, NEVER_DUE, WhenInfeasible.WAIT, WhenDomainAdded.HOLD);
    }

    private void see(ClusterEvent event, UnaryOperator<Pod> reading) {
        switch (event) {
            case ClusterEvent.PodChanged(Pod read) -> {
                Pod pod = reading.apply(read);
                index.apply(new ClusterEvent.PodChanged(pod));
                pods.add(pod);
            }
            case ClusterEvent.NodeChanged _, ClusterEvent.NodeUnread _ -> {
                index.apply(event);
                nodes++;
            }
            case ClusterEvent.OwnerChanged(Owner owner) -> owners.add(owner);
            case ClusterEvent.CsiNodeChanged(CsiNode csiNode) -> csiNodes.put(csiNode.name(), csiNode);
            case ClusterEvent.PodGone _,
                    ClusterEvent.NodeGone _,
                    ClusterEvent.OfNamespace _,
                    ClusterEvent.OwnerGone _,
                    ClusterEvent.OfBudget _,
                    ClusterEvent.OfCapacity _ -> index.apply(event);
        }
    }

    /**
     * {@return the violations, without labels of their pods and without what policies do about them}
     *
     * @param listed which pods are listed; their rules may depend on others
     */
    public CheckReport report(Predicate<Pod> listed) {
        return report(listed, List.of(), PolicyEnforcement.NONE);
    }

    /**
     * {@return the violations}
     *
     * @param listed which pods are listed; their rules may depend on others
     * @param labelKeys the labels that each violation has of its pod
     * @param enforcement what the policies of the cluster do about violations
     */
    public CheckReport report(Predicate<Pod> listed, List<String> labelKeys, PolicyEnforcement enforcement) {
        Workloads workloads = new Workloads(owners);
        ViolationFacts facts = new ViolationFacts(index, workloads, enforcement, labelKeys);
        Predicate<Pod> isUnselected = pod -> unselected.contains(pod.uid());
        List<CheckReport.Violation> violations = new ArrayList<>();
        List<CheckReport.Undetermined> undetermined = new ArrayList<>();
        find(byOwnRules.isPresent() ? listed.and(isUnselected.negate()) : listed, facts, violations, undetermined);
        byOwnRules.ifPresent(other -> other.find(
                listed.and(isUnselected),
                new ViolationFacts(other.index, workloads, enforcement, labelKeys),
                violations,
                undetermined));
        List<CheckReport.ClusterWideRule> clusterWide = clusterWideRules(listed);
        violations.sort(CheckReport.OfPod.ORDER);
        undetermined.sort(CheckReport.OfPod.ORDER);
        return new CheckReport(
                CheckReport.API_VERSION,
                CheckReport.KIND,
                new CheckReport.Summary(
                        pods.size(),
                        nodes,
                        violations.size(),
                        byOwnRules.isPresent() ? 0 : count(isUnselected, listed),
                        0,
                        clusterWide.size()),
                violations,
                undetermined,
                List.of(),
                List.of(),
                unreadable,
                clusterWide,
                facts.exceptions(),
                List.of());
    }

    /** {@return the rules of running pods that the admission policy of the chart warns of, whatever policies select} */
    private List<CheckReport.ClusterWideRule> clusterWideRules(Predicate<Pod> listed) {
        return pods.stream()
                .filter(CheckedCluster::isJudged)
                .filter(listed)
                .flatMap(pod -> PodRules.of(pod.scheduling()).stream()
                        .filter(rule -> rule instanceof Rule.PodAntiAffinity anti
                                && anti.term().isClusterWide())
                        .map(rule -> new CheckReport.ClusterWideRule(
                                pod.namespace(),
                                pod.name().name(),
                                pod.uid(),
                                pod.nodeName().orElseThrow(),
                                RuleReference.ofSpec(rule),
                                rule.describe())))
                .sorted(CheckReport.OfPod.ORDER)
                .toList();
    }

    private int count(Predicate<Pod> counted, Predicate<Pod> listed) {
        return (int) pods.stream().filter(counted).filter(listed).count();
    }

    private void find(
            Predicate<Pod> listed,
            ViolationFacts facts,
            List<CheckReport.Violation> violations,
            List<CheckReport.Undetermined> undetermined) {
        index.forEachBroken((pod, applied) -> {
            if (listed.test(pod) && unknown.of(pod, applied.rule()).isEmpty()) {
                violations.add(facts.of(pod, applied, injection(pod, applied), policies(applied)));
            }
        });
        pods.stream()
                .filter(CheckedCluster::isJudged)
                .filter(listed)
                .flatMap(this::undetermined)
                .forEach(undetermined::add);
    }

    /** {@return whether the pod's rules have verdicts, if its node is known} */
    private static boolean isJudged(Pod pod) {
        return pod.counts() && !pod.terminating();
    }

    /** {@return the policies that ask for a rule; empty for a rule of the spec that only {@link #OWN_RULES} has} */
    public static List<String> policies(AppliedRule applied) {
        return applied.policies()
                .filter(policy -> !policy.equals(OWN_RULES.id()))
                .map(PolicyId::toString)
                .toList();
    }

    private Stream<CheckReport.Undetermined> undetermined(Pod pod) {
        return Stream.concat(
                UnknownVerdicts.of(pod).stream().map(why -> undetermined(pod, RuleReference.ALL_OF_SPEC, why)),
                index.rulesOf(pod.uid()).stream()
                        .flatMap(applied -> unknown.of(pod, applied.rule()).stream()
                                .map(why -> undetermined(pod, RuleReference.of(applied), why))));
    }

    private static CheckReport.Undetermined undetermined(Pod pod, RuleReference rule, UnknownVerdicts.Unknown why) {
        return new CheckReport.Undetermined(
                pod.namespace(),
                pod.name().name(),
                pod.uid(),
                pod.nodeName().orElseThrow(),
                rule,
                why.reason(),
                why.message());
    }

    /** {@return the objects of the cluster} */
    public ClusterView view() {
        return index.view();
    }

    /** {@return the bound pods that are not finished, in the order of the input} */
    public List<Pod> runningPods() {
        return pods.stream().filter(Pod::counts).toList();
    }

    /** {@return the rules that a pod is held to, by identity} */
    public List<AppliedRule> rulesOf(Pod pod) {
        return judging(pod).index.rulesOf(pod.uid());
    }

    /** {@return the cluster with the rules that the pod is held to} */
    public CheckedCluster judging(Pod pod) {
        return byOwnRules.filter(_ -> unselected.contains(pod.uid())).orElse(this);
    }

    /** {@return the policies that select no pod, sorted} */
    public List<PolicyId> idlePolicies() {
        return index.policies().stream()
                .filter(policy -> policy.mode() != Mode.DISABLED)
                .map(Policy::id)
                .filter(policy -> !policy.equals(OWN_RULES.id()) && index.selected(policy) == 0)
                .toList();
    }

    /** {@return how many pods a policy selects} */
    public int selectedBy(PolicyId policy) {
        return index.selected(policy);
    }

    /** {@return the namespaces of some pods} */
    public Set<String> namespacesOf(Predicate<Pod> some) {
        return pods.stream().filter(some).map(Pod::namespace).collect(Collectors.toUnmodifiableSet());
    }

    /** {@return how many pods without a node have claims, if the input has no claims at all} */
    public long podsWithUnreadClaims(Predicate<Pod> listed) {
        return hasClaims
                ? 0
                : pods.stream()
                        .filter(listed)
                        .filter(Waiting::isTrueOf)
                        .filter(pod -> !pod.podRequirements().claims().isEmpty())
                        .count();
    }

    /** {@return whether there is a pod in a namespace} */
    public boolean hasPodsIn(String namespace) {
        return pods.stream().anyMatch(pod -> pod.namespace().equals(namespace));
    }

    /** {@return the outcome of a rule in the pod's spec; empty if no policy injects the rule} */
    public Optional<InjectionOutcome> injection(Pod pod, AppliedRule applied) {
        return ViolationFacts.injection(index, exemptNamespaces, pod, applied);
    }

    /** {@return how a rule is violated; empty if the rule holds} Pods of exempt namespaces are left out. */
    public Optional<ViolationDetail> violationDetail(Pod pod, AppliedRule applied) {
        return index.violationDetail(pod.uid(), applied.identity());
    }

    /** {@return why there is no verdict on a rule of a pod, although it may have a node; empty if there is one} */
    public Optional<UnknownVerdicts.Unknown> unknown(Pod pod, Rule rule) {
        return unknown.of(pod, rule);
    }

    /** {@return why a rule of a pod cannot be evaluated on any node; empty if it can} */
    public Optional<UnknownVerdicts.Unknown> unknownAnywhere(Pod pod, Rule rule) {
        return unknown.anywhere(pod, rule);
    }

    /** {@return whether anti-affinity leaves out the pods of a namespace} */
    public boolean exempts(String namespace) {
        return exemptNamespaces.contains(namespace);
    }

    /** {@return the filters of the scheduler that have nothing to do with rules} */
    public SchedulerFilters schedulerFilters() {
        return schedulerFilters;
    }

    /** {@return the limits of attached volumes; empty if the input has no CSINodes, which say how large they are} */
    public Optional<AttachLimits> attachLimits() {
        return attachLimits;
    }

    /** {@return all pods, in the order of the input} */
    public List<Pod> pods() {
        return Collections.unmodifiableList(pods);
    }

    /** {@return the workloads, in the order of the input} */
    public List<Owner> owners() {
        return Collections.unmodifiableList(owners);
    }
}
