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

/** Pods that wait when {@code what-if} begins: pod web-2 takes node n2, because its rule keeps it apart from web-1. */
class WhatIfWaitingTest {
    private static final String CLUSTER = """
        {apiVersion: v1, kind: Node, metadata: {name: n1, labels: {kubernetes.io/hostname: n1}},
         status: {allocatable: {cpu: "2", pods: "9"}, conditions: [{type: Ready, status: "True"}]}}
        ---
        {apiVersion: v1, kind: Node, metadata: {name: n2, labels: {kubernetes.io/hostname: n2}},
         status: {allocatable: {cpu: "2", pods: "9"}, conditions: [{type: Ready, status: "True"}]}}
        ---
        {apiVersion: v1, kind: Namespace, metadata: {name: shop}}
        ---
        {apiVersion: v1, kind: Pod, metadata: {namespace: shop, name: web-1, uid: w1, labels: {app: web}},
         spec: {nodeName: n1}}
        ---
        {apiVersion: v1, kind: Pod, metadata: {namespace: shop, name: web-2, uid: w2, labels: {app: web}},
         spec: {affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [
           {topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: web}}}]}}}}
        ---
        {apiVersion: v1, kind: Pod, metadata: {namespace: shop, name: web-3, uid: w3, labels: {app: web}},
         spec: {nodeSelector: {kubernetes.io/hostname: n3}}}
        """;

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int whatIf(String arguments) throws IOException {
        Path file = Files.writeString(folder.resolve("cluster.yaml"), CLUSTER);
        return CommandRun.printingTo(Path.of(""), out, err)
                .execute(("what-if -f " + file + " " + arguments).split(" "));
    }

    @ParameterizedTest
    @CsvSource({
        "the change keeps a pod waiting, --cordon n2, <none> NoNode Change, 1",
        "the change leaves the node free, --cordon n1, n2 Bound Anyway, 0",
        "the change has no effect, --label node/n1 kubernetes.io/hostname=n1, n2 Bound Anyway, 0",
        "the change takes the node away, --remove-node n2, <none> NoNode Change, 1"
    })
    void bothPlaysTryThePodsThatWait(String name, String change, String fate, int stuck) throws IOException {
        assertThat(whatIf(change + " --fail-on stuck")).as(name).isEqualTo(stuck);

        assertThat(out.toString().replaceAll(" +", " ")).as(name).contains("shop web-2 " + fate);
        assertThat(err.toString()).as(name).contains(" and " + stuck + " pod" + (stuck == 1 ? "" : "s") + " stuck");
    }

    @Test
    void onlyTheChangeLeavesOutThePodsThatWaitAnyway() throws IOException {
        whatIf("--cordon n2 --only-change");

        assertThat(out.toString())
                .contains("1 pod had no node before the change: 0 would run, and 1 would still wait:\n", "web-2")
                .doesNotContain("web-3")
                .endsWith("\nWithout the change too: 1 pending pod; see --only-change=false\n");
    }
}
