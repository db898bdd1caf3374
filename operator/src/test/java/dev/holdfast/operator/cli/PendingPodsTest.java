package dev.holdfast.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Pods without a node, in clusters that people reported. */
class PendingPodsTest {
    private static final String FIELD = "src/test/resources/dev/holdfast/operator/field/";
    private static final String NEW_NODE = FIELD + "new-node-for-pending/";

    private static final String HANGS = FIELD + "roll-out-hangs/";

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int holdfast(String arguments) {
        return CommandRun.printingTo(Path.of(""), out, err).execute(arguments.split(" "));
    }

    @Test
    void whatIfSaysThatANewNodeTakesThePodThatWaits() {
        assertThat(holdfast("what-if -f " + NEW_NODE + "cluster.yaml --add-node " + NEW_NODE + "node.yaml"))
                .isEqualTo(ExitCode.OK);

        assertThat(out).hasToString("""
            1 pod had no node before the change: 1 would run, and 0 would still wait:
            NAMESPACE   POD          NODE   STATE   CAUSE    WHY
            bird        bird-new-1   w-4    Bound   Change   <none>
            """);
        assertThat(err.toString())
                .endsWith("and 0 pods stuck; of 1 pod without a node before, 1 would run, and 0 would still wait\n");
    }

    @Test
    void whatIfSaysThatAChangeDoesNotHelpAPodThatWaits() {
        assertThat(holdfast("what-if -f " + NEW_NODE + "cluster.yaml --label node/w-1 disk=ssd"))
                .isEqualTo(ExitCode.OK);

        assertThat(out.toString().replaceAll("\\s+", " "))
                .isEqualTo("1 pod had no node before the change: 0 would run, and 1 would still wait: NAMESPACE POD"
                        + " NODE STATE CAUSE WHY bird bird-new-1 <none> NoNode Anyway 6 nodes: 3 against its"
                        + " rule TopologySpread: spread (app=bird) by kubernetes.io/hostname, maxSkew 1, for"
                        + " example w-1: kubernetes.io/hostname=w-1 would have 2 matching pods, the smallest"
                        + " domain cp-1 has 0: skew 2, allowed 1; 3 tainted"
                        + " node-role.kubernetes.io/control-plane:NoSchedule ");
    }

    @Test
    void whatIfSaysThatAPodThatWaitedIsGone() {
        assertThat(holdfast("what-if -n bird -f " + NEW_NODE + "cluster.yaml --delete pod/bird-new-1"))
                .isEqualTo(ExitCode.FINDINGS);

        assertThat(out.toString()).contains("""
            1 pod had no node before the change: 0 would run, 1 would be gone, and 0 would still wait:
            NAMESPACE   POD          NODE     STATE   CAUSE    WHY
            bird        bird-new-1   <none>   Gone    Change   <none>
            """);
    }

    @Test
    void whatIfSaysThatARollOutWouldHang() {
        assertThat(holdfast("what-if -f " + HANGS + "cluster.yaml --apply " + HANGS + "next.yaml"))
                .isEqualTo(ExitCode.FINDINGS);

        assertThat(out.toString().replaceAll("\\s+", " "))
                .startsWith("1 roll-out, of which 1 would hang: NAMESPACE WORKLOAD STATE UPDATED WAITS FOR WHY net"
                        + " Deployment/resolver Hangs 0 of 3 resolver-r2-1 3 nodes: 3 against its rule"
                        + " PodAntiAffinity: apart from (k8s-app=resolver) by kubernetes.io/hostname, for example r-1:"
                        + " kubernetes.io/hostname=r-1 has net/resolver-1-1 ");
        assertThat(err.toString()).contains("; 1 roll-out would hang").doesNotContain("is not played");
    }

    @ParameterizedTest
    @CsvSource({
        "one old pod may go first, 'maxSurge: 1, maxUnavailable: 0', 'maxSurge: 0, maxUnavailable: 1', Complete 3 of 3",
        "two replicas leave a node free, 'replicas: 3', 'replicas: 2', Complete 2 of 2",
        "the roll-out is paused, 'replicas: 3', 'paused: true', Paused",
        "the template is the same, 'app:2', 'app:1', none"
    })
    void whatIfPlaysARollOut(String name, String before, String after, String expected) throws IOException {
        String next = Files.readString(Path.of(HANGS, "next.yaml")).replace(before, after);
        Path file = Files.writeString(folder.resolve("next.yaml"), next);

        holdfast("what-if -f " + HANGS + "cluster.yaml --apply " + file);

        String printed = out.toString().replaceAll("\\s+", " ");
        if (expected.startsWith("Complete")) {
            assertThat(printed).as(name).contains("Deployment/resolver " + expected);
        } else {
            assertThat(printed).as(name).doesNotContain("Hangs", "Complete");
        }
    }

