package dev.holdfast.policies.testing;

import dev.holdfast.policies.model.AnnotationRules;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.DisruptionAnnotations;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.NodeSelector;
import dev.holdfast.policies.model.Phase;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.PodLifecycle;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.PodScheduler;
import dev.holdfast.policies.model.PodSecurityLevel;
import dev.holdfast.policies.model.Preferences;
import dev.holdfast.policies.model.RestartPolicy;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.Toleration;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import dev.holdfast.policies.model.VictimProtection;
import dev.holdfast.policies.model.injected.InjectedRules;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A mutable pod under construction in a test. Defaults: created in 1970, running and Ready, but not bound to a node;
 * without controller, with its name as UID, in namespace {@value Facts#NAMESPACE}.
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
    Preferences preferences = Preferences.none();
    String injectedRules = "";
    AnnotationRules annotationRules = AnnotationRules.none();
    PodRequirements podRequirements = PodRequirements.none();

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
    PodScheduler scheduler = new PodScheduler(VictimProtection.DEFAULT_SCHEDULER, false, "");
    String tooComplex = "";
    boolean unreadLabels;
    boolean resourceClaims;
    boolean evictionResponder;
    PodSecurityLevel securityLevel = PodSecurityLevel.RESTRICTED;
    DisruptionAnnotations disruptionAnnotations = DisruptionAnnotations.none();

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
                unreadLabels ? Labels.unread() : Labels.of(labels),
                nodeName,
                tooComplex.isEmpty()
                        ? InjectedRules.parse(injectedRules)
                                .in(new Scheduling(
                                                nodeSelector,
                                                nodeAffinity,
                                                podAffinity,
                                                podAntiAffinity,
                                                topologySpread,
                                                tolerations)
                                        .withPreferences(preferences))
                                .withAnnotationRules(annotationRules)
                        : Scheduling.tooComplex(tooComplex, podAntiAffinity),
                podRequirements,
                new PodLifecycle(
                        phase, ready, creationTime, boundTime.orElse(creationTime), deletionTime, beingDisrupted),
                new VictimProtection(
                        controller,
                        priority,
                        restartPolicy,
                        mirror,
                        gangMember,
                        localStorage,
                        scheduler,
                        resourceClaims,
                        evictionResponder,
                        securityLevel,
                        disruptionAnnotations));
    }
}
