package dev.holdfast.policies.testing;

import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.NodeLifecycle;
import dev.holdfast.policies.model.Resources;
import dev.holdfast.policies.model.Taint;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A mutable node under construction in a test. Defaults: created in 1970 and Ready since then, schedulable, with its
 * name as UID, without labels and taints, with room for 110 pods.
 */
public final class NodeDraft {
    final Map<String, String> labels = new TreeMap<>();
    final List<Taint> taints = new ArrayList<>();
    String uid;
    long resourceVersion = 1;
    boolean unschedulable;
    boolean ready = true;
    Optional<Instant> readyChanged = Optional.empty();
    /** An hour before the pods, so that no node counts as new for a pod. */
    Instant creationTime = Instant.EPOCH.minusSeconds(3_600);

    Resources allocatable = NodeTraits.ROOM;
    Optional<Instant> deletionTime = Optional.empty();
    NodeLifecycle.Condition condition = NodeLifecycle.Condition.NONE;

    private final String name;

    NodeDraft(String name) {
        this.name = name;
        this.uid = name;
    }

    Node build() {
        return new Node(
                name,
                uid,
                resourceVersion,
                Labels.of(labels),
                taints,
                unschedulable,
                new NodeLifecycle(ready, readyChanged, creationTime, deletionTime, condition),
                allocatable);
    }
}
