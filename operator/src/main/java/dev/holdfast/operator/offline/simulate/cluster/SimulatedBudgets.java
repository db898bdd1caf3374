package dev.holdfast.operator.offline.simulate.cluster;

import dev.holdfast.operator.offline.simulate.object.BudgetShortage;
import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.DisruptionBudget;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.selector.ParseResult;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Computes the status of disruption budgets as the disruption controller does, and answers evictions by it as the API
 * server does.
 *
 * <p>Example: {@code minAvailable: 50%} of a ReplicaSet with five replicas requires three, so two disruptions are
 * allowed if all five are Ready, and one while one of them is not.
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

    /** How many pods a Deployment wants during a roll-out; empty if its ReplicaSets together want as many. */
    private final Function<String, OptionalInt> rollingOut;

    /** The number of disruptions that a budget allows less than its spec says, by UID; negative if more. */
    private final Map<String, Integer> difference = new HashMap<>();

    /** The maximum number of disruptions of a budget without a limit, by UID: as in the input. */
    private final Map<String, Integer> most = new HashMap<>();

    /** The pods of each budget, by its UID. */
    private final Map<String, BudgetPods> pods = new HashMap<>();

    /** The ReplicaSets of each Deployment by its UID, in the namespaces whose workloads have not changed since. */
    private final Map<String, Map<String, List<Owner>>> replicaSets = new HashMap<>();

    private boolean begun;

    /**
     * @param rollingOut how many pods a Deployment wants that rolls out, by its UID; empty for others
     * @param change changes an object of the cluster
     */
    SimulatedBudgets(LiveCluster cluster, Function<String, OptionalInt> rollingOut, Consumer<ClusterEvent> change) {
        this.cluster = cluster;
        this.rollingOut = rollingOut;
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

    /** Begins to count. Until then each budget has the status in the input. */
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

    /** Computes the status of a budget that has none, or one of an earlier spec. */
    void written(DisruptionBudget budget) {
        pods.remove(budget.uid());
        most.remove(budget.uid());
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
        if (budget.spec().limit() instanceof DisruptionBudget.Limit.None) {
            most.put(budget.uid(), allowed);
        }
    }

    /** Computes the status of all budgets that select a pod, or did before its labels changed. */
    void podChanged(Pod pod) {
        if (begun) {
            for (DisruptionBudget budget : List.copyOf(cluster.budgetsIn(pod.namespace()))) {
                if (podsOf(budget).changed(pod.uid(), cluster.pod(pod.uid()))) {
                    recount(budget);
                }
            }
        }
    }

    /** Computes the status of all budgets of a namespace in which a workload has changed. */
    void ownerChanged(String namespace) {
        if (begun) {
            replicaSets.remove(namespace);
            List.copyOf(cluster.budgetsIn(namespace)).forEach(this::recount);
        }
    }

    private void recount(DisruptionBudget budget) {
        Count count = count(budget);
        Optional.ofNullable(most.get(budget.uid()))
                .ifPresent(allowed -> difference.merge(budget.uid(), count.spare() - allowed, Math::max));
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

    private BudgetPods podsOf(DisruptionBudget budget) {
        return pods.computeIfAbsent(
                budget.uid(),
                _ -> new BudgetPods(
                        budget.selector(), cluster.podsIn(budget.name().namespace())));
    }

    private Count count(DisruptionBudget budget) {
        BudgetPods selected = podsOf(budget);
        int number = selected.size();
        int healthy = selected.healthy();
        return switch (budget.spec().limit()) {
            case DisruptionBudget.Limit.None _ -> new Count(number, healthy, 0);
            case DisruptionBudget.Limit.MinAvailable(int least) -> new Count(number, healthy, least);
            case DisruptionBudget.Limit.MinAvailablePercent(int percent) -> {
                int scale = scale(budget, selected);
                yield new Count(scale, healthy, share(percent, scale));
            }
            case DisruptionBudget.Limit.MaxUnavailable(int most) -> {
                int scale = scale(budget, selected);
                yield new Count(scale, healthy, Math.max(0, scale - most));
            }
            case DisruptionBudget.Limit.MaxUnavailablePercent(int percent) -> {
                int scale = scale(budget, selected);
                yield new Count(scale, healthy, Math.max(0, scale - share(percent, scale)));
            }
        };
    }

    private static int share(int percent, int scale) {
        return Math.ceilDiv(percent * scale, PERCENT);
    }

    /**
     * {@return the replicas of all controllers of these pods; zero if one of them has no scale} For a controller that
     * is not in the input, its pods count as replicas.
     */
    private int scale(DisruptionBudget budget, BudgetPods selected) {
        String namespace = budget.name().namespace();
        Map<String, Integer> replicas = new HashMap<>();
        for (Map.Entry<Controller, Integer> entry : selected.living().entrySet()) {
            Controller controller = entry.getKey();
            if (WITHOUT_SCALE.contains(controller.kind())) {
                return 0;
            }
            Optional<Owner> owner = cluster.owner(namespace, controller.uid())
                    .filter(known -> known.replicas().isPresent());
            Optional<String> deployment = owner.flatMap(Owner::controller).map(Controller::uid);
            if (owner.isEmpty()) {
                replicas.merge(controller.uid(), entry.getValue(), Integer::sum);
            } else if (deployment.isEmpty()) {
                replicas.put(owner.get().uid(), owner.get().replicas().orElse(0));
            } else {
                replicas.computeIfAbsent(deployment.get(), uid -> scaleOfDeployment(namespace, uid));
            }
        }
        return replicas.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** {@return how many pods a Deployment wants} In a roll-out, its ReplicaSets together may want more or fewer. */
    private int scaleOfDeployment(String namespace, String uid) {
        return rollingOut
                .apply(uid)
                .orElseGet(() ->
                        replicaSets.computeIfAbsent(namespace, this::byDeployment).getOrDefault(uid, List.of()).stream()
                                .mapToInt(set -> set.replicas().orElse(0))
                                .sum());
    }

    private Map<String, List<Owner>> byDeployment(String namespace) {
        Map<String, List<Owner>> sets = new HashMap<>();
        cluster.ownersIn(namespace)
                .forEach(set -> set.controller()
                        .ifPresent(above -> sets.computeIfAbsent(above.uid(), _ -> new ArrayList<>())
                                .add(set)));
        return sets;
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
     * {@return whether a budget allows an eviction} A pod that is not Ready may go while enough others are Ready, by
     * the default {@code unhealthyPodEvictionPolicy: IfHealthyBudget}.
     */
    private boolean allows(DisruptionBudget budget, Pod pod) {
        if (budget.disruptionsAllowed() > 0 || (!pod.ready() && budget.spec().evictsUnhealthy())) {
            return true;
        }
        Count count = count(budget);
        return !pod.ready() && count.desired() > 0 && spare(budget, count) >= 0;
    }

    /** {@return whether the API server asks budgets: not for a pod that is unstarted, finished or being deleted} */
    private static boolean counts(Pod pod) {
        return pod.started() && !pod.finished() && !pod.terminating();
    }

    /** {@return the budgets that select a pod and have fewer Ready pods than they require, by name} */
    List<BudgetShortage> shortages(Pod pod) {
        return of(pod).stream()
                .map(budget -> new BudgetShortage(
                        budget.name().name(),
                        count(budget).healthy(),
                        count(budget).desired()))
                .filter(it -> it.ready() < it.required())
                .sorted(Comparator.comparing(BudgetShortage::budget))
                .toList();
    }

    private List<DisruptionBudget> of(Pod pod) {
        return cluster.budgetsIn(pod.namespace()).stream()
                .filter(budget -> podsOf(budget).selects(pod))
                .toList();
    }

    /**
     * The pods that a disruption budget selects. Each change of a pod is counted, so that none of the others is read
     * again.
     */
    private static final class BudgetPods {
        /** Empty if the selector is invalid: then it selects no pod. */
        private final Optional<LabelMatcher> matcher;

        private final Map<String, Pod> pods = new HashMap<>();

        /** How many pods of each controller are neither finished nor being deleted; 0 if all are. */
        private final Map<Controller, Integer> living = new HashMap<>();

        /** How many pods each controller has. */
        private final Map<Controller, Integer> all = new HashMap<>();

        private int healthy;

        BudgetPods(Optional<LabelSelector> selector, Collection<Pod> pods) {
            this.matcher = LabelMatcher.of(selector) instanceof ParseResult.Usable<LabelMatcher>(LabelMatcher usable)
                    ? Optional.of(usable)
                    : Optional.empty();
            pods.stream().filter(this::selects).forEach(pod -> count(pod, 1));
            pods.stream().filter(this::selects).forEach(pod -> this.pods.put(pod.uid(), pod));
        }

        boolean selects(Pod pod) {
            return matcher.filter(it -> it.matches(pod.labels())).isPresent();
        }

        /**
         * Records the state of a pod; empty if the pod is gone. Returns whether the pod counts here, or did before.
         */
        boolean changed(String uid, Optional<Pod> now) {
            Optional<Pod> selected = now.filter(this::selects);
            Optional<Pod> before = Optional.ofNullable(pods.remove(uid));
            before.ifPresent(pod -> count(pod, -1));
            selected.ifPresent(pod -> {
                pods.put(uid, pod);
                count(pod, 1);
            });
            return before.isPresent() || selected.isPresent();
        }

        private void count(Pod pod, int by) {
            healthy += pod.ready() && !pod.terminating() ? by : 0;
            boolean lives = !pod.finished() && !pod.terminating();
            pod.victimProtection().controller().ifPresent(controller -> {
                living.merge(controller, lives ? by : 0, Integer::sum);
                if (all.merge(controller, by, Integer::sum) == 0) {
                    all.remove(controller);
                    living.remove(controller);
                }
            });
        }

        int size() {
            return pods.size();
        }

        /** {@return how many are Ready and not being deleted} */
        int healthy() {
            return healthy;
        }

        /** {@return how many pods of each controller are neither finished nor being deleted} */
        Map<Controller, Integer> living() {
            return Collections.unmodifiableMap(living);
        }
    }

    /** {@return whether two objects differ only in their status, which a controller computes} */
    static boolean isSameSpec(DisruptionBudget known, DisruptionBudget budget) {
        return known.uid().equals(budget.uid())
                && known.name().equals(budget.name())
                && known.selector().equals(budget.selector())
                && known.spec().limit().equals(budget.spec().limit())
                && known.spec().evictsUnhealthy() == budget.spec().evictsUnhealthy();
    }
}
