package dev.holdfast.policies.engine.breaker;

import dev.holdfast.policies.engine.ledger.RememberedBrakes;
import dev.holdfast.policies.engine.report.BacklogReport;
import dev.holdfast.policies.engine.report.BrakeReport;
import dev.holdfast.policies.engine.report.UnknownAcknowledgement;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.index.Index;
import dev.holdfast.policies.model.DisruptionAnnotations;
import dev.holdfast.policies.plan.move.ChangeCounter;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The backlogs of policies: the violating pods that an edit of a policy would newly move, if they are many. No pod is
 * evicted for the policy until a user acknowledges its backlog. A pod counts if it has an enforced violation whose
 * forgiveness the edit starts or restarts. Creating a policy counts as an edit. Violations found when the operator
 * starts do not count.
 *
 * <p>Example: without acknowledgement, an edit of a policy that selects 400 pods may add 10 violating pods. For a
 * policy that selects 4,000 pods, it may add 40.
 */
public final class PolicyBacklogs {
    private static final String WHAT = "backlog";

    /** An edit that newly moves at most this many pods needs no acknowledgement. */
    private static final int FEW = 10;

    /** An edit that newly moves at most 1/100 of the pods that the policy selects needs no acknowledgement. */
    private static final int SHARE = 100;

    /** The maximum number of backlogs of one namespace that the ledger has. */
    static final int MOST_REMEMBERED = 50;

    private final Index index;
    private final ChangeCounter changes;
    private final Map<PolicyId, Backlog> backlogs = new HashMap<>();

    /**
     * The ids in the acknowledgement annotation of each policy when last seen, so that each unknown id is reported only
     * once.
     */
    private final Map<PolicyId, Set<String>> acknowledged = new HashMap<>();

    /** The reports that {@link #news()} has not returned yet. */
    private final List<BrakeReport> news = new ArrayList<>();

    PolicyBacklogs(Index index, ChangeCounter changes) {
        this.index = index;
        this.changes = changes;
    }

    /**
     * The backlog of one policy: violations that edits added and no user has acknowledged.
     *
     * @param generation the generation of the policy when the last edit added violations
     * @param added the violations that edits added, and the number of pods that have them
     * @param selected the number of pods that the policy selects
     * @param most the maximum number of violating pods that needs no acknowledgement
     */
    private record Backlog(String id, long generation, ViolatingPodCount added, int selected, int most) {}

    /**
     * Begins, enlarges, reduces or ends the backlog of a policy after an edit. If the edit adds violations, the backlog
     * gets a new id, so that users who acknowledged the old id must acknowledge again.
     *
     * @param started the violations whose forgiveness the edit starts or restarts
     */
    public void edited(Policy policy, Collection<ViolationKey> started, Instant now) {
        // The next process must know which version of the policy this one has seen.
        changes.changed();
        PolicyId id = policy.id();
        ViolatingPodCount added = new ViolatingPodCount();
        started.stream().filter(key -> isEnforced(id, key)).forEach(added::add);
        boolean adds = added.pods() > 0;
        Optional<Backlog> before = Optional.ofNullable(backlogs.get(id));
        before.map(Backlog::added).map(ViolatingPodCount::violations).stream()
                .flatMap(Set::stream)
                .filter(key -> isEnforced(id, key))
                .forEach(added::add);
        int selected = index.selected(id);
        int most = mostOf(selected);
        if (added.pods() <= most) {
            before.ifPresent(backlog -> over(id, backlog));
        } else if (before.isPresent() && !adds) {
            Backlog same = before.get();
            backlogs.put(id, new Backlog(same.id(), same.generation(), added, selected, most));
            changes.changed();
        } else {
            begins(id, new Backlog(BreakerOpening.newId(WHAT, now), policy.generation(), added, selected, most));
        }
    }

    private void begins(PolicyId policy, Backlog backlog) {
        backlogs.put(policy, backlog);
        report(policy, backlog, BrakeReport.Change.OPENED, describe(policy, backlog));
    }

    private void over(PolicyId policy, Backlog backlog) {
        backlogs.remove(policy);
        report(
                policy,
                backlog,
                BrakeReport.Change.HEALED,
                "of the pods that the policy would move since generation " + backlog.generation() + ", at most "
                        + backlog.most() + " are left: no acknowledgement is needed any more");
    }

    private void report(PolicyId policy, Backlog backlog, BrakeReport.Change change, String message) {
        changes.changed();
        news.add(new BacklogReport(policy, backlog.id(), change, message));
    }

    private boolean isEnforced(PolicyId policy, ViolationKey key) {
        return index.rule(key.podUid(), key.rule()).map(AppliedRule::requests).stream()
                .flatMap(Collection::stream)
                .anyMatch(request ->
                        request.policy().equals(policy) && request.enforcement().mode() == Mode.ENFORCE);
    }

