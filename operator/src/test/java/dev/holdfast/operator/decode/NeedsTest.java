package dev.holdfast.operator.decode;

import static dev.holdfast.operator.decode.Message.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.policies.model.HostPort;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.Resources;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests of the resource requests of pods. The expected sums are those of {@code PodRequests} of
 * k8s.io/component-helpers 0.37.1.
 */
class NeedsTest {
    private static final int CONTAINER = 2;
    private static final int INIT_CONTAINER = 20;
    private static final Message NOTHING = message();

    private final PodDecoder decoder = new PodDecoder();

    static Stream<Arguments> requests() {
        return Stream.of(
                row("no containers: nothing", NOTHING, cpu(0)),
                row("containers without requests: nothing", message().part(CONTAINER, asks()), cpu(0)),
                row(
                        "two containers run at once: 1 + 2 = 3",
                        message().part(CONTAINER, asks("cpu", "1")).part(CONTAINER, asks("cpu", "2")),
                        cpu(3000)),
                row(
                        "an init container runs alone before: max(3, 1 + 1) = 3",
                        message()
                                .part(CONTAINER, asks("cpu", "1"))
                                .part(CONTAINER, asks("cpu", "1"))
                                .part(INIT_CONTAINER, asks("cpu", "3")),
                        cpu(3000)),
                row(
                        "a sidecar runs beside all later containers: max(3, 1 + 1, 1 + 1 + 1) = 3",
                        message()
                                .part(INIT_CONTAINER, asks("cpu", "3"))
                                .part(INIT_CONTAINER, sidecar("cpu", "1"))
                                .part(INIT_CONTAINER, asks("cpu", "1"))
                                .part(CONTAINER, asks("cpu", "1"))
                                .part(CONTAINER, asks("cpu", "1")),
                        cpu(3000)),
                row(
                        "an init container after a sidecar runs beside it: max(1 + 3, 1 + 1) = 4",
                        message()
                                .part(INIT_CONTAINER, sidecar("cpu", "1"))
                                .part(INIT_CONTAINER, asks("cpu", "3"))
                                .part(CONTAINER, asks("cpu", "1")),
                        cpu(4000)),
                row(
                        "an init container with another restart policy is no sidecar: max(2, 1) = 2",
                        message()
                                .part(INIT_CONTAINER, asks("cpu", "2").text(24, "Never"))
                                .part(CONTAINER, asks("cpu", "1")),
                        cpu(2000)),
                row(
                        "the maximum is taken for each resource",
                        message()
                                .part(INIT_CONTAINER, asks("cpu", "2", "memory", "1Gi"))
                                .part(CONTAINER, asks("cpu", "1", "memory", "2Gi", "example.com/gpu", "1")),
                        new Resources(2000, 2L << 30, 0, 0, Map.of("example.com/gpu", 1L))),
                row(
                        "overhead is added: 1 + 250m",
                        message().part(CONTAINER, asks("cpu", "1")).part(32, amount("cpu", "250m")),
                        cpu(1250)),
                row(
                        "pod-level requests replace the sum, except for resources that do not support them",
                        message()
                                .part(CONTAINER, asks("cpu", "1", "memory", "1Gi", "ephemeral-storage", "1Gi"))
                                .part(40, requests("cpu", "3", "hugepages-2Mi", "4Mi", "example.com/gpu", "9"))
                                .part(32, amount("cpu", "1")),
                        new Resources(4000, 1L << 30, 1L << 30, 0, Map.of("hugepages-2Mi", 4L << 20))),
                row(
                        "a limit without a request is a request, also of an init container: max(2, 1) = 2",
                        message()
                                .part(CONTAINER, message().part(8, message().part(1, amount("cpu", "1"))))
                                .part(
                                        INIT_CONTAINER,
                                        message().part(8, message().part(1, amount("cpu", "2")))),
                        cpu(2000)),
                row(
                        "a limit of one resource says nothing of a request of another",
                        message()
                                .part(
                                        CONTAINER,
                                        message()
                                                .part(
                                                        8,
                                                        message()
                                                                .part(1, amount("cpu", "1"))
                                                                .part(1, amount("memory", "2"))
                                                                .part(2, amount("cpu", "500m")))),
                        new Resources(500, 2, 0, 0, Map.of())),
                row(
                        "half bytes are summed before rounding: 0.5 + 0.5 = 1",
                        message().part(CONTAINER, asks("memory", "500m")).part(CONTAINER, asks("memory", "500m")),
                        new Resources(0, 1, 0, 0, Map.of())),
                row(
                        "sums are rounded up: 0.1m of a core, 1.5 bytes",
                        message().part(CONTAINER, asks("cpu", "100u", "memory", "1500m")),
                        new Resources(1, 2, 0, 0, Map.of())),
                row(
                        "an excessive amount becomes the largest long",
                        message()
                                .part(CONTAINER, asks("cpu", "9E", "memory", "9E"))
                                .part(CONTAINER, asks("memory", "9E")),
                        new Resources(Long.MAX_VALUE, Long.MAX_VALUE, 0, 0, Map.of())),
                row(
                        "an amount without text is zero",
                        message()
                                .part(
                                        CONTAINER,
                                        message()
                                                .part(
                                                        8,
                                                        message()
                                                                .part(
                                                                        2,
                                                                        message()
                                                                                .text(1, "cpu")
                                                                                .part(2, NOTHING)))),
                        cpu(0)));
    }

