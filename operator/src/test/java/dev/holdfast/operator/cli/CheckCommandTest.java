package dev.holdfast.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.StringWriter;
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

/** Output and exit codes of {@code holdfast check}. */
class CheckCommandTest {
    private static final String NODES = """
        {apiVersion: v1, kind: Namespace, metadata: {name: shop}}
        ---
        {apiVersion: v1, kind: Node, metadata: {name: n1, labels: {disk: hdd, zone: a}}}
        ---
        {apiVersion: v1, kind: Node, metadata: {name: n2, labels: {disk: ssd, zone: b}}}
        ---
        """;

    private static final String WEB = """
        apiVersion: v1
        kind: Pod
        metadata: {name: web-1, namespace: shop, uid: u1, labels: {app: web}}
        spec: {nodeName: n1, nodeSelector: {disk: ssd}}
        ---
        """;

    /** Two pods that must not share a zone, and do. */
    private static final String APART = """
        apiVersion: v1
        kind: Pod
        metadata: {name: db-1, namespace: shop, uid: u2, labels: {app: db}}
        spec:
          nodeName: n1
          affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [
            {labelSelector: {matchLabels: {app: db}}, topologyKey: zone}]}}
        ---
        apiVersion: v1
        kind: Pod
        metadata: {name: db-2, namespace: shop, uid: u3, labels: {app: db}}
        spec: {nodeName: n1}
        ---
        """;

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int check(String dump, String... options) throws IOException {
        Path file = folder.resolve("cluster.yaml");
        Files.writeString(file, dump);
        String[] arguments = Stream.concat(Stream.of("check", "-f", file.toString()), Stream.of(options))
                .toArray(String[]::new);
        return execute(arguments);
    }

    private String policy(String text) throws IOException {
        Path file = folder.resolve("policy.yaml");
        Files.writeString(file, text);
        return file.toString();
    }

    @Test
    void violationsAreListedAndCounted() throws IOException {
        assertThat(check(NODES + WEB + APART)).isEqualTo(ExitCode.FINDINGS);

        assertThat(out).hasToString("""
            NAMESPACE   POD     NODE   RULE              BREACH
            shop        db-1    n1     PodAntiAffinity   it shares zone=a with shop/db-2
            shop        web-1   n1     NodeAffinity      n1 does not match disk=ssd: it has disk=hdd
            """);
        assertThat(err).hasToString("""
            holdfast: 2 violations; 3 pods on 2 nodes; a restart of the kubelet would reject 1 pod, because it checks node rules again
            """);
    }

    /** Two pods that must be in different zones from db pods of all namespaces, of which only the first is not. */
    private static final String CLUSTER_WIDE =
            APART.replace("topologyKey: zone", "namespaceSelector: {}, topologyKey: zone")
                    + APART.split("---\n")[0]
                            .replace("db-1", "lone-1")
                            .replace("u2", "u4")
                            .replace("n1", "n2")
                            .replace("topologyKey: zone", "namespaceSelector: {}, topologyKey: zone")
                    + "---\n";

    private static final String OTHER = "{apiVersion: v1, kind: Namespace, metadata: {name: other}}\n";

    @Test
    void clusterWideAntiAffinityIsListedWhetherItIsViolatedOrNot() throws IOException {
        assertThat(check(NODES + CLUSTER_WIDE)).isEqualTo(ExitCode.FINDINGS);

        assertThat(out).hasToString("""
            NAMESPACE   POD    NODE   RULE              BREACH
            shop        db-1   n1     PodAntiAffinity   it shares zone=a with shop/db-2

            NAMESPACE   POD      NODE   CLUSTER-WIDE ANTI-AFFINITY
            shop        db-1     n1     apart from (app=db) in every namespace by zone
            shop        lone-1   n2     apart from (app=db) in every namespace by zone
            """);
        assertThat(err).hasToString("""
            holdfast: 1 violation; 3 pods on 2 nodes; 2 rules with which one pod can keep the pods of all namespaces out of a whole zone
            """);
    }

    @Test
    void clusterWideAntiAffinityAloneIsNoViolation() throws IOException {
        assertThat(check(NODES + CLUSTER_WIDE + OTHER, "-n", "other", "-o", "wide"))
                .isEqualTo(ExitCode.OK);
        assertThat(out.toString()).isEmpty();

        String lone = CLUSTER_WIDE.substring(CLUSTER_WIDE.indexOf("---\n", CLUSTER_WIDE.indexOf("db-2")));
        assertThat(check(NODES + lone, "-o", "wide")).isEqualTo(ExitCode.OK);
        assertThat(out).hasToString("""
            NAMESPACE   POD      NODE   CLUSTER-WIDE ANTI-AFFINITY
            shop        lone-1   n2     apart from (app=db) in every namespace by zone
            """);
    }