    /**
     * Ends the backlog of a policy if the acknowledged ids include the id of the backlog, and reports unknown ids that
     * are new.
     *
     * @param ids all ids in the acknowledgement annotation of the policy
     */
    public void acknowledged(PolicyId policy, Set<String> ids) {
        Backlog backlog = backlogs.get(policy);
        Set<String> unknown = new TreeSet<>(ids);
        unknown.removeAll(acknowledgedBefore(policy, ids));
        if (backlog != null && unknown.remove(backlog.id())) {
            accepted(policy, backlog);
        }
        if (!unknown.isEmpty()) {
            List<String> open = Optional.ofNullable(backlogs.get(policy)).map(Backlog::id).stream()
                    .toList();
            news.add(UnknownAcknowledgement.of(Optional.of(policy), unknown, open));
        }
    }

    private void accepted(PolicyId policy, Backlog backlog) {
        backlogs.remove(policy);
        report(
                policy,
                backlog,
                BrakeReport.Change.ACKNOWLEDGED,
                "a user acknowledged that since generation " + backlog.generation() + " the policy moves "
                        + backlog.added().pods() + " of its " + backlog.selected()
                        + " pods: they are evicted when they are due and the limits allow");
    }

    /** {@return the backlogs, for the next process of the operator: of each namespace at most {@value #MOST_REMEMBERED}} */
    List<RememberedBrakes.Backlog> remembered() {
        Map<String, Integer> ofNamespace = new HashMap<>();
        return backlogs.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .filter(one -> one.getKey()
                        .namespace()
                        .filter(namespace -> ofNamespace.merge(namespace, 1, Integer::sum) > MOST_REMEMBERED)
                        .isEmpty())
                .map(one -> new RememberedBrakes.Backlog(
                        one.getKey(),
                        one.getValue().id(),
                        index.policy(one.getKey())
                                .map(Policy::generation)
                                .orElse(one.getValue().generation())))
                .toList();
    }

    /**
     * Treats the policies of a namespace as edited now if it had more backlogs than are remembered. So no tenant can fill the
     * ledger with backlogs, and none of its brakes is lifted.
     */
    private void recallOthers(
            List<RememberedBrakes.Backlog> remembered, Collection<ViolationKey> present, Instant now) {
        Map<String, Integer> ofNamespace = new HashMap<>();
        remembered.forEach(one -> one.policy().namespace().ifPresent(it -> ofNamespace.merge(it, 1, Integer::sum)));
        editedUnseen(
                index.policies().stream()
                        .filter(policy -> policy.id()
                                .namespace()
                                .filter(it -> ofNamespace.getOrDefault(it, 0) >= MOST_REMEMBERED)
                                .isPresent())
                        .toList(),
                present,
                now);
    }

    /**
     * Takes over what an earlier process remembered. It did not remember which violations an edit added, so all present
     * ones count. If the policy was edited since, the backlog gets a new id: who acknowledges the old one does not know
     * the new edit.
     */
    void recall(
            List<RememberedBrakes.Backlog> remembered, Instant written, Collection<ViolationKey> present, Instant now) {
        Instant early = written.minus(BreakerOpening.INEXACT);
        backlogs.values().removeIf(own -> !BreakerOpening.openedAt(own.id()).isAfter(early));
        news.clear();
        Map<PolicyId, List<ViolationKey>> byPolicy = byPolicy(present);
        for (RememberedBrakes.Backlog one : remembered) {
            index.policy(one.policy())
                    .ifPresent(policy -> recall(one, policy, byPolicy.getOrDefault(one.policy(), List.of()), now));
        }
        recallOthers(remembered, present, now);
    }

    /** {@return violations by the policies that enforce their rules} One pass: there may be 150,000 of them. */
    private Map<PolicyId, List<ViolationKey>> byPolicy(Collection<ViolationKey> violations) {
        Map<PolicyId, List<ViolationKey>> byPolicy = new HashMap<>();
        for (ViolationKey key : violations) {
            index.rule(key.podUid(), key.rule()).stream()
                    .flatMap(rule -> rule.requests().stream())
                    .filter(request -> request.enforcement().mode() == Mode.ENFORCE)
                    .map(AppliedRule.Request::policy)
                    .distinct()
                    .forEach(policy -> byPolicy.computeIfAbsent(policy, _ -> new ArrayList<>())
                            .add(key));
        }
        return byPolicy;
    }

    private void recall(
            RememberedBrakes.Backlog remembered, Policy policy, Collection<ViolationKey> present, Instant now) {
        PolicyId id = policy.id();
        boolean same = remembered.generation() == policy.generation();
        Backlog backlog = backlog(same ? remembered.id() : BreakerOpening.newId(WHAT, now), policy, present);
        backlogs.put(id, backlog);
        if (acknowledged.getOrDefault(id, Set.of()).contains(backlog.id())) {
            accepted(id, backlog);
        } else if (backlog.added().pods() <= backlog.most()) {
            over(id, backlog);
        }
    }

