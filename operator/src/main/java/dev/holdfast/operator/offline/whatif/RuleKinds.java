package dev.holdfast.operator.offline.whatif;

import dev.holdfast.operator.offline.print.RuleReference;
import dev.holdfast.operator.offline.simulate.Change;
import dev.holdfast.operator.offline.simulate.SimulationInput;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.model.AnnotationRules;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.PodRules;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.RuleIdentity;
import dev.holdfast.policies.rule.RuleKind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The kinds of the rules that policies define, or annotations of pods, by identity. A rule of a pod's own spec has its
 * kind as its name.
 */
final class RuleKinds {
    private final Map<RuleIdentity, RuleKind> kinds = new HashMap<>();

    /** {@return the kinds of the rules of all policies, before the changes and after them} */
    static RuleKinds of(SimulationInput input, List<Change> changes) {
        RuleKinds kinds = new RuleKinds();
        input.policies().forEach(put -> kinds.add(put.policy()));
        input.objects().forEach(kinds::add);
        input.created().forEach(kinds::add);
        for (Change change : changes) {
            if (change instanceof Change.PutPolicy(Event.PolicyChanged put)) {
                kinds.add(put.policy());
            }
            if (change instanceof Change.AddObjects(List<ClusterEvent> objects)) {
                objects.forEach(kinds::add);
            }
        }
        return kinds;
    }

    /** Adds the rules in the annotation of a pod, which policies may allow. */
    private void add(ClusterEvent object) {
        if (object instanceof ClusterEvent.PodChanged(Pod pod)
                && pod.scheduling().annotationRules() instanceof AnnotationRules.Given) {
            PodRules.inAnnotation(pod.scheduling()).values().forEach(rule -> kinds.put(rule.identity(), rule.kind()));
        }
    }

    private void add(Policy policy) {
        policy.rules()
                .forEach(
                        named -> kinds.put(named.rule().identity(), named.rule().kind()));
    }

    /** {@return the rule that is violated} */
    RuleReference reference(ViolationReport violation) {
        RuleIdentity identity = violation.key().rule();
        return new RuleReference(
                Optional.ofNullable(kinds.get(identity)).map(RuleKind::label).orElse(violation.rule()),
                violation.rule(),
                identity.hash());
    }
}
