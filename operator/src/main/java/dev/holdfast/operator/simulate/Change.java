package dev.holdfast.operator.simulate;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.plan.conduct.Pause;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** A change that a simulation makes, as a person would make it. */
public sealed interface Change {
    /**
     * Labels of nodes change.
     *
     * @param target the nodes as the user named them, for messages
     * @param nodes which nodes, by name and labels
     * @param labels the new value of each label; empty to remove the label
     */
    record LabelNodes(String target, Selection nodes, Map<String, Optional<String>> labels) implements Change {
        public LabelNodes {
            labels = Map.copyOf(labels);
        }
    }

    /** Which nodes a change is about. */
    sealed interface Selection {
        record Named(String node) implements Selection {}

        record Labeled(Predicate<Labels> labels) implements Selection {}
    }

    /** A node takes no new pods. */
    record Cordon(String node) implements Change {}

    /** A node takes no new pods, and its pods are evicted as their disruption budgets allow. */
    record Drain(String node) implements Change {}

    /** A node and its pods are gone. */
    record RemoveNode(String node) implements Change {}

    /** Objects are created or replaced. */
    record AddObjects(List<ClusterEvent> objects) implements Change {
        public AddObjects {
            objects = List.copyOf(objects);
        }
    }

    /** A pod is deleted. */
    record DeletePod(NamespacedName pod) implements Change {}

    /**
     * A workload gets another number of replicas.
     *
     * @param kind Deployment, ReplicaSet or StatefulSet
     */
    record Scale(String kind, NamespacedName name, int replicas) implements Change {}

    /** A policy is created or edited. */
    record PutPolicy(Event.PolicyChanged policy) implements Change {}

    /** A pause is created or edited. */
    record PutPause(Pause pause) implements Change {}
}
