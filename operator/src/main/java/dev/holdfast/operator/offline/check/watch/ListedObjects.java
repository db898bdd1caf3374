package dev.holdfast.operator.offline.check.watch;

import dev.holdfast.operator.offline.dump.Dump;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The objects that feeds have listed so far, each in its latest state. */
final class ListedObjects {
    private final Map<String, ClusterEvent> namespaces = new LinkedHashMap<>();
    private final Map<String, ClusterEvent> nodes = new LinkedHashMap<>();
    private final Map<String, ClusterEvent> pods = new LinkedHashMap<>();

    /** Adds, replaces or removes an object, and returns how many there are. */
    int apply(ClusterEvent event) {
        switch (event) {
            case ClusterEvent.NamespaceChanged(Namespace namespace) -> namespaces.put(namespace.name(), event);
            case ClusterEvent.NamespaceGone(String name) -> namespaces.remove(name);
            case ClusterEvent.NodeChanged(Node node) -> nodes.put(node.name(), event);
            case ClusterEvent.NodeUnread(Node node) -> nodes.put(node.name(), event);
            case ClusterEvent.NodeGone(String name) -> nodes.remove(name);
            case ClusterEvent.PodChanged(Pod pod) -> pods.put(pod.uid(), event);
            case ClusterEvent.PodGone(String uid) -> pods.remove(uid);
            case ClusterEvent.OfOwner _, ClusterEvent.OfBudget _, ClusterEvent.OfCapacity _ ->
                throw new IllegalStateException("not watched: " + event);
        }
        return namespaces.size() + nodes.size() + pods.size();
    }

    /** {@return what was read besides, with these objects} */
    Dump in(Dump read) {
        List<ClusterEvent> objects = new ArrayList<>(namespaces.values());
        objects.addAll(nodes.values());
        objects.addAll(pods.values());
        Map<String, Integer> counts = new HashMap<>(read.counts());
        counts.put("Namespace", namespaces.size());
        counts.put("Node", nodes.size());
        counts.put("Pod", pods.size());
        return new Dump(
                objects,
                read.policies(),
                new Dump.Numbers(counts, read.unread()),
                read.warnings(),
                read.volumes(),
                read.selectors(),
                read.events(),
                read.times(),
                read.unreadable(),
                read.configMaps());
    }
}