    /** {@return a report of each backlog whose beginning {@link #news()} has returned, for a replica that begins to lead} */
    List<BrakeReport> takenOver() {
        Set<String> newest = news.stream()
                .flatMap(report -> report instanceof BacklogReport one ? Stream.of(one.id()) : Stream.empty())
                .collect(Collectors.toSet());
        return backlogs.entrySet().stream()
                .filter(one -> !newest.contains(one.getValue().id()))
                .<BrakeReport>map(one -> new BacklogReport(
                        one.getKey(),
                        one.getValue().id(),
                        BrakeReport.Change.TAKEN_OVER,
                        describe(one.getKey(), one.getValue())))
                .toList();
    }

    /**
     * Counts all present violations as if an edit had just added them, because nothing is known about the time before.
     */
    void countAll(Collection<ViolationKey> present, Instant now) {
        countAll(index.policies(), present, now);
    }

    /** Does the same for policies that were edited while no operator ran, unless they have a backlog already. */
    void editedUnseen(Collection<Policy> policies, Collection<ViolationKey> present, Instant now) {
        countAll(
                policies.stream()
                        .filter(policy -> !backlogs.containsKey(policy.id()))
                        .toList(),
                present,
                now);
    }

    private void countAll(Collection<Policy> policies, Collection<ViolationKey> present, Instant now) {
        if (policies.isEmpty()) {
            return;
        }
        Map<PolicyId, List<ViolationKey>> byPolicy = byPolicy(present);
        for (Policy policy : policies) {
            edited(policy, byPolicy.getOrDefault(policy.id(), List.of()), now);
        }
    }

    private Backlog backlog(String id, Policy policy, Collection<ViolationKey> added) {
        ViolatingPodCount pods = new ViolatingPodCount();
        added.stream().filter(key -> isEnforced(policy.id(), key)).forEach(pods::add);
        int selected = index.selected(policy.id());
        return new Backlog(id, policy.generation(), pods, selected, mostOf(selected));
    }

    private static int mostOf(int selected) {
        return Math.max(FEW, selected / SHARE);
    }

    private Set<String> acknowledgedBefore(PolicyId policy, Set<String> ids) {
        Set<String> before = ids.isEmpty() ? acknowledged.remove(policy) : acknowledged.put(policy, ids);
        return before == null ? Set.of() : before;
    }

    /** Forgets a policy that is gone. */
    public void forget(PolicyId policy) {
        changes.changed();
        backlogs.remove(policy);
        acknowledged.remove(policy);
    }

    /**
     * Adds a new violation to the present backlogs of the policies that enforce its rule. Example: a rollout replaces a
     * counted pod, and the new pod violates the rule too.
     */
    void begin(ViolationKey key) {
        backlogs.forEach((policy, backlog) -> {
            if (isEnforced(policy, key)) {
                backlog.added().add(key);
            }
        });
    }

    /**
     * Stops counting a violation. A backlog ends when its number of violating pods needs no acknowledgement any more.
     */
    void end(ViolationKey key) {
        if (backlogs.isEmpty()) {
            return;
        }
        backlogs.values().forEach(backlog -> backlog.added().remove(key));
        for (Map.Entry<PolicyId, Backlog> each : List.copyOf(backlogs.entrySet())) {
            if (each.getValue().added().pods() <= each.getValue().most()) {
                over(each.getKey(), each.getValue());
            }
        }
    }

    /** {@return whether {@link #news()} would return any report} */
    boolean hasNews() {
        return !news.isEmpty();
    }

    /** Returns the reports since the last call, oldest first: of backlogs that began or ended and of unknown ids. */
    List<BrakeReport> news() {
        List<BrakeReport> told = List.copyOf(news);
        news.clear();
        return told;
    }

    /** {@return the hold of all violations of a policy that has a backlog; empty if the policy has none} */
    Optional<Hold> against(PolicyId policy) {
        return Optional.ofNullable(backlogs.get(policy))
                .map(backlog -> Hold.untilChange(Reason.POLICY_BACKLOG, describe(policy, backlog)));
    }

    private static String describe(PolicyId policy, Backlog backlog) {
        String object = policy.namespace()
                .map(namespace -> "placementpolicy -n " + namespace + " " + policy.name())
                .orElseGet(() -> "clusterplacementpolicy " + policy.name());
        String since = backlog.generation() == 1 ? "created" : "edited, generation " + backlog.generation();
        return "since it was " + since + ", the policy would move "
                + backlog.added().pods() + " of its " + backlog.selected() + " pods, more than "
                + backlog.most()
                + ": no pod is evicted for it until you acknowledge that this is intended: kubectl annotate "
                + object + " --overwrite " + DisruptionAnnotations.ACKNOWLEDGE + "=" + backlog.id();
    }

    /** {@return the number of stored entries: pods in backlogs, and policies with acknowledged ids} */
    int size() {
        return backlogs.values().stream()
                        .mapToInt(backlog -> backlog.added().pods())
                        .sum()
                + acknowledged.size();
    }
}
