package dev.holdfast.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.operator.ledger.DumpedLedger;
import dev.holdfast.policies.engine.protocol.ledger.Ledger;
import dev.holdfast.policies.engine.protocol.ledger.PolicyVersion;
import dev.holdfast.policies.plan.move.Moves;
import dev.holdfast.policies.rule.PolicyId;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Explanations of pods of the sample in docs/samples. */
class ExplainCommandTest {
    private static final String SAMPLE = "../docs/samples/shop.yaml";

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int explain(String arguments) {
        return CommandRun.printingTo(Path.of(""), out, err)
                .execute(("explain " + arguments + " -f " + SAMPLE).split(" "));
    }

    static Stream<Arguments> pods() {
        return Stream.of(
                argumentSet("a pod on a node with another label", "web-1", """
                    Pod shop/web-1 on node-1

                    RULE           FROM             VERDICT    REQUIRES   BECAUSE                                           HEALS
                    NodeAffinity   its spec alone   Violated   disk=ssd   node-1 does not match disk=ssd: it has disk=hdd   node-1 matches disk=ssd

                    3 of 4 nodes would take the pod: node-2, node-3, node-4
                      1 would not (its rule NodeAffinity: disk=ssd: it has disk=hdd): node-1 (its node now)
                    """),
                argumentSet("a pod in a zone with too many others", "worker-1", """
                    Pod shop/worker-1 on node-1

                    RULE             FROM             VERDICT    REQUIRES                                                        BECAUSE                                                                                             HEALS
                    TopologySpread   its spec alone   Violated   spread (app=worker) by topology.kubernetes.io/zone, maxSkew 1   topology.kubernetes.io/zone=a has 2 matching pods, the smallest domain c has 0: skew 2, allowed 1   the skew of topology.kubernetes.io/zone=a falls to 1

                    Pods that rule TopologySpread (spread (app=worker) by topology.kubernetes.io/zone, maxSkew 1) counts, by topology.kubernetes.io/zone: a has 2 (here: shop/worker-1, shop/worker-2), c has 0, b has 1

                    1 of 4 nodes would take the pod: node-4
                      2 would not (its rule TopologySpread: spread (app=worker) by topology.kubernetes.io/zone, maxSkew 1: topology.kubernetes.io/zone=a would have 2 matching pods, the smallest domain c has 0: skew 2, allowed 1): node-1 (its node now), node-2
                      1 would not (its rule TopologySpread: spread (app=worker) by topology.kubernetes.io/zone, maxSkew 1: topology.kubernetes.io/zone=b would have 2 matching pods, the smallest domain c has 0: skew 2, allowed 1): node-3
                    """),
                argumentSet("a pod without rules", "cache-1", """
                    Pod shop/cache-1 on node-3

                    No required rule applies to the pod.

                    4 of 4 nodes would take the pod: node-1, node-2, node-3 (its node now), node-4
                    """));
    }

    @ParameterizedTest
    @MethodSource("pods")
    void anExplanationNamesRulesAndNodes(String pod, String text) {
        assertThat(explain("pod/" + pod + " -n shop")).isEqualTo(ExitCode.OK);

        assertThat(out).hasToString(text);
        assertThat(err.toString()).isEmpty();
    }

    /** The policies of what-if and explain ask budgets and quotas only before evictions. */
    @ParameterizedTest
    @CsvSource({"Enforce, true", "Audit, false"})
    void anExplanationWithADecisionNamesTheKindsThatItLacks(String mode, boolean warned) throws IOException {
        String objects = Files.readString(Path.of(SAMPLE)).replace("policy/v1", "other/v1");
        String policy = Files.readString(Path.of("../docs/samples/keep.yaml")).replace("Enforce", mode);
        String arguments =
                "explain pod/web-1 -n shop -f " + file("shop.yaml", objects) + " --policy " + file("keep.yaml", policy);

        CommandRun.printingTo(Path.of(""), out, err).execute(arguments.split(" "));

        assertThat(out.toString()).contains("started now");
        assertThat(err.toString().contains("warning: the input lacks PodDisruptionBudgets: "))
                .isEqualTo(warned);
    }

