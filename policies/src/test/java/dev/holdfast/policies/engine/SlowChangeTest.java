package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.testing.Changes.namespaceChanged;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Demands.matcher;
import static dev.holdfast.policies.testing.Demands.namespaceSelector;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.NodeTraits.hostname;
import static dev.holdfast.policies.testing.NodeTraits.tainted;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.near;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.spread;
import static dev.holdfast.policies.testing.Spreads.honoringTaints;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.ControlsDraft;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests changes that come one by one, 31 s apart, so that never many pods break a rule within 90 s: they count together
 * for an hour.
 */
class SlowChangeTest {
    private static final int PODS = 30;

    /**
     * {@return a cluster in which each web pod requires a cache of its own on its node; the spare node has them all}
     */
    private static ClusterBuilder caches() {
        ClusterBuilder facts = cluster().node("spare", hostname("spare"));
        for (int i = 1; i <= PODS; i++) {
            facts.node("n" + i, hostname("n" + i))
                    .pod("cache-" + i, on("n" + i), labels("app", "cache-" + i))
                    .pod("spare-cache-" + i, on("spare"), labels("app", "cache-" + i))
                    .replicaSet("web-" + i, 1)
                    .pod(
                            "web-" + i,
                            on("n" + i),
                            replicaOf("web-" + i),
                            near(term(matchLabels("app", "cache-" + i), HOSTNAME)));
        }
        return facts;
    }

    @Test
    void aLabelThatLeavesPodsOneByOneHoldsThePodsThatNeedThem() {
        EngineScenario engineScenario =
                EngineScenario.begin(caches(), enforcing()).replacingOn("spare");

        for (int i = 1; i <= PODS; i++) {
            engineScenario
                    .happens(podChanged("cache-" + i, on("n" + i), labels("app", "none")))
                    .afterSeconds(31);
        }
        engineScenario.afterSeconds(600);

        assertThat(engineScenario.evicted()).hasSizeLessThanOrEqualTo(10);
        assertThat(Set.copyOf(engineScenario.holds())).containsExactly(Reason.POLICY_BACKLOG);
        assertThat(engineScenario.backlogs.getFirst().message())
                .startsWith("since label app of pod shop/cache-11 changed cache-11 -> none, the policy would move ");
    }

    /** {@return a cluster of two zones with pods that must be spread over the nodes without taints that they bear} */
    private static ClusterBuilder zones() {
        ClusterBuilder facts = cluster();
        for (int i = 1; i <= 4; i++) {
            facts.node("a" + i, zone("a")).node("b" + i, zone("b"));
        }
        for (int i = 1; i <= 12; i++) {
            facts.replicaSet("web-" + i, 4);
            for (String node : new String[] {"a1", "a2", "b1", "b2"}) {
                facts.pod(
                        "web-" + i + "-" + node,
                        on(node),
                        labels("app", "web-" + i),
                        replicaOf("web-" + i),
                        spread(maxSkew(1, ZONE, matchLabels("app", "web-" + i), honoringTaints())));
            }
        }
        return facts;
    }

    static Stream<Arguments> taints() {
        return Stream.of(
                argumentSet("a taint that a user chose counts", "dedicated", true),
                argumentSet("the taint of a cordoned node does not count", "node.kubernetes.io/unschedulable", false),
                argumentSet("the taint of a node that leaves does not count", "karpenter.sh/disrupted", false));
    }

    @ParameterizedTest
    @MethodSource("taints")
    void taintsThatComeToNodesOneByOneCount(String key, boolean counts) {
        EngineScenario engineScenario = EngineScenario.begin(zones(), enforcing());

        for (String node : new String[] {"b1", "b2"}) {
            engineScenario
                    .happens(nodeChanged(node, zone("b"), tainted(key, "gpu", "NoSchedule")))
                    .afterSeconds(31);
        }
        engineScenario.afterSeconds(120);

        if (counts) {
            assertThat(engineScenario.backlogs).isNotEmpty();
            assertThat(engineScenario.backlogs.getFirst().message())
                    .startsWith("since taint dedicated=gpu:NoSchedule was added to node b");
        } else {
            assertThat(engineScenario.backlogs).isEmpty();
        }
    }

    /** A tenant must not stop the evictions of others with labels of its own pods. */
    @ParameterizedTest
    @CsvSource({"trusted, true", "untrusted, false"})
    void labelsOfPodsOfAnotherNamespaceCountIfThePolicyTrustsIt(String tenant, boolean counts) {
        ClusterBuilder facts =
                cluster().namespace(tenant, labels("tenant", tenant)).node("n1", hostname("n1"));
        for (int i = 1; i <= 11; i++) {
            facts.pod("job-" + i, in(tenant), on("n1"), labels("app", "job-" + i))
                    .replicaSet("web-" + i, 1)
                    .pod(
                            "web-" + i,
                            on("n1"),
                            replicaOf("web-" + i),
                            apartFrom(term(
                                    matchLabels("noisy", "web-" + i),
                                    HOSTNAME,
                                    namespaceSelector(LabelSelector.everything()))));
        }
        DisruptionControls trusting = ControlsDraft.plain()
                .trusting(matcher(matchLabels("tenant", "trusted")))
                .controls();
        EngineScenario engineScenario =
                EngineScenario.begin(facts).event(new Event.PolicyChanged(enforcing(), trusting));

        for (int i = 1; i <= 11; i++) {
            engineScenario
                    .happens(podChanged("job-" + i, in(tenant), on("n1"), labels("noisy", "web-" + i)))
                    .afterSeconds(31);
        }

        assertThat(engineScenario.afterSeconds(120).backlogs).hasSize(counts ? 1 : 0);
    }

    /** A label of a namespace counts already, as it may also bring pods under a policy. */
    @Test
    void aLabelOfANamespaceThatBreaksARuleOfManyPodsHoldsThem() {
        ClusterBuilder facts = cluster()
                .namespace("data", labels("team", "data"))
                .node("n1", hostname("n1"))
                .node("spare", hostname("spare"))
                .pod("cache", in("data"), on("n1"), labels("app", "cache"));
        for (int i = 1; i <= 11; i++) {
            facts.replicaSet("web-" + i, 1)
                    .pod(
                            "web-" + i,
                            on("n1"),
                            replicaOf("web-" + i),
                            near(term(
                                    matchLabels("app", "cache"),
                                    HOSTNAME,
                                    namespaceSelector(matchLabels("team", "data")))));
        }
        EngineScenario engineScenario = EngineScenario.begin(facts, enforcing());

        engineScenario.happens(namespaceChanged("data", labels("team", "none"))).afterSeconds(120);

        assertThat(engineScenario.backlogs).hasSize(1);
        assertThat(Set.copyOf(engineScenario.holds())).containsExactly(Reason.POLICY_BACKLOG);
    }
}
