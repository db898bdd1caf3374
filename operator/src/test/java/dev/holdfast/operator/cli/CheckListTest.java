package dev.holdfast.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.operator.offline.print.Terminal;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** How {@code holdfast check} groups, orders and shows violations. */
class CheckListTest {
    private static final String NODES = """
        {apiVersion: v1, kind: Namespace, metadata: {name: shop}}
        ---
        {apiVersion: v1, kind: Node, metadata: {name: n1, labels: {disk: hdd, topology.kubernetes.io/zone: a}}}
        ---
        {apiVersion: v1, kind: Node, metadata: {name: n2, labels: {disk: hdd}}}
        ---
        """;

    /** Three pods of two workloads, and one without. */
    private static final String SHOP = NODES
            + pod("db-0", "n2", "ReplicaSet", "db-5c4f", "team: data, pod-template-hash: 5c4f")
            + pod("web-1", "n1", "StatefulSet", "web", "team: shop")
            + pod("web-2", "n2", "StatefulSet", "web", "app.kubernetes.io/name: web")
            + """
            {apiVersion: v1, kind: Pod, metadata: {namespace: shop, name: lone, uid: u-lone},
             spec: {nodeName: n1, nodeSelector: {arch: arm64}}}
            ---
            """;

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private static String pod(String name, String node, String kind, String workload, String labels) {
        return """
            apiVersion: v1
            kind: Pod
            metadata: {namespace: shop, name: %s, uid: u-%s, labels: {%s}, ownerReferences: [
              {apiVersion: apps/v1, kind: %s, name: %s, uid: w-%s, controller: true}]}
            spec: {nodeName: %s, nodeSelector: {disk: ssd}}
            ---
            """.formatted(name, name, labels, kind, workload, workload, node);
    }

    private int check(Terminal terminal, String dump, String options) throws IOException {
        Path file = Files.writeString(folder.resolve("cluster.yaml"), dump);
        return new CommandRun(folder, terminal, out, err, Instant.EPOCH)
                .execute(("check -f " + file + " " + options).strip().split(" "));
    }

    private int check(String dump, String options) throws IOException {
        return check(new Terminal(folder, Map.of()), dump, options);
    }

    static Stream<Arguments> tables() {
        return Stream.of(
                argumentSet("the zone stands beside the node, if any node has one", "", """
                    NAMESPACE   POD     NODE   ZONE   RULE           BREACH
                    shop        db-0    n2            NodeAffinity   n2 does not match disk=ssd: it has disk=hdd
                    shop        lone    n1     a      NodeAffinity   n1 does not match arch=arm64: it has no label arch
                    shop        web-1   n1     a      NodeAffinity   n1 does not match disk=ssd: it has disk=hdd
                    shop        web-2   n2            NodeAffinity   n2 does not match disk=ssd: it has disk=hdd
                    """),
                argumentSet("a summary has groups only, the largest first", "-o summary", """
                    VIOLATIONS   PODS   NODES   NAMESPACE   WORKLOAD          RULE           CAUSE
                    2            2      2       shop        StatefulSet/web   NodeAffinity   its node does not match disk=ssd
                    1            1      1       shop        Deployment/db     NodeAffinity   its node does not match disk=ssd
                    1            1      1       shop        Pod/lone          NodeAffinity   its node does not match arch=arm64
                    """),
                argumentSet("groups of one column", "-o summary --group-by cause", """
                    VIOLATIONS   PODS   NODES   CAUSE
                    3            3      2       its node does not match disk=ssd
                    1            1      1       its node does not match arch=arm64
                    """),
                argumentSet(
                        "a namespace that two columns name stands once",
                        "-o summary --group-by workload,zone,pod",
                        """
                        VIOLATIONS   PODS   NODES   NAMESPACE   WORKLOAD          ZONE     POD
                        1            1      1       shop        Deployment/db     <none>   db-0
                        1            1      1       shop        Pod/lone          a        lone
                        1            1      1       shop        StatefulSet/web   <none>   web-2
                        1            1      1       shop        StatefulSet/web   a        web-1
                        """),
                argumentSet("groups that are asked for stand before the list", "--group-by node -n shop", """
                    VIOLATIONS   PODS   NODES   NODE
                    2            2      1       n1
                    2            2      1       n2

                    NAMESPACE   POD     NODE   ZONE   RULE           BREACH
                    shop        db-0    n2            NodeAffinity   n2 does not match disk=ssd: it has disk=hdd
                    shop        lone    n1     a      NodeAffinity   n1 does not match arch=arm64: it has no label arch
                    shop        web-1   n1     a      NodeAffinity   n1 does not match disk=ssd: it has disk=hdd
                    shop        web-2   n2            NodeAffinity   n2 does not match disk=ssd: it has disk=hdd
                    """),
                argumentSet(
                        "in the order of nodes, those of one node keep their order",
                        "--sort-by node --no-headers",
                        """
                        shop        lone    n1     a      NodeAffinity   n1 does not match arch=arm64: it has no label arch
                        shop        web-1   n1     a      NodeAffinity   n1 does not match disk=ssd: it has disk=hdd
                        shop        db-0    n2            NodeAffinity   n2 does not match disk=ssd: it has disk=hdd
                        shop        web-2   n2            NodeAffinity   n2 does not match disk=ssd: it has disk=hdd
                        """),
                argumentSet("labels of pods are the last columns", "-L team,app.kubernetes.io/name", """
                    NAMESPACE   POD     NODE   ZONE   RULE           BREACH                                               TEAM   NAME
                    shop        db-0    n2            NodeAffinity   n2 does not match disk=ssd: it has disk=hdd          data
                    shop        lone    n1     a      NodeAffinity   n1 does not match arch=arm64: it has no label arch
                    shop        web-1   n1     a      NodeAffinity   n1 does not match disk=ssd: it has disk=hdd          shop
                    shop        web-2   n2            NodeAffinity   n2 does not match disk=ssd: it has disk=hdd                 web
                    """));
    }

