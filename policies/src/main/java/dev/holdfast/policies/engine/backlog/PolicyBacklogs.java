package dev.holdfast.policies.engine.backlog;

import dev.holdfast.policies.compact.CompactMap;
import dev.holdfast.policies.engine.protocol.BrakeId;
import dev.holdfast.policies.engine.protocol.BreakerSettings;
import dev.holdfast.policies.engine.protocol.ledger.Ledger;
import dev.holdfast.policies.engine.protocol.ledger.RememberedBrakes;
import dev.holdfast.policies.engine.report.BacklogReport;
import dev.holdfast.policies.engine.report.BrakeReport;
import dev.holdfast.policies.engine.report.UnknownAcknowledgement;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.index.Index;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.move.ChangeCounter;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The backlogs of policies: the violating pods that a policy may newly move, if there are many. None of them is evicted
 * for the policy until a user acknowledges its backlog.
 *
 * <p>A pod counts if a policy newly enforces a rule that the pod violates, or if a person ends what held the pod.
 * Examples: an edit, the label of a namespace, a pause that ends, an operator that begins to enforce. A pod does not
 * count if it was created or moved in violation, or if a change of the cluster breaks its rule: the breakers count such
 * changes.
 *
 * <p>After an edit, or when the operator begins to enforce, no pod at all is evicted for the policy. Other causes may
 * come from one tenant, and must not stop the evictions of others.
 *
 * <p>Example: within an hour, 10 violating pods may come under a policy that selects 400 pods, and 40 under a policy
 * that selects 4,000 pods.
 */
public final class PolicyBacklogs {
    private static final String WHAT = "backlog";

    /**
     * The prefix of the id of a backlog that begins because the operator newly enforces. Backlogs that begin so at the
     * same time have the same id.
     */
    private static final String WHAT_OF_ALL = "all-backlogs";

    /** The number of pods within {@link #WITHIN} that need no acknowledgement. */
    private static final int FEW = 10;

    /** One in this many pods of a policy (1 %) needs no acknowledgement either. */
    private static final int SHARE = 100;

    /** The time within which pods count together, so that pods that come one by one need an acknowledgement too. */
    private static final Duration WITHIN = Duration.ofHours(1);

    /** The maximum number of backlogs of one namespace that the ledger has. */
    static final int MOST_REMEMBERED = 50;

    /** The maximum number of backlogs that the ledger has. The next process begins the others again. */
    private static final int MOST_OF_ALL = 500;

    /**
     * The maximum number of namespaces of one backlog that the ledger has; a backlog with more holds all pods after a
     * restart.
     */
    static final int MOST_NAMESPACES = 100;

    /**
     * The maximum number of pods of all backlogs that the ledger has. Of a backlog without room, all violating pods of
     * its namespaces are held after a restart.
     */
    static final int MOST_PODS = 5_000;

    private final Index index;
    private final BreakerSettings settings;
    private final ChangeCounter changes;
    private final Map<PolicyId, Backlog> backlogs = new HashMap<>();

    /**
     * The policies whose backlogs count a violation, so that the end of a violation costs the same for any number of
     * other backlogs. A set of one policy is immutable, and a larger one is not.
     */
    private final Map<ViolationKey, Set<PolicyId>> counting = new CompactMap<>();

    /** The creation time of the newest pod so far, which may be gone: a walk of all pods would take milliseconds. */
    private Instant newestPod = Instant.MIN;

    /** The violations that the present event newly brings under each policy. */
    private final Map<PolicyId, Widening> widenings = new TreeMap<>();

    /**
     * The violations that came under each policy within an hour, and all that its backlog counts. Ended violations
     * count too, unless the policy has a backlog.
     */
    private final Map<PolicyId, AddedViolations> recent = new HashMap<>();

    /**
     * The ids in the acknowledgement annotation of each policy when last seen, so that each unknown id is reported only
     * once.
     */
    private final Map<PolicyId, Set<String>> acknowledged = new HashMap<>();

