package dev.holdfast.operator.offline.check.watch;

import dev.holdfast.operator.offline.check.CheckReport;
import dev.holdfast.operator.offline.check.CheckedCluster;
import dev.holdfast.operator.offline.check.PolicyEnforcement;
import dev.holdfast.operator.offline.check.UnknownVerdicts;
import dev.holdfast.operator.offline.check.ViolationFacts;
import dev.holdfast.operator.offline.check.Workloads;
import dev.holdfast.policies.engine.live.VerdictChanges.PodRule;
import dev.holdfast.policies.index.Index;
import dev.holdfast.policies.index.change.FactChange;
import dev.holdfast.policies.index.change.RuleOwners;
import dev.holdfast.policies.index.change.VerdictListener;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.AppliedRule;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** An index of the cluster, and why its verdicts changed. */
final class Judge implements VerdictListener {
    private static final Workloads NO_WORKLOADS = new Workloads(List.of());

    private final Index index;
    private final Set<String> exemptNamespaces;
    private final UnaryOperator<Pod> reading;
    private final UnknownVerdicts unknown;
    private Map<PodRule, String> reasons = new LinkedHashMap<>();
    private boolean listening;

    /** @param reading how the index reads each pod */
    Judge(Set<String> exemptNamespaces, UnaryOperator<Pod> reading) {
        this.exemptNamespaces = Set.copyOf(exemptNamespaces);
        this.reading = reading;
        index = new Index(exemptNamespaces, this);
        unknown = new UnknownVerdicts(index, List.of());
    }

    /** Notes from now on why verdicts change. */
    void listen() {
        listening = true;
    }

    Index index() {
        return index;
    }

    void apply(ClusterEvent event) {
        index.apply(
                event instanceof ClusterEvent.PodChanged(Pod pod)
                        ? new ClusterEvent.PodChanged(reading.apply(pod))
                        : event);
    }

    @Override
    public void broken(RuleOwners ruleOwners, FactChange factChange) {
        if (listening) {
            ruleOwners.forEach((pod, applied) ->
                    note(pod, applied, factChange.cause(applied.rule(), pod).describe()));
        }
    }

    @Override
    public void mended(RuleOwners ruleOwners, Ending ending, FactChange factChange) {
        if (listening) {
            ruleOwners.forEach((pod, applied) -> note(pod, applied, why(ending, factChange, applied, pod)));
        }
    }

    private static String why(Ending ending, FactChange factChange, AppliedRule applied, Pod pod) {
        if (factChange instanceof FactChange.OfPolicy(var policy)) {
            return "policy " + policy + " no longer requests the rule";
        }
        String cause = factChange.cause(applied.rule(), pod).describe();
        return switch (ending) {
            case SATISFIED -> cause;
            case UNDETERMINED -> "no verdict is possible: " + cause;
            case NOT_REQUESTED -> "nothing requests the rule any more: " + cause;
        };
    }

    @Override
    public void requestsChanged(Pod holder, AppliedRule before, AppliedRule after, FactChange factChange) {
        // The violation goes on. What policies ask for about it is read when a policy changes.
    }

    private void note(Pod pod, AppliedRule applied, String why) {
        reasons.put(new PodRule(pod.uid(), applied.identity()), why);
    }

    /** {@return why verdicts changed since the last call} */
    Map<PodRule, String> take() {
        Map<PodRule, String> taken = reasons;
        reasons = new LinkedHashMap<>();
        return taken;
    }

    /** {@return all rules that pods violate} */
    Set<PodRule> broken() {
        Set<PodRule> broken = new LinkedHashSet<>();
        index.forEachBroken((pod, applied) -> broken.add(new PodRule(pod.uid(), applied.identity())));
        return broken;
    }

    /** {@return the rule, if the pod violates it for certain} */
    Optional<AppliedRule> violated(PodRule podRule) {
        return index.rule(podRule.podUid(), podRule.rule())
                .filter(_ -> index.isBroken(podRule.podUid(), podRule.rule()))
                .filter(applied -> unknown.of(pod(podRule), applied.rule()).isEmpty());
    }

    /** {@return a pod that the index has} */
    Pod pod(PodRule podRule) {
        return index.view().pod(podRule.podUid()).orElseThrow();
    }

    CheckReport.Violation violation(
            Pod pod, AppliedRule applied, PolicyEnforcement enforcement, List<String> labelKeys) {
        return new ViolationFacts(index, NO_WORKLOADS, enforcement, labelKeys)
                .of(
                        pod,
                        applied,
                        ViolationFacts.injection(index, exemptNamespaces, pod, applied),
                        CheckedCluster.policies(applied));
    }
}