    private static final String TWO_DISKS = """
        apiVersion: v1
        kind: Node
        metadata: {name: n1, labels: {disk: ssd}}
        ---
        apiVersion: v1
        kind: Node
        metadata: {name: n2, labels: {disk: hdd, zone: b}}
        ---
        apiVersion: v1
        kind: Pod
        metadata:
          namespace: shop
          name: web-1
          uid: u1
          annotations: {holdfast.dev/injected-rules: "PlacementPolicy/a/disk node:-:1.0, PlacementPolicy/b/disk node:1.0:1.0"}
        spec:
          affinity:
            nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [
              {matchExpressions: [{key: disk, operator: In, values: [ssd]}, {key: %s, operator: In, values: [%s]}]}]}}
            podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [
              {labelSelector: {matchLabels: {app: other}}, topologyKey: zone}]}
          containers: [{name: c, image: i}]
        status: {phase: Pending}
        """;

    private static final String INJECTING = """
        apiVersion: holdfast.dev/v1alpha1
        kind: PlacementPolicy
        metadata: {namespace: shop, name: %s}
        spec:
          scheduling: InjectAlsoInAudit
          podSelector: {}
          podRuleSelection: None
          rules:
          - {name: disk, nodeAffinity: {required: {nodeSelectorTerms: [
              {matchExpressions: [{key: %s, operator: In, values: [%s]}]}]}}}
        ---
        """;

    @ParameterizedTest
    @CsvSource({
        "disk, hdd, no node can satisfy both",
        "zone, b, no node satisfies both: 1 satisfy the one and 1 the other"
    })
    void aPendingPodIsToldWhichTwoInjectedRulesExcludeEachOther(String key, String value, String why)
            throws IOException {
        String policies = INJECTING.formatted("a", "disk", "ssd") + INJECTING.formatted("b", key, value);
        String arguments = "explain pod/web-1 -n shop -f " + file("shop.yaml", TWO_DISKS.formatted(key, value))
                + " --policy " + file("policies.yaml", policies);

        CommandRun.printingTo(Path.of(""), out, err).execute((arguments + " -o json").split(" "));

        JsonNode excluding =
                new ObjectMapper().readTree(out.toString()).path("nodes").path("excluding");
        assertThat(excluding).hasSize(1);
        assertThat(Stream.of(excluding.get(0).path("one"), excluding.get(0).path("other"))
                        .map(JsonNode::asText))
                .containsExactlyInAnyOrder(
                        "disk of policy shop/a (disk In [ssd])",
                        "disk of policy shop/b (" + key + " In [" + value + "])");
        assertThat(excluding.get(0).path("why").asText()).isEqualTo(why);

        out.getBuffer().setLength(0);
        CommandRun.printingTo(Path.of(""), out, err).execute(arguments.split(" "));
        assertThat(out.toString()).contains(" exclude each other: " + why + "\n");
    }

    @Test
    void aRuleThatIsNotInjectedIsNamedWithTheReason() throws IOException {
        String policy = """
            apiVersion: holdfast.dev/v1alpha1
            kind: PlacementPolicy
            metadata: {namespace: shop, name: near}
            spec:
              scheduling: InjectAlsoInAudit
              podSelector: {}
              podRuleSelection: None
              rules:
              - {name: near, podAffinityTerm: {labelSelector: {matchLabels: {app: cache}}, topologyKey: zone}}
            """;
        String arguments = "explain pod/web-1 -n shop -f " + file("shop.yaml", TWO_DISKS.formatted("zone", "b"))
                + " --policy " + file("near.yaml", policy);

        CommandRun.printingTo(Path.of(""), out, err).execute(arguments.split(" "));

        assertThat(out.toString())
                .contains("Rule near is not in the pod's spec (OtherPodAffinity): the pod has another required term of"
                        + " pod affinity\n")
                .doesNotContain("exclude each other");
    }

