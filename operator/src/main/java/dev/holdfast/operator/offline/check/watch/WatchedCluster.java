package dev.holdfast.operator.offline.check.watch;

import dev.holdfast.operator.offline.check.CheckReport;
import dev.holdfast.operator.offline.check.CheckedCluster;
import dev.holdfast.operator.offline.check.PolicyEnforcement;
import dev.holdfast.operator.offline.check.ViolationFacts;
import dev.holdfast.operator.offline.check.ViolationState;
import dev.holdfast.operator.offline.dump.ReadCluster;
import dev.holdfast.policies.engine.live.VerdictChanges.PodRule;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.controls.KeepAnnotations;
import dev.holdfast.policies.plan.controls.PodOverrides;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The violations of a cluster that changes: they are those that {@code check} would list at each moment. Not
 * thread-safe: one thread owns it.
 */
public final class WatchedCluster {
    private static final String OTHER_POLICIES = "other policies select the pod, or none does";

    private static final Comparator<ViolationChange> ORDER = Comparator.comparing(ViolationChange::event)
            .reversed()
            .thenComparing(ViolationChange::violation, CheckReport.OfPod.ORDER);

    private final WatchedPods watched;

    /** Holds pods to the rules of policies. It knows the cluster also while there are no policies. */
    private final Judge byPolicies;

    /** Holds pods to the rules of their own spec; absent while it judges no pod. */
    private Optional<Judge> byOwnRules = Optional.empty();

    private Map<PolicyId, Policy> policies = Map.of();
    private PolicyEnforcement enforcement = PolicyEnforcement.NONE;
    private final Map<PodRule, Shown> shown = new HashMap<>();

    /** When the next violation is due; absent until it is looked for, because most changes leave it as it is. */
    private Optional<NextDue> next = Optional.empty();

    private record NextDue(Optional<Instant> at) {}

    /**
     * A violation that the user knows.
     *
     * @param since when it began; empty if it was there at the start
     * @param dueAt when it is due if it lasts; empty if that is not known
     * @param toldDue whether the user knows that it is due
     */
    private record Shown(
            CheckReport.Violation violation, Optional<Instant> since, Optional<Instant> dueAt, boolean toldDue) {
        boolean isDue(Instant now) {
            return dueAt.filter(due -> !due.isAfter(now)).isPresent();
        }
    }

    /** @param cluster the cluster at the start, whose violations are known to the user */
    public WatchedCluster(ReadCluster cluster, WatchedPods watched, Instant now) {
        this.watched = watched;
        byPolicies = new Judge(watched.config().exemptNamespaces(), pod -> pod);
        cluster.dump().objects().forEach(byPolicies::apply);
        request(cluster);
        for (PodRule podRule : everything()) {
            find(podRule).ifPresent(found -> {
                CheckReport.Violation violation = found.violation(at(now));
                shown.put(
                        podRule,
                        new Shown(
                                violation,
                                Optional.empty(),
                                dueAt(found, now),
                                violation.state() == ViolationState.DUE));
            });
        }
        judges().forEach(Judge::listen);
    }

    /** A rule that a pod violates. */
    private record Found(Judge judge, Pod pod, AppliedRule applied, List<String> labelKeys) {
        CheckReport.Violation violation(PolicyEnforcement enforcement) {
            return judge.violation(pod, applied, enforcement, labelKeys);
        }
    }

    /** {@return whether any node has a zone} */
    public boolean hasZones() {
        return byPolicies.index().view().nodes().stream()
                .anyMatch(node -> node.labels().get(ViolationFacts.ZONE).isPresent());
    }

    /** {@return what a change of an object leads to} */
    public List<ViolationChange> apply(ClusterEvent event, Instant now) {
        boolean concernsAll = concernsAll(event);
        judges().forEach(judge -> judge.apply(event));
        Set<PodRule> concerned = concernsAll ? everything() : new LinkedHashSet<>();
        if (event instanceof ClusterEvent.PodChanged(Pod pod)) {
            judges().forEach(judge -> judge.index()
                    .rulesOf(pod.uid())
                    .forEach(applied -> concerned.add(new PodRule(pod.uid(), applied.identity()))));
        }
        return changes(concerned, now);
    }

