package dev.holdfast.policies.testing;

import dev.holdfast.policies.model.Cluster;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.testing.ObjectTrait.LabelsTrait;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** A cluster while a test describes it: facts in the order said. */
public final class ClusterBuilder {
    private final List<ClusterEvent> facts = new ArrayList<>();

    ClusterBuilder() {}

    /** {@return this, with a node more} */
    public ClusterBuilder node(String name, NodeTrait... traits) {
        return with(new ClusterEvent.NodeChanged(Facts.node(name, traits)));
    }

    /** {@return this, with a namespace object more} */
    public ClusterBuilder namespace(String name, LabelsTrait labels) {
        return with(new ClusterEvent.NamespaceChanged(Facts.namespace(name, labels)));
    }

    /** {@return this, with a pod more} */
    public ClusterBuilder pod(String name, PodTrait... traits) {
        return with(new ClusterEvent.PodChanged(Facts.pod(name, traits)));
    }

    /** {@return this, with a ReplicaSet more in {@value Facts#NAMESPACE}, controlled by a Deployment of the same name} */
    public ClusterBuilder replicaSet(String name, String uid, int replicas) {
        return with(Changes.replicaSetChanged(name, uid, replicas));
    }

    /** {@return this, with a ReplicaSet more, as {@link #replicaSet(String, String, int)} with its name as its UID} */
    public ClusterBuilder replicaSet(String name, int replicas) {
        return replicaSet(name, name, replicas);
    }

    /** {@return this, with a disruption budget more in {@value Facts#NAMESPACE}} */
    public ClusterBuilder budget(String name, LabelSelector selector, int disruptionsAllowed) {
        return with(Changes.budgetChanged(name, selector, disruptionsAllowed));
    }

    /** {@return this, with any fact more, or one that takes a former back} */
    public ClusterBuilder with(ClusterEvent fact) {
        facts.add(fact);
        return this;
    }

    /** {@return the facts as events, in the order said} */
    public List<ClusterEvent> facts() {
        return List.copyOf(facts);
    }

    /** {@return the cluster after all facts, in the order said} */
    public Cluster build() {
        return after(facts);
    }

    /** {@return the same cluster after the same facts in an order drawn from the seed} */
    public Cluster shuffled(long seed) {
        return after(shuffledFacts(seed));
    }

    /** {@return the facts as events, in an order drawn from the seed} */
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
