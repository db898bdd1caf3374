package dev.holdfast.operator.offline.manifest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.simulate.Change;
import dev.holdfast.operator.offline.simulate.object.NodeStages;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Node;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The nodes that people wrote into files that are applied to a cluster. No API server has stored them. */
final class AppliedNodes {
    private final Map<String, ObjectNode> written = new TreeMap<>();

    /** Adds a node, in place of the one with its name. */
    void add(ObjectNode node) {
        if (!node.at("/metadata").has("uid") && !node.at("/metadata").has("resourceVersion")) {
            written.put(CreatedObjects.name(node), node);
        }
    }

    /** {@return the changes of the nodes that their files uncordon} */
    List<Change> uncordons() {
        return written.values().stream()
                .flatMap(node -> WrittenStatus.uncordon(node).stream())
                .toList();
    }

    /** {@return which nodes get the status that a kubelet would give them, as sentences} */
    List<String> warnings(Collection<ClusterEvent> cluster) {
        Map<String, Node> known = known(cluster);
        return written.entrySet().stream()
                .filter(node ->
                        !known.containsKey(node.getKey()) && !node.getValue().has("status"))
                .map(node ->
                        "node " + node.getKey() + " is written without a status: it is added as a Ready one that has"
                                + " room for each pod; write its status.allocatable")
                .toList();
    }

    /**
     * {@return what is applied in place of these nodes, by name} A new node is as if its kubelet had registered it.
     * Nothing is applied in place of a node that is only uncordoned.
     *
     * @throws DumpException if a node cannot be read
     */
    Map<String, Optional<ClusterEvent>> in(Collection<ClusterEvent> cluster) throws DumpException {
        Map<String, Node> known = known(cluster);
        List<ObjectNode> nodes = new ArrayList<>();
        written.forEach((name, node) -> {
            ObjectNode complete = node.deepCopy();
            if (!known.containsKey(name)) {
                WrittenStatus.completeNode(complete);
            }
            nodes.add(complete);
        });
        Map<String, Optional<ClusterEvent>> applied = new HashMap<>();
        for (ClusterEvent event : DecodedObjects.of(nodes).objects()) {
            if (event instanceof ClusterEvent.NodeChanged(Node node)) {
                Optional<Node> before = Optional.ofNullable(known.get(node.name()));
                boolean same = before.filter(it -> NodeStages.applied(it, node).equals(it))
                        .isPresent();
                boolean uncordoned = Optional.ofNullable(written.get(node.name()))
                        .flatMap(WrittenStatus::uncordon)
                        .isPresent();
                applied.put(node.name(), same && uncordoned ? Optional.empty() : Optional.of(event));
            }
        }
        return applied;
    }

    private static Map<String, Node> known(Collection<ClusterEvent> cluster) {
        Map<String, Node> known = new HashMap<>();
        for (ClusterEvent event : cluster) {
            switch (event) {
                case ClusterEvent.NodeChanged(Node node) -> known.put(node.name(), node);
                case ClusterEvent.NodeUnread(Node node) -> known.put(node.name(), node);
                case ClusterEvent.NodeGone _,
                        ClusterEvent.OfPod _,
                        ClusterEvent.OfNamespace _,
                        ClusterEvent.OfOwner _,
                        ClusterEvent.OfBudget _,
                        ClusterEvent.OfCapacity _ -> {
                    // They are no nodes.
                }
            }
        }
        return known;
    }
}
