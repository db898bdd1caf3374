package dev.holdfast.operator.decode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.ListMetadata;
import dev.holdfast.operator.decode.protobuf.ListReader;
import dev.holdfast.operator.decode.protobuf.ObjectDecoder;
import dev.holdfast.operator.decode.protobuf.WatchFrame;
import dev.holdfast.operator.decode.protobuf.WatchReader;
import dev.holdfast.operator.decode.scheduling.SchedulingScope;
import dev.holdfast.policies.model.AnnotationRules;
import dev.holdfast.policies.model.CsiNode;
import dev.holdfast.policies.model.DisruptionBudget;
import dev.holdfast.policies.model.HostPort;
import dev.holdfast.policies.model.LimitRange;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.ResourceQuota;
import dev.holdfast.policies.model.Resources;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Compares objects decoded from protobuf with the same objects read from JSON. Both were recorded from one API server
 * with objects of every kind: see {@code it/tests/src/test/resources/dev/holdfast/it/decode/golden.yaml}.
 */
class GoldenFactsTest {
    private final JsonFacts json = new JsonFacts();

    @Test
    void pods() throws IOException {
        List<Pod> pods =
                decoded("pods", new PodDecoder(SchedulingScope.RULES_AND_PREFERENCES, _ -> AnnotationRules.none()));

        assertThat(pods).containsExactlyElementsOf(json.items(Corpus.body("pods.json"), json::pod));
        assertThat(pods)
                .extracting(pod -> pod.name().name())
                .containsExactly(
                        "bare",
                        "demanding",
                        "demanding-in-all",
                        "empty-affinity",
                        "empty-selectors",
                        "failed",
                        "full",
                        "in-a-pod-group",
                        "in-a-queue",
                        "in-a-scheduling-group",
                        "mirror",
                        "readiness-unknown",
                        "resized",
                        "resized-in-vain",
                        "scheduled-and-not-ready",
                        "succeeded",
                        "terminating-pending",
                        "terminating-running");
    }

    /** The requests that {@code PodRequests} of k8s.io/component-helpers 0.37.1 computes for the recorded pods. */
    @Test
    void requestsAreThoseThatTheSchedulerCounts() throws IOException {
        Map<String, List<Resources>> expected = Map.of(
                "demanding",
                same(new Resources(
                        3250,
                        1_625_829_120,
                        2_000_000_000,
                        0,
                        Map.of("example.com/gpu", 1L, "hugepages-2Mi", 4_194_304L))),
                "demanding-in-all",
                same(new Resources(3250, 1_199_570_944, 1_073_741_824, 0, Map.of())),
                "full",
                same(new Resources(100, 1_073_741_824, 0, 0, Map.of())),
                "resized",
                List.of(
                        new Resources(3100, 3_221_225_472L, 0, 0, Map.of()),
                        new Resources(5100, 4_294_967_296L, 0, 0, Map.of())),
                "resized-in-vain",
                List.of(
                        new Resources(9000, 1_073_741_824, 0, 0, Map.of()),
                        new Resources(2000, 1_073_741_824, 0, 0, Map.of())));

        for (Pod pod :
                decoded("pods", new PodDecoder(SchedulingScope.RULES_AND_PREFERENCES, _ -> AnnotationRules.none()))) {
            assertThat(List.of(
                            pod.podRequirements().requests(),
                            pod.podRequirements().reserved()))
                    .as(pod.name().toString())
                    .isEqualTo(expected.getOrDefault(pod.name().name(), same(Resources.none())));
        }
    }

    private static List<Resources> same(Resources resources) {
        return List.of(resources, resources);
    }

    @Test
    void portsAndVolumesOfADemandingPod() throws IOException {
        Pod demanding = pod("demanding");

        assertThat(demanding.podRequirements().hostPorts())
                .containsExactly(new HostPort("10.0.0.1", 53, "UDP"), new HostPort("0.0.0.0", 8080, "TCP"));
        assertThat(demanding.podRequirements().claims()).containsExactly("demanding-scratch", "data-demanding-0");
        assertThat(demanding.victimProtection().localStorage()).isTrue();
        assertThat(pod("full").victimProtection().localStorage()).isTrue();
        // With hostNetwork the API server sets the host port of every port.
        assertThat(pod("full").podRequirements().hostPorts())
                .extracting(HostPort::port)
                .containsExactly(80, 443);
    }

