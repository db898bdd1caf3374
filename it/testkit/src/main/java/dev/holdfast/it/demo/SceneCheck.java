package dev.holdfast.it.demo;

import dev.holdfast.it.demo.DemoScene.Ending;
import dev.holdfast.it.demo.SceneObservation.Move;
import dev.holdfast.it.demo.SceneObservation.Place;
import dev.holdfast.it.demo.SceneObservation.Told;
import dev.holdfast.it.scenario.Departures.Deletion;
import dev.holdfast.it.scenario.Departures.Eviction;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/**
 * Whether a scene has ended as it should. It counts only what was seen: that nothing went wrong is no proof that the
 * operator noticed anything.
 *
 * @param ending what should come of it
 * @param before the app's pods, before anything broke
 * @param rolled the deletions that the scene itself brings about
 * @param operator in whose name evictions are asked for
 * @param policy as {@code namespace/name}
 */
record SceneCheck(Ending ending, List<Place> before, List<Deletion> rolled, String operator, String policy) {

    SceneCheck {
        before = List.copyOf(before);
        rolled = List.copyOf(rolled);
    }

    /** Something that should be so, and what to say if it is not. */
    private record Check(boolean holds, String otherwise) {}

    /** {@return what is not as it should be, one sentence each; nothing when the scene has ended well} */
    List<String> missing(SceneObservation sceneObservation) {
        return Stream.concat(Stream.of(byOthers(sceneObservation)), checks(sceneObservation))
                .filter(check -> !check.holds())
                .map(Check::otherwise)
                .toList();
    }

    private Stream<Check> checks(SceneObservation sceneObservation) {
        return switch (ending) {
            case Ending.Moved(int pods, String node) -> moved(pods, node, sceneObservation);
            case Ending.Healed _ -> {
                Stream<Check> told =
                        told(List.of("PlacementViolated", "PlacementHealed"), names(before), sceneObservation);
                yield Stream.concat(told, Stream.of(stayed(sceneObservation), healthy(sceneObservation)));
            }
            case Ending.Held(String reason) -> {
                Stream<Check> told = told(List.of("PlacementViolated"), names(before), sceneObservation);
                yield Stream.concat(
                        told,
                        Stream.of(
                                stayed(sceneObservation),
                                held(reason, sceneObservation),
                                saidWhy(reason, sceneObservation)));
            }
        };
    }

    private Check byOthers(SceneObservation sceneObservation) {
        List<Deletion> deletions = sceneObservation.departures().deletions();
        return new Check(deletions.equals(rolled), "others should have deleted " + rolled + ", not " + deletions);
    }

    private Stream<Check> moved(int pods, String node, SceneObservation sceneObservation) {
        List<Eviction> evictions = sceneObservation.departures().evictions();
        List<String> evicted = evictions.stream().map(Eviction::pod).toList();
        return Stream.concat(
                told(List.of("PlacementViolated", "PlacementEvicted"), evicted, sceneObservation),
                Stream.of(
                        new Check(
                                evicted.size() == pods && evictions.stream().allMatch(this::isOfOurs),
                                "there should be " + pods + " evictions from among " + before + ", not " + evictions),
                        new Check(
                                evictions.stream().allMatch(this::isAsked),
                                operator + " should have asked for them, for " + policy + ": " + evictions),
                        new Check(
                                sceneObservation.timesOnPolicy("PlacementMoved") == pods,
                                "the policy's events should tell PlacementMoved " + pods + " times"),
                        recorded(evicted, node, sceneObservation),
                        landed(evicted, node, sceneObservation),
                        healthy(sceneObservation)));
    }

    private boolean isOfOurs(Eviction eviction) {
        return before.stream()
                .anyMatch(it -> it.pod().equals(eviction.pod()) && it.uid().equals(eviction.uid()));
    }

    private boolean isAsked(Eviction eviction) {
        return eviction.user().equals(operator)
                && policy.equals(eviction.annotations().get("holdfast.dev/policy"));
    }

    private static Check recorded(List<String> evicted, String node, SceneObservation sceneObservation) {
        boolean all = sceneObservation.moves().stream()
                .map(Move::pod)
                .sorted()
                .toList()
                .equals(evicted);
        boolean well = sceneObservation.moves().stream()
                .allMatch(it -> it.outcome().equals("Moved") && it.toNode().equals(node));
        return new Check(
                all && well,
                "the policy's status should tell of moves of " + evicted + " to " + node + ", not "
                        + sceneObservation.moves());
    }

    /** Who was not evicted runs where it ran, and everybody else on the node. */
    private Check landed(List<String> evicted, String node, SceneObservation sceneObservation) {
        List<Place> stayed =
                before.stream().filter(it -> !evicted.contains(it.pod())).toList();
        List<String> others = sceneObservation.running().stream()
                .filter(it -> !stayed.contains(it))
                .map(Place::node)
                .toList();
        return new Check(
                sceneObservation.running().containsAll(stayed)
                        && others.equals(Collections.nCopies(evicted.size(), node)),
                stayed + " should have stayed and the others run on " + node + ", not " + sceneObservation.running());
    }

    private Check stayed(SceneObservation sceneObservation) {
        List<Eviction> evictions = sceneObservation.departures().evictions();
        return new Check(
                evictions.isEmpty() && sceneObservation.running().equals(before),
                "nobody should have left, and there were " + evictions + "; running are " + sceneObservation.running());
    }

    private static Check healthy(SceneObservation sceneObservation) {
        return new Check(
                sceneObservation.violating() == 0,
                "the policy's status counts " + sceneObservation.violating() + " violating pods");
    }

    private static Check held(String reason, SceneObservation sceneObservation) {
        return new Check(
                sceneObservation.holds().contains(reason),
                "the policy's status should hold " + reason + ", not " + sceneObservation.holds());
    }

    private Check saidWhy(String reason, SceneObservation sceneObservation) {
        boolean said = sceneObservation.events().stream()
                .filter(it -> it.reason().equals("PlacementEvictionBlocked"))
                .filter(it -> it.message().contains("(" + reason + ")"))
                .map(Told::name)
                .toList()
                .containsAll(names(before));
        return new Check(said, "no event PlacementEvictionBlocked names " + reason);
    }

    private static Stream<Check> told(List<String> reasons, List<String> pods, SceneObservation sceneObservation) {
        return pods.stream()
                .flatMap(pod -> reasons.stream()
                        .map(reason -> new Check(
                                sceneObservation.tells(reason, pod), "no event " + reason + " about " + pod)));
    }

    private static List<String> names(List<Place> places) {
        return places.stream().map(Place::pod).toList();
    }
}