    @Test
    void whatIfSaysWhichObjectsARollOutNeeds() throws IOException {
        String cluster =
                Files.readString(Path.of(HANGS, "cluster.yaml")).replace("kind: ReplicaSet\n", "kind: Other\n");
        Path file = Files.writeString(folder.resolve("cluster.yaml"), cluster);

        holdfast("what-if -f " + file + " --apply " + HANGS + "next.yaml");

        assertThat(err.toString())
                .contains("warning: Deployment net/resolver applied, but its roll-out is not played, because the input"
                        + " has no ReplicaSet of it: add rs to kubectl get\n");
    }

    @Test
    void checkListsThePodsWithoutANodeAndTheyAreNoFindings() {
        assertThat(holdfast("check -f " + NEW_NODE + "cluster.yaml")).isEqualTo(ExitCode.OK);

        assertThat(out.toString().replaceAll("\\s+", " "))
                .isEqualTo("NAMESPACE PENDING STATE WHY bird bird-new-1 NoNode 6 nodes: 3 against its rule"
                        + " TopologySpread: spread (app=bird) by kubernetes.io/hostname, maxSkew 1, for example"
                        + " w-1: kubernetes.io/hostname=w-1 would have 2 matching pods, the smallest domain cp-1 has"
                        + " 0: skew 2, allowed 1; 3 tainted"
                        + " node-role.kubernetes.io/control-plane:NoSchedule ");
        assertThat(err).hasToString("holdfast: 0 violations; 4 pods on 6 nodes; 1 pod without a node\n");
    }

    @ParameterizedTest
    @CsvSource({"--pending=false", "-n other", "-l app=other"})
    void checkLeavesPodsWithoutANodeOut(String option) {
        holdfast("check -f " + NEW_NODE + "cluster.yaml " + option);

        assertThat(out.toString()).isEmpty();
    }

    /** Nodes of the zones a and b, a pod, and a StorageClass that makes volumes in zone a. */
    private static final String WITH_CLAIMS = """
        apiVersion: v1
        kind: Node
        metadata: {name: n-a, labels: {topology.kubernetes.io/zone: a}}
        status: {allocatable: {cpu: "4", memory: 8Gi, pods: "9"}, conditions: [{type: Ready, status: "True"}]}
        ---
        apiVersion: v1
        kind: Node
        metadata: {name: n-b, labels: {topology.kubernetes.io/zone: b}}
        status: {allocatable: {cpu: "4", memory: 8Gi, pods: "9"}, conditions: [{type: Ready, status: "True"}]}
        ---
        apiVersion: storage.k8s.io/v1
        kind: StorageClass
        metadata: {name: disk}
        provisioner: disk.example.com
        volumeBindingMode: WaitForFirstConsumer
        allowedTopologies: [{matchLabelExpressions: [{key: topology.kubernetes.io/zone, values: [a]}]}]
        ---
        apiVersion: v1
        kind: PersistentVolumeClaim
        metadata: {name: waits, namespace: db}
        spec: {storageClassName: disk}
        status: {phase: Pending}
        ---
        """;

    private static String pod(String name, String volume, String more) {
        return """
            apiVersion: v1
            kind: Pod
            metadata: {name: %s, namespace: db%s}
            spec: {containers: [{name: main}], volumes: [{name: disk, %s}]}
            ---
            """.formatted(name, more, volume);
    }

    private static String claim(String name) {
        return "persistentVolumeClaim: {claimName: " + name + "}";
    }

    private static final String OF_STATEFUL_SET =
            ", ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: db, uid: db, controller: true}]";

    private static final String MISSING =
            "NoNode 2 nodes: 2 where a volume of the pod cannot be used: claim db/%s does" + " not exist";

