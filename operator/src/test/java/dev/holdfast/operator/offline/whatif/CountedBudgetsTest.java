package dev.holdfast.operator.offline.whatif;

import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.notReady;
import static dev.holdfast.policies.testing.Facts.pod;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.terminating;
import static dev.holdfast.policies.testing.PodTraits.unbound;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.config.OperatorConfig;
import dev.holdfast.operator.offline.simulate.Change;
import dev.holdfast.operator.offline.simulate.SimulationInput;
import dev.holdfast.operator.offline.simulate.object.Assumptions;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.DisruptionBudget;
import dev.holdfast.policies.model.DisruptionBudget.Limit;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.testing.Changes;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.PodTrait;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * How many pods a drain evicts at once, as their disruption budget allows. ReplicaSet {@code web} of five replicas has
 * five pods on node {@code n1}, which is drained.
 */
class CountedBudgetsTest {
    private static final Instant START = Instant.parse("2026-11-26T12:00:00Z");

    private static final PodTrait[] NONE = {};

    /** {@return five pods, of which the first ones have these traits} */
    private static ClusterBuilder pods(int special, PodTrait... traits) {
        ClusterBuilder builder = cluster().node("n1").node("spare").replicaSet("web", 5);
        IntStream.rangeClosed(1, 5)
                .forEach(i -> builder.pod(
                        "web-" + i,
                        Stream.concat(
                                        Stream.of(on("n1"), replicaOf("web"), labels("app", "web")),
                                        Stream.of(i <= special ? traits : NONE))
                                .toArray(PodTrait[]::new)));
        return builder;
    }

    private static ClusterBuilder ready() {
        return pods(0);
    }

    private static ClusterBuilder lone() {
        ClusterBuilder builder = cluster().node("n1").node("spare");
        IntStream.rangeClosed(1, 5).forEach(i -> builder.pod("web-" + i, on("n1"), labels("app", "web")));
        return builder;
    }

    private static ClusterEvent budget(Limit limit) {
        return budget(0, new DisruptionBudget.Spec(limit, false, false));
    }

    private static ClusterEvent budget(int allowed, DisruptionBudget.Spec spec) {
        return new ClusterEvent.BudgetChanged(new DisruptionBudget(
                "pdb",
                new NamespacedName("shop", "web"),
                Optional.of(new LabelSelector(Labels.of("app", "web"), List.of())),
                allowed,
                false,
                spec));
    }

    private static DisruptionBudget.Spec observed(Limit limit) {
        return new DisruptionBudget.Spec(limit, false, true);
    }

    /** {@return the pods that a drain of their node evicts at once, without those that the changes before it remove} */
    private static List<String> evictedAtOnce(ClusterBuilder builder, Change... changes) {
        List<String> evicted = new ArrayList<>(displaced(
                builder,
                Stream.concat(Stream.of(changes), Stream.of(new Change.Drain("n1")))
                        .toList()));
        evicted.removeAll(displaced(builder, List.of(changes)));
        return evicted;
    }

    private static List<String> displaced(ClusterBuilder builder, List<Change> changes) {
        WhatIf whatIf = new WhatIf(
                OperatorConfig.defaults().engineSettings(),
                Mode.ENFORCE,
                Assumptions.defaults(),
                START,
                Duration.ofSeconds(1),
                false);
        try {
            return whatIf
                    .report(new SimulationInput(builder.facts(), List.of(), List.of()), changes, _ -> {})
                    .displaced()
                    .stream()
                    .map(WhatIfReport.Displaced::pod)
                    .toList();
        } catch (WhatIf.ImpossibleChangeException e) {
            throw new AssertionError(e);
        }
    }