    /** The reports that {@link #news()} has not returned yet. */
    private final List<BrakeReport> news = new ArrayList<>();

    public PolicyBacklogs(Index index, BreakerSettings settings, ChangeCounter changes) {
        this.index = index;
        this.settings = settings;
        this.changes = changes;
    }

    /** The violations that one event newly brings under a policy, perhaps repeated: a set takes far more memory. */
    private static final class Widening {
        private final List<ViolationKey> added = new ArrayList<>();
        private Optional<Supplier<String>> since = Optional.empty();
        private boolean edited;

        /** Whether no operator has enforced the policy in its present form before. */
        private boolean unseen;

        /** Whether the operator newly enforces all policies. */
        private boolean ofAll;

        boolean ofWholePolicy() {
            return edited || unseen;
        }
    }

    /**
     * Records that a policy may newly evict a pod for a violation, which counts only if the policy enforces the rule.
     *
     * @param since what allows the eviction, as text that can follow "since"
     */
    public void widened(PolicyId policy, ViolationKey violation, Supplier<String> since) {
        Widening widening = widenings.computeIfAbsent(policy, _ -> new Widening());
        widening.added.add(violation);
        widening.since = Optional.of(since);
    }

    /** Records which pod is the newest. */
    public void beforeChange(ClusterEvent fact) {
        if (fact instanceof ClusterEvent.PodChanged(Pod pod)
                && pod.life().creationTime().isAfter(newestPod)) {
            newestPod = pod.life().creationTime();
        }
    }

    /**
     * Records that a policy is created or edited, which ends its backlog or adds the violations of this event to it.
     */
    public void edited(PolicyId policy) {
        // The next process must know which version of the policy this one has seen.
        changes.changed();
        widenings.computeIfAbsent(policy, _ -> new Widening()).edited = true;
    }

    /**
     * Begins, enlarges or ends backlogs. Called after each event, so that the pods of one event count together. If an
     * edit adds pods, or other causes add very many, the backlog gets a new id, so that users who acknowledged the old
     * id must acknowledge again.
     */
    public void decide(Instant now) {
        if (!widenings.isEmpty()) {
            Map<PolicyId, Widening> taken = new TreeMap<>(widenings);
            widenings.clear();
            taken.forEach((id, widening) -> index.policy(id).ifPresent(policy -> decide(policy, widening, now)));
        }
    }

    private void decide(Policy policy, Widening widening, Instant now) {
        List<ViolationKey> adds = widening.added;
        adds.removeIf(key -> !isEnforced(policy.id(), key));
        Optional<Backlog> before = Optional.ofNullable(backlogs.get(policy.id()));
        if (before.isPresent() && !widening.ofWholePolicy()) {
            join(policy, before.get(), widening, now);
        } else if (before.isPresent() || !adds.isEmpty()) {
            count(policy, before, widening, now);
        }
    }

    /** Adds violations to a backlog, in a time that does not depend on its size. */
    private void join(Policy policy, Backlog backlog, Widening widening, Instant now) {
        changes.changed();
        AddedViolations added = backlog.added();
        for (ViolationKey key : widening.added) {
            if (!added.has(key)) {
                startCounting(added, key);
                index.view().pod(key.podUid()).map(Pod::namespace).ifPresent(backlog.namespaces()::add);
            }
            added.add(key, now);
        }
        if (backlog.isOver()) {
            over(policy.id(), backlog);
        } else if (added.pods() > backlog.told() + backlog.most()) {
            begins(policy, widening, backlog, now);
        }
    }

