package dev.holdfast.operator.cli;

import static dev.holdfast.operator.cli.CheckSoftTest.NODES;
import static dev.holdfast.operator.cli.CheckSoftTest.SPREAD;
import static dev.holdfast.operator.cli.CheckSoftTest.SSD;
import static dev.holdfast.operator.cli.CheckSoftTest.pod;
import static dev.holdfast.operator.cli.CheckSoftTest.preferred;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code explain pod/NAME --scores}: node a1 is in zone a and has disk=hdd, node b1 in zone b has disk=ssd. */
class ExplainScoresTest {
    @TempDir
    private Path folder;

    private String out = "";
    private String err = "";

    private int scores(String objects, String target) throws IOException {
        Path file = Files.writeString(folder.resolve("cluster.yaml"), objects);
        CommandRun run = CommandRun.in(folder);
        int code = run.execute("explain", target, "-n", "shop", "--scores", "-f", file.toString());
        out = run.out().toString();
        err = run.err().toString();
        return code;
    }

    /**
     * A container without requests counts as 100m and 200 MiB. So b1 has 7900 of 8000m and 16184 of 16384 MiB free: 98
     * and 98. On a1 there is another such pod: 7800 and 15984, which is 97 and 97. The pod requests neither, so its
     * balance is not scored. With one other pod in zone a, a has the greatest raw and gets 0 by the spread.
     */
    @Test
    void theNodesByTheirScores() throws IOException {
        int code = scores(NODES + pod("web-1", "a1", SPREAD) + pod("web-2", "a1", SPREAD), "pod/web-1");

        assertThat(out).isEqualTo("""
            Pod shop/web-1 on a1. The scheduler may choose b1.
            b1 598, a1 397: PodTopologySpread 200 against 0, NodeResourcesFit 98 against 97

            NODE                MAY BE CHOSEN   TOTAL   TaintToleration   PodTopologySpread   NodeResourcesFit
            b1                  yes             598     300               200                 98
            a1 (its node now)   no              397     300               0                   97

            The scheduler has its default profile and its default spread constraints. A node may get up to 100 points more for images that it has already.
            """);
        assertThat(code).isEqualTo(ExitCode.OK);
    }

    static Stream<Arguments> answers() {
        return Stream.of(
                argumentSet("SC-ALL-1: one node only", NODES + pod("web-1", "a1", "nodeSelector: {disk: hdd}"), """
                    Pod shop/web-1 on a1. Only a1 would take it, so the scheduler scores no node.

                      1 would not (its rule NodeAffinity: disk=hdd: it has disk=ssd): b1
                    """),
                argumentSet("no node", NODES + pod("web-1", "a1", "nodeSelector: {disk: tape}"), """
                    Pod shop/web-1 on a1. No node would take it.

                      1 would not (its rule NodeAffinity: disk=tape: it has disk=hdd): a1 (its node now)
                      1 would not (its rule NodeAffinity: disk=tape: it has disk=ssd): b1
                    """),
                argumentSet(
                        "SC-NA-5: a preferred term that the scheduler cannot read",
                        NODES + pod("web-1", "a1", preferred("Gt", "{key: disk, operator: Gt, values: [x]}", 50)),
                        """
                        Pod shop/web-1 on a1. The plugin NodeAffinity of the scheduler cannot read disk Gt [x]: 'disk Gt [x]': `values` must be exactly one 64-bit integer. So the pod would stay Pending.
                        """));
    }

    @ParameterizedTest
    @MethodSource("answers")
    void theAnswer(String objects, String expected) throws IOException {
        scores(objects, "pod/web-1");

        assertThat(out).isEqualTo(expected);
    }

    @Test
    void aPodWithoutANode() throws IOException {
        scores(NODES + pod("web-1", "a1", SSD).replace("nodeName: a1", "").replace("Running", "Pending"), "pod/web-1");

        assertThat(out).startsWith("""
            Pod shop/web-1, bound to no node. The scheduler may choose b1.
            """);
    }

    @Test
    void anotherScheduler() throws IOException {
        scores(NODES + pod("web-1", "a1", "schedulerName: packer"), "pod/web-1");

        assertThat(out).contains("The scheduler packer places the pod, and may score otherwise.\n");
    }

    @Test
    void withoutServicesTheDefaultConstraintsAreNotKnown() throws IOException {
        scores((NODES + pod("web-1", "a1", SSD)).replace("kind: Service", "kind: Other"), "pod/web-1");

        assertThat(out)
                .startsWith("Pod shop/web-1 on a1. The scheduler may choose a1, b1.\n")
                .contains("A node may get up to 200 points more or less by these constraints, because the Services or"
                        + " the controller of the pod were not read: give svc,rs,sts,rc too.");
    }

    /** The old pod is there until its replacement is placed, and then a1 has no room for both. */
    @Test
    void whileThePodTerminatesItsRoomIsTaken() throws IOException {
        String large =
                pod("web-1", "a1", SPREAD).replace("{name: main}", "{name: main, resources: {requests: {cpu: 5}}}");

        scores(NODES + large + pod("web-2", "b1", SPREAD) + pod("web-3", "b1", SPREAD), "pod/web-1");

        assertThat(out).startsWith("Pod shop/web-1 on a1. The scheduler may choose a1, b1.\n");
    }

    @Test
    void aLargeCluster() throws IOException {
        String nodes = IntStream.range(0, 150).mapToObj(it -> """
            {apiVersion: v1, kind: Node, metadata: {name: n%1$s, labels: {kubernetes.io/hostname: n%1$s}}, status: {
             allocatable: {cpu: "8", memory: 16Gi, pods: "110"}, conditions: [{type: Ready, status: "True"}]}}
            ---
            """.formatted(it)).collect(Collectors.joining());

        scores(nodes + pod("web-1", "n0", ""), "pod/web-1");

        assertThat(out)
                .contains("and 145 more nodes. It looks for 100 feasible nodes only, so better nodes may be left out.")
                .contains("and 140 more nodes with fewer points: -o json");
    }

    static Stream<Arguments> refused() {
        return Stream.of(
                argumentSet("a workload", "deploy/web", ExitCode.USAGE, "--scores is for one pod: write pod/NAME"),
                argumentSet(
                        "a pod that is not there",
                        "pod/other",
                        ExitCode.COULD_NOT_RUN,
                        "the input has no pod shop/other: see -n, or list them with kubectl get pods -A"));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void noAnswer(String target, int expected, String why) throws IOException {
        int code = scores(NODES + pod("web-1", "a1", ""), target);

        assertThat(err).contains(why);
        assertThat(code).isEqualTo(expected);
    }
}