    static Stream<Arguments> claims() {
        return Stream.of(
                argumentSet(
                        "a claim that does not exist: the scheduler refuses each node",
                        WITH_CLAIMS + pod("web", claim("none"), ""),
                        "db web " + MISSING.formatted("none")),
                argumentSet(
                        "a claim that waits for its first pod: its StorageClass makes volumes in zone a only",
                        WITH_CLAIMS + pod("web", claim("waits"), ""),
                        "db web NotBound 1 of 2 nodes take it: n-a"),
                argumentSet(
                        "the claim of an ephemeral volume, which is created with its pod",
                        WITH_CLAIMS + pod("web", "ephemeral: {volumeClaimTemplate: {spec: {}}}", ""),
                        "db web NotBound 2 of 2 nodes take it: n-a, n-b; a volume does not count: it is unknown on"
                                + " which nodes the volume of claim db/web-disk can be used: there is no such claim"),
                argumentSet(
                        "the claim of a StatefulSet, which is created with its pod",
                        WITH_CLAIMS + pod("db-0", claim("data-db-0"), OF_STATEFUL_SET),
                        "db db-0 NotBound 2 of 2 nodes take it: n-a, n-b; a volume does not count: it is unknown on"
                                + " which nodes the volume of claim db/data-db-0 can be used: there is no such claim"),
                argumentSet(
                        "two pods that wait for different claims are two rows",
                        WITH_CLAIMS + pod("web", claim("none"), "") + pod("web2", claim("other"), ""),
                        "db web " + MISSING.formatted("none") + " db web2 " + MISSING.formatted("other")),
                argumentSet(
                        "two pods that wait for one claim are one row",
                        WITH_CLAIMS + pod("web", claim("none"), "") + pod("web2", claim("none"), ""),
                        "db web and 1 more " + MISSING.formatted("none")),
                argumentSet(
                        "a file without claims",
                        WITH_CLAIMS.replace("kind: PersistentVolumeClaim", "kind: Other")
                                + pod("web", claim("none"), ""),
                        "db web NotBound 2 of 2 nodes take it: n-a, n-b; a volume does not count: it is unknown on"
                                + " which nodes the volume of claim db/none can be used: claims, volumes or storage"
                                + " classes were not read: give pvc,pv,storageclasses too"));
    }

    @ParameterizedTest
    @MethodSource("claims")
    void aPodWaitsForItsClaims(String cluster, String expected) throws IOException {
        Path file = Files.writeString(folder.resolve("cluster.yaml"), cluster);

        holdfast("check -f " + file);

        assertThat(out.toString().replaceAll("\\s+", " ").strip()).isEqualTo("NAMESPACE PENDING STATE WHY " + expected);
    }

    @ParameterizedTest
    @CsvSource({
        "a file without claims, Other, '', true",
        "a file with claims, PersistentVolumeClaim, '', false",
        "pods without a node are not listed, Other, ' --pending=false', false"
    })
    void checkWarnsOfVolumesThatDoNotCount(String name, String kind, String option, boolean warns) throws IOException {
        Path file = Files.writeString(
                folder.resolve("cluster.yaml"),
                WITH_CLAIMS.replace("PersistentVolumeClaim", kind) + pod("web", claim("none"), ""));

        holdfast("check -f " + file + option);

        assertThat(err.toString()
                        .contains("warning: the volumes of 1 pod without a node do not count: add"
                                + " `pvc,pv,storageclasses` to kubectl get\n"))
                .as(name)
                .isEqualTo(warns);
    }

    @Test
    void noNodeOfASimulationTakesAPodWithoutItsClaim() throws IOException {
        Path file = Files.writeString(folder.resolve("cluster.yaml"), WITH_CLAIMS + pod("web", claim("none"), ""));

        holdfast("what-if -f " + file + " --label node/n-a disk=ssd");

        assertThat(out.toString().replaceAll("\\s+", " "))
                .contains("db web <none> NoNode Anyway " + MISSING.substring(7).formatted("none"));
    }

    @Test
    void explainNamesTheClaimThatDoesNotExist() throws IOException {
        Path file = Files.writeString(folder.resolve("cluster.yaml"), WITH_CLAIMS + pod("web", claim("none"), ""));

        holdfast("explain -f " + file + " -n db pod/web");

        assertThat(out.toString()).contains("claim db/none does not exist").doesNotContain("A volume does not count");
    }

    @Test
    void podsThatAreAlikeAreOneRow() throws IOException {
        String cluster = Files.readString(Path.of(NEW_NODE, "cluster.yaml"));
        String pod = cluster.substring(cluster.lastIndexOf("---"));
        Path file = Files.writeString(
                folder.resolve("cluster.yaml"),
                cluster + pod.replace("bird-new-1", "bird-new-2") + pod.replace("bird-new-1", "bird-new-3"));

        holdfast("check -f " + file);

        assertThat(out.toString()).contains("bird        bird-new-1 and 2 more   NoNode");
        assertThat(err.toString()).endsWith("; 3 pods without a node\n");
    }
}