    private void count(Policy policy, Optional<Backlog> before, Widening widening, Instant now) {
        PolicyId id = policy.id();
        int selected = index.selected(id);
        int most = mostOf(selected);
        AddedViolations added = recent.computeIfAbsent(id, AddedViolations::new);
        drop(id);
        widening.added.forEach(key -> added.add(key, now));
        if (before.isEmpty() && added.size() <= most) {
            // There are at most as many pods as violations, so nothing needs to be counted.
            return;
        }
        if (before.isEmpty()) {
            added.forgetBefore(now.minus(WITHIN));
        }
        added.retireAll(key -> !isEnforced(id, key) || !index.isBroken(key.podUid(), key.rule()));
        List<Instant> gone = before.map(Backlog::gone).orElseGet(added::gone);
        if (Backlog.isOver(added, gone, most)) {
            added.restore();
            before.ifPresent(backlog -> reportOver(id, backlog));
            return;
        }
        Backlog next = new Backlog(
                before.map(Backlog::id).orElse(""),
                before.map(Backlog::since).orElse(""),
                policy.generation(),
                added,
                gone,
                selected,
                most,
                before.map(Backlog::told).orElse(0),
                before.filter(Backlog::holdsAll).isPresent() || (!widening.added.isEmpty() && widening.ofWholePolicy()),
                namespaces(added),
                before.map(Backlog::begun).orElse(newestPod));
        store(id, next);
        if (!widening.added.isEmpty()) {
            begins(policy, widening, next, now);
        }
        changes.changed();
    }

    private Set<String> namespaces(AddedViolations added) {
        return added.violations().stream()
                .flatMap(key -> index.view().pod(key.podUid()).stream())
                .map(Pod::namespace)
                .collect(Collectors.toCollection(HashSet::new));
    }

    private static String since(Policy policy, Widening widening) {
        return widening.since.filter(_ -> !widening.edited).map(Supplier::get).orElseGet(() -> since(policy));
    }

    private static String since(Policy policy) {
        return policy.generation() == 1 ? "it was created" : "it was edited, generation " + policy.generation();
    }

    private void begins(Policy policy, Widening widening, Backlog found, Instant now) {
        String id = BrakeId.of(widening.ofAll ? WHAT_OF_ALL : WHAT, now);
        Backlog backlog = found.begun(id, since(policy, widening), policy.generation());
        backlogs.put(policy.id(), backlog);
        report(policy.id(), backlog, BrakeReport.Change.OPENED, describe(policy.id(), backlog));
    }

    private void over(PolicyId policy, Backlog backlog) {
        drop(policy);
        backlog.added().restore();
        reportOver(policy, backlog);
    }

    private void reportOver(PolicyId policy, Backlog backlog) {
        report(
                policy,
                backlog,
                BrakeReport.Change.HEALED,
                "of the pods that the policy would move since " + backlog.since() + ", at most " + backlog.most()
                        + " are left: no acknowledgement is needed any more");
    }

    private void report(PolicyId policy, Backlog backlog, BrakeReport.Change change, String message) {
        changes.changed();
        news.add(new BacklogReport(policy, backlog.id(), change, message));
    }

