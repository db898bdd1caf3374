package dev.holdfast.policies.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.index.change.VerdictListener;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.view.AddingView;
import dev.holdfast.policies.model.view.HidingView;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.RuleIdentity;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The impact of a move that the index computes equals the one that {@code evaluate} finds in the cluster after the
 * move. The input is random sequences of events (histories). From time to time random pods are tried on every node,
 * with and without other pending moves. {@code -Dholdfast.bystanders.histories=N} sets the number of histories, {@code
 * -Dholdfast.bystanders.seed=S} the first seed.
 */
class BystandersTest {
    private static final int HISTORIES = Integer.getInteger("holdfast.bystanders.histories", 60);
    private static final long SEED = Long.getLong("holdfast.bystanders.seed", 20_261_122L);
    private static final int STEPS = 120;
    private static final int BETWEEN_MOVES = 10;
    private static final int MOST_PODS = 25;
    private static final int MOST_NODES = 7;
    private static final Set<String> EXEMPT = Set.of("kube-system", "kube-node");

    private int harmful;
    private int helpful;
    private int healed;
    private int unregarded;

    @Test
    void whatBecomesOfEverybodySRulesIsWhatEvaluateSaysOfTheClusterAfterTheMove() {
        for (long seed = SEED; seed < SEED + HISTORIES; seed++) {
            play(seed);
        }
        System.out.printf(
                "%d histories from seed %d: %d moves break more than they heal, %d heal more, 0 differences%n",
                HISTORIES, SEED, harmful, helpful);
        assertThat(harmful).isPositive();
        assertThat(helpful).isPositive();
        assertThat(healed).isPositive();
        assertThat(unregarded).isPositive();
    }

    private void play(long seed) {
        RandomHistory history = new RandomHistory(seed, MOST_PODS, MOST_NODES);
        Random random = new Random(seed);
        Specification specification = new Specification(EXEMPT);
        Index index = new Index(EXEMPT, VerdictListener.NONE);
        for (int step = 0; step < STEPS; step++) {
            for (Step it : history.next()) {
                specification.take(it);
                take(it, index);
            }
            if (step % BETWEEN_MOVES == 0) {
                List<Pod> placed = new ArrayList<>(specification.referenceCluster().pods().stream()
                        .filter(pod -> specification
                                .referenceCluster()
                                .countedNode(pod)
                                .isPresent())
                        .filter(pod -> !pod.terminating())
                        .sorted(Comparator.comparing(Pod::uid))
                        .toList());
                String when = "seed " + seed + ", step " + step;
                Collections.shuffle(placed, random);
                placed.stream().limit(3).forEach(pod -> {
                    List<Pod> others = placed.stream()
                            .filter(it -> !it.uid().equals(pod.uid()))
                            .toList();
                    compare(pod, List.of(), Optional.empty(), specification, index, when);
                    List<Pod> pending = promised(others, specification.referenceCluster(), random);
                    compare(pod, pending, Optional.empty(), specification, index, when);
                    compare(pod, pending, Optional.of(BystandersTest::isOfCluster), specification, index, when);
                });
            }
        }
    }

    private static void take(Step step, Index index) {
        switch (step) {
            case Step.Fact(ClusterEvent event) -> index.apply(event);
            case Step.PolicyPut(Policy policy) -> index.put(policy);
            case Step.PolicyRemoved(PolicyId id) -> index.remove(id);
        }
    }

    /** {@return pending moves: up to two of the pods, each on a random node} */
    private static List<Pod> promised(List<Pod> others, ClusterView view, Random random) {
        List<Node> nodes = List.copyOf(view.nodes());
        return others.stream()
                .limit(random.nextInt(3))
                .map(pod -> on(nodes.get(random.nextInt(nodes.size())).name(), pod))
                .toList();
    }

    private static Pod on(String node, Pod pod) {
        return new Pod(
                pod.uid(),
                pod.name(),
                pod.resourceVersion(),
                pod.labels(),
                Optional.of(node),
                pod.scheduling(),
                pod.podRequirements(),
                pod.life(),
                pod.victimProtection());
    }

