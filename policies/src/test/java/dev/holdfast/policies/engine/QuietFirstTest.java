package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.Policies.enforcing;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.resourceVersion;
import static dev.holdfast.policies.testing.NodeTraits.cordoned;
import static dev.holdfast.policies.testing.PodTraits.beingDisrupted;
import static dev.holdfast.policies.testing.PodTraits.bound;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.phase;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.terminating;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Phase;
import dev.holdfast.policies.testing.PodTrait;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A pod is not moved while something else is going on with it, with its workload or with its node. */
class QuietFirstTest {
    /** A pod on a node that lost its label; n2 would take it. */
    private static Story broken(PodTrait... traits) {
        return Story.begin(
                cluster()
                        .node("n1", labels("disk", "hdd"))
                        .node("n2", labels("disk", "ssd"))
                        .replicaSet("web", 1)
                        .with(web(1, traits)),
                enforcing());
    }

    private static ClusterEvent web(long version, PodTrait... traits) {
        List<PodTrait> all = new ArrayList<>(
                List.of(on("n1"), replicaOf("web"), nodeSelector("disk", "ssd"), resourceVersion(version)));
        all.addAll(List.of(traits));
        return podChanged("web-1", all.toArray(PodTrait[]::new));
    }

    @Test
    void a_pod_that_does_not_start_is_moved_ten_minutes_after_its_binding() {
        Story story = broken(phase(Phase.PENDING), bound(Story.START)).afterSeconds(599);
        assertThat(story.evicted()).isEmpty();
        assertThat(story.holds()).containsExactly(Reason.NOT_STARTED);

        story.afterSeconds(1);

        assertThat(story.evicted()).containsExactly("web-1");
    }

    @Test
    void a_pod_that_starts_while_it_is_held_for_that_is_moved_at_once() {
        Story story = broken(phase(Phase.PENDING), bound(Story.START)).afterSeconds(100);
        assertThat(story.held()).isEqualTo(Reason.NOT_STARTED);

        story.happens(web(2, bound(Story.START))).afterSeconds(1);

        assertThat(story.evicted()).containsExactly("web-1");
    }

    @Test
    void a_pod_that_somebody_else_is_about_to_remove_is_left_to_them_until_they_think_better_of_it() {
        Story story = broken().happens(web(2, beingDisrupted())).afterSeconds(3600);
        assertThat(story.evicted()).isEmpty();
        assertThat(story.holds()).containsExactly(Reason.BEING_DISRUPTED);

        story.happens(web(3)).afterSeconds(1);

        assertThat(story.evicted()).containsExactly("web-1");
    }

    @Test
    void a_pod_that_somebody_else_comes_to_remove_while_its_eviction_is_rehearsed_is_left_to_them() {
        Story story = broken().duringRehearsal(new Event.FactChanged(web(2, beingDisrupted())))
                .afterSeconds(60);

        assertThat(story.evicted()).isEmpty();
        assertThat(story.holds()).containsExactly(Reason.BEING_DISRUPTED);
    }

    @Test
    void a_pod_of_a_node_that_is_drained_is_left_to_the_drain_and_moved_when_that_has_stopped() {
        Story story = broken().happens(nodeChanged("n1", labels("disk", "hdd"), cordoned()))
                .happens(podChanged("api-1", on("n1"), replicaOf("api")))
                .afterSeconds(50)
                .happens(podChanged(
                        "api-1",
                        on("n1"),
                        replicaOf("api"),
                        terminating(Story.START.plusSeconds(80)),
                        resourceVersion(2)))
                .afterSeconds(30);
        assertThat(story.evicted()).isEmpty();
        assertThat(story.holds()).containsExactly(Reason.NODE_LEAVING);

        story.happens(podGone("api-1")).afterSeconds(1);

        assertThat(story.evicted()).containsExactly("web-1");
    }
}
