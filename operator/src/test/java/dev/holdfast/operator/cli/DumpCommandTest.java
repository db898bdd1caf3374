package dev.holdfast.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.feed.WebSocketApiServer;
import dev.holdfast.operator.feed.WebSocketApiServer.Reply;
import dev.holdfast.operator.feed.WebSocketApiServer.Request;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A cluster of two nodes and a pod, which is written by {@code dump} and read by {@code check}. */
@Timeout(60)
class DumpCommandTest {
    private static final String NODES = "/api/v1/nodes";
    private static final String PODS = "/api/v1/pods";
    private static final String BUDGETS = "/apis/policy/v1/poddisruptionbudgets";
    private static final String REFUSED = "{\"kind\":\"Status\",\"status\":\"Failure\",\"message\":\"no\"}";

    private static final String NODE = """
        {"metadata":{"name":"%s","uid":"%s","resourceVersion":"7","managedFields":[{"manager":"kubelet"}],
         "labels":{"disk":"hdd"}},"status":{"conditions":[{"type":"Ready","status":"True"}]}}\
        """;

    private static final String POD = """
        {"metadata":{"name":"web-1","namespace":"shop","uid":"u3","resourceVersion":"8","annotations":{
         "kubectl.kubernetes.io/last-applied-configuration":"password","vault.example.com/token":"secret",
         "kubernetes.io/change-cause":"kubectl set env TOKEN=secret",
         "kubernetes.io/limit-ranger":"kept"}},
         "spec":{"nodeName":"n1","nodeSelector":{"disk":"ssd"},"containers":[{"name":"main","image":"web",
          "env":[{"name":"TOKEN","value":"secret"}],"args":["--password=secret"],
          "livenessProbe":{"httpGet":{"port":80,"path":"/?token=secret",
           "httpHeaders":[{"name":"Authorization","value":"secret"}]}}}],
          "volumes":[{"name":"a","csi":{"driver":"d","volumeAttributes":{"key":"secret"}}},
           {"name":"b","gitRepo":{"repository":"https://me:secret@example.com"}}]},
         "status":{"phase":"Running","containerStatuses":[{"name":"main","state":{"waiting":{"message":"secret"}},
          "lastState":{"terminated":{"message":"secret"}}}]}}\
        """;

    @TempDir
    private Path folder;

    /** The answers by path and query; other lists are empty. */
    private final Map<String, Reply> answers = new HashMap<>(Map.of(
            NODES + "?limit=1",
            list("NodeList", "next", NODE.formatted("n1", "u1")),
            NODES + "?limit=1&continue=next",
            list("NodeList", "", NODE.formatted("n2", "u2")),
            PODS + "?limit=1",
            list("PodList", "", POD)));

    private final WebSocketApiServer server = new WebSocketApiServer(this::answer);

    @AfterEach
    void close() {
        server.close();
    }

    private Reply answer(Request request) {
        return answers.getOrDefault(request.target(), list("List", ""));
    }

    private static Reply list(String kind, String token, String... items) {
        return listOf("v1", kind, token, items);
    }

    private static Reply listOf(String apiVersion, String kind, String token, String... items) {
        byte[] list = "{\"kind\":\"%s\",\"apiVersion\":\"%s\",\"metadata\":{\"continue\":\"%s\"},\"items\":[%s]}"
                .formatted(kind, apiVersion, token, String.join(",", items))
                .getBytes(StandardCharsets.UTF_8);
        return new Reply.Streams(body -> {
            body.send(list);
            body.end();
        });
    }

    private CommandRun dump() throws IOException {
        Path kubeconfig = Files.writeString(
                folder.resolve("kubeconfig"), """
                    apiVersion: v1
                    kind: Config
                    current-context: local
                    contexts: [{name: local, context: {cluster: local, user: me}}]
                    clusters: [{name: local, cluster: {server: "%s"}}]
                    users: [{name: me, user: {}}]
                    """.formatted(server.connection().getMasterUrl()));
        CommandRun run = CommandRun.in(folder);
        int code = run.execute("dump", "--chunk-size=1", "--kubeconfig", kubeconfig.toString());
        run.err().append("exit code " + code + "\n");
        return run;
    }

