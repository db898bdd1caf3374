package dev.holdfast.operator.decode;

import static dev.holdfast.operator.decode.Message.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.DisruptionAnnotations;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.StatefulSetRevisions;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class OwnerDecoderTest {
    private static final Message NOTHING = message();

    private final OwnerDecoder replicaSets = OwnerDecoder.ofReplicaSets();
    private final OwnerDecoder statefulSets = OwnerDecoder.ofStatefulSets();

    static Stream<Arguments> owners() {
        OwnerDecoder replicaSets = OwnerDecoder.ofReplicaSets();
        OwnerDecoder statefulSets = OwnerDecoder.ofStatefulSets();
        OwnerDecoder jobs = OwnerDecoder.ofJobs();
        return Stream.of(
                row("a ReplicaSet of 3", replicaSets, message().number(1, 3), "ReplicaSet", OptionalInt.of(3)),
                row("a StatefulSet of 3", statefulSets, message().number(1, 3), "StatefulSet", OptionalInt.of(3)),
                row("0 replicas is a number", replicaSets, message().number(1, 0), "ReplicaSet", OptionalInt.of(0)),
                row("an empty spec", replicaSets, NOTHING, "ReplicaSet", OptionalInt.empty()),
                row(
                        "between fields that are not read",
                        statefulSets,
                        message()
                                .part(2, message().entry(1, "app", "web"))
                                .part(3, message().part(2, NOTHING))
                                .number(1, 7)
                                .text(5, "service"),
                        "StatefulSet",
                        OptionalInt.of(7)),
                row(
                        "a Deployment, whose ReplicaSets have the replicas",
                        OwnerDecoder.ofDeployments(),
                        message().number(1, 3),
                        "Deployment",
                        OptionalInt.empty()),
                row(
                        "a Job, whose field 1 is its parallelism",
                        jobs,
                        message().number(1, 3).number(2, 5),
                        "Job",
                        OptionalInt.empty()));
    }

    private static Arguments row(String name, OwnerDecoder decoder, Message spec, String kind, OptionalInt replicas) {
        Owner expected = new Owner(
                "u-1",
                kind,
                new NamespacedName("shop", "web"),
                Optional.empty(),
                replicas,
                DisruptionAnnotations.none(),
                kind.equals("StatefulSet")
                        ? Optional.of(new StatefulSetRevisions(false, false, 0, 0, "", ""))
                        : Optional.empty());
        return argumentSet(name, decoder, message().part(1, metadata()).part(2, spec), expected);
    }

    @ParameterizedTest
    @MethodSource("owners")
    void howManyPodsItWants(OwnerDecoder decoder, Message object, Owner expected) throws MalformedException {
        assertThat(decode(decoder, object)).isEqualTo(new Versioned<>(4711, expected));
    }

    @Test
    void theRevisionsOfAStatefulSet() throws MalformedException {
        Message generation = metadata().number(7, 4);
        Message spec = message()
                .part(7, message().text(1, "RollingUpdate").part(2, message().number(1, 2)))
                .part(11, message().number(1, 5));
        Message status = message().number(1, 4).number(4, 1).text(6, "web-1").text(7, "web-2");
        Message onDelete = message().part(7, message().text(1, "OnDelete"));

        assertThat(decode(
                                statefulSets,
                                message().part(1, generation).part(2, spec).part(3, status))
                        .object()
                        .revisions())
                .contains(new StatefulSetRevisions(true, false, 2, 5, "web-1", "web-2"));
        assertThat(decode(statefulSets, message().part(1, generation).part(2, onDelete))
                        .object()
                        .revisions())
                .contains(new StatefulSetRevisions(false, true, 0, 0, "", ""));
        assertThat(decode(replicaSets, message().part(1, generation).part(3, status))
                        .object()
                        .revisions())
                .isEmpty();
    }

    @Test
    void withoutASpecItSaysNothingOfReplicas() throws MalformedException {
        assertThat(decode(replicaSets, message().part(1, metadata())).object().replicas())
                .isEmpty();
    }

    @Test
    void whatItsAnnotationsAskForItsPods() throws MalformedException {
        Message kept = metadata().entry(12, "a", "b").entry(12, "holdfast.dev/keep", "true");

        assertThat(decode(replicaSets, message().part(1, kept)).object().disruptionAnnotations())
                .isEqualTo(DisruptionAnnotations.of(Map.of("holdfast.dev/keep", "true")));
        assertThat(decode(replicaSets, message().part(1, metadata())).object().disruptionAnnotations())
                .isEqualTo(DisruptionAnnotations.none());
    }

    @Test
    void whoControlsIt() throws MalformedException {
        Message owned = metadata()
                .part(13, message().text(1, "ConfigMap").text(3, "c").text(4, "u-c"))
                .part(
                        13,
                        message()
                                .text(1, "Deployment")
                                .text(3, "d")
                                .text(4, "u-0")
                                .number(6, 1));

        assertThat(decode(replicaSets, message().part(1, owned)).object().controller())
                .contains(new Controller("Deployment", "d", "u-0"));
    }

    @Test
    void nothingIsLeftOfTheOneBefore() throws MalformedException {
        Message bare = message().part(1, metadata());
        Versioned<Owner> expected = decode(replicaSets, bare);
        decode(
                replicaSets,
                message()
                        .part(
                                1,
                                metadata()
                                        .part(
                                                13,
                                                message().text(1, "Deployment").number(6, 1)))
                        .part(2, message().number(1, 3)));

        assertThat(decode(replicaSets, bare)).isEqualTo(expected);
    }

    static Stream<Arguments> incomplete() {
        return Stream.of(
                argumentSet("no metadata", message(), "an object without a uid"),
                argumentSet("no uid", metadata("web", "shop", "", "1"), "an object without a uid"),
                argumentSet("no name", metadata("", "shop", "u-1", "1"), "an object without a name"),
                argumentSet("no namespace", metadata("web", "", "u-1", "1"), "an object without a namespace"),
                argumentSet(
                        "no resourceVersion",
                        message()
                                .part(
                                        1,
                                        message().text(1, "web").text(3, "shop").text(5, "u-1")),
                        "an object without a resourceVersion"));
    }

    @ParameterizedTest
    @MethodSource("incomplete")
    void whatEveryObjectHasMustBeThere(Message object, String what) {
        assertThatExceptionOfType(MalformedException.class)
                .isThrownBy(() -> decode(replicaSets, object))
                .withMessage("byte 0: " + what);
        assertThatExceptionOfType(MalformedException.class)
                .isThrownBy(() -> new BudgetDecoder().decode(new ByteSlice(object.bytes())))
                .withMessage("byte 0: " + what);
    }

    @Test
    void aNumberOfPodsThatIsNoneIsRefused() {
        assertThatExceptionOfType(MalformedException.class)
                .isThrownBy(() -> decode(
                        replicaSets,
                        message().part(1, metadata()).part(2, message().number(1, 1L << 31))))
                .withMessageEndingWith("field 1 is 2147483648, which has more than 32 bits");
    }

    private static Versioned<Owner> decode(OwnerDecoder decoder, Message object) throws MalformedException {
        return decoder.decode(new ByteSlice(object.bytes()));
    }

    private static Message metadata(String name, String namespace, String uid, String version) {
        return message()
                .part(1, message().text(1, name).text(3, namespace).text(5, uid).text(6, version));
    }

    private static Message metadata() {
        return message()
                .text(1, "web")
                .text(3, "shop")
                .text(5, "u-1")
                .text(6, "4711")
                .number(7, 2);
    }
}
