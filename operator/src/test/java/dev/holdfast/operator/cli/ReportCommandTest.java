package dev.holdfast.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Output and exit codes of {@code holdfast report}. */
class ReportCommandTest {
    private static final String SHOP =
            Path.of("..", "docs", "samples", "shop.yaml").toString();

    private static final String OF_CACHE = """
        apiVersion: holdfast.dev/v1alpha1
        kind: PlacementPolicy
        metadata: {namespace: shop, name: fast}
        spec:
          podSelector: {matchLabels: {app: cache}}
          rules:
          - name: hdd
            nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: disk, operator: In, values: [hdd]}]}]}}
        """;

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int report(String... options) {
        String[] arguments = Stream.concat(Stream.of("report", "-f", SHOP), Stream.of(options))
                .toArray(String[]::new);
        return CommandRun.printingTo(folder, out, err).execute(arguments);
    }

    private JsonNode document() throws IOException {
        return new ObjectMapper().readTree(out.toString());
    }

    @ParameterizedTest
    @CsvSource({
        "html, <!doctype html>",
        "md, # Holdfast report",
        "json, {",
        "junit, <?xml version=\"1.0\" encoding=\"UTF-8\"?>",
        "sarif, {"
    })
    void eachFormGoesToStandardOutputAndTheNumbersToStandardError(String form, String firstLine) {
        assertThat(report("-o", form)).isEqualTo(ExitCode.FINDINGS);

        assertThat(out.toString().lines().findFirst()).contains(firstLine);
        assertThat(err)
                .hasToString("holdfast: 6 violations; 11 pods on 4 nodes; a restart of the kubelet would reject 1"
                        + " pod, because it checks node rules again\n");
    }

    static Stream<Arguments> findings() {
        return Stream.of(
                argumentSet("a violation, by default", ExitCode.FINDINGS, new String[] {}),
                argumentSet("never", ExitCode.OK, new String[] {"--fail-on", "never"}),
                argumentSet("a namespace that is not there", ExitCode.COULD_NOT_RUN, new String[] {"-n", "nope"}),
                argumentSet(
                        "no such pod is killed", ExitCode.OK, new String[] {"--fail-on", "killed", "-l", "app=worker"}),
                argumentSet(
                        "such a pod is killed", ExitCode.FINDINGS, new String[] {"--fail-on", "killed", "-l", "app=web"
                        }));
    }

    @ParameterizedTest
    @MethodSource("findings")
    void theExitCodeSaysWhetherThereAreFindings(int exit, String[] options) {
        assertThat(report(options)).isEqualTo(exit);
    }

    @Test
    void theOptionsDecideWhatIsInTheDocument() throws IOException {
        report("-o", "json", "-l", "app in (web,worker)", "--limit", "1", "--title", "production");

        JsonNode document = document();
        assertThat(document.path("title").asText()).isEqualTo("production");
        assertThat(document.path("source").asText()).isEqualTo(SHOP);
        assertThat(document.path("pods").findValuesAsText("pod")).containsExactly("web-1", "worker-1", "worker-2");
        assertThat(document.path("pods").findValuesAsText("state")).containsExactly("Killed", "Violated", "Violated");
        assertThat(document.path("explanations")).hasSize(1);
    }

    @Test
    void aPolicyAddsItsRules() throws IOException {
        Path policy = Files.writeString(folder.resolve("policy.yaml"), OF_CACHE);

        assertThat(report("-o", "json", "--policy", policy.toString())).isEqualTo(ExitCode.FINDINGS);

        assertThat(document().path("violations").findValuesAsText("pod")).containsExactly("cache-1");
        assertThat(document().at("/explanations/0/rules/0/policies/0").asText()).isEqualTo("shop/fast");
    }

    static Stream<Arguments> ownRules() {
        String said = "holdfast: warning: 10 of 11 running pods are selected by no policy and held to no rule: add"
                + " --own-rules to check them too\n";
        return Stream.of(
                argumentSet("the page counts unchecked pods", "html", "unchecked pods that no policy selects", said),
                argumentSet("Markdown counts them", "md", "; 10 unchecked pods that no policy selects.", said),
                argumentSet("the document counts them", "json", "\"uncheckedPods\" : 10", said),
                argumentSet(
                        "with --own-rules there are none", "json --own-rules", "\"uncheckedPods\" : 0", "holdfast: 7"),
                argumentSet("the page then does not say a word", "html --own-rules", "<!doctype html>", "holdfast: 7"));
    }

