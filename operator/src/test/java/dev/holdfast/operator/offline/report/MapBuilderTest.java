package dev.holdfast.operator.offline.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.offline.report.ClusterMap.MapNode;
import dev.holdfast.operator.offline.report.ClusterMap.MapPod;
import dev.holdfast.operator.offline.report.ClusterMap.Presence;
import dev.holdfast.operator.offline.report.ClusterMap.Zone;
import dev.holdfast.operator.offline.report.ClusterReport.State;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Where a map has nodes and pods. */
class MapBuilderTest {
    private static String node(String name, String labels, String spec, String ready) {
        return """
            {apiVersion: v1, kind: Node, metadata: {name: %s, labels: {%s}}, spec: {%s},
              status: {conditions: [{type: Ready, status: "%s"}]}}
            ---
            """.formatted(name, labels, spec, ready);
    }

    private static String pod(String name, String spec) {
        return """
            {apiVersion: v1, kind: Pod, metadata: {name: %s, namespace: shop, uid: u-%s}, spec: {%s}}
            ---
            """.formatted(name, name, spec);
    }

    private static MapPod pod(String name, State state) {
        return new MapPod("shop", name, "u-" + name, state);
    }

    private static final String ZONE_A = "topology.kubernetes.io/zone: a";
    private static final String ZONE_B = "topology.kubernetes.io/zone: b";

    static Stream<Arguments> maps() {
        return Stream.of(
                argumentSet("nothing", "", List.of()),
                argumentSet(
                        "nodes by zone and name",
                        node("n3", ZONE_B, "", "True")
                                + node("n2", ZONE_A, "", "True")
                                + node("n1", ZONE_A, "", "True"),
                        List.of(new Zone("a", List.of(usual("n1"), usual("n2"))), new Zone("b", List.of(usual("n3"))))),
                argumentSet(
                        "a violating pod stands before fine ones",
                        node("n1", ZONE_A, "", "True")
                                + pod("one", "nodeName: n1")
                                + pod("two", "nodeName: n1, nodeSelector: {disk: ssd}"),
                        List.of(new Zone(
                                "a",
                                List.of(new MapNode(
                                        "n1", "", List.of(pod("two", State.KILLED), pod("one", State.FINE))))))),
                argumentSet(
                        "a pod without a node is not on the map",
                        node("n1", ZONE_A, "", "True") + pod("one", "priority: 0"),
                        List.of(new Zone("a", List.of(usual("n1"))))),
                argumentSet(
                        "nodes that take no pods",
                        node("n1", "", "unschedulable: true", "True")
                                + node("n2", "", "", "False")
                                + pod("one", "nodeName: gone"),
                        List.of(new Zone(
                                "",
                                List.of(
                                        new MapNode("gone", "not read", List.of(pod("one", State.FINE))),
                                        new MapNode("n1", "cordoned", List.of()),
                                        new MapNode("n2", "not Ready", List.of()))))));
    }

    /** {@return a map of a node with pods in this order} */
    private static ClusterMap map(MapPod... pods) {
        return new ClusterMap(List.of(new Zone("", List.of(new MapNode("n1", "", List.of(pods))))));
    }

    @Test
    void amongPodsOfOneStateThoseThatLeaveStandFirst() {
        ClusterMap before = map(
                pod("web-1", State.VIOLATED),
                pod("web-2", State.VIOLATED),
                pod("api-1", State.FINE),
                pod("api-2", State.FINE));
        ClusterMap after = map(pod("web-1", State.VIOLATED), pod("api-1", State.FINE));

        assertThat(before.marking(after, Presence.LEAVES)
                        .zones()
                        .getFirst()
                        .nodes()
                        .getFirst()
                        .pods())
                .extracting(it -> it.pod() + " " + it.presence())
                .containsExactly("web-2 LEAVES", "web-1 STAYS", "api-2 LEAVES", "api-1 STAYS");
    }

    private static MapNode usual(String name) {
        return new MapNode(name, "", List.of());
    }

    @ParameterizedTest
    @MethodSource("maps")
    void aMapHasEachNodeInItsZone(String yaml, List<Zone> zones) throws Exception {
        String namespace = "{apiVersion: v1, kind: Namespace, metadata: {name: shop}}\n---\n";

        assertThat(Reports.drawing("", namespace + yaml, 0).map().zones()).isEqualTo(zones);
    }
}
