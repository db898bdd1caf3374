package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.Policies.auditing;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.Limits;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.PodTrait;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How often is planned, and how much at a time, when very much is due at once. */
class PlanningPaceTest {
    private static final Limits NONE = new Limits(1_000, 1_000, 1_000, 1_000, 1_000);

    private static PodTrait[] web(String name) {
        return new PodTrait[] {on("n1"), nodeSelector("disk", "ssd"), ownedBy("ReplicaSet", name, "rs-" + name)};
    }

    /** So many pods on a node that lost their label, a minute after it did. */
    private static Story due(int pods) {
        ClusterBuilder facts = cluster().node("n1", labels("disk", "hdd")).node("n2", labels("disk", "ssd"));
        for (int i = 0; i < pods; i++) {
            facts.pod("web-" + i, web("web-" + i));
        }
        return Story.begin(Story.settings(NONE), facts, auditing()).afterSeconds(60);
    }

    private static long planned(Story story) {
        return story.told.stream()
                .filter(Occurrence.WouldEvict.class::isInstance)
                .count();
    }

    private static Story after(Story story, int millis) {
        return story.after(Duration.ofMillis(millis));
    }

    @Test
    void what_is_due_together_is_planned_at_once_as_long_as_it_is_not_much() {
        assertThat(planned(due(20))).isEqualTo(20);
    }

    @Test
    void for_120_places_are_looked_for_twenty_at_a_time_every_400_ms() {
        Story story = due(120);
        assertThat(planned(story)).isEqualTo(20);

        assertThat(planned(after(story, 399))).isEqualTo(20);
        assertThat(planned(after(story, 1))).isEqualTo(40);
        assertThat(planned(after(story, 4 * 400))).isEqualTo(120);
    }

    @Test
    void who_waits_for_a_turn_is_held_by_that_and_counted_so() {
        Story story = due(120).afterSeconds(1);

        PolicyReport report = story.report(auditing());
        assertThat(report.holds()).isEqualTo(Map.of(Reason.QUEUED, 60));
        assertThat(report.pods()).isEqualTo(new PolicyReport.Pods(120, 120, 120, 60));
    }

    @Test
    void where_little_is_due_a_deadline_is_kept_to_the_moment_whenever_was_planned_before() {
        Story story = due(5).happens(podChanged("late", web("late")));

        after(story, 59_900).happens(podChanged("other", on("n1")));
        assertThat(planned(after(story, 99))).isEqualTo(5);
        assertThat(planned(after(story, 1))).isEqualTo(6);
    }

    @Test
    void where_much_is_due_a_deadline_waits_until_the_last_plan_is_200_ms_old() {
        Story story = after(due(120), 5_000).happens(podChanged("late", web("late")));

        after(story, 59_900).happens(podChanged("other", on("n1")));
        assertThat(planned(after(story, 199))).isEqualTo(120);
        assertThat(planned(after(story, 1))).isEqualTo(121);
    }
}
