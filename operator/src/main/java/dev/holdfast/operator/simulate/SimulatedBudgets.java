package dev.holdfast.operator.simulate;

import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.DisruptionBudget;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.selector.ParseResult;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Counts the status of disruption budgets as the disruption controller does, and answers evictions by it as the API server
 * does.
 *
 * <p>Example: {@code minAvailable: 50%} of a ReplicaSet with five replicas requires three, so two disruptions are allowed if
 * all five are Ready, and one while one of them is not.
 *
 * <p>The input may have a status that does not follow from the spec, as some objects are not in it. Then the difference
 * stays: a budget that allows one disruption less than its spec would does so until the end.
 */
final class SimulatedBudgets {
    /** Kinds of controllers without a scale, for whose pods the disruption controller counts nothing. */
    private static final Set<String> WITHOUT_SCALE = Set.of("DaemonSet", "Job", "Node");

    private static final int PERCENT = 100;

    private final LiveCluster cluster;
    private final Consumer<ClusterEvent> change;

    /** How many disruptions fewer than by its spec a budget allows, by its UID; negative if more. */
    private final Map<String, Integer> difference = new HashMap<>();

    private boolean begun;

    /** @param change changes an object of the cluster */
    SimulatedBudgets(LiveCluster cluster, Consumer<ClusterEvent> change) {
        this.cluster = cluster;
        this.change = change;
    }

    /**
     * The pods of a budget.
     *
     * @param expected how many there should be
     * @param healthy how many are Ready
     * @param desired how many must be Ready
     */
    private record Count(int expected, int healthy, int desired) {
        /** {@return how many disruptions the spec allows; negative if too few pods are Ready} */
        int spare() {
            return healthy - desired;
        }
    }

    /** Begins to count. Until then the status of each budget is that of the input. */
    void begin() {
        begun = true;
        for (DisruptionBudget budget : List.copyOf(cluster.budgets())) {
            if (budget.spec().observed()) {
                take(budget);
            } else {
                written(budget);
            }
        }
    }

    /** Counts a budget that has no status, or that of an earlier spec. */
    void written(DisruptionBudget budget) {
        if (budget.spec().limit() instanceof DisruptionBudget.Limit.None) {
            take(budget);
        } else {
            difference.remove(budget.uid());
            recount(budget);
        }
    }

    /** Takes the status of a budget as it is. */
    private void take(DisruptionBudget budget) {
        int allowed = budget.disruptionsAllowed();
        int spare = count(budget).spare();
        difference.put(budget.uid(), allowed == 0 ? Math.max(0, spare) : spare - allowed);
    }

    /** Counts all budgets that select a pod. */
    void podChanged(Pod pod) {
        if (begun) {
            of(pod).forEach(this::recount);
        }
    }

    /** Counts all budgets of a namespace, in which a controller has changed. */
    void ownerChanged(String namespace) {
        if (begun) {
            List.copyOf(cluster.budgetsIn(namespace)).forEach(this::recount);
        }
    }

    private void recount(DisruptionBudget budget) {
        Count count = count(budget);
        DisruptionBudget counted = budget.withStatus(
                count.expected() > 0 ? Math.max(0, spare(budget, count)) : 0,
                count.expected() > 0 && count.desired() >= count.expected());
        if (!counted.equals(budget)) {
            change.accept(new ClusterEvent.BudgetChanged(counted));
        }
    }

    private int spare(DisruptionBudget budget, Count count) {
        return count.spare() - difference.getOrDefault(budget.uid(), 0);
    }

