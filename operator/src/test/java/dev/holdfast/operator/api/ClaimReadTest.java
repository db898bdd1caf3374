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
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.NodeSelector;
import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.model.Requirement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    private static final String MISSING_RIGHT =
            "the right to get persistentvolumeclaims and persistentvolumes is missing: grant it to User \"nobody\"";

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

    private static Reply claimOfPod() {
        Message owner = message()
                .text(1, "Pod")
                .text(3, "db-0")
                .text(4, "uid-db-0")
                .text(5, "v1")
                .number(6, 1);
        return says(
                "PersistentVolumeClaim",
                message().part(1, metadata().part(13, owner)).part(2, message().text(3, "pv-1")));
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
                                "pv-1", Optional.of(new NodeSelector(List.of(in("zone", "a"), in("zone", "b")))))),
                argumentSet(
                        "a volume without node affinity",
                        Map.of(CLAIM_PATH, claim("pv-1"), VOLUME_PATH, volume(message())),
                        new ClaimedVolume.Bound("pv-1", Optional.empty())),
                argumentSet(
                        "a claim that its pod owns: its volume is not read",
                        Map.of(CLAIM_PATH, claimOfPod()),
                        new ClaimedVolume.Ephemeral()),
                unreadable("no claim", Map.of(), "there is no such claim"),
                unreadable("a claim that is not bound", Map.of(CLAIM_PATH, claim("")), "it is not bound to a volume"),
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
    void whatStandsBehindAClaimIsToldOrWhyNobodyKnows(Map<String, Reply> answers, ClaimedVolume expected) {
        replies.putAll(answers);

        assertThat(reader.volume(new Effect.ReadClaim(CLAIM))).isEqualTo(new Event.ClaimRead(CLAIM, expected));
    }
}