    @Test
    void clusterWideAntiAffinityIsAListOfTheDocument() throws IOException {
        check(NODES + CLUSTER_WIDE, "-o", "json");

        JsonNode report = new ObjectMapper().readTree(out.toString());
        assertThat(report.at("/summary/clusterWideAntiAffinity").asInt()).isEqualTo(2);
        assertThat(report.path("clusterWideAntiAffinity").path(1).toString().replaceFirst("[0-9a-f]{16}", "ID"))
                .isEqualTo("""
                    {"namespace":"shop","pod":"lone-1","uid":"u4","node":"n2",\
                    "rule":{"kind":"PodAntiAffinity","name":"PodAntiAffinity","identity":"ID"},\
                    "term":"apart from (app=db) in every namespace by zone"}\
                    """);
    }

    @Test
    void aClusterInWhichAllRulesHoldIsClean() throws IOException {
        assertThat(check(NODES + WEB.replace("n1", "n2"))).isEqualTo(ExitCode.OK);

        assertThat(out.toString()).isEmpty();
        assertThat(err).hasToString("holdfast: 0 violations; 1 pod on 2 nodes\n");
    }

    @Test
    void aPolicyAddsItsRulesAndOnlyWhatPoliciesAskForIsChecked() throws IOException {
        String policy = policy("""
            apiVersion: holdfast.dev/v1alpha1
            kind: PlacementPolicy
            metadata: {namespace: shop, name: keep}
            spec:
              podSelector: {matchLabels: {app: db}}
              podRuleSelection: None
              rules:
              - name: zone-b
                nodeAffinity: {required: {nodeSelectorTerms: [
                  {matchExpressions: [{key: zone, operator: In, values: [b]}]}]}}
            """);

        assertThat(check(NODES + WEB + APART, "--policy", policy, "-o", "wide")).isEqualTo(ExitCode.FINDINGS);

        assertThat(out).hasToString("""
            NAMESPACE   POD    NODE   RULE     KIND           RESTART   INJECTION   POLICIES    BREACH                                         HEALS
            shop        db-1   n1     zone-b   NodeAffinity   Stays     <none>      shop/keep   n1 does not match zone In [b]: it has zone=a   n1 matches zone In [b]
            shop        db-2   n1     zone-b   NodeAffinity   Stays     <none>      shop/keep   n1 does not match zone In [b]: it has zone=a   n1 matches zone In [b]
            """);
    }

    /** A pod on a node that does not match the node rule that a policy injected. */
    private static final String INJECTED = """
        apiVersion: v1
        kind: Pod
        metadata:
          {namespace: shop, name: db-9, uid: db-9, labels: {app: db},
            annotations: {holdfast.dev/injected-rules: "PlacementPolicy/keep/zone-b node:-:1.0"}}
        spec:
          nodeName: n1
          affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [
            {matchExpressions: [{key: zone, operator: In, values: [b]}]}]}}}
          containers: [{name: c, image: i}]
        status: {phase: Running}
        ---
        """;

    private static final String ZONE_B = """
        apiVersion: holdfast.dev/v1alpha1
        kind: PlacementPolicy
        metadata: {namespace: shop, name: keep}
        spec:
          scheduling: InjectAlsoInAudit
          podSelector: {matchLabels: {app: db}}
          podRuleSelection: All
          rules: [{name: zone-b, nodeAffinity: {required: {nodeSelectorTerms: [
            {matchExpressions: [{key: zone, operator: In, values: [b]}]}]}}}]
        """;

    @Test
    void anInjectedRuleIsCheckedOnceForThePolicyAndByTheKubelet() throws IOException {
        assertThat(check(NODES + INJECTED, "--policy", policy(ZONE_B), "-o", "wide"))
                .isEqualTo(ExitCode.FINDINGS);

        assertThat(out).hasToString("""
            NAMESPACE   POD    NODE   RULE     KIND           RESTART   INJECTION   POLICIES    BREACH                                         HEALS
            shop        db-9   n1     zone-b   NodeAffinity   Killed    Injected    shop/keep   n1 does not match zone In [b]: it has zone=a   n1 matches zone In [b]
            """);
    }

    static Stream<Arguments> injections() {
        String nearDb = ", affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
                + " [{labelSelector: {matchLabels: {app: db}}, topologyKey: zone}]}}";
        return Stream.of(
                argumentSet("the policy does not inject", "None", "", ""),
                argumentSet("the pod was created without it", "InjectAlsoInAudit", "", "Absent"),
                argumentSet(
                        "the pod has another term of pod affinity", "InjectAlsoInAudit", nearDb, "OtherPodAffinity"));
    }

