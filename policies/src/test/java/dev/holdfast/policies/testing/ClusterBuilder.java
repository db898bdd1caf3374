package dev.holdfast.policies.testing;

import dev.holdfast.policies.model.Cluster;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.testing.ObjectTrait.LabelsTrait;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** A builder of a test cluster: a list of objects in the order of the calls. */
public final class ClusterBuilder {
    private final List<ClusterEvent> facts = new ArrayList<>();

    ClusterBuilder() {}

    /** {@return this builder, with a further node} */
    public ClusterBuilder node(String name, NodeTrait... traits) {
        return with(new ClusterEvent.NodeChanged(Facts.node(name, traits)));
    }

    /** {@return this builder, with a further Namespace object} */
    public ClusterBuilder namespace(String name, LabelsTrait labels) {
        return with(new ClusterEvent.NamespaceChanged(Facts.namespace(name, labels)));
    }

    /** {@return this builder, with a further pod} */
    public ClusterBuilder pod(String name, PodTrait... traits) {
        return with(new ClusterEvent.PodChanged(Facts.pod(name, traits)));
    }

    /**
     * {@return this builder, with a further ReplicaSet in {@value Facts#NAMESPACE}, which a Deployment of the same name
     * controls}
     */
    public ClusterBuilder replicaSet(String name, String uid, int replicas) {
        return with(Changes.replicaSetChanged(name, uid, replicas));
    }

    /** {@return this builder, with a further ReplicaSet whose UID is its name} */
    public ClusterBuilder replicaSet(String name, int replicas) {
        return replicaSet(name, name, replicas);
    }

    /** {@return this builder, with a further disruption budget in {@value Facts#NAMESPACE}} */
    public ClusterBuilder budget(String name, LabelSelector selector, int disruptionsAllowed) {
        return with(Changes.budgetChanged(name, selector, disruptionsAllowed));
    }

    /** {@return this builder, with any further event, for example a removal} */
    public ClusterBuilder with(ClusterEvent fact) {
        facts.add(fact);
        return this;
    }

    /** {@return the events that create the cluster, in the order of the calls} */
    public List<ClusterEvent> facts() {
        return List.copyOf(facts);
    }

    /** {@return the cluster after all events, in the order of the calls} */
    public Cluster build() {
        return after(facts);
    }

    /** {@return the same cluster after the same events, shuffled with the seed} */
    public Cluster shuffled(long seed) {
        return after(shuffledFacts(seed));
    }

    /** {@return the events that create the cluster, shuffled with the seed} */
    public List<ClusterEvent> shuffledFacts(long seed) {
        List<ClusterEvent> shuffled = new ArrayList<>(facts);
        Collections.shuffle(shuffled, new Random(seed));
        return shuffled;
    }

    private static Cluster after(List<ClusterEvent> facts) {
        Cluster cluster = new Cluster();
        facts.forEach(cluster::apply);
        return cluster;
    }
}
