package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.Given.enforcing;
import static dev.holdfast.policies.engine.Given.node;
import static dev.holdfast.policies.engine.Given.onNodesWith;
import static dev.holdfast.policies.engine.Given.owner;
import static dev.holdfast.policies.engine.Given.pod;
import static dev.holdfast.policies.engine.Given.replacement;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.Cluster;
import dev.holdfast.policies.model.ClusterEvent.NodeChanged;
import dev.holdfast.policies.model.ClusterEvent.OwnerGone;
import dev.holdfast.policies.model.ClusterEvent.PodChanged;
import dev.holdfast.policies.model.ClusterEvent.PodGone;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.plan.Outcome;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What follows an eviction: a slot is kept until the replacement is ready, and moves in vain are noticed. */
class FollowUpTest {
    private static Pod web(int number, String node) {
        return pod("web-" + number, node, "web", onNodesWith("disk", "ssd"));
    }

    /** Pods of one workload on a node that lost its label; n2 would take them. */
    private static Story broken(int pods) {
        Cluster facts = new Cluster();
        facts.apply(new NodeChanged(node("n1", "disk", "hdd")));
        facts.apply(new NodeChanged(node("n2", "disk", "ssd")));
        for (int i = 1; i <= pods; i++) {
            facts.apply(new PodChanged(web(i, "n1")));
        }
        return Story.begin(facts, enforcing()).happens(owner("web", pods));
    }

    @Test
    void the_next_pod_of_a_workload_waits_until_the_replacement_of_the_first_is_ready() {
        Story story = broken(2)
                .replacing((victim, number) -> Optional.of(Given.notReady(replacement(victim, "-r" + number, "n2"))));

        story.afterSeconds(300);
        assertThat(story.evicted()).containsExactly("web-1");
        assertThat(story.report(enforcing()).holds()).isEqualTo(Map.of(Reason.WORKLOAD_LIMIT, 1));
        story.happens(new PodChanged(replacement(web(1, "n1"), "-r1", "n2"))).afterSeconds(1);

        assertThat(story.evicted()).containsExactly("web-1", "web-2");
    }

    @Test
    void a_replacement_that_is_not_ready_in_ten_minutes_makes_the_move_futile_and_frees_the_slot() {
        Story story = broken(2)
                .replacing((victim, number) -> Optional.of(Given.notReady(replacement(victim, "-r" + number, "n2"))));

        story.afterSeconds(60 + 599);
        assertThat(story.evicted()).containsExactly("web-1");
        story.afterSeconds(2);

        assertThat(story.evicted()).containsExactly("web-1", "web-2");
        assertThat(story.events()).contains("Moved web-1 FUTILE");
    }

    @Test
    void a_replacement_that_is_there_before_the_answer_is_still_the_replacement() {
        Story story = broken(1)
                .answeringLate()
                .replacing((victim, number) -> Optional.of(replacement(victim, "-r" + number, "n2")));

        story.afterSeconds(62);

        assertThat(story.events())
                .containsExactly(
                        "Started web-1",
                        "Evicting web-1",
                        "Ended web-1 EVICTED",
                        "Answered web-1",
                        "Moved web-1 MOVED");
    }

    @Test
    void a_replacement_that_goes_before_it_is_ready_is_followed_by_the_next_one() {
        Story story = broken(1)
                .replacing((victim, number) -> Optional.of(Given.notReady(replacement(victim, "-r" + number, "n2"))));
        story.afterSeconds(61);

        story.happens(new PodGone("web-1-r1")).happens(new PodChanged(replacement(web(1, "n1"), "-r2", "n2")));

        assertThat(story.events()).contains("Moved web-1 MOVED");
    }

    @Test
    void a_scope_whose_replacement_is_not_bound_is_looked_at_again_after_two_minutes_by_itself() {
        Cluster facts = new Cluster();
        facts.apply(new NodeChanged(node("a1", Given.ZONE, "a")));
        facts.apply(new NodeChanged(node("b1", Given.ZONE, "b")));
        facts.apply(new PodChanged(pod("cache-1", "b1", "cache", Scheduling.anywhere())));
        facts.apply(new PodChanged(pod("api-1", "a1", "api", Given.near("cache"))));
        facts.apply(new PodChanged(pod("web-1", "a1", "web", Given.near("cache"))));
        Story story = Story.begin(facts, enforcing()).happens(owner("api", 1)).happens(owner("web", 1));

        story.afterSeconds(60 + 119);
        assertThat(story.evicted()).containsExactly("api-1");
        story.afterSeconds(1);

        assertThat(story.evicted()).containsExactly("api-1", "web-1");
    }

    @Test
    void a_move_that_nobody_follows_up_is_gone() {
        Story story = broken(1).happens(new OwnerGone("uid-web")).afterSeconds(62);

        assertThat(story.events()).contains("Moved web-1 GONE");
        assertThat(story.report(enforcing()).recent().getFirst().outcome()).contains(Outcome.GONE);
    }

    @Test
    void an_owner_that_wants_fewer_pods_than_before_ends_the_move_as_gone() {
        Story story = broken(2).happens(owner("web", 1)).afterSeconds(60);

        assertThat(story.events()).contains("Moved web-1 GONE");
    }

    @Test
    void a_workload_that_lands_in_violation_twice_within_an_hour_is_held_futile_until_the_hour_is_over() {
        Story story = broken(1).replacing((victim, number) -> Optional.of(replacement(victim, "-r" + number, "n1")));

        story.afterSeconds(600);
        assertThat(story.evicted()).containsExactly("web-1", "web-1-r1");
        assertThat(story.report(enforcing()).holds()).isEqualTo(Map.of(Reason.FUTILE, 1));
        story.afterSeconds(60 + 3600 - 601);
        assertThat(story.evicted())
                .as("a second before the first of the two is an hour old")
                .hasSize(2);
        story.afterSeconds(1);

        assertThat(story.evicted()).hasSize(3);
    }

    @Test
    void moves_that_help_are_not_futile_however_many() {
        Story story = broken(4).replacing((victim, number) -> Optional.of(replacement(victim, "-r" + number, "n2")));

        story.afterSeconds(120);

        assertThat(story.evicted()).containsExactly("web-1", "web-2", "web-3", "web-4");
        assertThat(story.report(enforcing()).recent().stream()
                        .map(PolicyReport.EvictionRecord::outcome)
                        .flatMap(Optional::stream)
                        .toList())
                .isEqualTo(List.of(Outcome.MOVED, Outcome.MOVED, Outcome.MOVED, Outcome.MOVED));
    }
}