    @ParameterizedTest
    @MethodSource("tables")
    void violationsAreShownAsTheOptionsSay(String options, String expected) throws IOException {
        assertThat(check(SHOP, options)).isEqualTo(ExitCode.FINDINGS);

        assertThat(out).hasToString(expected);
    }

    @Test
    void aDocumentHasTheWorkloadZoneCauseAndLabels() throws IOException {
        check(SHOP, "-o json --label-columns team --sort-by zone");

        JsonNode last = new ObjectMapper().readTree(out.toString()).at("/violations/3");
        assertThat(last.path("workload")).hasToString("""
            {"namespace":"shop","kind":"StatefulSet","name":"web"}\
            """);
        assertThat(last.path("zone").asText()).isEqualTo("a");
        assertThat(last.path("cause").asText()).isEqualTo("its node does not match disk=ssd");
        assertThat(last.path("labels")).hasToString("{\"team\":\"shop\"}");
    }

    static Stream<Arguments> causes() {
        String apart = "{podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: ["
                + "{labelSelector: {matchLabels: {app: x}}, topologyKey: KEY}]}}";
        return Stream.of(
                argumentSet(
                        "anti-affinity",
                        "affinity: " + apart.replace("KEY", "disk"),
                        "it shares its disk with pods that it must be apart from"),
                argumentSet(
                        "affinity without a partner",
                        "affinity: "
                                + apart.replace("AntiAffinity", "Affinity")
                                        .replace("KEY", "disk")
                                        .replace("app: x", "app: y"),
                        "no pod in its domain matches: near (app=y) by disk"),
                argumentSet(
                        "affinity by a label that the node lacks",
                        "affinity: " + apart.replace("AntiAffinity", "Affinity").replace("KEY", "rack"),
                        "its node has no label rack"),
                argumentSet(
                        "a spread of [2,0]",
                        "topologySpreadConstraints: [{maxSkew: 1, topologyKey: kubernetes.io/hostname,"
                                + " whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: x}}}]",
                        "the skew of its kubernetes.io/hostname is above 1"));
    }

    @ParameterizedTest
    @MethodSource("causes")
    void aCauseNamesNoPodAndNoNode(String spec, String cause) throws IOException {
        String pods = """
            {apiVersion: v1, kind: Pod, metadata: {namespace: shop, name: a, uid: a, labels: {app: x}},
             spec: {nodeName: n1, %s}}
            ---
            {apiVersion: v1, kind: Pod, metadata: {namespace: shop, name: b, uid: b, labels: {app: x}},
             spec: {nodeName: n1}}
            """.formatted(spec);
        String named = NODES.replace("{disk: hdd, ", "{disk: hdd, kubernetes.io/hostname: n1, ")
                .replace("{disk: hdd}", "{disk: hdd, kubernetes.io/hostname: n2}");

        check(named + pods, "-o json");

        assertThat(new ObjectMapper()
                        .readTree(out.toString())
                        .at("/violations/0/cause")
                        .asText())
                .isEqualTo(cause);
    }

    /** {@return a cluster with this many violations, each of a workload of its own} */
    private static String violations(int number) {
        return NODES
                + IntStream.range(0, number)
                        .mapToObj(i -> pod("p-" + (100 + i), "n1", "Job", "j-" + (100 + i), ""))
                        .collect(Collectors.joining());
    }

    @Test
    void fortyViolationsAreAList() throws IOException {
        check(violations(40), "");

        assertThat(out.toString()).startsWith("NAMESPACE   POD ").hasLineCount(41);
    }

