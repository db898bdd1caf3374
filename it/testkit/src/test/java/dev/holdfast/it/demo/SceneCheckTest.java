package dev.holdfast.it.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.it.demo.SceneObservation.Place;
import dev.holdfast.it.scenario.PodRemovals;
import dev.holdfast.it.scenario.PodRemovals.Deletion;
import dev.holdfast.it.scenario.PodRemovals.Eviction;
import dev.holdfast.operator.offline.demo.Scene.Ending;
import dev.holdfast.operator.offline.demo.SceneLog.EndedMove;
import dev.holdfast.operator.offline.demo.SceneLog.PlacementEvent;
import dev.holdfast.operator.offline.demo.SceneResult.Difference;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A scene has ended as expected only if every expected observation was made. Each row leaves out one observation. */
class SceneCheckTest {
    private static final String OPERATOR = "system:serviceaccount:holdfast:holdfast";
    private static final Place WEB_1 = new Place("web-1", "u1", "n1");
    private static final Place WEB_2 = new Place("web-2", "u2", "n1");
    private static final Place NEW_WEB = new Place("web-3", "u3", "n2");
    private static final Deletion ROLLED = new Deletion("cache-1", "replicaset-controller");

    private static PlacementEvent onPod(String reason, String pod) {
        return new PlacementEvent(reason, "Pod", pod, 1, "...");
    }

    private static PlacementEvent onPolicy(String reason) {
        return new PlacementEvent(reason, "PlacementPolicy", "keep", 1, "...");
    }

    private static Eviction eviction(String pod, String uid, String user, String policy) {
        return new Eviction(pod, uid, user, Map.of("holdfast.dev/policy", policy));
    }

    /**
     * The check of a scene with two pods on n1: web-1 moves to n2, and the scene itself replaces a pod of another app.
     */
    private static final SceneCheck MOVED =
            new SceneCheck(new Ending.Moved(1, "n2"), List.of(WEB_1, WEB_2), List.of(ROLLED), OPERATOR, "shop/keep");

    private static final SceneObservation MOVE = new SceneObservation(
            List.of(
                    onPod("PlacementViolated", "web-1"),
                    onPod("PlacementEvicted", "web-1"),
                    onPolicy("PlacementMoved")),
            List.of(new EndedMove("web-1", "n1", "n2", "Moved")),
            List.of(),
            0,
            List.of(WEB_2, NEW_WEB),
            new PodRemovals(List.of(eviction("web-1", "u1", OPERATOR, "shop/keep")), List.of(ROLLED)));

    private static final SceneCheck HEALED =
            new SceneCheck(new Ending.Healed(), List.of(WEB_1), List.of(), OPERATOR, "shop/keep");

    private static final SceneObservation HEAL = new SceneObservation(
            List.of(onPod("PlacementViolated", "web-1"), onPod("PlacementHealed", "web-1")),
            List.of(),
            List.of(),
            0,
            List.of(WEB_1),
            PodRemovals.NONE);

    private static final SceneCheck HELD =
            new SceneCheck(new Ending.Held("Infeasible"), List.of(WEB_1), List.of(), OPERATOR, "shop/keep");

    private static final SceneObservation HOLD = new SceneObservation(
            List.of(
                    onPod("PlacementViolated", "web-1"),
                    new PlacementEvent(
                            "PlacementEvictionBlocked", "Pod", "web-1", 1, "Not evicting from n1 (Infeasible): ...")),
            List.of(),
            List.of("Infeasible"),
            1,
            List.of(WEB_1),
            PodRemovals.NONE);

    @Test
    void aSceneWithAllObservationsHasEnded() {
        assertThat(MOVED.differences(MOVE)).isEmpty();
        assertThat(HEALED.differences(HEAL)).isEmpty();
        assertThat(HELD.differences(HOLD)).isEmpty();
    }

