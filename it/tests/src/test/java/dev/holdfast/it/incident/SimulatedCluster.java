package dev.holdfast.it.incident;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.policies.model.ClaimedVolume;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.plan.capacity.PodAdmission;
import dev.holdfast.policies.plan.capacity.Replacement;
import dev.holdfast.policies.plan.check.QuotaExceededCheck;
import dev.holdfast.policies.plan.move.ReplicaCounts;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** A cluster in memory: an object store and its controllers, in virtual time. */
final class SimulatedCluster {
    private static final int ENDLESS = 10_000;

    private final VirtualTime time;
    private final ReferenceCluster facts = new ReferenceCluster();
    private final FeedEvents reader = new FeedEvents();
    private final Consumer<ClusterEvent> feed;
    private final ObjectStore store;
    private final VolumeZones volumeZones;
    private final NodeLifecycleController nodes;
    private final ReplicaSetController replicaSets;
    private final Kubelets kubelets;
    private final List<SimulatedController> simulatedControllers;
    private long changes;

    /**
     * @param feed receives each change of an object of a kind that the operator watches
     */
    SimulatedCluster(VirtualTime time, Consumer<ClusterEvent> feed) {
        this.time = time;
        this.feed = feed;
        this.store = new ObjectStore(time, new ObjectStore.Follower() {
            @Override
            public void changed(ObjectNode object) {
                receive(reader.changed(object));
            }

            @Override
            public void gone(ObjectNode object) {
                receive(reader.gone(object));
            }
        });
        this.volumeZones = new VolumeZones(store);
        this.nodes = new NodeLifecycleController(store, time);
        this.replicaSets = new ReplicaSetController(store, time, this::isCreated, pod -> refusal(reader.unstored(pod)));
        this.kubelets = new Kubelets(store, time, nodes);
        this.simulatedControllers = List.of(
                new DeploymentController(store),
                replicaSets,
                new StatefulSetController(
                        store,
                        pod -> isCreated(pod) && refusal(reader.unstored(pod)).isEmpty()),
                new JobController(
                        store,
                        pod -> isCreated(pod) && refusal(reader.unstored(pod)).isEmpty()),
                new KubeScheduler(store, facts, volumeZones, time),
                kubelets,
                new DisruptionController(store));
    }

    private void receive(Optional<ClusterEvent> fact) {
        changes++;
        fact.ifPresent(it -> {
            facts.apply(it);
            feed.accept(it);
        });
    }

    /** {@return whether the controller of a pod creates it now, as the planner expects} */
    private boolean isCreated(ObjectNode pod) {
        return Replacement.of(reader.unstored(pod), facts, new ReplicaCounts(facts)) instanceof Replacement.Created;
    }

    /** {@return why the API server refuses a new pod, as the planner expects; empty if it does not} */
    private Optional<String> refusal(Pod pod) {
        return QuotaExceededCheck.refusal(pod, pod, facts).or(() -> PodAdmission.refusal(pod, facts));
    }

    /** Runs the controllers until none has work left. */
    void settle() {
        for (int round = 0; round < ENDLESS; round++) {
            long before = changes;
            simulatedControllers.forEach(SimulatedController::reconcile);
            if (changes == before) {
                return;
            }
        }
        throw new IllegalStateException("controllers that work against each other");
    }

    /** {@return the current objects of the kinds that the operator watches} */
    ReferenceCluster facts() {
        return facts;
    }

    /** {@return the volume that a PersistentVolumeClaim is bound to} */
    ClaimedVolume volume(NamespacedName claim) {
        return volumeZones.behind(claim);
    }

    EvictionApi evictions(boolean keepsBudgets) {
        return new EvictionApi(store, time, keepsBudgets);
    }

    /** Creates or replaces objects. */
    void apply(List<ObjectNode> objects) {
        for (ObjectNode object : objects) {
            boolean node = object.path("kind").asText().equals("Node");
            store.put(node ? nodes.registered(object) : object);
        }
    }

    /** Changes labels of a node; an empty value removes the label. */
    void label(String node, Map<String, Optional<String>> labels) {
        store.edit(node(node), it -> PodObjects.label(it, labels));
    }

    /** Cordons or uncordons a node. */
    void cordon(String node, boolean closed) {
        nodes.cordon(node(node), closed);
    }

    void fail(String node) {
        nodes.fail(node(node));
    }

    void recover(String node) {
        nodes.recover(node(node));
    }

    /** Deletes a node and its pods, as a cloud provider does. */
    void end(String node) {
        store.all("Pod").stream()
                .filter(pod -> PodObjects.node(pod).filter(node::equals).isPresent())
                .forEach(store::remove);
        store.remove(node(node));
    }

    /** Changes the readiness of the only pod on a node. */
    void ready(String node, boolean ready) {
        List<ObjectNode> there = store.all("Pod").stream()
                .filter(pod -> PodObjects.node(pod).filter(node::equals).isPresent())
                .toList();
        if (there.size() != 1) {
            throw new IllegalArgumentException(there.size() + " pods on node " + node);
        }
        store.edit(there.getFirst(), it -> PodObjects.condition(it, "Ready", ready ? "True" : "False", time.instant()));
    }

    /** Sets whether the API server refuses new pods of ReplicaSets, as with an exhausted quota. */
    void refusePods(boolean refused) {
        replicaSets.refuse(refused);
    }

    /** Sets whether no image can be pulled, so that no further pod becomes Ready. */
    void withoutImages(boolean none) {
        kubelets.withoutImages(none);
    }

    /** Edits an object. */
    void edit(String kind, String namespace, String name, Consumer<ObjectNode> edit) {
        store.edit(
                store.find(new ObjectStore.Key(kind, namespace, name))
                        .orElseThrow(() -> new IllegalArgumentException("no " + kind + " " + name)),
                edit);
    }

    private ObjectNode node(String name) {
        return store.find(new ObjectStore.Key("Node", "", name))
                .orElseThrow(() -> new IllegalArgumentException("no node " + name));
    }

    /** {@return the names of the nodes that match a regular expression, sorted; throws if none matches} */
    List<String> nodes(String pattern) {
        List<String> names = store.all("Node").stream()
                .map(PodObjects::name)
                .filter(Pattern.compile(pattern).asMatchPredicate())
                .toList();
        if (names.isEmpty()) {
            throw new IllegalArgumentException("no node is called " + pattern);
        }
        return names;
    }

    /** {@return all pods} */
    List<ObjectNode> pods() {
        return store.all("Pod");
    }
}
