package dev.holdfast.policies.testing;

import dev.holdfast.policies.model.Cluster;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.DisruptionBudget;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.testing.ObjectTrait.LabelsTrait;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
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
        return with(new ClusterEvent.OwnerChanged(new Owner(
                uid,
                "ReplicaSet",
                new NamespacedName(Facts.NAMESPACE, name),
                Optional.of(new Controller("Deployment", name, "deployment-" + name)),
                OptionalInt.of(replicas))));
    }

    /** {@return this, with a disruption budget more in {@value Facts#NAMESPACE}} */
    public ClusterBuilder budget(String name, LabelSelector selector, int disruptionsAllowed) {
        return with(new ClusterEvent.BudgetChanged(new DisruptionBudget(
                name, new NamespacedName(Facts.NAMESPACE, name), Optional.of(selector), disruptionsAllowed)));
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
        List<ClusterEvent> shuffled = new ArrayList<>(facts);
        Collections.shuffle(shuffled, new Random(seed));
        return after(shuffled);
    }

    private static Cluster after(List<ClusterEvent> facts) {
        Cluster cluster = new Cluster();
        facts.forEach(cluster::apply);
        return cluster;
    }
}