    @ParameterizedTest
    @MethodSource("injections")
    void whyARuleIsNotInThePodsSpecIsSaid(String scheduling, String affinity, String expected) throws IOException {
        String pod = """
            apiVersion: v1
            kind: Pod
            metadata: {namespace: shop, name: db-1, uid: u1, labels: {app: db}}
            spec: {nodeName: n1%s}
            """.formatted(affinity);
        String near = """
            apiVersion: holdfast.dev/v1alpha1
            kind: PlacementPolicy
            metadata: {namespace: shop, name: keep}
            spec:
              scheduling: %s
              podSelector: {}
              rules: [{name: near, podAffinityTerm: {labelSelector: {matchLabels: {app: cache}}, topologyKey: zone}}]
            """.formatted(scheduling);

        check(NODES + pod, "--policy", policy(near), "-o", "json");

        JsonNode report = new ObjectMapper().readTree(out.toString());
        assertThat(report.at("/violations/0/rule/name").asText()).isEqualTo("near");
        assertThat(report.at("/violations/0/injection").asText()).isEqualTo(expected);
    }

    @Test
    void anInjectedRuleThatIsGoneFromThePolicyIsNotChecked() throws IOException {
        String without = ZONE_B.substring(0, ZONE_B.indexOf("  rules:"));

        assertThat(check(NODES + INJECTED, "--policy", policy(without))).isEqualTo(ExitCode.OK);
    }

    @Test
    void podsThatARollOutWouldStrandAreListedAfterTheViolations() throws IOException {
        String owned = INJECTED.replace(
                "uid: db-9,",
                "uid: db-9, ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: db, uid: s, controller:"
                        + " true}],");

        String ready = NODES.replace("zone: a}}}", """
            zone: a}}, status: {conditions: [{type: Ready, status: "True"}], allocatable: {pods: "10"}}}\
            """);

        assertThat(check(ready + owned, "--policy", policy(ZONE_B.replace("values: [b]", "values: [z]"))))
                .isEqualTo(ExitCode.FINDINGS);

        assertThat(out).hasToString("""
            NAMESPACE   POD    NODE   RULE     BREACH
            shop        db-9   n1     zone-b   n1 does not match zone In [z]: it has zone=a

            NAMESPACE   WORKLOAD         STRANDED     POLICIES    WHY
            shop        StatefulSet/db   1 of 1 pod   shop/keep   2 nodes: 1 against its rules; 1 not Ready
            """);
        assertThat(err.toString()).contains("; a roll-out would strand 1 pod, because of injected rules");
    }

    @Test
    void aRuleThatIsRequiredOnlyWherePossibleIsMarked() throws IOException {
        String wanted = ZONE_B.replace("{name: zone-b,", "{name: zone-b, when: PossibleAtScheduling,")
                .replace("app: db", "app: web")
                .replace("podRuleSelection: All", "podRuleSelection: None");

        assertThat(check(NODES + WEB, "--policy", policy(wanted))).isEqualTo(ExitCode.FINDINGS);
        assertThat(out.toString())
                .contains("n1     zone-b (where possible)   n1 does not match zone In [b]: it has zone=a");
        assertThat(err)
                .hasToString(
                        "holdfast: 1 violation, 1 of rules that are required only where possible; 1 pod on 2 nodes\n");
        execute(
                "explain",
                "pod/web-1",
                "-n",
                "shop",
                "-f",
                folder.resolve("cluster.yaml").toString(),
                "--policy",
                folder.resolve("policy.yaml").toString());

        assertThat(out.toString())
                .contains("Violated   zone In [b], only where possible   n1 does not match zone In [b]: it has zone=a");
    }

    @Test
    void aSelectorThatSelectsNoPodIsProbablyAMistake() throws IOException {
        assertThat(check(NODES + WEB, "-l", "app=wbe")).isEqualTo(ExitCode.COULD_NOT_RUN);

        assertThat(err.toString()).endsWith("holdfast: no pod has the labels of --selector app=wbe\n");
    }

    @Test
    void aNamespaceThatIsNotInTheInputIsProbablyAMistake() throws IOException {
        assertThat(check(NODES + WEB, "-n", "nope")).isEqualTo(ExitCode.COULD_NOT_RUN);

        assertThat(err.toString())
                .endsWith("holdfast: the input has no object of namespace nope: see -n, or list them with kubectl get"
                        + " namespaces\n");
    }

    @Test
    void aNamespaceThatIsEmptyIsAnUnsetVariable() throws IOException {
        assertThat(check(NODES + WEB, "-n", "")).isEqualTo(ExitCode.USAGE);

        assertThat(err.toString())
                .contains("holdfast: --namespace must name a namespace, and is empty: leave it out for all\n");
    }

    @Test
    void withoutPoliciesAnInjectedRuleIsOneOfThePodsSpec() throws IOException {
        assertThat(check(NODES + INJECTED)).isEqualTo(ExitCode.FINDINGS);

        assertThat(out).hasToString("""
            NAMESPACE   POD    NODE   RULE           BREACH
            shop        db-9   n1     NodeAffinity   n1 does not match zone In [b]: it has zone=a
            """);
    }

