package dev.holdfast.operator.api;

import static dev.holdfast.operator.decode.Message.message;
import static dev.holdfast.operator.decode.RecordedBodies.envelope;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.decode.Message;
import dev.holdfast.operator.feed.WebSocketApiServer;
import dev.holdfast.operator.feed.WebSocketApiServer.Reply;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.model.ClaimedVolume;
import dev.holdfast.policies.model.CsiVolume;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.NodeSelector;
import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.model.Requirement;
import dev.holdfast.policies.model.VolumeReach;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of the reads of a PersistentVolumeClaim and of its volume, with all errors. */
class ClaimReadTest {
    private static final NamespacedName CLAIM = new NamespacedName("shop", "data-db-0");
    private static final String CLAIM_PATH = "/api/v1/namespaces/shop/persistentvolumeclaims/data-db-0";
    private static final String VOLUME_PATH = "/api/v1/persistentvolumes/pv-1";
    private static final String CLASS_PATH = "/apis/storage.k8s.io/v1/storageclasses/fast";
    private static final String MISSING_RIGHT =
            "the right to get persistentvolumeclaims, persistentvolumes and storageclasses.storage.k8s.io is missing:"
                    + " grant it to User \"nobody\"";

    private final Map<String, Reply> replies = new ConcurrentHashMap<>();
    private final WebSocketApiServer server = new WebSocketApiServer(
            request -> replies.getOrDefault(request.target(), new Reply.Refuses(404, "", status(404, "not found"))));
    private final ClusterReader reader = new ClusterReader(server.connection(), Duration.ofSeconds(20));

    private static byte[] status(int code, String message) {
        return envelope("Status", message().text(2, "Failure").text(3, message).number(6, code));
    }

    private static Reply says(String kind, Message object) {
        return new Reply.Refuses(200, "", envelope(kind, object));
    }

    private static Reply forbidden() {
        return new Reply.Refuses(403, "", status(403, "no, User \"nobody\""));
    }

    private static Message metadata() {
        return message().text(1, "any").text(5, "uid").text(6, "7");
    }

    /**
     * {@return a response with a PersistentVolumeClaim whose spec also has a size and a storage class around the
     * volume's name}
     */
    private static Reply claim(String volume) {
        return says(
                "PersistentVolumeClaim",
                message()
                        .part(1, metadata())
                        .part(
                                2,
                                message()
                                        .text(1, "ReadWriteOnce")
                                        .text(3, volume)
                                        .text(5, "fast"))
                        .part(3, message().text(1, "Bound")));
    }

    private static Reply claimOfClass(String storageClass) {
        return says(
                "PersistentVolumeClaim",
                message().part(1, metadata()).part(2, message().text(5, storageClass)));
    }

    private static Reply claimOfPod(String storageClass) {
        Message owner = message()
                .text(1, "Pod")
                .text(3, "db-0")
                .text(4, "uid-db-0")
                .text(5, "v1")
                .number(6, 1);
        return says(
                "PersistentVolumeClaim",
                message()
                        .part(1, metadata().part(13, owner))
                        .part(2, message().text(3, "pv-1").text(5, storageClass)));
    }

    private static Reply terminating() {
        return says(
                "PersistentVolumeClaim",
                message()
                        .part(1, metadata().part(9, message().number(1, 1_700_000_000)))
                        .part(2, message().text(3, "pv-1")));
    }

    private static Reply lost() {
        return says(
                "PersistentVolumeClaim",
                message()
                        .part(1, metadata())
                        .part(2, message().text(3, "pv-1"))
                        .part(3, message().text(1, "Lost")));
    }

    /** {@return a response with a StorageClass for zone a} */
    private static Reply storageClass(String provisioner, boolean waits) {
        Message zone = message().part(1, message().text(1, "zone").text(2, "a"));
        return says(
                "StorageClass",
                message()
                        .part(1, metadata())
                        .text(2, provisioner)
                        .text(7, waits ? "WaitForFirstConsumer" : "Immediate")
                        .part(8, zone));
    }

    /** {@return a response with a CSI volume that has a zone label} */
    private static Reply zonal(String zone) {
        Message label = message().text(1, "topology.kubernetes.io/zone").text(2, zone);
        Message csi = message().text(1, "example.com").text(2, "vol-1");
        return says(
                "PersistentVolume",
                message()
                        .part(1, metadata().part(11, label))
                        .part(2, message().part(2, message().part(22, csi))));
    }

    private static Reply volume(Message spec) {
        return says("PersistentVolume", message().part(1, metadata()).part(2, spec.text(5, "Delete")));
    }

    private static Message inZoneAOrB() {
        Message required = message().part(1, term("zone", "a")).part(1, term("zone", "b"));
        return message().part(9, message().part(1, required));
    }

    private static Message term(String key, String value) {
        return message().part(1, message().text(1, key).text(2, "In").text(3, value));
    }

