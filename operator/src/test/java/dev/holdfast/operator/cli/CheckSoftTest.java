package dev.holdfast.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code holdfast check --soft}: node a1 is in zone a and has disk=hdd, node b1 in zone b has disk=ssd. */
class CheckSoftTest {
    static final String NODES = """
        {apiVersion: v1, kind: Namespace, metadata: {name: shop}}
        ---
        {apiVersion: v1, kind: Node, metadata: {name: a1, labels: {topology.kubernetes.io/zone: a, kubernetes.io/hostname: a1, disk: hdd}},
         status: {allocatable: {cpu: "8", memory: 16Gi, pods: "110"}, conditions: [{type: Ready, status: "True"}]}}
        ---
        {apiVersion: v1, kind: Node, metadata: {name: b1, labels: {topology.kubernetes.io/zone: b, kubernetes.io/hostname: b1, disk: ssd}},
         status: {allocatable: {cpu: "8", memory: 16Gi, pods: "110"}, conditions: [{type: Ready, status: "True"}]}}
        ---
        {apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: web, namespace: shop, uid: rs}, spec: {replicas: 1,
          selector: {matchLabels: {app: web}}, template: {spec: {containers: [{name: main}]}}}}
        ---
        {apiVersion: v1, kind: Service, metadata: {name: web, namespace: shop}, spec: {selector: {tier: front}}}
        ---
        """;

    static final String SPREAD =
            "topologySpreadConstraints: [{maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable:"
                    + " ScheduleAnyway, labelSelector: {matchLabels: {app: web}}}]";

    static final String SSD = preferred("ssd", "{key: disk, operator: In, values: [ssd]}", 50);

    static String preferred(String name, String expression, int weight) {
        return "affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: " + weight
                + ", preference: {matchExpressions: [" + expression + "]}}]}} # " + name;
    }

    @TempDir
    private Path folder;

    private String nodes = NODES;
    private String out = "";
    private String err = "";

    static String pod(String name, String node, String spec) {
        return """
            apiVersion: v1
            kind: Pod
            metadata: {name: %1$s, namespace: shop, uid: u-%1$s, labels: {app: web, tier: front}, ownerReferences: [
              {apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: rs, controller: true}]}
            spec:
              nodeName: %2$s
              containers: [{name: main}]
              %3$s
            status: {phase: Running}
            ---
            """.formatted(name, node, spec);
    }

    private static String pods(int number, String spec) {
        return IntStream.rangeClosed(1, number)
                .mapToObj(it -> pod("web-" + it, "a1", spec))
                .collect(Collectors.joining());
    }

    private int check(String pods, String... options) throws IOException {
        Path file = Files.writeString(folder.resolve("cluster.yaml"), nodes + pods);
        CommandRun run = CommandRun.in(folder);
        int code = run.execute(Stream.concat(Stream.of("check", "--soft", "-f", file.toString()), Stream.of(options))
                .toArray(String[]::new));
        out = run.out().toString();
        err = run.err().toString();
        return code;
    }

    static Stream<Arguments> moves() {
        return Stream.of(
                argumentSet("a spread that a move evens out", pods(2, SPREAD), "gains 1 on b1"),
                argumentSet("a preferred node that is free", pods(1, SSD), "gains 50 on b1"),
                argumentSet(
                        "a preferred node that nobody has",
                        pods(1, preferred("nvme", "{key: disk, operator: In, values: [nvme]}", 50)),
                        "TooLittleGain: the scheduler may choose its node a1 again, where the gain is 0 and must be at"
                                + " least 1"),
                argumentSet(
                        "SC-NA-5: a preferred term that the scheduler cannot read",
                        pods(1, preferred("Gt", "{key: disk, operator: Gt, values: [x]}", 50)),
                        "PreferredTermInvalid: the scheduler cannot read the preferred term disk Gt [x]: 'disk Gt [x]':"
                                + " `values` must be exactly one 64-bit integer; a replacement would stay Pending"),
                argumentSet(
                        "a pod that no other node takes",
                        pods(1, "nodeSelector: {disk: hdd}\n  " + SSD),
                        "TooLittleGain: the scheduler may choose its node a1 again, where the gain is 0 and must be at"
                                + " least 1"));
    }

    @ParameterizedTest
    @MethodSource("moves")
    void theTableSaysWhatAMoveGains(String pods, String move) throws IOException {
        int code = check(pods);

        List<String> rows = out.lines().skip(1).toList();
        assertThat(rows).allSatisfy(row -> assertThat(row).endsWith(move));
        assertThat(code).isEqualTo(move.startsWith("gains") ? ExitCode.FINDINGS : ExitCode.OK);
    }

