package dev.holdfast.policies.plan;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The nodes of a view by the values of a label, sorted once for as many questions as are asked before anything changes. */
final class Domains {
    private final ClusterView view;
    private final Map<String, Map<String, List<Node>>> byKey = new HashMap<>();

    Domains(ClusterView view) {
        this.view = view;
    }

    /** {@return the nodes with this label, by name} */
    List<Node> nodes(String key, String value) {
        return byKey.computeIfAbsent(key, this::sorted).getOrDefault(value, List.of());
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
