package dev.holdfast.it.demo;

import dev.holdfast.it.demo.SceneObservation.Place;
import dev.holdfast.it.scenario.PodRemovals.Deletion;
import dev.holdfast.it.scenario.PodRemovals.Eviction;
import dev.holdfast.operator.offline.demo.Scene.Ending;
import dev.holdfast.operator.offline.demo.SceneLog.EndedMove;
import dev.holdfast.operator.offline.demo.SceneLog.PlacementEvent;
import dev.holdfast.operator.offline.demo.SceneResult.Difference;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The check whether a scene has ended as expected. The check requires evidence of each step: a scene in which nothing
 * happened does not pass, because the operator may have missed the violation.
 *
 * @param ending the expected ending
 * @param before the app's pods before the rule was broken
 * @param rolled the pod deletions that the scene itself causes; may be empty
 * @param operator the operator's user name, which must request the evictions
 * @param policy the policy that the evictions must name, as {@code namespace/name}
 */
record SceneCheck(Ending ending, List<Place> before, List<Deletion> rolled, String operator, String policy) {

    SceneCheck {
        before = List.copyOf(before);
        rolled = List.copyOf(rolled);
    }

    /** One expectation, whether it is met, and the texts that are printed if it is not. */
    private record Check(boolean met, String expected, String seen) {}

    /** {@return the expectations that are not met; empty if the scene has ended as expected} */
    List<Difference> differences(SceneObservation observation) {
        return Stream.concat(Stream.of(deletedByOthers(observation)), checks(observation))
                .filter(check -> !check.met())
                .map(check -> new Difference(check.expected(), check.seen()))
                .toList();
    }

    private Stream<Check> checks(SceneObservation observation) {
        return switch (ending) {
            case Ending.Moved(int pods, String node) -> moved(pods, node, observation);
            case Ending.Healed _ -> {
                Stream<Check> events =
                        events(List.of("PlacementViolated", "PlacementHealed"), names(before), observation);
                yield Stream.concat(events, Stream.of(stayed(observation), noneViolating(observation)));
            }
            case Ending.Held(String reason) -> {
                Stream<Check> events = events(List.of("PlacementViolated"), names(before), observation);
                yield Stream.concat(
                        events,
                        Stream.of(stayed(observation), held(reason, observation), blocked(reason, observation)));
            }
        };
    }

    private Check deletedByOthers(SceneObservation observation) {
        List<Deletion> deletions = observation.podRemovals().deletions();
        return new Check(deletions.equals(rolled), "deletions by others: " + deletions(rolled), deletions(deletions));
    }

    private Stream<Check> moved(int pods, String node, SceneObservation observation) {
        List<Eviction> evictions = observation.podRemovals().evictions();
        List<String> evicted = evictions.stream().map(Eviction::pod).toList();
        int events = observation.timesOnPolicy("PlacementMoved");
        return Stream.concat(
                events(List.of("PlacementViolated", "PlacementEvicted"), evicted, observation),
                Stream.of(
                        new Check(
                                evicted.size() == pods && evictions.stream().allMatch(this::isOfScene),
                                "number of evictions: " + pods + ", each of " + list(before),
                                evictions(evictions)),
                        new Check(
                                evictions.stream().allMatch(this::isRequested),
                                "every eviction requested by " + operator + " for " + policy,
                                evictions(evictions)),
                        new Check(
                                events == pods,
                                "times of the event PlacementMoved about the policy: " + pods,
                                String.valueOf(events)),
                        recorded(evicted, node, observation),
                        landed(evicted, node, observation),
                        noneViolating(observation)));
    }

    private boolean isOfScene(Eviction eviction) {
        return before.stream()
                .anyMatch(it -> it.pod().equals(eviction.pod()) && it.uid().equals(eviction.uid()));
    }

    private boolean isRequested(Eviction eviction) {
        return eviction.user().equals(operator)
                && policy.equals(eviction.annotations().get("holdfast.dev/policy"));
    }

    private static Check recorded(List<String> evicted, String node, SceneObservation observation) {
        boolean all = observation.moves().stream()
                .map(EndedMove::pod)
                .sorted()
                .toList()
                .equals(evicted);
        boolean moved = observation.moves().stream()
                .allMatch(it -> it.outcome().equals("Moved") && it.toNode().equals(node));
        return new Check(
                all && moved,
                "moves to " + node + " in the policy's status: " + list(evicted),
                list(observation.moves()));
    }

    /**
     * {@return the check of where the pods run} Pods that were not evicted must run where they ran before, and all
     * replacements on {@code node}.
     */
    private Check landed(List<String> evicted, String node, SceneObservation observation) {
        List<Place> stayed =
                before.stream().filter(it -> !evicted.contains(it.pod())).toList();
        List<String> others = observation.running().stream()
                .filter(it -> !stayed.contains(it))
                .map(Place::node)
                .toList();
        return new Check(
                observation.running().containsAll(stayed) && others.equals(Collections.nCopies(evicted.size(), node)),
                "running: " + list(stayed) + ", and the replacements on " + node,
                list(observation.running()));
    }

    private Check stayed(SceneObservation observation) {
        List<Eviction> evictions = observation.podRemovals().evictions();
        return new Check(
                evictions.isEmpty() && observation.running().equals(before),
                "no evictions, and running: " + list(before),
                "evictions: " + evictions(evictions) + "; running: " + list(observation.running()));
    }

    private static Check noneViolating(SceneObservation observation) {
        return new Check(
                observation.violating() == 0,
                "violating pods in the policy's status: 0",
                observation.violating() < 0 ? "no status" : String.valueOf(observation.violating()));
    }

    private static Check held(String reason, SceneObservation observation) {
        return new Check(
                observation.holds().contains(reason),
                "a hold in the policy's status: " + reason,
                list(observation.holds()));
    }

    private Check blocked(String reason, SceneObservation observation) {
        List<PlacementEvent> blocked = observation.events().stream()
                .filter(it -> it.reason().equals("PlacementEvictionBlocked"))
                .toList();
        boolean named = blocked.stream()
                .filter(it -> it.message().contains("(" + reason + ")"))
                .map(PlacementEvent::name)
                .toList()
                .containsAll(names(before));
        return new Check(
                named,
                "an event PlacementEvictionBlocked for " + reason + " about " + list(names(before)),
                list(blocked.stream().map(it -> it.name() + ": " + it.message()).toList()));
    }

    private static Stream<Check> events(List<String> reasons, List<String> pods, SceneObservation observation) {
        return pods.stream()
                .flatMap(pod -> reasons.stream()
                        .map(reason -> new Check(
                                observation.hasEvent(reason, pod),
                                "an event " + reason + " about " + pod,
                                "events about it: " + list(observation.reasons(pod)))));
    }

    private static List<String> names(List<Place> places) {
        return places.stream().map(Place::pod).toList();
    }

    private static String evictions(List<Eviction> evictions) {
        return list(evictions.stream()
                .map(it -> it.pod() + " by " + it.user() + " for "
                        + it.annotations().getOrDefault("holdfast.dev/policy", "no policy"))
                .toList());
    }

    private static String deletions(List<Deletion> deletions) {
        return list(deletions.stream().map(it -> it.pod() + " by " + it.user()).toList());
    }

    private static String list(List<?> things) {
        return things.isEmpty() ? "none" : things.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }
}
