package dev.holdfast.policies.index;

import dev.holdfast.policies.evaluate.ExistingAntiAffinityView;
import dev.holdfast.policies.evaluate.ViolationDetail;
import dev.holdfast.policies.index.change.LeftOutRule;
import dev.holdfast.policies.index.change.RuleOwners;
import dev.holdfast.policies.index.change.VerdictListener;
import dev.holdfast.policies.index.count.DirtyGroups;
import dev.holdfast.policies.index.count.Injected;
import dev.holdfast.policies.index.count.LiveAntiAffinity;
import dev.holdfast.policies.index.count.LiveRule;
import dev.holdfast.policies.index.count.LiveSpread;
import dev.holdfast.policies.index.pods.ClusterCache;
import dev.holdfast.policies.index.pods.ExistingAntiAffinity;
import dev.holdfast.policies.index.pods.IndexUpdater;
import dev.holdfast.policies.index.pods.PartnerIndex;
import dev.holdfast.policies.index.pods.PodEntry;
import dev.holdfast.policies.index.pods.RuleAssignment;
import dev.holdfast.policies.index.pods.RuleSet;
import dev.holdfast.policies.index.query.ConflictQuery;
import dev.holdfast.policies.index.query.ImpactOnOthers;
import dev.holdfast.policies.index.query.MoveImpact;
import dev.holdfast.policies.index.query.PartnerQuery;
import dev.holdfast.policies.index.query.VerdictAfterMoves;
import dev.holdfast.policies.index.query.ViolationDetailReader;
import dev.holdfast.policies.inject.PolicyInjection;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.RuleIdentity;
import dev.holdfast.policies.rule.SpreadDomains;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The incremental evaluator: it takes cluster events and policies, and reports to a listener each verdict that they
 * change.
 *
 * <p>Not thread-safe: one thread owns the index. The result of {@link #view} changes with each event.
 */
public final class Index {
    private final ClusterCache clusterCache = new ClusterCache();
    private final DirtyGroups dirtyGroups = new DirtyGroups();
    private final PartnerIndex partnerIndex;
    private final RuleAssignment ruleAssignment;
    private final IndexUpdater updater;
    private final ViolationDetailReader violationDetails;
    private final ExistingAntiAffinity existingAntiAffinity;

    /**
     * @param exemptNamespaces anti-affinity does not count pods in these namespaces, and is not evaluated for such pods
     */
    public Index(Set<String> exemptNamespaces, VerdictListener listener) {
        this.partnerIndex = new PartnerIndex(clusterCache, Set.copyOf(exemptNamespaces), dirtyGroups);
        this.ruleAssignment = new RuleAssignment(partnerIndex);
        this.violationDetails = new ViolationDetailReader(new PartnerQuery(clusterCache, partnerIndex), clusterCache);
        this.existingAntiAffinity = new ExistingAntiAffinity(clusterCache);
        this.updater = new IndexUpdater(
                clusterCache, partnerIndex, ruleAssignment, existingAntiAffinity, dirtyGroups, listener);
    }

    /**
     * {@return the event to apply in place of this one: if the labels of a node would take too much memory, it is not
     * read}
     */
    public ClusterEvent readable(ClusterEvent event) {
        return clusterCache.readable(event);
    }

    /** {@return a live view of the pods, nodes and namespaces} */
    public ClusterView view() {
        return clusterCache;
    }

    /** {@return the rules that policies hold a pod to, sorted by rule identity; empty for an unknown pod} */
    public List<AppliedRule> rulesOf(String podUid) {
        return ruleSetOf(podUid).map(RuleSet::rules).orElse(List.of());
    }

    /** {@return whether the pod is held to the rule and violates it} */
    public boolean isBroken(String podUid, RuleIdentity rule) {
        return clusterCache
                .entry(podUid)
                .map(entry -> {
                    int slot = entry.resolvedRules().slot(rule);
                    return slot >= 0 && entry.broken(slot);
                })
                .orElse(false);
    }

    /**
     * {@return the rule with this identity that policies hold the pod to, with the name and settings that each of them
     * gives it; empty if no policy holds the pod to it}
     */
    public Optional<AppliedRule> rule(String podUid, RuleIdentity rule) {
        return clusterCache.entry(podUid).flatMap(entry -> {
            int slot = entry.resolvedRules().slot(rule);
            return slot < 0
                    ? Optional.empty()
                    : Optional.of(entry.resolvedRules().rule(slot));
        });
    }

    /**
     * {@return how the pod violates the rule; empty when the pod does not violate it} For anti-affinity, at most {@link
     * ViolationDetail#NAMED_PARTNERS} conflicting pods are listed.
     */
    public Optional<ViolationDetail> violationDetail(String podUid, RuleIdentity rule) {
        return clusterCache.entry(podUid).flatMap(entry -> {
            int slot = entry.resolvedRules().slot(rule);
            LiveRule live =
                    slot >= 0 && entry.broken(slot) ? entry.resolvedRules().live(slot) : null;
            Optional<Node> node = entry.judgedOn();
            if (live == null || node.isEmpty()) {
                return Optional.empty();
            }
            Rule merged = entry.resolvedRules()
                    .rule(slot)
                    .rule()
                    .mergedFor(entry.pod().labels());
            return Optional.of(violationDetails.read(live, entry, node.get(), merged));
        });
    }

    /**
     * {@return those of the given domains, in the given order, that cause the pod's spread violation because they have
     * too few pods} Empty if the pod violates nothing, or would also violate the constraint without these domains.
     * Example: with maxSkew 1 and counts z1: 4, z2: 3, z3: 0, only z3 causes the violation of a pod in z1.
     */
    public List<String> domainsCausing(List<String> domains, String podUid, RuleIdentity rule) {
        Optional<LiveSpread> spread = clusterCache.entry(podUid).flatMap(entry -> {
            int slot = entry.resolvedRules().slot(rule);
            return slot >= 0 && entry.resolvedRules().live(slot) instanceof LiveSpread live
                    ? Optional.of(live)
                    : Optional.empty();
        });
        return spread.isPresent() && violationDetail(podUid, rule).orElse(null) instanceof ViolationDetail.Skew skew
                ? spread.get().domainsCausing(domains, skew)
                : List.of();
    }

    /** {@return the domains with an eligible node; empty if no constraint that pods are held to counts in them} */
    public Optional<Set<String>> domainNames(SpreadDomains of) {
        return partnerIndex.domainNames(of);
    }

    /** {@return the set of rules that a pod is held to; empty for an unknown pod} */
    public Optional<RuleSet> ruleSetOf(String podUid) {
        return clusterCache.entry(podUid).map(entry -> entry.resolvedRules().ruleSet());
    }

    /** {@return the sets of rules that pods are held to, in no order; pods with equal constraints share a set} */
    public Collection<RuleSet> ruleSets() {
        return ruleAssignment.ruleSets();
    }

    /** {@return in which domains the spread constraints that pods are held to count pods} */
    public Set<SpreadDomains> spreadDomains() {
        return partnerIndex.spreadDomains();
    }

    /**
     * {@return queries that find which pods conflict by anti-affinity; valid until the next event}
     *
     * @param summary computes what the caller wants to know about the partners in one domain, for example their number.
     *     The function is called at most once for each domain of a term, with the partners in no particular order
     */
    public <T> ConflictQuery<T> conflictQuery(Function<List<Pod>, T> summary) {
        return new ConflictQuery<>(clusterCache, partnerIndex, summary);
    }

    /**
     * {@return a view of the nodes from which the anti-affinity of existing pods excludes a pod; updated with each
     * event}
     */
    public ExistingAntiAffinityView existingAntiAffinityView() {
        return existingAntiAffinity;
    }

    /**
     * {@return how a move of one pod would change the number of violations of all pods, read from the current counts}
     */
    public ImpactOnOthers impactOnOthers() {
        return new MoveImpact(clusterCache, ruleAssignment.anyRequiredWherePossible());
    }

    /** {@return which violations would remain once moves in flight have ended, read from the current counts} */
    public VerdictAfterMoves verdictAfterMoves() {
        return new VerdictAfterMoves(clusterCache);
    }

    /** {@return all policies, sorted by id} */
    public Collection<Policy> policies() {
        return ruleAssignment.policies();
    }

    /** {@return the policy with this id; empty if there is none} */
    public Optional<Policy> policy(PolicyId id) {
        return ruleAssignment.policy(id);
    }

    /** {@return whether the policy selects the pod on the pod's current node} */
    public boolean isSelected(String podUid, PolicyId policy) {
        return clusterCache
                .entry(podUid)
                .filter(entry -> entry.resolvedRules().ruleSet().key().policies().stream()
                        .anyMatch(it -> it.id().equals(policy)))
                .isPresent();
    }

    /** {@return whether any rule that a pod is held to depends on the node label with this key} */
    public boolean dependsOnNodeLabel(String nodeKey) {
        return ruleAssignment.dependsOnNodeLabel(nodeKey);
    }

    /**
     * {@return whether any rule that a pod is held to needs the node label with this key, so that its loss can break
     * the rule}
     */
    public boolean needsNodeLabel(String nodeKey) {
        return ruleAssignment.needsNodeLabel(nodeKey);
    }

    /**
     * {@return whether a pod on a node is held to an enforced rule that depends on the node label with this key}
     *
     * @param namespace the namespace of the enforcing policies; empty for cluster policies
     */
    public boolean isEnforcedOn(String node, String nodeKey, Optional<String> namespace) {
        for (PodEntry pod : clusterCache.entriesOn(node)) {
            if (pod.resolvedRules().ruleSet().enforces(nodeKey, namespace)) {
                return true;
            }
        }
        return false;
    }

    /**
     * {@return the longest forgiveness with which policies enforce a rule that depends on the node label with this key,
     * by their namespace; that of cluster policies has an empty key} Policies without such a rule of a pod are absent.
     */
    public Map<Optional<String>, Duration> longestForgiveness(String nodeKey) {
        return ruleAssignment.longestForgiveness(nodeKey);
    }

    /**
     * {@return the first pod at or after a position in the pod table; empty when there is no pod} Positions after the
     * end of the table start again at the beginning. So a caller that adds 1 to the position for each call reads every
     * pod sooner or later.
     */
    public Optional<Pod> podAt(int place) {
        return clusterCache.entryAt(place).map(PodEntry::pod);
    }

    /**
     * {@return the rules that were left out since the last call} Pods of a namespace are not held to its largest rules
     * while its rules take too much of the heap.
     */
    public List<LeftOutRule> takeLeftOut() {
        return updater.takeLeftOut();
    }

    /** Calls the action for each pod that a policy selects on the pod's current node. The order is undefined. */
    public void forEachSelected(PolicyId policy, Consumer<Pod> action) {
        updater.forEachSelected(policy, action);
    }

    /**
     * Calls the visitor for each pod whose anti-affinity term is violated because of this partner, with the rule. The
     * order is undefined.
     */
    public void forEachBrokenBy(String partnerUid, RuleOwners.Visitor visitor) {
        clusterCache
                .entry(partnerUid)
                .ifPresent(partner -> partner.forEachMatch(rule -> {
                    if (rule instanceof LiveAntiAffinity term) {
                        partner.countsOn().flatMap(term::domain).ifPresent(domain -> term.visitBroken(domain, visitor));
                    }
                }));
    }

    /** {@return how many pods a policy selects} */
    public int selected(PolicyId policy) {
        return ruleAssignment.selected(policy);
    }

    /** {@return the outcomes of the rules that a policy injects, in the spec of the pods that it selects} */
    public Injected injected(PolicyId policy) {
        return ruleAssignment.injected(policy);
    }

    /**
     * {@return the outcomes of the rules that a policy injects, in the spec of a pod; none if the pod is not selected}
     */
    public PolicyInjection injection(String podUid, PolicyId policy) {
        return clusterCache
                .entry(podUid)
                .map(entry ->
                        entry.resolvedRules().ruleSet().injectionsByPolicy().get(policy))
                .orElse(PolicyInjection.NONE);
    }

    /** {@return the outcomes of the rules of each policy that selects a pod, and injects some, in the pod's spec} */
    public Map<PolicyId, PolicyInjection> injections(String podUid) {
        return clusterCache
                .entry(podUid)
                .map(entry -> entry.resolvedRules().ruleSet().injectionsByPolicy())
                .orElse(Map.of());
    }

    /**
     * {@return the constraints that a pod like this one would get now at its creation, all as its own; empty if no
     * policy injects a rule into it}
     */
    public Optional<Scheduling> createdAgain(String podUid) {
        return clusterCache
                .entry(podUid)
                .flatMap(entry -> entry.resolvedRules().ruleSet().createdAgain());
    }

    /**
     * Applies an event, and reports the verdicts that change. Events of owner objects (such as ReplicaSets) and
     * disruption budgets are ignored, because no verdict depends on them.
     */
    public void apply(ClusterEvent event) {
        violationDetails.forget();
        updater.apply(event);
        violationDetails.forget();
    }

    /** Adds a policy or replaces its previous revision, and reports the verdicts that change. */
    public void put(Policy policy) {
        violationDetails.forget();
        updater.put(policy);
        violationDetails.forget();
    }

    /** Removes a policy, and reports the violations that end. */
    public void remove(PolicyId policy) {
        violationDetails.forget();
        updater.remove(policy);
        violationDetails.forget();
    }

    /** {@return whether the index has no object, no policy, and nothing derived from an object or policy} */
    boolean isEmpty() {
        return clusterCache.isEmpty()
                && existingAntiAffinity.isEmpty()
                && partnerIndex.isEmpty()
                && ruleAssignment.isEmpty()
                && dirtyGroups.isEmpty();
    }

    /** Calls the visitor once for each violation: a pod and a rule that the pod violates. The order is undefined. */
    public void forEachBroken(RuleOwners.Visitor visitor) {
        for (PodEntry entry : clusterCache.entries()) {
            for (int slot = 0; slot < entry.resolvedRules().size(); slot++) {
                if (entry.broken(slot)) {
                    visitor.see(entry.pod(), entry.resolvedRules().rule(slot));
                }
            }
        }
    }
}