    @ParameterizedTest
    @ValueSource(strings = {"pod/db-1 -n shop", "pod db-1 -n shop", "po db-1 -n shop"})
    void aPodKeepsApartFromThoseOnEachNode(String arguments) {
        assertThat(explain(arguments)).isEqualTo(ExitCode.OK);

        assertThat(out.toString())
                .contains("2 of 4 nodes would take the pod: node-1, node-3")
                .contains("1 would not (its rule PodAntiAffinity: ")
                .contains("kubernetes.io/hostname=node-4 has shop/db-3): node-4");
    }

    @Test
    void jsonHasTheSame() throws IOException {
        assertThat(explain("pod/worker-1 -n shop -o json")).isEqualTo(ExitCode.OK);

        JsonNode explanation = new ObjectMapper().readTree(out.toString());
        assertThat(explanation.path("kind").asText()).isEqualTo("PodExplanation");
        assertThat(explanation.at("/rules/0/verdict").asText()).isEqualTo("Violated");
        assertThat(explanation.at("/rules/0/ofSpec").asBoolean()).isTrue();
        assertThat(explanation.at("/nodes/accepting")).hasToString("{\"why\":\"\",\"count\":1,\"names\":[\"node-4\"]}");
    }

    private static String annotated(String annotation) {
        return """
            apiVersion: v1
            kind: List
            items:
            - {apiVersion: v1, kind: Namespace, metadata: {name: shop}}
            - {apiVersion: v1, kind: Node, metadata: {name: n1, labels: {size: small}}}
            - apiVersion: v1
              kind: Pod
              metadata:
                name: web-1
                namespace: shop
                uid: u1
                annotations: {holdfast.dev/required-during-execution: '%s'}
              spec: {nodeName: n1, containers: [{name: c}]}
              status: {phase: Running}
            """.formatted(annotation);
    }

    private JsonNode explainAnnotated(String annotation) throws IOException {
        return explainAnnotated(annotation, "None");
    }

    private JsonNode explainAnnotated(String annotation, String scheduling) throws IOException {
        Path policy = file("allowing.yaml", """
            apiVersion: holdfast.dev/v1alpha1
            kind: PlacementPolicy
            metadata: {name: allowing, namespace: shop}
            spec: {podRuleSelection: None, annotationRules: Allow, scheduling: %s}
            """.formatted(scheduling));
        Path objects = file("annotated.yaml", annotated(annotation));
        String arguments = "explain pod/web-1 -n shop -o json --policy " + policy + " -f " + objects;
        CommandRun.printingTo(Path.of(""), out, err).execute(arguments.split(" "));
        return new ObjectMapper().readTree(out.toString()).path("rules");
    }

    @Test
    void aRuleOfAnAnnotationIsNamedWhereAPolicyAllowsIt() throws IOException {
        JsonNode rules = explainAnnotated("{\"apiVersion\": \"holdfast.dev/v1alpha1\", \"rules\": [{\"name\": \"big\","
                + " \"nodeAffinity\": {\"required\": {\"nodeSelectorTerms\": [{\"matchExpressions\":"
                + " [{\"key\": \"size\", \"operator\": \"In\", \"values\": [\"big\"]}]}]}}}]}");

        assertThat(rules).hasSize(1);
        JsonNode rule = rules.path(0);
        assertThat(rule.at("/rule/name").asText()).isEqualTo("AnnotationRules");
        assertThat(rule.path("annotationRule").asText()).isEqualTo("big");
        assertThat(rule.path("ofSpec").asBoolean()).isFalse();
        assertThat(rule.path("policies")).hasToString("[\"shop/allowing\"]");
        assertThat(rule.path("verdict").asText()).isEqualTo("Violated");
        assertThat(err.toString()).doesNotContain("invalid");
    }

    @Test
    void aRuleWithoutAVerdictHasNoCountsAndMayKeepItOffAnyNode() throws IOException {
        Path cluster = folder.resolve("cluster.yaml");
        Files.writeString(cluster, """
            {apiVersion: v1, kind: Node, metadata: {name: n1}}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: web, namespace: shop, labels: {app: web}}
            spec:
              nodeName: n1
              affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{labelSelector: {},
                namespaceSelector: {matchLabels: {team: a}}, topologyKey: kubernetes.io/hostname}]}}
            """);

        CommandRun.printingTo(Path.of(""), out, err)
                .execute("explain", "pod/web", "-n", "shop", "-f", cluster.toString());

        assertThat(out.toString())
                .contains("Undetermined")
                .contains("A rule without a verdict may keep the pod off any of these nodes.")
                .doesNotContain("counts, by");
    }