    private static Set<RuleIdentity> rulesOf(Pod pod, Index index) {
        return index.rulesOf(pod.uid()).stream().map(AppliedRule::identity).collect(Collectors.toSet());
    }

    private static boolean isOfCluster(AppliedRule rule) {
        return rule.policies().anyMatch(PolicyId::isOfCluster);
    }

    private static boolean isClusterWide(Rule rule) {
        return rule instanceof Rule.PodAntiAffinity anti && anti.term().isClusterWide();
    }

    private void compare(
            Pod pod,
            List<Pod> pending,
            Optional<Predicate<AppliedRule>> regarded,
            Specification specification,
            Index index,
            String when) {
        Set<String> leaving = pending.stream().map(Pod::uid).collect(Collectors.toSet());
        Moved before = new Moved(specification.referenceCluster(), leaving, pending);
        ToIntFunction<Node> said =
                index.impactOnOthers().additionalViolations(pod, rulesOf(pod, index), leaving, pending, regarded);
        BiPredicate<Pod, Rule> counts = (other, rule) -> !isClusterWide(rule)
                && (regarded.isEmpty()
                        || index.rulesOf(other.uid()).stream()
                                .anyMatch(applied -> applied.identity().equals(rule.identity())
                                        && regarded.get().test(applied)));
        List<Pod> staying = specification.referenceCluster().pods().stream()
                .filter(it -> !it.uid().equals(pod.uid()) && !leaving.contains(it.uid()))
                .toList();
        int broken = broken(staying, counts, before, specification)
                + broken(
                        List.of(pod),
                        (_, _) -> true,
                        new Moved(specification.referenceCluster(), Set.of(), List.of()),
                        specification);
        for (AppliedRule rule : index.rulesOf(pod.uid())) {
            if (index.isBroken(pod.uid(), rule.identity())) {
                boolean remains =
                        specification.breach(rule.rule(), pod, before.view()).isPresent();
                assertThat(index.verdictAfterMoves().isBroken(pod.uid(), rule.identity(), leaving, pending))
                        .as("%s, %s of %s after the moves %s", when, rule.rule(), pod.uid(), pending)
                        .isEqualTo(remains);
                healed += remains ? 0 : 1;
            }
        }
        for (Node node : specification.referenceCluster().nodes()) {
            Moved after = new Moved(
                    specification.referenceCluster(),
                    Stream.concat(leaving.stream(), Stream.of(pod.uid())).collect(Collectors.toSet()),
                    Stream.concat(pending.stream(), Stream.of(on(node.name(), pod)))
                            .toList());
            int more = broken(staying, counts, after, specification) - broken;
            assertThat(said.applyAsInt(node))
                    .as("%s, %s to %s, pending moves %s", when, pod.uid(), node.name(), pending)
                    .isEqualTo(more);
            unregarded += regarded.isPresent() && more != broken(staying, (_, _) -> true, after, specification) - broken
                    ? 1
                    : 0;
            harmful += more > 0 ? 1 : 0;
            helpful += more < 0 ? 1 : 0;
        }
    }

    /**
     * A cluster after moves of pods.
     *
     * @param gone the UIDs of the moved pods
     * @param come the moved pods on their new nodes
     */
    private record Moved(ClusterView cluster, Set<String> gone, List<Pod> come) {
        ClusterView view() {
            return new AddingView(new HidingView(cluster, pod -> gone.contains(pod.uid())), come);
        }
    }

    private static int broken(List<Pod> pods, BiPredicate<Pod, Rule> counts, Moved moved, Specification specification) {
        ClusterView view = moved.view();
        int broken = 0;
        for (Pod pod : pods) {
            for (Rule rule : specification.asked(pod).values()) {
                broken += counts.test(pod, rule)
                                && specification.breach(rule, pod, view).isPresent()
                        ? 1
                        : 0;
            }
        }
        return broken;
    }
}
