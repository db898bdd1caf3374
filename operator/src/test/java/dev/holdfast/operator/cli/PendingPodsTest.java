package dev.holdfast.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Pods without a node, in clusters that people reported. */
class PendingPodsTest {
    private static final String FIELD = "src/test/resources/dev/holdfast/operator/field/";
    private static final String NEW_NODE = FIELD + "new-node-for-pending/";

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
                .isEqualTo("1 pod had no node before the change: 0 would run, and 1 would still wait:"
                        + " NAMESPACE POD NODE STATE CAUSE WHY bird bird-new-1 <none> NoNode Anyway 6 nodes: 3 against"
                        + " its rule TopologySpread: spread (app=bird) by kubernetes.io/hostname, maxSkew 1; 3 tainted"
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
}
