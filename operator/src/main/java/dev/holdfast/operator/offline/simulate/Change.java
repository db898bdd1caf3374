package dev.holdfast.operator.offline.simulate;

import dev.holdfast.operator.offline.simulate.object.NewPods;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.StatefulSetRevisions;
import dev.holdfast.policies.plan.controls.Pause;
import dev.holdfast.policies.rule.PolicyId;
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

    /** The nodes that a change affects. */
    sealed interface Selection {
        record Named(String node) implements Selection {}

        record Labeled(Predicate<Labels> labels) implements Selection {}

        /** All nodes whose label {@code topology.kubernetes.io/zone} has this value. */
        record InZone(String zone) implements Selection {}
    }

    /**
     * Several nodes change in one way, all before time passes: a drain cordons all of them before it evicts pods.
     *
     * @param targets at least one
     */
    record ChangeNodes(Action action, List<Target> targets) implements Change {
        public ChangeNodes {
            targets = List.copyOf(targets);
        }
    }

    /**
     * Nodes that a user named.
     *
     * @param text for messages: {@code n1}, {@code with labels pool=gpu}, {@code in zone a}
     */
    record Target(String text, Selection nodes) {}

    /** What becomes of nodes. */
    enum Action {
        CORDON,
        DRAIN,
        FAIL,
        REMOVE
    }

    /** A node takes no new pods. */
    record Cordon(String node) implements Change {}

    /** A node takes new pods again. */
    record Uncordon(String node) implements Change {}

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
     * All pods with some labels are deleted.
     *
     * @param selector as the user wrote it, for messages
     */
    record DeletePods(String namespace, String selector, Predicate<Labels> labels) implements Change {}

    /** A pod is not Ready from now on, as if its containers crashed again and again. */
    record CrashPod(NamespacedName pod) implements Change {}

    /** A pod is Ready again. */
    record RepairPod(NamespacedName pod) implements Change {}

    /** A pod succeeds, as the pod of a Job does when its work is done. */
    record FinishPod(NamespacedName pod) implements Change {}

    /** A node is not Ready from now on, as if its kubelet sent no more heartbeats. */
    record FailNode(String node) implements Change {}

    /** A node is Ready again. */
    record RecoverNode(String node) implements Change {}

    /** From now on all new pods have this fate. */
    record SetNewPods(NewPods fate) implements Change {}

    /**
     * A workload gets another number of replicas.
     *
     * @param kind Deployment, ReplicaSet or StatefulSet
     * @param pods the pods to create if it has none that others could be copies of; they wait for a node
     */
    record Scale(String kind, NamespacedName name, int replicas, List<Pod> pods) implements Change {
        public Scale {
            pods = List.copyOf(pods);
        }

        /** Scales a workload that has pods. */
        public Scale(String kind, NamespacedName name, int replicas) {
            this(kind, name, replicas, List.of());
        }
    }

    /**
     * A Deployment gets another pod template, and replaces its pods.
     *
     * @param replicas how many pods are wanted
     * @param replicaSet the new ReplicaSet, or the earlier one to which the Deployment returns
     * @param template what a pod of it is like, with the name of the first one: {@code web-r2-1}; it waits for a node
     * @param maxSurge how many pods there may be above the wanted number
     * @param maxUnavailable how many of the wanted pods may be not Ready
     * @param recreate whether its strategy is Recreate: no new pod is created before all old ones have ended
     */
    record RollOutDeployment(
            Owner deployment,
            int replicas,
            Owner replicaSet,
            Pod template,
            int maxSurge,
            int maxUnavailable,
            boolean recreate)
            implements Change {
        RollOutDeployment withReplicas(int other) {
            return new RollOutDeployment(deployment, other, replicaSet, template, maxSurge, maxUnavailable, recreate);
        }
    }

    /** The roll-out of a Deployment stops where it is, or goes on. */
    record PauseRollOut(String uid, boolean paused) implements Change {}

    /**
     * A StatefulSet gets another pod template or update strategy, and replaces its pods accordingly.
     *
     * @param statefulSet with its revisions: without an earlier roll-out, its pods are of the current one
     * @param pods its pods by the template of the update revision; they wait for a node
     * @param parallel whether its pod management policy is Parallel, and not OrderedReady
     */
    record RollOutStatefulSet(Owner statefulSet, List<Pod> pods, boolean parallel) implements Change {
        public RollOutStatefulSet {
            pods = List.copyOf(pods);
        }

        /** {@return the revisions from which the StatefulSet makes pods} */
        public StatefulSetRevisions revisions() {
            return statefulSet.revisions().orElseThrow();
        }

        /** {@return whether its pods are of an earlier revision, and are to be replaced} */
        public boolean isUnderWay() {
            return !revisions().onDelete()
                    && !revisions().current().equals(revisions().update());
        }

        RollOutStatefulSet withPods(List<Pod> others) {
            return new RollOutStatefulSet(statefulSet, others, parallel);
        }

        RollOutStatefulSet withCurrent(String revision) {
            return new RollOutStatefulSet(statefulSet.withRevisions(revisions().withCurrent(revision)), pods, parallel);
        }
    }

    /** A policy is created or edited. */
    record PutPolicy(Event.PolicyChanged policy) implements Change {}

    /** A user acknowledges the backlog of a policy, one second later if its edit was a moment ago. */
    record Acknowledge(PolicyId policy) implements Change {}

    /** A pause is created or edited. */
    record PutPause(Pause pause) implements Change {}
}
