package dev.holdfast.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