    private Pod pod(String name) throws IOException {
        return decoded("pods", new PodDecoder(SchedulingScope.RULES_AND_PREFERENCES, _ -> AnnotationRules.none()))
                .stream()
                .filter(pod -> pod.name().name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void nodes() throws IOException {
        List<Node> nodes = decoded("nodes", new NodeDecoder());

        assertThat(nodes).containsExactlyElementsOf(json.items(Corpus.body("nodes.json"), json::node));
        assertThat(nodes)
                .extracting(Node::name)
                .containsExactly("golden-bare", "golden-full", "golden-not-ready", "golden-unknown");
    }

    @Test
    void namespaces() throws IOException {
        List<Namespace> namespaces = decoded("namespaces", new NamespaceDecoder());

        assertThat(namespaces).containsExactlyElementsOf(json.items(Corpus.body("namespaces.json"), json::namespace));
        assertThat(namespaces).extracting(Namespace::name).contains("golden", "golden-labelled", "terminating-golden");
    }

    @Test
    void owners() throws IOException {
        List<Versioned<Owner>> replicaSets =
                decoded("replicasets", OwnerDecoder.ofReplicaSets(SchedulingScope.RULES_AND_PREFERENCES));
        List<Versioned<Owner>> statefulSets =
                decoded("statefulsets", OwnerDecoder.ofStatefulSets(SchedulingScope.RULES_AND_PREFERENCES));
        List<Versioned<Owner>> jobs = decoded("jobs", OwnerDecoder.ofJobs(SchedulingScope.RULES_AND_PREFERENCES));

        assertThat(replicaSets)
                .containsExactlyElementsOf(json.items(Corpus.body("replicasets.json"), json::replicaSet));
        assertThat(statefulSets)
                .containsExactlyElementsOf(json.items(Corpus.body("statefulsets.json"), json::statefulSet));
        assertThat(jobs).containsExactlyElementsOf(json.items(Corpus.body("jobs.json"), json::job));
        // If replicas is absent, the API server sets it to 1.
        assertThat(inWords(replicaSets))
                .containsExactly(
                        "ReplicaSet bare 1",
                        "ReplicaSet full 5 of Deployment web",
                        "ReplicaSet none-wanted 0",
                        "ReplicaSet terminating-set 2");
        assertThat(inWords(statefulSets))
                .containsExactly(
                        "StatefulSet bare 1", "StatefulSet full 3 of Database grün", "StatefulSet none-wanted 0");
        assertThat(inWords(jobs)).containsExactly("Job bare", "Job full of CronJob nightly", "Job suspended");
    }

    private static List<String> inWords(List<Versioned<Owner>> owners) {
        return owners.stream()
                .map(Versioned::object)
                .map(it -> it.kind() + " " + it.name().name()
                        + (it.replicas().isPresent() ? " " + it.replicas().getAsInt() : "")
                        + it.controller()
                                .map(by -> " of " + by.kind() + " " + by.name())
                                .orElse(""))
                .toList();
    }

    @Test
    void budgets() throws IOException {
        List<Versioned<DisruptionBudget>> budgets = decoded("poddisruptionbudgets", new BudgetDecoder());

        assertThat(budgets)
                .containsExactlyElementsOf(json.items(Corpus.body("poddisruptionbudgets.json"), json::budget));
        assertThat(budgets)
                .extracting(Versioned::object)
                .extracting(it -> it.name().name() + " " + it.disruptionsAllowed()
                        + it.selector()
                                .map(selector -> " of " + selector.matchLabels().size() + " labels and "
                                        + selector.matchExpressions().size() + " expressions")
                                .orElse(", no selector"))
                .containsExactly(
                        "all-pods 4 of 0 labels and 0 expressions",
                        "bare 0, no selector",
                        "edited-since 0 of 1 labels and 0 expressions",
                        "full 2 of 2 labels and 4 expressions",
                        "never-observed 0 of 1 labels and 0 expressions",
                        "no-pods 1, no selector",
                        "used-up 0 of 1 labels and 0 expressions");
    }

    @Test
    void claims() throws IOException {
        List<ClaimDecoder.Claim> claims = decoded("persistentvolumeclaims", new ClaimDecoder());

        assertThat(claims)
                .containsExactlyElementsOf(json.items(Corpus.body("persistentvolumeclaims.json"), JsonStorage::claim))
                .containsExactly(
                        new ClaimDecoder.Claim(Optional.of("golden-local"), Optional.of("local"), false, false, false),
                        new ClaimDecoder.Claim(Optional.of("golden-gone"), Optional.empty(), false, false, true),
                        new ClaimDecoder.Claim(
                                Optional.of("golden-anywhere"), Optional.of("golden-zones"), true, false, false),
                        new ClaimDecoder.Claim(Optional.empty(), Optional.empty(), false, false, false),
                        new ClaimDecoder.Claim(Optional.empty(), Optional.empty(), false, false, false),
                        new ClaimDecoder.Claim(Optional.of("golden-zonal"), Optional.empty(), false, true, false));
    }

    @Test
    void volumes() throws IOException {
        List<VolumeDecoder.Volume> volumes = decoded("persistentvolumes", new VolumeDecoder());

        assertThat(volumes)
                .containsExactlyElementsOf(json.items(Corpus.body("persistentvolumes.json"), JsonStorage::volume));
        assertThat(volumes)
                .extracting(volume -> volume.reach() + ", "
                        + volume.csi()
                                .map(csi -> csi.driver() + " " + csi.handle())
                                .orElse("no driver"))
                .containsExactly(
                        ", example.com h",
                        "topology.kubernetes.io/zone In [a, b], ebs.csi.aws.com vol-1",
                        "kubernetes.io/hostname In [golden-full, golden-bare], old DoesNotExist"
                                + " or metadata.name In [golden-bare], no driver",
                        "topology.kubernetes.io/zone In [a], size Gt [4], example.com z");
    }

    @Test
    void storageClasses() throws IOException {
        List<StorageClassDecoder.StorageClass> storageClasses = decoded("storageclasses", new StorageClassDecoder());

        assertThat(storageClasses)
                .containsExactlyElementsOf(json.items(Corpus.body("storageclasses.json"), JsonStorage::storageClass));
        assertThat(storageClasses)
                .extracting(it -> it.provisioner() + (it.waitsForConsumer() ? " waits, " : " at once, ") + it.reach())
                .containsExactly(
                        "example.com at once, ",
                        "example.com waits, topology.kubernetes.io/zone In [a, b] or topology.kubernetes.io/region In"
                                + " [r]");
    }

    @Test
    void csiNodes() throws IOException {
        List<Versioned<CsiNode>> csiNodes = decoded("csinodes", new CsiNodeDecoder());

        assertThat(csiNodes).containsExactlyElementsOf(json.items(Corpus.body("csinodes.json"), JsonStorage::csiNode));
        assertThat(csiNodes)
                .extracting(Versioned::object)
                .containsExactly(
                        new CsiNode("golden-bare", Map.of()),
                        new CsiNode(
                                "golden-full",
                                Map.of(
                                        "example.com", OptionalInt.of(25),
                                        "none.example.com", OptionalInt.of(0),
                                        "unlimited.example.com", OptionalInt.empty())));
    }

    private static Map<String, String> text(Map<String, BigDecimal> amounts) {
        Map<String, String> text = new TreeMap<>();
        amounts.forEach((name, amount) -> text.put(name, amount.toPlainString()));
        return text;
    }

    @Test
    void quotas() throws IOException {
        List<Versioned<ResourceQuota>> quotas = decoded("resourcequotas", new QuotaDecoder());

        assertThat(quotas)
                .containsExactlyElementsOf(json.items(Corpus.body("resourcequotas.json"), JsonStorage::quota));
        assertThat(quotas)
                .extracting(Versioned::object)
                .extracting(it -> it.name().name() + " " + new TreeSet<>(it.scopes()) + " " + text(it.hard()) + " "
                        + text(it.used()))
                .containsExactly(
                        "full [BestEffort, NotTerminating] {pods=2} {pods=3}",
                        "lowered [] {pods=8, requests.cpu=1.5, requests.memory=1073741824}"
                                + " {pods=10, requests.cpu=0.25}",
                        "never-observed [] {count/pods=1} {}",
                        "of-priority [PriorityClass] {pods=1} {}");
    }

    @Test
    void limitRanges() throws IOException {
        List<Versioned<LimitRange>> limitRanges = decoded("limitranges", new LimitRangeDecoder());

        assertThat(limitRanges)
                .containsExactlyElementsOf(json.items(Corpus.body("limitranges.json"), JsonStorage::limitRange));
        assertThat(limitRanges)
                .extracting(Versioned::object)
                .flatExtracting(LimitRange::items)
                .extracting(it -> it.type() + " " + it.max() + " " + it.min() + " " + it.defaultLimits() + " "
                        + it.defaultRequests() + " " + it.maxLimitRequestRatio())
                .containsExactly(
                        "CONTAINER {cpu=2000, memory=1073741824000} {cpu=50, memory=4194304000}"
                                + " {cpu=1500, memory=1073741824000} {cpu=100, memory=1073741824000} {cpu=30000}",
                        "POD {cpu=4000, memory=2147483648000} {} {} {} {cpu=20500}");
    }

    @Test
    void aWatchThatBeginsWithAllPods() throws IOException {
        List<WatchFrame> frames = new ArrayList<>();
        List<Pod> changed = new ArrayList<>();
        watch("pods-watch.pb", frames, changed);

        assertThat(changed).containsExactlyInAnyOrderElementsOf(json.items(Corpus.body("pods.json"), json::pod));
        assertThat(frames).element(changed.size()).isInstanceOf(WatchFrame.Bookmark.class);
    }

    @Test
    void aWatchOfChanges() throws IOException {
        List<WatchFrame> frames = new ArrayList<>();
        List<Pod> changed = new ArrayList<>();
        watch("pods-changes.pb", frames, changed);

        assertThat(frames)
                .extracting(frame -> frame.getClass().getSimpleName())
                .containsExactly("Changed", "Changed", "Deleted");
        assertThat(changed)
                .extracting(pod -> pod.name().name() + (pod.terminating() ? ", terminating" : ""))
                .containsExactly("bare", "in-a-queue, terminating", "in-a-queue, terminating");
        assertThat(changed.getFirst().labels().get("changed")).contains("yes");
    }

    private static void watch(String name, List<WatchFrame> frames, List<Pod> pods) throws IOException {
        PodDecoder decoder = new PodDecoder(SchedulingScope.RULES_AND_PREFERENCES, _ -> AnnotationRules.none());
        WatchReader reader = new WatchReader(body(name), "Pod");
        for (Optional<WatchFrame> frame = reader.next(); frame.isPresent(); frame = reader.next()) {
            frames.add(frame.get());
            switch (frame.get()) {
                case WatchFrame.Changed(ByteSlice object) -> pods.add(decoder.decode(object));
                case WatchFrame.Deleted(ByteSlice object) -> pods.add(decoder.decode(object));
                case WatchFrame.Bookmark _, WatchFrame.Failed _ -> {}
            }
        }
    }

    private <T> List<T> decoded(String kind, ObjectDecoder<T> decoder) throws IOException {
        List<T> decoded = new ArrayList<>();
        ListMetadata listMetadata = new ListReader(body(kind + ".pb")).read(item -> decoded.add(decoder.decode(item)));
        assertThat(listMetadata)
                .isEqualTo(new ListMetadata(
                        Long.parseLong(json.read(Corpus.body(kind + ".json"))
                                .path("metadata")
                                .path("resourceVersion")
                                .asText()),
                        ""));
        return decoded;
    }

    private static ByteArrayInputStream body(String name) {
        return new ByteArrayInputStream(Corpus.body(name));
    }
}