    private boolean isEnforced(PolicyId policy, ViolationKey key) {
        return index.rule(key.podUid(), key.rule())
                .filter(rule -> rule.isEnforcedBy(policy))
                .isPresent();
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

    /**
     * Ends the backlogs that began at once because the operator newly enforces, if their common id is acknowledged.
     *
     * @param ids all ids in the acknowledgement annotation of the operator's own namespace, which tenants cannot change
     */
    public void acknowledgedForAll(Set<String> ids) {
        new TreeMap<>(backlogs).forEach((policy, backlog) -> {
            if (isOfAll(backlog.id()) && ids.contains(backlog.id())) {
                accepted(policy, backlog);
            }
        });
    }

    /** {@return the ids of backlogs that can be acknowledged for all policies at once} */
    public Set<String> idsOfAll() {
        return backlogs.values().stream()
                .map(Backlog::id)
                .filter(PolicyBacklogs::isOfAll)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static boolean isOfAll(String id) {
        return id.startsWith(WHAT_OF_ALL + "@");
    }

    private void accepted(PolicyId policy, Backlog backlog) {
        drop(policy);
        recent.remove(policy);
        report(
                policy,
                backlog,
                BrakeReport.Change.ACKNOWLEDGED,
                "a user acknowledged that since " + backlog.since() + ", the policy moves "
                        + backlog.added().pods() + " of its " + backlog.selected()
                        + " pods: they are evicted when they are due and the limits allow");
    }

    /**
     * {@return the backlogs, for the next process of the operator: of each namespace at most {@value #MOST_REMEMBERED},
     * and {@value #MOST_OF_ALL} of all}
     */
    public List<RememberedBrakes.Backlog> remembered() {
        Map<String, Integer> ofNamespace = new HashMap<>();
        List<RememberedBrakes.Backlog> remembered = new ArrayList<>();
        int room = MOST_PODS;
        for (Map.Entry<PolicyId, Backlog> one : new TreeMap<>(backlogs).entrySet()) {
            PolicyId id = one.getKey();
            Backlog backlog = one.getValue();
            boolean tooMany = id.namespace()
                    .filter(namespace -> ofNamespace.merge(namespace, 1, Integer::sum) > MOST_REMEMBERED)
                    .isPresent();
            if (!tooMany && remembered.size() < MOST_OF_ALL) {
                long generation = index.policy(id).map(Policy::generation).orElse(backlog.generation());
                remembered.add(backlog.remembered(id, generation, MOST_NAMESPACES, room));
                room -= backlog.holdsAll() || backlog.added().pods() > room
                        ? 0
                        : backlog.added().pods();
            }
        }
        return remembered;
    }

    /**
     * Begins backlogs for all policies of a namespace that may have had more backlogs than the ledger stores, or for
     * all policies of the cluster. So no tenant can fill the ledger with backlogs, and a restart lifts none.
     */
    private void recallOthers(
            List<RememberedBrakes.Backlog> remembered, Collection<ViolationKey> present, Instant now) {
        Map<String, Integer> ofNamespace = new HashMap<>();
        remembered.forEach(one -> one.policy().namespace().ifPresent(it -> ofNamespace.merge(it, 1, Integer::sum)));
        unseen(
                index.policies().stream()
                        .filter(policy -> remembered.size() >= MOST_OF_ALL
                                || policy.id()
                                        .namespace()
                                        .filter(it -> ofNamespace.getOrDefault(it, 0) >= MOST_REMEMBERED)
                                        .isPresent())
                        .toList(),
                Optional.empty(),
                present,
                now);
    }

    /**
     * Takes over the backlogs that an earlier process stored. A backlog that held its whole policy holds all present
     * violations. Another one holds those of the pods that it held, and of pods created since in their namespaces. If
     * the policy was edited since, the backlog gets a new id and holds all: a user who acknowledges the old id does not
     * know the edit.
     *
     * @param created when the earlier process last remembered something, by the clock that the creation times of pods
     *     follow
     */
    public void recall(
            List<RememberedBrakes.Backlog> remembered,
            Instant written,
            Instant created,
            Collection<ViolationKey> present,
            Instant now) {
        Instant early = written.minus(Ledger.INEXACT);
        Map.copyOf(backlogs).forEach((policy, own) -> {
            if (!BrakeId.openedAt(own.id()).isAfter(early)) {
                drop(policy);
                own.added().restore();
            }
        });
        news.clear();
        Map<PolicyId, List<ViolationKey>> byPolicy = byPolicy(present);
        for (RememberedBrakes.Backlog one : remembered) {
            index.policy(one.policy())
                    .ifPresent(policy ->
                            recall(one, created, policy, byPolicy.getOrDefault(one.policy(), List.of()), now));
        }
        recallOthers(remembered, present, now);
    }

    /** {@return violations by the policies that enforce their rules} There may be 150,000. */
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
            RememberedBrakes.Backlog remembered,
            Instant created,
            Policy policy,
            Collection<ViolationKey> present,
            Instant now) {
        PolicyId id = policy.id();
        boolean same = remembered.generation() == policy.generation();
        Optional<RememberedBrakes.Part> part = remembered.part().filter(_ -> same);
        Set<String> namespaces =
                new HashSet<>(part.map(RememberedBrakes.Part::namespaces).orElse(List.of()));
        Optional<Set<String>> known = part.flatMap(RememberedBrakes.Part::pods).map(Set::copyOf);
        drop(id);
        AddedViolations added = recent.computeIfAbsent(id, AddedViolations::new);
        added.retireAll(_ -> true);
        present.stream()
                .filter(key -> part.isEmpty()
                        || index.view()
                                .pod(key.podUid())
                                .filter(pod -> Backlog.held(pod, namespaces, known, created))
                                .isPresent())
                .forEach(added::count);
        int selected = index.selected(id);
        Backlog backlog = new Backlog(
                same ? remembered.id() : BrakeId.of(WHAT, now),
                remembered.since().filter(_ -> same).orElseGet(() -> since(policy)),
                policy.generation(),
                added,
                // When they came is not remembered: they count for an hour more.
                new ArrayList<>(
                        Collections.nCopies(remembered.gone().filter(_ -> same).orElse(0), now)),
                selected,
                mostOf(selected),
                added.pods(),
                part.isEmpty(),
                namespaces,
                created);
        store(id, backlog);
        if (acknowledged.getOrDefault(id, Set.of()).contains(backlog.id())) {
            accepted(id, backlog);
        } else if (backlog.isOver()) {
            over(id, backlog);
        }
    }

    /**
     * {@return a report of each backlog whose beginning {@link #news()} has returned, for a replica that begins to
     * lead}
     */
    public List<BrakeReport> takenOver() {
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
     * Counts all present violations of policies as newly enforced, unless they have a backlog already: no operator
     * enforced these policies as they are now.
     *
     * @param since why no operator enforced them, after "since"; absent if the policy was created or edited
     */
    public void unseen(
            Collection<Policy> policies, Optional<String> since, Collection<ViolationKey> present, Instant now) {
        List<Policy> without = policies.stream()
                .filter(policy -> Optional.ofNullable(backlogs.get(policy.id()))
                        .filter(Backlog::holdsAll)
                        .isEmpty())
                .toList();
        if (without.isEmpty()) {
            return;
        }
        Map<PolicyId, List<ViolationKey>> byPolicy = byPolicy(present);
        for (Policy policy : without) {
            Supplier<String> text = () -> since.orElseGet(() -> since(policy));
            byPolicy.getOrDefault(policy.id(), List.of()).forEach(key -> widened(policy.id(), key, text));
            Optional.ofNullable(widenings.get(policy.id())).ifPresent(widening -> {
                widening.unseen = true;
                widening.ofAll = since.isPresent();
            });
        }
        changes.changed();
        decide(now);
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
        drop(policy);
        recent.remove(policy);
        widenings.remove(policy);
        acknowledged.remove(policy);
    }

    /**
     * Adds a new violation of a new pod to the present backlogs of the policies that enforce its rule. Example: a
     * rollout replaces a counted pod, and the new pod violates the rule too.
     */
    public void begin(ViolationKey key) {
        if (backlogs.isEmpty()) {
            return;
        }
        index.rule(key.podUid(), key.rule())
                .ifPresent(rule -> rule.policies().forEach(policy -> {
                    Backlog backlog = backlogs.get(policy);
                    if (backlog != null
                            && rule.isEnforcedBy(policy)
                            && index.view()
                                    .pod(key.podUid())
                                    .filter(backlog::isJoinedBy)
                                    .isPresent()) {
                        if (!backlog.added().has(key)) {
                            startCounting(backlog.added(), key);
                        }
                        backlog.added().count(key);
                        changes.changed();
                    }
                }));
    }

    private void startCounting(AddedViolations added, ViolationKey key) {
        counting.merge(key, added.policy(), (before, one) -> {
            if (before.containsAll(one)) {
                return before;
            }
            Set<PolicyId> all = before.size() == 1 ? new TreeSet<>(before) : before;
            all.addAll(one);
            return all;
        });
    }

    private void store(PolicyId policy, Backlog backlog) {
        backlogs.put(policy, backlog);
        backlog.added().violations().forEach(key -> startCounting(backlog.added(), key));
    }

    private void drop(PolicyId policy) {
        Optional.ofNullable(backlogs.remove(policy))
                .ifPresent(backlog -> backlog.added().violations().forEach(key -> stopCounting(policy, key)));
    }

    private void stopCounting(PolicyId policy, ViolationKey key) {
        counting.computeIfPresent(key, (_, policies) -> {
            if (policies.size() == 1) {
                return policies.contains(policy) ? null : policies;
            }
            policies.remove(policy);
            return policies;
        });
    }

    /**
     * Stops counting a violation. A backlog ends when its number of violating pods needs no acknowledgement any more.
     */
    public void end(ViolationKey key) {
        Set<PolicyId> policies = counting.remove(key);
        if (policies == null) {
            return;
        }
        for (PolicyId policy : policies) {
            Backlog backlog = backlogs.get(policy);
            if (backlog != null) {
                backlog.added().remove(key);
                if (backlog.isOver()) {
                    over(policy, backlog);
                }
            }
        }
    }

    /**
     * Stops counting a violation for the policies that do not enforce its rule any more. {@link #decide} then decides
     * about the rest of their backlogs.
     */
    public void requestsChanged(ViolationKey key) {
        for (PolicyId policy : List.copyOf(counting.getOrDefault(key, Set.of()))) {
            Backlog backlog = backlogs.get(policy);
            if (backlog != null && !isEnforced(policy, key) && backlog.added().has(key)) {
                backlog.added().retire(key);
                stopCounting(policy, key);
                widenings.computeIfAbsent(policy, _ -> new Widening());
            }
        }
    }

    /**
     * Forgets the violations that came under policies more than an hour ago. In a backlog, only ended violations are
     * forgotten, which may end the backlog.
     */
    public void sweep(Instant now) {
        new TreeMap<>(backlogs).forEach((policy, backlog) -> {
            if (backlog.gone().removeIf(at -> at.isBefore(now.minus(WITHIN)))) {
                changes.changed();
                if (backlog.isOver()) {
                    over(policy, backlog);
                }
            }
        });
        recent.forEach((policy, added) -> {
            if (!backlogs.containsKey(policy)) {
                added.forgetBefore(now.minus(WITHIN));
            }
        });
        recent.entrySet().removeIf(one -> one.getValue().size() == 0 && !backlogs.containsKey(one.getKey()));
    }

    /** {@return whether {@link #news()} would return any report} */
    public boolean hasNews() {
        return !news.isEmpty();
    }

    /** Returns the reports since the last call, oldest first: of backlogs that began or ended and of unknown ids. */
    public List<BrakeReport> news() {
        List<BrakeReport> told = List.copyOf(news);
        news.clear();
        return told;
    }

    /** {@return the hold of the violations that the backlog of a policy holds; empty if the policy has none} */
    public Optional<Hold> against(PolicyId policy) {
        return hold(policy, Optional.ofNullable(backlogs.get(policy)));
    }

    /** {@return the hold of a violation for a policy; empty if the policy has no backlog that holds it} */
    public Optional<Hold> against(PolicyId policy, ViolationKey violation) {
        return hold(policy, Optional.ofNullable(backlogs.get(policy)).filter(it -> it.holds(violation)));
    }

    private Optional<Hold> hold(PolicyId policy, Optional<Backlog> found) {
        return found.map(backlog -> {
            Hold hold = Hold.untilChange(Reason.POLICY_BACKLOG, describe(policy, backlog));
            return policy.namespace().isPresent() ? hold : hold.about(policy, backlog.describeToTenants(policy));
        });
    }

    private String describe(PolicyId policy, Backlog backlog) {
        return backlog.describe(policy)
                + (isOfAll(backlog.id())
                        ? ". To acknowledge it for all policies: " + BrakeId.acknowledging(backlog.id(), settings)
                        : "");
    }

    /** {@return the number of stored entries: violations that came or count, and policies with acknowledged ids} */
    public int size() {
        return counting.values().stream().mapToInt(Set::size).sum()
                + recent.values().stream().mapToInt(AddedViolations::size).sum()
                + acknowledged.size();
    }
}
