package dev.holdfast.policies.plan.capacity;

import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.node;
import static dev.holdfast.policies.testing.NodeTraits.allocatable;
import static dev.holdfast.policies.testing.PodTraits.needing;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.phase;
import static dev.holdfast.policies.testing.PodTraits.terminating;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.model.HostPort;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Phase;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.Resources;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.PodTrait;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests whether node n1, with 4 cores, 100 bytes of memory and of disk, 2 GPUs and 3 pods, has room for one more pod.
 */
class ResourceFitTest {
    private static final String GPU = "example.com/gpu";
    private static final Resources ALLOCATABLE = new Resources(4_000, 100, 100, 3, Map.of(GPU, 2L));
    private static final String SHORT_OF_CPU = "short of cpu";
    private static final PendingMoves NO_MOVES = PendingMoves.NONE;
    private static final String PORT_IN_USE = "with a host port of the pod in use";

    /**
     * One case.
     *
     * @param cluster has node n1 with the other pods
     * @param podRequirements the requirements of the pod that needs room
     * @param expected the objection to node n1; empty if it has room
     */
    record Row(ClusterBuilder cluster, PodRequirements podRequirements, Optional<String> expected) {}

    private static Arguments row(String name, PodRequirements podRequirements, String expected, PodTrait... others) {
        ClusterBuilder cluster = cluster().node("n1", allocatable(ALLOCATABLE));
        for (int i = 0; i < others.length; i++) {
            cluster.pod("other-" + i, on("n1"), others[i]);
        }
        return argumentSet(
                name, new Row(cluster, podRequirements, Optional.of(expected).filter(it -> !it.isEmpty())));
    }

    private static PodRequirements requests(Resources requests) {
        return new PodRequirements(requests, requests, List.of(), List.of());
    }

    private static PodRequirements cpu(long milliCpu) {
        return requests(new Resources(milliCpu, 0, 0, 0, Map.of()));
    }

    private static PodRequirements memory(long bytes) {
        return requests(new Resources(0, bytes, 0, 0, Map.of()));
    }

    private static PodRequirements disk(long bytes) {
        return requests(new Resources(0, 0, bytes, 0, Map.of()));
    }

    private static PodRequirements other(String name, long pieces) {
        return requests(new Resources(0, 0, 0, 0, Map.of(name, pieces)));
    }

    private static PodRequirements port(String ip, int port, String protocol) {
        return new PodRequirements(
                Resources.none(), Resources.none(), List.of(new HostPort(ip, port, protocol)), List.of());
    }

