package dev.holdfast.operator.decode;

import static dev.holdfast.operator.decode.Message.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.DisruptionAnnotations;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Phase;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodLifecycle;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.PodRequirements.Container;
import dev.holdfast.policies.model.PodRequirements.NextRequests;
import dev.holdfast.policies.model.PodRequirements.Role;
import dev.holdfast.policies.model.PodScheduler;
import dev.holdfast.policies.model.PodSecurityLevel;
import dev.holdfast.policies.model.Resources;
import dev.holdfast.policies.model.RestartPolicy;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.VictimProtection;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PodDecoderTest {
    private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
    private static final String REGION = "topology.kubernetes.io/region";
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final Message NOTHING = message();
    private static final VictimProtection PLAIN =
            new VictimProtection(Optional.empty(), 0, RestartPolicy.ALWAYS, false, false, false);

    private final PodDecoder decoder = new PodDecoder();

    @Test
    void aPodWithNothing() throws MalformedException {
        assertThat(decode(pod(NOTHING, NOTHING, NOTHING)))
                .isEqualTo(new Pod(
                        "u-1",
                        new NamespacedName("shop", "web-1"),
                        4711,
                        Labels.none(),
                        Optional.empty(),
                        Scheduling.anywhere(),
                        PodRequirements.none(),
                        alive(Phase.UNKNOWN, false),
                        PLAIN));
    }

    @Test
    void aPodWithoutSpecAndStatus() throws MalformedException {
        assertThat(decode(message().part(1, identity()))).isEqualTo(decode(pod(NOTHING, NOTHING, NOTHING)));
    }

    @Test
    void fieldsMayComeInAnyOrderAndUnknownOnesAnywhere() throws MalformedException {
        Message odd = message()
                .number(99, 1)
                .part(
                        3,
                        message()
                                .text(99, "new")
                                .part(2, condition("Ready", "True"))
                                .text(1, "Running"))
                .part(2, message().text(10, "n1").varint((98 << 3) | 5).raw(1, 2, 3, 4))
                .part(
                        1,
                        message()
                                .entry(11, "b", "2")
                                .text(6, "4711")
                                .entry(11, "a", "1")
                                .text(3, "shop"))
                .part(1, message().text(1, "web-1").text(5, "u-1"));

        assertThat(decode(odd))
                .isEqualTo(new Pod(
                        "u-1",
                        new NamespacedName("shop", "web-1"),
                        4711,
                        Labels.of("a", "1", "b", "2"),
                        Optional.of("n1"),
                        Scheduling.anywhere(),
                        PodRequirements.none(),
                        alive(Phase.RUNNING, true),
                        PLAIN));
    }

    static Stream<Arguments> labels() {
        return Stream.of(
                argumentSet("none", NOTHING, Labels.none()),
                argumentSet("an empty value is a value", message().entry(11, "tier", ""), Labels.of("tier", "")),
                argumentSet("an absent value is empty", entry(message().text(1, "tier")), Labels.of("tier", "")),
                argumentSet("an absent key is empty", entry(message().text(2, "front")), Labels.of("", "front")),
                argumentSet("an empty entry", entry(NOTHING), Labels.of("", "")),
                argumentSet(
                        "the last of two equal keys counts",
                        message().entry(11, "app", "web").entry(11, "app", "api"),
                        Labels.of("app", "api")),
                argumentSet(
                        "in any order, with other fields between",
                        message().entry(11, "z", "1").number(7, 1).entry(11, "a", "2"),
                        Labels.of("a", "2", "z", "1")),
                argumentSet(
                        "the node's zone and region among the workload's labels",
                        message()
                                .entry(11, "app", "web")
                                .entry(11, REGION, "e")
                                .entry(11, ZONE, "a")
                                .entry(11, "z", "1"),
                        Labels.of("app", "web", REGION, "e", ZONE, "a", "z", "1")),
                argumentSet("only a zone", message().entry(11, ZONE, "a"), Labels.of(ZONE, "a")),
                argumentSet("an empty zone", entry(message().text(1, ZONE)), Labels.of(ZONE, "")),
                argumentSet(
                        "the last of two zones counts, with other labels between",
                        message().entry(11, ZONE, "a").entry(11, "app", "web").entry(11, ZONE, "b"),
                        Labels.of("app", "web", ZONE, "b")),
                argumentSet(
                        "the last of two keys in one entry counts: it is a zone",
                        entry(message().text(1, "app").text(2, "a").text(1, ZONE))
                                .entry(11, "app", "web"),
                        Labels.of("app", "web", ZONE, "a")),
                argumentSet(
                        "the last of two keys in one entry counts: it is not a zone",
                        message()
                                .entry(11, ZONE, "a")
                                .part(11, message().text(1, ZONE).text(1, "app").text(2, "web")),
                        Labels.of("app", "web", ZONE, "a")),
                argumentSet(
                        "a value before its key, with an unknown field between",
                        entry(message().text(2, "a").number(9, 1).text(1, ZONE)),
                        Labels.of(ZONE, "a")),
                argumentSet(
                        "a key that has the zone's key as prefix",
                        message().entry(11, ZONE + "s", "a").entry(11, "topology.kubernetes.io/zon", "b"),
                        Labels.of(ZONE + "s", "a", "topology.kubernetes.io/zon", "b")));
    }

    private static Message entry(Message entry) {
        return message().part(11, entry);
    }

    @ParameterizedTest
    @MethodSource("labels")
    void labels(Message metadata, Labels expected) throws MalformedException {
        assertThat(decode(pod(metadata, NOTHING, NOTHING)).labels()).isEqualTo(expected);
    }

    static Stream<Arguments> lives() {
        return Stream.of(
                life("nothing said", NOTHING, NOTHING, Phase.UNKNOWN, false),
                life("an empty phase", NOTHING, message().text(1, ""), Phase.UNKNOWN, false),
                life("a phase of the future", NOTHING, message().text(1, "Paused"), Phase.UNKNOWN, false),
                life("pending", NOTHING, message().text(1, "Pending"), Phase.PENDING, false),
                life("running", NOTHING, message().text(1, "Running"), Phase.RUNNING, false),
                life("succeeded", NOTHING, message().text(1, "Succeeded"), Phase.SUCCEEDED, false),
                life("failed", NOTHING, message().text(1, "Failed"), Phase.FAILED, false),
                life("ready", NOTHING, message().part(2, condition("Ready", "True")), Phase.UNKNOWN, true),
                life("not ready", NOTHING, message().part(2, condition("Ready", "False")), Phase.UNKNOWN, false),
                life("ready or not", NOTHING, message().part(2, condition("Ready", "Unknown")), Phase.UNKNOWN, false),
                life(
                        "something else is true",
                        NOTHING,
                        message().part(2, condition("PodScheduled", "True")).part(2, condition("Ready", "")),
                        Phase.UNKNOWN,
                        false),
                life("a condition without words", NOTHING, message().part(2, NOTHING), Phase.UNKNOWN, false),
                life(
                        "ready among others",
                        NOTHING,
                        message()
                                .part(2, condition("PodScheduled", "False"))
                                .part(2, condition("Ready", "True").text(5, "").number(7, 1))
                                .part(2, condition("Initialized", "False")),
                        Phase.UNKNOWN,
                        true));
    }

    private static Arguments life(String name, Message metadata, Message status, Phase phase, boolean ready) {
        return argumentSet(name, metadata, status, alive(phase, ready));
    }

    private static PodLifecycle alive(Phase phase, boolean ready) {
        return new PodLifecycle(phase, ready, Instant.EPOCH, Instant.EPOCH, Optional.empty(), false);
    }

    static Stream<Arguments> times() {
        Message noon = message().number(1, NOON.getEpochSecond());
        return Stream.of(
                time("created at noon", message().part(8, noon.number(2, 0)), NOON, Optional.empty()),
                time(
                        "of a time only the seconds count",
                        message().part(8, noon.number(2, 999)),
                        NOON,
                        Optional.empty()),
                time("an empty time of creation is none", message().part(8, NOTHING), Instant.EPOCH, Optional.empty()),
                time("told to go at noon", message().part(9, noon), Instant.EPOCH, Optional.of(NOON)),
                time("an empty time of deletion is none", message().part(9, NOTHING), Instant.EPOCH, Optional.empty()),
                time(
                        "told to go at the beginning of all counting",
                        message().part(9, message().number(1, 0).number(2, 0)),
                        Instant.EPOCH,
                        Optional.of(Instant.EPOCH)),
                time(
                        "created before it",
                        message().part(8, message().number(1, -1)),
                        Instant.ofEpochSecond(-1),
                        Optional.empty()));
    }

    private static Arguments time(String name, Message metadata, Instant created, Optional<Instant> deleted) {
        return argumentSet(
                name, metadata, NOTHING, new PodLifecycle(Phase.UNKNOWN, false, created, created, deleted, false));
    }

    static Stream<Arguments> conditions() {
        Message noon = message().number(1, NOON.getEpochSecond());
        Message later = message().number(1, NOON.getEpochSecond() + 60);
        return Stream.of(
                conditions(
                        "bound at noon",
                        status(condition("PodScheduled", "True").part(4, noon)),
                        NOON,
                        false),
                conditions(
                        "bound at noon, the words in another order",
                        status(message().part(4, noon).text(2, "True").text(1, "PodScheduled")),
                        NOON,
                        false),
                conditions(
                        "waiting for a node since noon",
                        status(condition("PodScheduled", "False").part(4, noon)),
                        Instant.EPOCH,
                        false),
                conditions("bound, no time said", status(condition("PodScheduled", "True")), Instant.EPOCH, false),
                conditions(
                        "the last of two equal conditions counts",
                        status(condition("PodScheduled", "True").part(4, noon))
                                .part(2, condition("PodScheduled", "True").part(4, later)),
                        NOON.plusSeconds(60),
                        false),
                conditions(
                        "something that only looks like it",
                        status(condition("PodReadyToStartContainers", "True").part(4, noon)),
                        Instant.EPOCH,
                        false),
                conditions("to be removed", status(condition("DisruptionTarget", "True")), Instant.EPOCH, true),
                conditions(
                        "not to be removed any more",
                        status(condition("DisruptionTarget", "False")),
                        Instant.EPOCH,
                        false),
                conditions(
                        "bound and to be removed",
                        status(condition("DisruptionTarget", "True").part(4, later))
                                .part(2, condition("PodScheduled", "True").part(4, noon))
                                .part(2, condition("Initialized", "True").part(4, later)),
                        NOON,
                        true));
    }

    private static Arguments conditions(String name, Message status, Instant bound, boolean beingDisrupted) {
        return argumentSet(
                name,
                NOTHING,
                status,
                new PodLifecycle(Phase.UNKNOWN, false, Instant.EPOCH, bound, Optional.empty(), beingDisrupted));
    }

    private static Message status(Message condition) {
        return message().part(2, condition);
    }

    @ParameterizedTest
    @MethodSource({"lives", "times", "conditions"})
    void lives(Message metadata, Message status, PodLifecycle expected) throws MalformedException {
        assertThat(decode(pod(metadata, NOTHING, status)).life()).isEqualTo(expected);
    }

    static Stream<Arguments> protections() {
        Controller web = new Controller("ReplicaSet", "web", "o-1");
        Message controls = owner("ReplicaSet", "web", "o-1").number(6, 1).number(7, 1);
        return Stream.of(
                protection("priority 7", NOTHING, message().number(25, 7), priority(7)),
                protection("priority 0", NOTHING, message().number(25, 0), PLAIN),
                protection("priority below 0", NOTHING, message().number(25, -7), priority(-7)),
                protection("system-critical", NOTHING, message().number(25, 2_000_001_000), priority(2_000_001_000)),
                protection("an empty restart policy", NOTHING, message().text(3, ""), PLAIN),
                protection("started again always", NOTHING, message().text(3, "Always"), PLAIN),
                protection("on failure", NOTHING, message().text(3, "OnFailure"), restarts(RestartPolicy.ON_FAILURE)),
                protection("never", NOTHING, message().text(3, "Never"), restarts(RestartPolicy.NEVER)),
                protection("a policy of the future", NOTHING, message().text(3, "Soon"), restarts(RestartPolicy.NEVER)),
                protection(
                        "the image of a static pod",
                        message().entry(12, "a", "b").entry(12, "kubernetes.io/config.mirror", ""),
                        NOTHING,
                        new VictimProtection(Optional.empty(), 0, RestartPolicy.ALWAYS, true, false, false)),
                protection(
                        "annotations that only look like it",
                        message()
                                .entry(12, "kubernetes.io/config.mirrors", "x")
                                .entry(12, "x", "kubernetes.io/config.mirror")
                                .part(12, NOTHING),
                        NOTHING,
                        PLAIN),
                protection(
                        "annotations that ask for something among others",
                        message()
                                .entry(12, "a", "b")
                                .entry(12, "holdfast.dev/keep", "true")
                                .entry(12, "holdfast.dev/keeps", "x")
                                .entry(12, "karpenter.sh/do-not-disrupt", "30m"),
                        NOTHING,
                        marked(
                                "holdfast.dev/keep", "true",
                                "karpenter.sh/do-not-disrupt", "30m")),
                protection(
                        "an annotation of a mebibyte of characters of four bytes, of which the beginning is read",
                        message().entry(12, "holdfast.dev/keep", "\uD83D\uDE00".repeat(1 << 18)),
                        NOTHING,
                        marked("holdfast.dev/keep", "\uD83D\uDE00".repeat(1 << 18))),
                protection(
                        "an acknowledgement, which is for namespaces and policies",
                        message().entry(12, "holdfast.dev/acknowledge", "disk@1"),
                        NOTHING,
                        PLAIN),
                protection(
                        "an annotation without a value, which is an empty one",
                        message().part(12, message().text(1, "holdfast.dev/keep-until")),
                        NOTHING,
                        marked("holdfast.dev/keep-until", "")),
                protection(
                        "in a scheduling group",
                        NOTHING,
                        message().part(43, message().text(1, "g")),
                        gang()),
                protection(
                        "in a scheduling group without a name",
                        NOTHING,
                        message().part(43, NOTHING),
                        gang()),
                protection(
                        "in a pod group of the scheduler plugin",
                        message().entry(11, "scheduling.x-k8s.io/pod-group", "g"),
                        NOTHING,
                        gang()),
                protection(
                        "in a queue of Kueue", message().entry(11, "kueue.x-k8s.io/queue-name", "q"), NOTHING, gang()),
                protection(
                        "of a LeaderWorkerSet",
                        message().entry(11, "leaderworkerset.sigs.k8s.io/name", "llm"),
                        NOTHING,
                        gang()),
                protection(
                        "of a JobSet", message().entry(11, "jobset.sigs.k8s.io/jobset-name", "train"), NOTHING, gang()),
                protection("of a Volcano job", message().entry(11, "volcano.sh/job-name", "j"), NOTHING, gang()),
                protection(
                        "in a group of Volcano",
                        message().entry(12, "scheduling.k8s.io/group-name", "g"),
                        NOTHING,
                        gang()),
                protection(
                        "in a task group of YuniKorn",
                        message().entry(12, "yunikorn.apache.org/task-group-name", "g"),
                        NOTHING,
                        gang()),
                protection("of a Ray cluster", message().entry(11, "ray.io/cluster", "r"), NOTHING, gang()),
                protection(
                        "of a Kubeflow job",
                        message().entry(11, "training.kubeflow.org/job-name", "t"),
                        NOTHING,
                        gang()),
                protection("with an empty scheduler name", NOTHING, message().text(19, ""), PLAIN),
                protection(
                        "of another scheduler",
                        NOTHING,
                        message().text(19, "bin-packing"),
                        new VictimProtection(
                                Optional.empty(),
                                0,
                                RestartPolicy.ALWAYS,
                                false,
                                false,
                                false,
                                new PodScheduler("bin-packing", false, ""),
                                false,
                                false,
                                PodSecurityLevel.RESTRICTED,
                                DisruptionAnnotations.none())),
                protection(
                        "with a claim for a device",
                        NOTHING,
                        message().part(39, message().text(1, "gpu")),
                        new VictimProtection(
                                Optional.empty(),
                                0,
                                RestartPolicy.ALWAYS,
                                false,
                                false,
                                false,
                                new PodScheduler(VictimProtection.DEFAULT_SCHEDULER, false, ""),
                                true,
                                false,
                                PodSecurityLevel.RESTRICTED,
                                DisruptionAnnotations.none())),
                protection(
                        "with an eviction responder",
                        NOTHING,
                        message()
                                .part(
                                        44,
                                        message()
                                                .text(1, "backup.example.com/db")
                                                .number(2, 10_000)),
                        responding()),
                protection(
                        "with an eviction responder without a name",
                        NOTHING,
                        message().part(44, NOTHING),
                        responding()),
                protection("owned by a controller", message().part(13, controls), NOTHING, controlled(web)),
                protection(
                        "a kind of Kubernetes in its API group",
                        message()
                                .part(
                                        13,
                                        owner("StatefulSet", "db", "o-1")
                                                .text(5, "apps/v1")
                                                .number(6, 1)),
                        NOTHING,
                        controlled(new Controller("StatefulSet", "db", "o-1"))),
                protection(
                        "a kind of that name in another API group",
                        message()
                                .part(
                                        13,
                                        owner("StatefulSet", "db", "o-1")
                                                .text(5, "apps.kruise.io/v1beta1")
                                                .number(6, 1)),
                        NOTHING,
                        controlled(new Controller("StatefulSet.apps.kruise.io", "db", "o-1"))),
                protection(
                        "owned without being controlled", message().part(13, owner("C", "c", "o-0")), NOTHING, PLAIN),
                protection(
                        "owned by one that denies being the controller",
                        message().part(13, owner("C", "c", "o-0").number(6, 0)),
                        NOTHING,
                        PLAIN),
                protection(
                        "the first controller counts",
                        message()
                                .part(13, owner("C", "c", "o-0"))
                                .part(13, controls)
                                .part(13, owner("D", "d", "o-2").number(6, 1)),
                        NOTHING,
                        controlled(web)),
                protection(
                        "a controller that says nothing of itself",
                        message().part(13, message().number(6, 1)),
                        NOTHING,
                        controlled(new Controller("", "", ""))));
    }

    private static Arguments protection(String name, Message metadata, Message spec, VictimProtection expected) {
        return argumentSet(name, metadata, spec, expected);
    }

    private static Message owner(String kind, String name, String uid) {
        return message().text(1, kind).text(3, name).text(4, uid).text(5, "apps/v1");
    }

    private static VictimProtection marked(String... keysAndValues) {
        DisruptionAnnotations disruptionAnnotations =
                DisruptionAnnotations.of(Labels.of(keysAndValues).toMap());
        return new VictimProtection(
                Optional.empty(),
                0,
                RestartPolicy.ALWAYS,
                false,
                false,
                false,
                new PodScheduler(VictimProtection.DEFAULT_SCHEDULER, false, ""),
                false,
                false,
                PodSecurityLevel.RESTRICTED,
                disruptionAnnotations);
    }

    private static VictimProtection priority(int priority) {
        return new VictimProtection(Optional.empty(), priority, RestartPolicy.ALWAYS, false, false, false);
    }

    private static VictimProtection restarts(RestartPolicy policy) {
        return new VictimProtection(Optional.empty(), 0, policy, false, false, false);
    }

    private static VictimProtection gang() {
        return new VictimProtection(Optional.empty(), 0, RestartPolicy.ALWAYS, false, true, false);
    }

    private static VictimProtection responding() {
        return new VictimProtection(
                Optional.empty(),
                0,
                RestartPolicy.ALWAYS,
                false,
                false,
                false,
                new PodScheduler(VictimProtection.DEFAULT_SCHEDULER, false, ""),
                false,
                true,
                PodSecurityLevel.RESTRICTED,
                DisruptionAnnotations.none());
    }

    private static VictimProtection controlled(Controller controller) {
        return new VictimProtection(Optional.of(controller), 0, RestartPolicy.ALWAYS, false, false, false);
    }

    @ParameterizedTest
    @MethodSource("protections")
    void protections(Message metadata, Message spec, VictimProtection expected) throws MalformedException {
        assertThat(decode(pod(metadata, spec, NOTHING)).victimProtection()).isEqualTo(expected);
    }

    static Stream<Arguments> schedulers() {
        return Stream.of(
                argumentSet("nothing keeps it", NOTHING, NOTHING, new PodScheduler("default-scheduler", false, "")),
                argumentSet(
                        "a scheduling gate",
                        message().part(38, message().text(1, "kueue.x-k8s.io/admission")),
                        NOTHING,
                        new PodScheduler("default-scheduler", true, "")),
                argumentSet(
                        "room is made on a node",
                        NOTHING,
                        message().text(11, "n1"),
                        new PodScheduler("default-scheduler", false, "n1")),
                argumentSet(
                        "room was made on the node that the pod is bound to",
                        message().text(10, "n1"),
                        message().text(11, "n1"),
                        new PodScheduler("default-scheduler", false, "")));
    }

    @ParameterizedTest
    @MethodSource("schedulers")
    void whatKeepsAPodWithoutANode(Message spec, Message status, PodScheduler expected) throws MalformedException {
        assertThat(decode(pod(NOTHING, spec, status)).victimProtection().scheduler())
                .isEqualTo(expected);
    }

    @Test
    void aNodeWithoutANameIsNone() throws MalformedException {
        assertThat(decode(pod(NOTHING, message().text(10, ""), NOTHING)).nodeName())
                .isEmpty();
        assertThat(decode(pod(NOTHING, message().text(10, "n1"), NOTHING)).nodeName())
                .contains("n1");
    }

    @Test
    void nothingIsLeftOfThePodBefore() throws MalformedException {
        Pod bare = decode(pod(NOTHING, NOTHING, NOTHING));
        decode(pod(
                message()
                        .part(8, message().number(1, 1))
                        .part(9, message().number(1, 1))
                        .entry(11, "kueue.x-k8s.io/managed", "true")
                        .entry(12, "kubernetes.io/config.mirror", "")
                        .part(13, owner("C", "c", "o-0").number(6, 1)),
                message()
                        .text(3, "Never")
                        .entry(7, "disk", "ssd")
                        .text(10, "n1")
                        .number(25, 7)
                        .part(43, NOTHING)
                        .part(44, NOTHING),
                message()
                        .text(1, "Failed")
                        .part(2, condition("Ready", "True"))
                        .part(
                                2,
                                condition("PodScheduled", "True")
                                        .part(4, message().number(1, 7)))
                        .part(2, condition("DisruptionTarget", "True"))));

        assertThat(decode(pod(NOTHING, NOTHING, NOTHING))).isEqualTo(bare);
    }

    @Test
    void podsOfOneTemplateShareWhatIsEqual() throws MalformedException {
        Message metadata = message()
                .entry(11, "app", "web")
                .part(13, owner("R", "web", "o-1").number(6, 1));
        Message spec = message().entry(7, "disk", "ssd").text(10, "node-with-a-name");

        Pod one = decode(pod(metadata, spec, NOTHING));
        Pod other = decode(pod(metadata, spec, NOTHING));

        assertThat(other.scheduling()).isSameAs(one.scheduling());
        assertThat(other.labels()).isSameAs(one.labels());
        assertThat(other.namespace()).isSameAs(one.namespace());
        assertThat(other.nodeName().orElseThrow()).isSameAs(one.nodeName().orElseThrow());
        assertThat(other.victimProtection().controller().orElseThrow())
                .isSameAs(one.victimProtection().controller().orElseThrow());
    }

    static Stream<Arguments> mounts() {
        Message hostPath = volume(1, message().text(1, "/var/lib/web"));
        Message csi = volume(28, message().text(1, "scratch.csi.example.com"));
        Message readOnlyCsi =
                volume(28, message().text(1, "scratch.csi.example.com").number(2, 1));
        return Stream.of(
                argumentSet("a hostPath that no container mounts", message().part(1, hostPath), false),
                argumentSet(
                        "a hostPath mounted for writing",
                        message().part(1, hostPath).part(2, mount(0)),
                        true),
                argumentSet(
                        "a hostPath mounted read-only",
                        message().part(1, hostPath).part(2, mount(1)),
                        false),
                argumentSet(
                        "a hostPath mounted read-only, and for writing in another container",
                        message().part(1, hostPath).part(2, mount(1)).part(2, mount(0)),
                        true),
                argumentSet(
                        "a hostPath that an init container writes",
                        message().part(1, hostPath).part(20, mount(0)),
                        true),
                argumentSet(
                        "a container that comes before the hostPath",
                        message().part(2, mount(0)).part(1, hostPath),
                        true),
                argumentSet(
                        "another volume mounted for writing",
                        message()
                                .part(1, hostPath)
                                .part(2, message().part(9, message().text(1, "other"))),
                        false),
                argumentSet(
                        "an inline CSI volume mounted for writing",
                        message().part(1, csi).part(2, mount(0)),
                        true),
                argumentSet(
                        "an inline CSI volume that is read-only, mounted for writing",
                        message().part(1, readOnlyCsi).part(2, mount(0)),
                        false),
                argumentSet(
                        "a volume without a source, which is an emptyDir",
                        message().part(1, message().text(1, "data")),
                        true),
                argumentSet(
                        "an inline CSI volume mounted read-only",
                        message().part(1, csi).part(2, mount(1)),
                        false));
    }

    private static Message volume(int source, Message content) {
        return message().text(1, "data").part(2, message().part(source, content));
    }

    private static Message mount(int readOnly) {
        return message().part(9, message().text(1, "data").number(2, readOnly));
    }

    @ParameterizedTest
    @MethodSource("mounts")
    void filesOnTheNodeAreLocalStorageIfAContainerWritesThem(Message spec, boolean expected) throws MalformedException {
        assertThat(decode(pod(NOTHING, spec, NOTHING)).victimProtection().localStorage())
                .isEqualTo(expected);
        assertThat(decode(pod(NOTHING, NOTHING, NOTHING)).victimProtection().localStorage())
                .isFalse();
    }

    static Stream<Arguments> sources() {
        Message hash = message().entry(11, "pod-template-hash", "7f");
        Message updates = message().entry(12, "vpaUpdates", "Pod resources updated by web: container 0: cpu request");
        Message resized = message().entry(12, "vpaInPlaceUpdated", "true");
        return Stream.of(
                source("a pod of a Deployment, which may be gone later", "ReplicaSet", 1, hash, NextRequests.LARGER),
                source("a pod of a StatefulSet that was never changed", "StatefulSet", 1, NOTHING, NextRequests.SAME),
                source("a pod of a Job that was never changed", "Job", 1, NOTHING, NextRequests.SAME),
                source("a pod of a ReplicaSet without a Deployment", "ReplicaSet", 1, NOTHING, NextRequests.LARGER),
                source("a pod that was resized", "ReplicaSet", 2, hash, NextRequests.TEMPLATE),
                source("a pod of a plain ReplicaSet that was resized", "ReplicaSet", 2, NOTHING, NextRequests.TEMPLATE),
                source(
                        "a pod of an API server that counts no changes",
                        "StatefulSet",
                        0,
                        NOTHING,
                        NextRequests.TEMPLATE_IF_KNOWN),
                source("a pod that an autoscaler resized", "StatefulSet", 3, resized, NextRequests.AUTOSCALER),
                source("an autoscaler, and the pod was never changed", "StatefulSet", 1, updates, NextRequests.SAME),
                source("an autoscaler, and an edited template", "ReplicaSet", 1, updates, NextRequests.LARGER),
                source(
                        "an autoscaler, and an API server that counts no changes",
                        "StatefulSet",
                        0,
                        updates,
                        NextRequests.AUTOSCALER),
                argumentSet("a pod without a controller", message().number(7, 2), NextRequests.SAME));
    }

    private static Arguments autoscaled(String name, Message annotations, NextRequests next, String... set) {
        return argumentSet(name, annotations, next, Set.of(set));
    }

    /** The pod has the containers app and log. */
    static Stream<Arguments> autoscalers() {
        String both = "Pod resources updated by web: container 0: cpu request, cpu limit; container 1: memory request";
        Message updates = message().entry(12, "vpaUpdates", both);
        return Stream.of(
                autoscaled(
                        "it set requests and limits of the first container",
                        updates,
                        NextRequests.PARTLY_AUTOSCALER,
                        "cpu request",
                        "cpu limit"),
                autoscaled(
                        "a sidecar was added before the first container later",
                        message().raw(updates.bytes()).entry(12, "vpaObservedContainers", "log, app"),
                        NextRequests.PARTLY_AUTOSCALER,
                        "memory request"),
                autoscaled(
                        "it set nothing",
                        message().entry(12, "vpaObservedContainers", "app, log"),
                        NextRequests.PARTLY_AUTOSCALER),
                autoscaled(
                        "it resized the pod in place, and does not say how",
                        message().raw(updates.bytes()).entry(12, "vpaInPlaceUpdated", "true"),
                        NextRequests.AUTOSCALER),
                autoscaled(
                        "it names a container that it has not observed",
                        message().raw(updates.bytes()).entry(12, "vpaObservedContainers", "app"),
                        NextRequests.AUTOSCALER),
                autoscaled(
                        "it names a container twice",
                        message().entry(12, "vpaUpdates", "by web: container 0: cpu request; container 0: cpu limit"),
                        NextRequests.AUTOSCALER),
                autoscaled(
                        "an amount that it never sets",
                        message().entry(12, "vpaUpdates", "by web: container 0: cpu request, disk request"),
                        NextRequests.PARTLY_AUTOSCALER,
                        "cpu request"),
                autoscaled("another text", message().entry(12, "vpaUpdates", "by hand"), NextRequests.AUTOSCALER),
                autoscaled(
                        "a text of more than 2,048 bytes",
                        message()
                                .entry(12, "vpaUpdates", both + ", memory request".repeat(200))
                                .entry(12, "vpaObservedContainers", "app, log"),
                        NextRequests.AUTOSCALER));
    }

    @ParameterizedTest
    @MethodSource("autoscalers")
    void whatAnAutoscalerSetsInTheNextPod(Message annotations, NextRequests next, Set<String> set)
            throws MalformedException {
        Message owner = message().text(1, "Job").text(3, "web").text(4, "u").number(6, 1);
        Message metadata = message().number(7, 2).raw(annotations.bytes()).part(13, owner);
        Message spec =
                message().part(2, message().text(1, "app")).part(2, message().text(1, "log"));

        PodRequirements read = decode(pod(metadata, spec, NOTHING)).podRequirements();

        assertThat(read.nextRequests()).isEqualTo(next);
        assertThat(read.containers().getFirst().autoscaled()).isEqualTo(set);
    }

    private static Arguments source(String name, String kind, int generation, Message more, NextRequests expected) {
        return argumentSet(
                name,
                message()
                        .number(7, generation)
                        .raw(more.bytes())
                        .part(
                                13,
                                message()
                                        .text(1, kind)
                                        .text(3, "web")
                                        .text(4, "u")
                                        .number(6, 1)),
                expected);
    }

    @ParameterizedTest
    @MethodSource("sources")
    void whereTheRequestsOfItsReplacementComeFrom(Message metadata, NextRequests expected) throws MalformedException {
        Message requested =
                message().part(2, message().text(1, "cpu").part(2, message().text(1, "100m")));
        Message spec = message().part(2, message().text(1, "app").part(8, requested));
        Resources cpu = new Resources(100, 0, 0, 0, Map.of());
        Container app = new Container("app", Role.APP, Map.of("cpu", 100L), Map.of());

        assertThat(decode(pod(metadata, spec, NOTHING)).podRequirements())
                .isEqualTo(new PodRequirements(cpu, cpu, List.of(), List.of(), List.of(app), expected));
    }

    static Stream<Arguments> defaults() {
        Message set = message().entry(12, "kubernetes.io/limit-ranger", "LimitRanger plugin set: cpu request");
        Message updates = message().entry(12, "vpaUpdates", "Pod resources updated by web: container 0: cpu request");
        return Stream.of(
                argumentSet("LimitRanges set requests", set, true),
                argumentSet("no annotation", NOTHING, false),
                argumentSet(
                        "an autoscaler set them after that",
                        message().raw(set.bytes()).raw(updates.bytes()),
                        false));
    }

    @ParameterizedTest
    @MethodSource("defaults")
    void whetherLimitRangesSetRequestsOrLimits(Message annotations, boolean expected) throws MalformedException {
        Message owner = message().text(1, "Job").text(3, "web").text(4, "u").number(6, 1);
        Message metadata = message().number(7, 1).raw(annotations.bytes()).part(13, owner);
        Message spec = message().part(2, message().text(1, "app"));

        assertThat(decode(pod(metadata, spec, NOTHING)).podRequirements().hasDefaults())
                .isEqualTo(expected);
        assertThat(decode(pod(annotations, spec, NOTHING)).podRequirements().hasDefaults())
                .as("without a controller")
                .isFalse();
    }

    static Stream<Arguments> incomplete() {
        return Stream.of(
                argumentSet("no metadata", message(), "an object without a uid"),
                argumentSet("no uid", metadata("web-1", "shop", "", "1"), "an object without a uid"),
                argumentSet("no name", metadata("", "shop", "u-1", "1"), "an object without a name"),
                argumentSet("no namespace", metadata("web-1", "", "u-1", "1"), "an object without a namespace"),
                argumentSet(
                        "no resourceVersion",
                        message()
                                .part(
                                        1,
                                        message()
                                                .text(1, "web-1")
                                                .text(3, "shop")
                                                .text(5, "u-1")),
                        "an object without a resourceVersion"),
                argumentSet(
                        "a resourceVersion that is not a number",
                        metadata("web-1", "shop", "u-1", "abc"),
                        "the resourceVersion is \"abc\", not a number of up to 63 bits"),
                argumentSet(
                        "a time out of range",
                        pod(message().part(8, message().number(1, Long.MAX_VALUE)), NOTHING, NOTHING),
                        "9223372036854775807 seconds after 1970 is no valid time"));
    }

    @ParameterizedTest
    @MethodSource("incomplete")
    void whatEveryPodHasMustBeThere(Message pod, String what) {
        assertThatExceptionOfType(MalformedException.class)
                .isThrownBy(() -> decode(pod))
                .withMessageEndingWith(": " + what);
    }

    /**
     * Labels and scheduling fields are collected in a buffer first, but errors still name the offset in the response
     * body.
     */
    @Test
    void whatIsWrongInGatheredFieldsIsToldWithItsPlaceInTheBody() {
        byte[] broken = {0x0a, 9, 'x'};
        byte[] pod = pod(
                        message().entry(11, "a", "1").number(7, 1).bytes(11, broken),
                        message().entry(7, "disk", "ssd").text(10, "n1").bytes(18, new byte[] {0x0a, 1, 7}),
                        NOTHING)
                .bytes();

        assertThatExceptionOfType(MalformedException.class)
                .isThrownBy(() -> decoder.decode(new ByteSlice(pod)))
                .withMessage("byte " + (indexOf(pod, broken) + 1) + ": field 1 is 9 bytes long, but 1 are left");
    }

    @Test
    void whatIsWrongInSchedulingFieldsIsToldWithItsPlaceInTheBody() {
        byte[] broken = {0x0a, 9, 'x'};
        byte[] pod = pod(
                        NOTHING,
                        message()
                                .entry(7, "disk", "ssd")
                                .text(10, "n1")
                                .bytes(18, broken)
                                .text(19, "default"),
                        NOTHING)
                .bytes();

        assertThatExceptionOfType(MalformedException.class)
                .isThrownBy(() -> decoder.decode(new ByteSlice(pod)))
                .withMessage("byte " + (indexOf(pod, broken) + 1) + ": field 1 is 9 bytes long, but 1 are left");
    }

    private static int indexOf(byte[] bytes, byte[] part) {
        for (int i = 0; i <= bytes.length - part.length; i++) {
            if (new ByteSlice(bytes, i, i + part.length, 0).text().equals(new ByteSlice(part).text())) {
                return i;
            }
        }
        throw new AssertionError("not found");
    }

    private Pod decode(Message pod) throws MalformedException {
        return decoder.decode(new ByteSlice(pod.bytes()));
    }

    private static Message condition(String type, String status) {
        return message().text(1, type).text(2, status);
    }

    private static Message identity() {
        return message().text(1, "web-1").text(3, "shop").text(5, "u-1").text(6, "4711");
    }

    private static Message metadata(String name, String namespace, String uid, String resourceVersion) {
        return message()
                .part(1, message().text(1, name).text(3, namespace).text(5, uid).text(6, resourceVersion));
    }

    private static Message pod(Message metadata, Message spec, Message status) {
        return message().part(1, identity().raw(metadata.bytes())).part(2, spec).part(3, status);
    }
}
