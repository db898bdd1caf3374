package dev.holdfast.policies.model;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * A pod as the API server reports it, reduced to the fields that rules, planner and messages need. Immutable.
 *
 * <p>It is a class and not a record to save memory, because the cache holds more pods than any other object. With its
 * name and lifecycle as separate objects a pod would take 120 bytes instead of 72, without the parts that pods share.
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

    /** Seconds from creation to binding. As an int it fits into the padding after the booleans and costs no memory. */
    private final int boundAfter;

    private final Optional<Instant> deletionTime;
    private final VictimProtection victimProtection;

    /**
     * @param uid unique over time; a name may be reused
     * @param resourceVersion increases with every change of the object
     * @param nodeName the node it is bound to; absent while it waits to be scheduled
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
     * {@return an equal pod that shares parts already in memory}
     *
     * @param known an earlier version of this pod, whose UID and name strings are shared
     */
    public Pod madeOf(
            Pod known,
            Labels labels,
            Optional<String> nodeName,
            Scheduling scheduling,
            PodRequirements podRequirements,
            VictimProtection victimProtection) {
        return new Pod(this, known, labels, nodeName, scheduling, podRequirements, victimProtection);
    }

    /** {@return the UID, unique over time} */
    public String uid() {
        return uid;
    }

    /** {@return the namespace} */
    public String namespace() {
        return namespace;
    }

    /** {@return namespace and name; another pod may have them after this one is gone} */
    public NamespacedName name() {
        return new NamespacedName(namespace, name);
    }

    /** {@return the resourceVersion, which increases with every change of the object} */
    public long resourceVersion() {
        return resourceVersion;
    }

    /** {@return its labels, including those copied from its node} */
    public Labels labels() {
        return labels;
    }

    /** {@return the node it is bound to; absent while it waits to be scheduled} */
    public Optional<String> nodeName() {
        return nodeName;
    }

    /** {@return the scheduling constraints of its spec} */
    public Scheduling scheduling() {
        return scheduling;
    }

    /** {@return its resource requests, host ports and volume claims} */
    public PodRequirements podRequirements() {
        return podRequirements;
    }

    /** {@return its phase, readiness, times and pending disruption} */
    public PodLifecycle life() {
        return new PodLifecycle(
                phase,
                ready,
                Instant.ofEpochSecond(creationSecond),
                Instant.ofEpochSecond(creationSecond + boundAfter),
                deletionTime,
                beingDisrupted);
    }

    /** {@return the properties that may protect it from eviction} */
    public VictimProtection victimProtection() {
        return victimProtection;
    }

    /** {@return whether its deletion was requested} */
    public boolean terminating() {
        return deletionTime.isPresent();
    }

    /** {@return whether its condition {@code Ready} is true} */
    public boolean ready() {
        return ready;
    }

    /** {@return whether another component, for example the kubelet or the scheduler, is about to remove it} */
    public boolean beingDisrupted() {
        return beingDisrupted;
    }

    /** {@return whether all its containers have been started; they may have ended since} */
    public boolean started() {
        return phase != Phase.PENDING;
    }

    /** {@return whether it has succeeded or failed and no longer counts for any rule (W-1)} */
    public boolean finished() {
        return phase.terminal();
    }

    /** {@return whether it is bound to the node of this name} */
    public boolean isOn(String node) {
        return nodeName.isPresent() && nodeName.get().equals(node);
    }

    /** {@return whether every rule and limit sees it as it saw {@code before}: resource requests may differ} */
    public boolean differsOnlyInStatusFrom(Pod before) {
        return before.counts() == counts()
                && before.terminating() == terminating()
                && before.nodeName.equals(nodeName)
                && before.labels.equals(labels)
                && before.scheduling.equals(scheduling);
    }

    /** {@return whether the scheduler counts it: bound and not finished (W-1, W-2); its node may still be missing} */
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

    /** Uses only the two fields that distinguish pods and their versions. */
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
