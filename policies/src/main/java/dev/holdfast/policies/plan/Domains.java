package dev.holdfast.policies.plan;

import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What is found out of a cluster once, for as many questions as are asked before anything changes: the nodes by the
 * values of a label, and the pods that break a rule by being in its domain.
 */
final class Domains {
    private final ClusterView view;
    private final Map<String, Map<String, List<Node>>> byKey = new HashMap<>();
    private final Map<ViolationKey, List<Pod>> partners = new HashMap<>();

    Domains(ClusterView view) {
        this.view = view;
    }

    /** {@return the nodes with this label, by name} */
    List<Node> nodes(String key, String value) {
        return byKey.computeIfAbsent(key, this::sorted).getOrDefault(value, List.of());
    }

    /** {@return the pods that break a candidate's rule, found out if nobody has asked before} */
    List<Pod> partners(ViolationKey candidate, Supplier<List<Pod>> finder) {
        List<Pod> known = partners.get(candidate);
        if (known == null) {
            known = finder.get();
            partners.put(candidate, known);
        }
        return known;
    }

    private Map<String, List<Node>> sorted(String key) {
        Map<String, List<Node>> sorted = new HashMap<>();
        for (Node node : view.nodes()) {
            node.labels()
                    .get(key)
                    .ifPresent(value -> sorted.computeIfAbsent(value, _ -> new ArrayList<>())
                            .add(node));
        }
        return sorted;
    }
}
