package dev.holdfast.policies.rule;

import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Demands.matcher;
import static dev.holdfast.policies.testing.Demands.selector;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.pod;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.on;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.testing.Demands;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PolicyTest {
    private static final PolicyId CLUSTER = PolicyId.cluster("audit");
    private static final PolicyId IN_SHOP = PolicyId.namespaced("shop", "web");
    private static final LabelSelector ALL = selector();

    record Row(String name, Policy policy, Pod pod, boolean expected) {
        Arguments arguments() {
            return argumentSet(name, this);
        }
    }

    static Stream<Arguments> rows() {
        return Stream.of(
                        row("a cluster policy over everything", all(CLUSTER), pod("p", on("n1")), true),
                        row(
                                "a cluster policy over everything, and a namespace without object",
                                all(CLUSTER),
                                pod("p", in("ghost"), on("n1")),
                                true),
                        row("a pod that waits for a node", all(CLUSTER), pod("p"), true),
                        row(
                                "a policy that is Disabled selects no pod",
                                policy(CLUSTER, Mode.DISABLED, ALL, Optional.empty(), Optional.empty()),
                                pod("p", on("n1")),
                                false),
                        row(
                                "a policy that enforces selects like one that audits",
                                policy(CLUSTER, Mode.ENFORCE, ALL, Optional.empty(), Optional.empty()),
                                pod("p", on("n1")),
                                true),
                        row("a namespaced policy and a pod of its namespace", all(IN_SHOP), pod("p", on("n1")), true),
                        row(
                                "a namespaced policy and a pod of another namespace",
                                all(IN_SHOP),
                                pod("p", in("bank"), on("n1")),
                                false),
                        row(
                                "a namespaced policy applies to its own namespace, even with a namespaceSelector",
                                policy(
                                        IN_SHOP,
                                        Mode.AUDIT,
                                        ALL,
                                        Optional.empty(),
                                        Optional.of(matchLabels("team", "blue"))),
                                pod("p", on("n1")),
                                true),
                        row(
                                "the podSelector matches",
                                ofPods(app("web")),
                                pod("p", on("n1"), labels("app", "web")),
                                true),
                        row(
                                "the podSelector does not match",
                                ofPods(app("web")),
                                pod("p", on("n1"), labels("app", "db")),
                                false),
                        row(
                                "the namespaceSelector matches",
                                ofNamespaces(matchLabels("team", "blue")),
                                pod("p", in("bank"), on("n1")),
                                true),
                        row(
                                "the namespaceSelector does not match",
                                ofNamespaces(matchLabels("team", "blue")),
                                pod("p", on("n1")),
                                false),
                        row(
                                "a namespace without object has no labels, which In does not match",
                                ofNamespaces(matchLabels("team", "blue")),
                                pod("p", in("ghost")),
                                false),
                        row(
                                "a namespace without object has no labels, which {} matches",
                                ofNamespaces(selector()),
                                pod("p", in("ghost")),
                                true),
                        row(
                                "the nodeSelector matches",
                                ofNodes(matchLabels("pool", "general")),
                                pod("p", on("n1")),
                                true),
                        row(
                                "the nodeSelector does not match",
                                ofNodes(matchLabels("pool", "general")),
                                pod("p", on("n2")),
                                false),
                        row("a nodeSelector and a pod that waits for a node", ofNodes(selector()), pod("p"), false),
                        row(
                                "a nodeSelector and a pod on a node that does not exist",
                                ofNodes(selector()),
                                pod("p", on("gone")),
                                false),
                        row(
                                "all three must match: the node does not",
                                policy(
                                        CLUSTER,
                                        Mode.AUDIT,
                                        app("web"),
                                        Optional.of(matchLabels("pool", "general")),
                                        Optional.of(matchLabels("team", "blue"))),
                                pod("p", in("bank"), on("n2"), labels("app", "web")),
                                false),
                        row(
                                "all three match",
                                policy(
                                        CLUSTER,
                                        Mode.AUDIT,
                                        app("web"),
                                        Optional.of(matchLabels("pool", "general")),
                                        Optional.of(matchLabels("team", "blue"))),
                                pod("p", in("bank"), on("n1"), labels("app", "web")),
                                true))
                .map(Row::arguments);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void selects(Row row) {
        ReferenceCluster referenceCluster = cluster()
                .node("n1", labels("pool", "general"))
                .node("n2", labels("pool", "batch"))
                .namespace("shop", labels("team", "red"))
                .namespace("bank", labels("team", "blue"))
                .build();
        assertThat(row.policy().selects(row.pod(), referenceCluster))
                .as(row.name())
                .isEqualTo(row.expected());
    }

    @Test
    void noModeGoesFurtherThanItsCeiling() {
        assertThat(Mode.ENFORCE.atMost(Mode.AUDIT)).isEqualTo(Mode.AUDIT);
        assertThat(Mode.AUDIT.atMost(Mode.ENFORCE)).isEqualTo(Mode.AUDIT);
        assertThat(Mode.AUDIT.atMost(Mode.AUDIT)).isEqualTo(Mode.AUDIT);
        assertThat(Mode.AUDIT.atMost(Mode.DISABLED)).isEqualTo(Mode.DISABLED);
        assertThat(Mode.DISABLED.atMost(Mode.ENFORCE)).isEqualTo(Mode.DISABLED);
        assertThat(Mode.values()).extracting(Mode::label).containsExactly("Disabled", "Audit", "Enforce");
    }

    @Test
    void policiesAreOrderedWithThoseOfTheClusterFirst() {
        assertThat(Stream.of(
                                PolicyId.namespaced("shop", "a"),
                                PolicyId.cluster("z"),
                                PolicyId.namespaced("bank", "b"),
                                PolicyId.cluster("audit"),
                                PolicyId.namespaced("bank", "a"))
                        .sorted())
                .extracting(PolicyId::toString)
                .containsExactly("audit", "z", "bank/a", "bank/b", "shop/a");
    }

    private static Row row(String name, Policy policy, Pod pod, boolean expected) {
        return new Row(name, policy, pod, expected);
    }

    private static Policy all(PolicyId id) {
        return policy(id, Mode.AUDIT, ALL, Optional.empty(), Optional.empty());
    }

    private static Policy ofPods(LabelSelector pods) {
        return policy(CLUSTER, Mode.AUDIT, pods, Optional.empty(), Optional.empty());
    }

    private static Policy ofNodes(LabelSelector nodes) {
        return policy(CLUSTER, Mode.AUDIT, ALL, Optional.of(nodes), Optional.empty());
    }

    private static Policy ofNamespaces(LabelSelector namespaces) {
        return policy(CLUSTER, Mode.AUDIT, ALL, Optional.empty(), Optional.of(namespaces));
    }

    private static Policy policy(
            PolicyId id,
            Mode mode,
            LabelSelector pods,
            Optional<LabelSelector> nodes,
            Optional<LabelSelector> namespaces) {
        return new Policy(
                id,
                1,
                mode,
                matcher(pods),
                nodes.map(Demands::matcher),
                namespaces.map(Demands::matcher),
                Map.of(),
                List.of());
    }
}