    @Test
    void aRuleOfAPodWithoutANodeMayKeepItOffAnyNodeOnlyIfNoNodeHasAVerdict() throws IOException {
        String pod = """
            {apiVersion: v1, kind: Node, metadata: {name: n1}}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: web, namespace: shop, labels: {app: web}}
            spec:
              affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{labelSelector: {},
                namespaceSelector: {matchLabels: {team: a}}, topologyKey: kubernetes.io/hostname}]}}
            """;
        String sentence = "A rule without a verdict may keep the pod off any of these nodes.";

        assertThat(explained(pod))
                .contains(sentence)
                .contains("the rule selects namespaces by labels, and namespace shop is not in the input");
        out.getBuffer().setLength(0);
        assertThat(explained(pod + "---\n{apiVersion: v1, kind: Namespace, metadata: {name: shop}}\n"))
                .contains("the pod waits for a node")
                .doesNotContain(sentence);
    }

    private String explained(String objects) throws IOException {
        Path cluster = folder.resolve("cluster.yaml");
        Files.writeString(cluster, objects);
        CommandRun.printingTo(Path.of(""), out, err)
                .execute("explain", "pod/web", "-n", "shop", "-f", cluster.toString());
        return out.toString();
    }

    @Test
    void ofARuleOfAnAnnotationItIsSaidWhetherItIsInjected() throws IOException {
        String rules = "{\"apiVersion\": \"holdfast.dev/v1alpha1\", \"rules\": [{\"name\": \"big\", \"nodeAffinity\":"
                + " {\"required\": {\"nodeSelectorTerms\": [{\"matchExpressions\": [{\"key\": \"size\","
                + " \"operator\": \"In\", \"values\": [\"big\"]}]}]}}}]}";

        assertThat(explainAnnotated(rules, "None").at("/0/injection").asText()).isEmpty();
        out.getBuffer().setLength(0);
        assertThat(explainAnnotated(rules, "InjectAlsoInAudit")
                        .at("/0/injection")
                        .asText())
                .isEqualTo("Absent");
        out.getBuffer().setLength(0);
        assertThat(explainAnnotated(rules.replace("size", "s\\u0069ze"), "InjectAlsoInAudit")
                        .at("/0/injection")
                        .asText())
                .isEqualTo("AnnotationNotPlain");
    }

    @Test
    void anInvalidAnnotationIsAWarning() throws IOException {
        assertThat(explainAnnotated("{}")).isEmpty();
        assertThat(err.toString())
                .contains("warning: the annotation holdfast.dev/required-during-execution of 1 pod is invalid and"
                        + " ignored, of shop/web-1 because apiVersion: must be 'holdfast.dev/v1alpha1'");
    }

    @Test
    void withAPolicyItIsSaidWhatTheOperatorWouldDoNext() {
        assertThat(explain("pod/web-1 -n shop --policy ../docs/samples/keep.yaml"))
                .isEqualTo(ExitCode.OK);

        assertThat(out.toString())
                .contains("What the operator would do if it started now")
                .contains("PlacementEvicting");
    }