    @ParameterizedTest
    @MethodSource("ownRules")
    void podsThatNoPolicySelectsAreCounted(String form, String printed, String said) throws IOException {
        Path policy = Files.writeString(folder.resolve("policy.yaml"), OF_CACHE);

        report(Stream.concat(Stream.of("--policy", policy.toString(), "-o"), Stream.of(form.split(" ")))
                .toArray(String[]::new));

        assertThat(out.toString()).contains(printed);
        assertThat(err.toString()).startsWith(said);
        assertThat(out.toString().contains("unchecked pods that")).isEqualTo(printed.contains("unchecked pods that"));
    }

    /** The policy does not count pods of kube-system, and so its numbers lack them. */
    @Test
    void anExplanationWithOwnRulesHasTheNumbersOfAnExemptNamespace() throws IOException {
        Path cluster = Files.writeString(folder.resolve("cluster.yaml"), OF_CACHE + """
            ---
            {apiVersion: v1, kind: Node, metadata: {name: n1, labels: {zone: a}}}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: dns-1, namespace: kube-system, labels: {app: dns}}
            spec:
              nodeName: n1
              affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [
                {labelSelector: {matchLabels: {app: dns}}, topologyKey: zone}]}}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: dns-2, namespace: kube-system, labels: {app: dns}}
            spec: {nodeName: n1}
            """);

        CommandRun.printingTo(folder, out, err)
                .execute("report", "-f", cluster.toString(), "-o", "json", "--own-rules");

        assertThat(document().at("/explanations/0/rules/0/verdict").asText()).isEqualTo("Violated");
        assertThat(document().at("/explanations/0/rules/0/domains/count").asInt())
                .isEqualTo(1);
    }

    @Test
    void anExplanationWithOwnRulesHasTheRulesOfTheSpec() throws IOException {
        Path policy = Files.writeString(folder.resolve("policy.yaml"), OF_CACHE);

        assertThat(report("-o", "json", "--own-rules", "--policy", policy.toString()))
                .isEqualTo(ExitCode.FINDINGS);

        assertThat(document().path("pods").findValuesAsText("pod")).contains("cache-1", "web-1");
        assertThat(document().path("spreads")).isNotEmpty();
        assertThat(document().path("explanations").findValuesAsText("verdict")).contains("Violated");
    }

    private static final String ENFORCED = """
        apiVersion: holdfast.dev/v1alpha1
        kind: PlacementPolicy
        metadata: {namespace: shop, name: keep}
        spec: {mode: Enforce, podSelector: {}, forgivenessSeconds: 300}
        status:
          holds: [{reason: DisruptionBudgetNeverAllows, count: 2}, {reason: NodeLimit, count: 1}, {reason: New, count: 1}]
          violations:
          - {pod: db-1, node: node-2, rule: PodAntiAffinity, sinceTime: "2026-11-20T11:00:00Z",
             deadlineTime: "2026-11-20T11:05:00Z", state: Held, reason: NodeLimit}
          - {pod: gone-1, node: node-2, rule: PodAntiAffinity, sinceTime: "2026-11-20T11:00:00Z", state: Forgiving}
        ---
        apiVersion: holdfast.dev/v1alpha1
        kind: ClusterPlacementPolicy
        metadata: {name: idle}
        spec: {mode: Disabled, podSelector: {}}
        """;

    @Test
    void aPolicyHasItsModePodsViolationsHoldsAndDeadlines() throws IOException {
        Path policy = Files.writeString(folder.resolve("policy.yaml"), ENFORCED);

        report("-o", "json", "--policy", policy.toString());

        assertThat(document().path("policies").toString()).isEqualTo("""
            [{"policy":"idle","mode":"Disabled","selectedPods":0,"violations":0,"due":0,"forgiveness":"",\
            "holds":[],"deadlines":[]},\
            {"policy":"shop/keep","mode":"Enforce","selectedPods":11,"violations":6,"due":0,"forgiveness":"5m",\
            "holds":[{"reason":"DisruptionBudgetNeverAllows","count":2,"ends":"loosen the budget, or add replicas"},\
            {"reason":"NodeLimit","count":1,"ends":"it ends when a move in flight ends"},\
            {"reason":"New","count":1,"ends":""}],\
            "deadlines":[{"namespace":"shop","pod":"db-1","node":"node-2","rule":"PodAntiAffinity",\
            "deadlineTime":"2026-11-20T11:05:00Z","state":"Held","reason":"NodeLimit"}]}]\
            """);
    }