    /** Selects the pods of app db, and asks for none of their own rules. */
    private static final String OF_DB = """
        apiVersion: holdfast.dev/v1alpha1
        kind: PlacementPolicy
        metadata: {namespace: shop, name: keep}
        spec: {podSelector: {matchLabels: {app: db}}, podRuleSelection: None, rules: [{name: any, nodeAffinity: {
          required: {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: Exists}]}]}}}]}
        """;

    static Stream<Arguments> waysOfPolicies() {
        return Stream.of(argumentSet("in the input", true), argumentSet("in a file of their own", false));
    }

    private int check(String dump, boolean policyInInput, String... options) throws IOException {
        return policyInInput
                ? check(dump + OF_DB, options)
                : check(
                        dump,
                        Stream.concat(Stream.of(options), Stream.of("--policy", policy(OF_DB)))
                                .toArray(String[]::new));
    }

    @ParameterizedTest
    @MethodSource("waysOfPolicies")
    void podsThatNoPolicySelectsAreCounted(boolean policyInInput) throws IOException {
        assertThat(check(NODES + WEB + APART, policyInInput)).isEqualTo(ExitCode.OK);

        assertThat(out.toString()).isEmpty();
        assertThat(err).hasToString("""
            holdfast: warning: 1 of 3 running pods is selected by no policy and held to no rule: add --own-rules to check it too
            holdfast: 0 violations; 3 pods on 2 nodes; 1 unchecked pod that no policy selects
            """);
    }

    @ParameterizedTest
    @MethodSource("waysOfPolicies")
    void ownRulesAreThoseOfPodsThatNoPolicySelects(boolean policyInInput) throws IOException {
        assertThat(check(NODES + WEB + APART, policyInInput, "--own-rules")).isEqualTo(ExitCode.FINDINGS);

        assertThat(out).hasToString("""
            NAMESPACE   POD     NODE   RULE           BREACH
            shop        web-1   n1     NodeAffinity   n1 does not match disk=ssd: it has disk=hdd
            """);
        assertThat(err).hasToString("""
            holdfast: 1 violation; 3 pods on 2 nodes; a restart of the kubelet would reject 1 pod, because it checks node rules again
            """);
    }

    @Test
    void onlyListedPodsThatRunAreCountedAsUnchecked() throws IOException {
        String done = WEB.replace("web-1", "web-2").replace("u1", "u8") + "status: {phase: Succeeded}\n---\n";
        String other = WEB.replace("shop", "other").replace("u1", "u9");

        check(NODES + WEB + done.replace("---\nstatus", "status") + other, true, "-n", "shop", "-o", "json");

        assertThat(new ObjectMapper().readTree(out.toString()).at("/summary/uncheckedPods"))
                .hasToString("1");
        assertThat(err.toString()).contains("warning: 1 of 1 running pod is selected by no policy");
    }

    @Test
    void ownRulesAreThoseOfListedPods() throws IOException {
        String other = WEB.replace("shop", "other").replace("u1", "u9");

        check(NODES + WEB + other, true, "--own-rules", "-n", "other", "-o", "json");

        JsonNode violations = new ObjectMapper().readTree(out.toString()).path("violations");
        assertThat(violations).hasSize(1);
        assertThat(violations.at("/0/namespace").asText()).isEqualTo("other");
    }

    /** Anti-affinity of policies does not count pods of kube-system. */
    @Test
    void ownRulesExemptNoNamespace() throws IOException {
        String system = APART.replace("shop", "kube-system").replace("u2", "u8").replace("u3", "u9");

        assertThat(check(NODES + APART + system, true, "--own-rules")).isEqualTo(ExitCode.FINDINGS);

        assertThat(out).hasToString("""
            NAMESPACE     POD    NODE   RULE              BREACH
            kube-system   db-1   n1     PodAntiAffinity   it shares zone=a with kube-system/db-2
            """);
    }

    @Test
    void ownRulesWithoutAVerdictAreListedOnce() throws IOException {
        String terms = "{topologyKey: zone}, ".repeat(20);
        String complex = APART.replace("{labelSelector", terms + "{labelSelector");

        check(
                NODES
                        + complex
                        + complex.replace("shop", "other").replace("u2", "u8").replace("u3", "u9"),
                true,
                "--own-rules",
                "-o",
                "json");

        assertThat(new ObjectMapper()
                        .readTree(out.toString())
                        .path("undetermined")
                        .findValuesAsText("namespace"))
                .containsExactly("other", "shop");
    }

