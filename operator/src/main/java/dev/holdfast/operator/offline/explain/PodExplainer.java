package dev.holdfast.operator.offline.explain;

import dev.holdfast.operator.offline.check.CheckReport;
import dev.holdfast.operator.offline.check.CheckedCluster;
import dev.holdfast.operator.offline.check.UnknownVerdicts;
import dev.holdfast.operator.offline.print.RuleReference;
import dev.holdfast.operator.offline.soft.Landings;
import dev.holdfast.operator.offline.waiting.NodeGroups;
import dev.holdfast.operator.publish.Wording;
import dev.holdfast.policies.effect.NoEffect;
import dev.holdfast.policies.effect.RuleEffect;
import dev.holdfast.policies.evaluate.DomainCount;
import dev.holdfast.policies.evaluate.Evaluator;
import dev.holdfast.policies.evaluate.NodeFilter;
import dev.holdfast.policies.evaluate.NodeRejection;
import dev.holdfast.policies.evaluate.Verdict;
import dev.holdfast.policies.evaluate.ViolationDetail;
import dev.holdfast.policies.inject.InjectionOutcome;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.capacity.PendingMoves;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.PodRules;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.RuleKind;
import dev.holdfast.policies.rule.RuleSource;
import dev.holdfast.policies.rule.WhenRequired;
import dev.holdfast.policies.score.SpreadDefaults;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Explains pods of a cluster: the verdict on each of their rules, and which nodes would take them. */
public final class PodExplainer {
    /** By how many details the nodes are told apart that one thing keeps a pod off. */
    private static final int MOST_DETAILS = 3;

    private final CheckedCluster cluster;
    private final RuleEffect effect;

    public PodExplainer(CheckedCluster cluster) {
        this.cluster = cluster;
        this.effect = new RuleEffect(cluster.view());
    }

    /** {@return the explanation of a pod; empty if there is no pod of this name} */
    public Optional<PodExplanation> explain(NamespacedName name) {
        return cluster.pods().stream()
                .filter(pod -> pod.name().equals(name))
                .findFirst()
                .map(this::explain);
    }

