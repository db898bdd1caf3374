package dev.holdfast.operator.loop;

import static dev.holdfast.policies.engine.TestPolicies.FORGIVENESS;
import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.engine.TestPolicies.policy;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.EngineScenario;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.plan.controls.Pause;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.WhenInfeasible;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which events the engine gets of those that wait, and in which order. */
class EventQueueTest {
    private static final Event.PolicyChanged ENFORCE = changed(Mode.ENFORCE, "uid-1");
    private static final Event.PolicyChanged AUDIT = changed(Mode.AUDIT, "uid-1");
    private static final Event.PolicyChanged DISABLED = changed(Mode.DISABLED, "uid-1");
    private static final Event.PolicyChanged MADE_AGAIN = changed(Mode.AUDIT, "uid-2");
    private static final Event.PolicyChanged MADE_AGAIN_AND_EDITED = changed(Mode.ENFORCE, "uid-2");
    private static final Event.PolicyChanged OTHER = new Event.PolicyChanged(enforcing("other", FORGIVENESS));
    private static final Event REMOVED = new Event.PolicyRemoved(enforcing().id());
    private static final Event ONE = acknowledged("backlog@one");
    private static final Event TWO = acknowledged("backlog@two");
    private static final Event FACT = new Event.ObjectChanged(new ClusterEvent.NamespaceGone("shop"));
    private static final Event PAUSED = new Event.PauseChanged(Pause.ofEverything("stop", "we look"));

    private final EventQueue queue = new EventQueue();

    private static Event.PolicyChanged changed(Mode mode, String uid) {
        return new Event.PolicyChanged(
                policy("web", mode, FORGIVENESS, WhenInfeasible.WAIT), DisruptionControls.plain(), uid);
    }

    private static Event acknowledged(String id) {
        return new Event.PolicyAcknowledged(enforcing().id(), Set.of(id));
    }

    static Stream<Arguments> rows() {
        return Stream.of(
                row("of two generations the newest wins", List.of(AUDIT, ENFORCE), List.of(ENFORCE.skipping())),
                row(
                        "a policy that is edited there and back skipped a generation",
                        List.of(ENFORCE, DISABLED, ENFORCE),
                        List.of(ENFORCE.skipping())),
                row("policies keep their order", List.of(OTHER, AUDIT), List.of(OTHER, AUDIT)),
                row(
                        "the newest takes the place of the oldest, before other policies and changes of objects",
                        List.of(AUDIT, FACT, OTHER, FACT, ENFORCE),
                        List.of(ENFORCE.skipping(), FACT, OTHER, FACT)),
                row(
                        "a new policy overtakes nothing",
                        List.of(FACT, OTHER, ENFORCE, FACT),
                        List.of(FACT, OTHER, ENFORCE, FACT)),
                barrier("the end of a list", new Event.ViewSynced(View.POLICIES)),
                barrier("a lost view", new Event.ViewLost(View.POLICIES, "cut", Instant.EPOCH)),
                barrier("a lead", new Event.LeadershipGained()),
                barrier("a mode ceiling", new Event.ModeCapped(Mode.AUDIT, "no right")),
                barrier("an answer", new Event.Answered("plan-1", new EvictionAnswer.Evicted())),
                barrier("a pause", PAUSED),
                row(
                        "after the end of a list the newest wins again",
                        List.of(AUDIT, new Event.ViewSynced(View.POLICIES), DISABLED, ENFORCE),
                        List.of(AUDIT, new Event.ViewSynced(View.POLICIES), ENFORCE.skipping())),
                row("a policy that is made and removed leaves nothing", List.of(AUDIT, ONE, REMOVED), List.of()),
                row(
                        "a policy that is made and removed between others leaves these",
                        List.of(FACT, AUDIT, OTHER, REMOVED, FACT),
                        List.of(FACT, OTHER, FACT)),
                row(
                        "a policy that is made, removed and made again was not removed for the engine",
                        List.of(AUDIT, REMOVED, MADE_AGAIN),
                        List.of(MADE_AGAIN)),
                row(
                        "of a policy that waits where nothing replaces it the removal is kept",
                        List.of(AUDIT, PAUSED, REMOVED),
                        List.of(AUDIT, PAUSED, REMOVED)),
                row(
                        "a removal that waits where nothing replaces it comes once",
                        List.of(AUDIT, PAUSED, REMOVED, PAUSED, REMOVED),
                        List.of(AUDIT, PAUSED, REMOVED, PAUSED)),
                row(
                        "a policy of which only an acknowledgement waits where nothing replaces it is removed",
                        List.of(ONE, PAUSED, REMOVED),
                        List.of(ONE, PAUSED, REMOVED)),
                row("of two acknowledgements the newest wins", List.of(ONE, TWO), List.of(TWO)),
                row("an acknowledgement before an edit stays before it", List.of(ONE, ENFORCE), List.of(ONE, ENFORCE)),
                row("an acknowledgement after an edit stays after it", List.of(ENFORCE, ONE), List.of(ENFORCE, ONE)),
                row(
                        "an acknowledgement of what the first of two edits added comes after both",
                        List.of(AUDIT, ONE, ENFORCE),
                        List.of(ENFORCE.skipping(), ONE)),
                row(
                        "the newest acknowledgement does not take the place of one before an edit",
                        List.of(ONE, ENFORCE, TWO),
                        List.of(ENFORCE, TWO)),
                row(
                        "pauses are kept in their order",
                        List.of(PAUSED, new Event.PauseRemoved("stop"), PAUSED),
                        List.of(PAUSED, new Event.PauseRemoved("stop"), PAUSED)));
    }

