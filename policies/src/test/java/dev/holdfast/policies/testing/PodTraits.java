package dev.holdfast.policies.testing;

import dev.holdfast.policies.model.AnnotationRules;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.model.Phase;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.PodScheduler;
import dev.holdfast.policies.model.PodSecurityLevel;
import dev.holdfast.policies.model.RestartPolicy;
import dev.holdfast.policies.model.Toleration;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Traits of pods in test clusters. */
public final class PodTraits {
    private PodTraits() {}

    /** {@return the trait that the pod is bound to the node with this name} */
    public static PodTrait on(String node) {
        return pod -> pod.nodeName = Optional.of(node);
    }

    /** {@return the trait that this is the record of the rules that were injected into the pod} */
    public static PodTrait injectedRules(String record) {
        return pod -> pod.injectedRules = record;
    }

    /** {@return the trait that the pod is not bound to a node} */
    public static PodTrait unbound() {
        return pod -> pod.nodeName = Optional.empty();
    }

    /** {@return the trait of a namespace; by default it is {@value Facts#NAMESPACE}} */
    public static PodTrait in(String namespace) {
        return pod -> pod.namespace = namespace;
    }

    /** {@return the traits of another pod except name, UID and resourceVersion; later traits may override them} */
    public static PodTrait like(Pod other) {
        return pod -> {
            pod.namespace = other.namespace();
            pod.labels.putAll(other.labels().toMap());
            pod.nodeName = other.nodeName();
            pod.nodeSelector = other.scheduling().nodeSelector();
            pod.nodeAffinity = other.scheduling().nodeAffinity();
            pod.podAffinity = other.scheduling().podAffinity();
            pod.podAntiAffinity = other.scheduling().podAntiAffinity();
            pod.topologySpread = other.scheduling().topologySpread();
            pod.tolerations = other.scheduling().tolerations();
            pod.preferences = other.scheduling().preferences();
            pod.annotationRules = other.scheduling().annotationRules();
            pod.podRequirements = other.podRequirements();
            pod.phase = other.life().phase();
            pod.ready = other.life().ready();
            pod.creationTime = other.life().creationTime();
            pod.boundTime = Optional.of(other.life().boundTime());
            pod.deletionTime = other.life().deletionTime();
            pod.beingDisrupted = other.beingDisrupted();
            pod.controller = other.victimProtection().controller();
            pod.priority = other.victimProtection().priority();
            pod.restartPolicy = other.victimProtection().restartPolicy();
            pod.mirror = other.victimProtection().mirror();
            pod.gangMember = other.victimProtection().gangMember();
            pod.localStorage = other.victimProtection().localStorage();
            pod.scheduler = other.victimProtection().scheduler();
            pod.resourceClaims = other.victimProtection().resourceClaims();
            pod.evictionResponder = other.victimProtection().evictionResponder();
            pod.securityLevel = other.victimProtection().securityLevel();
            pod.disruptionAnnotations = other.victimProtection().disruptionAnnotations();
        };
    }

    /** {@return the trait of a phase; in any phase but running, the pod is not Ready} */
    public static PodTrait phase(Phase phase) {
        return pod -> {
            pod.phase = phase;
            pod.ready = phase == Phase.RUNNING;
        };
    }

    /** {@return the trait that the pod is terminating, with a deletionTimestamp one second after the start of 1970} */
    public static PodTrait terminating() {
        return terminating(Instant.EPOCH.plusSeconds(1));
    }

    /** {@return the trait that the pod is terminating, with this deletionTimestamp} */
    public static PodTrait terminating(Instant deletionTime) {
        return pod -> pod.deletionTime = Optional.of(deletionTime);
    }

    /** {@return the trait of a creation time; by default it is the start of 1970} */
    public static PodTrait created(Instant creationTime) {
        return pod -> pod.creationTime = creationTime;
    }

    /** {@return the trait of a binding time; by default it is the creation time} */
    public static PodTrait bound(Instant boundTime) {
        return pod -> pod.boundTime = Optional.of(boundTime);
    }

    /** {@return the trait of the condition {@code DisruptionTarget}: a component is about to remove the pod} */
    public static PodTrait beingDisrupted() {
        return pod -> pod.beingDisrupted = true;
    }

    /** {@return the trait of a priority; by default it is 0} */
    public static PodTrait priority(int priority) {
        return pod -> pod.priority = priority;
    }

    /** {@return the trait of a restart policy; by default it is {@code Always}} */
    public static PodTrait restartPolicy(RestartPolicy policy) {
        return pod -> pod.restartPolicy = policy;
    }

    /** {@return the trait of a controller} */
    public static PodTrait ownedBy(String kind, String name, String uid) {
        return pod -> pod.controller = Optional.of(new Controller(kind, name, uid));
    }

    /** {@return the trait of a ReplicaSet as controller, with this name and UID; the label {@code app} is its name} */
    public static PodTrait replicaOf(String replicaSet) {
        return pod -> {
            pod.labels.put("app", replicaSet);
            pod.controller = Optional.of(new Controller("ReplicaSet", replicaSet, replicaSet));
        };
    }

    /** {@return the trait of disruption annotations, given as alternating keys and values} */
    public static PodTrait annotated(String... keysAndValues) {
        return pod -> pod.disruptionAnnotations = Facts.marks(keysAndValues);
    }