    /** {@return the explanations of the pods on a node, by name and without nodes; empty if there is no such node} */
    public Optional<List<PodExplanation>> explainNode(String name) {
        return cluster.view()
                .node(name)
                .or(() -> cluster.view().unreadNode(name))
                .map(_ -> explainAll(pod -> pod.isOn(name)));
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

    /**
     * {@return the names of the objects that control the pods of a workload: itself, or the ReplicaSets of a
     * Deployment}
     */
    public Set<String> controllersOf(String kind, NamespacedName name) {
        Set<String> names = below(kind, name).map(owner -> owner.name().name()).collect(Collectors.toSet());
        return names.isEmpty() ? Set.of(name.name()) : names;
    }

    /** {@return the objects that a workload controls and that control pods} */
    private Stream<Owner> below(String kind, NamespacedName name) {
        Set<String> uids = cluster.owners().stream()
                .filter(owner -> owner.kind().equals(kind) && owner.name().equals(name))
                .map(Owner::uid)
                .collect(Collectors.toSet());
        return cluster.owners().stream()
                .filter(owner -> owner.controller()
                        .filter(above -> uids.contains(above.uid()))
                        .isPresent());
    }

    private List<PodExplanation> explainAll(Predicate<Pod> explained) {
        return cluster.pods().stream()
                .filter(explained)
                .sorted(Comparator.comparing((Pod pod) -> pod.namespace())
                        .thenComparing(pod -> pod.name().name()))
                .map(this::explainRules)
                .toList();
    }

    /**
     * {@return where the scheduler would place a pod, or its replacement; empty if there is no pod of this name}
     *
     * @param spreadDefaults the spread constraints that the scheduler gives to pods without any
     */
    public Optional<ScoreExplanation> scores(NamespacedName name, SpreadDefaults spreadDefaults) {
        return cluster.pods().stream()
                .filter(pod -> pod.name().equals(name))
                .findFirst()
                .map(pod -> ScoreExplanation.of(pod, new Landings(cluster, spreadDefaults).of(pod), nodesFor(pod)));
    }

    /** {@return the explanation of a pod of this cluster} */
    public PodExplanation explain(Pod pod) {
        PodExplainer judging = new PodExplainer(cluster.judging(pod));
        return judging.withNodes(judging.explainRules(pod));
    }

    /**
     * {@return the same explanation with the nodes that would take the pod} All nodes are checked, which takes a while.
     */
    public PodExplanation withNodes(PodExplanation explanation) {
        return explanation.withNodes(
                nodesFor(cluster.view().pod(explanation.uid()).orElseThrow()));
    }

    private PodExplanation explainRules(Pod pod) {
        List<AppliedRule> applied = cluster.rulesOf(pod);
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

    private ExplainedRule unasked(Pod pod, Rule rule) {
        return explained(
                pod,
                rule,
                RuleReference.ofSpec(rule),
                WhenRequired.ALWAYS.label(),
                "",
                List.of(),
                Evaluator.judge(rule, pod, cluster.view()));
    }

    private ExplainedRule explained(Pod pod, AppliedRule applied) {
        return explained(
                        pod,
                        applied.rule(),
                        RuleReference.of(applied),
                        applied.whenRequired().label(),
                        annotationRule(pod, applied),
                        CheckedCluster.policies(applied),
                        verdict(pod, applied))
                .withInjection(cluster.injection(pod, applied)
                        .map(InjectionOutcome::label)
                        .orElse(""));
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

    private ExplainedRule explained(
            Pod pod,
            Rule rule,
            RuleReference reference,
            String when,
            String annotationRule,
            List<String> policies,
            Verdict verdict) {
        Optional<UnknownVerdicts.Unknown> why = cluster.unknown(pod, rule);
        return new ExplainedRule(
                reference,
                rule.describe(),
                when,
                PodRules.isOwn(pod.scheduling(), rule),
                annotationRule,
                policies,
                why.isPresent() ? ExplainedRule.UNDETERMINED : label(verdict),
                why.map(UnknownVerdicts.Unknown::message).orElseGet(() -> because(verdict, noEffect(pod, rule))),
                why.isPresent() || !(verdict instanceof Verdict.Violated(ViolationDetail detail))
                        ? ""
                        : Wording.healing(detail),
                "",
                CountedDomains.of(
                        why.isPresent() ? List.of() : counts(pod, rule), rule.kind() == RuleKind.TOPOLOGY_SPREAD));
    }

    private static String label(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Satisfied _ -> ExplainedRule.SATISFIED;
            case Verdict.Violated _ -> ExplainedRule.VIOLATED;
            case Verdict.Undetermined _ -> ExplainedRule.UNDETERMINED;
        };
    }

    private static String because(Verdict verdict, String noEffect) {
        return switch (verdict) {
            case Verdict.Satisfied _ -> noEffect;
            // The detail of such a rule says already why nothing can match it.
            case Verdict.Violated(ViolationDetail.UnmatchableRule detail) -> detail.describe();
            case Verdict.Violated(var detail) -> detail.describe() + (noEffect.isEmpty() ? "" : "; " + noEffect);
            case Verdict.Undetermined(var _, String why) -> noEffect.isEmpty() ? why : why + "; " + noEffect;
        };
    }

    /** {@return why the rule can do nothing in the cluster; empty if it can, or if that is unknown} */
    private String noEffect(Pod pod, Rule rule) {
        return effect.of(rule, pod).none().map(NoEffect::why).orElse("");
    }

    /** {@return the counts behind the verdict: anti-affinity leaves out pods of exempt namespaces} */
    private List<DomainCount> counts(Pod pod, Rule rule) {
        List<DomainCount> counts = DomainCount.of(rule, pod, cluster.view());
        if (rule.kind() != RuleKind.POD_ANTI_AFFINITY) {
            return counts;
        }
        return cluster.exempts(pod.namespace())
                ? List.of()
                : counts.stream()
                        .map(count -> count.without(other -> cluster.exempts(other.namespace())))
                        .toList();
    }

    /** {@return the verdict of the index, which leaves out pods of exempt namespaces} */
    private Verdict verdict(Pod pod, AppliedRule applied) {
        Optional<Verdict> violated = cluster.violationDetail(pod, applied).map(Verdict::violated);
        Verdict judged = Evaluator.judge(applied.rule(), pod, cluster.view());
        return violated.orElseGet(() -> judged instanceof Verdict.Violated ? Verdict.satisfied() : judged);
    }

    /** {@return which nodes would take the pod if it left its own, and why the others would not} */
    private PodExplanation.Nodes nodesFor(Pod pod) {
        ClusterView view = cluster.view();
        List<AppliedRule> applied = cluster.rulesOf(pod);
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
                cluster.attachLimits().map(it -> it.of(pod, PendingMoves.NONE)).orElse(NodeRejection.NONE);
        NodeGroups.Answers answers =
                new NodeGroups(pod, cluster.schedulerFilters(), byRule, limits).of(view.nodes(), rules, MOST_DETAILS);
        return PodExplanation.Nodes.of(answers.accepting(), answers.refusing(), answers.unreadableVolume())
                .with(
                        pod.nodeName().isPresent() ? List.of() : excluding(pod, applied),
                        isUncertain(pod, Stream.concat(rules.stream(), unasked(pod, applied).stream())));
    }

    /** {@return whether a rule cannot be evaluated, on whatever node the pod is} A missing node is no such reason. */
    private boolean isUncertain(Pod pod, Stream<Rule> rules) {
        boolean hasNode = pod.nodeName().flatMap(cluster.view()::node).isPresent();
        return rules.anyMatch(
                rule -> (hasNode ? cluster.unknown(pod, rule) : cluster.unknownAnywhere(pod, rule)).isPresent());
    }

    /** {@return the pairs of rules that keep the scheduler from placing a pod, of which at least one was injected} */
    private List<ExcludingRules> excluding(Pod pod, List<AppliedRule> applied) {
        Stream<ExcludingRules.InSpec> asked = applied.stream()
                .filter(one -> one.own()
                        || cluster.injection(pod, one)
                                .filter(InjectionOutcome::isInSpec)
                                .isPresent())
                .map(one -> inSpec(pod, one.rule(), origin(one), !one.own()));
        Stream<ExcludingRules.InSpec> own = unasked(pod, applied).stream()
                .map(rule -> inSpec(pod, rule, rule.kind().label() + " of its own spec", false));
        return ExcludingRules.among(
                Stream.concat(asked, own).toList(), cluster.view().nodes());
    }

    private static String origin(AppliedRule applied) {
        AppliedRule.Request request = applied.requests().getFirst();
        return request.name() + (applied.own() ? " of its own spec" : " of policy " + request.policy());
    }

    private ExcludingRules.InSpec inSpec(Pod pod, Rule rule, String origin, boolean injected) {
        return new ExcludingRules.InSpec(
                origin + " (" + rule.describe() + ")", rule, injected, Evaluator.prepare(rule, pod, cluster.view()));
    }
}