    /** A policy without a namespace is in the namespace default. */
    @Test
    void aStatusIsThatOfThePolicyAndNotOfAPauseOfItsName() throws IOException {
        Path policies = Files.writeString(folder.resolve("policies.yaml"), """
            apiVersion: holdfast.dev/v1alpha1
            kind: ClusterPlacementPolicy
            metadata: {name: night}
            spec: {mode: Audit, podSelector: {}}
            status: {holds: [{reason: NodeLimit, count: 1}]}
            ---
            apiVersion: holdfast.dev/v1alpha1
            kind: EnforcementPause
            metadata: {name: night}
            spec: {reason: release}
            status: {holds: [{reason: New, count: 7}]}
            ---
            apiVersion: holdfast.dev/v1alpha1
            kind: PlacementPolicy
            metadata: {name: keep}
            spec: {mode: Audit, podSelector: {}}
            status: {holds: [{reason: NodeLimit, count: 2}]}
            """);

        report("-o", "json", "--policy", policies.toString());

        List<String> holds = new ArrayList<>();
        document()
                .path("policies")
                .forEach(policy -> holds.add(policy.path("policy").asText() + " "
                        + policy.path("holds").findValuesAsText("count")));
        assertThat(holds).containsExactly("default/keep [2]", "night [1]");
    }

    @Test
    void podsWithoutANodeAreListedUnlessTheyAreNotAskedFor() throws IOException {
        Path cluster = Files.writeString(folder.resolve("cluster.yaml"), """
            {apiVersion: v1, kind: Namespace, metadata: {name: shop}}
            ---
            {apiVersion: v1, kind: Node, metadata: {name: n1}, status: {conditions: [{type: Ready, status: "True"}]}}
            ---
            {apiVersion: v1, kind: Pod, metadata: {namespace: shop, name: web-1}, spec: {nodeSelector: {disk: ssd}}}
            ---
            {apiVersion: v1, kind: Pod, metadata: {namespace: shop, name: web-2}, spec: {nodeSelector: {disk: ssd}}}
            """);

        CommandRun.printingTo(folder, out, err).execute("report", "-f", cluster.toString(), "-o", "md");
        CommandRun.printingTo(folder, out, err)
                .execute("report", "-f", cluster.toString(), "-o", "md", "--pending=false");

        assertThat(out.toString().lines().filter(line -> line.contains("web-1")))
                .containsExactly("| web-1 and 1 more | shop | NoNode | 1 node: 1 against its rule NodeAffinity:"
                        + " disk=ssd: it has no label disk |");
        assertThat(err).hasToString("""
            holdfast: 0 violations; 2 pods on 1 node; 2 pods without a node
            holdfast: 0 violations; 2 pods on 1 node
            """);
    }

    @Test
    void rulesThatCanDoNothingAreOnThePageAndInTheDocument() throws IOException {
        Path policy = Files.writeString(folder.resolve("policy.yaml"), OF_CACHE.replace("app: cache", "app: none"));

        report("-o", "json", "--policy", policy.toString());
        assertThat(document().path("warnings").get(0).asText()).isEqualTo("policy shop/fast selects no pod");

        report("--policy", policy.toString());
        assertThat(out.toString()).contains("<ul class=warnings>\n<li>policy shop/<wbr>fast selects no pod</li>");
    }

    @Test
    void theFailureOfZonesIsPlayedOnRequest() {
        String zones = Path.of("..", "docs", "samples", "zones.yaml").toString();

        CommandRun.printingTo(folder, out, err).execute("report", "-f", zones, "-o", "md", "--zones");

        assertThat(out.toString())
                .contains("## If a zone fails")
                .contains("| Workload | Ready pods | Without a | Without b | Without c |")
                .contains("| shop/gpu Deployment | 2 | fine | fine | gone |")
                .contains("| shop/web Deployment | 3 | degraded (2) for 5m21s | degraded (2) for 5m21s |");
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
                argumentSet("an unknown form", new String[] {"-o", "pdf"}, "Invalid value for option '--output'"),
                argumentSet(
                        "one namespace and all",
                        new String[] {"-n", "shop", "-A"},
                        "give either --namespace or --all-namespaces"),
                argumentSet("no selector", new String[] {"-l", "=web"}, "--selector: cannot read '=web'"),
                argumentSet(
                        "failures of zones in a form that does not show them",
                        new String[] {"--zones", "-o", "sarif"},
                        "-o sarif shows no failures of zones: leave --zones out, or use html, md or json"),
                argumentSet(
                        "a limit below zero",
                        new String[] {"--limit", "-1"},
                        "--limit must be greater than or equal to 0"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void aMistakeInTheCommandLineIsOneMessage(String[] options, String message) {
        assertThat(report(options)).isEqualTo(ExitCode.USAGE);

        assertThat(err.toString()).startsWith("holdfast: " + message).endsWith("Try: holdfast report --help\n");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void anInputThatCannotBeReadGivesNoReport() {
        int exit = CommandRun.printingTo(folder, out, err)
                .execute("report", "-f", folder.resolve("gone.yaml").toString());

        assertThat(exit).isEqualTo(ExitCode.COULD_NOT_RUN);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).contains("gone.yaml: no such file");
    }
}
