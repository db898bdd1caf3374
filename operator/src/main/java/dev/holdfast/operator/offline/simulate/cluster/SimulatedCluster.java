package dev.holdfast.operator.offline.simulate.cluster;

import dev.holdfast.operator.offline.simulate.object.Assumptions;
import dev.holdfast.operator.offline.simulate.object.BudgetShortage;
import dev.holdfast.operator.offline.simulate.object.KnownObjects;
import dev.holdfast.operator.offline.simulate.object.NewPods;
import dev.holdfast.operator.offline.simulate.object.PodStages;
import dev.holdfast.operator.offline.waiting.Waiting;
import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClaimedVolume;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.DisruptionBudget;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.ResourceQuota;
import dev.holdfast.policies.model.StatefulSetRevisions;
import dev.holdfast.policies.model.VictimProtection;
import dev.holdfast.policies.plan.capacity.PodAdmission;
import dev.holdfast.policies.plan.capacity.Replacement;
import dev.holdfast.policies.plan.check.QuotaExceededCheck;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.plan.move.Hold;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.HashMap;
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
 * A cluster whose controllers replace pods that are evicted, and whose scheduler binds the new ones. A pod that is
 * evicted is gone at once.
 */
public final class SimulatedCluster {
    private final LiveCluster cluster = new LiveCluster(Set.of());
    private final Agenda agenda;
    private final Assumptions assumptions;
    private final Consumer<ClusterEvent> watch;
    private final Function<NamespacedName, ClaimedVolume> volumes;
    private final UnaryOperator<Pod> templates;
    private final Admission admission;
    private final SimulatedScheduler scheduler;
    private final SimulatedBudgets budgets;

    /** The UIDs of pods that wait for a node. */
    private final Set<String> waiting = new LinkedHashSet<>();

    private NewPods newPods = NewPods.START;

    /** The pods that controllers have yet to create: {@link Replacement} has none now, or the API server refuses it. */
    private final MissingPods missing = new MissingPods();

    /** The pods that were deleted or ended and whose replacements do not exist yet, by UID of the replacement. */
    private final Map<String, Pod> replaced = new HashMap<>();

    /**
     * The messages of the condition ReplicaFailure that follow from refusals in the simulation, by UID of the
     * ReplicaSet.
     */
    private final Map<String, String> notedFailures = new HashMap<>();

    /**
     * The UIDs of controllers of which a pod was evicted. If the kind of a controller is unknown, a policy says that
     * such controllers replace pods.
     */
    private final Set<String> allowedControllers = new HashSet<>();

    /**
     * The UIDs of controllers of which a policy evicted a pod although the API server would refuse the replacement,
     * because the policy switched this check off.
     */
    private final Set<String> exemptControllers = new HashSet<>();

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
     * @param admission what the API server makes of a pod that is created, and the rules that the pod prefers
     * @param rollingOut how many pods a Deployment wants that rolls out, by its UID; empty for others
     * @param watch gets each change of an object
     */
    public SimulatedCluster(
            Agenda agenda,
            Assumptions assumptions,
            Function<NamespacedName, ClaimedVolume> volumes,
            UnaryOperator<Pod> templates,
            Admission admission,
            Function<String, OptionalInt> rollingOut,
            Consumer<ClusterEvent> watch) {
        this.agenda = agenda;
        this.assumptions = assumptions;
        this.volumes = volumes;
        this.templates = templates;
        this.admission = admission;
        this.scheduler = new SimulatedScheduler(cluster, volumes, admission);
        this.budgets = new SimulatedBudgets(cluster, rollingOut, this::change);
        this.watch = watch;
    }

    public ClusterView view() {
        return cluster;
    }

    /** {@return where the volume of a claim can be used} */
    public ClaimedVolume volume(NamespacedName claim) {
        return volumes.apply(claim);
    }

    /**
     * Begins to bind pods that wait for a node: the scheduler tries all of them soon, and again after each change. From
     * now on, quotas count the pods that come and go.
     */
    public void begin() {
        begun = true;
        cluster.pods().stream()
                .map(Pod::namespace)
                .distinct()
                .toList()
                .forEach(namespace -> List.copyOf(cluster.quotasIn(namespace))
                        .forEach(quota -> change(new ClusterEvent.QuotaChanged(withStatus(quota)))));
        scheduling = true;
        agenda.in(assumptions.bindsAfter(), this::schedule);
    }