    static Stream<Arguments> budgets() {
        return Stream.of(
                argumentSet("3 of 5 available: 2", ready(), budget(new Limit.MinAvailable(3)), 2),
                argumentSet("50% of 5 available is 3: 2", ready(), budget(new Limit.MinAvailablePercent(50)), 2),
                argumentSet("1 unavailable: 1", ready(), budget(new Limit.MaxUnavailable(1)), 1),
                argumentSet("25% of 5 unavailable is 2: 2", ready(), budget(new Limit.MaxUnavailablePercent(25)), 2),
                argumentSet("9 unavailable: 5", ready(), budget(new Limit.MaxUnavailable(9)), 5),
                argumentSet("0 unavailable: 0", ready(), budget(new Limit.MaxUnavailable(0)), 0),
                argumentSet("no limit: 0", ready(), budget(new Limit.None()), 0),
                argumentSet(
                        "2 of 5 are not Ready, and 4 must be: 0",
                        pods(2, notReady()),
                        budget(new Limit.MinAvailable(4)),
                        0),
                argumentSet(
                        "2 of 5 are not Ready, and 2 must be: 1, and the 2",
                        pods(2, notReady()),
                        budget(new Limit.MinAvailable(2)),
                        3),
                argumentSet(
                        "2 of 5 are not Ready, and the other 3 must be: the 2",
                        pods(2, notReady()),
                        budget(new Limit.MinAvailable(3)),
                        2),
                argumentSet(
                        "2 of 5 are not Ready, 4 must be, and those that are not may go: the 2",
                        pods(2, notReady()),
                        budget(0, new DisruptionBudget.Spec(new Limit.MinAvailable(4), true, false)),
                        2),
                argumentSet(
                        "none of 5 is Ready, and none must be: 0",
                        pods(5, notReady()),
                        budget(new Limit.MinAvailable(0)),
                        0),
                argumentSet(
                        "a sixth pod terminates and is not healthy: 2",
                        ready().pod("web-6", on("spare"), replicaOf("web"), labels("app", "web"), terminating()),
                        budget(new Limit.MinAvailable(3)),
                        2),
                argumentSet(
                        "3 of 5 pods without a controller available: 2", lone(), budget(new Limit.MinAvailable(3)), 2),
                argumentSet(
                        "no pod without a controller is expected: 0", lone(), budget(new Limit.MaxUnavailable(2)), 0),
                argumentSet(
                        "another ReplicaSet of the Deployment wants 1 of 6, and 1 may be unavailable: 0",
                        ready().replicaSet("web", "old", 1),
                        budget(new Limit.MaxUnavailable(1)),
                        0),
                argumentSet(
                        "the ReplicaSet wants 7 and has 5, and 2 may be unavailable: 0",
                        ready().replicaSet("web", 7),
                        budget(new Limit.MaxUnavailable(2)),
                        0),
                argumentSet(
                        "a Job has no scale: 0",
                        pods(5, ownedBy("Job", "web", "job")),
                        budget(new Limit.MaxUnavailable(1)),
                        0),
                argumentSet(
                        "the StatefulSet of 2 pods is not in the input, and 1 of 7 may be unavailable: 0",
                        pods(2, ownedBy("StatefulSet", "db", "db")),
                        budget(new Limit.MaxUnavailable(1)),
                        0),
                argumentSet(
                        "a StatefulSet is not in the input, 1 of 6 pods terminates, and 1 of 5 may be unavailable: 1",
                        pods(5, ownedBy("StatefulSet", "db", "db"))
                                .pod(
                                        "db-6",
                                        on("spare"),
                                        ownedBy("StatefulSet", "db", "db"),
                                        labels("app", "web"),
                                        terminating()),
                        budget(new Limit.MaxUnavailable(1)),
                        1),
                argumentSet(
                        "the status says 1, although the spec would allow 2: 1",
                        ready(),
                        budget(1, observed(new Limit.MinAvailable(3))),
                        1),
                argumentSet(
                        "the status says 3, although the spec would allow 2: 3",
                        ready(),
                        budget(3, observed(new Limit.MinAvailable(3))),
                        3));
    }

    @ParameterizedTest
    @MethodSource("budgets")
    void aBudgetOfTheInputAllows(ClusterBuilder builder, ClusterEvent budget, int evicted) {
        assertThat(evictedAtOnce(builder.with(budget))).hasSize(evicted);
    }

