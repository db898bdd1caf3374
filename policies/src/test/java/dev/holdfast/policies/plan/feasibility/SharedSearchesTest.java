package dev.holdfast.policies.plan.feasibility;

import static dev.holdfast.policies.plan.Due.candidate;
import static dev.holdfast.policies.plan.Due.situation;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.NodeTraits.hostname;
import static dev.holdfast.policies.testing.NodeTraits.tainted;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.plan.Plan;
import dev.holdfast.policies.plan.ShuffledPlanner;
import dev.holdfast.policies.plan.move.Moves;
import dev.holdfast.policies.testing.PodTrait;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Tests which pods share a search that found no node. The pods of two namespaces have the same scheduling fields: each
 * must be on a node without a noisy pod of its own namespace.
 */
class SharedSearchesTest {
    private static PodTrait web(String namespace, String node) {
        return pod -> {
            in(namespace).of(pod);
            on(node).of(pod);
            replicaOf("web").of(pod);
            apartFrom(term(app("noisy"), HOSTNAME)).of(pod);
        };
    }

    private static PodTrait noisy(String namespace, String node) {
        return pod -> {
            in(namespace).of(pod);
            on(node).of(pod);
            labels("app", "noisy").of(pod);
        };
    }

    @Test
    void theNodeThatTheFirstSearchLeftOutIsTriedForTheNextPod() {
        ReferenceCluster facts = cluster()
                .node("n1", hostname("n1"))
                .node("n2", hostname("n2"), tainted("storage", "", "NoSchedule"))
                .node("n3", hostname("n3"), tainted("storage", "", "NoSchedule"))
                .pod("a", web("shop", "n1"))
                .pod("noisy-a", noisy("shop", "n1"))
                .pod("b", web("data", "n2"))
                .pod("noisy-b", noisy("data", "n2"))
                .build();

        Plan plan = new ShuffledPlanner(20, 20_000)
                .plan(List.of(candidate(facts, "a"), candidate(facts, "b")), situation(facts, new Moves()));

        assertThat(plan.chosen())
                .extracting(chosen -> chosen.candidate().pod().uid(), Plan.Chosen::target)
                .containsExactly(tuple("b", Optional.of("n1")));
        assertThat(plan.held())
                .extracting(
                        held -> held.candidate().pod().uid(),
                        held -> held.hold().message())
                .containsExactly(
                        tuple("a", "no other node would take the pod now: of 2 other nodes: 2 cordoned or tainted"));
    }
}