    private static Arguments row(String name, Message spec, Resources expected) {
        return argumentSet(name, spec, expected);
    }

    @ParameterizedTest
    @MethodSource("requests")
    void requests(Message spec, Resources expected) throws MalformedException {
        PodRequirements podRequirements = decode(pod(spec, NOTHING)).podRequirements();

        assertThat(podRequirements.requests()).isEqualTo(expected);
        assertThat(podRequirements.reserved()).isSameAs(podRequirements.requests());
    }

    static Stream<Arguments> resized() {
        Message asksTwo = message().part(CONTAINER, asks("cpu", "2").text(1, "c"));
        return Stream.of(
                row(
                        "desired, allocated and actual requests are equal",
                        asksTwo,
                        message().part(8, status("c", "2", "2")),
                        cpu(2000)),
                row(
                        "less is desired, more is still in force: 3",
                        asksTwo,
                        message().part(8, status("c", "2", "3")),
                        cpu(3000)),
                row(
                        "more is allocated than is in force: 4",
                        asksTwo,
                        message().part(8, status("c", "4", "1")),
                        cpu(4000)),
                row(
                        "more is desired than allocated: the desired",
                        asksTwo,
                        message().part(8, status("c", "1", "1")),
                        cpu(2000)),
                row(
                        "the desired is infeasible: the allocated",
                        asksTwo,
                        message().part(2, infeasible("Infeasible")).part(8, status("c", "1", "1")),
                        cpu(1000)),
                row(
                        "the desired is deferred: the desired",
                        asksTwo,
                        message().part(2, infeasible("Deferred")).part(8, status("c", "1", "1")),
                        cpu(2000)),
                row(
                        "only the actual is known: the maximum of it and the desired",
                        asksTwo,
                        message().part(8, message().text(1, "c").part(11, requests("cpu", "5"))),
                        cpu(5000)),
                row(
                        "the status of another container is ignored",
                        asksTwo,
                        message().part(8, status("d", "9", "9")),
                        cpu(2000)),
                row(
                        "the status of a sidecar counts too: 2 + 3",
                        message()
                                .part(CONTAINER, asks("cpu", "2").text(1, "c"))
                                .part(INIT_CONTAINER, sidecar("cpu", "1").text(1, "s")),
                        message().part(8, status("c", "2", "2")).part(10, status("s", "3", "3")),
                        cpu(5000)),
                row(
                        "the pod-level status replaces that of the containers",
                        asksTwo,
                        message()
                                .part(8, status("c", "9", "9"))
                                .part(19, amount("cpu", "3"))
                                .part(20, requests("cpu", "1")),
                        cpu(3000)),
                row(
                        "pod-level requests, of which more is in force: 7",
                        message().part(CONTAINER, asks("cpu", "2")).part(40, requests("cpu", "6")),
                        message().part(19, amount("cpu", "5")).part(20, requests("cpu", "7")),
                        cpu(7000)),
                row(
                        "pod-level requests that are infeasible: 5",
                        message().part(CONTAINER, asks("cpu", "2")).part(40, requests("cpu", "6")),
                        message()
                                .part(2, infeasible("Infeasible"))
                                .part(19, amount("cpu", "5"))
                                .part(20, requests("cpu", "4")),
                        cpu(5000)));
    }

