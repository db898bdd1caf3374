package dev.holdfast.policies.model;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * A pod as the API server states it, reduced to what rules, planner and messages need. A value like the records beside
 * it; no record, because it is by far the most frequent object that is kept: with its name and its life as objects of
 * their own a pod would take 120 bytes and not 72, not counting what it shares with others.
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

    /** How many seconds after its creation it was bound: an int, which costs a pod nothing beside the booleans. */
    private final int boundAfter;

    private final Optional<Instant> deletionTime;
    private final VictimProtection victimProtection;

    /**
     * @param uid unique over all time; a name is not
     * @param resourceVersion grows with every change of the object
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
            Pod told,
            Pod known,
            Labels labels,
            Optional<String> nodeName,
            Scheduling scheduling,
            PodRequirements podRequirements,
            VictimProtection victimProtection) {
        this.uid = known.uid;
        this.namespace = known.namespace;
        this.name = known.name;
        this.resourceVersion = told.resourceVersion;
        this.labels = labels;
        this.nodeName = nodeName;
        this.scheduling = scheduling;
        this.podRequirements = podRequirements;
        this.phase = told.phase;
        this.ready = told.ready;
        this.beingDisrupted = told.beingDisrupted;
        this.creationSecond = told.creationSecond;
        this.boundAfter = told.boundAfter;
        this.deletionTime = told.deletionTime;
        this.victimProtection = victimProtection;
    }

    /**
     * {@return an equal pod made of parts that are kept already}
     *
     * @param known the same pod, whose name is kept
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

    /** {@return what no other pod ever has or had} */
    public String uid() {
        return uid;
    }

    /** {@return the namespace it lives in} */
    public String namespace() {
        return namespace;
    }

    /** {@return its name, which another pod may have when this one is gone} */
    public NamespacedName name() {
        return new NamespacedName(namespace, name);
    }

    /** {@return what grows with every change of the object} */
    public long resourceVersion() {
        return resourceVersion;
    }

    /** {@return its labels, those copied from its node among them} */
    public Labels labels() {
        return labels;
    }

    /** {@return the node it is bound to; absent while it waits to be scheduled} */
    public Optional<String> nodeName() {
        return nodeName;
    }

    /** {@return what its spec says of where it may run} */
    public Scheduling scheduling() {
        return scheduling;
    }

    /** {@return what it takes of a node, or ties it to some} */
    public PodRequirements podRequirements() {
        return podRequirements;
    }

    /** {@return where it is in its life} */
    public PodLifecycle life() {
        return new PodLifecycle(
                phase,
                ready,
                Instant.ofEpochSecond(creationSecond),
                Instant.ofEpochSecond(creationSecond + boundAfter),
                deletionTime,
                beingDisrupted);
    }

    /** {@return what may forbid that it is moved} */
    public VictimProtection victimProtection() {
        return victimProtection;
    }

    /** {@return whether it has been told to go} */
    public boolean terminating() {
        return deletionTime.isPresent();
    }

    /** {@return whether its condition {@code Ready} is true} */
    public boolean ready() {
        return ready;
    }

    /** {@return whether somebody, perhaps the kubelet or the scheduler, is about to remove it} */
    public boolean beingDisrupted() {
        return beingDisrupted;
    }

    /** {@return whether all its containers have been started; they may have ended since} */
    public boolean started() {
        return phase != Phase.PENDING;
    }

    /** {@return whether it has succeeded or failed, and counts for nothing any more (W-1)} */
    public boolean finished() {
        return phase.terminal();
    }

    /** {@return whether it is bound to the node of this name} */
    public boolean isOn(String node) {
        return nodeName.isPresent() && nodeName.get().equals(node);
    }

    /** {@return whether it is, for every rule and every limit, what the same pod was before, whatever it needs by now} */
    public boolean differsOnlyInStatusFrom(Pod before) {
        return before.counts() == counts()
                && before.terminating() == terminating()
                && before.nodeName.equals(nodeName)
                && before.labels.equals(labels)
                && before.scheduling.equals(scheduling);
    }

    /** {@return whether the scheduler sees it: bound and not finished (W-1, W-2); its node may still be missing} */
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

    /** By what tells pods apart. */
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
