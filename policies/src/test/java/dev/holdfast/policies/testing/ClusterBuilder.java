package dev.holdfast.policies.testing;

import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.testing.ObjectTrait.LabelsTrait;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** A builder of a test cluster. It collects events that create or change objects, in the order of the calls. */
public final class ClusterBuilder {
    private final List<ClusterEvent> facts = new ArrayList<>();

    ClusterBuilder() {}

    /** Adds a node and returns this builder. */
    public ClusterBuilder node(String name, NodeTrait... traits) {
        return with(new ClusterEvent.NodeChanged(Facts.node(name, traits)));
    }

    /** Adds a Namespace object and returns this builder. */
    public ClusterBuilder namespace(String name, LabelsTrait labels) {
        return with(new ClusterEvent.NamespaceChanged(Facts.namespace(name, labels)));
    }

    /** Adds a pod and returns this builder. */
    public ClusterBuilder pod(String name, PodTrait... traits) {
        return with(new ClusterEvent.PodChanged(Facts.pod(name, traits)));
    }

    /**
     * Adds a ReplicaSet in {@value Facts#NAMESPACE}, controlled by a Deployment of the same name, and returns this
     * builder.
     */
    public ClusterBuilder replicaSet(String name, String uid, int replicas) {
        return with(Changes.replicaSetChanged(name, uid, replicas));
    }

    /** Adds a ReplicaSet whose UID is its name and returns this builder. */
    public ClusterBuilder replicaSet(String name, int replicas) {
        return replicaSet(name, name, replicas);
    }

    /** Adds a ReplicaSet of one pod in a namespace, whose UID is its name and returns this builder. */
    public ClusterBuilder replicaSetIn(String namespace, String name) {
        return with(Changes.replicaSetChangedIn(namespace, name));
    }

    /** Adds a disruption budget in {@value Facts#NAMESPACE} and returns this builder. */
    public ClusterBuilder budget(String name, LabelSelector selector, int disruptionsAllowed) {
        return with(Changes.budgetChanged(name, selector, disruptionsAllowed));
    }

    /** Adds any other event, for example a removal and returns this builder. */
    public ClusterBuilder with(ClusterEvent fact) {
        facts.add(fact);
        return this;
    }

    /** {@return the events that create the cluster, in the order of the calls} */
    public List<ClusterEvent> facts() {
        return List.copyOf(facts);
    }

    /** {@return the cluster after all events, applied in the order of the calls} */
    public ReferenceCluster build() {
        return after(facts);
    }

    /** {@return the cluster after all events, applied in an order that the seed determines} */
    public ReferenceCluster shuffled(long seed) {
        return after(shuffledFacts(seed));
    }

    /** {@return the events that create the cluster, in an order that the seed determines} */
    public List<ClusterEvent> shuffledFacts(long seed) {
        List<ClusterEvent> shuffled = new ArrayList<>(facts);
        Collections.shuffle(shuffled, new Random(seed));
        return shuffled;
    }

    private static ReferenceCluster after(List<ClusterEvent> facts) {
        ReferenceCluster referenceCluster = new ReferenceCluster();
        facts.forEach(referenceCluster::apply);
        return referenceCluster;
    }
}