    /**
     * One pod may be evicted an hour. The operator evicted one 40 minutes ago, or one of those that wait goes first.
     */
    @ParameterizedTest
    @CsvSource({"holdfast, next try in 19m2s", "other, next try when the cause of the hold changes"})
    void whatTheOperatorRemembersIsReadFromTheFiles(String operatorNamespace, String next) throws IOException {
        Instant now = Instant.parse("2026-11-02T08:00:00Z");
        String policy = """
            apiVersion: holdfast.dev/v1alpha1
            kind: PlacementPolicy
            metadata: {namespace: shop, name: keep, uid: uid-of-keep, generation: 3}
            spec: {mode: Enforce, podSelector: {}, forgivenessSeconds: 60, limits: {maxEvictionsPerHour: 1}}
            """;
        Ledger empty = Ledger.empty();
        PolicyId keep = PolicyId.namespaced("shop", "keep");
        Moves.Remembered nothing = empty.limits();
        Ledger ledger = new Ledger(
                new Moves.Remembered(
                        List.of(new Moves.PastEviction(
                                now.minusSeconds(2_400), "shop", keep, Optional.empty(), Set.of())),
                        nothing.victims(),
                        nothing.futility(),
                        nothing.slowStart(),
                        nothing.repeated(),
                        nothing.turns()),
                empty.moves(),
                empty.missing(),
                empty.brakes(),
                empty.nodes(),
                Optional.of(List.of(new PolicyVersion(keep, "uid-of-keep/3", Optional.empty()))));
        String files = " -f " + SAMPLE + " -f " + file("keep.yaml", policy) + " -f "
                + file("ledger.yaml", DumpedLedger.configMap("holdfast", ledger, now.minusSeconds(1)));

        CommandRun.printingTo(Path.of(""), out, err)
                .at(now.toString())
                .execute(("explain pod/web-1 -n shop -o json --operator-namespace " + operatorNamespace + files)
                        .split(" "));

        assertThat(out.toString()).contains("(PolicyLimit): 1 eviction for policy shop/keep was sent", next);
        assertThat(err.toString().contains("the operator's ledger is the one in namespace holdfast"))
                .isEqualTo(operatorNamespace.equals("holdfast"));
    }

    @Test
    void onTheSameFileTheOperatorWouldDoTheSameEachDay() {
        String arguments = "explain pod/web-1 -n shop --policy ../docs/samples/keep.yaml -f " + SAMPLE;
        StringWriter later = new StringWriter();

        CommandRun.printingTo(Path.of(""), out, err).at("2026-11-20T12:00:00Z").execute(arguments.split(" "));
        CommandRun.printingTo(Path.of(""), later, err)
                .at("2027-02-03T04:05:06Z")
                .execute(arguments.split(" "));

        assertThat(out.toString())
                .contains("Due for eviction at 2026-11-02T08:05:00Z")
                .isEqualTo(later.toString());
    }

    @Test
    void aRuleOfThePodThatNoPolicyAsksForIsNamed() throws IOException {
        Path other = folder.resolve("other.yaml");
        Files.writeString(
                other,
                Files.readString(Path.of("../docs/samples/keep.yaml")).replace("namespace: shop", "namespace: other"));

        assertThat(explain("pod/web-1 -n shop --policy " + other)).isEqualTo(ExitCode.OK);

        assertThat(out.toString()).contains("NodeAffinity   its spec alone   Violated");
    }

    private Path file(String name, String content) throws IOException {
        return Files.writeString(folder.resolve(name), content);
    }

    /** The policy keep with a status: web-1 is held, and web-0 was moved. */
    private Path policyWithStatus() throws IOException {
        return file("status.yaml", Files.readString(Path.of("../docs/samples/keep.yaml")) + """
            status:
              violations:
              - {pod: web-1, node: node-1, rule: NodeAffinity, state: Held, sinceTime: "2026-11-20T15:37:10Z",
                 deadlineTime: "2026-11-20T15:42:10Z", reason: DisruptionBudget, message: label disk changed}
              - {pod: web-1, namespace: other, node: n1, rule: NodeAffinity, state: Held, sinceTime: "2026-11-20T15:37:10Z"}
              recentEvictions:
              - {time: "2026-11-20T15:22:10Z", pod: web-0, rule: NodeAffinity, fromNode: node-1, toNode: node-2,
                 outcome: Moved, cause: label disk changed ssd -> hdd}
            """);
    }

