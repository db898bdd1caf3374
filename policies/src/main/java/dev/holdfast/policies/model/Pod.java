package dev.holdfast.policies.model;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * A pod as the API server reports it, reduced to the fields that the operator needs. Immutable.
 *
 * <p>A class and not a record to save memory, because the cache holds more pods than any other object. A pod takes 72
 * bytes, without the parts that pods share. With separate objects for name and lifecycle it would take 120.
 */
public final class Pod {
    private final String uid;
    private final String namespace;
    private final String name;
    private final long resourceVersion;
    private final Labels labels;
    private final Optional<String> nodeName;
    private final Scheduling scheduling;
    private final PodRequirements podRequirements;
    private final Phase phase;
    private final boolean ready;
    private final boolean beingDisrupted;
    private final long creationSecond;

    /** Seconds from creation to binding. An int fits into the padding after the booleans and costs no memory. */
    private final int boundAfter;

    private final Optional<Instant> deletionTime;
    private final VictimProtection victimProtection;

    /**
     * @param uid unique over time, whereas a later pod may have the same name
     * @param resourceVersion increases with every change of the pod
     * @param nodeName the node that the pod is bound to; absent while the pod waits to be scheduled
     */
    public Pod(
            String uid,
            NamespacedName name,
            long resourceVersion,
            Labels labels,
            Optional<String> nodeName,
            Scheduling scheduling,
            PodRequirements podRequirements,
            PodLifecycle life,
            VictimProtection victimProtection) {
        this.uid = uid;
        this.namespace = name.namespace();
        this.name = name.name();
        this.resourceVersion = resourceVersion;
        this.labels = labels;
        this.nodeName = nodeName;
        this.scheduling = scheduling;
        this.podRequirements = podRequirements;
        this.phase = life.phase();
        this.ready = life.ready();
        this.beingDisrupted = life.beingDisrupted();
        this.creationSecond = life.creationTime().getEpochSecond();
        this.boundAfter =
                Math.clamp(life.boundTime().getEpochSecond() - creationSecond, Integer.MIN_VALUE, Integer.MAX_VALUE);
        this.deletionTime = life.deletionTime();
        this.victimProtection = victimProtection;
    }

    private Pod(
            Pod read,
            Pod known,
            Labels labels,
            Optional<String> nodeName,
            Scheduling scheduling,
            PodRequirements podRequirements,
            VictimProtection victimProtection) {
        this.uid = known.uid;
        this.namespace = known.namespace;
        this.name = known.name;
        this.resourceVersion = read.resourceVersion;
        this.labels = labels;
        this.nodeName = nodeName;
        this.scheduling = scheduling;
        this.podRequirements = podRequirements;
        this.phase = read.phase;
        this.ready = read.ready;
        this.beingDisrupted = read.beingDisrupted;
        this.creationSecond = read.creationSecond;
        this.boundAfter = read.boundAfter;
        this.deletionTime = read.deletionTime;
        this.victimProtection = victimProtection;
    }

    /**
     * {@return a pod that is equal to this one but consists of the given parts, so that pods can share equal parts}
     *
     * @param known an earlier version of this pod, whose strings for UID, namespace and name are used again
     */
    public Pod withSharedParts(
            Pod known,
            Labels labels,
            Optional<String> nodeName,
            Scheduling scheduling,
            PodRequirements podRequirements,
            VictimProtection victimProtection) {
        return new Pod(this, known, labels, nodeName, scheduling, podRequirements, victimProtection);
    }

    /** {@return this pod, all of whose constraints are its own: also those that policies injected} */
    public Pod withInjectedAsOwn() {
        return withScheduling(scheduling.withInjectedAsOwn());
    }

    /** {@return this pod with other constraints} */
    public Pod withScheduling(Scheduling other) {
        return other.equals(scheduling)
                ? this
                : withSharedParts(this, labels, nodeName(), other, podRequirements, victimProtection);
    }

    /** {@return this pod with other requirements} */
    public Pod with(PodRequirements other) {
        return withSharedParts(this, labels, nodeName(), scheduling, other, victimProtection);
    }

    /** {@return this pod with other properties that may protect it} */
    public Pod with(VictimProtection other) {
        return withSharedParts(this, labels, nodeName(), scheduling, podRequirements, other);
    }

    /** {@return this pod with other labels} */
    public Pod withLabels(Labels other) {
        return withSharedParts(this, other, nodeName(), scheduling, podRequirements, victimProtection);
    }

    /** {@return the UID, unique over time} */
    public String uid() {
        return uid;
    }

    /** {@return the namespace} */
    public String namespace() {
        return namespace;
    }

