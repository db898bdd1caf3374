package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.Policies.enforcing;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.testing.ClusterBuilder;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Two evaluators that disagree are a bug, and nobody loses its pod to a bug. */
class DistrustTest {
    private static final String DIFFERENCE =
            "pod shop/web-1, rule disk=ssd: evaluate says not Violated, the index" + " Violated, and its clock runs";

    /** Shows {@code evaluate} another node than the index has counted. */
    private static final class Lying extends LiveCluster {
        private final Map<String, Node> lies = new HashMap<>();

        Lying() {
            super(Set.of("kube-system"));
        }

        @Override
        public Optional<Node> node(String name) {
            return Optional.ofNullable(lies.get(name)).or(() -> super.node(name));
        }

        void lie(ClusterEvent event) {
            if (event instanceof ClusterEvent.NodeChanged(Node node)) {
                lies.put(node.name(), node);
            }
        }
    }

    private final Lying facts = new Lying();

    private Story broken() {
        ClusterBuilder cluster = cluster()
                .node("n1", labels("disk", "ssd"))
                .node("n2", labels("disk", "ssd"))
                .replicaSet("web", 1)
                .pod("web-1", on("n1"), replicaOf("web"), nodeSelector("disk", "ssd"));
        return Story.begin(new Engine(new State(Story.settings(), facts)), cluster, enforcing())
                .happens(nodeChanged("n1", labels("disk", "hdd")));
    }

    @Test
    void while_both_agree_a_comparison_says_nothing_and_the_pod_is_evicted() {
        Story story = broken().comparing(100).afterSeconds(61);

        assertThat(story.compared).isPositive();
        assertThat(story.difference).isEmpty();
        assertThat(story.requests).hasSize(1);
    }

    @Test
    void a_difference_found_by_sampling_stops_all_enforcement_and_says_so_on_every_policy() {
        Story story = broken();
        facts.lie(nodeChanged("n1", labels("disk", "ssd")));
        story.comparing(100).afterSeconds(120);

        assertThat(story.difference).contains(DIFFERENCE);
        assertThat(story.reads).isEmpty();
        assertThat(story.requests).isEmpty();
        assertThat(story.held()).isEqualTo(Reason.VERDICTS_DIFFER);
        assertThat(story.reports.values())
                .allSatisfy(report -> assertThat(report.distrust()).contains(DIFFERENCE));
    }

    @Test
    void a_difference_found_right_before_a_request_stops_all_enforcement() {
        Story story = broken();
        facts.lie(nodeChanged("n1", labels("disk", "ssd")));
        story.afterSeconds(61);

        assertThat(story.reads).hasSize(1);
        assertThat(story.rehearsals).isEmpty();
        assertThat(story.requests).isEmpty();
        assertThat(story.difference).contains(DIFFERENCE);
        assertThat(story.held()).isEqualTo(Reason.VERDICTS_DIFFER);
    }

    @Test
    void enforcement_stays_stopped_when_the_two_agree_again() {
        Story story = broken();
        facts.lie(nodeChanged("n1", labels("disk", "ssd")));
        story.comparing(100);
        facts.lies.clear();
        story.comparing(100).afterSeconds(600);

        assertThat(story.requests).isEmpty();
        assertThat(story.held()).isEqualTo(Reason.VERDICTS_DIFFER);
    }
}
