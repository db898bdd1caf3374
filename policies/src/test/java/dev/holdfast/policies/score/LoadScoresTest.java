package dev.holdfast.policies.score;

import static dev.holdfast.policies.score.Choices.check;
import static dev.holdfast.policies.score.Choices.choice;
import static dev.holdfast.policies.score.Choices.numbers;
import static dev.holdfast.policies.score.Choices.row;
import static dev.holdfast.policies.score.Choices.scored;
import static dev.holdfast.policies.score.Choices.skipped;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.NodeTraits.allocatable;
import static dev.holdfast.policies.testing.PodTraits.needing;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.phase;
import static dev.holdfast.policies.testing.PodTraits.terminating;

import dev.holdfast.policies.model.Phase;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.PodRequirements.Container;
import dev.holdfast.policies.model.PodRequirements.Role;
import dev.holdfast.policies.model.Resources;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.PodTrait;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The plugins that look at the load of nodes: NodeResourcesFit and NodeResourcesBalancedAllocation. */
class LoadScoresTest {
    private static final long MIB = 1L << 20;
    private static final long THOUSANDTHS = 1_000;

    static Stream<Arguments> free() {
        return Stream.of(
                row(
                        "SC-ALL-20: the mean of the free shares of cpu and memory, each truncated",
                        choice(node(4_000, 8_000).pod("p", requesting(1_000, 3_000))),
                        scored(numbers(68), numbers(68))),
                row(
                        "SC-ALL-20: what other pods request is used, of terminating pods too",
                        choice(node(4_000, 8_000)
                                .pod("a", on("n1"), requesting(1_000, 1_000))
                                .pod("b", on("n1"), terminating(), requesting(500, 1_000))
                                .pod("p", requesting(500, 2_000))),
                        scored(numbers(50), numbers(50))),
                row(
                        "SC-ALL-20: finished pods and the pod itself use nothing",
                        choice(node(4_000, 8_000)
                                .pod("a", on("n1"), phase(Phase.SUCCEEDED), requesting(1_000, 1_000))
                                .pod("p", on("n1"), requesting(1_000, 2_000))),
                        scored(numbers(75), numbers(75))),
                row(
                        "SC-ALL-20: a finished pod that is to be placed uses nothing either",
                        choice(node(4_000, 8_000).pod("p", on("n1"), phase(Phase.SUCCEEDED), requesting(1_000, 2_000))),
                        scored(numbers(75), numbers(75))),
                row(
                        "SC-ALL-20: a resource that does not suffice gives 0",
                        choice(node(1_000, 8_000).pod("p", requesting(1_001, 2_000))),
                        scored(numbers(37), numbers(37))),
                row(
                        "SC-ALL-20: a resource that the node does not have is left out",
                        choice(node(0, 8_000).pod("p", requesting(0, 2_000))),
                        scored(numbers(75), numbers(75))),
                row(
                        "SC-ALL-20: a node without either has 0",
                        choice(node(0, 0).pod("p", requesting(0, 0))),
                        scored(numbers(0), numbers(0))),
                row(
                        "SC-ALL-20: containers without requests count as 100m and 200 MiB, of the pod and of others",
                        choice(node(1_000, 2_000)
                                .pod("a", on("n1"), containers(app(Map.of()), app(Map.of("cpu", 50L))))
                                .pod("p", containers(app(Map.of())))),
                        scored(numbers(72), numbers(72))),
                row(
                        "SC-ALL-20: a request of 0 counts as 0",
                        choice(node(1_000, 2_000).pod("p", containers(app(Map.of("cpu", 0L, "memory", 0L))))),
                        scored(numbers(100), numbers(100))),
                row(
                        "SC-ALL-20: an init container without requests counts while it runs",
                        choice(node(1_000, 2_000)
                                .pod(
                                        "p",
                                        containers(
                                                new Container("init", Role.INIT, Map.of(), Map.of()),
                                                app(Map.of("cpu", 50L, "memory", 100 * MIB * THOUSANDTHS))))),
                        scored(numbers(90), numbers(90))),
                row(
                        "SC-ALL-20: pod-level requests of the pod are not read, those of others are",
                        choice(node(1_000, 2_000)
                                .pod(
                                        "a",
                                        on("n1"),
                                        containers(app(Map.of()), app(Map.of()), ofPod(Map.of("cpu", 500L))))
                                .pod("p", containers(app(Map.of()), ofPod(Map.of("cpu", 500L))))),
                        scored(numbers(55), numbers(55))));
    }

    @ParameterizedTest
    @MethodSource("free")
    void resourcesFitScoresByWhatStaysFree(Choice choice, PluginResult expected) {
        check(ResourcesFitScore::of, choice, expected);
    }

    static Stream<Arguments> balances() {
        return Stream.of(
                row(
                        "SC-ALL-21: a pod that requests neither is not scored",
                        choice(node(4_000, 8_000).pod("p", containers(app(Map.of())))),
                        skipped()),
                row(
                        "SC-ALL-21: 75 if the pod changes nothing",
                        choice(node(4_000, 8_000).pod("p", requesting(1_000, 2_000))),
                        scored(numbers(75), numbers(75))),
                row(
                        "SC-ALL-21: the pod fills up the resource that was used less: 80 becomes 100",
                        choice(node(1_000, 1_000)
                                .pod("a", on("n1"), requesting(600, 200))
                                .pod("p", requesting(0, 400))),
                        scored(numbers(85), numbers(85))),
                row(
                        "SC-ALL-21: the pod makes it worse: 100 becomes 75",
                        choice(node(1_000, 1_000).pod("p", requesting(500, 0))),
                        scored(numbers(62), numbers(62))),
                row(
                        "SC-ALL-21: more than all counts as all",
                        choice(node(1_000, 1_000).pod("p", requesting(5_000, 1_000))),
                        scored(numbers(75), numbers(75))),
                row(
                        "SC-ALL-21: a node with one of the resources is always balanced",
                        choice(node(1_000, 0).pod("p", requesting(500, 0))),
                        scored(numbers(75), numbers(75))));
    }

    @ParameterizedTest
    @MethodSource("balances")
    void balancedAllocationScoresByEqualShares(Choice choice, PluginResult expected) {
        check(BalancedAllocationScore::of, choice, expected);
    }

    /** One node with this much cpu and MiB of memory. */
    private static ClusterBuilder node(long milliCpu, long mebibytes) {
        return cluster().node("n1", allocatable(resources(milliCpu, mebibytes)));
    }

    private static Resources resources(long milliCpu, long mebibytes) {
        return new Resources(milliCpu, mebibytes * MIB, 0, 110, Map.of());
    }

    /** A pod with one container that requests this much cpu and MiB of memory. */
    private static PodTrait requesting(long milliCpu, long mebibytes) {
        return containers(app(Map.of("cpu", milliCpu, "memory", mebibytes * MIB * THOUSANDTHS)));
    }

    private static PodTrait containers(Container... containers) {
        return needing(PodRequirements.none().requesting(List.of(containers)));
    }

    private static Container app(Map<String, Long> requests) {
        return new Container("app", Role.APP, requests, Map.of());
    }

    private static Container ofPod(Map<String, Long> requests) {
        return new Container("", Role.POD, requests, Map.of());
    }
}