    private Path auditLog() throws IOException {
        return file("audit.log", """
            {"time":"2026-11-20T15:22:09Z","event":"Requested","plan":"p","policy":"shop/keep","rule":"NodeAffinity","namespace":"shop","pod":"web-0","node":"node-1","target":"node-2","causeDetail":"label disk changed"}
            {"time":"2026-11-20T15:22:10Z","event":"Answered","plan":"p","policy":"shop/keep","rule":"NodeAffinity","namespace":"shop","pod":"web-0","node":"node-1","answer":"Evicted","message":"granted"}
            {"time":"2026-11-20T15:22:41Z","event":"Ended","plan":"p","policy":"shop/keep","rule":"NodeAffinity","namespace":"shop","pod":"web-0","node":"node-1","outcome":"Moved","toNode":"node-2","causeDetail":"label disk changed"}
            {"time":"2026-11-20T15:22:10Z","event":"Answered","plan":"q","policy":"shop/keep","rule":"NodeAffinity","namespace":"shop","pod":"other-0","node":"node-3","answer":"Evicted","message":""}
            a line of the log

            """);
    }

    @Test
    void theClockAndTheHoldComeFromTheStatusOfThePolicy() throws IOException {
        assertThat(explain("pod/web-1 -n shop -f " + policyWithStatus())).isEqualTo(ExitCode.OK);

        assertThat(out.toString()).contains("""

            What the operator observes, by the status of its policies:
            POLICY      RULE           NODE     STATE   SINCE                  DUE                    HELD               MESSAGE
            shop/keep   NodeAffinity   node-1   Held    2026-11-20T15:37:10Z   2026-11-20T15:42:10Z   DisruptionBudget   label disk changed

            """);
    }

    @Test
    void aPodThatIsGoneHasAHistory() throws IOException {
        assertThat(explain("pod/web-0 -n shop -f " + policyWithStatus() + " --audit-log " + auditLog()))
                .isEqualTo(ExitCode.OK);

        assertThat(out).hasToString("""
            Pod shop/web-0 is not there any more.

            What happened:
            TIME                   EVENT       POLICY      RULE           FROM     TO       RESULT    MESSAGE
            2026-11-20T15:22:09Z   Requested   shop/keep   NodeAffinity   node-1   node-2             label disk changed
            2026-11-20T15:22:10Z   Answered    shop/keep   NodeAffinity   node-1            Evicted   granted
            2026-11-20T15:22:10Z   Evicted     shop/keep   NodeAffinity   node-1   node-2   Moved     label disk changed ssd -> hdd
            2026-11-20T15:22:41Z   Ended       shop/keep   NodeAffinity   node-1   node-2   Moved     label disk changed
            """);
        assertThat(err.toString())
                .endsWith("audit.log: 1 line left out that are no entries of the operator's audit log\n");
    }

    @Test
    void eventsOfTheOperatorArePartOfTheHistory() throws IOException {
        Path events = file("events.yaml", """
            apiVersion: v1
            kind: List
            items:
            - {apiVersion: v1, kind: Event, metadata: {namespace: shop, name: a}, source: {component: holdfast}, count: 3,
               reason: PlacementEvictionBlocked, message: "Not evicting from node-1 (Kept): x; next try in 2m0s; rule ssd (disk In [ssd]) broken since a start; policy shop/keep.", lastTimestamp: "2026-11-20T15:00:00Z",
               involvedObject: {kind: Pod, namespace: shop, name: web-0}}
            - {apiVersion: v1, kind: Event, metadata: {namespace: shop, name: b}, source: {component: kubelet}, count: 3,
               reason: Pulled, message: Pulled, lastTimestamp: "2026-11-20T15:00:00Z",
               involvedObject: {kind: Pod, namespace: shop, name: web-0}}
            - {apiVersion: v1, kind: Event, metadata: {namespace: shop, name: c}, source: {component: holdfast},
               reason: PlacementEvicted, message: Evicted, lastTimestamp: "2026-11-20T15:00:00Z",
               involvedObject: {kind: Pod, namespace: shop, name: web-9}}
            """);

        assertThat(explain("pod/web-0 -n shop -f " + events)).isEqualTo(ExitCode.OK);

        assertThat(out.toString())
                .contains("TIME                   EVENT                      POLICY      RULE   FROM     TO   RESULT  "
                        + " MESSAGE")
                .contains("2026-11-20T15:00:00Z   PlacementEvictionBlocked   shop/keep   ssd    node-1        Kept    "
                        + " Not")
                .contains("policy shop/keep. (3 times)")
                .doesNotContain("Pulled", "PlacementEvicted");
    }

