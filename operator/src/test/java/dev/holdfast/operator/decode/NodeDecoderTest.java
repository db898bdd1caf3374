package dev.holdfast.operator.decode;

import static dev.holdfast.operator.decode.Message.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.policies.model.DisruptionAnnotations;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.NodeLifecycle;
import dev.holdfast.policies.model.Resources;
import dev.holdfast.policies.model.Taint;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class NodeDecoderTest {
    private static final Message NOTHING = message();

    private final NodeDecoder nodes = new NodeDecoder();
    private final NamespaceDecoder namespaces = new NamespaceDecoder();

    static Stream<Arguments> nodes() {
        return Stream.of(
                row("empty spec and status", NOTHING, NOTHING, List.of(), false, false),
                row("cordoned", message().number(4, 1), NOTHING, List.of(), true, false),
                row("explicitly not cordoned", message().number(4, 0), NOTHING, List.of(), false, false),
                row(
                        "taints",
                        message()
                                .text(1, "10.0.0.0/24")
                                .part(5, message().text(1, "k").text(2, "v").text(3, "NoSchedule"))
                                .part(
                                        5,
                                        message()
                                                .text(1, "l")
                                                .text(2, "")
                                                .text(3, "NoExecute")
                                                .part(4, NOTHING))
                                .part(5, NOTHING),
                        NOTHING,
                        List.of(
                                new Taint("k", "v", "NoSchedule"),
                                new Taint("l", "", "NoExecute"),
                                new Taint("", "", "")),
                        false,
                        false),
                row("ready", NOTHING, condition("Ready", "True"), List.of(), false, true),
                row("not ready", NOTHING, condition("Ready", "False"), List.of(), false, false),
                row("Ready is Unknown", NOTHING, condition("Ready", "Unknown"), List.of(), false, false),
                row(
                        "MemoryPressure without Ready",
                        NOTHING,
                        condition("MemoryPressure", "True"),
                        List.of(),
                        false,
                        false));
    }

    private static Arguments row(
            String name, Message spec, Message status, List<Taint> taints, boolean unschedulable, boolean ready) {
        return argumentSet(
                name,
                message().part(1, metadata()).part(2, spec).part(3, status),
                new Node(
                        "n1",
                        "u-1",
                        12,
                        Labels.of("zone", "a"),
                        taints,
                        unschedulable,
                        new NodeLifecycle(ready, Optional.empty(), Instant.EPOCH, Optional.empty()),
                        Resources.none()));
    }

    private static Message condition(String type, String status) {
        return message().part(4, message().text(1, type).text(2, status));
    }

    @ParameterizedTest
    @MethodSource("nodes")
    void nodes(Message node, Node expected) throws MalformedException {
        assertThat(nodes.decode(new ByteSlice(node.bytes()))).isEqualTo(expected);
    }

    static Stream<Arguments> lifecycles() {
        return Stream.of(
                argumentSet("no condition", NOTHING, NodeLifecycle.Condition.NONE),
                lifecycle("GracefulNodeShutdownInProgress", NodeLifecycle.Condition.GRACEFUL_NODE_SHUTDOWN_IN_PROGRESS),
                lifecycle("DrainInProgress", NodeLifecycle.Condition.DRAIN_IN_PROGRESS),
                lifecycle("Drained", NodeLifecycle.Condition.DRAINED),
                lifecycle("MaintenanceInProgress", NodeLifecycle.Condition.MAINTENANCE_IN_PROGRESS),
                lifecycle("MaintenancePlanned", NodeLifecycle.Condition.MAINTENANCE_PLANNED),
                lifecycle("DrainedOnce", NodeLifecycle.Condition.NONE),
                lifecycle("None", NodeLifecycle.Condition.NONE),
                lifecycle("Unknown", NodeLifecycle.Condition.NONE),
                argumentSet("Drained is False", condition("Drained", "False"), NodeLifecycle.Condition.NONE),
                argumentSet("Drained is Unknown", condition("Drained", "Unknown"), NodeLifecycle.Condition.UNKNOWN),
                argumentSet(
                        "Drained is true, in lower case",
                        condition("Drained", "true"),
                        NodeLifecycle.Condition.UNKNOWN),
                argumentSet(
                        "MaintenancePlanned without a status",
                        message().part(4, message().text(1, "MaintenancePlanned")),
                        NodeLifecycle.Condition.UNKNOWN),
                argumentSet(
                        "the first in order counts, whatever the order on the wire",
                        conditions("MaintenancePlanned", "True", "Drained", "True", "DrainInProgress", "True"),
                        NodeLifecycle.Condition.DRAIN_IN_PROGRESS),
                argumentSet(
                        "one that is True counts, and not an earlier one that is Unknown or False",
                        conditions("DrainInProgress", "False", "Drained", "Unknown", "MaintenancePlanned", "True"),
                        NodeLifecycle.Condition.MAINTENANCE_PLANNED),
                argumentSet(
                        "the status before the type",
                        message().part(4, message().text(2, "True").text(1, "Drained")),
                        NodeLifecycle.Condition.DRAINED),
                argumentSet(
                        "one twice: what closes the node counts",
                        conditions("Drained", "True", "Drained", "False"),
                        NodeLifecycle.Condition.DRAINED));
    }

    private static Arguments lifecycle(String type, NodeLifecycle.Condition expected) {
        return argumentSet(type + " is True", condition(type, "True"), expected);
    }

    private static Message conditions(String... typesAndStatuses) {
        Message status = message();
        for (int i = 0; i < typesAndStatuses.length; i += 2) {
            status.part(4, message().text(1, typesAndStatuses[i]).text(2, typesAndStatuses[i + 1]));
        }
        return status;
    }

    @ParameterizedTest
    @MethodSource("lifecycles")
    void lifecycles(Message status, NodeLifecycle.Condition expected) throws MalformedException {
        Node node = nodes.decode(
                new ByteSlice(message().part(1, metadata()).part(3, status).bytes()));

        assertThat(node.life().condition()).isEqualTo(expected);
    }

    @Test
    void noLifecycleConditionIsLeftOfTheNodeBefore() throws MalformedException {
        nodes.decode(new ByteSlice(message()
                .part(1, metadata())
                .part(3, condition("Drained", "True"))
                .bytes()));

        Node bare = nodes.decode(new ByteSlice(message().part(1, metadata()).bytes()));

        assertThat(bare.life().condition()).isEqualTo(NodeLifecycle.Condition.NONE);
    }

    @Test
    void whatANodeHasForPodsAndSinceAndUntilWhen() throws MalformedException {
        Message status = message()
                .part(1, amount("cpu", "32"))
                .part(2, amount("cpu", "31500m"))
                .part(2, amount("memory", "1Gi"))
                .part(2, amount("pods", "110"))
                .part(2, amount("ephemeral-storage", "100G"))
                .part(2, amount("example.com/gpu", "2"))
                .part(
                        4,
                        message()
                                .part(4, message().number(1, 90))
                                .text(1, "Ready")
                                .text(2, "False"))
                .part(4, message().text(1, "DiskPressure").part(4, message().number(1, 99)));

        Node node = nodes.decode(new ByteSlice(message()
                .part(
                        1,
                        metadata()
                                .part(8, message().number(1, 60))
                                .part(9, message().number(1, 120)))
                .part(3, status)
                .bytes()));

        assertThat(node.allocatable())
                .isEqualTo(new Resources(31_500, 1L << 30, 100_000_000_000L, 110, Map.of("example.com/gpu", 2L)));
        assertThat(node.life())
                .isEqualTo(new NodeLifecycle(
                        false,
                        Optional.of(Instant.ofEpochSecond(90)),
                        Instant.ofEpochSecond(60),
                        Optional.of(Instant.ofEpochSecond(120))));
    }

    @Test
    void withoutAllocatableTheCapacityIsForPods() throws MalformedException {
        Message status = message().part(1, amount("cpu", "32")).part(1, amount("pods", "110"));

        assertThat(nodes.decode(new ByteSlice(
                                message().part(1, metadata()).part(3, status).bytes()))
                        .allocatable())
                .isEqualTo(new Resources(32_000, 0, 0, 110, Map.of()));
    }

    private static Message amount(String name, String quantity) {
        return message().text(1, name).part(2, message().text(1, quantity));
    }

    @Test
    void aNodeWithTooManyLabelsOrTaintsIsReadInPart() throws MalformedException {
        String zone = "topology.kubernetes.io/zone";
        String hostname = "kubernetes.io/hostname";
        Message labels = metadata().entry(11, zone, "z1").entry(11, hostname, "n1");
        Message taints = message();
        Message longTaints = message();
        for (int i = 0; i < NodeDecoder.MOST_LABELS; i++) {
            labels.entry(11, "k" + i, "");
        }
        for (int i = 0; i < 320; i++) {
            taints.part(5, message().text(1, "k" + i).text(3, "NoSchedule"));
        }
        for (int i = 0; i < 9; i++) {
            longTaints.part(5, message().text(1, i + "k".repeat(999)).text(3, "NoSchedule"));
        }

        Node labelled = nodes.decode(new ByteSlice(message().part(1, labels).bytes()));
        Node tainted = nodes.decode(new ByteSlice(message()
                .part(1, metadata().entry(11, zone, "z1"))
                .part(2, taints)
                .bytes()));

        Node longTainted = nodes.decode(
                new ByteSlice(message().part(1, metadata()).part(2, longTaints).bytes()));

        assertThat(labelled.tooComplex()).contains("it has 1,026 labels, and Holdfast reads at most 1,024");
        assertThat(labelled.labels()).isEqualTo(Labels.of(zone, "z1", hostname, "n1"));
        assertThat(tainted.labels()).isEqualTo(Labels.of(zone, "z1"));
        assertThat(tainted.tooComplex())
                .contains("it has 320 taints and extended resources, and Holdfast reads at most 64");
        assertThat(longTainted.tooComplex())
                .contains("it has 9,000 characters in its taints and extended resources, and Holdfast reads at most"
                        + " 4,096");
        assertThat(longTainted.taints()).isEmpty();
        assertThat(tainted.taints()).isEmpty();
    }

    @Test
    void nothingIsLeftOfTheNodeBefore() throws MalformedException {
        Message bare = message().part(1, metadata());
        Node expected = nodes.decode(new ByteSlice(bare.bytes()));
        nodes.decode(new ByteSlice(message()
                .part(1, metadata().part(9, message().number(1, 120)))
                .part(2, message().number(4, 1).part(5, NOTHING))
                .part(3, condition("Ready", "True").part(2, amount("cpu", "1")))
                .bytes()));

        assertThat(nodes.decode(new ByteSlice(bare.bytes()))).isEqualTo(expected);
    }

    @Test
    void aNamespace() throws MalformedException {
        assertThat(namespaces.decode(new ByteSlice(message()
                        .part(1, metadata())
                        .part(2, message().text(1, "kubernetes"))
                        .part(3, message().text(1, "Active"))
                        .bytes())))
                .isEqualTo(new Namespace("n1", 12, Labels.of("zone", "a")));
    }

    @Test
    void whatTheAnnotationsOfANamespaceAskForItsPods() throws MalformedException {
        ByteSlice namespace = new ByteSlice(message()
                .part(1, metadata().entry(12, "holdfast.dev/keep", "true"))
                .bytes());

        assertThat(namespaces.decode(namespace).disruptionAnnotations())
                .isEqualTo(DisruptionAnnotations.of(Map.of("holdfast.dev/keep", "true")));
    }

    @Test
    void whatANamespaceAcknowledges() throws MalformedException {
        String ids = "disk@1," + "x".repeat(1 << 20);
        ByteSlice namespace = new ByteSlice(message()
                .part(1, metadata().entry(12, "holdfast.dev/acknowledge", ids))
                .bytes());

        assertThat(namespaces.decode(namespace).disruptionAnnotations().acknowledged())
                .containsExactlyInAnyOrder("disk@1", "x".repeat(1_024 - "disk@1,".length()));
    }

    static Stream<Arguments> incomplete() {
        return Stream.of(
                argumentSet("no metadata", message(), "byte 0: an object without a name"),
                argumentSet(
                        "no name",
                        message().part(1, message().text(6, "1").text(5, "u")),
                        "byte 0: an object without a name"),
                argumentSet(
                        "no resourceVersion",
                        message().part(1, message().text(1, "n1").text(5, "u")),
                        "byte 0: an object without a resourceVersion"));
    }

    @ParameterizedTest
    @MethodSource("incomplete")
    void whatEveryObjectHasMustBeThere(Message object, String message) {
        assertThatExceptionOfType(MalformedException.class)
                .isThrownBy(() -> nodes.decode(new ByteSlice(object.bytes())))
                .withMessage(message);
        assertThatExceptionOfType(MalformedException.class)
                .isThrownBy(() -> namespaces.decode(new ByteSlice(object.bytes())))
                .withMessage(message);
    }

    private static Message metadata() {
        return message().text(1, "n1").text(3, "").text(5, "u-1").text(6, "12").entry(11, "zone", "a");
    }

    @Test
    void theLabelsOfANamespaceWithTooManyAreUnread() throws MalformedException {
        Message most = metadata();
        for (int i = 0; i < 127; i++) {
            most.entry(11, "k" + i, "");
        }
        Namespace read = namespaces.decode(new ByteSlice(message().part(1, most).bytes()));
        Namespace unread = namespaces.decode(
                new ByteSlice(message().part(1, most.entry(11, "more", "")).bytes()));

        assertThat(read.labels().size()).isEqualTo(128);
        assertThat(unread.labels()).isEqualTo(Labels.unread());
    }
}
