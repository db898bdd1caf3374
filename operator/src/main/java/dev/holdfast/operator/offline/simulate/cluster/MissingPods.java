package dev.holdfast.operator.offline.simulate.cluster;

import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.Pod;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The pods that controllers have yet to create, in the order of the first attempts. */
final class MissingPods {
    private final Map<String, Pod> byUid = new LinkedHashMap<>();

    /** The same pods by UID of their controllers; empty for a pod without one. */
    private final Map<String, Map<String, Pod>> byController = new HashMap<>();

    void add(Pod pod) {
        byUid.put(pod.uid(), pod);
        byController
                .computeIfAbsent(controller(pod), _ -> new LinkedHashMap<>())
                .put(pod.uid(), pod);
    }

    /** Forgets a pod. Returns false if it is not among these pods. */
    boolean remove(String uid) {
        Pod pod = byUid.remove(uid);
        if (pod == null) {
            return false;
        }
        Optional.ofNullable(byController.get(controller(pod))).ifPresent(pods -> pods.remove(uid));
        return true;
    }

    boolean has(String uid) {
        return byUid.containsKey(uid);
    }

    boolean isEmpty() {
        return byUid.isEmpty();
    }

    /** {@return the pods at this moment} */
    List<Pod> all() {
        return List.copyOf(byUid.values());
    }

    /** {@return the pods that one controller has yet to create} */
    Collection<Pod> of(String controller) {
        return byController.getOrDefault(controller, Map.of()).values();
    }

    private static String controller(Pod pod) {
        return pod.victimProtection().controller().map(Controller::uid).orElse("");
    }
}
