package dev.holdfast.policies.score;

import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.Requirement;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.selector.ParseResult;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The selectors of Services and controllers, of which the scheduler makes that of its default constraints. */
public interface WorkloadSelectors {
    /** The kinds of controllers whose selector counts. */
    Set<String> KINDS = Set.of("ReplicaSet", "StatefulSet", "ReplicationController");

    /** {@return whether all selectors were read that count for a pod} */
    default boolean areKnownFor(Pod pod) {
        return true;
    }

    /** {@return the selectors of the Services in a namespace, except of those that have none} */
    Collection<Labels> ofServicesIn(String namespace);

    /**
     * {@return the selector of a ReplicaSet, StatefulSet or ReplicationController in a namespace, found by kind and
     * name; empty if it does not exist, has no selector, or is of another kind}
     */
    Optional<LabelSelector> ofController(String namespace, Controller controller);

    /**
     * {@return the selector of the pods that count for a pod without spread constraints of its own}
     *
     * <p>The selector has the labels of all Services that select the pod, and the selector of its controller, which
     * need not match the pod. Without either it is <code>{}</code>, and then the pod is not spread. Source: {@code
     * helper.DefaultSelector} of the scheduler.
     */
    default LabelSelector selectorFor(Pod pod) {
        Map<String, String> labels = new TreeMap<>();
        for (Labels service : ofServicesIn(pod.namespace())) {
            if (service.toMap().entrySet().stream().allMatch(it -> pod.labels().has(it.getKey(), it.getValue()))) {
                labels.putAll(service.toMap());
            }
        }
        Optional<Controller> controller = pod.victimProtection().controller();
        LabelSelector ofController = controller
                .flatMap(it -> ofController(pod.namespace(), it))
                .filter(it -> LabelMatcher.of(Optional.of(it)) instanceof ParseResult.Usable<LabelMatcher>)
                .orElse(LabelSelector.everything());
        List<Requirement> expressions = new ArrayList<>();
        if (controller.filter(it -> it.kind().equals("ReplicationController")).isPresent()) {
            labels.putAll(ofController.matchLabels().toMap());
        } else {
            ofController
                    .matchLabels()
                    .toMap()
                    .forEach((key, value) -> expressions.add(new Requirement(key, "In", List.of(value))));
        }
        expressions.addAll(ofController.matchExpressions());
        return new LabelSelector(Labels.of(labels), expressions);
    }
}