    @Test
    void allObjectsAreWrittenWithoutSecrets() throws IOException {
        CommandRun run = dump();

        assertThat(run.out()).hasToString("""
            {"apiVersion":"v1","kind":"List","metadata":{},"items":[
            {"apiVersion":"v1","kind":"Node","metadata":{"name":"n1","uid":"u1","resourceVersion":"7","labels":{"disk":"hdd"}},"status":{"conditions":[{"type":"Ready","status":"True"}]}},
            {"apiVersion":"v1","kind":"Node","metadata":{"name":"n2","uid":"u2","resourceVersion":"7","labels":{"disk":"hdd"}},"status":{"conditions":[{"type":"Ready","status":"True"}]}},
            {"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-1","namespace":"shop","uid":"u3","resourceVersion":"8","annotations":{"kubernetes.io/limit-ranger":"kept"}},"spec":{"nodeName":"n1","nodeSelector":{"disk":"ssd"},"containers":[{"name":"main","image":"web","livenessProbe":{"httpGet":{"port":80}}}],"volumes":[{"name":"a","csi":{"driver":"d"}},{"name":"b","gitRepo":{}}]},"status":{"phase":"Running","containerStatuses":[{"name":"main"}]}}
            ]}
            """);
        assertThat(run.err()).hasToString("""
            holdfast: left out, as it may be secret: 3 annotations that no command reads and 8 fields of containers and volumes (environment, commands, states, requests of probes, parameters of drivers)
            holdfast: wrote 3 objects
            exit code 0
            """);
    }

    /** Keys of labels that are also names of fields in which secrets are. */
    @Test
    void labelsAndSelectorsAreWrittenWithAllTheirKeys() throws IOException {
        String keys = "{\"repository\":\"a\",\"options\":\"b\",\"parameters\":\"c\",\"managedFields\":\"d\","
                + "\"volumeAttributes\":\"e\",\"env\":\"f\"}";
        String node = "{\"metadata\":{\"name\":\"n1\",\"uid\":\"u1\",\"labels\":" + keys + "}}";
        String budget = "{\"metadata\":{\"name\":\"web\",\"namespace\":\"shop\",\"uid\":\"u4\"},"
                + "\"spec\":{\"selector\":{\"matchLabels\":" + keys + "}}}";
        String pod = "{\"metadata\":{\"name\":\"web-1\",\"namespace\":\"shop\",\"uid\":\"u3\",\"labels\":" + keys
                + "},\"spec\":{\"nodeSelector\":" + keys + "}}";
        answers.put(NODES + "?limit=1", list("NodeList", "", node));
        answers.put(BUDGETS + "?limit=1", listOf("policy/v1", "PodDisruptionBudgetList", "", budget));
        answers.put(PODS + "?limit=1", list("PodList", "", pod));

        CommandRun run = dump();

        assertThat(run.out().toString()).contains(node.substring(1), budget.substring(1), pod.substring(1));
        assertThat(run.err().toString()).doesNotContain("may be secret");
    }

    static Stream<Arguments> drivers() {
        return Stream.of(
                argumentSet(
                        "the parameters of a StorageClass",
                        "/apis/storage.k8s.io/v1/storageclasses",
                        "\"provisioner\":\"d\",\"parameters\":{\"key\":\"secret\"}",
                        "\"provisioner\":\"d\""),
                argumentSet(
                        "the mount options of a StorageClass",
                        "/apis/storage.k8s.io/v1/storageclasses",
                        "\"provisioner\":\"d\",\"mountOptions\":[\"password=key\"]",
                        "\"provisioner\":\"d\""),
                argumentSet(
                        "the mount options of a volume",
                        "/api/v1/persistentvolumes",
                        "\"spec\":{\"capacity\":{},\"mountOptions\":[\"password=key\"]}",
                        "\"spec\":{\"capacity\":{}}"),
                argumentSet(
                        "the attributes of a CSI volume",
                        "/api/v1/persistentvolumes",
                        "\"spec\":{\"csi\":{\"driver\":\"d\",\"volumeAttributes\":{\"key\":\"secret\"}}}",
                        "\"spec\":{\"csi\":{\"driver\":\"d\"}}"),
                argumentSet(
                        "the options of a FlexVolume",
                        "/api/v1/persistentvolumes",
                        "\"spec\":{\"flexVolume\":{\"driver\":\"d\",\"options\":{\"key\":\"secret\"}}}",
                        "\"spec\":{\"flexVolume\":{\"driver\":\"d\"}}"));
    }

