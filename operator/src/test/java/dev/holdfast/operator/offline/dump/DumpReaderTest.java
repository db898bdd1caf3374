package dev.holdfast.operator.offline.dump;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Pod;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PushbackInputStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class DumpReaderTest {
    private static final String POD = """
        {"apiVersion": "v1", "kind": "Pod",
         "metadata": {"name": "web-1", "namespace": "shop", "uid": "u1", "resourceVersion": "7",
                      "labels": {"app": "web"}},
         "spec": {"nodeName": "n1", "nodeSelector": {"disk": "ssd"}}}
        """;

    private static final String POD_AS_YAML = """
        apiVersion: v1
        kind: Pod
        metadata: {name: web-1, namespace: shop, uid: u1, resourceVersion: "7", labels: {app: web}}
        spec: {nodeName: n1, nodeSelector: {disk: ssd}}
        """;

    @TempDir
    private Path folder;

    private static Dump read(byte[]... files) throws DumpException {
        return new DumpReader(_ -> {})
                .read(Arrays.stream(files)
                        .map(file -> new DumpFile("dump.json", () -> new ByteArrayInputStream(file)))
                        .toList());
    }

    private static Dump read(String text) throws DumpException {
        return read(text.getBytes(UTF_8));
    }

    private static byte[] packed(byte[] text) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(text);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return packed.toByteArray();
    }

    private static Pod pod() throws DumpException {
        return podIn(read(POD));
    }

    private static Pod podIn(Dump dump) {
        assertThat(dump.objects()).hasSize(1);
        return ((ClusterEvent.PodChanged) dump.objects().getFirst()).pod();
    }

    static Stream<Arguments> times() {
        return Stream.of(
                argumentSet("no object has a time", POD, Optional.empty()),
                argumentSet(
                        "a kubelet wrote to its node after a pod was created",
                        """
                        {apiVersion: v1, kind: Node, metadata: {name: n1, creationTimestamp: "2026-11-01T08:00:00Z"}, status:
                         {conditions: [{type: Ready, status: "True", lastHeartbeatTime: "2026-11-20T15:42:10Z"}]}}
                        ---
                        {apiVersion: v1, kind: Pod, metadata: {name: web-1, creationTimestamp: "2026-11-20T15:40:00Z"}}
                        """,
                        Optional.of(Instant.parse("2026-11-20T15:42:10Z"))),
                argumentSet(
                        "a pod terminates, and its grace period ends later",
                        """
                        {apiVersion: v1, kind: Pod, metadata: {name: web-1, creationTimestamp: "2026-11-20T15:40:00Z",
                         deletionTimestamp: "2026-11-20T16:40:00Z"}}
                        """,
                        Optional.of(Instant.parse("2026-11-20T15:40:00Z"))));
    }

    @ParameterizedTest
    @MethodSource("times")
    void theTimeIsTheNewestOne(String text, Optional<Instant> time) throws DumpException {
        assertThat(read(text).times().newest()).isEqualTo(time);
    }

    static Stream<Arguments> starts() {
        String created =
                "{apiVersion: v1, kind: Pod, metadata: {name: web-1, creationTimestamp: '2026-11-20T15:40:00Z'}}";
        String ahead = created.replace("web-1", "web-2").replace("2026", "2031");
        return Stream.of(
                argumentSet("a dump of yesterday", created, "2026-11-21T12:00:00Z", "2026-11-20T15:40:00Z"),
                argumentSet("a dump without a time", POD, "2026-11-21T12:00:00Z", "2026-11-21T12:00:00Z"),
                argumentSet("a time in the future", ahead, "2026-11-20T12:00:00Z", "2026-11-20T12:00:00Z"),
                argumentSet(
                        "a time in the future beside another one",
                        created + "\n---\n" + ahead,
                        "2026-11-21T12:00:00Z",
                        "2026-11-20T15:40:00Z"));
    }

    @ParameterizedTest
    @MethodSource("starts")
    void aSimulationStartsAtItsTime(String text, String now, String start) throws DumpException {
        Instant instant = Instant.parse(now);
        Dump dump = new DumpReader(_ -> {}, instant)
                .read(List.of(new DumpFile("dump", () -> new ByteArrayInputStream(text.getBytes(UTF_8)))));

        assertThat(dump.start(instant)).isEqualTo(start);
    }

    @Test
    void aPodHasWhatItsJsonSays() throws DumpException {
        assertThat(pod().name()).hasToString("shop/web-1");
        assertThat(pod().uid()).isEqualTo("u1");
        assertThat(pod().nodeName()).contains("n1");
        assertThat(pod().labels().toMap()).containsExactly(Map.entry("app", "web"));
        assertThat(pod().scheduling().nodeSelector().toMap()).containsExactly(Map.entry("disk", "ssd"));
    }

    static Stream<Arguments> sameForms() {
        return Stream.of(
                argumentSet("YAML", POD_AS_YAML),
                argumentSet("YAML that begins with a comment and a marker", "# from kubectl\n---\n" + POD_AS_YAML),
                argumentSet("JSON after blank lines", "\n\n  " + POD),
                argumentSet("JSON after a byte order mark", "\ufeff" + POD),
                argumentSet("YAML after a byte order mark", "\ufeff" + POD_AS_YAML),
                argumentSet(
                        "a list whose kind comes after its items, as kubectl writes it",
                        "{\"apiVersion\": \"v1\", \"items\": [" + POD + "], \"kind\": \"List\", \"metadata\": {}}"),
                argumentSet(
                        "a list as the API server sends it, whose items have no kind",
                        "{\"kind\": \"PodList\", \"apiVersion\": \"v1\", \"metadata\": {}, \"items\": ["
                                + POD.replace("\"apiVersion\": \"v1\", \"kind\": \"Pod\",", "") + "]}"),
                argumentSet(
                        "a list in a list",
                        "{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\":"
                                + " [{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [" + POD + "]}]}"),
                argumentSet("a bare array, as `jq .items` prints it", "[" + POD + "]"),
                argumentSet("a bare array in YAML", POD_AS_YAML.indent(2).replaceFirst("^ ", "-")),
                argumentSet(
                        "an event of a watch, as kubectl get -w --output-watch-events prints it",
                        "{\"type\":\"ADDED\",\"object\":" + POD + "}"),
                argumentSet("an event of a watch in YAML", "object:\n" + POD_AS_YAML.indent(2) + "type: MODIFIED\n"),
                argumentSet(
                        "a value with an anchor", POD_AS_YAML.replace("labels: {app: web}", "labels: {app: &app web}")),
                argumentSet(
                        "a list whose items share a value",
                        "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: a},"
                                + " data: &disk {disk: ssd}}\n"
                                + POD_AS_YAML
                                        .replace("{disk: ssd}", "*disk")
                                        .indent(2)
                                        .replaceFirst("^ ", "-")),
                argumentSet(
                        "an alias in a value that has an anchor itself",
                        POD_AS_YAML
                                .replace("nodeName: n1", "nodeName: *b")
                                .replace("{disk: ssd}", "*d")
                                .replace("labels: {app: web}", "labels: {app: web}, annotations: {a: &a ssd, b: &b n1}")
                                .replace("spec:", "status: {c: &c [*a], d: &d {disk: *a}}\nspec:")),
                argumentSet(
                        "an object whose kind comes last",
                        POD.replace("\"apiVersion\": \"v1\", \"kind\": \"Pod\",", "")
                                .replaceFirst("}\\s*$", ", \"kind\": \"Pod\", \"apiVersion\": \"v1\"}")),
                argumentSet(
                        "fields that are null",
                        POD.replace("\"nodeName\"", "\"affinity\": null, \"tolerations\": null, \"nodeName\"")));
    }

    @ParameterizedTest
    @MethodSource("sameForms")
    void theSamePodInAnotherForm(String text) throws DumpException {
        assertThat(podIn(read(text))).isEqualTo(pod());
    }

    static Stream<Arguments> utf16() {
        return Stream.of(POD, POD_AS_YAML)
                .flatMap(text -> Stream.of(UTF_16LE, UTF_16BE)
                        .map(charset -> argumentSet(charset + (text.equals(POD) ? " JSON" : " YAML"), text, charset)));
    }

    /** PowerShell writes it. */
    @ParameterizedTest
    @MethodSource("utf16")
    void utf16IsRead(String text, Charset charset) throws DumpException {
        assertThat(podIn(read(("\ufeff" + text).getBytes(charset)))).isEqualTo(pod());
    }

    @Test
    void anEmptyUidIsNone() throws DumpException {
        assertThat(podIn(read(POD.replace("\"u1\"", "\"\""))).uid()).isEqualTo("Pod/shop/web-1");
    }

    @Test
    void aKindThatIsReadInAnotherVersionOnlyIsAWarning() throws DumpException {
        String budget = "{apiVersion: policy/v1beta1, kind: PodDisruptionBudget, metadata: {name: web}}";
        String volumes = "{apiVersion: longhorn.io/v1beta2, kind: Node, metadata: {name: n1}}";

        assertThat(read(budget + "\n---\n" + volumes).warnings())
                .containsExactly("PodDisruptionBudget of policy/v1beta1 is not read, only of policy/v1");
    }

    @Test
    void gzipIsUnpacked() throws DumpException {
        assertThat(podIn(read(packed(POD.getBytes(UTF_8))))).isEqualTo(pod());
    }

    @Test
    void severalObjectsInOneFileAreReadOneAfterTheOther() throws DumpException {
        String other = POD.replace("web-1", "web-2").replace("\"u1\"", "\"u2\"");
        assertThat(read(POD + other).count("Pod")).isEqualTo(2);
        assertThat(read(POD_AS_YAML + "---\n" + other + "---\n").count("Pod")).isEqualTo(2);
    }

    @Test
    void aManifestHasDefaultsForWhatAnApiServerAdds() throws DumpException {
        Pod pod = podIn(read("{apiVersion: v1, kind: Pod, metadata: {name: web-1}, spec: {nodeName: n1}}"));

        assertThat(pod.name()).hasToString("default/web-1");
        assertThat(pod.uid()).isEqualTo("Pod/default/web-1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "evictionResponders: [{name: backup.example.com/db, priority: 10000}]; true",
                "evictionResponders: []; false",
                "evictionResponders: null; false",
                "hostNetwork: false; false"
            })
    void evictionRespondersAreRead(String field, boolean expected) throws DumpException {
        Dump dump = read(POD_AS_YAML.replace("nodeName: n1", "nodeName: n1, " + field) + "status: {}\n");

        assertThat(podIn(dump).victimProtection().evictionResponder()).isEqualTo(expected);
        assertThat(dump.warnings()).isEmpty();
    }

    @Test
    void objectsOnWhichNothingDependsAreCountedAndLeftOut() throws DumpException {
        Dump dump = read("{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"metadata\": {\"name\": \"c\"},"
                + " \"data\": {\"deep\": \"x\"}}");

        assertThat(dump.objects()).isEmpty();
        assertThat(dump.unread()).containsExactly(Map.entry("ConfigMap", 1));
    }

    @Test
    void policiesAreKeptAsTheyAreWritten() throws DumpException {
        Dump dump = read("{apiVersion: holdfast.dev/v1alpha1, kind: ClusterPlacementPolicy, metadata: {name: all},"
                + " spec: {}}");

        assertThat(dump.policies()).hasSize(1);
        assertThat(dump.policies().getFirst().at("/metadata/name").asText()).isEqualTo("all");
    }

    @Test
    void ofAnObjectThatIsThereTwiceTheLastOneCounts() throws DumpException {
        Dump dump = read(POD.getBytes(UTF_8), POD.replace("\"n1\"", "\"n2\"").getBytes(UTF_8));

        assertThat(podIn(dump).nodeName()).contains("n2");
        assertThat(dump.warnings())
                .containsExactly("Pod shop/web-1 is there more than once, again in dump.json: the last one counts");
    }

    static Stream<Arguments> repetitions() {
        String second = POD.replace("web-1", "web-2").replace("\"u1\"", "\"u2\"");
        String moved = POD.replace("\"n1\"", "\"n2\"");
        String policy = "{apiVersion: holdfast.dev/v1alpha1, kind: PlacementPolicy, metadata: {name: keep}, spec: {}}";
        return Stream.of(
                argumentSet("a must-gather lists a pod twice, with the same content", List.of(POD, POD), List.of()),
                argumentSet("a policy is twice in the files", List.of(policy, policy), List.of()),
                argumentSet(
                        "one of two pods has other content the second time",
                        List.of(POD + second, second + moved),
                        List.of("Pod shop/web-1 is there more than once, again in dump.json: the last one counts")),
                argumentSet(
                        "a pod has other content the second and the third time",
                        List.of(POD, moved, POD),
                        List.of("Pod shop/web-1 is there more than once, again in dump.json: the last one counts")),
                argumentSet(
                        "two pods have other content the second time",
                        List.of(POD + second, moved + second.replace("\"n1\"", "\"n2\"")),
                        List.of("2 objects are there more than once, with other content each time: the last one of each"
                                + " counts; the first of them: Pod shop/web-1 is there more than once, again in"
                                + " dump.json")));
    }

    @ParameterizedTest
    @MethodSource("repetitions")
    void objectsWithOtherContentAreOneWarning(List<String> texts, List<String> warnings) throws DumpException {
        Dump dump = read(texts.stream().map(text -> text.getBytes(UTF_8)).toArray(byte[][]::new));

        assertThat(dump.warnings()).isEqualTo(warnings);
    }

    @Test
    void aFieldThatTheApiDoesNotHaveIsReportedOnce() throws DumpException {
        String other = POD.replace("web-1", "web-2").replace("\"u1\"", "\"u2\"");
        assertThat(read((POD + other).replace("nodeSelector", "nodeSelektor")).warnings())
                .containsExactly("dump.json: PodSpec has no field `nodeSelektor`: it is ignored");
    }

    @Test
    void aVolumeOfASourceThatIsNotKnownIsNoEmptyDir() throws DumpException {
        String volumes = POD.replace("\"nodeName\"", "\"volumes\":[{\"name\":\"v\"%s}],\"nodeName\"");

        Dump newer = read(volumes.formatted(",\"ofTheFuture\":{\"size\":1}"));

        assertThat(newer.warnings()).containsExactly("dump.json: Volume has no field `ofTheFuture`: it is ignored");
        assertThat(podIn(newer).victimProtection().localStorage()).isFalse();
        assertThat(podIn(read(volumes.formatted(""))).victimProtection().localStorage())
                .isTrue();
    }

    @Test
    void namespacesAndNodesComeBeforePods() throws DumpException {
        assertThat(read(POD_AS_YAML + "---\n{apiVersion: v1, kind: Node, metadata: {name: n1}}\n---\n"
                                + "{apiVersion: v1, kind: Namespace, metadata: {name: shop}}\n")
                        .objects())
                .extracting(event -> event.getClass().getSimpleName())
                .containsExactly("NamespaceChanged", "NodeChanged", "PodChanged");
    }

    @Test
    void ofAPolicyThatIsThereTwiceTheLastOneCounts() throws DumpException {
        String policy = "{apiVersion: holdfast.dev/v1alpha1, kind: PlacementPolicy, metadata: {name: keep}, spec: {}}";

        Dump dump = read(policy + "\n---\n" + policy.replace("name: keep", "name: keep, namespace: default, uid: p1"));

        assertThat(dump.policies()).hasSize(1);
        assertThat(dump.policies().getFirst().at("/metadata/uid").asText()).isEqualTo("p1");
        assertThat(dump.warnings())
                .containsExactly(
                        "PlacementPolicy default/keep is there more than once, again in dump.json: the last one"
                                + " counts");
    }

    private static String event(String type, String pod) {
        return "{\"type\":\"%s\",\"object\":%s}".formatted(type, pod);
    }

    static Stream<Arguments> watches() {
        String moved = POD.replace("\"n1\"", "\"n2\"").replace("\"7\"", "\"8\"");
        String other = POD.replace("web-1", "web-2").replace("\"u1\"", "\"u2\"");
        String again = POD.replace("\"u1\"", "\"u3\"");
        String deletedInYaml = "object:\n" + POD_AS_YAML.indent(2) + "type: DELETED\n";
        String bookmark = "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"9\"}}";
        return Stream.of(
                argumentSet("a pod that moved", POD + other + moved, List.of("web-1 n2", "web-2 n1")),
                argumentSet(
                        "a pod that moved, as events",
                        event("ADDED", POD) + event("MODIFIED", moved),
                        List.of("web-1 n2")),
                argumentSet(
                        "a pod that was deleted",
                        event("ADDED", POD) + event("ADDED", other) + event("DELETED", moved),
                        List.of("web-2 n1")),
                argumentSet(
                        "a pod that was deleted and created again",
                        event("ADDED", POD) + event("DELETED", POD) + event("ADDED", again),
                        List.of("web-1 n1")),
                argumentSet(
                        "a pod whose UID another pod has after it",
                        event("ADDED", POD) + event("DELETED", POD) + event("ADDED", POD.replace("web-1", "web-2")),
                        List.of("web-2 n1")),
                argumentSet("the end of a pod that was never seen", event("DELETED", POD) + other, List.of("web-2 n1")),
                argumentSet("events in YAML", POD_AS_YAML + "---\n" + deletedInYaml, List.of()),
                argumentSet("a bookmark", event("ADDED", POD) + event("BOOKMARK", bookmark), List.of("web-1 n1")),
                argumentSet(
                        "a bare array of events",
                        "[" + event("ADDED", POD) + "," + event("ADDED", other) + "," + event("DELETED", other) + "]",
                        List.of("web-1 n1")));
    }

    @ParameterizedTest
    @MethodSource("watches")
    void ofAWatchTheLastStateCounts(String text, List<String> pods) throws DumpException {
        Dump dump = read(text);

        assertThat(dump.objects())
                .extracting(object -> ((ClusterEvent.PodChanged) object).pod())
                .extracting(pod -> pod.name().name() + " " + pod.nodeName().orElse(""))
                .containsExactlyElementsOf(pods);
        assertThat(dump.warnings()).isEmpty();
    }

    @Test
    void aPolicyThatWasDeletedIsGone() throws DumpException {
        String policy = "{\"apiVersion\": \"holdfast.dev/v1alpha1\", \"kind\": \"PlacementPolicy\","
                + " \"metadata\": {\"name\": \"a\"}}";

        assertThat(read(event("ADDED", policy) + event("DELETED", policy)).policies())
                .isEmpty();
    }

    static Stream<Arguments> cutYaml() {
        String ofServer =
                "apiVersion: v1\nkind: Pod\nmetadata: {name: web-2, namespace: shop, resourceVersion: \"7\"}\n";
        String pod = "dump.json: the last object, Pod shop/web-2, has no ";
        String end = ": if the file is truncated, verdicts are missing";
        return Stream.of(
                argumentSet("in the metadata of a pod", ofServer, List.of(pod + "`spec`" + end)),
                argumentSet(
                        "in the metadata of a pod, before its resource version",
                        ofServer.replace(", resourceVersion: \"7\"", ""),
                        List.of(pod + "`spec`" + end)),
                argumentSet(
                        "in the spec of a pod", ofServer + "spec: {nodeName: n1}\n", List.of(pod + "`status`" + end)),
                argumentSet(
                        "in the spec of a node",
                        "{apiVersion: v1, kind: Node, metadata: {name: n1, resourceVersion: \"7\"}, spec: {}}",
                        List.of("dump.json: the last object, Node n1, has no `status`" + end)),
                argumentSet("nowhere", ofServer + "spec: {nodeName: n1}\nstatus: {phase: Running}\n", List.of()),
                argumentSet(
                        "nowhere, in a pod that a person wrote",
                        ofServer.replace(", resourceVersion: \"7\"", "") + "spec: {nodeName: n1}\n",
                        List.of()),
                argumentSet(
                        "nowhere, in a node that a person wrote",
                        "{apiVersion: v1, kind: Node, metadata: {name: n1}}",
                        List.of()));
    }

    /** No parser can see that YAML of several documents is cut between two lines. */
    @ParameterizedTest
    @MethodSource("cutYaml")
    void yamlThatMayBeCutInItsLastObjectIsAWarning(String last, List<String> warnings) throws DumpException {
        assertThat(read(POD_AS_YAML + "---\n" + last).warnings()).isEqualTo(warnings);
    }

    @Test
    void whatIsNoObjectIsLeftOutOfAFolder() throws Exception {
        Files.writeString(folder.resolve("Chart.yaml"), "apiVersion: v2\nname: web\n");
        Files.writeString(folder.resolve("a.json"), "[1, 2]");
        Files.writeString(folder.resolve("b.yaml"), "replicas: 3\nimage: web\n");
        Files.writeString(folder.resolve("c.json"), POD);
        List<DumpFile> files = DumpFile.of(folder.toString(), new ByteArrayInputStream(new byte[0]));

        Dump dump = new DumpReader(_ -> {}).read(files);

        assertThat(podIn(dump)).isEqualTo(pod());
        String why = " is left out: it lacks `apiVersion` or `kind`, so it is no object of Kubernetes";
        assertThat(dump.warnings())
                .containsExactly(
                        folder.resolve("Chart.yaml") + why,
                        folder.resolve("a.json") + why,
                        folder.resolve("b.yaml") + why);
    }

    @Test
    void aTruncatedFileOfAFolderIsRefused() throws Exception {
        Files.writeString(folder.resolve("a.yaml"), "apiVersion: v1\nitems: []\n");
        List<DumpFile> files = DumpFile.of(folder.toString(), new ByteArrayInputStream(new byte[0]));

        assertThatThrownBy(() -> new DumpReader(_ -> {}).read(files)).hasMessageContaining("it is truncated");
    }

    static Stream<Arguments> damaged() {
        return Stream.of(
                argumentSet(
                        "a file that ends early",
                        POD.substring(0, POD.length() - 6),
                        "dump.json:4:.*: the file is cut off in the middle of an object: run kubectl again"),
                argumentSet(
                        "a file that ends between two fields",
                        "{\"apiVersion\": \"v1\", \"kind\": \"Pod\",\n",
                        "dump.json:.*: the file is cut off in the middle of an object: run kubectl again"),
                argumentSet(
                        "a field that is there twice, in JSON",
                        POD.replace("\"nodeName\"", "\"nodeName\": \"n2\", \"nodeName\""),
                        "dump.json:4:.*Duplicate field 'nodeName'.*"),
                argumentSet(
                        "a label that is there twice, in YAML",
                        POD_AS_YAML.replace("app: web", "app: web, app: db"),
                        "dump.json:3:.*[Dd]uplicate.*app.*"),
                argumentSet(
                        "a time that is none",
                        POD.replace("\"uid\"", "\"creationTimestamp\": \"yesterday\", \"uid\""),
                        "dump.json:2:.*: metadata.creationTimestamp must be a time as in .*, and is the text"
                                + " \"yesterday\""),
                argumentSet(
                        "a text in YAML with a run of 3,000,000 characters",
                        POD_AS_YAML.replace("app: web", "app: " + "w".repeat(3_000_000)),
                        "dump.json:3: more than 2,000,000 characters without a space: no object of Kubernetes is as"
                                + " large"),
                argumentSet(
                        "a text in JSON of 21,000,000 characters",
                        POD.replace("\"n1\"", '"' + "n".repeat(21_000_000) + '"'),
                        "dump.json.*: String value length \\(\\d+\\) exceeds the maximum allowed \\(20000000\\)"),
                argumentSet("no JSON", "{\"kind\" \"Pod\"}", "dump.json:1:.*: Unexpected character.*"),
                argumentSet(
                        "a number where text belongs",
                        POD_AS_YAML.replace("app: web", "version: 1.0"),
                        "dump.json:3:.*: metadata.labels.version must be a text: write it in quotes, and is 1.0"),
                argumentSet(
                        "text where a list belongs",
                        POD.replace("\"nodeName\"", "\"tolerations\": \"all\", \"nodeName\""),
                        "dump.json:4:.*: spec.tolerations must be a list, and is the text \"all\""),
                argumentSet(
                        "text where an object belongs",
                        POD.replace("{\"disk\": \"ssd\"}", "\"disk\""),
                        "dump.json:4:.*: spec.nodeSelector must be an object, and is the text \"disk\""),
                argumentSet(
                        "an object without a kind",
                        "{\"apiVersion\": \"v1\", \"metadata\": {\"name\": \"x\"}}",
                        "dump.json:1:.*: an object without `kind` ends here: it is not a Kubernetes object"),
                argumentSet(
                        "a pod without a name",
                        "{\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {}}",
                        "dump.json:1:.*: a Pod without `metadata.name` ends here"),
                argumentSet(
                        "documents of JSON with a line between them",
                        POD + "---\n" + POD,
                        "dump.json:5:2: an object of JSON ended before this, and no other one begins here: remove `---`"
                                + " between documents of JSON"),
                argumentSet(
                        "YAML with a character that begins nothing",
                        POD_AS_YAML.replace("app: web", "app: @web"),
                        "dump.json:3:\\d+: found character '@' that cannot start any token. .* while scanning for the"
                                + " next token"),
                argumentSet(
                        "a quantity that is none",
                        "{apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: 1x}}}",
                        "dump.json:1:.*: Node n1: \"1x\" is not a quantity"),
                argumentSet(
                        "a node with less than nothing",
                        "{apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: -1}}}",
                        "dump.json:1:.*: Node n1: status.allocatable has a negative amount"),
                argumentSet(
                        "a spread that no API server accepts",
                        POD_AS_YAML.replace(
                                "nodeName: n1",
                                "nodeName: n1, topologySpreadConstraints: [{maxSkew: 0, topologyKey: zone,"
                                        + " whenUnsatisfiable: DoNotSchedule}]"),
                        "dump.json:.*: Pod shop/web-1: the spec.topologySpreadConstraints entry by zone has maxSkew 0,"
                                + " and it must be at least 1"),
                argumentSet(
                        "YAML that refers to itself many times",
                        laughs(),
                        "dump.json:7:.*: the YAML alias \\*f is too large: aliases stand for at most 2,000,000"
                                + " characters each, and 10,000,000 in all: write the value itself"),
                argumentSet(
                        "YAML with many aliases of a long text",
                        "a: &a " + "w".repeat(500_000) + "\nb: [" + "*a,".repeat(30) + "]\n",
                        "dump.json:2:.*: the YAML alias \\*a is too large: .*"),
                argumentSet(
                        "an alias of a value that is not at its end",
                        "a: &a {b: *a}\n",
                        "dump.json:1:.*: the YAML alias \\*a has no anchor &a before it"),
                argumentSet(
                        "an alias of another document",
                        "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {x: &a n1}}\n---\n"
                                + POD_AS_YAML.replace("n1", "*a"),
                        "dump.json:6:.*: the YAML alias \\*a has no anchor &a before it"),
                argumentSet(
                        "an alias of a value of another type",
                        POD_AS_YAML.replace("{disk: ssd}", "*a").replace("n1", "&a n1"),
                        "dump.json:4:.*: spec.nodeSelector must be an object, and is the text \"n1\""),
                argumentSet(
                        "a merge of fields",
                        POD_AS_YAML.replace("app: web", "<<: {app: web}"),
                        "dump.json:3:.*: the YAML merge key << is not read: write the fields themselves"),
                argumentSet("aliases nested without an end", nestedAliases(), "dump.json:.*: the nesting depth .*"),
                argumentSet("nesting without an end", "{\"a\":".repeat(200), "dump.json:.*nesting depth.*"));
    }

    /** Ten times ten times ten ... texts. */
    private static String laughs() {
        StringBuilder text = new StringBuilder("a: &a lol\n");
        for (char name = 'b'; name <= 'j'; name++) {
            String alias = "*" + (char) (name - 1) + ",";
            text.append(name + ": &" + name + " [" + alias.repeat(10) + "]\n");
        }
        return text.toString();
    }

    private static String nestedAliases() {
        StringBuilder text = new StringBuilder("a0: &a0 x\n");
        for (int i = 1; i <= 200; i++) {
            text.append("a%s: &a%s [*a%s]\n".formatted(i, i, i - 1));
        }
        return text.toString();
    }

    @ParameterizedTest
    @MethodSource("damaged")
    void aDamagedFileIsNotReadInPart(String text, String message) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(DumpException.class)
                .message()
                .matches("(?s)" + message);
    }

    /** As kubectl prints it: the kind of the list comes last, and YAML needs no end. */
    @Test
    void aYamlListThatIsCutAtAnyLineIsRefused() throws DumpException {
        String list = """
            apiVersion: v1
            items:
            - apiVersion: v1
              kind: Pod
              metadata:
                name: web-1
              spec:
                nodeName: n1
            kind: List
            """;
        assertThat(read(list).count("Pod")).isEqualTo(1);
        List<String> lines = list.lines().toList();
        for (int kept = 0; kept < lines.size(); kept++) {
            String cut = String.join("\n", lines.subList(0, kept));
            assertThatThrownBy(() -> read(cut)).as(cut).isInstanceOf(DumpException.class);
        }
    }

    static Stream<Arguments> incomplete() {
        return Stream.of(
                argumentSet("an empty file", "", "dump.json: it is empty: see whether kubectl failed"),
                argumentSet("blank lines", "\n \n", "dump.json: it is empty: see whether kubectl failed"),
                argumentSet(
                        "one page of a list, whose metadata comes first",
                        "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{\"continue\":\"x\"},\"items\":[]}",
                        "dump.json:1:.*: this list is only one page of several .*"),
                argumentSet(
                        "one page of a list, whose metadata comes last",
                        "{\"apiVersion\":\"v1\",\"items\":[],\"kind\":\"List\",\"metadata\":{\"continue\":\"x\"}}",
                        "dump.json:1:.*: this list is only one page of several .*"),
                argumentSet(
                        "an error of the API server instead of objects",
                        "{kind: Status, apiVersion: v1, status: Failure, message: Unauthorized, code: 401}",
                        "dump.json:1:.*: the API server answered with a Status, and not with objects: Unauthorized"
                                + " \\(401\\): run kubectl again"),
                argumentSet(
                        "a watch that broke off",
                        event("ADDED", POD) + event("ERROR", "{\"kind\":\"Status\",\"apiVersion\":\"v1\"}"),
                        "dump.json:5:.*: an event of type ERROR ends here: the watch broke off, so later changes are"
                                + " missing: run kubectl again"),
                argumentSet(
                        "two pods with one UID",
                        POD + POD.replace("web-1", "web-2"),
                        "dump.json:8:.*: the pods shop/web-1 and shop/web-2 have the same UID u1"),
                argumentSet(
                        "the nodes of two clusters",
                        "{apiVersion: v1, kind: Node, metadata: {name: n1, uid: a}}\n---\n"
                                + "{apiVersion: v1, kind: Node, metadata: {name: n1, uid: b}}",
                        "dump.json:3:.*: Node n1 is there twice, with the UIDs a and b: .*"));
    }

    @ParameterizedTest
    @MethodSource("incomplete")
    void whatIsNotAllOfAClusterIsRefused(String text, String message) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(DumpException.class)
                .message()
                .matches("(?s)" + message);
    }

    @Test
    void anObjectWithAFieldItemsIsNoList() throws DumpException {
        assertThat(podIn(read(POD.replace("\"metadata\"", "\"items\": [], \"metadata\""))))
                .isEqualTo(pod());
    }

    @Test
    void aListWithoutItemsIsEmpty() throws DumpException {
        assertThat(read("{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"items\":null}")
                        .objects())
                .isEmpty();
    }

    @Test
    void aLongYamlOfShortRunsIsRead() throws DumpException {
        String words = "w ".repeat(1_500_000);

        assertThat(read(POD_AS_YAML.replace("app: web", "app: web}, annotations: {words: \"" + words + "\""))
                        .objects())
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {POD, POD_AS_YAML})
    void whatIsNotTextSaysSo(String text) {
        byte[] latin = text.replace("web-1", "caf\u00e9").getBytes(ISO_8859_1);

        assertThatThrownBy(() -> read(latin))
                .isInstanceOf(DumpException.class)
                .message()
                .matches("dump.json(:2:\\d+)?: it is not text in UTF-8 or UTF-16");
    }

    @Test
    void gzipThatEndsEarlyIsTruncated() {
        byte[] whole = packed(POD.getBytes(UTF_8));
        assertThatThrownBy(() -> read(Arrays.copyOf(whole, whole.length - 12)))
                .isInstanceOf(DumpException.class)
                .hasMessage("dump.json: the compressed data ends too early: the file is truncated");
    }

    @Test
    void aFolderHasItsFilesInOrderAndThoseOfItsFolders() throws Exception {
        Files.createDirectories(folder.resolve("b"));
        Files.writeString(folder.resolve("b/pods.yaml"), POD_AS_YAML);
        Files.writeString(folder.resolve("a.json"), POD);
        Files.write(folder.resolve("c.yml.gz"), packed(POD_AS_YAML.getBytes(UTF_8)));
        Files.writeString(folder.resolve("notes.txt"), "not read");

        assertThat(DumpFile.of(folder.toString(), new ByteArrayInputStream(new byte[0])))
                .extracting(file -> folder.relativize(Path.of(file.name())).toString())
                .containsExactly("a.json", "b/pods.yaml", "c.yml.gz");
    }

    @Test
    void aLinkedFolderHasItsFiles() throws Exception {
        Files.createDirectories(folder.resolve("real"));
        Files.writeString(folder.resolve("real/pods.yaml"), POD_AS_YAML);
        Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("real"));

        assertThat(DumpFile.of(link.toString(), new ByteArrayInputStream(new byte[0])))
                .extracting(DumpFile::name)
                .containsExactly(link.resolve("pods.yaml").toString());
    }

    @Test
    void aFolderWithALinkToItselfIsRefused() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("link"), folder);

        assertThatThrownBy(() -> DumpFile.of(folder.toString(), new ByteArrayInputStream(new byte[0])))
                .hasMessage(folder + ": cannot read the folder: " + link + ": a link to a folder that it is in");
    }

    @Test
    void standardInputIsReadAndStaysOpen() throws Exception {
        PushbackInputStream standardInput = new PushbackInputStream(new ByteArrayInputStream("{}".getBytes(UTF_8)));
        List<DumpFile> files = DumpFile.of("-", standardInput);

        assertThatThrownBy(() -> new DumpReader(_ -> {}).read(files)).hasMessageStartingWith("standard input");

        assertThat(standardInput.available()).as("not closed, but at its end").isZero();
    }

    @Test
    void aFileThatDoesNotExistIsNamed() {
        assertThatThrownBy(() -> DumpFile.of("no/such.json", new ByteArrayInputStream(new byte[0])))
                .hasMessage("no/such.json: no such file: give a file, a folder, or - for standard input");
    }
}
