package dev.holdfast.operator.simulate;

import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.model.ClaimedVolume;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.DisruptionBudget;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.ResourceQuota;
import dev.holdfast.policies.model.StatefulSetRevisions;
import dev.holdfast.policies.model.VictimProtection;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.rule.Rule;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A cluster whose controllers replace pods that are evicted, and whose scheduler binds the new ones. A pod that is evicted
 * is gone at once.
 */
final class SimulatedCluster {
    private final LiveCluster cluster = new LiveCluster(Set.of());
    private final Agenda agenda;
    private final Assumptions assumptions;
    private final Consumer<ClusterEvent> watch;
    private final Function<NamespacedName, ClaimedVolume> volumes;
    private final UnaryOperator<Pod> templates;
    private final UnaryOperator<Pod> admission;
    private final Function<Pod, List<Rule>> preferences;
    private final SimulatedScheduler scheduler;
    private final SimulatedBudgets budgets;

    /** The UIDs of pods that wait for a node. */
    private final Set<String> waiting = new LinkedHashSet<>();

    private NewPods newPods = NewPods.START;

    /**
     * The pods that controllers have yet to create, by UID: the API server refuses them, or other pods of their StatefulSet
     * come first.
     */
    private final Map<String, Pod> missing = new LinkedHashMap<>();

    /** The UIDs of the StatefulSets that create a pod only when all pods before it are Ready. */
    private Set<String> ordered = Set.of();

    /** The UIDs of pods that do not become Ready before they are repaired. */
    private final Set<String> crashed = new HashSet<>();

    /** The UIDs of bound pods whose start is due. */
    private final Set<String> notStarted = new LinkedHashSet<>();

    /** The UIDs of pods with another scheduler that are new, and are placed as by the default scheduler. */
    private final Set<String> ofOtherSchedulers = new HashSet<>();

    private boolean begun;
    private boolean scheduling;
    private boolean creating;

    /**
     * @param volumes where the volumes of claims can be used
     * @param templates what the next pod in the place of one is like
     * @param admission what the API server makes of a pod that is created
     * @param preferences the rules that policies let a pod prefer
     * @param rollingOut how many pods a Deployment wants that rolls out, by its UID; empty for others
     * @param watch gets each change of an object
     */
    SimulatedCluster(
            Agenda agenda,
            Assumptions assumptions,
            Function<NamespacedName, ClaimedVolume> volumes,
            UnaryOperator<Pod> templates,
            UnaryOperator<Pod> admission,
            Function<Pod, List<Rule>> preferences,
            Function<String, OptionalInt> rollingOut,
            Consumer<ClusterEvent> watch) {
        this.agenda = agenda;
        this.assumptions = assumptions;
        this.volumes = volumes;
        this.templates = templates;
        this.admission = admission;
        this.preferences = preferences;
        this.scheduler = new SimulatedScheduler(cluster, volumes);
        this.budgets = new SimulatedBudgets(cluster, rollingOut, this::change);
        this.watch = watch;
    }

    ClusterView view() {
        return cluster;
    }

    /** {@return where the volume of a claim can be used} */
    ClaimedVolume volume(NamespacedName claim) {
        return volumes.apply(claim);
    }

    /** Sets which StatefulSets have the pod management policy OrderedReady, by UID. */
    void setOrdered(Set<String> uids) {
        ordered = Set.copyOf(uids);
    }

    boolean isOrdered(Owner set) {
        return ordered.contains(set.uid());
    }

    /** Begins to bind pods that wait for a node, at the next change: until then the real scheduler has found none. */
    void begin() {
        begun = true;
    }

    /** Counts the disruption budgets of a namespace, in which a workload wants another number of pods. */
    void countBudgets(String namespace) {
        budgets.ownerChanged(namespace);
    }

    /** Begins to count the status of disruption budgets. */
    void countBudgets() {
        budgets.begin();
    }