    /** {@return a quota with the amounts that are known to be used; those that its status lacks are counted} */
    private ResourceQuota withStatus(ResourceQuota quota) {
        Map<String, BigDecimal> used = new HashMap<>();
        for (Pod pod : cluster.podsIn(quota.name().namespace())) {
            QuotaExceededCheck.counted(quota.withUsed(used), Optional.empty(), Optional.of(pod))
                    .used()
                    .forEach(used::put);
        }
        used.putAll(quota.used());
        cluster.quotasIn(quota.name().namespace()).stream()
                .filter(known -> known.uid().equals(quota.uid()))
                .forEach(known -> used.putAll(known.used()));
        used.keySet().retainAll(quota.hard().keySet());
        return quota.withUsed(used);
    }

    /** Lets quotas count a change of a pod, as their controller does. */
    private void count(Optional<Pod> before, Optional<Pod> after) {
        after.or(() -> before)
                .map(Pod::namespace)
                .ifPresent(namespace -> List.copyOf(cluster.quotasIn(namespace))
                        .forEach(quota -> change(
                                new ClusterEvent.QuotaChanged(QuotaExceededCheck.counted(quota, before, after)))));
    }

    /** Counts the disruption budgets of a namespace, in which a workload wants another number of pods. */
    public void countBudgets(String namespace) {
        budgets.ownerChanged(namespace);
    }

    /** {@return the budgets that select a pod and have fewer Ready pods than they require, by name} */
    public List<BudgetShortage> shortages(Pod pod) {
        return budgets.shortages(pod);
    }

    /** Begins to count the status of disruption budgets. */
    public void countBudgets() {
        budgets.begin();
    }

    /** Creates or replaces an object as a person does, who does not write the status that a controller counts. */
    public void put(ClusterEvent event) {
        if (begun && event instanceof ClusterEvent.QuotaChanged(ResourceQuota quota)) {
            change(new ClusterEvent.QuotaChanged(withStatus(quota)));
        } else if (!(event instanceof ClusterEvent.BudgetChanged(DisruptionBudget budget))) {
            change(event);
        } else if (cluster.budgetsIn(budget.name().namespace()).stream()
                .noneMatch(known -> SimulatedBudgets.isSameSpec(known, budget))) {
            change(event);
            budgets.written(budget);
        }
    }

    /** Changes, creates or removes an object. If nothing changes, there is no event, as in a cluster. */
    public void change(ClusterEvent event) {
        if (KnownObjects.has(event, cluster)) {
            return;
        }
        if (begun && event instanceof ClusterEvent.PodChanged(Pod pod) && isNewOfOtherScheduler(pod)) {
            ofOtherSchedulers.add(pod.uid());
        }
        Optional<Pod> ended = event instanceof ClusterEvent.PodGone(String uid) ? cluster.pod(uid) : Optional.empty();
        Optional<Pod> after = event instanceof ClusterEvent.PodChanged(Pod pod) ? Optional.of(pod) : Optional.empty();
        Optional<Pod> before = after.flatMap(pod -> cluster.pod(pod.uid())).or(() -> ended);
        cluster.apply(event);
        scheduler.changed(event, before);
        // The API server takes an eviction from the budget before it deletes the pod.
        ended.ifPresent(budgets::podChanged);
        switch (event) {
            case ClusterEvent.PodChanged(Pod pod) -> budgets.podChanged(pod);
            case ClusterEvent.OwnerChanged(Owner owner) ->
                budgets.ownerChanged(owner.name().namespace());
            case ClusterEvent.PodGone _,
                    ClusterEvent.OwnerGone _,
                    ClusterEvent.OfNode _,
                    ClusterEvent.OfNamespace _,
                    ClusterEvent.OfBudget _,
                    ClusterEvent.OfCapacity _ -> {}
        }
        watch.accept(event);
        if (begun) {
            count(before, after);
        }
        if (event instanceof ClusterEvent.PodChanged(Pod pod) && waitsForNode(pod)) {
            waiting.add(pod.uid());
        }
        // Each change may let a controller go on.
        if (!missing.isEmpty() && !creating) {
            creating = true;
            agenda.in(Duration.ZERO, this::createMissing);
        }
        // Each change may make room for a pod that waits.
        if (begun && !waiting.isEmpty() && !scheduling) {
            scheduling = true;
            agenda.in(assumptions.bindsAfter(), this::schedule);
        }
    }

    /** {@return whether the scheduler places a pod} Another scheduler may let a pod of the input wait. */
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

