package dev.holdfast.policies.testing;

import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Marks;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Needs;
import dev.holdfast.policies.model.NodeSelector;
import dev.holdfast.policies.model.Phase;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.PodLife;
import dev.holdfast.policies.model.Protection;
import dev.holdfast.policies.model.RestartPolicy;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.Toleration;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A pod while a test describes it: running and Ready since 1970, without controller, waiting for a node, with its name
 * as its UID, in namespace {@value Facts#NAMESPACE}.
 */
public final class PodDraft {
    final Map<String, String> labels = new TreeMap<>();
    String uid;
    String namespace = Facts.NAMESPACE;
    long resourceVersion = 1;
    Optional<String> nodeName = Optional.empty();

    Labels nodeSelector = Labels.none();
    Optional<NodeSelector> nodeAffinity = Optional.empty();
    List<PodAffinityTerm> podAffinity = List.of();
    List<PodAffinityTerm> podAntiAffinity = List.of();
    List<TopologySpreadConstraint> topologySpread = List.of();
    List<Toleration> tolerations = List.of();
    Needs needs = Needs.none();

    Phase phase = Phase.RUNNING;
    boolean ready = true;
    Instant creationTime = Instant.EPOCH;
    Optional<Instant> boundTime = Optional.empty();
    Optional<Instant> deletionTime = Optional.empty();
    boolean beingDisrupted;

    Optional<Controller> controller = Optional.empty();
    int priority;
    RestartPolicy restartPolicy = RestartPolicy.ALWAYS;
    boolean mirror;
    boolean gangMember;
    boolean localStorage;
    Marks marks = Marks.none();

    private final String name;

    PodDraft(String name) {
        this.name = name;
        this.uid = name;
    }

    Pod build() {
        return new Pod(
                uid,
                new NamespacedName(namespace, name),
                resourceVersion,
                Labels.of(labels),
                nodeName,
                new Scheduling(nodeSelector, nodeAffinity, podAffinity, podAntiAffinity, topologySpread, tolerations),
                needs,
                new PodLife(phase, ready, creationTime, boundTime.orElse(creationTime), deletionTime, beingDisrupted),
                new Protection(controller, priority, restartPolicy, mirror, gangMember, localStorage, marks));
    }
}