    /** Creates or replaces an object as a person does, who does not write the status that a controller counts. */
    void put(ClusterEvent event) {
        if (!(event instanceof ClusterEvent.BudgetChanged(DisruptionBudget budget))) {
            change(event);
        } else if (cluster.budgetsIn(budget.name().namespace()).stream()
                .noneMatch(known -> isSameSpec(known, budget))) {
            change(event);
            budgets.written(budget);
        }
    }

    /** The status of both may differ: a controller counts it. */
    private static boolean isSameSpec(DisruptionBudget known, DisruptionBudget budget) {
        return known.uid().equals(budget.uid())
                && known.name().equals(budget.name())
                && known.selector().equals(budget.selector())
                && known.spec().limit().equals(budget.spec().limit())
                && known.spec().evictsUnhealthy() == budget.spec().evictsUnhealthy();
    }

    /** Changes, creates or removes an object. If it is so already, there is no event, as in a cluster. */
    void change(ClusterEvent event) {
        if (isSo(event)) {
            return;
        }
        if (begun && event instanceof ClusterEvent.PodChanged(Pod pod) && isNewOfOtherScheduler(pod)) {
            ofOtherSchedulers.add(pod.uid());
        }
        Optional<Pod> ended = event instanceof ClusterEvent.PodGone(String uid) ? cluster.pod(uid) : Optional.empty();
        cluster.apply(event);
        // The API server takes an eviction from the budget before it deletes the pod.
        ended.ifPresent(budgets::podChanged);
        switch (event) {
            case ClusterEvent.PodChanged(Pod pod) -> budgets.podChanged(pod);
            case ClusterEvent.OwnerChanged(Owner owner) ->
                budgets.ownerChanged(owner.name().namespace());
            case ClusterEvent _ -> {}
        }
        watch.accept(event);
        if (event instanceof ClusterEvent.PodChanged(Pod pod) && waitsForNode(pod)) {
            waiting.add(pod.uid());
        }
        if (event instanceof ClusterEvent.OfPod && !ordered.isEmpty() && !missing.isEmpty() && !creating) {
            creating = true;
            agenda.in(Duration.ZERO, this::createMissing);
        }
        // Each change may make room for a pod that waits.
        if (begun && !waiting.isEmpty() && !scheduling) {
            scheduling = true;
            agenda.in(assumptions.bindsAfter(), this::schedule);
        }
    }

    private boolean isSo(ClusterEvent event) {
        return switch (event) {
            case ClusterEvent.PodChanged(Pod pod) ->
                cluster.pod(pod.uid()).filter(pod::equals).isPresent();
            case ClusterEvent.NodeChanged(Node node) ->
                cluster.node(node.name()).filter(node::equals).isPresent();
            case ClusterEvent.NamespaceChanged(Namespace namespace) ->
                cluster.namespace(namespace.name()).filter(namespace::equals).isPresent();
            case ClusterEvent.OwnerChanged(Owner owner) ->
                cluster.owner(owner.name().namespace(), owner.uid())
                        .filter(owner::equals)
                        .isPresent();
            case ClusterEvent.BudgetChanged(DisruptionBudget budget) ->
                cluster.budgetsIn(budget.name().namespace()).contains(budget);
            case ClusterEvent.QuotaChanged(ResourceQuota quota) ->
                cluster.quotasIn(quota.name().namespace()).contains(quota);
            case ClusterEvent _ -> false;
        };
    }

    /** Another scheduler may let a pod of the input wait for a reason of its own, such as a queue. */
    private boolean waitsForNode(Pod pod) {
        return pod.nodeName().isEmpty()
                && !pod.finished()
                && !pod.terminating()
                && (hasDefaultScheduler(pod) || ofOtherSchedulers.contains(pod.uid()));
    }

    private boolean isNewOfOtherScheduler(Pod pod) {
        return !hasDefaultScheduler(pod) && cluster.pod(pod.uid()).isEmpty();
    }

    private static boolean hasDefaultScheduler(Pod pod) {
        return pod.victimProtection().schedulerName().equals(VictimProtection.DEFAULT_SCHEDULER);
    }