    @Test
    void rulesThatAreViolatedComeFirst() throws IOException {
        Path two = file("two.yaml", """
            {apiVersion: v1, kind: Namespace, metadata: {name: shop}}
            ---
            {apiVersion: v1, kind: Node, metadata: {name: n9, labels: {rack: r1}}}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {namespace: shop, name: two, uid: two, labels: {app: two}}
            spec:
              nodeName: n9
              nodeSelector: {rack: r1}
              topologySpreadConstraints: [{maxSkew: 1, topologyKey: shelf, whenUnsatisfiable: DoNotSchedule,
                labelSelector: {matchLabels: {app: two}}}]
            ---
            {apiVersion: v1, kind: Pod, metadata: {namespace: shop, name: a, uid: a},
             spec: {nodeName: n9, nodeSelector: {rack: r1}}}
            """);

        for (String target : List.of("pod/two -n shop", "node/n9")) {
            out.getBuffer().setLength(0);
            CommandRun.printingTo(Path.of(""), out, err).execute(("explain " + target + " -f " + two).split(" "));

            assertThat(out.toString().lines().filter(line -> line.contains("its spec alone")))
                    .isNotEmpty()
                    .satisfies(rows -> {
                        assertThat(rows.getFirst()).contains("TopologySpread", "Violated");
                        assertThat(rows.subList(1, rows.size())).allMatch(row -> row.contains("Satisfied"));
                    });
        }
    }

    @Test
    void aFileThatIsNoAuditLogIsAnError() throws IOException {
        Path other = file("other.log", "hello\n");

        assertThat(explain("pod/web-1 -n shop --audit-log " + other)).isEqualTo(ExitCode.COULD_NOT_RUN);
        assertThat(err.toString()).endsWith("no line is an entry of the operator's audit log\n");
    }

    @Test
    void aNodeHasItsPodsAndTheEvictionsFromItAndToIt() throws IOException {
        assertThat(explain("node/node-2 -f " + policyWithStatus() + " --audit-log " + auditLog()))
                .isEqualTo(ExitCode.OK);

        assertThat(out.toString())
                .startsWith("Node node-2: 4 pods, 3 of them violate a rule\n")
                .contains("shop/web-2      node-2   NodeAffinity      its spec,shop/keep   Satisfied")
                .contains("Requested   shop/web-0", "Evicted     shop/web-0")
                .doesNotContain("other-0", "web-1 ");
    }

    @Test
    void aDeploymentHasThePodsOfItsReplicaSets() throws IOException {
        Path owned = file("owned.yaml", """
            {apiVersion: apps/v1, kind: Deployment, metadata: {namespace: shop, name: front, uid: d}, spec: {replicas: 1}}
            ---
            apiVersion: apps/v1
            kind: ReplicaSet
            metadata:
              {namespace: shop, name: front-a1, uid: r, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: front, uid: d, controller: true}]}
            spec: {replicas: 1}
            ---
            apiVersion: v1
            kind: Pod
            metadata:
              {namespace: shop, name: front-a1-x, uid: p, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: front-a1, uid: r, controller: true}]}
            spec: {nodeName: node-1, nodeSelector: {disk: ssd}, containers: [{name: main, image: web}]}
            """);
        Path log = Files.writeString(
                folder.resolve("more.log"),
                Files.readString(auditLog()).replace("other-0", "front-a1-w").replace("web-0", "front-a1-proxy-x"));

        assertThat(explain("deploy/front -n shop -o json -f " + owned + " --audit-log " + log))
                .isEqualTo(ExitCode.OK);

        JsonNode explanation = new ObjectMapper().readTree(out.toString());
        assertThat(explanation.path("kind").asText()).isEqualTo("PodListExplanation");
        assertThat(explanation.path("target").asText()).isEqualTo("Deployment shop/front");
        assertThat(explanation.path("summary")).hasToString("{\"pods\":1,\"violating\":1,\"undetermined\":0}");
        assertThat(explanation.at("/pods/0/pod").asText()).isEqualTo("front-a1-x");
        assertThat(explanation.at("/pods/0/nodes/accepting/names")).hasToString("[\"node-2\",\"node-3\",\"node-4\"]");
        assertThat(explanation.path("history")).hasSize(1);
        assertThat(explanation.at("/history/0/pod").asText()).isEqualTo("shop/front-a1-w");
    }