    private Count count(DisruptionBudget budget) {
        List<Pod> pods =
                LabelMatcher.of(budget.selector()) instanceof ParseResult.Usable<LabelMatcher>(LabelMatcher matcher)
                        ? cluster.podsIn(budget.name().namespace()).stream()
                                .filter(pod -> matcher.matches(pod.labels()))
                                .toList()
                        : List.of();
        int healthy = (int)
                pods.stream().filter(pod -> pod.ready() && !pod.terminating()).count();
        return switch (budget.spec().limit()) {
            case DisruptionBudget.Limit.None _ -> new Count(pods.size(), healthy, 0);
            case DisruptionBudget.Limit.MinAvailable(int least) -> new Count(pods.size(), healthy, least);
            case DisruptionBudget.Limit.MinAvailablePercent(int percent) -> {
                int scale = scale(pods);
                yield new Count(scale, healthy, share(percent, scale));
            }
            case DisruptionBudget.Limit.MaxUnavailable(int most) -> {
                int scale = scale(pods);
                yield new Count(scale, healthy, Math.max(0, scale - most));
            }
            case DisruptionBudget.Limit.MaxUnavailablePercent(int percent) -> {
                int scale = scale(pods);
                yield new Count(scale, healthy, Math.max(0, scale - share(percent, scale)));
            }
        };
    }

    private static int share(int percent, int scale) {
        return Math.ceilDiv(percent * scale, PERCENT);
    }

    /**
     * {@return the replicas of all controllers of these pods; zero if one of them has no scale} Of a controller that is not
     * in the input, its pods count.
     */
    private int scale(List<Pod> pods) {
        Map<String, Integer> replicas = new HashMap<>();
        for (Pod pod : pods) {
            Optional<Controller> controller = pod.victimProtection().controller();
            if (controller.map(Controller::kind).filter(WITHOUT_SCALE::contains).isPresent()) {
                return 0;
            }
            controller.ifPresent(it -> {
                Optional<Owner> owner = cluster.owner(pod.namespace(), it.uid());
                if (owner.flatMap(known -> known.replicas().stream().boxed().findFirst())
                        .isEmpty()) {
                    replicas.merge(it.uid(), pod.finished() || pod.terminating() ? 0 : 1, Integer::sum);
                } else {
                    siblings(owner.get())
                            .forEach(set ->
                                    replicas.put(set.uid(), set.replicas().orElse(0)));
                }
            });
        }
        return replicas.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** {@return a ReplicaSet with all others of its Deployment, whose replicas together are those of the Deployment} */
    private List<Owner> siblings(Owner set) {
        return set.controller()
                .map(Controller::uid)
                .map(deployment -> cluster.ownersIn(set.name().namespace()).stream()
                        .filter(other -> other.controller()
                                .filter(it -> it.uid().equals(deployment))
                                .isPresent())
                        .toList())
                .orElse(List.of(set));
    }

    /** {@return the answer to a request, which changes nothing yet} */
    EvictionAnswer answer(Pod pod) {
        if (!counts(pod)) {
            return new EvictionAnswer.Evicted();
        }
        List<DisruptionBudget> budgets = of(pod);
        if (budgets.size() > 1) {
            return new EvictionAnswer.SeveralBudgets(
                    "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.");
        }
        return budgets.stream().anyMatch(budget -> !allows(budget, pod))
                ? new EvictionAnswer.OutOfBudget(
                        "Cannot evict pod as it would violate the pod's disruption budget.", Optional.empty())
                : new EvictionAnswer.Evicted();
    }

    /**
     * A pod that is not Ready may go as long as enough others are, as {@code unhealthyPodEvictionPolicy: IfHealthyBudget}
     * says, the default.
     */
    private boolean allows(DisruptionBudget budget, Pod pod) {
        if (budget.disruptionsAllowed() > 0 || (!pod.ready() && budget.spec().evictsUnhealthy())) {
            return true;
        }
        Count count = count(budget);
        return !pod.ready() && count.desired() > 0 && spare(budget, count) >= 0;
    }

    /** The API server asks no budget for a pod that has not started, has finished or is being deleted. */
    private static boolean counts(Pod pod) {
        return pod.started() && !pod.finished() && !pod.terminating();
    }

    private List<DisruptionBudget> of(Pod pod) {
        return cluster.budgetsIn(pod.namespace()).stream()
                .filter(budget -> LabelMatcher.of(budget.selector())
                                instanceof ParseResult.Usable<LabelMatcher>(LabelMatcher matcher)
                        && matcher.matches(pod.labels()))
                .toList();
    }
}