    /** Of a workload whose pod no node takes, no other pod is tried in this round: thousands of them may wait. */
    private void schedule() {
        Set<Optional<Controller>> refused = new HashSet<>();
        for (String uid : List.copyOf(waiting)) {
            Optional<Pod> pod = cluster.pod(uid).filter(this::waitsForNode);
            if (pod.isEmpty()) {
                waiting.remove(uid);
            } else if (!refused.contains(pod.get().victimProtection().controller())) {
                scheduler
                        .nodeFor(pod.get(), preferences.apply(pod.get()))
                        .ifPresentOrElse(
                                node -> bind(pod.get(), node),
                                () -> pod.get()
                                        .victimProtection()
                                        .controller()
                                        .ifPresent(controller -> refused.add(Optional.of(controller))));
            }
        }
        scheduling = false;
    }

    private void bind(Pod pod, Node node) {
        waiting.remove(pod.uid());
        ofOtherSchedulers.remove(pod.uid());
        change(new ClusterEvent.PodChanged(PodStages.bound(pod, node, agenda.instant())));
        start(pod.uid());
    }

    /** Lets a bound pod become Ready some time later. */
    void start(String uid) {
        agenda.in(assumptions.readyAfter(), () -> {
            if (newPods == NewPods.NOT_READY) {
                notStarted.add(uid);
            } else {
                becomesReady(uid);
            }
        });
    }

    /** Sets what becomes of new pods. Those that wait for it go on. */
    void set(NewPods fate) {
        newPods = fate;
        createMissing();
        if (fate != NewPods.NOT_READY) {
            List<String> starting = List.copyOf(notStarted);
            notStarted.clear();
            starting.forEach(this::start);
        }
    }

    /** Lets a pod become Ready if its node is. */
    void becomesReady(String uid) {
        cluster.pod(uid)
                .filter(pod -> !pod.ready() && !pod.finished() && !pod.terminating() && !crashed.contains(uid))
                .filter(pod -> pod.nodeName()
                        .flatMap(cluster::node)
                        .filter(Node::ready)
                        .isPresent())
                .ifPresent(pod -> change(new ClusterEvent.PodChanged(PodStages.ready(pod))));
    }

    /** Makes a pod not Ready. */
    void becomesUnready(Pod pod) {
        if (pod.ready()) {
            change(new ClusterEvent.PodChanged(PodStages.unready(pod)));
        }
    }

    /** Makes a pod not Ready until it is repaired. */
    void crash(Pod pod) {
        crashed.add(pod.uid());
        becomesUnready(pod);
    }

    /** Lets a pod be Ready again, as soon as its node is. */
    void repair(Pod pod) {
        crashed.remove(pod.uid());
        becomesReady(pod.uid());
    }

    /** Lets a pod succeed. */
    void finish(Pod pod) {
        change(new ClusterEvent.PodChanged(PodStages.succeeded(pod)));
    }

    /**
     * Requests the deletion of a pod that no kubelet ends: it stays and terminates. Returns the pod that its controller
     * creates; empty if it creates none.
     */
    Optional<Pod> terminate(Pod pod) {
        if (pod.terminating()) {
            return Optional.empty();
        }
        Pod other = successor(pod);
        boolean replaced = isReplaced(pod) && !PodStages.isOfStatefulSet(pod);
        change(new ClusterEvent.PodChanged(PodStages.terminating(pod, agenda.instant())));
        return replaced ? Optional.of(create(other)) : Optional.empty();
    }

    private Pod successor(Pod pod) {
        return PodStages.replacing(pod, templates.apply(pod), agenda.instant());
    }

    /** {@return the answer to a request to evict a pod, which changes nothing yet} */
    EvictionAnswer answer(NamespacedName name, String uid) {
        return find(name)
                .filter(pod -> pod.uid().equals(uid))
                .map(budgets::answer)
                .orElseGet(EvictionAnswer.Gone::new);
    }

    /** Evicts a pod if its disruption budget allows it. Its controller creates another one. */
    EvictionAnswer evict(NamespacedName name, String uid) {
        EvictionAnswer answer = answer(name, uid);
        if (answer instanceof EvictionAnswer.Evicted) {
            remove(find(name).orElseThrow());
        }
        return answer;
    }

