package dev.holdfast.operator.decode;

import static dev.holdfast.operator.decode.Message.message;
import static dev.holdfast.policies.model.PodSecurityLevel.BASELINE;
import static dev.holdfast.policies.model.PodSecurityLevel.PRIVILEGED;
import static dev.holdfast.policies.model.PodSecurityLevel.RESTRICTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.scheduling.SchedulingScope;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.DisruptionAnnotations;
import dev.holdfast.policies.model.HostPort;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.PodCreation;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.PodRequirements.Container;
import dev.holdfast.policies.model.PodRequirements.Role;
import dev.holdfast.policies.model.PodSecurityLevel;
import dev.holdfast.policies.model.PodTemplate;
import dev.holdfast.policies.model.Resources;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.StatefulSetRevisions;
import dev.holdfast.policies.model.Toleration;
import dev.holdfast.policies.model.VictimProtection;
import java.util.List;
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

    private final OwnerDecoder replicaSets = OwnerDecoder.ofReplicaSets(SchedulingScope.RULES);
    private final OwnerDecoder statefulSets = OwnerDecoder.ofStatefulSets(SchedulingScope.RULES);

    static Stream<Arguments> owners() {
        OwnerDecoder replicaSets = OwnerDecoder.ofReplicaSets(SchedulingScope.RULES);
        OwnerDecoder statefulSets = OwnerDecoder.ofStatefulSets(SchedulingScope.RULES);
        OwnerDecoder jobs = OwnerDecoder.ofJobs(SchedulingScope.RULES);
        return Stream.of(
                row("a ReplicaSet of 3", replicaSets, message().number(1, 3), "ReplicaSet", OptionalInt.of(3)),
                row("a StatefulSet of 3", statefulSets, message().number(1, 3), "StatefulSet", OptionalInt.of(3)),
                row("0 replicas is a number", replicaSets, message().number(1, 0), "ReplicaSet", OptionalInt.of(0)),
                row("a spec without replicas wants one", replicaSets, NOTHING, "ReplicaSet", OptionalInt.of(1)),
                row(
                        "between fields that are not read",
                        statefulSets,
                        message()
                                .part(2, message().entry(1, "app", "web"))
                                .number(1, 7)
                                .text(5, "service"),
                        "StatefulSet",
                        OptionalInt.of(7)),
                row(
                        "a Deployment of 3",
                        OwnerDecoder.ofDeployments(),
                        message().number(1, 3),
                        "Deployment",
                        OptionalInt.of(3)),
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
                        : Optional.empty(),
                new PodCreation(false, false, kind.equals("StatefulSet")));
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
        Message statusOfReplicaSet = message().number(1, 4).number(4, 1);
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
        assertThat(decode(replicaSets, message().part(1, generation).part(3, statusOfReplicaSet))
                        .object()
                        .revisions())
                .isEmpty();
    }

    private static Message condition(String type, String status, String reason, String message) {
        return message()
                .part(
                        6,
                        message()
                                .text(1, type)
                                .text(2, status)
                                .part(3, message().number(1, 1_790_000_000))
                                .text(4, reason)
                                .text(5, message));
    }

    static Stream<Arguments> replicaFailures() {
        return Stream.of(
                argumentSet(
                        "the API server refuses new pods",
                        condition("ReplicaFailure", "True", "FailedCreate", "pods \"web-\" is forbidden"),
                        Optional.of("pods \"web-\" is forbidden")),
                argumentSet(
                        "it did so earlier",
                        condition("ReplicaFailure", "False", "FailedCreate", "no"),
                        Optional.empty()),
                argumentSet(
                        "a pod cannot be deleted, which stops no new pod",
                        condition("ReplicaFailure", "True", "FailedDelete", "no"),
                        Optional.empty()),
                argumentSet(
                        "another condition", condition("Progressing", "True", "FailedCreate", "no"), Optional.empty()),
                argumentSet(
                        "a message of two lines",
                        condition("ReplicaFailure", "True", "FailedCreate", "a\nb"),
                        Optional.of("a b")),
                argumentSet(
                        "a message of 300 characters",
                        condition("ReplicaFailure", "True", "FailedCreate", "é".repeat(300)),
                        Optional.of("é".repeat(300))),
                argumentSet(
                        "a message of 301 characters",
                        condition("ReplicaFailure", "True", "FailedCreate", "é".repeat(301)),
                        Optional.of("é".repeat(300) + "...")));
    }

    @ParameterizedTest
    @MethodSource("replicaFailures")
    void whyItCannotCreatePods(Message status, Optional<String> expected) throws MalformedException {
        Message object = message().part(1, metadata()).part(3, status);

        assertThat(decode(replicaSets, object).object().replicaFailure()).isEqualTo(expected);
        assertThat(decode(statefulSets, object).object().replicaFailure()).isEmpty();
        assertThat(decode(replicaSets, message().part(1, metadata())).object().replicaFailure())
                .isEmpty();
    }

    static Stream<Arguments> creations() {
        return Stream.of(
                argumentSet(
                        "a ReplicaSet",
                        OwnerDecoder.ofReplicaSets(SchedulingScope.RULES),
                        message(),
                        metadata(),
                        PodCreation.atOnce()),
                argumentSet(
                        "a ReplicaSet that is being deleted",
                        OwnerDecoder.ofReplicaSets(SchedulingScope.RULES),
                        message(),
                        metadata().part(9, message().number(1, 1)),
                        new PodCreation(true, false, false)),
                argumentSet(
                        "a StatefulSet without a policy",
                        OwnerDecoder.ofStatefulSets(SchedulingScope.RULES),
                        message(),
                        metadata(),
                        new PodCreation(false, false, true)),
                argumentSet(
                        "an OrderedReady StatefulSet",
                        OwnerDecoder.ofStatefulSets(SchedulingScope.RULES),
                        message().text(6, "OrderedReady"),
                        metadata(),
                        new PodCreation(false, false, true)),
                argumentSet(
                        "a Parallel StatefulSet",
                        OwnerDecoder.ofStatefulSets(SchedulingScope.RULES),
                        message().text(6, "Parallel"),
                        metadata(),
                        PodCreation.atOnce()),
                argumentSet(
                        "a suspended Job",
                        OwnerDecoder.ofJobs(SchedulingScope.RULES),
                        message().number(10, 1),
                        metadata(),
                        new PodCreation(false, true, false)));
    }

    @ParameterizedTest
    @MethodSource("creations")
    void whetherItCreatesPods(OwnerDecoder decoder, Message spec, Message metadata, PodCreation expected)
            throws MalformedException {
        Message object = message().part(1, metadata).part(2, spec);

        assertThat(decode(decoder, object).object().podCreation()).isEqualTo(expected);
    }

    /** {@return a container that is named app, with requests and limits of cpu; an empty amount is absent} */
    private static Message app(String requested, String limit) {
        return message().text(1, "app").part(8, amount(2, "cpu", requested, amount(1, "cpu", limit, message())));
    }

    private static Message amount(int field, String resource, String quantity, Message into) {
        return quantity.isEmpty()
                ? into
                : into.part(field, message().text(1, resource).part(2, message().text(1, quantity)));
    }

    private static PodTemplate template(Scheduling scheduling, Resources requests, Container... containers) {
        return template(scheduling, requests, List.of(), List.of(), containers);
    }

    private static PodTemplate template(
            Scheduling scheduling,
            Resources requests,
            List<HostPort> hostPorts,
            List<String> claims,
            Container... containers) {
        return template(
                scheduling,
                new PodRequirements(requests, requests, hostPorts, claims, List.of(containers)),
                "",
                false,
                VictimProtection.DEFAULT_SCHEDULER,
                containers.length == 0 ? RESTRICTED : hostPorts.isEmpty() ? BASELINE : PRIVILEGED);
    }

    private static PodTemplate template(
            Scheduling scheduling,
            PodRequirements requirements,
            String node,
            boolean gated,
            String schedulerName,
            PodSecurityLevel level) {
        return new PodTemplate(
                scheduling, requirements, Optional.of(node).filter(it -> !it.isEmpty()), gated, schedulerName, level);
    }

    private static Container cpu(String name, Role role, long milli) {
        return new Container(name, role, Map.of("cpu", milli), Map.of());
    }

    private static Resources milliCpu(long milli) {
        return new Resources(milli, 0, 0, 0, Map.of());
    }

    static Stream<Arguments> templates() {
        Scheduling anywhere = Scheduling.anywhere();
        Message many = message();
        for (int i = 0; i < 193; i++) {
            many.part(22, message().text(1, "key" + i).text(2, "Exists"));
        }
        Message crowd = message();
        for (int i = 0; i < 129; i++) {
            crowd.part(2, message().text(1, "c" + i));
        }
        return Stream.of(
                argumentSet("an empty spec", message(), template(anywhere, Resources.none())),
                argumentSet(
                        "requests of containers, sidecars and init containers",
                        message()
                                .part(2, app("8", ""))
                                .part(20, message().text(1, "first"))
                                .part(20, app("1", "").text(1, "proxy").text(24, "Always")),
                        template(
                                anywhere,
                                milliCpu(9_000),
                                cpu("app", Role.APP, 8_000),
                                new Container("first", Role.INIT, Map.of(), Map.of()),
                                cpu("proxy", Role.SIDECAR, 1_000))),
                argumentSet(
                        "a limit without a request",
                        message().part(2, app("", "2")),
                        template(
                                anywhere,
                                Resources.none(),
                                new Container("app", Role.APP, Map.of(), Map.of("cpu", 2_000L)))),
                argumentSet(
                        "a request of 0",
                        message().part(2, app("0", "")),
                        template(anywhere, Resources.none(), cpu("app", Role.APP, 0))),
                argumentSet(
                        "tolerations, host ports and claims, without the claims that each pod has of its own",
                        message()
                                .part(
                                        2,
                                        message()
                                                .text(1, "app")
                                                .part(6, message().number(2, 80).text(4, "TCP")))
                                .part(
                                        1,
                                        message()
                                                .text(1, "own")
                                                .part(2, message().part(29, message())))
                                .part(
                                        1,
                                        message()
                                                .text(1, "data")
                                                .part(
                                                        2,
                                                        message()
                                                                .part(
                                                                        10,
                                                                        message()
                                                                                .text(1, "claim"))))
                                .part(22, message().text(1, "gpu").text(2, "Exists")),
                        template(
                                new Scheduling(
                                        Labels.none(),
                                        Optional.empty(),
                                        List.of(),
                                        List.of(),
                                        List.of(),
                                        List.of(new Toleration("gpu", "Exists", "", ""))),
                                Resources.none(),
                                List.of(new HostPort("0.0.0.0", 80, "TCP")),
                                List.of("claim"),
                                new Container("app", Role.APP, Map.of(), Map.of()))),
                argumentSet(
                        "a quantity that is no number",
                        message().part(2, app("much", "")),
                        PodTemplate.unread("\"much\" is not a quantity")),
                argumentSet(
                        "more tolerations than Holdfast reads",
                        many,
                        PodTemplate.unread(
                                "it has 193 terms, expressions, values and tolerations, and Holdfast reads at most"
                                        + " 192")),
                argumentSet(
                        "more containers than Holdfast reads: their sum is read",
                        crowd,
                        template(
                                anywhere,
                                PodRequirements.none().withUnreadContainers(),
                                "",
                                false,
                                VictimProtection.DEFAULT_SCHEDULER,
                                BASELINE)),
                argumentSet(
                        "the node on which all pods run",
                        message().text(10, "n1"),
                        template(
                                anywhere,
                                PodRequirements.none(),
                                "n1",
                                false,
                                VictimProtection.DEFAULT_SCHEDULER,
                                RESTRICTED)),
                argumentSet(
                        "scheduling gates",
                        message().part(38, message().text(1, "example.com/wait")),
                        template(
                                anywhere,
                                PodRequirements.none(),
                                "",
                                true,
                                VictimProtection.DEFAULT_SCHEDULER,
                                RESTRICTED)),
                argumentSet(
                        "another scheduler",
                        message().text(19, "bin-packing"),
                        template(anywhere, PodRequirements.none(), "", false, "bin-packing", RESTRICTED)),
                argumentSet(
                        "the network of the node",
                        message().number(11, 1),
                        template(
                                anywhere,
                                PodRequirements.none(),
                                "",
                                false,
                                VictimProtection.DEFAULT_SCHEDULER,
                                PRIVILEGED)));
    }

    @ParameterizedTest
    @MethodSource("templates")
    void whatItMakesPodsFrom(Message podSpec, PodTemplate expected) throws MalformedException {
        // A real API server sends metadata whose name, uid and resourceVersion are empty.
        Message template = message()
                .part(1, message().text(1, "").text(5, "").text(6, "").entry(11, "app", "web"))
                .part(2, podSpec);
        Message none = message().part(3, template).number(1, 0);

        assertThat(template(replicaSets, message().number(1, 3).part(3, template)))
                .contains(expected);
        assertThat(template(statefulSets, message().part(3, template))).contains(expected);
        assertThat(template(
                        OwnerDecoder.ofJobs(SchedulingScope.RULES), message().part(6, template)))
                .contains(expected);
        assertThat(template(OwnerDecoder.ofDeployments(), message().part(3, template)))
                .isEmpty();
        assertThat(template(replicaSets, none)).isEmpty();
        assertThat(template(replicaSets, message().number(1, 3)))
                .as("nothing is left of the one before")
                .isEmpty();
    }

    private static Optional<PodTemplate> template(OwnerDecoder decoder, Message spec) throws MalformedException {
        return decode(decoder, message().part(1, metadata()).part(2, spec))
                .object()
                .podCreation()
                .template();
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
    void anInvalidNumberOfPodsIsRefused() {
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
