package dev.holdfast.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What commands say about a rule quotes the cluster beside the rule. */
class BreachTextTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder;

    private String run(String objects, String... arguments) throws IOException {
        Path cluster = folder.resolve("cluster.yaml");
        Files.writeString(cluster, objects);
        String[] all = new String[arguments.length + 4];
        System.arraycopy(arguments, 0, all, 0, arguments.length);
        all[arguments.length] = "-f";
        all[arguments.length + 1] = cluster.toString();
        all[arguments.length + 2] = "-o";
        all[arguments.length + 3] = "json";
        CommandRun.printingTo(Path.of(""), out, err).execute(all);
        return out.toString();
    }

    private static String node(String name, String labels) {
        return "{apiVersion: v1, kind: Node, metadata: {name: " + name + ", labels: {" + labels
                + "}}, status: {allocatable: {cpu: '4', memory: 8Gi, pods: '110'}, conditions: [{type: Ready, status:"
                + " 'True'}]}}\n---\n";
    }

    private static String pod(String name, String node, String spec) {
        return "{apiVersion: v1, kind: Pod, metadata: {namespace: shop, name: " + name
                + ", labels: {app: web}}, spec: {"
                + (node.isEmpty() ? "" : "nodeName: " + node + ", ") + spec
                + ", containers: [{name: main, image: web}]}, status: {phase: "
                + (node.isEmpty() ? "Pending" : "Running") + "}}\n---\n";
    }

    private static String driverGt(String bound) {
        return "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms:"
                + " [{matchExpressions: [{key: driver, operator: Gt, values: ['" + bound + "']}]}]}}}";
    }

    @Test
    void aValueThatIsNoIntegerIsQuoted() throws IOException {
        assertThat(run(node("k-2", "driver: '535.129'") + pod("inf-b", "k-2", driverGt("500")), "check"))
                .contains("k-2 does not match driver Gt [500]: it has driver=535.129, which is no integer");
    }

    @Test
    void aBoundThatIsNoIntegerMatchesNoNode() throws IOException {
        assertThat(run(
                        node("k-1", "driver: '550'")
                                + node("k-2", "driver: '550'")
                                + pod("inf-a", "", driverGt("535.5")),
                        "explain",
                        "pod/inf-a",
                        "-n",
                        "shop"))
                .contains("its rule NodeAffinity: driver Gt [535.5]: no node can match it: 535.5 is no integer");
    }

    @Test
    void minDomainsThatIsNotMetIsNamedWithWhatLeavesOutTheOtherDomains() throws IOException {
        String spec = "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms:"
                + " [{matchExpressions: [{key: zone, operator: In, values: [a, b]}]}]}}}, topologySpreadConstraints:"
                + " [{maxSkew: 1, minDomains: 3, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector:"
                + " {matchLabels: {app: web}}}]";

        assertThat(run(
                        node("n-a", "zone: a")
                                + node("n-b", "zone: b")
                                + node("n-c", "zone: c")
                                + pod("cl-0", "n-a", spec)
                                + pod("cl-1", "n-b", spec)
                                + pod("cl-2", "n-a", spec),
                        "check"))
                .contains("zone=a has 2 matching pods, the least counts as 0, because minDomains is 3 and there are 2"
                        + " domains, without c (node affinity): skew 2, allowed 1; no move of the pod heals that with"
                        + " fewer than 3 domains");
    }

    @Test
    void aRuleByAKeyThatNoNodeHasIsAWarningAndTheReasonInExplain() throws IOException {
        String apart = "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{labelSelector:"
                + " {matchLabels: {app: web}}, topologyKey: failure-domain.beta.kubernetes.io/zone}]}}";
        String cluster =
                node("n-a", "topology.kubernetes.io/zone: a") + pod("kv-0", "n-a", apart) + pod("kv-1", "n-a", apart);
        String why = "no node has the label failure-domain.beta.kubernetes.io/zone, so it keeps no pods apart";

        assertThat(run(cluster, "check"))
                .contains("\"violations\" : [ ]")
                .contains("2 rules have a topologyKey that no node has, for example: PodAntiAffinity of pod shop/kv-0"
                        + " (apart from (app=web) by failure-domain.beta.kubernetes.io/zone), because " + why);
        out.getBuffer().setLength(0);
        assertThat(run(cluster, "explain", "pod/kv-0", "-n", "shop")).contains(why);
    }

    @Test
    void affinityToPodsThatDoNotExistIsAWarningAndNamedBesideTheBreachInExplain() throws IOException {
        String near = "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{labelSelector:"
                + " {matchLabels: {app: cache}}, topologyKey: zone}]}}";
        String cluster = node("n-a", "zone: a") + pod("kv-0", "n-a", near);
        String why = "no pod in the namespaces that it reads matches its selector, so no node satisfies it";

        assertThat(run(cluster, "check"))
                .contains("no pod in zone=a matches: ")
                .contains("1 rule counts no pod: PodAffinity of pod shop/kv-0 (near (app=cache) by zone), because "
                        + why);
        out.getBuffer().setLength(0);
        assertThat(run(cluster, "explain", "pod/kv-0", "-n", "shop"))
                .contains("no pod in zone=a matches: ", "; " + why);
    }

    @Test
    void aRuleThatNoNodeCanMatchIsExplainedOnce() throws IOException {
        assertThat(run(
                        node("k-1", "driver: '550'") + pod("inf-a", "k-1", driverGt("535.5")),
                        "explain",
                        "pod/inf-a",
                        "-n",
                        "shop"))
                .contains("k-1 does not match driver Gt [535.5], and no node can: 535.5 is no integer")
                .doesNotContain("; no node can match it");
    }
}
