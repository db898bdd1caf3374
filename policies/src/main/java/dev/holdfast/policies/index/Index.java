package dev.holdfast.policies.index;

import dev.holdfast.policies.evaluate.ExistingAntiAffinityView;
import dev.holdfast.policies.evaluate.ImpactOnOthers;
import dev.holdfast.policies.evaluate.ViolationDetail;
import dev.holdfast.policies.index.change.Holders;
import dev.holdfast.policies.index.change.VerdictListener;
import dev.holdfast.policies.index.count.DirtyGroups;
import dev.holdfast.policies.index.count.DomainSet;
import dev.holdfast.policies.index.count.LiveRule;
import dev.holdfast.policies.index.count.LiveSpread;
import dev.holdfast.policies.index.pods.ExistingAntiAffinity;
import dev.holdfast.policies.index.pods.IndexUpdater;
import dev.holdfast.policies.index.pods.IndexedCluster;
import dev.holdfast.policies.index.pods.PartnerIndex;
import dev.holdfast.policies.index.pods.PodEntry;
import dev.holdfast.policies.index.pods.RuleAssignment;
import dev.holdfast.policies.index.query.BreachReader;
import dev.holdfast.policies.index.query.ConflictQuery;
import dev.holdfast.policies.index.query.MoveImpact;
import dev.holdfast.policies.index.query.PartnerQuery;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.HeldRule;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.RuleIdentity;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The incremental evaluator. Takes facts and policies, and tells of every verdict that they change.
 *
 * <p>Owned by one thread. What {@link #view} shows is read before the next event.
 */
public final class Index {
    private final IndexedCluster indexedCluster = new IndexedCluster();
    private final DirtyGroups dirtyGroups = new DirtyGroups();
    private final PartnerIndex partnerIndex;
    private final RuleAssignment ruleAssignment;
    private final IndexUpdater updater;
    private final BreachReader breaches;
    private final ExistingAntiAffinity existingAntiAffinity;

    /** @param exemptNamespaces pods in them are no partners in the verdict of anti-affinity, either way */
    public Index(Set<String> exemptNamespaces, VerdictListener listener) {
        this.partnerIndex = new PartnerIndex(indexedCluster, Set.copyOf(exemptNamespaces), dirtyGroups);
        this.ruleAssignment = new RuleAssignment(partnerIndex);
        this.breaches = new BreachReader(new PartnerQuery(indexedCluster, partnerIndex));
        this.existingAntiAffinity = new ExistingAntiAffinity(indexedCluster);
        this.updater = new IndexUpdater(
                indexedCluster, partnerIndex, ruleAssignment, existingAntiAffinity, dirtyGroups, listener);
    }

    /** {@return the facts as they are now} */
    public ClusterView view() {
        return indexedCluster;
    }

    /** {@return the rules asked for a pod, by identity; none for one that is not known} */
    public List<HeldRule> rulesOf(String podUid) {
        return indexedCluster
                .entry(podUid)
                .map(entry -> entry.resolvedRules().ruleSet().rules())
                .orElse(List.of());
    }

    /** {@return whether the rule is asked for the pod and Violated} */
    public boolean isBroken(String podUid, RuleIdentity rule) {
        return indexedCluster
                .entry(podUid)
                .map(entry -> {
                    int slot = entry.resolvedRules().slot(rule);
                    return slot >= 0 && entry.broken(slot);
                })
                .orElse(false);
    }

    /** {@return the rule as it is asked for the pod; absent when it is not} */
    public Optional<HeldRule> rule(String podUid, RuleIdentity rule) {
        return indexedCluster.entry(podUid).flatMap(entry -> {
            int slot = entry.resolvedRules().slot(rule);
            return slot < 0
                    ? Optional.empty()
                    : Optional.of(entry.resolvedRules().rule(slot));
        });
    }

    /**
     * {@return how the rule is broken for the pod; absent when it is not} Of pods that conflict by anti-affinity only as
     * many as a message names.
     */
    public Optional<ViolationDetail> breach(String podUid, RuleIdentity rule) {
        return indexedCluster.entry(podUid).flatMap(entry -> {
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
            return Optional.of(breaches.breach(live, entry, node.get(), merged));
        });
    }

    /**
     * {@return those of some domains for which alone the spread is broken for the pod, in the same order; none where it is
     * broken without all of them too, or is not broken}
     */
    public List<String> brokenOnlyBy(List<String> domains, String podUid, RuleIdentity rule) {
        Optional<LiveSpread> spread = indexedCluster.entry(podUid).flatMap(entry -> {
            int slot = entry.resolvedRules().slot(rule);
            return slot >= 0 && entry.resolvedRules().live(slot) instanceof LiveSpread live
                    ? Optional.of(live)
                    : Optional.empty();
        });
        return spread.isPresent() && breach(podUid, rule).orElse(null) instanceof ViolationDetail.Skew skew
                ? spread.get().brokenOnlyBy(domains, skew)
                : List.of();
    }

    /** {@return the topologyKeys of the spreads that pods are held to, each once} */
    public Set<String> spreadKeys() {
        return partnerIndex.domainSets().stream().map(DomainSet::topologyKey).collect(Collectors.toSet());
    }

    /**
     * {@return what can be asked about conflicts until the next event}
     *
     * @param summary of the partners in one domain, in no particular order: made once for all holders there
     */
    public <T> ConflictQuery<T> survey(Function<List<Pod>, T> summary) {
        return new ConflictQuery<>(indexedCluster, partnerIndex, summary);
    }

    /** {@return whom the anti-affinity of all pods keeps out, kept by increments} */
    public ExistingAntiAffinityView existingAntiAffinityView() {
        return existingAntiAffinity;
    }

    /** {@return how the rules of all others come out of a move, by the counts as they are kept} */
    public ImpactOnOthers impactOnOthers() {
        return new MoveImpact(indexedCluster);
    }

    /** {@return the policies, by id} */
    public Collection<Policy> policies() {
        return ruleAssignment.policies();
    }

    /** {@return the policy in force under this id} */
    public Optional<Policy> policy(PolicyId id) {
        return ruleAssignment.policy(id);
    }

    /** {@return whether a policy selects the pod where it is now} */
    public boolean isSelected(String podUid, PolicyId policy) {
        return indexedCluster
                .entry(podUid)
                .filter(entry -> entry.resolvedRules().ruleSet().key().policies().stream()
                        .anyMatch(it -> it.id().equals(policy)))
                .isPresent();
    }

    /** {@return whether a rule that is asked for a pod depends on the node labels of this key} */
    public boolean speaksOf(String nodeKey) {
        return ruleAssignment.speaksOf(nodeKey);
    }

    /** {@return the first pod at a place or after it; whoever asks for all places in turn has seen every pod} */
    public Optional<Pod> podAt(int place) {
        return indexedCluster.entryAt(place).map(PodEntry::pod);
    }

    /** {@return how many pods a policy selects} */
    public int selected(PolicyId policy) {
        return ruleAssignment.selected(policy);
    }

    /** Takes a fact. Facts that no verdict depends on are left alone. */
    public void apply(ClusterEvent event) {
        updater.apply(event);
    }

    /** Takes a new or edited policy. */
    public void put(Policy policy) {
        updater.put(policy);
    }

    /** Takes a policy away. */
    public void remove(PolicyId policy) {
        updater.remove(policy);
    }

    /** {@return whether nothing is kept: no object, no policy, and nothing that was derived from them} */
    boolean isEmpty() {
        return indexedCluster.isEmpty()
                && existingAntiAffinity.isEmpty()
                && partnerIndex.isEmpty()
                && ruleAssignment.isEmpty()
                && dirtyGroups.isEmpty();
    }

    /** Shows all holders of broken rules. */
    public void forEachBroken(Holders.Visitor visitor) {
        for (PodEntry entry : indexedCluster.entries()) {
            for (int slot = 0; slot < entry.resolvedRules().size(); slot++) {
                if (entry.broken(slot)) {
                    visitor.see(entry.pod(), entry.resolvedRules().rule(slot));
                }
            }
        }
    }
}