    private static Arguments row(String name, Message spec, Message status, Resources expected) {
        return argumentSet(name, spec, status, expected);
    }

    @ParameterizedTest
    @MethodSource("resized")
    void whatIsReservedOfAPodWhoseRequestsAreChangedInPlace(Message spec, Message status, Resources expected)
            throws MalformedException {
        PodRequirements podRequirements = decode(pod(spec, status)).podRequirements();

        assertThat(podRequirements.reserved()).isEqualTo(expected);
        assertThat(podRequirements.requests())
                .isEqualTo(decode(pod(spec, NOTHING)).podRequirements().requests());
    }

    @Test
    void hostPortsAreThoseOfSidecarsAndContainers() throws MalformedException {
        Message spec = message()
                .part(
                        CONTAINER,
                        message()
                                .part(6, message().number(2, 80).number(3, 8080).text(4, "TCP"))
                                .part(6, message().number(3, 8081))
                                .part(6, message().number(2, 53).text(4, "UDP").text(5, "10.0.0.1")))
                .part(INIT_CONTAINER, message().part(6, message().number(2, 81)))
                .part(
                        INIT_CONTAINER,
                        message().part(6, message().number(2, 82).text(5, "")).text(24, "Always"));

        assertThat(decode(pod(spec, NOTHING)).podRequirements().hostPorts())
                .containsExactly(
                        new HostPort("0.0.0.0", 82, "TCP"),
                        new HostPort("0.0.0.0", 80, "TCP"),
                        new HostPort("10.0.0.1", 53, "UDP"));
    }

    @Test
    void inTheNetworkOfItsNodeEachPortOfAPodIsAHostPort() throws MalformedException {
        Message spec = message()
                .part(
                        CONTAINER,
                        message()
                                .part(6, message().number(3, 8080).text(5, "10.0.0.1"))
                                .part(6, message().number(2, 53).number(3, 53).text(4, "UDP")))
                .part(INIT_CONTAINER, message().part(6, message().number(3, 81)));

        assertThat(decode(pod(spec.number(11, 1), NOTHING)).podRequirements().hostPorts())
                .containsExactly(new HostPort("10.0.0.1", 8080, "TCP"), new HostPort("0.0.0.0", 53, "UDP"));
    }

    @Test
    void claimsAreThoseNamedAndThoseMadeForThePod() throws MalformedException {
        Message spec = message()
                .part(1, volume("scratch", 29, message().part(1, message())))
                .part(1, volume("config", 19, message().text(1, "web")))
                .part(1, volume("data", 10, message().text(1, "data-web-1").number(2, 1)))
                .part(1, volume("cache", 29, NOTHING));

        Pod pod = decode(pod(spec, NOTHING));

        assertThat(pod.podRequirements().claims()).containsExactly("web-1-scratch", "data-web-1", "web-1-cache");
        assertThat(pod.victimProtection().localStorage()).isTrue();
    }

    static Stream<Arguments> volumes() {
        return Stream.of(
                argumentSet("an emptyDir is local", volume("v", 2, NOTHING), true),
                argumentSet(
                        "an emptyDir with a size limit is local",
                        volume("v", 2, message().text(1, "").part(2, NOTHING)),
                        true),
                argumentSet(
                        "an emptyDir in memory is not local",
                        volume("v", 2, message().text(1, "Memory")),
                        false),
                argumentSet(
                        "an emptyDir in huge pages is not local",
                        volume("v", 2, message().text(1, "HugePages-2Mi")),
                        false),
                argumentSet(
                        "an emptyDir on an unknown medium is local",
                        volume("v", 2, message().text(1, "Tape")),
                        true),
                argumentSet(
                        "a hostPath is not local: it outlives the pod",
                        volume("v", 1, message().text(1, "/a")),
                        false),
                argumentSet("a claim is not local", volume("v", 10, message().text(1, "c")), false),
                argumentSet("a generic ephemeral volume is deleted with the pod", volume("v", 29, message()), true));
    }