    static Stream<Arguments> rows() {
        PodTrait half = needing(cpu(3_500));
        PodTrait idle = needing(PodRequirements.none());
        return Stream.of(
                row(
                        "a pod with unread host ports, and one that needs a port",
                        port("0.0.0.0", 80, "TCP"),
                        PORT_IN_USE,
                        needing(PodRequirements.none().withUnreadHostPorts())),
                row(
                        "a pod with unread host ports, and one that needs none",
                        cpu(4_000),
                        "",
                        needing(PodRequirements.none().withUnreadHostPorts())),
                row(
                        "a pod with unread extended resources, and one that needs a GPU",
                        other(GPU, 1),
                        "short of example.com/gpu",
                        needing(PodRequirements.none().withUnreadResources())),
                row(
                        "a pod with unread extended resources, whose CPU is known, and one that needs 0.5",
                        cpu(500),
                        "",
                        needing(cpu(3_500).withUnreadResources())),
                row(
                        "a pod with unread extended resources, whose CPU is known, and one that needs 0.501",
                        cpu(501),
                        SHORT_OF_CPU,
                        needing(cpu(3_500).withUnreadResources())),
                row("3.5 of 4 cores are taken, and 0.5 fit", cpu(500), "", half),
                row("3.5 of 4 cores are taken, and 0.501 do not fit", cpu(501), SHORT_OF_CPU, half),
                row(
                        "3.5 and 1 of 4 cores are taken, and 0.001 do not fit",
                        cpu(1),
                        SHORT_OF_CPU,
                        half,
                        needing(cpu(1_000))),
                row(
                        "a resource that the pod does not request may be overcommitted",
                        memory(100),
                        "",
                        half,
                        needing(cpu(1_000))),
                row("90 of 100 bytes are taken, and 10 fit", memory(10), "", needing(memory(90))),
                row("90 of 100 bytes are taken, and 11 do not fit", memory(11), "short of memory", needing(memory(90))),
                row("90 bytes of disk are taken, and 10 fit", disk(10), "", needing(disk(90))),
                row(
                        "90 bytes of disk are taken, and 11 do not fit",
                        disk(11),
                        "short of ephemeral-storage",
                        needing(disk(90))),
                row("one of two GPUs is taken, and one fits", other(GPU, 1), "", needing(other(GPU, 1))),
                row(
                        "both GPUs are taken",
                        other(GPU, 1),
                        "short of example.com/gpu",
                        needing(other(GPU, 1)),
                        needing(other(GPU, 1))),
                row("0 GPUs always fit", other(GPU, 0), "", needing(other(GPU, 2))),
                row(
                        "a resource that the node does not have does not fit",
                        other("example.com/fpga", 1),
                        "short of example.com/fpga"),
                row("two of three pods: one more fits", PodRequirements.none(), "", idle, idle),
                row(
                        "three of three pods: none fits, even without requests",
                        PodRequirements.none(),
                        "short of pods",
                        idle,
                        idle,
                        idle),
                row("a finished pod uses nothing", cpu(4_000), "", pod -> {
                    half.of(pod);
                    phase(Phase.SUCCEEDED).of(pod);
                }),
                row("a terminating pod still uses its requests", cpu(4_000), SHORT_OF_CPU, pod -> {
                    half.of(pod);
                    terminating(Instant.EPOCH).of(pod);
                }),
                row(
                        "the reserved resources of a resized pod count, not its requests",
                        cpu(1_000),
                        SHORT_OF_CPU,
                        needing(new PodRequirements(
                                cpu(500).requests(), cpu(3_500).reserved(), List.of(), List.of()))),
                row(
                        "the requests of two pods together overflow a long",
                        cpu(1),
                        SHORT_OF_CPU,
                        needing(cpu(Long.MAX_VALUE)),
                        needing(cpu(Long.MAX_VALUE))),
                row(
                        "another pod has the port",
                        port("0.0.0.0", 80, "TCP"),
                        PORT_IN_USE,
                        needing(port("0.0.0.0", 80, "TCP"))),
                row(
                        "another pod has the port on one address",
                        port("0.0.0.0", 80, "TCP"),
                        PORT_IN_USE,
                        needing(port("10.0.0.1", 80, "TCP"))),
                row(
                        "another pod has the port on every address",
                        port("10.0.0.1", 80, "TCP"),
                        PORT_IN_USE,
                        needing(port("0.0.0.0", 80, "TCP"))),
                row(
                        "another pod has the port on the same address",
                        port("10.0.0.1", 80, "TCP"),
                        PORT_IN_USE,
                        needing(port("10.0.0.1", 80, "TCP"))),
                row(
                        "another pod has the port on another address",
                        port("10.0.0.2", 80, "TCP"),
                        "",
                        needing(port("10.0.0.1", 80, "TCP"))),
                row(
                        "another pod has the port of another protocol",
                        port("0.0.0.0", 80, "UDP"),
                        "",
                        needing(port("0.0.0.0", 80, "TCP"))),
                row(
                        "another pod has another port",
                        port("0.0.0.0", 81, "TCP"),
                        "",
                        needing(port("0.0.0.0", 80, "TCP"))));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void hasRoomOrSaysWhatItLacks(Row row) {
        Node node = node("n1", allocatable(ALLOCATABLE));

        assertThat(new ResourceFit(row.cluster().build())
                        .of(row.podRequirements(), NO_MOVES)
                        .to(node))
                .isEqualTo(row.expected());
    }

    static Stream<Arguments> unknown() {
        return Stream.of(
                argumentSet("a node without allocatable resources takes no pod", Resources.none()),
                argumentSet("a node that allows 0 pods takes no pod", new Resources(4_000, 100, 100, 0, Map.of())));
    }

    @ParameterizedTest
    @MethodSource("unknown")
    void withoutSeatsThereIsNoRoom(Resources allocatable) {
        Node node = node("n1", allocatable(allocatable));

        assertThat(new ResourceFit(cluster().node("n1").build())
                        .of(PodRequirements.none(), NO_MOVES)
                        .to(node))
                .contains("short of pods");
    }
}
