package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.Policies.FORGIVENESS;
import static dev.holdfast.policies.engine.Policies.auditing;
import static dev.holdfast.policies.engine.Policies.enforcing;
import static dev.holdfast.policies.engine.Policies.policy;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.evaluate.Cause;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.WhenInfeasible;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** No edit makes an eviction earlier than one full forgiveness from the edit, and several policies are one rule. */
class PolicyEditsTest {
    private static Story broken(Policy... policies) {
        return Story.begin(
                cluster()
                        .node("n1", labels("disk", "hdd"))
                        .node("n2", labels("disk", "ssd"))
                        .replicaSet("web", 1)
                        .pod("web-1", on("n1"), replicaOf("web"), nodeSelector("disk", "ssd")),
                policies);
    }

    private static Duration minutes(int minutes) {
        return Duration.ofMinutes(minutes);
    }

    @Test
    void a_policy_deleted_inside_the_window_ends_its_violations() {
        Story story = broken(enforcing()).afterSeconds(30);

        story.event(new Event.PolicyRemoved(enforcing().id())).after(minutes(10));

        assertThat(story.requests).isEmpty();
        assertThat(story.events()).containsExactly("Started web-1", "Ended web-1 NOT_ASKED");
    }

    @Test
    void a_policy_deleted_and_made_again_within_a_second_is_reported_again_even_if_nothing_changed() {
        Story story = Story.begin(cluster(), enforcing());
        PolicyReport before = story.report(enforcing());
        story.reports.clear();

        story.event(new Event.PolicyRemoved(enforcing().id())).event(new Event.PolicyChanged(enforcing()));
        story.afterSeconds(1);

        assertThat(story.reports).isEqualTo(Map.of(enforcing().id(), before));
    }

    @Test
    void a_policy_switched_off_inside_the_window_ends_its_violations() {
        Story story = broken(enforcing()).afterSeconds(30);

        story.event(new Event.PolicyChanged(policy("web", Mode.OFF, FORGIVENESS, WhenInfeasible.WAIT)))
                .after(minutes(10));

        assertThat(story.requests).isEmpty();
        assertThat(story.events()).containsExactly("Started web-1", "Ended web-1 NOT_ASKED");
    }

    @Test
    void from_audit_to_enforce_the_clock_starts_at_the_edit() {
        Story story = broken(auditing()).after(minutes(30));

        story.event(new Event.PolicyChanged(enforcing())).afterSeconds(59);
        assertThat(story.requests).isEmpty();
        story.afterSeconds(1);

        assertThat(story.evicted()).containsExactly("web-1");
        assertThat(story.requests.getFirst().since()).as("broken since").isEqualTo(Story.START);
    }

    @Test
    void a_ceiling_that_is_raised_starts_the_clock_of_what_it_allows() {
        Story story = broken(enforcing())
                .event(new Event.ModeCapped(Mode.AUDIT, "the right to evict is missing"))
                .after(minutes(30));

        story.event(new Event.ModeCapped(Mode.ENFORCE, "the right was granted")).afterSeconds(59);
        assertThat(story.requests).isEmpty();
        story.afterSeconds(1);

        assertThat(story.evicted()).containsExactly("web-1");
    }

    @Test
    void a_shorter_forgiveness_counts_from_the_edit() {
        Story story = broken(enforcing("web", minutes(60))).after(minutes(30));

        story.event(new Event.PolicyChanged(enforcing())).afterSeconds(59);
        assertThat(story.requests).isEmpty();
        story.afterSeconds(1);

        assertThat(story.evicted()).containsExactly("web-1");
    }

    @Test
    void a_longer_forgiveness_applies_at_once() {
        Story story = broken(enforcing()).afterSeconds(30);

        story.event(new Event.PolicyChanged(enforcing("web", minutes(10)))).after(minutes(9));

        assertThat(story.requests).isEmpty();
    }

    @Test
    void a_new_policy_gives_policy_changed_as_the_cause() {
        Story story = broken();

        story.event(new Event.PolicyChanged(enforcing()));

        assertThat(story.told.getFirst().violation().cause())
                .isEqualTo(new Cause.PolicyChanged(PolicyId.namespaced("shop", "web")));
    }

    @Test
    void of_two_enforcing_policies_with_the_same_rule_the_longest_forgiveness_counts_and_it_is_one_violation() {
        Story story = broken(enforcing("fast", minutes(1)), enforcing("slow", minutes(5)));

        story.after(minutes(4));
        assertThat(story.requests).isEmpty();
        story.after(minutes(1));

        assertThat(story.evicted()).containsExactly("web-1");
        assertThat(story.events().stream().filter("Started web-1"::equals)).hasSize(1);
    }

    @Test
    void an_audit_with_a_longer_forgiveness_does_not_slow_down_a_policy_that_enforces() {
        Policy slowAudit = policy("slow", Mode.AUDIT, minutes(60), WhenInfeasible.WAIT);

        Story story = broken(enforcing(), slowAudit).after(minutes(1));

        assertThat(story.evicted()).containsExactly("web-1");
    }

    @Test
    void without_any_policy_nothing_is_watched() {
        Story story = broken().after(minutes(60));

        assertThat(story.told).isEmpty();
    }
}