    /** {@return what a change of policies, or of what the operator writes into their status, leads to} */
    public List<ViolationChange> put(ReadCluster cluster, Instant now) {
        request(cluster);
        List<ViolationChange> changes = changes(everything(), now);
        shown.replaceAll((podRule, before) -> find(podRule)
                .map(found -> {
                    Shown after = new Shown(before.violation(), before.since(), dueAt(found, now), before.toldDue());
                    // A deadline that the operator has made later is told again.
                    return after.isDue(now) ? after : new Shown(after.violation(), after.since(), after.dueAt(), false);
                })
                .orElse(before));
        next = Optional.empty();
        return changes;
    }

    private void request(ReadCluster cluster) {
        enforcement = PolicyEnforcement.of(cluster, watched.config().maxMode(), Instant.EPOCH);
        Map<PolicyId, Policy> requested = new HashMap<>();
        cluster.rules().forEach(policy -> requested.put(policy.id(), policy));
        policies.keySet().stream().filter(id -> !requested.containsKey(id)).forEach(byPolicies.index()::remove);
        requested.values().stream()
                .filter(policy -> !policy.equals(policies.get(policy.id())))
                .forEach(byPolicies.index()::put);
        policies = Map.copyOf(requested);
        byOwnRules = policies.isEmpty() || watched.ownRules()
                ? byOwnRules.or(() -> Optional.of(ownRules()))
                : Optional.empty();
    }

    private Judge ownRules() {
        // As without policies: the scheduler exempts no namespace, and an injected rule is one of the pod's spec.
        Judge judge = new Judge(Set.of(), Pod::withInjectedAsOwn);
        objects(byPolicies.index().view()).forEach(judge::apply);
        judge.index().put(CheckedCluster.OWN_RULES);
        judge.listen();
        return judge;
    }

    private static List<ClusterEvent> objects(ClusterView view) {
        List<ClusterEvent> objects = new ArrayList<>();
        view.namespaces().forEach(it -> objects.add(new ClusterEvent.NamespaceChanged(it)));
        view.nodes().forEach(it -> objects.add(new ClusterEvent.NodeChanged(it)));
        view.unreadNodes().forEach(it -> objects.add(new ClusterEvent.NodeUnread(it)));
        view.pods().forEach(it -> objects.add(new ClusterEvent.PodChanged(it)));
        return objects;
    }

    /** {@return whether any pod may get another judge, or any verdict another certainty} To be asked before it is. */
    private boolean concernsAll(ClusterEvent event) {
        ClusterView view = byPolicies.index().view();
        return switch (event) {
            case ClusterEvent.PodChanged(Pod pod) -> pod.labels().areUnread() || hasUnreadLabels(pod.uid());
            case ClusterEvent.PodGone(String uid) -> hasUnreadLabels(uid);
            case ClusterEvent.NodeChanged(Node node) ->
                view.unreadNode(node.name()).isPresent()
                        || (watched.ownRules()
                                && view.node(node.name())
                                        .filter(before -> before.labels().equals(node.labels()))
                                        .isEmpty());
            case ClusterEvent.NodeGone(String name) ->
                watched.ownRules() || view.unreadNode(name).isPresent();
            case ClusterEvent.NodeUnread _, ClusterEvent.OfNamespace _ -> true;
            case ClusterEvent.OfOwner _, ClusterEvent.OfBudget _, ClusterEvent.OfCapacity _ -> false;
        };
    }

    private boolean hasUnreadLabels(String uid) {
        return byPolicies
                .index()
                .view()
                .pod(uid)
                .filter(pod -> pod.labels().areUnread())
                .isPresent();
    }

    private List<Judge> judges() {
        List<Judge> judges = new ArrayList<>(List.of(byPolicies));
        byOwnRules.ifPresent(judges::add);
        return judges;
    }

    private Set<PodRule> everything() {
        Set<PodRule> all = new LinkedHashSet<>(shown.keySet());
        judges().forEach(judge -> all.addAll(judge.broken()));
        return all;
    }

    private static Set<PodRule> with(Set<PodRule> some, Collection<PodRule> others) {
        Set<PodRule> all = new LinkedHashSet<>(some);
        all.addAll(others);
        return all;
    }

    private Judge judgeOf(Pod pod) {
        return byOwnRules
                .filter(_ -> policies.values().stream()
                        .noneMatch(
                                policy -> policy.selects(pod, byPolicies.index().view())))
                .orElse(byPolicies);
    }

    /** {@return the violation, if there is one that the user wants to see} */
    private Optional<Found> find(PodRule podRule) {
        return pod(podRule).filter(watched.listed()).flatMap(pod -> {
            Judge judge = judgeOf(pod);
            return judge.violated(podRule)
                    .map(applied -> new Found(judge, judge.pod(podRule), applied, watched.labelKeys()));
        });
    }