    static Stream<Arguments> answers() {
        return Stream.of(
                argumentSet(
                        "a volume for two zones",
                        Map.of(CLAIM_PATH, claim("pv-1"), VOLUME_PATH, volume(inZoneAOrB())),
                        new ClaimedVolume.Bound(
                                "pv-1",
                                VolumeReach.of(new NodeSelector(List.of(in("zone", "a"), in("zone", "b")))),
                                Optional.empty())),
                argumentSet(
                        "a volume with zone labels and a CSI driver",
                        Map.of(CLAIM_PATH, claim("pv-1"), VOLUME_PATH, zonal("a__b")),
                        new ClaimedVolume.Bound(
                                "pv-1",
                                new VolumeReach(
                                        Optional.empty(), Map.of("topology.kubernetes.io/zone", Set.of("a", "b"))),
                                Optional.of(new CsiVolume("example.com", "vol-1")))),
                argumentSet(
                        "a zone label without a value between its separators: it does not count",
                        Map.of(CLAIM_PATH, claim("pv-1"), VOLUME_PATH, zonal("a____b")),
                        new ClaimedVolume.Bound(
                                "pv-1", VolumeReach.everywhere(), Optional.of(new CsiVolume("example.com", "vol-1")))),
                argumentSet(
                        "a volume without node affinity",
                        Map.of(CLAIM_PATH, claim("pv-1"), VOLUME_PATH, volume(message())),
                        new ClaimedVolume.Bound("pv-1", VolumeReach.everywhere(), Optional.empty())),
                argumentSet(
                        "a claim that its pod owns: its volume is not read",
                        Map.of(CLAIM_PATH, claimOfPod("fast"), CLASS_PATH, storageClass("example.com", true)),
                        new ClaimedVolume.OnDemand(
                                "fast", VolumeReach.of(new NodeSelector(List.of(in("zone", "a")))), "example.com")),
                argumentSet(
                        "a claim that its pod owns, of a class that binds at once and whose volumes every node can use",
                        Map.of(
                                CLAIM_PATH,
                                claimOfPod("fast"),
                                CLASS_PATH,
                                storageClass("example.com", false),
                                VOLUME_PATH,
                                volume(message())),
                        new ClaimedVolume.OnDemand("fast", VolumeReach.everywhere(), "example.com")),
                unreadable(
                        "a claim that its pod owns, of a class that binds at once to volumes of two zones",
                        Map.of(
                                CLAIM_PATH,
                                claimOfPod("fast"),
                                CLASS_PATH,
                                storageClass("example.com", false),
                                VOLUME_PATH,
                                volume(inZoneAOrB())),
                        "its StorageClass fast makes the volume before the pod has a node (volumeBindingMode:"
                                + " Immediate), and which nodes can use it is unknown"),
                unreadable(
                        "a claim that its pod owns, of a class whose volumes are made by hand",
                        Map.of(
                                CLAIM_PATH,
                                claimOfPod("fast"),
                                CLASS_PATH,
                                storageClass("kubernetes.io/no-provisioner", true)),
                        "its StorageClass fast makes no volumes on demand"),
                unreadable(
                        "a claim that its pod owns, of a class that is gone",
                        Map.of(CLAIM_PATH, claimOfPod("fast")),
                        "its StorageClass fast does not exist"),
                unreadable(
                        "a claim that its pod owns, without a class",
                        Map.of(CLAIM_PATH, claimOfPod("")),
                        "it has no StorageClass that makes volumes on demand"),
                unreadable("a claim that is being deleted", Map.of(CLAIM_PATH, terminating()), "it is being deleted"),
                unreadable(
                        "a claim whose volume is lost",
                        Map.of(CLAIM_PATH, lost(), VOLUME_PATH, volume(message())),
                        "it is bound to volume pv-1, which does not exist"),
                unreadable("no claim", Map.of(), "there is no such claim"),
                unreadable("a claim that is not bound", Map.of(CLAIM_PATH, claim("")), "it is not bound to a volume"),
                argumentSet(
                        "a claim that waits for its first pod: its StorageClass makes volumes for zone a",
                        Map.of(CLAIM_PATH, claimOfClass("fast"), CLASS_PATH, storageClass("example.com", true)),
                        new ClaimedVolume.OnDemand(
                                "fast", VolumeReach.of(new NodeSelector(List.of(in("zone", "a")))), "example.com")),
                unreadable(
                        "a claim that is not bound, of a class that binds at once",
                        Map.of(CLAIM_PATH, claimOfClass("fast"), CLASS_PATH, storageClass("example.com", false)),
                        "it is not bound to a volume"),
                unreadable(
                        "a claim that is not bound, of a class whose volumes are made by hand",
                        Map.of(
                                CLAIM_PATH,
                                claimOfClass("fast"),
                                CLASS_PATH,
                                storageClass("kubernetes.io/no-provisioner", true)),
                        "it is not bound to a volume"),
                unreadable(
                        "a volume that is gone",
                        Map.of(CLAIM_PATH, claim("pv-1")),
                        "it is bound to volume pv-1, which does not exist"),
                unreadable("a claim that may not be read", Map.of(CLAIM_PATH, forbidden()), MISSING_RIGHT),
                unreadable(
                        "a volume that may not be read",
                        Map.of(CLAIM_PATH, claim("pv-1"), VOLUME_PATH, forbidden()),
                        MISSING_RIGHT));
    }

    private static NodeSelectorTerm in(String key, String value) {
        return new NodeSelectorTerm(List.of(new Requirement(key, "In", List.of(value))), List.of());
    }

    private static Arguments unreadable(String name, Map<String, Reply> replies, String why) {
        return argumentSet(name, replies, new ClaimedVolume.Unreadable(why));
    }

    @AfterEach
    void close() {
        reader.close();
        server.close();
    }

    @ParameterizedTest
    @MethodSource("answers")
    void whatStandsBehindAClaimIsToldOrWhyItIsUnknown(Map<String, Reply> answers, ClaimedVolume expected) {
        replies.putAll(answers);

        assertThat(reader.volume(new Effect.ReadClaim(CLAIM))).isEqualTo(new Event.ClaimRead(CLAIM, expected));
    }
}