    @Test
    void everyDifferenceSaysWhatWasExpectedAndWhatWasSeen() {
        assertThat(HEALED.differences(violating(without(HEAL, "PlacementHealed"), 1)))
                .containsExactly(
                        new Difference("an event PlacementHealed about web-1", "events about it: PlacementViolated"),
                        new Difference("violating pods in the policy's status: 0", "1"));
        assertThat(MOVED.differences(evictions(eviction("web-1", "u1", "admin", "shop/keep"))))
                .containsExactly(new Difference(
                        "every eviction requested by " + OPERATOR + " for shop/keep", "web-1 by admin for shop/keep"));
        assertThat(MOVED.differences(running(moves(new EndedMove("web-1", "n1", "n3", "Futile")), WEB_2)))
                .containsExactly(
                        new Difference("moves to n2 in the policy's status: web-1", "web-1 from n1 to n3 (Futile)"),
                        new Difference("running: web-2 on n1, and the replacements on n2", "web-2 on n1"));
        assertThat(HELD.differences(with(holds(), List.of(onPod("PlacementViolated", "web-1")))))
                .containsExactly(
                        new Difference("a hold in the policy's status: Infeasible", "none"),
                        new Difference("an event PlacementEvictionBlocked for Infeasible about web-1", "none"));
    }

    private static SceneObservation without(SceneObservation sceneObservation, String reason) {
        return with(
                sceneObservation,
                sceneObservation.events().stream()
                        .filter(it -> !it.reason().equals(reason))
                        .toList());
    }

    private static SceneObservation with(SceneObservation sceneObservation, List<PlacementEvent> events) {
        return new SceneObservation(
                events,
                sceneObservation.moves(),
                sceneObservation.holds(),
                sceneObservation.violating(),
                sceneObservation.running(),
                sceneObservation.podRemovals());
    }

    private static SceneObservation reporting(SceneObservation sceneObservation, String otherPod) {
        return with(
                sceneObservation,
                sceneObservation.events().stream()
                        .map(it -> it.kind().equals("Pod") ? onPod(it.reason(), otherPod) : it)
                        .toList());
    }

    private static SceneObservation moves(EndedMove... moves) {
        return new SceneObservation(
                MOVE.events(), List.of(moves), MOVE.holds(), MOVE.violating(), MOVE.running(), MOVE.podRemovals());
    }

    private static SceneObservation violating(SceneObservation sceneObservation, int pods) {
        return new SceneObservation(
                sceneObservation.events(),
                sceneObservation.moves(),
                sceneObservation.holds(),
                pods,
                sceneObservation.running(),
                sceneObservation.podRemovals());
    }

    private static SceneObservation running(SceneObservation sceneObservation, Place... places) {
        return new SceneObservation(
                sceneObservation.events(),
                sceneObservation.moves(),
                sceneObservation.holds(),
                sceneObservation.violating(),
                List.of(places),
                sceneObservation.podRemovals());
    }

    private static SceneObservation departures(SceneObservation sceneObservation, UnaryOperator<PodRemovals> change) {
        return new SceneObservation(
                sceneObservation.events(),
                sceneObservation.moves(),
                sceneObservation.holds(),
                sceneObservation.violating(),
                sceneObservation.running(),
                change.apply(sceneObservation.podRemovals()));
    }

    private static SceneObservation evictions(Eviction... evictions) {
        return departures(MOVE, old -> new PodRemovals(List.of(evictions), old.deletions()));
    }

    private static SceneObservation alsoDeleted(SceneObservation sceneObservation, String pod) {
        return departures(
                sceneObservation,
                old -> old.and(new PodRemovals(List.of(), List.of(new Deletion(pod, "replicaset-controller")))));
    }

    private static SceneObservation alsoEvicted(SceneObservation sceneObservation) {
        return departures(
                sceneObservation,
                old -> old.and(new PodRemovals(List.of(eviction("web-2", "u2", OPERATOR, "shop/keep")), List.of())));
    }