    @ParameterizedTest
    @MethodSource("drivers")
    void whatDriversOfVolumesGetIsLeftOut(String path, String stored, String written) throws IOException {
        String metadata = "\"metadata\":{\"name\":\"fast\",\"uid\":\"u5\"},";
        answers.put(path + "?limit=1", list("AnyList", "", "{" + metadata + stored + "}"));

        assertThat(dump().out().toString()).contains(metadata + written + "}").doesNotContain("key");
    }

    @Test
    void checkReadsIt() throws IOException {
        Path dump =
                Files.writeString(folder.resolve("cluster.json"), dump().out().toString());
        CommandRun run = CommandRun.in(folder);

        int code = run.execute("check", "-f", dump.toString());

        assertThat(run.out()).hasToString("""
            NAMESPACE   POD     NODE   RULE           BREACH
            shop        web-1   n1     NodeAffinity   n1 does not match disk=ssd: it has disk=hdd
            """);
        assertThat(code).isEqualTo(ExitCode.FINDINGS);
    }

    @Test
    void allKindsAreListedThatAnyCommandReads() throws IOException {
        dump();

        assertThat(server.received().stream()
                        .map(request -> request.target().replaceAll("[?&](limit|continue)=\\w+", ""))
                        .distinct())
                .containsExactly(
                        "/api/v1/namespaces",
                        NODES,
                        "/apis/storage.k8s.io/v1/csinodes",
                        "/api/v1/resourcequotas",
                        "/api/v1/limitranges",
                        BUDGETS,
                        "/apis/apps/v1/deployments",
                        "/apis/apps/v1/replicasets",
                        "/apis/apps/v1/statefulsets",
                        "/apis/batch/v1/jobs",
                        PODS,
                        "/api/v1/services",
                        "/api/v1/replicationcontrollers",
                        "/apis/holdfast.dev/v1alpha1/placementpolicies",
                        "/apis/holdfast.dev/v1alpha1/clusterplacementpolicies",
                        "/apis/holdfast.dev/v1alpha1/enforcementpauses",
                        "/api/v1/persistentvolumeclaims",
                        "/api/v1/persistentvolumes",
                        "/apis/storage.k8s.io/v1/storageclasses",
                        "/api/v1/events?fieldSelector=source%3Dholdfast",
                        "/apis/scheduling.k8s.io/v1/priorityclasses",
                        "/apis/node.k8s.io/v1/runtimeclasses",
                        "/api/v1/configmaps?labelSelector=holdfast.dev%2Fcomponent");
    }

    @Test
    void kindsThatMayNotBeListedAreLeftOut() throws IOException {
        answers.put(BUDGETS + "?limit=1", new Reply.Says(403, REFUSED));
        answers.put("/apis/storage.k8s.io/v1/csinodes?limit=1", new Reply.Says(404, REFUSED));

        assertThat(dump().err().toString().lines())
                .isEqualTo(List.of(
                        "holdfast: warning: the API server does not serve /apis/storage.k8s.io/v1/csinodes, so these"
                                + " objects are left out",
                        "holdfast: warning: the right to list " + BUDGETS
                                + " is missing, so these objects are left out",
                        "holdfast: left out, as it may be secret: 3 annotations that no command reads and 8 fields of"
                                + " containers and volumes (environment, commands, states, requests of probes,"
                                + " parameters of drivers)",
                        "holdfast: wrote 3 objects",
                        "exit code 0"));
    }

    @ParameterizedTest
    @CsvSource({
        "/api/v1/namespaces, 3 objects; without namespaces",
        "/api/v1/nodes, 1 object; without nodes",
        "/api/v1/pods, 2 objects; without pods",
    })
    void withoutAKindOfVerdictsNothingCanBeJudged(String path, String expected) throws IOException {
        answers.put(path + "?limit=1", new Reply.Says(403, REFUSED));

        assertThat(dump().err().toString())
                .endsWith("holdfast: wrote " + expected + ", no command can judge them\nexit code 3\n");
    }