    /** {@return the trait that the pod is the mirror pod of a static pod} */
    public static PodTrait mirror() {
        return pod -> pod.mirror = true;
    }

    /** {@return the trait of these resource requests, host ports and volume claims} */
    public static PodTrait needing(PodRequirements podRequirements) {
        return pod -> pod.podRequirements = podRequirements;
    }

    /** {@return the trait of a volume on the node's disk that is deleted with the pod} */
    public static PodTrait localStorage() {
        return pod -> pod.localStorage = true;
    }

    /** {@return the trait that the pod belongs to a gang, a group of pods that are scheduled and deleted together} */
    public static PodTrait gangMember() {
        return pod -> pod.gangMember = true;
    }

    /** {@return the trait of {@code spec.schedulerName}: this scheduler places the pod and its replacement} */
    public static PodTrait scheduledBy(String schedulerName) {
        return pod -> pod.scheduler = new PodScheduler(schedulerName, false, "");
    }

    /** {@return the trait of scheduling gates: no scheduler places the pod before all are removed} */
    public static PodTrait gated() {
        return pod -> pod.scheduler = new PodScheduler(pod.scheduler.name(), true, "");
    }

    /** {@return the trait of a pod for which the scheduler makes room on this node} */
    public static PodTrait nominatedTo(String node) {
        return pod -> pod.scheduler = new PodScheduler(pod.scheduler.name(), false, node);
    }

    /** {@return the trait of a pod with more labels than Holdfast reads} */
    public static PodTrait unreadLabels() {
        return pod -> {
            pod.unreadLabels = true;
            pod.tooComplex = "it has 300 labels, and Holdfast reads at most 64";
        };
    }

    /** {@return the trait of a pod that is too complex to be read in full: its rules and tolerations are not known} */
    public static PodTrait tooComplex(String why) {
        return pod -> pod.tooComplex = why;
    }

    /** {@return the trait of a pod that has claims for devices (DRA)} */
    public static PodTrait resourceClaims() {
        return pod -> pod.resourceClaims = true;
    }

    /** The strictest level of the Pod Security Standards that the pod satisfies. */
    public static PodTrait satisfying(PodSecurityLevel level) {
        return draft -> draft.securityLevel = level;
    }

    /** {@return the trait of a pod that names an eviction responder} */
    public static PodTrait evictionResponder() {
        return pod -> pod.evictionResponder = true;
    }

    /** {@return the trait of a nodeSelector, given as alternating keys and values} */
    public static PodTrait nodeSelector(String... keysAndValues) {
        return pod -> pod.nodeSelector = Labels.of(keysAndValues);
    }

    /** {@return the trait of required node affinity with these terms; without terms it matches no node (NA-1)} */
    public static PodTrait nodeAffinity(NodeSelectorTerm... terms) {
        return pod -> pod.nodeAffinity = Optional.of(Demands.oneOf(terms));
    }

    /** {@return the trait of required pod affinity with these terms} */
    public static PodTrait near(PodAffinityTerm... terms) {
        return pod -> pod.podAffinity = List.of(terms);
    }

    /** {@return the trait of required pod anti-affinity with these terms} */
    public static PodTrait apartFrom(PodAffinityTerm... terms) {
        return pod -> pod.podAntiAffinity = List.of(terms);
    }

    /** {@return the trait of these hard topology spread constraints} */
    public static PodTrait spread(TopologySpreadConstraint... constraints) {
        return pod -> pod.topologySpread = List.of(constraints);
    }

    /** {@return the trait of rules in the pod's annotation, which are added to those of its spec} */
    public static PodTrait annotatedRules(AnnotationRules.NamedRule... rules) {
        return pod -> pod.annotationRules = new AnnotationRules.Given(AnnotationRules.Standing.ADDED, List.of(rules));
    }

    /** {@return the trait of rules in the pod's annotation that stand in for those of its spec} */
    public static PodTrait replacingRules(AnnotationRules.NamedRule... rules) {
        return pod ->
                pod.annotationRules = new AnnotationRules.Given(AnnotationRules.Standing.REPLACING, List.of(rules));
    }

    /** {@return the trait of an invalid annotation} */
    public static PodTrait invalidRules(String problem) {
        return pod -> pod.annotationRules = new AnnotationRules.Refused(problem);
    }

    /** {@return a rule of an annotation that a term matches the node} */
    public static AnnotationRules.NamedRule requiring(String name, NodeSelectorTerm... terms) {
        return new AnnotationRules.NamedRule(name, new AnnotationRules.OnNodes(Demands.oneOf(terms)));
    }

    /** {@return the trait of one more toleration, for one value of a taint; an empty effect means every effect} */
    public static PodTrait tolerating(String key, String value, String effect) {
        return tolerating(new Toleration(key, "Equal", value, effect));
    }

    /** {@return the trait of one more toleration, for any value; an empty key or effect means every key or effect} */
    public static PodTrait toleratingAny(String key, String effect) {
        return tolerating(new Toleration(key, "Exists", "", effect));
    }

    /** {@return the trait of one more toleration as written, after those of earlier traits} */
    public static PodTrait tolerating(Toleration toleration) {
        return pod -> {
            List<Toleration> tolerations = new ArrayList<>(pod.tolerations);
            tolerations.add(toleration);
            pod.tolerations = tolerations;
        };
    }
}