    /** {@return the namespace and name, which another pod may have after this pod is gone} */
    public NamespacedName name() {
        return new NamespacedName(namespace, name);
    }

    /** {@return the resourceVersion, which increases with every change of the pod} */
    public long resourceVersion() {
        return resourceVersion;
    }

    /** {@return the labels, including those that the API server copied from the node} */
    public Labels labels() {
        return labels;
    }

    /** {@return the node that the pod is bound to; absent while the pod waits to be scheduled} */
    public Optional<String> nodeName() {
        return nodeName;
    }

    /** {@return the scheduling constraints of the pod's spec} */
    public Scheduling scheduling() {
        return scheduling;
    }

    /** {@return the resource requests, host ports and volume claims} */
    public PodRequirements podRequirements() {
        return podRequirements;
    }

    /** {@return the phase, readiness and times, and whether another component is about to remove the pod} */
    public PodLifecycle life() {
        return new PodLifecycle(
                phase,
                ready,
                Instant.ofEpochSecond(creationSecond),
                Instant.ofEpochSecond(creationSecond + boundAfter),
                deletionTime,
                beingDisrupted);
    }

    /** {@return the properties that may protect the pod from eviction} */
    public VictimProtection victimProtection() {
        return victimProtection;
    }

    /** {@return whether the deletion of the pod was requested} */
    public boolean terminating() {
        return deletionTime.isPresent();
    }

    /** {@return whether the condition {@code Ready} is true} */
    public boolean ready() {
        return ready;
    }

    /** {@return whether the condition {@code DisruptionTarget} is true: a component is about to remove the pod} */
    public boolean beingDisrupted() {
        return beingDisrupted;
    }

    /** {@return whether all containers have been started; some may have ended since} */
    public boolean started() {
        return phase != Phase.PENDING;
    }

    /** {@return whether the pod has succeeded or failed and no longer counts for any rule (W-1)} */
    public boolean finished() {
        return phase.terminal();
    }

    /** {@return whether the pod is bound to the node of this name} */
    public boolean isOn(String node) {
        return nodeName.isPresent() && nodeName.get().equals(node);
    }

    /**
     * {@return whether this version of the pod differs from an earlier one only in parts that no verdict depends on,
     * for example readiness or resource requests}
     */
    public boolean hasSameVerdictInputsAs(Pod before) {
        return before.counts() == counts()
                && before.terminating() == terminating()
                && before.nodeName.equals(nodeName)
                && before.labels.equals(labels)
                && before.scheduling.equals(scheduling);
    }

    /**
     * {@return whether this version of the pod differs from another one only in its status, its resourceVersion and
     * parts that the operator does not read, for example most annotations}
     */
    public boolean hasSameSpecAs(Pod other) {
        return uid.equals(other.uid)
                && labels.equals(other.labels)
                && nodeName.equals(other.nodeName)
                && scheduling.equals(other.scheduling)
                && podRequirements.equals(other.podRequirements)
                && deletionTime.equals(other.deletionTime)
                && victimProtection.equals(other.victimProtection);
    }

    /**
     * {@return whether this version of the pod differs from another one only in parts that the operator does not read}
     */
    public boolean sameExceptVersion(Pod other) {
        return hasSameSpecAs(other) && life().equals(other.life());
    }

    /**
     * {@return whether the pod is bound and not finished, so that the scheduler counts it on its node, if that node
     * exists (W-1 to W-3)}
     */
    public boolean counts() {
        return nodeName.isPresent() && !finished();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Pod that
                && resourceVersion == that.resourceVersion
                && ready == that.ready
                && beingDisrupted == that.beingDisrupted
                && creationSecond == that.creationSecond
                && boundAfter == that.boundAfter
                && phase == that.phase
                && uid.equals(that.uid)
                && namespace.equals(that.namespace)
                && name.equals(that.name)
                && labels.equals(that.labels)
                && nodeName.equals(that.nodeName)
                && scheduling.equals(that.scheduling)
                && podRequirements.equals(that.podRequirements)
                && deletionTime.equals(that.deletionTime)
                && victimProtection.equals(that.victimProtection);
    }

    /** Uses only UID and resourceVersion, which together identify one version of one pod. */
    @Override
    public int hashCode() {
        return Objects.hash(uid, resourceVersion);
    }

    @Override
    public String toString() {
        return "Pod[" + name() + ", uid=" + uid + ", resourceVersion=" + resourceVersion + ", labels=" + labels
                + ", node=" + nodeName.orElse("none") + ", " + scheduling + ", " + podRequirements + ", " + life()
                + ", "
                + victimProtection + "]";
    }
}