    /** Binds waiting pods. If no node takes a pod, others of its workload are tried only if they have own volumes. */
    private void schedule() {
        Set<Optional<Controller>> refused = new HashSet<>();
        for (String uid : List.copyOf(waiting)) {
            Optional<Pod> pod = cluster.pod(uid).filter(this::waitsForNode);
            if (pod.isEmpty()) {
                waiting.remove(uid);
            } else if (!refused.contains(pod.get().victimProtection().controller())) {
                Optional<Node> node = scheduler.nodeFor(pod.get());
                node.ifPresent(it -> bind(pod.get(), it));
                pod.filter(it -> node.isEmpty() && !PodStages.isOfStatefulSet(it))
                        .flatMap(it -> it.victimProtection().controller())
                        .ifPresent(controller -> refused.add(Optional.of(controller)));
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
    public void start(String uid) {
        agenda.in(assumptions.readyAfter(), () -> {
            if (newPods == NewPods.NOT_READY) {
                notStarted.add(uid);
            } else {
                becomesReady(uid);
            }
        });
    }

    /** Sets what happens to new pods. Pods that wait for the setting go on. */
    public void set(NewPods fate) {
        newPods = fate;
        createMissing();
        if (fate != NewPods.NOT_READY) {
            List<String> starting = List.copyOf(notStarted);
            notStarted.clear();
            starting.forEach(this::start);
        }
    }

    /** Lets a pod become Ready if its node is. */
    public void becomesReady(String uid) {
        cluster.pod(uid)
                .filter(pod -> !pod.ready() && !pod.finished() && !pod.terminating() && !crashed.contains(uid))
                .filter(pod -> pod.nodeName()
                        .flatMap(cluster::node)
                        .filter(Node::ready)
                        .isPresent())
                .ifPresent(pod -> change(new ClusterEvent.PodChanged(PodStages.ready(pod))));
    }

    /** Makes a pod not Ready. */
    public void becomesUnready(Pod pod) {
        if (pod.ready()) {
            change(new ClusterEvent.PodChanged(PodStages.unready(pod)));
        }
    }

    /** Makes a pod not Ready until it is repaired. */
    public void crash(Pod pod) {
        crashed.add(pod.uid());
        becomesUnready(pod);
    }

    /** Lets a pod be Ready again, as soon as its node is. */
    public void repair(Pod pod) {
        crashed.remove(pod.uid());
        becomesReady(pod.uid());
    }

    /** Lets a pod succeed. */
    public void finish(Pod pod) {
        change(new ClusterEvent.PodChanged(PodStages.succeeded(pod)));
    }

    /**
     * Requests the deletion of a pod that no kubelet ends: it stays and terminates. Returns the pod that its controller
     * creates; empty if it creates none.
     */
    public Optional<Pod> terminate(Pod pod) {
        if (pod.terminating()) {
            return Optional.empty();
        }
        Pod other = successor(pod);
        boolean replaces = isReplaced(pod) && !PodStages.isOfStatefulSet(pod);
        change(new ClusterEvent.PodChanged(PodStages.terminating(pod, agenda.instant())));
        return replaces ? Optional.of(create(other, pod)) : Optional.empty();
    }

    private Pod successor(Pod pod) {
        return PodStages.replacing(pod, templates.apply(pod), agenda.instant());
    }

    /** {@return the answer to a request to evict a pod, which changes nothing yet} */
    public EvictionAnswer answer(NamespacedName name, String uid) {
        return cluster.pod(uid)
                .filter(pod -> pod.name().equals(name))
                .map(budgets::answer)
                .orElseGet(EvictionAnswer.Gone::new);
    }

    /** Evicts a pod if its disruption budget allows it. The controller creates another pod. */
    public EvictionAnswer evict(NamespacedName name, String uid) {
        EvictionAnswer answer = answer(name, uid);
        if (answer instanceof EvictionAnswer.Evicted) {
            Pod pod = cluster.pod(uid).orElseThrow();
            boolean exempt = PodAdmission.refusal(Replacement.podFor(pod, cluster), cluster)
                    .isPresent();
            pod.victimProtection().controller().ifPresent(it -> {
                allowedControllers.add(it.uid());
                if (exempt) {
                    exemptControllers.add(it.uid());
                }
            });
            remove(pod);
        }
        return answer;
    }

    /** {@return why a pod has no node now} */
    public Waiting whyWaiting(Pod pod) {
        return scheduler.why(pod);
    }

    /** {@return the node that would take another pod in the place of one that is bound, or why no node would} */
    String whereAfter(Pod pod) {
        return scheduler
                .nodeFor(pod)
                .map(node -> "node " + node.name() + " would take it")
                .orElseGet(() -> "no node would take it: " + scheduler.why(pod).why());
    }

    /**
     * Removes a pod; on a node that is not Ready it terminates. Returns the pod that its controller creates; empty if
     * it creates none.
     */
    public Optional<Pod> remove(Pod pod) {
        if (isOnFailedNode(pod)) {
            return terminate(pod);
        }
        Pod other = successor(pod);
        gone(pod);
        return isReplaced(pod) ? Optional.of(create(other, pod)) : Optional.empty();
    }

    private boolean isOnFailedNode(Pod pod) {
        Optional<Node> node = pod.nodeName().flatMap(cluster::node);
        return node.isPresent() && !node.get().ready();
    }

    /** Ends a pod of a ReplicaSet that wants fewer; on a node that is not Ready it terminates. */
    public void end(Pod pod) {
        if (!isOnFailedNode(pod)) {
            gone(pod);
        } else if (!pod.terminating()) {
            change(new ClusterEvent.PodChanged(PodStages.terminating(pod, agenda.instant())));
        }
    }

    /** Removes a pod that no controller replaces. */
    public void gone(Pod pod) {
        if (!missing.remove(pod.uid())) {
            change(new ClusterEvent.PodGone(pod.uid()));
        }
        replaced.remove(pod.uid());
    }

    /** {@return whether the deletion of a pod leads to a replacement; a terminating pod usually has one already} */
    private static boolean isReplaced(Pod pod) {
        VictimProtection protection = pod.victimProtection();
        return protection.controller().isPresent()
                && !protection.ofDaemonSet()
                && !protection.mirror()
                && !pod.finished()
                && (!pod.terminating() || PodStages.isOfStatefulSet(pod));
    }

    /** Creates a pod like another one, and returns it. */
    public Pod create(String uid, NamespacedName name, Pod like) {
        return create(PodStages.created(uid, name, like, agenda.instant()));
    }

    /** Creates a pod in the place of one that is gone, which quotas counted unless it was terminating. */
    private Pod create(Pod pod, Pod gone) {
        if (!gone.terminating()) {
            replaced.put(pod.uid(), gone);
        }
        return create(pod);
    }

    private Pod create(Pod pod) {
        if (!isCreated(pod, new ControllerCounts(cluster))) {
            missing.add(pod);
        }
        noteRefusals(pod);
        return pod;
    }

    /**
     * Lets the controller create a pod if it would do so now. Returns false if it would not, or if the API server
     * refuses the pod.
     */
    private boolean isCreated(Pod pod, ControllerCounts counts) {
        if (replacement(pod, counts) instanceof Replacement.Created(Pod made)
                && refusal(made).isEmpty()) {
            replaced.remove(pod.uid());
            add(PodStages.created(pod.uid(), pod.name(), made, agenda.instant()));
            return true;
        }
        return false;
    }

    /** {@return what the planner expects in place of a pod, also if a policy allows {@code UnknownController}} */
    private Replacement replacement(Pod pod, ControllerCounts counts) {
        return switch (Replacement.of(pod, cluster, counts.of(pod))) {
            case Replacement.None(Hold hold)
            when hold.reason() == Reason.UNKNOWN_CONTROLLER && isOf(allowedControllers, pod) ->
                new Replacement.Created(Replacement.podFor(pod, cluster));
            case Replacement.None none -> none;
            case Replacement.Created created -> created;
        };
    }

    private static boolean isOf(Set<String> controllers, Pod pod) {
        return pod.victimProtection()
                .controller()
                .filter(it -> controllers.contains(it.uid()))
                .isPresent();
    }

    /** Sets the condition ReplicaFailure of the ReplicaSet of a pod, as its controller does. */
    private void noteRefusals(Pod pod) {
        ownerOf(pod)
                .filter(owner -> owner.kind().equals("ReplicaSet"))
                .filter(owner -> failure(owner).isEmpty())
                .ifPresent(owner -> {
                    Optional<String> refusal = missing.of(owner.uid()).stream()
                            .flatMap(it -> refusal(Replacement.podFor(it, cluster)).stream())
                            .findFirst();
                    notedFailures.put(owner.uid(), refusal.orElse(""));
                    change(new ClusterEvent.OwnerChanged(owner.withReplicaFailure(refusal)));
                });
    }

    /**
     * {@return the condition ReplicaFailure that an object of the input says, whatever its cause is; empty if it is not
     * true}
     */
    private Optional<String> failure(Owner owner) {
        return owner.replicaFailure()
                .filter(message -> !message.equals(notedFailures.get(owner.uid())))
                .flatMap(_ -> PodAdmission.failure(owner));
    }

    private Optional<Owner> ownerOf(Pod pod) {
        return pod.victimProtection().controller().flatMap(it -> cluster.owner(pod.namespace(), it.uid()));
    }

    /**
     * {@return why the API server refuses a new pod, in the words of the planner; empty if the pod is admitted}
     */
    private Optional<String> refusal(Pod pod) {
        return newPods == NewPods.REFUSED
                ? Optional.of("pod " + pod.name() + " is refused by the API server")
                : PodAdmission.admitted(pod, cluster).stream()
                        .flatMap(it -> byQuota(it).stream())
                        .findFirst()
                        .or(() -> ownerOf(pod).flatMap(this::failure))
                        .or(() -> isOf(exemptControllers, pod)
                                ? PodAdmission.refusalOfExempt(pod, cluster)
                                : PodAdmission.refusalOfReplacement(pod, cluster));
    }

    /** {@return why a quota refuses a pod} The planner asks while quotas count the replaced pod, so it counts here. */
    private Optional<String> byQuota(Pod pod) {
        Optional<Pod> gone = Optional.ofNullable(replaced.get(pod.uid()));
        return QuotaExceededCheck.refusal(
                pod,
                gone,
                cluster.quotasIn(pod.namespace()).stream()
                        .map(quota -> QuotaExceededCheck.counted(quota, Optional.empty(), gone))
                        .toList());
    }

    /** {@return the pods that controllers have yet to create, each with the reason, in order} */
    public Map<Pod, String> missing() {
        ControllerCounts counts = new ControllerCounts(cluster);
        Map<Pod, String> why = new LinkedHashMap<>();
        missing.all().forEach(pod -> {
            Optional<String> reason = switch (replacement(pod, counts)) {
                case Replacement.None(Hold hold) -> Optional.of(hold.message());
                case Replacement.Created(Pod made) -> refusal(made);
            };
            reason.ifPresent(it -> why.put(pod, it));
        });
        return why;
    }

    /** Adds a pod as the API server admits it. */
    public void add(Pod pod) {
        change(new ClusterEvent.PodChanged(admission.admitted(PodAdmission.withDefaults(pod, cluster), cluster)));
    }

    /** {@return whether a controller still tries to create a pod} */
    public boolean isAwaited(String uid) {
        return missing.has(uid);
    }

    private void createMissing() {
        creating = false;
        ControllerCounts counts = new ControllerCounts(cluster);
        for (Pod pod : missing.all()) {
            // The template may be another one since.
            if (isCreated(PodStages.created(pod.uid(), pod.name(), templates.apply(pod), agenda.instant()), counts)) {
                missing.remove(pod.uid());
                noteRefusals(pod);
            }
        }
    }

    /** {@return whether a StatefulSet has all its pods before an ordinal, and all are Ready} */
    public boolean areReady(Owner set, int end) {
        int first = set.revisions().map(StatefulSetRevisions::firstOrdinal).orElse(0);
        long ready = podsOf(set).stream()
                .filter(Pod::ready)
                .mapToInt(PodStages::ordinal)
                .filter(ordinal -> ordinal < end)
                .count();
        return ready >= end - first;
    }

    /** {@return the pods that a workload has or tries to create: neither finished nor being deleted} */
    public List<Pod> podsOf(Owner owner) {
        return allPodsOf(owner).stream().filter(pod -> !pod.terminating()).toList();
    }

    /** {@return the pods that a workload has or tries to create, with those that terminate} */
    public List<Pod> allPodsOf(Owner owner) {
        return Stream.concat(cluster.podsControlledBy(owner.uid()).stream(), missing.of(owner.uid()).stream())
                .filter(pod -> pod.namespace().equals(owner.name().namespace()) && !pod.finished())
                .toList();
    }

    /** {@return the pod of this name; empty if there is none} */
    public Optional<Pod> find(NamespacedName name) {
        return cluster.podsIn(name.namespace()).stream()
                .filter(pod -> pod.name().equals(name))
                .findFirst();
    }
}