    /** {@return why no node takes a pod now} */
    String whyWaiting(Pod pod) {
        return scheduler.why(pod);
    }

    /**
     * Removes a pod; on a node that is not Ready it terminates. Returns the pod that its controller creates; empty if it
     * creates none.
     */
    Optional<Pod> remove(Pod pod) {
        if (pod.nodeName().flatMap(cluster::node).filter(node -> !node.ready()).isPresent()) {
            return terminate(pod);
        }
        Pod other = successor(pod);
        gone(pod);
        return isReplaced(pod) ? Optional.of(create(other)) : Optional.empty();
    }

    /** Removes a pod that no controller replaces. */
    void gone(Pod pod) {
        if (missing.remove(pod.uid()) == null) {
            change(new ClusterEvent.PodGone(pod.uid()));
        }
    }

    /** A controller replaces a pod as soon as it is deleted, so that a terminating one has its replacement already. */
    private static boolean isReplaced(Pod pod) {
        VictimProtection protection = pod.victimProtection();
        return protection.controller().isPresent()
                && !protection.ofDaemonSet()
                && !protection.mirror()
                && !pod.finished()
                && (!pod.terminating() || PodStages.isOfStatefulSet(pod));
    }

    /** Creates a pod like another one, and returns it. */
    Pod create(String uid, NamespacedName name, Pod like) {
        return create(PodStages.created(uid, name, like, agenda.instant()));
    }

    private Pod create(Pod pod) {
        if (mayBeCreated(pod)) {
            add(PodStages.created(pod.uid(), pod.name(), pod, agenda.instant()));
        } else {
            missing.put(pod.uid(), pod);
        }
        return pod;
    }

    /** Adds a pod as the API server admits it. */
    void add(Pod pod) {
        change(new ClusterEvent.PodChanged(admission.apply(pod)));
    }

    /** {@return whether a controller still tries to create a pod} */
    boolean isAwaited(String uid) {
        return missing.containsKey(uid);
    }

    private void createMissing() {
        creating = false;
        for (Pod pod : List.copyOf(missing.values())) {
            if (mayBeCreated(pod)) {
                missing.remove(pod.uid());
                // The template may be another one since.
                create(PodStages.created(pod.uid(), pod.name(), templates.apply(pod), agenda.instant()));
            }
        }
    }

    private boolean mayBeCreated(Pod pod) {
        return newPods != NewPods.REFUSED
                && pod.victimProtection()
                        .controller()
                        .map(Controller::uid)
                        .filter(ordered::contains)
                        .flatMap(uid -> cluster.owner(pod.namespace(), uid))
                        .filter(set -> !areReady(set, PodStages.ordinal(pod)))
                        .isEmpty();
    }

    /** {@return whether a StatefulSet has all its pods before an ordinal, and all are Ready} */
    boolean areReady(Owner set, int end) {
        int first = set.revisions().map(StatefulSetRevisions::firstOrdinal).orElse(0);
        long ready = podsOf(set).stream()
                .filter(Pod::ready)
                .mapToInt(PodStages::ordinal)
                .filter(ordinal -> ordinal < end)
                .count();
        return ready >= end - first;
    }

    /** {@return the pods that a workload has or tries to create: neither finished nor being deleted} */
    List<Pod> podsOf(Owner owner) {
        return allPodsOf(owner).stream().filter(pod -> !pod.terminating()).toList();
    }

    /** {@return the pods that a workload has or tries to create, with those that terminate} */
    List<Pod> allPodsOf(Owner owner) {
        return Stream.concat(cluster.podsIn(owner.name().namespace()).stream(), missing.values().stream())
                .filter(pod -> pod.victimProtection()
                        .controller()
                        .filter(it -> it.uid().equals(owner.uid()))
                        .isPresent())
                .filter(pod -> !pod.finished())
                .toList();
    }

    /** {@return the pod of this name; empty if there is none} */
    Optional<Pod> find(NamespacedName name) {
        for (Pod pod : cluster.podsIn(name.namespace())) {
            if (pod.name().equals(name)) {
                return Optional.of(pod);
            }
        }
        return Optional.empty();
    }
}