    static Stream<Arguments> nextTemplates() {
        return Stream.of(
                argumentSet("the same template, with what was left out", "", false),
                argumentSet("another value of what was left out", "value: secret>value: other", false),
                argumentSet("another image", "image: web>image: other", true));
    }

    @ParameterizedTest
    @MethodSource("nextTemplates")
    void whatADumpLeavesOutIsNoRollOut(String change, boolean rolledOut) throws IOException {
        String deployment = """
            {"metadata":{"name":"web","namespace":"shop","uid":"d"},"spec":{"replicas":1,"selector":{"matchLabels":
             {"app":"web"}},"template":{"metadata":{"labels":{"app":"web"},"annotations":{"example.com/scrape":"true"}},
             "spec":{"containers":[{"name":"main","image":"web","env":[{"name":"TOKEN","value":"secret"}]}]}}}}\
            """;
        answers.put("/apis/apps/v1/deployments?limit=1", listOf("apps/v1", "DeploymentList", "", deployment));
        answers.put(
                "/apis/apps/v1/replicasets?limit=1",
                listOf(
                        "apps/v1",
                        "ReplicaSetList",
                        "",
                        deployment
                                .replace("\"name\":\"web\",\"namespace\"", "\"name\":\"web-1\",\"namespace\"")
                                .replace(
                                        "\"uid\":\"d\"",
                                        "\"uid\":\"r\",\"ownerReferences\":[{\"apiVersion\":\"apps/v1\","
                                            + "\"kind\":\"Deployment\",\"name\":\"web\",\"uid\":\"d\",\"controller\":true}]")));
        Path dump =
                Files.writeString(folder.resolve("cluster.json"), dump().out().toString());
        String[] parts = change.split(">");
        Path next = Files.writeString(folder.resolve("next.yaml"), """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: web, namespace: shop}
            spec:
              replicas: 1
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web}, annotations: {example.com/scrape: "true"}}
                spec:
                  containers: [{name: main, image: web, env: [{name: TOKEN, value: secret}]}]
            """.replace(parts[0], parts[parts.length - 1]));
        CommandRun run = CommandRun.in(folder);

        run.execute("what-if", "-f", dump.toString(), "--apply", next.toString());

        assertThat(run.out().toString().contains("roll-out")).isEqualTo(rolledOut);
        assertThat(run.err().toString())
                .contains("holdfast: warning: Deployment shop/web: its environment, commands, probe requests and"
                        + " annotations are not compared, because `holdfast dump` left them out: another value of them"
                        + " is no roll-out here\n");
    }

    @Test
    void aListThatExpiresIsWrittenToItsEndAsItIsThen() throws IOException {
        answers.put(
                NODES + "?limit=1&continue=next",
                new Reply.Says(410, REFUSED.replaceFirst("\\{", "{\"metadata\":{\"continue\":\"rest\"},")));
        answers.put(NODES + "?limit=1&continue=rest", list("NodeList", "", NODE.formatted("n3", "u3")));
        CommandRun run = dump();

        assertThat(run.err())
                .hasToString("holdfast: warning: the list of " + NODES
                        + " took so long that the API server forgot its first moment, so the list may lack objects that"
                        + " were created or replaced meanwhile; a larger --chunk-size is faster\n"
                        + "holdfast: left out, as it may be secret: 3 annotations that no command reads and 8 fields of"
                        + " containers and volumes (environment, commands, states, requests of probes, parameters of"
                        + " drivers)\n"
                        + "holdfast: wrote 3 objects\n"
                        + "exit code 0\n");
        assertThat(run.out().toString()).contains("\"n1\"", "\"n3\"").endsWith("]}\n");
    }

    @Test
    void aListThatBreaksOffIsNoWholeDump() throws IOException {
        answers.put(NODES + "?limit=1&continue=next", new Reply.Says(410, REFUSED));
        CommandRun run = dump();

        assertThat(run.err())
                .hasToString("holdfast: cannot list " + NODES
                        + " to its end: no: run the command again, with a larger --chunk-size if a continue parameter"
                        + " is too old\n"
                        + "exit code 3\n");
        assertThat(run.out().toString()).doesNotEndWith("]}\n");
    }
}
