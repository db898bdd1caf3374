package dev.holdfast.operator.offline.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.offline.report.ClusterReport.NeverAllowing;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which budgets of three pods never allow an eviction, and why. */
class NeverAllowingBudgetsTest {
    private static final String SELECTOR = ", selector: {matchLabels: {app: db}}";

    private static Arguments never(String name, String spec, String why, String advice) {
        return argumentSet(name, spec + SELECTOR, "", List.of(new NeverAllowing("shop", "db", 3, why, advice)));
    }

    private static Arguments allows(String name, String spec) {
        return argumentSet(name, spec + SELECTOR, "", List.of());
    }

    static Stream<Arguments> budgets() {
        return Stream.of(
                never(
                        "maxUnavailable 0",
                        "maxUnavailable: 0",
                        "maxUnavailable is 0",
                        "set maxUnavailable to 1 or more"),
                allows("maxUnavailable 1", "maxUnavailable: 1"),
                never(
                        "maxUnavailable 0%",
                        "maxUnavailable: 0%", "maxUnavailable is 0%", "raise maxUnavailable above 0%"),
                allows("1% of three pods is rounded up to one", "maxUnavailable: 1%"),
                never(
                        "minAvailable 3 of three pods",
                        "minAvailable: 3",
                        "minAvailable is 3, and it selects 3 pods",
                        "lower minAvailable, or add replicas"),
                allows("minAvailable 2 of three pods", "minAvailable: 2"),
                never(
                        "minAvailable 67% of three pods is rounded up to three",
                        "minAvailable: 67%",
                        "minAvailable is 67%, which rounds up to all of its pods",
                        "lower minAvailable, or add replicas"),
                never(
                        "minAvailable 100% of any number of pods",
                        "minAvailable: 100%",
                        "minAvailable is 100%, which rounds up to all of its pods",
                        "lower minAvailable"),
                allows("minAvailable 66% of three pods is two", "minAvailable: 66%"),
                argumentSet(
                        "the status counts more than the spec",
                        "maxUnavailable: 0" + SELECTOR,
                        "status: {observedGeneration: 0, expectedPods: 5, desiredHealthy: 4, currentHealthy: 5,"
                                + " disruptionsAllowed: 1}",
                        List.of()),
                argumentSet(
                        "a status that requires all pods",
                        "minAvailable: 80%" + SELECTOR,
                        "status: {observedGeneration: 0, expectedPods: 3, desiredHealthy: 3, currentHealthy: 3,"
                                + " disruptionsAllowed: 0}",
                        List.of(new NeverAllowing(
                                "shop",
                                "db",
                                3,
                                "minAvailable is 80%, which rounds up to all of its pods",
                                "lower minAvailable, or add replicas"))),
                argumentSet(
                        "no pod is selected", "maxUnavailable: 0, selector: {matchLabels: {app: x}}", "", List.of()));
    }

    @ParameterizedTest
    @MethodSource("budgets")
    void aBudgetNeverAllowsAnEviction(String spec, String status, List<NeverAllowing> expected) throws Exception {
        StringBuilder cluster = new StringBuilder("{apiVersion: v1, kind: Node, metadata: {name: n1}}\n");
        for (int pod = 0; pod < 3; pod++) {
            cluster.append("""
                ---
                {apiVersion: v1, kind: Pod, metadata: {namespace: shop, name: db-%s, labels: {app: db}}, spec: {nodeName: n1}}
                """.formatted(pod));
        }
        cluster.append("""
            ---
            apiVersion: policy/v1
            kind: PodDisruptionBudget
            metadata: {namespace: shop, name: db}
            spec: {%s}
            %s
            """.formatted(spec, status));

        assertThat(Reports.of(cluster.toString()).budgets()).isEqualTo(expected);
    }
}