    @Test
    void moreViolationsBeginWithTheFortyLargestGroups() throws IOException {
        check(violations(42), "");

        assertThat(out.toString().lines().toList())
                .hasSize(1 + 40 + 1 + 1 + 1 + 42)
                .startsWith("VIOLATIONS   PODS   NODES   NAMESPACE   WORKLOAD    RULE           CAUSE")
                .contains("and 2 more groups with 2 violations: --group-by workload");
    }

    static Stream<Arguments> lastLines() {
        return Stream.of(
                argumentSet(
                        "a summary has the forty largest groups",
                        42,
                        "-o summary",
                        41 + 1,
                        "and 2 more groups with 2 violations: --group-by workload"),
                argumentSet(
                        "a summary by other columns",
                        42,
                        "-o summary --group-by pod",
                        41 + 1,
                        "and 2 more groups with 2 violations: -o wide"),
                argumentSet(
                        "a list has two hundred violations",
                        201,
                        "",
                        41 + 1 + 1 + 201 + 1,
                        "and 1 more violation: -o wide"),
                argumentSet(
                        "a list of two hundred violations is whole",
                        200,
                        "",
                        41 + 1 + 1 + 201,
                        "shop        p-299   n1     a      NodeAffinity   n1 does not match disk=ssd: it has disk=hdd"),
                argumentSet(
                        "a wide list has all violations",
                        201,
                        "-o wide --sort-by pod",
                        41 + 1 + 1 + 202,
                        "shop        p-300   n1     a      NodeAffinity   NodeAffinity   Killed    <none>      <none>"
                                + "     n1 does not match disk=ssd: it has disk=hdd   n1 matches disk=ssd"));
    }

    @ParameterizedTest
    @MethodSource("lastLines")
    void aLongListEndsWithWhatItLeavesOut(int violations, String options, int lines, String last) throws IOException {
        check(violations(violations), options);

        assertThat(out.toString().lines().toList()).hasSize(lines).endsWith(last);
    }

    @Test
    void aClusterWithoutViolationsHasNoGroups() throws IOException {
        assertThat(check(NODES + pod("web-1", "n1", "Job", "j", "").replace("ssd", "hdd"), "--group-by node"))
                .isEqualTo(ExitCode.OK);

        assertThat(out.toString()).isEmpty();
    }

    private Terminal terminal(String... environment) throws IOException {
        Path openFiles = Files.createDirectory(folder.resolve("fd"));
        Files.createSymbolicLink(openFiles.resolve("1"), Path.of("/dev/pts/7"));
        return new Terminal(
                openFiles,
                Stream.of(environment).map(it -> it.split("=", 2)).collect(Collectors.toMap(it -> it[0], it -> it[1])));
    }

    static Stream<Arguments> colors() {
        return Stream.of(
                argumentSet("on a terminal", "COLUMNS=200", "", true),
                argumentSet("not with NO_COLOR", "NO_COLOR=1", "", false),
                argumentSet("an empty NO_COLOR is none", "NO_COLOR=", "", true),
                argumentSet("not on a terminal that has none", "TERM=dumb", "", false),
                argumentSet("never", "COLUMNS=200", "--color=never", false),
                argumentSet("always, also with NO_COLOR", "NO_COLOR=1", "--color=always", true),
                argumentSet("documents have none", "COLUMNS=200", "--color=always -o yaml", false),
                argumentSet("names have none", "COLUMNS=200", "--color=always -o name", false));
    }

    @ParameterizedTest
    @MethodSource("colors")
    void textHasColorsOnATerminal(String environment, String options, boolean colored) throws IOException {
        check(terminal(environment), SHOP, options);

        assertThat(out.toString().contains("\u001b[1m")).isEqualTo(colored);
    }

    @Test
    void aPipeHasNoColors() throws IOException {
        check(SHOP, "");

        assertThat(out.toString()).doesNotContain("\u001b");
    }

    @Test
    void onATerminalLongNamesAreCutInTheMiddleWhereTheTableIsTooWide() throws IOException {
        String node = "ip-10-0-12-34.eu-central-1.compute.internal";
        String pod = "checkout-service-deployment-7d9f8b6c5-x2x9z";
        String dump = SHOP.replace("n1", node).replace("web-1", pod);

        check(terminal("COLUMNS=131"), dump, "-l team=shop --color=never");

        assertThat(out).hasToString("""
            NAMESPACE   POD                        NODE                       ZONE   RULE           BREACH
            shop        checkout-s...8b6c5-x2x9z   ip-10-0-12...te.internal   a      NodeAffinity   %s
                                                                                                    does not match disk=ssd: it has disk=hdd
            """.formatted(node));
    }
}
