package dev.holdfast.operator.offline.check;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.offline.dump.Dump;
import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.dump.DumpFile;
import dev.holdfast.operator.offline.dump.DumpReader;
import dev.holdfast.operator.offline.dump.ReadCluster;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Three pods on one node, each with an affinity to another app that no pod has. A rule costs 10; the first one also
 * reads the node, the labels of the pods and the pods.
 */
class RulesWithoutEffectTest {
    private static final String NODE = """
        {apiVersion: v1, kind: Node, metadata: {name: n-a, uid: n-a, labels: {zone: a}}}
        ---
        """;
    private static final String POD = """
        apiVersion: v1
        kind: Pod
        metadata: {namespace: shop, name: web-%1$s, uid: web-%1$s, labels: {app: web-%1$s}}
        spec: {nodeName: n-a, affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [
          {labelSelector: {matchLabels: {app: cache-%1$s}}, topologyKey: zone}]}}}
        status: {phase: Running}
        ---
        """;
    private static final int FIRST = 10 + 1 + 3 + 3;

    static Stream<Arguments> bounds() {
        String example = "PodAffinity of pod shop/web-0 (near (app=cache-0) by zone), because no pod in the namespaces"
                + " that it reads matches its selector, so no node satisfies it";
        return Stream.of(
                argumentSet("enough for all", FIRST + 20, List.of("3 rules count no pod, for example: " + example)),
                argumentSet(
                        "too little for the last rule",
                        FIRST + 19,
                        List.of(
                                "2 rules count no pod, for example: " + example,
                                "1 rule was not examined for what can do nothing, because that takes too long; select"
                                        + " fewer pods to examine their rules")),
                argumentSet(
                        "too little for two rules",
                        FIRST,
                        List.of(
                                "1 rule counts no pod: " + example,
                                "2 rules were not examined for what can do nothing, because that takes too long; select"
                                        + " fewer pods to examine their rules")));
    }

    @ParameterizedTest
    @MethodSource("bounds")
    void saysHowManyRulesWereNotExamined(long mostExamined, List<String> warnings) throws DumpException {
        String yaml = NODE + POD.formatted(0) + POD.formatted(1) + POD.formatted(2);
        Dump dump = new DumpReader(_ -> {})
                .read(List.of(new DumpFile("cluster.yaml", () -> new ByteArrayInputStream(yaml.getBytes(UTF_8)))));
        CheckedCluster cluster = CheckedCluster.of(new ReadCluster(dump, List.of(), List.of(), List.of()), Set.of());

        assertThat(RulesWithoutEffect.warnings(cluster, _ -> true, mostExamined))
                .isEqualTo(warnings);
    }
}