    @Test
    void countsLeaveOutThePodsOfExemptNamespacesAsTheVerdictDoes() throws IOException {
        Path pods = file("dns.yaml", """
            apiVersion: v1
            kind: List
            items:
            - {apiVersion: v1, kind: Namespace, metadata: {name: kube-system}}
            - apiVersion: v1
              kind: Pod
              metadata: {namespace: kube-system, name: dns, labels: {app: db}}
              spec: {nodeName: node-4, containers: [{name: main, image: dns}]}
            - apiVersion: v1
              kind: Pod
              metadata: {namespace: shop, name: alone}
              spec:
                nodeName: node-4
                containers: [{name: main, image: db}]
                affinity:
                  podAntiAffinity:
                    requiredDuringSchedulingIgnoredDuringExecution:
                    - {topologyKey: kubernetes.io/hostname, namespaces: [kube-system], labelSelector: {matchLabels: {app: db}}}
            """);

        assertThat(explain("pod/alone -n shop --policy ../docs/samples/keep.yaml -f " + pods))
                .isEqualTo(ExitCode.OK);

        assertThat(out.toString())
                .contains("PodAntiAffinity   its spec,shop/keep   Satisfied")
                .contains("node-4 has 0 (here)");
    }

    @Test
    void anEmptyAuditLogIsAnError() throws IOException {
        assertThat(explain("pod/web-1 -n shop --audit-log " + file("empty.log", "")))
                .isEqualTo(ExitCode.COULD_NOT_RUN);
        assertThat(err.toString()).endsWith("no line is an entry of the operator's audit log\n");
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
                argumentSet(
                        "no such pod",
                        "pod/web-1",
                        ExitCode.COULD_NOT_RUN,
                        "holdfast: the input has no pod default/web-1: see -n, or list them with kubectl get pods"
                                + " -A\n"),
                argumentSet(
                        "another kind",
                        "svc/web",
                        ExitCode.USAGE,
                        "holdfast: 'svc/web' cannot be explained: write pod/NAME, deploy/NAME, rs/NAME, sts/NAME,"
                                + " ds/NAME, job/NAME or node/NAME\n"
                                + "Try: holdfast explain --help\n"),
                argumentSet(
                        "two objects",
                        "pod/a pod/b",
                        ExitCode.USAGE,
                        "holdfast: explain takes one object: give pod/a or pod/b\nTry: holdfast explain --help\n"),
                argumentSet("no such node", "node/n9", ExitCode.COULD_NOT_RUN, "holdfast: the input has no node n9\n"),
                argumentSet(
                        "no such workload",
                        "deploy/web -n shop",
                        ExitCode.COULD_NOT_RUN,
                        "holdfast: the input has no pod of Deployment shop/web: see -n, and give its ReplicaSets"
                                + " too\n"),
                argumentSet(
                        "standard input twice",
                        "pod/web-1 -n shop -f - --audit-log -",
                        ExitCode.USAGE,
                        "holdfast: standard input can be read only once\nTry: holdfast explain --help\n"),
                argumentSet(
                        "no such audit log",
                        "pod/web-1 -n shop --audit-log none.log",
                        ExitCode.COULD_NOT_RUN,
                        "holdfast: none.log: no such file: give a file, a folder, or - for standard input\n"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void aMistakeIsOneMessage(String arguments, int code, String message) {
        assertThat(explain(arguments)).isEqualTo(code);

        assertThat(out.toString()).isEmpty();
        assertThat(err).hasToString(message);
    }
}
