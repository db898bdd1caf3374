package dev.holdfast.operator.offline.dump.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.operator.decode.ClaimDecoder.Claim;
import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.LimitRange;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntFunction;

/**
 * What an API server does when objects are created, for the objects of files that no API server has stored: those
 * without a UID and a resource version. Objects of a cluster stay as they are.
 *
 * <p>Example: a file has a pod with {@code matchLabelKeys: [app]} in a term of anti-affinity. The selector of that term
 * gets {@code app In [web]}, because the pod has the label {@code app=web}.
 */
public final class Admission {
    private static final String NAME_LABEL = "kubernetes.io/metadata.name";

    private final PriorityClasses priorityClasses = new PriorityClasses();
    private final RuntimeClasses runtimeClasses = new RuntimeClasses();
    private final DefaultStorageClass defaultStorageClass = new DefaultStorageClass();
    private final TaintTimes taints = new TaintTimes();

    /** The pods that no API server has stored, by UID. */
    private final Map<String, WrittenPod> pods = new HashMap<>();

    /** The namespaces that no API server has stored. */
    private final Set<String> namespaces = new HashSet<>();

    private final Set<NamespacedName> claimsWithoutClass = new HashSet<>();

    /**
     * Notes an object that was read.
     *
     * @param ofServer whether an API server has stored the object
     * @param object the object in protobuf
     */
    public void read(String kind, NamespacedName name, boolean ofServer, ByteSlice object) throws MalformedException {
        switch (kind) {
            case "StorageClass" -> defaultStorageClass.read(name.name(), object);
            case "Namespace" -> {
                if (ofServer) {
                    namespaces.remove(name.name());
                } else {
                    namespaces.add(name.name());
                }
            }
            case "Node" -> taints.read(name.name(), object);
            case "Pod" -> {
                if (!ofServer) {
                    pods.put(uid(name), WrittenPod.of(object));
                }
            }
            case "PersistentVolumeClaim" -> {
                if (ofServer || DefaultStorageClass.isNamedIn(object)) {
                    claimsWithoutClass.remove(name);
                } else {
                    claimsWithoutClass.add(name);
                }
            }
            default -> {
                // All that the API server sets in it is a default, which the decoders know.
            }
        }
    }

    /** {@return when the taints of the nodes were set} */
    public TaintTimes taints() {
        return taints;
    }

    /** {@return the UID that a pod of a file without one gets} */
    public static String uid(NamespacedName pod) {
        return "Pod/" + pod;
    }

    /** {@return whether a person wrote the file of a node, in which no API server has stored it} */
    public static boolean isOfFile(Node node) {
        return node.uid().equals("Node//" + node.name());
    }

    /**
     * Notes a PriorityClass or a RuntimeClass as it is written.
     *
     * @throws IOException if a field is wrong
     */
    public void read(ObjectNode ofPods) throws IOException {
        if (ofPods.path("kind").asText().equals("PriorityClass")) {
            priorityClasses.add(ofPods);
        } else {
            runtimeClasses.add(ofPods);
        }
    }

    /** Forgets a PriorityClass or a RuntimeClass. */
    public void remove(ObjectNode ofPods) {
        String name = ofPods.at("/metadata/name").asText();
        if (ofPods.path("kind").asText().equals("PriorityClass")) {
            priorityClasses.remove(name);
        } else {
            runtimeClasses.remove(name);
        }
    }

    /** {@return the claim, with the default StorageClass if it is new and names none} */
    public Claim admitted(NamespacedName name, Claim claim) {
        return claimsWithoutClass.contains(name)
                ? new Claim(
                        claim.volume(),
                        claim.storageClass().or(defaultStorageClass::name),
                        claim.ownedByPod(),
                        claim.terminating(),
                        claim.lost())
                : claim;
    }

    /** {@return the objects, with the new pods and namespaces among them as the API server admits them} */
    public List<ClusterEvent> admitted(List<ClusterEvent> objects) {
        if (pods.isEmpty() && namespaces.isEmpty()) {
            return objects;
        }
        Map<String, Node> nodes = new HashMap<>();
        Map<String, List<LimitRange>> limitRanges = new HashMap<>();
        for (ClusterEvent object : objects) {
            if (object instanceof ClusterEvent.NodeChanged(Node node)) {
                nodes.put(node.name(), node);
            } else if (object instanceof ClusterEvent.LimitRangeChanged(LimitRange limitRange)) {
                limitRanges
                        .computeIfAbsent(limitRange.name().namespace(), _ -> new ArrayList<>())
                        .add(limitRange);
            }
        }
        WrittenPod.Classes classes = new WrittenPod.Classes(priorityClasses, runtimeClasses);
        List<ClusterEvent> admitted = new ArrayList<>();
        for (ClusterEvent object : objects) {
            if (object instanceof ClusterEvent.NamespaceChanged(Namespace namespace)) {
                admitted.add(new ClusterEvent.NamespaceChanged(admitted(namespace)));
            } else if (object instanceof ClusterEvent.PodChanged(Pod pod)) {
                admitted.add(new ClusterEvent.PodChanged(Optional.ofNullable(pods.get(pod.uid()))
                        .map(written -> written.admitted(
                                pod,
                                classes,
                                limitRanges.getOrDefault(pod.namespace(), List.of()),
                                pod.nodeName().flatMap(node -> Optional.ofNullable(nodes.get(node)))))
                        .orElse(pod)));
            } else {
                admitted.add(object);
            }
        }
        return admitted;
    }

    /** {@return the namespace, with the label of its name if it is new} */
    private Namespace admitted(Namespace namespace) {
        if (!namespaces.contains(namespace.name()) || namespace.labels().areUnread()) {
            return namespace;
        }
        Map<String, String> labels = new HashMap<>(namespace.labels().toMap());
        labels.put(NAME_LABEL, namespace.name());
        return new Namespace(
                namespace.name(), namespace.resourceVersion(), Labels.of(labels), namespace.disruptionAnnotations());
    }

    /** {@return what could not be set, as sentences} */
    public List<String> warnings() {
        Map<String, Integer> unknown = new TreeMap<>();
        pods.values()
                .forEach(pod ->
                        pod.unknownClass(priorityClasses).ifPresent(name -> unknown.merge(name, 1, Integer::sum)));
        IntFunction<String> of = count -> count == 1 ? "a pod names it, whose" : count + " pods name it, whose";
        return unknown.entrySet().stream()
                .map(it -> "PriorityClass " + it.getKey() + " was not read, and " + of.apply(it.getValue())
                        + " priority counts as 0: give priorityclasses too")
                .toList();
    }
}
