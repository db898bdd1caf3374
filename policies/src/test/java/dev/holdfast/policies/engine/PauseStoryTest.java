package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.Policies.auditing;
import static dev.holdfast.policies.engine.Policies.enforcing;
import static dev.holdfast.policies.testing.Changes.namespaceChanged;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Demands.matcher;
import static dev.holdfast.policies.testing.Facts.NAMESPACE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.conduct.CronSchedule;
import dev.holdfast.policies.plan.conduct.Pause;
import dev.holdfast.policies.plan.conduct.Window;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.selector.Parsed;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The stop switch: while a pause applies nothing leaves, and afterwards all goes on by itself. */
class PauseStoryTest {
    private static final Event FREEZE = paused("freeze", Optional.empty());

    /** A pod whose rule broke at the start and becomes due after a minute; another node would take it. */
    private static Story broken(Policy policy) {
        return Story.begin(
                cluster()
                        .namespace(NAMESPACE, labels("team", "blue"))
                        .node("n1", labels("disk", "hdd"))
                        .node("n2", labels("disk", "ssd"))
                        .replicaSet("web", 1)
                        .pod("web-1", on("n1"), replicaOf("web"), nodeSelector("disk", "ssd")),
                policy);
    }

    private static Event paused(String name, Optional<Duration> fromStart) {
        return new Event.PauseChanged(
                new Pause(name, "quarter end", Optional.empty(), List.of(), fromStart.map(Story.START::plus)));
    }

    private static Event pausedFor(String team) {
        return new Event.PauseChanged(new Pause(
                "freeze", "quarter end", Optional.of(matcher(matchLabels("team", team))), List.of(), Optional.empty()));
    }

    private static Event pausedInWindow(String schedule, Duration open) {
        CronSchedule parsed = switch (CronSchedule.of(schedule)) {
            case Parsed.Usable<CronSchedule>(CronSchedule it) -> it;
            case Parsed.Unusable<CronSchedule>(String why) -> throw new AssertionError(why);
        };
        return new Event.PauseChanged(new Pause(
                "freeze",
                "quarter end",
                Optional.empty(),
                List.of(new Window(Window.Action.DENY, parsed, open, ZoneOffset.UTC)),
                Optional.empty()));
    }

    @Test
    void what_is_due_is_held_while_a_pause_applies_and_leaves_when_it_is_gone() {
        Story story = broken(enforcing()).event(FREEZE).afterSeconds(600);

        assertThat(story.reads).isEmpty();
        assertThat(story.holds()).containsExactly(Reason.PAUSED);
        assertThat(story.heldBecause()).isEqualTo("EnforcementPause freeze: quarter end; until it is deleted");
        story.event(new Event.PauseRemoved("freeze")).afterSeconds(1);

        assertThat(story.evicted()).containsExactly("web-1");
    }

    @Test
    void a_pause_made_while_the_pod_is_read_keeps_even_the_rehearsal_from_being_sent() {
        Story story = broken(enforcing()).duringReads(FREEZE).afterSeconds(60);

        assertThat(story.reads).hasSize(1);
        assertThat(story.rehearsals).isEmpty();
        assertThat(story.held()).isEqualTo(Reason.PAUSED);
    }

    @Test
    void a_pause_made_during_the_rehearsal_keeps_the_real_request_from_being_sent() {
        Story story = broken(enforcing()).duringRehearsal(FREEZE).afterSeconds(60);

        assertThat(story.rehearsals).hasSize(1);
        assertThat(story.requests).isEmpty();
        assertThat(story.held()).isEqualTo(Reason.PAUSED);
    }

    @Test
    void a_pause_that_expires_lets_what_is_due_go_on_at_that_moment_by_itself() {
        Story story = broken(enforcing())
                .event(paused("freeze", Optional.of(Duration.ofMinutes(5))))
                .afterSeconds(299);
        assertThat(story.reads).isEmpty();

        story.afterSeconds(1);

        assertThat(story.evicted()).containsExactly("web-1");
    }

    @Test
    void of_two_pauses_the_one_that_lasts_longer_holds() {
        Story story = broken(enforcing())
                .event(paused("a-short", Optional.of(Duration.ofMinutes(2))))
                .event(paused("b-long", Optional.of(Duration.ofMinutes(4))))
                .afterSeconds(90);
        assertThat(story.heldBecause()).startsWith("EnforcementPause b-long: ");
        story.event(new Event.PauseRemoved("a-short")).afterSeconds(149);
        assertThat(story.reads).isEmpty();

        story.afterSeconds(1);

        assertThat(story.evicted()).containsExactly("web-1");
    }

    @Test
    void one_of_two_pauses_that_is_gone_leaves_the_other_holding() {
        Story story = broken(enforcing())
                .event(paused("of-one-team", Optional.empty()))
                .event(paused("of-another", Optional.empty()))
                .event(new Event.PauseRemoved("of-one-team"))
                .afterSeconds(600);

        assertThat(story.reads).isEmpty();
        assertThat(story.heldBecause()).startsWith("EnforcementPause of-another: ");
    }

    @Test
    void only_namespaces_that_the_pause_selects_are_held_and_it_follows_their_labels() {
        Story story = broken(enforcing()).event(pausedFor("red")).afterSeconds(59);
        story.happens(namespaceChanged(NAMESPACE, labels("team", "red"))).afterSeconds(60);
        assertThat(story.held()).isEqualTo(Reason.PAUSED);

        story.happens(namespaceChanged(NAMESPACE, labels("team", "blue"))).afterSeconds(1);

        assertThat(story.evicted()).containsExactly("web-1");
    }

    @Test
    void a_window_of_a_pause_opens_and_closes_by_itself() {
        Story story = broken(enforcing())
                .event(pausedInWindow("1 12 * * *", Duration.ofSeconds(90)))
                .afterSeconds(149);
        assertThat(story.reads).isEmpty();

        story.afterSeconds(1);

        assertThat(story.now).isEqualTo(Instant.parse("2026-11-20T12:02:30Z"));
        assertThat(story.evicted()).containsExactly("web-1");
    }

    @Test
    void audited_too_shows_the_pause_from_the_moment_it_begins_to_the_moment_it_ends() {
        Story story = broken(auditing()).event(pausedInWindow("2 12 * * *", Duration.ofMinutes(1)));

        story.afterSeconds(119);
        assertThat(story.report(auditing()).holds()).isEmpty();
        story.afterSeconds(2);
        assertThat(story.report(auditing()).holds()).containsOnlyKeys(Reason.PAUSED);
        story.afterSeconds(60);
        assertThat(story.report(auditing()).holds()).isEmpty();
    }

    @Test
    void a_pause_over_before_it_was_made_holds_nothing() {
        Story story = broken(enforcing())
                .event(paused("freeze", Optional.of(Duration.ofSeconds(-1))))
                .afterSeconds(60);

        assertThat(story.evicted()).containsExactly("web-1");
    }

    @Test
    void while_pauses_cannot_be_read_everything_is_paused() {
        Story story = broken(enforcing()).loses(View.PAUSES).afterSeconds(600);

        assertThat(story.reads).isEmpty();
        assertThat(story.held()).isEqualTo(Reason.VIEW_NOT_SYNCED);
        assertThat(story.heldBecause())
                .isEqualTo("view pauses: the watch was cut; what cannot be read may pause everything");
    }
}