    /** A policy without a namespace is of namespace default, as for kubectl. */
    @Test
    void aPolicyThatSelectsNoPodIsAWarning() throws IOException {
        String policy = policy("""
            {apiVersion: holdfast.dev/v1alpha1, kind: PlacementPolicy, metadata: {name: keep}, spec: {}}
            """);

        String namespace = "---\n{apiVersion: v1, kind: Namespace, metadata: {name: none}}\n";

        assertThat(check(NODES + WEB + namespace, "--policy", policy, "-n", "none"))
                .isEqualTo(ExitCode.OK);

        assertThat(err.toString())
                .contains("holdfast: warning: policy default/keep selects no pod\n")
                .contains("holdfast: warning: the input has no pod in namespace none\n");
    }

    @Test
    void aPolicyWithAFieldOfAnotherTypeNamesTheField() throws IOException {
        String policy = policy("""
            {apiVersion: holdfast.dev/v1alpha1, kind: PlacementPolicy, metadata: {name: keep},
             spec: {podRules: {kind: NodeAffinity}}}
            """);

        assertThat(check(NODES + WEB, "--policy", policy)).isEqualTo(ExitCode.COULD_NOT_RUN);

        assertThat(err)
                .hasToString(
                        "holdfast: --policy " + policy + ": PlacementPolicy keep: spec.podRules has a value of another"
                                + " type: see docs/policy-reference.md\n");
    }

    @Test
    void aNumberThatIsTooLargeSaysSo() throws IOException {
        String policy = policy("""
            {apiVersion: holdfast.dev/v1alpha1, kind: PlacementPolicy, metadata: {name: keep},
             spec: {forgivenessSeconds: 1000000000000}}
            """);

        assertThat(check(NODES + WEB, "--policy", policy)).isEqualTo(ExitCode.COULD_NOT_RUN);

        assertThat(err.toString()).contains("spec.forgivenessSeconds is a number that is too large");
    }

    @Test
    void aPolicyOfAnotherVersionIsAMistake() throws IOException {
        String policy =
                policy("{apiVersion: holdfast.dev/v1, kind: PlacementPolicy, metadata: {name: keep}, spec: {}}");

        assertThat(check(NODES + WEB, "--policy", policy)).isEqualTo(ExitCode.COULD_NOT_RUN);

        assertThat(err)
                .hasToString("holdfast: --policy " + policy + ": PlacementPolicy keep is of holdfast.dev/v1: write"
                        + " apiVersion: holdfast.dev/v1alpha1\n");
    }

    @Test
    void jsonIsOneVersionedDocument() throws IOException {
        assertThat(check(NODES + WEB, "-o", "json")).isEqualTo(ExitCode.FINDINGS);

        JsonNode report = new ObjectMapper().readTree(out.toString());
        assertThat(report.path("apiVersion").asText()).isEqualTo("cli.holdfast.dev/v1");
        assertThat(report.path("kind").asText()).isEqualTo("CheckReport");
        assertThat(report.path("summary"))
                .hasToString("{\"pods\":1,\"nodes\":2,\"violations\":1,\"uncheckedPods\":0,\"strandedPods\":0,"
                        + "\"clusterWideAntiAffinity\":0}");
        JsonNode violation = report.path("violations").path(0);
        assertThat(violation.at("/rule/identity").asText()).matches("[0-9a-f]{16}");
        assertThat(violation.toString().replaceFirst("[0-9a-f]{16}", "ID")).isEqualTo("""
            {"namespace":"shop","pod":"web-1","uid":"u1","node":"n1",\
            "rule":{"kind":"NodeAffinity","name":"NodeAffinity","identity":"ID"},\
            "verdict":"Violated","breach":"n1 does not match disk=ssd: it has disk=hdd","heals":"n1 matches disk=ssd",\
            "killedByKubeletRestart":true,"when":"Always","injection":"","policies":[],\
            "workload":{"namespace":"shop","kind":"Pod","name":"web-1"},"zone":"",\
            "cause":"its node does not match disk=ssd","state":"","labels":{}}\
            """);
        assertThat(report.path("undetermined")).isEmpty();
    }

    @Test
    void namesAreForOtherCommands() throws IOException {
        assertThat(check(NODES + WEB + APART, "-o", "name")).isEqualTo(ExitCode.FINDINGS);

        assertThat(out).hasToString("pod/db-1\npod/web-1\n");
    }

    static Stream<Arguments> thresholds() {
        return Stream.of(
                argumentSet("a violation", NODES + APART, "violated", ExitCode.FINDINGS),
                argumentSet("a violation is less than a pod that a restart ends", NODES + APART, "killed", ExitCode.OK),
                argumentSet("a pod that a restart ends", NODES + WEB, "killed", ExitCode.FINDINGS),
                argumentSet("nothing fails", NODES + WEB, "never", ExitCode.OK),
                argumentSet(
                        "a pod on a node that is not in the input",
                        NODES + WEB.replace("n1", "n9"),
                        "undetermined",
                        ExitCode.FINDINGS),
                argumentSet("no verdict is no violation", NODES + WEB.replace("n1", "n9"), "violated", ExitCode.OK));
    }

