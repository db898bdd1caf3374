package dev.holdfast.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Workloads that {@code what-if} applies to a cluster with one node and Deployment web. */
class WhatIfApplyTest {
    private static final String CLUSTER = """
        {apiVersion: v1, kind: Node, metadata: {name: n1},
         status: {allocatable: {cpu: "2", pods: "9"}, conditions: [{type: Ready, status: "True"}]}}
        ---
        {apiVersion: v1, kind: Namespace, metadata: {name: shop}}
        ---
        {apiVersion: apps/v1, kind: Deployment, metadata: {namespace: shop, name: web, uid: d1}, spec: {replicas: 1,
          selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}},
            spec: {containers: [{name: main, image: "web:1"}]}}}}
        ---
        {apiVersion: apps/v1, kind: ReplicaSet, metadata: {namespace: shop, name: web-1, uid: r1, ownerReferences: [
           {apiVersion: apps/v1, kind: Deployment, name: web, uid: d1, controller: true}]}, spec: {replicas: 1,
          selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}},
            spec: {containers: [{name: main, image: "web:1"}]}}}}
        ---
        {apiVersion: v1, kind: Pod, metadata: {namespace: shop, name: web-1-1, uid: w1, labels: {app: web},
          ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web-1, uid: r1, controller: true}]},
         spec: {nodeName: n1, containers: [{name: main, image: "web:1"}]},
         status: {conditions: [{type: Ready, status: "True"}]}}
        """;

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        only the replicas change            | Deployment  | shop  | web  | 2 | web:1 | false | shop web-1-more2 n1 | none
        the workload is the same            | Deployment  | shop  | web  | 1 | web:1 | false | none | \
          the objects to apply are in the input as they are already, so this change has no effect
        a paused Deployment gets an image   | Deployment  | shop  | web  | 1 | web:2 | true  | none | \
          Deployment shop/web: its pod template changes, but nothing rolls out, because the Deployment is paused
        a DaemonSet                         | DaemonSet   | shop  | log  | 1 | log:1 | false | none | \
          the roll-out of DaemonSet shop/log is not played: its pods stay as they are, and none is created
        a new Deployment                    | Deployment  | shop  | api  | 2 | api:1 | false | shop api-2 n1 | none
        a new Deployment that is paused     | Deployment  | shop  | api  | 2 | api:1 | true  | none | \
          Deployment shop/api is new and paused, so it creates no pod
        a Deployment of no namespace        | Deployment  | other | web  | 1 | web:1 | false | none | \
          Deployment other/web is not applied, because there is no namespace other: the API server would refuse it
        """)
    void aWorkloadIsApplied(
            String name,
            String kind,
            String namespace,
            String workload,
            int replicas,
            String image,
            boolean paused,
            String created,
            String warning)
            throws IOException {
        Path cluster = Files.writeString(folder.resolve("cluster.yaml"), CLUSTER);
        Path file = Files.writeString(folder.resolve("applied.yaml"), """
            {apiVersion: apps/v1, kind: %s, metadata: {namespace: %s, name: %s}, spec: {%s
              selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}},
                spec: {containers: [{name: main, image: "%s"}]}}}}
            """.formatted(
                        kind,
                        namespace,
                        workload,
                        kind.equals("Deployment") ? "replicas: %s, paused: %s,".formatted(replicas, paused) : "",
                        image));

        CommandRun.printingTo(Path.of(""), out, err)
                .execute("what-if", "-f", cluster.toString(), "--apply", file.toString());

        String printed = out.toString().replaceAll(" +", " ");
        assertThat(printed.contains("created by the change")).as(name).isEqualTo(!created.equals("none"));
        if (!created.equals("none")) {
            assertThat(printed).as(name).contains("0s " + created + "\n");
        }
        assertThat(err.toString()
                        .lines()
                        .filter(line -> line.startsWith("holdfast: warning: "))
                        .filter(line -> !line.contains("the input lacks"))
                        .map(line -> line.substring("holdfast: warning: ".length()))
                        .toList())
                .as(name)
                .isEqualTo(warning.equals("none") ? List.of() : List.of(warning));
    }
}