    static Stream<Arguments> aMoveOfWhichOneThingIsMissing() {
        return Stream.of(
                argumentSet("no event of the violation", without(MOVE, "PlacementViolated")),
                argumentSet("no event of the eviction", without(MOVE, "PlacementEvicted")),
                argumentSet("no event of the end of the move", without(MOVE, "PlacementMoved")),
                argumentSet("events of another pod", reporting(MOVE, "web-2")),
                argumentSet("no eviction in the audit log", evictions()),
                argumentSet("one eviction too many", alsoEvicted(MOVE)),
                argumentSet(
                        "an eviction of a pod it never had", evictions(eviction("web-9", "u9", OPERATOR, "shop/keep"))),
                argumentSet("a later pod of that name", evictions(eviction("web-1", "u9", OPERATOR, "shop/keep"))),
                argumentSet("an eviction by another user", evictions(eviction("web-1", "u1", "admin", "shop/keep"))),
                argumentSet("for another policy", evictions(eviction("web-1", "u1", OPERATOR, "shop/other"))),
                argumentSet("another user also deleted a pod", alsoDeleted(MOVE, "web-2")),
                argumentSet(
                        "the scene's own deletion is missing",
                        departures(MOVE, old -> new PodRemovals(old.evictions(), List.of()))),
                argumentSet("no move in the status", moves()),
                argumentSet("a move that was futile", moves(new EndedMove("web-1", "n1", "n2", "Futile"))),
                argumentSet("a move to another node", moves(new EndedMove("web-1", "n1", "n3", "Moved"))),
                argumentSet("a move of another pod", moves(new EndedMove("web-2", "n1", "n2", "Moved"))),
                argumentSet("no replacement", running(MOVE, WEB_2)),
                argumentSet("a replacement elsewhere", running(MOVE, WEB_2, new Place("web-3", "u3", "n3"))),
                argumentSet("the other pod is another one", running(MOVE, new Place("web-2", "u9", "n1"), NEW_WEB)),
                argumentSet("a pod too many", running(MOVE, WEB_2, NEW_WEB, new Place("web-4", "u4", "n2"))),
                argumentSet("a pod still violates", violating(MOVE, 1)),
                argumentSet("no status", violating(MOVE, -1)));
    }

    @ParameterizedTest
    @MethodSource
    void aMoveOfWhichOneThingIsMissing(SceneObservation sceneObservation) {
        assertThat(MOVED.differences(sceneObservation)).isNotEmpty();
    }

    static Stream<Arguments> aHealingOfWhichOneThingIsMissing() {
        return Stream.of(
                argumentSet("the violation was never reported", with(HEAL, List.of())),
                argumentSet("no event of the violation", without(HEAL, "PlacementViolated")),
                argumentSet("no event of the healing", without(HEAL, "PlacementHealed")),
                argumentSet("events of another pod", reporting(HEAL, "web-2")),
                argumentSet("it was evicted", alsoEvicted(HEAL)),
                argumentSet("another user deleted it", alsoDeleted(HEAL, "web-1")),
                argumentSet("another pod runs", running(HEAL, WEB_2)),
                argumentSet("it still violates", violating(HEAL, 1)),
                argumentSet("no status", violating(HEAL, -1)));
    }

    @ParameterizedTest
    @MethodSource
    void aHealingOfWhichOneThingIsMissing(SceneObservation sceneObservation) {
        assertThat(HEALED.differences(sceneObservation)).isNotEmpty();
    }

    private static SceneObservation holds(String... reasons) {
        return new SceneObservation(
                HOLD.events(), HOLD.moves(), List.of(reasons), HOLD.violating(), HOLD.running(), HOLD.podRemovals());
    }

    static Stream<Arguments> aHoldOfWhichOneThingIsMissing() {
        return Stream.of(
                argumentSet("no event of the violation", without(HOLD, "PlacementViolated")),
                argumentSet("no event of the hold", without(HOLD, "PlacementEvictionBlocked")),
                argumentSet(
                        "the event names another reason",
                        with(
                                HOLD,
                                List.of(
                                        onPod("PlacementViolated", "web-1"),
                                        new PlacementEvent(
                                                "PlacementEvictionBlocked",
                                                "Pod",
                                                "web-1",
                                                1,
                                                "Not evicting from n1 (MoveInScope): ...")))),
                argumentSet("no hold in the status", holds()),
                argumentSet("a hold for another reason", holds("MoveInScope")),
                argumentSet("it was evicted", alsoEvicted(HOLD)),
                argumentSet("another user deleted it", alsoDeleted(HOLD, "web-1")),
                argumentSet("another pod runs", running(HOLD, WEB_2)));
    }

    @ParameterizedTest
    @MethodSource
    void aHoldOfWhichOneThingIsMissing(SceneObservation sceneObservation) {
        assertThat(HELD.differences(sceneObservation)).isNotEmpty();
    }
}
