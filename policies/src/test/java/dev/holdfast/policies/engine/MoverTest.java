package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.Policies.enforcing;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.plan.Move;
import dev.holdfast.policies.rule.Mode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The last question before a request does not rest on the clock alone. */
class MoverTest {
    private static final Instant DUE = Story.START.plus(Duration.ofMinutes(1));

    private final State state = new State(Story.settings());
    private final Judge judge = new Judge(state, new Reports(state));
    private final Planning planning = new Planning(state, new Reports(state));
    private final Mover mover = new Mover(state, judge, planning, new FollowUp(state, judge));
    private final List<Effect> effects = new ArrayList<>();

    @Test
    void a_clock_that_runs_on_though_the_rule_holds_is_stopped_and_evicts_nobody() {
        cluster()
                .node("n1", labels("disk", "hdd"))
                .node("n2", labels("disk", "ssd"))
                .replicaSet("web", 1)
                .pod("web-1", on("n1"), replicaOf("web"), nodeSelector("disk", "ssd"))
                .facts()
                .forEach(fact -> judge.fact(fact, Story.START, effects));
        judge.policy(enforcing(), Story.START, effects);
        judge.first(Story.START, effects);
        state.cap(Mode.ENFORCE, Story.START);
        state.leading = true;
        for (View view : View.values()) {
            state.synced(view);
        }
        planning.run(DUE, effects);
        Move move = state.moves.inFlight().iterator().next();
        effects.clear();

        // As if the change had reached the facts without anybody judging it.
        state.cluster.apply(nodeChanged("n1", labels("disk", "ssd")));
        mover.confirmed(
                new Event.Confirmed(move.id(), Optional.of(move.victim()), state.cluster.node("n1"), List.of()),
                DUE,
                effects);

        assertThat(effects)
                .singleElement()
                .isInstanceOfSatisfying(
                        Effect.Tell.class, tell -> assertThat(tell.occurrence()).isInstanceOf(Occurrence.Ended.class));
        assertThat(state.clocks.all()).isEmpty();
        assertThat(state.moves.inFlight()).isEmpty();
    }
}