    @ParameterizedTest
    @MethodSource("thresholds")
    void theExitCodeFollowsTheThreshold(String dump, String failOn, int code) throws IOException {
        assertThat(check(dump, "--fail-on", failOn)).isEqualTo(code);
    }

    @Test
    void inputWithoutNodesIsNoCleanCluster() throws IOException {
        assertThat(check(WEB)).isEqualTo(ExitCode.COULD_NOT_RUN);

        assertThat(err).hasToString("""
            holdfast: the input has no nodes, so there is no verdict on any pod: add `nodes` to kubectl get
            """);
    }

    private static final String WITHOUT_NAMESPACES = NODES.replaceFirst("(?s).*?---\n", "");

    @Test
    void withoutNamespacesItIsSaidWhichVerdictsCannotBeGiven() throws IOException {
        check(WITHOUT_NAMESPACES + WEB);

        assertThat(err.toString())
                .contains("warning: the input has no namespaces, so there is no verdict on rules that select"
                        + " namespaces by labels: add `namespaces` to kubectl get");
    }

    /** The scheduler does not count such a pod either, if the node does not exist. */
    @Test
    void aPodOnANodeThatIsNotInTheInputIsAWarning() throws IOException {
        assertThat(check(NODES + APART.replaceFirst("(?s)(db-2.*)n1", "$1n9"))).isEqualTo(ExitCode.OK);

        assertThat(err.toString())
                .startsWith(
                        "holdfast: warning: 1 pod is on a node that is not in the input, for example shop/db-2 on n9:"
                                + " no rule of another pod counts them\n");
    }

    @Test
    void aPolicyThatSelectsNamespacesByLabelsNeedsTheNamespaces() throws IOException {
        String policy = policy("""
            {apiVersion: holdfast.dev/v1alpha1, kind: ClusterPlacementPolicy, metadata: {name: all},
             spec: {podSelector: {}, namespaceSelector: {matchLabels: {team: data}}}}
            """);

        assertThat(check(WITHOUT_NAMESPACES + WEB, "--policy", policy)).isEqualTo(ExitCode.COULD_NOT_RUN);

        assertThat(err.toString())
                .endsWith("all selects namespaces by labels, and namespace shop is not in the input: add `namespaces`"
                        + " to kubectl get\n");
    }

    /** {@return a node n9 in zone a with 70 taints, which are more than are read} */
    private static String tainted() {
        return "{apiVersion: v1, kind: Node, metadata: {name: n9, labels: {zone: a}}, spec: {taints: ["
                + IntStream.range(0, 70)
                        .mapToObj(i -> "{key: t" + i + ", effect: NoSchedule}")
                        .collect(Collectors.joining(", "))
                + "]}}\n---\n";
    }

    private static String labelled(String name, String app, String node, String spec) {
        return "{apiVersion: v1, kind: Pod, metadata: {name: " + name + ", namespace: shop, uid: u-" + name
                + ", labels: {app: " + app + "}}, spec: {nodeName: " + node + spec + "}}\n---\n";
    }

    static Stream<Arguments> unknown() {
        String unread = "node n9 is not read: it has 70 taints and extended resources, and Holdfast reads at most 64;"
                + " remove what the node does not need";
        String nearCache = ", affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: ["
                + "{labelSelector: {matchLabels: {app: cache}}, topologyKey: zone}]}}";
        String even = ", topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule,"
                + " labelSelector: {matchLabels: {app: even}}}]";
        String terms = "{topologyKey: zone}, ".repeat(20);
        String labels = "label-".repeat(5);
        return Stream.of(
                argumentSet(
                        "a node that is not in the input",
                        NODES + WEB.replace("n1", "n9"),
                        "NodeMissing NodeAffinity no node n9"),
                argumentSet(
                        "a namespace that is not in the input",
                        WITHOUT_NAMESPACES
                                + APART.replace(
                                        "topologyKey", "namespaceSelector: {matchLabels: {team: data}}, topologyKey"),
                        "NamespaceMissing PodAntiAffinity the rule selects namespaces by labels, and namespace shop is"
                                + " not in the input"),
                argumentSet(
                        "a rule that cannot be evaluated",
                        NODES + APART.replace("app: db}}, topo", "\"a b\": db}}, topo"),
                        "UnparsableRule PodAntiAffinity .*a b.*"),
                argumentSet(
                        "a pod with more terms than are read",
                        NODES + APART.replace("{labelSelector", terms + "{labelSelector"),
                        "TooComplex All .*"),
                argumentSet(
                        "affinity whose partner is on a node with more taints than are read",
                        NODES
                                + tainted()
                                + labelled("web-1", "web", "n1", nearCache)
                                + labelled("cache-1", "cache", "n9", ""),
                        "TooComplex PodAffinity pod shop/cache-1 may satisfy the rule, and its " + unread),
                argumentSet(
                        "a spread of [2,0] with two pods on a node with more taints than are read",
                        NODES
                                + tainted()
                                + labelled("e-1", "even", "n1", even)
                                + labelled("e-2", "even", "n1", "")
                                + labelled("e-3", "even", "n9", "")
                                + labelled("e-4", "even", "n9", ""),
                        "TooComplex TopologySpread pod shop/e-3 and 1 more may satisfy the rule, and its " + unread),
                argumentSet(
                        "a node with more labels than are read",
                        NODES.replace(
                                        "disk: hdd",
                                        IntStream.range(0, 3_000)
                                                .mapToObj(i -> labels + i + ": x")
                                                .collect(Collectors.joining(", ")))
                                + WEB,
                        "TooComplex NodeAffinity node n1 is not read: it has 3,001 labels, and Holdfast reads at most"
                                + " 1,024; remove what the node does not need"));
    }