    private static Arguments row(String name, List<Event> offered, List<Event> taken) {
        return argumentSet(name, offered, taken);
    }

    private static Arguments barrier(String name, Event event) {
        return row(name + " is not overtaken", List.of(AUDIT, event, ENFORCE), List.of(AUDIT, event, ENFORCE));
    }

    static Stream<Arguments> rowsOfKnownPolicy() {
        return Stream.of(
                row("of a policy that is removed the removal is left", List.of(AUDIT, ONE, REMOVED), List.of(REMOVED)),
                row(
                        "a policy that is made again is removed first",
                        List.of(AUDIT, REMOVED, MADE_AGAIN),
                        List.of(REMOVED, MADE_AGAIN)),
                row(
                        "a policy that is made again and edited is removed first",
                        List.of(REMOVED, MADE_AGAIN, MADE_AGAIN_AND_EDITED),
                        List.of(REMOVED, MADE_AGAIN_AND_EDITED.skipping())),
                row(
                        "a policy that is made again and removed again is removed once",
                        List.of(REMOVED, MADE_AGAIN, ONE, REMOVED),
                        List.of(REMOVED)),
                row(
                        "a policy that is made again keeps its acknowledgement",
                        List.of(ONE, REMOVED, MADE_AGAIN, TWO),
                        List.of(REMOVED, MADE_AGAIN, TWO)));
    }

    /** The engine takes a generation of the policy. */
    private void known() throws InterruptedException {
        queue.offer(AUDIT);
        assertThat(queue.poll(Duration.ZERO)).contains(AUDIT);
    }

    @ParameterizedTest
    @MethodSource("rowsOfKnownPolicy")
    void ofAPolicyThatItKnowsTheEngineGets(List<Event> offered, List<Event> taken) throws InterruptedException {
        known();

        theEngineGets(offered, taken);
    }

    @Test
    void aPolicyWhoseRemovalWasTakenIsNoLongerKnown() throws InterruptedException {
        known();
        queue.offer(REMOVED);
        assertThat(queue.poll(Duration.ZERO)).contains(REMOVED);

        queue.offer(MADE_AGAIN);
        queue.offer(REMOVED);
        queue.offer(REMOVED);

        assertThat(queue.drain()).isEmpty();
    }