    static Stream<Arguments> changes() {
        NamespacedName web = new NamespacedName("shop", "web");
        return Stream.of(
                argumentSet(
                        "an applied budget that requires less allows more: 3",
                        budget(1, observed(new Limit.MinAvailable(3))),
                        new Change.AddObjects(List.of(budget(1, observed(new Limit.MinAvailable(2))))),
                        3),
                argumentSet(
                        "the status in an applied file does not count: 0",
                        budget(1, observed(new Limit.MinAvailable(4))),
                        new Change.AddObjects(List.of(budget(9, observed(new Limit.MinAvailable(5))))),
                        0),
                argumentSet(
                        "with 3 replicas instead of 5, 50% available are 2: 1",
                        budget(2, observed(new Limit.MinAvailablePercent(50))),
                        new Change.Scale("ReplicaSet", web, 3),
                        1),
                argumentSet(
                        "2 new pods are not Ready yet, and 2 of 7 may be unavailable: 0",
                        budget(2, observed(new Limit.MaxUnavailable(2))),
                        new Change.Scale("ReplicaSet", web, 7),
                        0),
                argumentSet(
                        "without replicas no pod is expected: 0",
                        budget(2, observed(new Limit.MaxUnavailable(2))),
                        new Change.AddObjects(List.of(Changes.replicaSetChanged("web", "web", 0))),
                        0));
    }

    @ParameterizedTest
    @MethodSource("changes")
    void aBudgetIsCountedAgainAfterAChange(ClusterEvent budget, Change change, int evicted) {
        assertThat(evictedAtOnce(ready().with(budget), change)).hasSize(evicted);
    }

    /**
     * A sixth pod is created before one of the five goes. The Deployment wants five, so that four must be Ready, and
     * the five old pods are. Its ReplicaSets want six meanwhile, of which five would have to be.
     */
    @Test
    void aBudgetExpectsThePodsOfADeploymentWithoutThoseOfItsSurge() {
        ClusterBuilder builder = ready().with(budget(1, observed(new Limit.MaxUnavailable(1))));

        assertThat(evictedAtOnce(builder, rollOutWithSurge(5))).containsExactly("web-1");
    }

    /** Of seven pods that the Deployment wants at once, five are Ready, and one of seven may be unavailable. */
    @Test
    void aBudgetExpectsThePodsOfADeploymentThatIsScaledDuringItsRollOut() {
        ClusterBuilder builder = ready().with(budget(1, observed(new Limit.MaxUnavailable(1))));

        assertThat(evictedAtOnce(
                        builder,
                        rollOutWithSurge(5),
                        new Change.PauseRollOut("deployment-web", true),
                        new Change.Scale("Deployment", new NamespacedName("shop", "web"), 7)))
                .isEmpty();
    }

    private static Change rollOutWithSurge(int replicas) {
        NamespacedName web = new NamespacedName("shop", "web");
        Owner deployment = new Owner("deployment-web", "Deployment", web, Optional.empty(), OptionalInt.empty());
        Owner next = new Owner(
                "web-r2",
                "ReplicaSet",
                new NamespacedName("shop", "web-r2"),
                Optional.of(new Controller("Deployment", "web", "deployment-web")),
                OptionalInt.of(0));
        return new Change.RollOutDeployment(
                deployment,
                replicas,
                next,
                pod("web-r2-1", ownedBy("ReplicaSet", "web-r2", "web-r2"), labels("app", "web"), unbound()),
                1,
                0,
                false);
    }

    /** A budget without a limit allows what its status says, until pods of it are evicted. */
    @Test
    void aBudgetWithoutALimitAllowsNoMoreThanInTheInputWhenPodsBecomeReady() {
        ClusterBuilder builder = pods(2, notReady()).with(budget(1, observed(new Limit.None())));

        assertThat(evictedAtOnce(builder, repair("web-1"), repair("web-2"))).containsExactly("web-1");
    }

    /** Two of five are not Ready, and four must be. */
    @Test
    void aBudgetThatLacksHealthyPodsAllowsNoMoreThanItsSpecWhenTheyAreRepaired() {
        ClusterBuilder builder = pods(2, notReady()).with(budget(0, observed(new Limit.MinAvailable(4))));

        assertThat(evictedAtOnce(builder, repair("web-1"), repair("web-2"))).containsExactly("web-1");
    }

    private static Change repair(String pod) {
        return new Change.RepairPod(new NamespacedName("shop", pod));
    }
}