    @ParameterizedTest
    @MethodSource("unknown")
    void aRuleWithoutAVerdictIsListedWithItsCause(String dump, String expected) throws IOException {
        check(dump, "-o", "json");

        JsonNode report = new ObjectMapper().readTree(out.toString());
        assertThat(report.path("violations")).isEmpty();
        assertThat(report.path("undetermined")).hasSize(1);
        JsonNode entry = report.path("undetermined").path(0);
        assertThat(entry.path("reason").asText() + " " + entry.at("/rule/kind").asText() + " "
                        + entry.path("message").asText())
                .matches(expected);
    }

    @Test
    void aPartnerWithTooManyLabelsMaySatisfyARule() throws IOException {
        String labels = IntStream.range(0, 100).mapToObj(i -> "l" + i + ": y").collect(Collectors.joining(", "));
        String near = ", affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: ["
                + "{labelSelector: {matchLabels: {app: cache}}, topologyKey: zone}]}}";

        String dump = NODES + labelled("web-1", "web", "n1", near) + labelled("odd", "x, " + labels, "n1", "");

        assertThat(check(dump, "-o", "json")).isEqualTo(ExitCode.OK);

        JsonNode report = new ObjectMapper().readTree(out.toString());
        assertThat(report.path("violations")).isEmpty();
        assertThat(report.path("undetermined").findValuesAsText("message"))
                .contains("pod shop/odd, with labels that are too many to be read, may satisfy the rule");
    }

    @Test
    void aNodeWithSixHundredLabelsIsRead() throws IOException {
        String hardware = IntStream.range(0, 600)
                .mapToObj(i -> "cpu-feature.node.kubevirt.io/feature-" + i + ": 'true'")
                .collect(Collectors.joining(", "));

        assertThat(check(NODES.replace("disk: hdd", hardware) + WEB)).isEqualTo(ExitCode.FINDINGS);

        assertThat(out.toString()).contains("n1 does not match disk=ssd: it has no label disk");
    }

    @Test
    void jsonHasTheWarnings() throws IOException {
        check(WITHOUT_NAMESPACES + WEB, "-o", "json");

        assertThat(err.toString()).contains("warning: the input has no namespaces");
        assertThat(new ObjectMapper().readTree(out.toString()).at("/warnings/0").asText())
                .startsWith("the input has no namespaces");
    }

    @Test
    void rulesWithoutAVerdictAreCountedByReason() throws IOException {
        check(NODES
                + WEB.replace("n1", "n9")
                + WEB.replace("web-1", "web-2").replace("u1", "u2").replace("n1", "n9"));

        assertThat(out).hasToString("""
            NO VERDICT    RULES   FOR EXAMPLE   RULE           WHY
            NodeMissing   2       shop/web-1    NodeAffinity   no node n9
            """);
    }

    @Test
    void aNameCannotMoveTheCursorOfATerminal() throws IOException {
        check(NODES + WEB.replace("web-1", "\"\\e[2Jweb\\u202e1\""));

        assertThat(out.toString()).contains("\\u001b[2Jweb\\u202e1").doesNotContain("\u001b", "\u202e");
    }

    @Test
    void jsonHasNoControlCharacters() throws IOException {
        check(NODES + WEB.replace("web-1", "\"web\\u009b1\""), "-o", "json");

        assertThat(out.toString()).contains("web\\u009B1").doesNotContain("\u009b");
    }

    @Test
    void aTruncatedFileIsOneMessageAndNoAnswer() throws IOException {
        assertThat(check("{\"apiVersion\": \"v1\", \"kind\": \"Po")).isEqualTo(ExitCode.COULD_NOT_RUN);

        assertThat(out.toString()).isEmpty();
        assertThat(err.toString())
                .matches("holdfast: \\S+cluster.yaml:1:\\d+: the file is cut off in the middle of an object: run"
                        + " kubectl again\n");
    }

