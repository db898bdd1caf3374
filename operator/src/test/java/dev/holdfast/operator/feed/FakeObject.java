package dev.holdfast.operator.feed;

import static dev.holdfast.operator.decode.Message.message;

import dev.holdfast.operator.decode.Message;
import dev.holdfast.operator.decode.RecordedBodies;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.NodeLifecycle;
import dev.holdfast.policies.model.Phase;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodLifecycle;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.Resources;
import dev.holdfast.policies.model.RestartPolicy;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.VictimProtection;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * An object in a {@link FakeServerState}: as the event that a feed must send, and in protobuf.
 *
 * @param key its namespace and name
 * @param id the id with which its deletion is reported: its uid or name
 * @param fact the event that reports it as changed
 * @param wire the object in protobuf
 */
record FakeObject(WatchedKind watchedKind, String key, String id, long version, ClusterEvent fact, Message wire) {
    private static final Instant CREATED = Instant.parse("2026-11-20T11:00:00Z");

    private static final NodeLifecycle ALIVE = new NodeLifecycle(true, Optional.empty(), CREATED, Optional.empty());

    private static final Map<WatchedKind, String> NAMES =
            Map.of(WatchedKind.PODS, "Pod", WatchedKind.NODES, "Node", WatchedKind.NAMESPACES, "Namespace");

    /** An object before the server gives it a version. */
    @FunctionalInterface
    interface Draft {
        FakeObject at(long version);
    }

    /** {@return a running and ready pod with a ReplicaSet of its own} */
    static Draft pod(String namespace, String name, String uid, String node, Labels labels) {
        return pod(namespace, name, uid, node, labels, Optional.empty());
    }

    static Draft pod(
            String namespace, String name, String uid, String node, Labels labels, Optional<Instant> deletionTime) {
        return version -> {
            Pod pod = new Pod(
                    uid,
                    new NamespacedName(namespace, name),
                    version,
                    labels,
                    Optional.of(node),
                    Scheduling.anywhere(),
                    PodRequirements.none(),
                    new PodLifecycle(Phase.RUNNING, true, CREATED, CREATED, deletionTime, false),
                    new VictimProtection(
                            Optional.of(new Controller("ReplicaSet", name, "rs-" + name)),
                            0,
                            RestartPolicy.ALWAYS,
                            false,
                            false,
                            false));
            Message metadata =
                    metadata(name, uid, version, labels).text(3, namespace).part(8, created());
            deletionTime.ifPresent(at -> metadata.part(9, message().number(1, at.getEpochSecond())));
            metadata.part(
                    13,
                    message()
                            .text(1, "ReplicaSet")
                            .text(3, name)
                            .text(4, "rs-" + name)
                            .number(6, 1));
            Message wire = message()
                    .part(1, metadata)
                    .part(2, message().text(3, "Always").text(10, node))
                    .part(3, message().text(1, "Running").part(2, ready()));
            return new FakeObject(
                    WatchedKind.PODS, namespace + "/" + name, uid, version, new ClusterEvent.PodChanged(pod), wire);
        };
    }

    /** {@return a ready node} */
    static Draft node(String name, Labels labels) {
        return version -> new FakeObject(
                WatchedKind.NODES,
                name,
                name,
                version,
                new ClusterEvent.NodeChanged(
                        new Node(name, "uid-" + name, version, labels, List.of(), false, ALIVE, Resources.none())),
                message()
                        .part(1, metadata(name, "uid-" + name, version, labels).part(8, created()))
                        .part(3, message().part(4, ready())));
    }

    static Draft namespace(String name, Labels labels) {
        return version -> new FakeObject(
                WatchedKind.NAMESPACES,
                name,
                name,
                version,
                new ClusterEvent.NamespaceChanged(new Namespace(name, version, labels)),
                message().part(1, metadata(name, "uid-" + name, version, labels)));
    }

    private static Message created() {
        return message().number(1, CREATED.getEpochSecond());
    }

    private static Message ready() {
        return message().text(1, "Ready").text(2, "True");
    }

    private static Message metadata(String name, String uid, long version, Labels labels) {
        Message metadata = message().text(1, name).text(5, uid).text(6, Long.toString(version));
        for (int i = 0; i < labels.size(); i++) {
            metadata.entry(11, labels.key(i), labels.value(i));
        }
        return metadata;
    }

    /**
     * {@return the object as a DELETED event shows it}
     *
     * @param end the version of the deletion
     */
    FakeObject goneAt(long end) {
        Message wire =
                message().part(1, metadata(name(), id, end, Labels.none()).text(3, "none"));
        return new FakeObject(watchedKind, key, id, end, watchedKind.gone().apply(id), wire);
    }

    private String name() {
        return key.substring(key.indexOf('/') + 1);
    }

    /**
     * {@return a watch event with this object}
     *
     * @param type {@code ADDED}, {@code MODIFIED} or {@code DELETED}
     */
    byte[] frame(String type) {
        return RecordedBodies.frame(type, RecordedBodies.envelope(kind(watchedKind), wire));
    }

    /** {@return the {@code kind} of the objects of a watched kind} */
    static String kind(WatchedKind watchedKind) {
        return Objects.requireNonNull(NAMES.get(watchedKind), watchedKind.resource());
    }
}