    @ParameterizedTest
    @MethodSource("volumes")
    void localStorage(Message volume, boolean local) throws MalformedException {
        Pod pod = decode(pod(message().part(1, volume), NOTHING));

        assertThat(pod.victimProtection().localStorage()).isEqualTo(local);
    }

    @Test
    void nothingIsLeftOfThePodBefore() throws MalformedException {
        Pod bare = decode(pod(NOTHING, NOTHING));
        decode(pod(
                message()
                        .part(1, volume("v", 2, NOTHING))
                        .part(1, volume("w", 29, NOTHING))
                        .part(CONTAINER, asks("cpu", "1").part(6, message().number(2, 80)))
                        .part(32, amount("cpu", "1"))
                        .part(40, requests("cpu", "1")),
                message().part(2, infeasible("Infeasible")).part(20, requests("cpu", "1"))));

        assertThat(decode(pod(NOTHING, NOTHING))).isEqualTo(bare);
        assertThat(bare.podRequirements()).isSameAs(PodRequirements.none());
    }

    @Test
    void podsOfOneTemplateShareTheirNeeds() throws MalformedException {
        Message spec =
                message().part(CONTAINER, asks("cpu", "1").part(7, message().text(1, "ENV")));
        Message claiming = message().raw(spec.bytes()).part(1, volume("w", 29, NOTHING));

        PodRequirements podRequirements = decode(pod(spec, NOTHING)).podRequirements();

        assertThat(decode(pod(spec, NOTHING)).podRequirements()).isSameAs(podRequirements);
        assertThat(decode(pod(claiming, NOTHING)).podRequirements().requests()).isSameAs(podRequirements.requests());
    }

    @Test
    void whatIsNoQuantityIsToldWithItsPlaceInTheBody() {
        byte[] bytes = pod(
                        message()
                                .part(
                                        CONTAINER,
                                        message().text(1, "c").text(2, "image").part(8, requests("cpu", "1")))
                                .part(
                                        CONTAINER,
                                        message().text(1, "d").text(2, "image").part(8, requests("cpu", "1x"))),
                        NOTHING)
                .bytes();
        int place = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("1x");

        assertThatExceptionOfType(MalformedException.class)
                .isThrownBy(() -> decoder.decode(new ByteSlice(bytes)))
                .withMessage("byte " + place + ": \"1x\" is not a quantity");
    }

    private Pod decode(Message pod) throws MalformedException {
        return decoder.decode(new ByteSlice(pod.bytes()));
    }

    private static Resources cpu(long milli) {
        return new Resources(milli, 0, 0, 0, Map.of());
    }

    private static Message asks(String... namesAndAmounts) {
        return message().part(8, requests(namesAndAmounts));
    }

    private static Message sidecar(String... namesAndAmounts) {
        return asks(namesAndAmounts).text(24, "Always");
    }

    private static Message requests(String... namesAndAmounts) {
        Message resources = message();
        for (int i = 0; i < namesAndAmounts.length; i += 2) {
            resources.part(2, amount(namesAndAmounts[i], namesAndAmounts[i + 1]));
        }
        return resources;
    }

    private static Message amount(String name, String quantity) {
        return message().text(1, name).part(2, message().text(1, quantity));
    }

    private static Message status(String container, String given, String inForce) {
        return message().text(1, container).part(10, amount("cpu", given)).part(11, requests("cpu", inForce));
    }

    private static Message infeasible(String reason) {
        return message().text(1, "PodResizePending").text(2, "True").text(5, reason);
    }

    private static Message volume(String name, int source, Message value) {
        return message().text(1, name).part(2, message().part(source, value));
    }

    private static Message pod(Message spec, Message status) {
        return message()
                .part(
                        1,
                        message()
                                .text(1, "web-1")
                                .text(3, "shop")
                                .text(5, "u-1")
                                .text(6, "1"))
                .part(2, spec)
                .part(3, status);
    }
}