    @Test
    void inputWithoutPodsIsNoCleanCluster() throws IOException {
        assertThat(check(NODES)).isEqualTo(ExitCode.COULD_NOT_RUN);

        assertThat(err).hasToString("holdfast: the input has no pods: add `pods` to kubectl get\n");
    }

    @Test
    void aPolicyFileWithoutAPolicyIsAMistake() throws IOException {
        String policy = policy("{apiVersion: holdfast.dev/v1alpha1, kind: PlacementPolcy, metadata: {name: x}}");

        assertThat(check(NODES + WEB, "--policy", policy)).isEqualTo(ExitCode.COULD_NOT_RUN);

        assertThat(err.toString())
                .contains("there is no PlacementPolicy and no ClusterPlacementPolicy of holdfast.dev");
    }

    @Test
    void withoutPoliciesNoNamespaceIsExempt() throws IOException {
        assertThat(check(NODES + APART.replace("shop", "kube-system"))).isEqualTo(ExitCode.FINDINGS);

        assertThat(out.toString()).contains("kube-system   db-1");
    }

    @Test
    void aWarningCannotMoveTheCursorOfATerminal() throws IOException {
        check(NODES + WEB.replace("nodeSelector", "\"\\e[2J\": 1, nodeSelector"));

        assertThat(err.toString()).contains("\\u001b[2J").doesNotContain("\u001b");
    }

    @Test
    void podsOfOneNameInTwoNamespacesAreTwo() throws IOException {
        String other = WEB.replace("shop", "other").replace("u1", "u9");

        check(NODES + WEB + other, "-o", "name");

        assertThat(out).hasToString("pod/web-1\npod/web-1\n");
    }

    @Test
    void anInvalidPolicyOfTheClusterIsAWarning() throws IOException {
        String invalid = """
            {apiVersion: holdfast.dev/v1alpha1, kind: PlacementPolicy, metadata: {name: bad, namespace: shop},
             spec: {forgivenessSeconds: -1}}
            """;

        assertThat(check(NODES + WEB + invalid)).isEqualTo(ExitCode.FINDINGS);

        assertThat(err.toString())
                .contains("warning: PlacementPolicy shop/bad is invalid: spec.forgivenessSeconds")
                .contains(", so it is not checked");
    }

    @Test
    void anInvalidPolicyIsOneMessageWithEachError() throws IOException {
        String policy = policy("""
            {apiVersion: holdfast.dev/v1alpha1, kind: ClusterPlacementPolicy, metadata: {name: all},
             spec: {mode: Enforce, forgivenessSeconds: -1}}
            """);

        assertThat(check(NODES + WEB, "--policy", policy)).isEqualTo(ExitCode.COULD_NOT_RUN);

        assertThat(out.toString()).isEmpty();
        assertThat(err.toString())
                .startsWith("holdfast: --policy " + policy + ": ClusterPlacementPolicy all is invalid: ")
                .contains("spec.podSelector")
                .contains("spec.forgivenessSeconds");
    }

    private int execute(String... arguments) {
        return CommandRun.printingTo(folder, out, err).execute(arguments);
    }

    @Test
    void withoutAnInputThereMustBeAKubeconfig() {
        assertThat(execute("check")).isEqualTo(ExitCode.COULD_NOT_RUN);

        assertThat(err).hasToString("holdfast: no kubeconfig: give --kubeconfig FILE, or set KUBECONFIG\n");
    }

    static Stream<Arguments> contradictions() {
        return Stream.of(
                argumentSet(
                        "a file and a cluster",
                        "-f x --context y",
                        "holdfast: give either --filename or a cluster, not both\nTry: holdfast check --help\n"),
                argumentSet(
                        "standard input twice",
                        "-f - --policy -",
                        "holdfast: standard input can be read only once\nTry: holdfast check --help\n"),
                argumentSet(
                        "one namespace and all",
                        "-f x -A -n y",
                        "holdfast: give either --namespace or --all-namespaces\nTry: holdfast check --help\n"));
    }

    @ParameterizedTest
    @MethodSource("contradictions")
    void aCommandLineThatContradictsItselfIsInvalid(String options, String message) {
        assertThat(execute(("check " + options).split(" "))).isEqualTo(ExitCode.USAGE);

        assertThat(err).hasToString(message);
    }

    @Test
    void oneNamespaceListsItsPodsOnly() throws IOException {
        String other = WEB.replace("shop", "other").replace("u1", "u9");

        assertThat(check(NODES + WEB + other, "-n", "other")).isEqualTo(ExitCode.FINDINGS);

        assertThat(out.toString()).contains("other ").doesNotContain("shop ");
        assertThat(err.toString()).contains("1 violation; 2 pods on 2 nodes");
    }
}
