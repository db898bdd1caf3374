package dev.holdfast.policies.plan;

import static dev.holdfast.policies.plan.Due.NOW;
import static dev.holdfast.policies.plan.Due.candidate;
import static dev.holdfast.policies.plan.Due.situation;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.NodeTraits.hostname;
import static dev.holdfast.policies.testing.PodTraits.annotated;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.created;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.priority;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.terminating;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.PartnerFinder;
import dev.holdfast.policies.plan.move.Moves;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.PodRules;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.PodTrait;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The victim order: which candidate a plan decides about first, and so which pod moves if one move heals several
 * violations.
 */
class VictimOrderTest {
    private static final Instant OLD = NOW.minusSeconds(9);

    private static ClusterBuilder node() {
        return cluster().node("n1", labels("disk", "hdd"), hostname("n1"));
    }

    private static PodTrait[] misplaced(PodTrait... traits) {
        return and(nodeSelector("disk", "ssd"), traits);
    }

    /** {@return the traits of a pod of app hub; pods of app hub and pods of app leaf must be on different nodes} */
    private static PodTrait[] hub(PodTrait... traits) {
        return and(apart("hub", "leaf"), traits);
    }

    private static PodTrait[] leaf(PodTrait... traits) {
        return and(apart("leaf", "hub"), traits);
    }

    private static PodTrait apart(String app, String from) {
        return pod -> {
            labels("app", app).of(pod);
            apartFrom(term(app(from), HOSTNAME)).of(pod);
        };
    }

    private static PodTrait[] and(PodTrait one, PodTrait... others) {
        List<PodTrait> all = new ArrayList<>(List.of(on("n1"), created(NOW), one));
        all.addAll(Arrays.asList(others));
        return all.toArray(PodTrait[]::new);
    }

    private static PodTrait cost(int cost) {
        return annotated("controller.kubernetes.io/pod-deletion-cost", String.valueOf(cost));
    }

    static Stream<Arguments> rows() {
        return Stream.of(
                row(
                        "the lowest priority first",
                        node().pod("a", misplaced(priority(5))).pod("b", misplaced(priority(1))),
                        "b",
                        "a"),
                row(
                        "at equal priority, the one whose move heals most others",
                        node().pod("a", leaf()).pod("b", leaf()).pod("h", hub()),
                        "h",
                        "a",
                        "b"),
                row(
                        "priority before healing",
                        node().pod("a", leaf()).pod("b", leaf(priority(-1))).pod("h", hub()),
                        "b",
                        "h",
                        "a"),
                row(
                        "two hubs: the move of one alone heals no leaf",
                        node().pod("a", leaf()).pod("b", leaf()).pod("h", hub()).pod("i", hub()),
                        "a",
                        "b",
                        "h",
                        "i"),
                row(
                        "a second hub that is terminating does not count",
                        node().pod("a", leaf()).pod("b", leaf()).pod("h", hub()).pod("i", hub(terminating())),
                        "h",
                        "a",
                        "b"),
                row(
                        "healing before deletion cost",
                        node().pod("a", leaf(cost(-9))).pod("b", leaf()).pod("h", hub(cost(9))),
                        "h",
                        "a",
                        "b"),
                row(
                        "the lowest deletion cost first, 0 by default",
                        node().pod("a", misplaced(cost(1)))
                                .pod("b", misplaced())
                                .pod("c", misplaced(cost(-1))),
                        "c",
                        "b",
                        "a"),
                row(
                        "deletion cost before age",
                        node().pod("a", misplaced(cost(1))).pod("b", misplaced(created(OLD))),
                        "b",
                        "a"),
                row("the newest first", node().pod("a", misplaced(created(OLD))).pod("b", misplaced()), "b", "a"),
                row("the UID last", node().pod("b", misplaced()).pod("a", misplaced()), "a", "b"));
    }

    private static Arguments row(String name, ClusterBuilder facts, String... expected) {
        return argumentSet(name, facts, List.of(expected));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void victimsGoByPriorityThenHealingThenDeletionCostThenAgeThenUid(ClusterBuilder facts, List<String> expected) {
        ReferenceCluster referenceCluster = facts.build();
        List<Candidate> candidates = expected.reversed().stream()
                .map(pod -> candidate(referenceCluster, pod))
                .toList();

        assertThat(order(candidates, referenceCluster)).isEqualTo(expected);
    }

    @Test
    void enforcedOnesComeBeforeAllOthers() {
        ReferenceCluster referenceCluster =
                node().pod("a", misplaced(priority(1))).pod("e", misplaced()).build();
        Candidate audited = candidate(referenceCluster, "e");
        List<Candidate> candidates = List.of(
                candidate(referenceCluster, audited.pod(), audited.rule(), Mode.AUDIT, WhenInfeasible.WAIT),
                candidate(referenceCluster, "a"));

        assertThat(order(candidates, referenceCluster)).containsExactly("a", "e");
    }

    /** Pods a and b must be apart. The move of a would also heal an audited rule; b is newer. */
    @Test
    void whatAMoveHealsOfAuditedRulesDoesNotCountForEnforcedOnes() {
        ReferenceCluster referenceCluster = cluster()
                .node("n1", labels("disk", "hdd"), hostname("n1"))
                .node("n2", labels("disk", "ssd"), hostname("n2"))
                .replicaSet("web", 2)
                .pod("a", on("n1"), replicaOf("web"), created(OLD), nodeSelector("disk", "ssd"), apart("web", "web"))
                .pod("b", on("n1"), replicaOf("web"), created(OLD.plusSeconds(1)), apart("web", "web"))
                .build();
        List<Candidate> candidates = new ArrayList<>();
        for (Candidate either : List.of(candidate(referenceCluster, "a"), candidate(referenceCluster, "b"))) {
            for (Rule rule : PodRules.of(either.pod().scheduling())) {
                Mode mode = rule instanceof Rule.OfNode ? Mode.AUDIT : Mode.ENFORCE;
                candidates.add(candidate(referenceCluster, either.pod(), rule, mode, WhenInfeasible.WAIT));
            }
        }

        Plan plan = new ShuffledPlanner(20, 20_000).plan(candidates, situation(referenceCluster, new Moves()));

        assertThat(plan.chosen())
                .extracting(Plan.Chosen::candidate)
                .filteredOn(chosen -> chosen.mode() == Mode.ENFORCE)
                .extracting(chosen -> chosen.pod().uid())
                .containsExactly("b");
    }

    /** Asserts that each order of the candidates gives the same victim order, and returns it as UIDs. */
    private static List<String> order(List<Candidate> candidates, ReferenceCluster referenceCluster) {
        PartnerFinder partners =
                situation(referenceCluster, new Moves()).rules().partners();
        List<String> order = order(candidates, partners);
        ShuffledPlanner.seeds()
                .forEach(seed -> assertThat(order(ShuffledView.shuffled(candidates, seed), partners))
                        .as("the order of the same candidates, shuffled with seed %d", seed)
                        .isEqualTo(order));
        return order;
    }

    private static List<String> order(List<Candidate> candidates, PartnerFinder partners) {
        return Candidate.inOrder(candidates, HealedByMove.of(candidates, partners)).stream()
                .map(candidate -> candidate.pod().uid())
                .toList();
    }
}
