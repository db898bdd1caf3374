package dev.holdfast.operator.check;

import dev.holdfast.operator.dump.ReadCluster;
import dev.holdfast.operator.dump.UnreadableKind;
import dev.holdfast.operator.print.RuleReference;
import dev.holdfast.operator.publish.Wording;
import dev.holdfast.operator.simulate.SchedulerFilters;
import dev.holdfast.policies.evaluate.DomainCount;
import dev.holdfast.policies.evaluate.Evaluator;
import dev.holdfast.policies.evaluate.NodeFilter;
import dev.holdfast.policies.evaluate.NodeRejection;
import dev.holdfast.policies.evaluate.Verdict;
import dev.holdfast.policies.evaluate.ViolationDetail;
import dev.holdfast.policies.index.Index;
import dev.holdfast.policies.index.change.VerdictListener;
import dev.holdfast.policies.inject.InjectionOutcome;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.CsiNode;
import dev.holdfast.policies.model.ForwardingView;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.plan.capacity.AttachLimits;
import dev.holdfast.policies.plan.capacity.PendingMoves;
import dev.holdfast.policies.plan.capacity.ResourceFit;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.PodRules;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.RuleKind;
import dev.holdfast.policies.rule.RuleSource;
import dev.holdfast.policies.rule.WhenDomainAdded;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.rule.WhenRequired;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.selector.ParseResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
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

    /** If no policy is given, each pod is held to the rules of its own spec. No violation is ever due. */
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
    private final Set<String> unreadNodes = new HashSet<>();
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
        index = new Index(exemptNamespaces, VerdictListener.NONE);
        schedulerFilters = new SchedulerFilters(
                index, new ResourceFit(index.view()), cluster.dump().volumes()::volumeOf);
        cluster.dump().objects().forEach(event -> see(event, reading));
        policies.forEach(index::put);
        unknown = new UnknownVerdicts(index.view(), pods, unreadNodes, index.takeLeftOut());
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
     * {@return a cluster that was read, in which pods that no policy selects are held to no rule} Without policies each pod
     * is held to the rules of its own spec. Then the scheduler's verdicts are meant, which exempt no namespace.
     *
     * @param exemptNamespaces as in the configuration of the operator: anti-affinity does not count pods in these namespaces
     */
    public static CheckedCluster of(ReadCluster cluster, Set<String> exemptNamespaces) {
        List<Policy> policies = cluster.rules();
        return policies.isEmpty()
                ? withoutPolicies(cluster)
                : new CheckedCluster(cluster, policies, exemptNamespaces, Optional.empty(), pod -> pod);
    }

    /** {@return the same, but pods that no policy selects are held to the rules of their own spec, as without policies} */
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
            case ClusterEvent.NodeChanged _ -> {
                index.apply(event);
                nodes++;
            }
            // As in the operator, a node that has more than is read counts as missing.
            case ClusterEvent.NodeGone(String name) -> {
                unreadNodes.add(name);
                nodes++;
            }
            case ClusterEvent.OwnerChanged(Owner owner) -> owners.add(owner);
            case ClusterEvent.CsiNodeChanged(CsiNode csiNode) -> csiNodes.put(csiNode.name(), csiNode);
            case ClusterEvent.PodGone _,
                    ClusterEvent.OfNamespace _,
                    ClusterEvent.OwnerGone _,
                    ClusterEvent.OfBudget _,
                    ClusterEvent.OfCapacity _ -> index.apply(event);
        }
    }

    /**
     * {@return the violations}
     *
     * @param listed which pods are listed; their rules may depend on others
     */
    public CheckReport report(Predicate<Pod> listed) {
        Predicate<Pod> isUnselected = pod -> unselected.contains(pod.uid());
        List<CheckReport.Violation> violations = new ArrayList<>();
        List<CheckReport.Undetermined> undetermined = new ArrayList<>();
        find(byOwnRules.isPresent() ? listed.and(isUnselected.negate()) : listed, violations, undetermined);
        byOwnRules.ifPresent(other -> other.find(listed.and(isUnselected), violations, undetermined));
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
                unreadable,
                clusterWide,
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
                                ownReference(rule),
                                rule.describe())))
                .sorted(CheckReport.OfPod.ORDER)
                .toList();
    }

    private int count(Predicate<Pod> counted, Predicate<Pod> listed) {
        return (int) pods.stream().filter(counted).filter(listed).count();
    }

    private void find(
            Predicate<Pod> listed,
            List<CheckReport.Violation> violations,
            List<CheckReport.Undetermined> undetermined) {
        index.forEachBroken((pod, applied) -> {
            if (listed.test(pod) && unknown.of(pod, applied.rule()).isEmpty()) {
                violations.add(violation(pod, applied));
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

    private CheckReport.Violation violation(Pod pod, AppliedRule applied) {
        ViolationDetail detail =
                index.violationDetail(pod.uid(), applied.identity()).orElseThrow();
        return new CheckReport.Violation(
                pod.namespace(),
                pod.name().name(),
                pod.uid(),
                pod.nodeName().orElseThrow(),
                reference(applied),
                CheckReport.Violation.VERDICT,
                detail.describe(),
                Wording.healing(detail),
                isCheckedByKubelet(pod, applied),
                when(applied),
                injection(pod, applied).map(InjectionOutcome::label).orElse(""),
                policies(applied));
    }

    private static String when(AppliedRule applied) {
        return (applied.isRequiredWherePossible() ? WhenRequired.POSSIBLE_AT_SCHEDULING : WhenRequired.ALWAYS).label();
    }

    private static List<String> policies(AppliedRule applied) {
        return applied.policies()
                .filter(policy -> !policy.equals(OWN_RULES.id()))
                .map(PolicyId::toString)
                .toList();
    }

    /** The kubelet checks the node rules of the pods that run on its node when it starts, also the injected ones. */
    private boolean isCheckedByKubelet(Pod pod, AppliedRule applied) {
        return applied.rule().kind() == RuleKind.NODE_AFFINITY
                && (isOfSpec(pod, applied.rule()) || violatesInjectedNodeRules(pod));
    }

    private boolean violatesInjectedNodeRules(Pod pod) {
        Scheduling scheduling = pod.scheduling();
        return !scheduling.nodeAffinity().equals(scheduling.own().nodeAffinity())
                && Evaluator.judge(
                                new Rule.NodeAffinity(scheduling.nodeSelector(), scheduling.nodeAffinity()),
                                pod,
                                index.view())
                        instanceof Verdict.Violated;
    }

    private static boolean isOfSpec(Pod pod, Rule rule) {
        return PodRules.of(pod.scheduling()).stream()
                .anyMatch(own -> own.identity().equals(rule.identity()));
    }

    private static RuleReference reference(AppliedRule applied) {
        return new RuleReference(
                applied.rule().kind().label(),
                applied.requests().getFirst().name(),
                applied.identity().hash());
    }

    private static RuleReference ownReference(Rule rule) {
        String kind = rule.kind().label();
        return new RuleReference(kind, kind, rule.identity().hash());
    }

    private Stream<CheckReport.Undetermined> undetermined(Pod pod) {
        return Stream.concat(
                UnknownVerdicts.of(pod).stream().map(why -> undetermined(pod, RuleReference.ALL_OF_SPEC, why)),
                index.rulesOf(pod.uid()).stream()
                        .flatMap(applied -> unknown.of(pod, applied.rule()).stream()
                                .map(why -> undetermined(pod, reference(applied), why))));
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
    private CheckedCluster judging(Pod pod) {
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

    /** {@return whether there is a pod in a namespace} */
    public boolean hasPodsIn(String namespace) {
        return pods.stream().anyMatch(pod -> pod.namespace().equals(namespace));
    }

    /** {@return the explanation of a pod; empty if there is no pod of this name} */
    public Optional<PodExplanation> explain(NamespacedName name) {
        return pods.stream().filter(pod -> pod.name().equals(name)).findFirst().map(this::explain);
    }

    /** {@return the explanations of the pods on a node, by name and without nodes; empty if there is no such node} */
    public Optional<List<PodExplanation>> explainNode(String name) {
        return index.view().node(name).map(_ -> explainAll(pod -> pod.isOn(name)));
    }

    /**
     * {@return the explanations of the pods of a workload, by name and without nodes; empty if it has none}
     *
     * @param kind as pods name it, for example ReplicaSet; of a Deployment, the pods of its ReplicaSets are explained
     */
    public Optional<List<PodExplanation>> explainWorkload(String kind, NamespacedName name) {
        Set<String> replicaSets = below(kind, name).map(Owner::uid).collect(Collectors.toSet());
        List<PodExplanation> explained = explainAll(pod -> pod.namespace().equals(name.namespace())
                && pod.victimProtection()
                        .controller()
                        .filter(controller -> replicaSets.contains(controller.uid())
                                || (controller.kind().equals(kind)
                                        && controller.name().equals(name.name())))
                        .isPresent());
        return explained.isEmpty() ? Optional.empty() : Optional.of(explained);
    }

    /** {@return the names of the objects that control the pods of a workload: itself, or the ReplicaSets of a Deployment} */
    public Set<String> controllersOf(String kind, NamespacedName name) {
        Set<String> names = below(kind, name).map(owner -> owner.name().name()).collect(Collectors.toSet());
        return names.isEmpty() ? Set.of(name.name()) : names;
    }

    /** {@return the objects that a workload controls and that control pods} */
    private Stream<Owner> below(String kind, NamespacedName name) {
        Set<String> uids = owners.stream()
                .filter(owner -> owner.kind().equals(kind) && owner.name().equals(name))
                .map(Owner::uid)
                .collect(Collectors.toSet());
        return owners.stream()
                .filter(owner -> owner.controller()
                        .filter(above -> uids.contains(above.uid()))
                        .isPresent());
    }

    private List<PodExplanation> explainAll(Predicate<Pod> explained) {
        return pods.stream()
                .filter(explained)
                .sorted(Comparator.comparing((Pod pod) -> pod.namespace())
                        .thenComparing(pod -> pod.name().name()))
                .map(this::explainRules)
                .toList();
    }

    /** {@return the explanation of a pod of this cluster} */
    public PodExplanation explain(Pod pod) {
        CheckedCluster judging = judging(pod);
        return judging.withNodes(judging.explainRules(pod));
    }

    /** {@return the same explanation with the nodes that would take the pod} All nodes are checked, which takes a while. */
    public PodExplanation withNodes(PodExplanation explanation) {
        return explanation.withNodes(
                nodesFor(index.view().pod(explanation.uid()).orElseThrow()));
    }

    private PodExplanation explainRules(Pod pod) {
        List<AppliedRule> applied = index.rulesOf(pod.uid());
        return new PodExplanation(
                CheckReport.API_VERSION,
                PodExplanation.KIND,
                pod.namespace(),
                pod.name().name(),
                pod.uid(),
                pod.nodeName().orElse(""),
                Stream.concat(
                                applied.stream().map(rule -> explained(pod, rule)),
                                unasked(pod, applied).stream().map(rule -> unasked(pod, rule)))
                        .toList(),
                PodExplanation.Nodes.NONE,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of());
    }

    /** {@return the rules of a pod's own spec that no policy asks for} */
    private static List<Rule> unasked(Pod pod, List<AppliedRule> applied) {
        return PodRules.of(pod.scheduling()).stream()
                .filter(rule ->
                        applied.stream().noneMatch(asked -> asked.identity().equals(rule.identity())))
                .toList();
    }

    private PodExplanation.ExplainedRule unasked(Pod pod, Rule rule) {
        return explained(
                pod,
                rule,
                ownReference(rule),
                WhenRequired.ALWAYS.label(),
                "",
                List.of(),
                Evaluator.judge(rule, pod, index.view()));
    }

    private PodExplanation.ExplainedRule explained(Pod pod, AppliedRule applied) {
        return explained(
                        pod,
                        applied.rule(),
                        reference(applied),
                        when(applied),
                        annotationRule(pod, applied),
                        policies(applied),
                        verdict(pod, applied))
                .withInjection(
                        injection(pod, applied).map(InjectionOutcome::label).orElse(""));
    }

    /** {@return what became of a rule in the pod's spec; empty if no policy injects it} */
    private Optional<InjectionOutcome> injection(Pod pod, AppliedRule applied) {
        if (pod.victimProtection().ofDaemonSet() || exemptNamespaces.contains(pod.namespace())) {
            // The admission policies leave these pods alone.
            return Optional.empty();
        }
        return applied.requests().stream()
                .filter(AppliedRule.Request::isInjected)
                .flatMap(request ->
                        index.injection(pod.uid(), request.policy()).of(request, applied.identity()).stream())
                .min(Comparator.naturalOrder());
    }

    /** {@return the name of the rule in the pod's annotation, if a policy requests it from there; else empty} */
    private static String annotationRule(Pod pod, AppliedRule applied) {
        return applied.requests().stream().noneMatch(request -> request.source() == RuleSource.POD_ANNOTATION)
                ? ""
                : PodRules.inAnnotation(pod.scheduling()).entrySet().stream()
                        .filter(rule -> rule.getValue().identity().equals(applied.identity()))
                        .map(Map.Entry::getKey)
                        .findFirst()
                        .orElseThrow();
    }

    private PodExplanation.ExplainedRule explained(
            Pod pod,
            Rule rule,
            RuleReference reference,
            String when,
            String annotationRule,
            List<String> policies,
            Verdict verdict) {
        Optional<UnknownVerdicts.Unknown> why = pod.nodeName().flatMap(_ -> unknown.of(pod, rule));
        return new PodExplanation.ExplainedRule(
                reference,
                rule.describe(),
                when,
                isOfSpec(pod, rule),
                annotationRule,
                policies,
                why.isPresent() ? PodExplanation.UNDETERMINED : PodExplanation.label(verdict),
                why.map(UnknownVerdicts.Unknown::message).orElseGet(() -> PodExplanation.because(verdict)),
                why.isPresent() || !(verdict instanceof Verdict.Violated(ViolationDetail detail))
                        ? ""
                        : Wording.healing(detail),
                "",
                CountedDomains.of(
                        why.isPresent() ? List.of() : counts(pod, rule), rule.kind() == RuleKind.TOPOLOGY_SPREAD));
    }

    /** {@return what the verdict counts: anti-affinity leaves out pods of exempt namespaces} */
    private List<DomainCount> counts(Pod pod, Rule rule) {
        List<DomainCount> counts = DomainCount.of(rule, pod, index.view());
        if (rule.kind() != RuleKind.POD_ANTI_AFFINITY) {
            return counts;
        }
        return exemptNamespaces.contains(pod.namespace())
                ? List.of()
                : counts.stream()
                        .map(count -> count.without(other -> exemptNamespaces.contains(other.namespace())))
                        .toList();
    }

    /** {@return the verdict of the index, which leaves out pods of exempt namespaces} */
    private Verdict verdict(Pod pod, AppliedRule applied) {
        Optional<Verdict> violated =
                index.violationDetail(pod.uid(), applied.identity()).map(Verdict::violated);
        Verdict judged = Evaluator.judge(applied.rule(), pod, index.view());
        return violated.orElseGet(() -> judged instanceof Verdict.Violated ? Verdict.satisfied() : judged);
    }

    /** {@return which nodes would take the pod if it left its own, and why the others would not} */
    private PodExplanation.Nodes nodesFor(Pod pod) {
        ClusterView view = index.view();
        List<AppliedRule> applied = index.rulesOf(pod.uid());
        List<Rule> rules = applied.stream().map(AppliedRule::rule).toList();
        Map<String, NodeFilter> byRule = new LinkedHashMap<>();
        applied.forEach(one -> byRule.put(
                "its rule " + one.requests().getFirst().name()
                        + (one.isRequiredWherePossible() ? ", required only where possible: " : ": ")
                        + one.rule().describe(),
                Evaluator.prepare(one.rule(), pod, view)));
        unasked(pod, applied)
                .forEach(rule -> byRule.put(
                        "its rule " + rule.kind().label() + ": " + rule.describe(),
                        Evaluator.prepare(rule, pod, view)));
        NodeRejection limits =
                attachLimits.map(it -> it.of(pod, PendingMoves.NONE)).orElse(NodeRejection.NONE);
        return new NodeGroups(pod, schedulerFilters, byRule, limits)
                .of(view.nodes(), rules)
                .with(pod.nodeName().isPresent() ? List.of() : excluding(pod, applied));
    }

    /** {@return the pairs of rules that keep the scheduler from placing a pod, of which at least one was injected} */
    private List<ExcludingRules> excluding(Pod pod, List<AppliedRule> applied) {
        Stream<ExcludingRules.InSpec> asked = applied.stream()
                .filter(one -> one.own()
                        || injection(pod, one)
                                .filter(InjectionOutcome::isInSpec)
                                .isPresent())
                .map(one -> inSpec(pod, one.rule(), origin(one), !one.own()));
        Stream<ExcludingRules.InSpec> own = unasked(pod, applied).stream()
                .map(rule -> inSpec(pod, rule, rule.kind().label() + " of its own spec", false));
        return ExcludingRules.among(
                Stream.concat(asked, own).toList(), index.view().nodes());
    }

    private static String origin(AppliedRule applied) {
        AppliedRule.Request request = applied.requests().getFirst();
        return request.name() + (applied.own() ? " of its own spec" : " of policy " + request.policy());
    }

    private ExcludingRules.InSpec inSpec(Pod pod, Rule rule, String origin, boolean injected) {
        return new ExcludingRules.InSpec(
                origin + " (" + rule.describe() + ")", rule, injected, Evaluator.prepare(rule, pod, index.view()));
    }
}