    @Test
    void aPodThatBarsAnother() throws IOException {
        String guard = """
            apiVersion: v1
            kind: Pod
            metadata: {name: guard, namespace: shop, uid: u-guard, labels: {app: guard}}
            spec:
              nodeName: a1
              containers: [{name: main}]
              affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [
                {labelSelector: {matchLabels: {app: web}}, topologyKey: kubernetes.io/hostname}]}}
            status: {phase: Running}
            """;

        // The guard attracts the pod as much as b1 does, but a1 has a taint.
        nodes = NODES.replace("hdd}},", "hdd}}, spec: {taints: [{key: old, effect: PreferNoSchedule}]},");

        check(pods(1, SSD) + guard);

        assertThat(out)
                .contains(
                        "StartsViolations: the scheduler may choose b1, which would begin a violation: 1 rule of other"
                                + " pods");
    }

    @Test
    void aZoneThatCameBack() throws IOException {
        int code = check(pods(2, SPREAD));

        assertThat(out).isEqualTo("""
            NAMESPACE   POD     NODE   UNMET RULE                                                                       BREACH                                                                                              MOVE
            shop        web-1   a1     SoftTopologySpread: spread (app=web) by topology.kubernetes.io/zone, maxSkew 1   topology.kubernetes.io/zone=a has 2 matching pods, the smallest domain b has 0: skew 2, allowed 1   gains 1 on b1
            shop        web-2   a1     SoftTopologySpread: spread (app=web) by topology.kubernetes.io/zone, maxSkew 1   topology.kubernetes.io/zone=a has 2 matching pods, the smallest domain b has 0: skew 2, allowed 1   gains 1 on b1
            """);
        assertThat(err).isEqualTo("""
            holdfast: 2 of 2 pods have 2 unmet soft rules. A move of 2 pods would gain something for certain, and each move changes what the others gain.
            """);
        assertThat(code).isEqualTo(ExitCode.FINDINGS);
    }

    @Test
    void manyPodsAreGrouped() throws IOException {
        check(pods(41, SPREAD));

        assertThat(out).isEqualTo("""
            PODS   FOR EXAMPLE   NAMESPACE   WORKLOAD         UNMET RULE                                                                       MOVE
            41     web-1         shop        ReplicaSet/web   SoftTopologySpread: spread (app=web) by topology.kubernetes.io/zone, maxSkew 1   gains 40 on b1
            all rows: -o wide
            """);
    }

    @Test
    void aPodWithoutConstraintsIsHeldToTheDefaultsOfTheScheduler() throws IOException {
        check(pods(4, ""));

        assertThat(out.lines().skip(1))
                .hasSize(4)
                .allSatisfy(row -> assertThat(row)
                        .contains("SoftTopologySpread: spread (tier=front, app In [web]) by kubernetes.io/hostname,"
                                + " maxSkew 3 (default of the scheduler)")
                        .endsWith("gains 3 on b1"));
    }

    @Test
    void withoutTheSelectorOfItsControllerTheDefaultsAreNotKnown() throws IOException {
        check(pods(1, SSD).replace("name: web, uid: rs", "name: other, uid: other"));

        assertThat(out).contains("TooLittleGain: the scheduler may choose its node a1 again");
    }

    @Test
    void withoutAnUnmetRuleNothingIsListed() throws IOException {
        int code = check(pods(1, SPREAD));

        assertThat(out).isEmpty();
        assertThat(err).isEqualTo("holdfast: No soft rule of 1 pod is unmet.\n");
        assertThat(code).isEqualTo(ExitCode.OK);
    }

    @Test
    void theNamesOfPodsThatAMoveImproves() throws IOException {
        check(pods(2, SPREAD), "-o", "name");

        assertThat(out).isEqualTo("pod/web-1\npod/web-2\n");
    }

    @Test
    void aGainThatIsTooSmall() throws IOException {
        check(pods(2, SPREAD), "--min-improvement", "2");

        assertThat(out)
                .contains("TooLittleGain: the scheduler may choose b1, where the gain is 1 and must be at least 2");
    }

    @Test
    void theSummaryWritesAllNumbersAlike() throws IOException {
        check(pods(1_000, SPREAD));

        assertThat(err).contains("1,000 of 1,000 pods have 1,000 unmet soft rules.");
    }

    @Test
    void withoutServicesAWarning() throws IOException {
        Path file = Files.writeString(
                folder.resolve("cluster.yaml"), (NODES + pods(2, SPREAD)).replace("kind: Service", "kind: Other"));
        CommandRun run = CommandRun.in(folder);
        run.execute("check", "--soft", "-f", file.toString());

        assertThat(run.err().toString())
                .contains("warning: the input has no Services, which the scheduler reads for pods without spread"
                        + " constraints: give svc,rs,sts,rc too");
    }

    static Stream<Arguments> refused() {
        return Stream.of(
                argumentSet(
                        "a summary",
                        List.of("-o", "summary"),
                        "--soft has no -o summary: its table groups more than 40 rows"),
                argumentSet(
                        "no gain",
                        List.of("--min-improvement", "0"),
                        "--min-improvement must be at least 1, and is 0"));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void optionsWithoutAMeaningAreRefused(List<String> options, String why) throws IOException {
        int code = check(pods(2, SPREAD), options.toArray(String[]::new));

        assertThat(err).contains(why);
        assertThat(code).isEqualTo(ExitCode.USAGE);
    }
}