    @Test
    void policiesThatAreMadeAndDeletedDoNotFillTheQueue() {
        for (int i = 0; i < 100_000; i++) {
            Event.PolicyChanged made = new Event.PolicyChanged(enforcing("web-" + i, FORGIVENESS));
            queue.offer(made);
            queue.offer(new Event.PolicyAcknowledged(made.policy().id(), Set.of("backlog@one")));
            queue.offer(new Event.PolicyRemoved(made.policy().id()));
        }

        assertThat(queue.size()).isZero();
        assertThat(queue.drain()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void theEngineGets(List<Event> offered, List<Event> taken) throws InterruptedException {
        offered.forEach(queue::offer);

        assertThat(queue.size()).isEqualTo(taken.size());
        for (Event event : taken) {
            assertThat(queue.poll(Duration.ZERO)).contains(event);
        }
        assertThat(queue.poll(Duration.ZERO)).isEmpty();
        assertThat(queue.size()).isZero();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void theQueueIsDrainedInTheSameOrder(List<Event> offered, List<Event> taken) {
        offered.forEach(queue::offer);

        assertThat(queue.drain()).isEqualTo(taken);
        assertThat(queue.size()).isZero();
    }

    @Test
    void aGenerationThatWasTakenIsNotSkipped() throws InterruptedException {
        queue.offer(AUDIT);
        assertThat(queue.poll(Duration.ZERO)).contains(AUDIT);

        queue.offer(ENFORCE);

        assertThat(queue.drain()).containsExactly(ENFORCE);
    }

    @Test
    void continuousEditsDelayNoOtherEvent() throws InterruptedException {
        known();
        queue.offer(REMOVED);
        queue.offer(MADE_AGAIN);
        queue.offer(FACT);
        assertThat(queue.poll(Duration.ZERO)).contains(REMOVED);

        queue.offer(MADE_AGAIN_AND_EDITED);

        assertThat(queue.drain()).containsExactly(MADE_AGAIN, FACT, MADE_AGAIN_AND_EDITED);
    }

    @Test
    void editsAndAcknowledgementsOfOnePolicyDoNotFillTheQueue() {
        for (int i = 0; i < 100_000; i++) {
            queue.offer(i % 2 == 0 ? ENFORCE : DISABLED);
            queue.offer(acknowledged("backlog@" + i));
            queue.offer(OTHER);
        }

        assertThat(queue.size()).isEqualTo(3);
        assertThat(queue.drain()).containsExactly(DISABLED.skipping(), acknowledged("backlog@99999"), OTHER.skipping());
    }

    static Stream<Arguments> edits() {
        return Stream.of(
                argumentSet("Enforce, which the engine knows, then Disabled and Enforce", List.of(DISABLED, ENFORCE)),
                argumentSet("Audit and Enforce", List.of(AUDIT, ENFORCE)),
                argumentSet("twice Enforce", List.of(ENFORCE, ENFORCE)),
                argumentSet("removed and made again", List.of(REMOVED, MADE_AGAIN_AND_EDITED)),
                argumentSet("removed, made again and edited", List.of(REMOVED, MADE_AGAIN, MADE_AGAIN_AND_EDITED)),
                argumentSet(
                        "a longer forgiveness and back",
                        List.of(new Event.PolicyChanged(enforcing("web", Duration.ofHours(1))), ENFORCE)));
    }

    /** The engine gets all edits at once, a second before the pod would be due. */
    @ParameterizedTest
    @MethodSource("edits")
    void noEvictionComesEarlierThanOneForgivenessAfterTheNewestEdit(List<Event> edits) throws InterruptedException {
        EngineScenario engine = EngineScenario.begin(
                        cluster()
                                .node("n1", labels("disk", "hdd"))
                                .node("n2", labels("disk", "ssd"))
                                .replicaSet("web", 1)
                                .pod("web-1", on("n1"), replicaOf("web"), nodeSelector("disk", "ssd")),
                        enforcing())
                .afterSeconds(59);
        known();
        edits.forEach(queue::offer);

        queue.drain().forEach(engine::event);

        assertThat(engine.afterSeconds(59).requests).isEmpty();
        assertThat(engine.afterSeconds(1).requests).hasSize(1);
    }
}