    private Optional<Pod> pod(PodRule podRule) {
        return byPolicies.index().view().pod(podRule.podUid());
    }

    private List<ViolationChange> changes(Set<PodRule> concerned, Instant now) {
        Map<PodRule, String> reasons = new HashMap<>();
        judges().forEach(judge -> reasons.putAll(judge.take()));
        List<ViolationChange> changes = new ArrayList<>();
        for (PodRule podRule : with(reasons.keySet(), concerned)) {
            Optional<Found> found = find(podRule);
            if (found.isEmpty() && shown.containsKey(podRule)) {
                Shown before = shown.remove(podRule);
                changes.add(change(ViolationChange.Event.ENDED, ending(podRule, reasons), before.violation(), now));
            } else if (found.isPresent() && !shown.containsKey(podRule)) {
                CheckReport.Violation violation = begin(podRule, found.get(), now);
                changes.add(change(
                        ViolationChange.Event.BEGAN, reasons.getOrDefault(podRule, OTHER_POLICIES), violation, now));
            }
        }
        if (!changes.isEmpty()) {
            next = Optional.empty();
        }
        changes.sort(ORDER);
        return changes;
    }

    private CheckReport.Violation begin(PodRule podRule, Found found, Instant now) {
        CheckReport.Violation violation = found.violation(at(now));
        // The beginning counts for the deadline.
        shown.put(podRule, new Shown(violation, Optional.of(now), Optional.empty(), false));
        shown.put(podRule, new Shown(violation, Optional.of(now), dueAt(found, now), false));
        return violation;
    }

    private Optional<Instant> dueAt(Found found, Instant now) {
        return at(now).dueAt(found.pod(), found.applied());
    }

    private PolicyEnforcement at(Instant now) {
        return enforcement.at(now, this::observed);
    }

    private Optional<Instant> observed(Pod pod, AppliedRule applied, Duration forgiveness, PodOverrides overrides) {
        return Optional.ofNullable(shown.get(new PodRule(pod.uid(), applied.identity())))
                .flatMap(Shown::since)
                .map(since -> since.plus(overrides.lengthened(
                        forgiveness,
                        KeepAnnotations.annotationsOf(pod, byPolicies.index().view()))));
    }

    private String ending(PodRule podRule, Map<PodRule, String> reasons) {
        Optional<Pod> pod = pod(podRule);
        if (pod.isEmpty()) {
            return "the pod is gone";
        }
        if (pod.get().terminating()) {
            return "the pod is being deleted";
        }
        if (!pod.get().counts()) {
            return "the pod has finished";
        }
        if (!watched.listed().test(pod.get())) {
            return "the pod no longer has the labels of --selector";
        }
        return reasons.getOrDefault(
                podRule,
                judgeOf(pod.get()).index().isBroken(podRule.podUid(), podRule.rule())
                        ? "no verdict is possible any more"
                        : OTHER_POLICIES);
    }

    /** {@return the violations that are due since the last call} */
    public List<ViolationChange> due(Instant now) {
        if (nextDue().filter(at -> !at.isAfter(now)).isEmpty()) {
            return List.of();
        }
        next = Optional.empty();
        List<ViolationChange> changes = new ArrayList<>();
        shown.replaceAll((podRule, before) -> {
            if (before.toldDue() || !before.isDue(now)) {
                return before;
            }
            CheckReport.Violation violation =
                    find(podRule).map(it -> it.violation(at(now))).orElse(before.violation());
            changes.add(change(ViolationChange.Event.DUE, "the forgiveness has passed", violation, now));
            return new Shown(violation, before.since(), before.dueAt(), true);
        });
        changes.sort(ORDER);
        return changes;
    }

    /** {@return when the next violation is due; empty if none is, or that is not known} */
    public Optional<Instant> nextDue() {
        NextDue known = next.orElseGet(() -> new NextDue(shown.values().stream()
                .filter(it -> !it.toldDue())
                .flatMap(it -> it.dueAt().stream())
                .min(Comparator.naturalOrder())));
        next = Optional.of(known);
        return known.at();
    }

    private static ViolationChange change(
            ViolationChange.Event event, String why, CheckReport.Violation violation, Instant now) {
        return new ViolationChange(
                CheckReport.API_VERSION,
                ViolationChange.KIND,
                event,
                now.truncatedTo(ChronoUnit.SECONDS).toString(),
                why,
                violation);
    }
}
