package dev.holdfast.policies.index.pods;

import dev.holdfast.policies.index.change.FactChange;
import dev.holdfast.policies.index.change.LeftOutRule;
import dev.holdfast.policies.index.change.VerdictListener;
import dev.holdfast.policies.index.count.DirtyGroups;
import dev.holdfast.policies.index.count.DomainSet;
import dev.holdfast.policies.index.count.LiveRule;
import dev.holdfast.policies.index.count.RuleLimits;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Applies changes of pods, nodes, namespaces and policies to the counts, and reports each verdict that changes. Only
 * affected pods are touched: they are removed from the counts and from their verdict groups (pods that share a
 * verdict). Then the change is applied, and these pods are counted and grouped again.
 */
public final class IndexUpdater {
    private final ClusterCache clusterCache;
    private final PartnerIndex partnerIndex;
    private final RuleAssignment ruleAssignment;
    private final ExistingAntiAffinity existingAntiAffinity;
    private final DirtyGroups dirtyGroups;
    private final GroupMembership groupMembership;
    private final VerdictListener listener;

    /** The rules that were left out, and not taken by the caller yet. */
    private final List<LeftOutRule> leftOut = new ArrayList<>();

    public IndexUpdater(
            ClusterCache clusterCache,
            PartnerIndex partnerIndex,
            RuleAssignment ruleAssignment,
            ExistingAntiAffinity existingAntiAffinity,
            DirtyGroups dirtyGroups,
            VerdictListener listener) {
        this.clusterCache = clusterCache;
        this.partnerIndex = partnerIndex;
        this.ruleAssignment = ruleAssignment;
        this.existingAntiAffinity = existingAntiAffinity;
        this.dirtyGroups = dirtyGroups;
        this.groupMembership = new GroupMembership(listener);
        this.listener = listener;
    }

    /**
     * Applies an event, and reports the verdicts that change. Events of owner objects (such as ReplicaSets) and
     * disruption budgets are ignored, because no verdict depends on them.
     */
    public void apply(ClusterEvent event) {
        switch (event) {
            case ClusterEvent.PodChanged(Pod pod) -> podChanged(pod);
            case ClusterEvent.PodGone(String uid) -> clusterCache.entry(uid).ifPresent(this::podGone);
            case ClusterEvent.NodeChanged(Node node) -> nodeChanged(node.name(), Optional.of(node), Optional.empty());
            case ClusterEvent.NodeUnread(Node node) -> nodeChanged(node.name(), Optional.empty(), Optional.of(node));
            case ClusterEvent.NodeGone(String name) -> nodeChanged(name, Optional.empty(), Optional.empty());
            case ClusterEvent.NamespaceChanged(Namespace namespace) ->
                namespaceChanged(namespace.name(), Optional.of(namespace));
            case ClusterEvent.NamespaceGone(String name) -> namespaceChanged(name, Optional.empty());
            case ClusterEvent.OwnerChanged _,
                    ClusterEvent.OwnerGone _,
                    ClusterEvent.BudgetChanged _,
                    ClusterEvent.BudgetGone _,
                    ClusterEvent.OfCapacity _ -> {
                // No verdict depends on them.
            }
        }
        limitRules();
    }

    private void podChanged(Pod pod) {
        Optional<PodEntry> known = clusterCache.entry(pod.uid());
        if (known.isEmpty()) {
            podCame(pod);
        } else if (pod.hasSameVerdictInputsAs(known.get().pod)) {
            known.get().pod = PodInterner.shared(pod, known.get(), true);
        } else {
            podBecame(known.get(), pod);
        }
    }

    private void podCame(Pod pod) {
        LabelVariant labelVariant = variant(pod);
        PodEntry entry = new PodEntry(PodInterner.named(pod, labelVariant), labelVariant);
        clusterCache.add(entry);
        labelVariant.pods.add(entry);
        labelVariant.labelClass.namespace.pods++;
        joinNode(entry);
        entry.resolvedRules = ruleAssignment.acquire(entry);
        entry.pod = PodInterner.shared(pod, entry, false);
        existingAntiAffinity.came(entry);
        count(entry);
        FactChange factChange = new FactChange.OfPod(Optional.empty(), Optional.of(pod));
        dirtyGroups.settle(listener, factChange);
        groupMembership.joinNew(entry, factChange);
    }

    private void podBecame(PodEntry entry, Pod after) {
        Pod before = entry.pod;
        LabelVariant oldVariant = entry.labelVariant;
        ResolvedRules oldProfile = entry.resolvedRules;
        boolean stays = entry.counted && countsAlike(before, after) && oldVariant.hasFewMatches();
        if (!stays) {
            uncount(entry);
            leaveNode(entry);
        }
        oldVariant.pods.remove(entry.placeInVariant);
        entry.pod = after;
        entry.labelVariant = variant(after);
        entry.labelVariant.pods.add(entry);
        if (stays) {
            PartnerIndex.recount(entry, oldVariant);
        } else {
            joinNode(entry);
        }
        ResolvedRules resolvedRules = ruleAssignment.acquire(entry);
        boolean keepsSeats = stays && entry.canStayInGroups(oldVariant, resolvedRules);
        Optional<GroupMembership.BeforeLeaving> beforeLeaving =
                keepsSeats ? Optional.empty() : Optional.of(groupMembership.leave(entry));
        entry.resolvedRules = resolvedRules;
        entry.pod = PodInterner.shared(after, entry, false);
        existingAntiAffinity.became(entry, before);
        if (!stays) {
            count(entry);
        }
        FactChange factChange = new FactChange.OfPod(Optional.of(before), Optional.of(after));
        dirtyGroups.settle(listener, factChange);
        beforeLeaving.ifPresent(it -> groupMembership.join(entry, it, factChange));
        ruleAssignment.release(oldVariant, oldProfile);
        partnerIndex.dropIfUnused(oldVariant);
    }

    /**
     * {@return whether a changed pod is counted as before: it still runs on the same node, and did not start to
     * terminate} Only rules that match such a pod before or after the change, but not both, must count it again.
     */
    private static boolean countsAlike(Pod before, Pod after) {
        return after.counts()
                && before.nodeName().equals(after.nodeName())
                && before.terminating() == after.terminating();
    }

    private void podGone(PodEntry entry) {
        uncount(entry);
        GroupMembership.BeforeLeaving beforeLeaving = groupMembership.leave(entry);
        leaveNode(entry);
        entry.labelVariant.pods.remove(entry.placeInVariant);
        entry.labelVariant.labelClass.namespace.pods--;
        existingAntiAffinity.left(entry);
        clusterCache.remove(entry);
        FactChange factChange = new FactChange.OfPod(Optional.of(entry.pod), Optional.empty());
        dirtyGroups.settle(listener, factChange);
        groupMembership.gone(entry, beforeLeaving, factChange);
        ruleAssignment.release(entry.labelVariant, entry.resolvedRules);
        partnerIndex.dropIfUnused(entry.labelVariant);
    }

    /**
     * Finds or creates the label variant (the pods of a namespace with equal labels) of a pod, and returns it. A new
     * label variant gets the policies that select its pods.
     */
    private LabelVariant variant(Pod pod) {
        LabelVariant labelVariant = partnerIndex.variant(clusterCache.namespaceEntry(pod.namespace()), pod.labels());
        if (labelVariant.pods.isEmpty()) {
            labelVariant.select(ruleAssignment.selecting(labelVariant));
        }
        return labelVariant;
    }

    private void joinNode(PodEntry entry) {
        if (entry.pod.nodeName().isPresent()) {
            entry.node = clusterCache.nodeEntry(entry.pod.nodeName().get());
            entry.node.pods.add(entry);
        }
    }

    private void leaveNode(PodEntry entry) {
        NodeEntry node = entry.node;
        if (node != null) {
            node.pods.remove(entry.placeOnNode);
            clusterCache.dropIfUnused(entry.pod.nodeName().orElse(""), node);
            entry.node = null;
        }
    }

    private static void count(PodEntry entry) {
        entry.countsOn().ifPresent(node -> PartnerIndex.count(entry, node));
    }

    private static void uncount(PodEntry entry) {
        if (entry.counted) {
            entry.countsOn().ifPresent(node -> PartnerIndex.uncount(entry, node));
        }
    }

    private void nodeChanged(String name, Optional<Node> after, Optional<Node> unread) {
        clusterCache.isUnread(name, unread);
        Optional<Node> before = clusterCache.node(name);
        if (alike(before, after)) {
            after.ifPresent(_ -> clusterCache.is(name, after));
            return;
        }
        List<PodEntry> pods = new ArrayList<>();
        clusterCache.nodeEntry(name).pods.forEach(pods::add);
        revise(pods, new FactChange.OfNode(name, before, after), () -> {
            pods.forEach(IndexUpdater::uncount);
            for (DomainSet domains : partnerIndex.domainSets()) {
                before.ifPresent(domains::left);
                after.ifPresent(domains::came);
            }
            clusterCache.is(name, after);
            pods.forEach(IndexUpdater::count);
        });
    }

    private static boolean alike(Optional<Node> before, Optional<Node> after) {
        if (before.isEmpty() || after.isEmpty()) {
            return before.isEmpty() && after.isEmpty();
        }
        return before.get().labels().equals(after.get().labels())
                && before.get().taints().equals(after.get().taints());
    }

    private void namespaceChanged(String name, Optional<Namespace> after) {
        NamespaceEntry namespace = clusterCache.namespaceEntry(name);
        Optional<Namespace> before = namespace.namespace();
        Optional<Labels> labels = namespace.labels();
        namespace.is(after);
        if (!labels.equals(namespace.labels()) && !namespace.labelVariants().isEmpty()) {
            FactChange factChange = new FactChange.OfNamespace(name, before, after);
            List<LiveRule> turning = partnerIndex.rulesChangingReach(namespace, labels);
            List<PodEntry> reselected = reselect(namespace);
            if (turning.isEmpty()) {
                reassign(reselected, factChange);
            } else {
                List<PodEntry> pods = new ArrayList<>();
                for (LabelVariant labelVariant : namespace.labelVariants()) {
                    labelVariant.pods.forEach(pods::add);
                }
                revise(pods, factChange, () -> partnerIndex.applyReach(turning, namespace));
            }
        }
        clusterCache.dropIfUnused(namespace);
    }

    /** Adds a policy or replaces its previous revision, and reports the verdicts that change. */
    public void put(Policy policy) {
        ruleAssignment.put(policy);
        reselect(policy.id());
        limitRules();
    }

    /** Removes a policy, and reports the violations that end. */
    public void remove(PolicyId policy) {
        ruleAssignment.remove(policy);
        reselect(policy);
    }

    /** Leaves out the largest rules of each namespace whose rules take too much of the heap. */
    private void limitRules() {
        for (Optional<RuleLimits.TooLarge> found = partnerIndex.limits().tooLarge(this::pods);
                found.isPresent();
                found = partnerIndex.limits().tooLarge(this::pods)) {
            leaveOut(found.get());
        }
    }

    private int pods(String namespace) {
        return clusterCache
                .namespaceEntryIfUsed(namespace)
                .map(entry -> entry.pods)
                .orElse(0);
    }

    private void leaveOut(RuleLimits.TooLarge tooLarge) {
        NamespaceEntry namespace = clusterCache.namespaceEntry(tooLarge.namespace());
        List<LeftOutRule> rules = namespace.largestRules(tooLarge.bytes());
        if (rules.isEmpty()) {
            throw new IllegalStateException("rules of namespace " + namespace.name + " take too much, but it has none");
        }
        namespace.leaveOut(rules.stream().map(LeftOutRule::identity).toList());
        leftOut.addAll(rules);
        List<PodEntry> pods = new ArrayList<>();
        for (LabelVariant labelVariant : namespace.labelVariants()) {
            labelVariant.pods.forEach(pods::add);
        }
        reassign(pods, new FactChange.OfNamespace(namespace.name, namespace.namespace(), namespace.namespace()));
    }

    /** {@return the rules that were left out since the last call} */
    public List<LeftOutRule> takeLeftOut() {
        if (leftOut.isEmpty()) {
            return List.of();
        }
        List<LeftOutRule> taken = List.copyOf(leftOut);
        leftOut.clear();
        return taken;
    }

    /** Calls the action for each pod that a policy selects on its current node. */
    public void forEachSelected(PolicyId policy, Consumer<Pod> action) {
        for (NamespaceEntry namespace : clusterCache.namespaceEntriesOf(policy)) {
            for (LabelVariant labelVariant : namespace.labelVariants()) {
                if (isAmong(policy, labelVariant.policies())) {
                    for (PodEntry pod : labelVariant.pods) {
                        if (isAmong(policy, pod.resolvedRules.ruleSet().key().policies())) {
                            action.accept(pod.pod);
                        }
                    }
                }
            }
        }
    }

    private static boolean isAmong(PolicyId policy, List<Policy> policies) {
        for (int i = 0; i < policies.size(); i++) {
            if (policies.get(i).id().equals(policy)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Assigns rules again to the pods that the policy selects now or selected before. Pods are left out if neither the
     * selection nor the content of the policy changed for them.
     */
    private void reselect(PolicyId policy) {
        List<PodEntry> pods = new ArrayList<>();
        PolicyReselection policyReselection = new PolicyReselection(policy, ruleAssignment.policy(policy));
        for (NamespaceEntry namespace : clusterCache.namespaceEntriesOf(policy)) {
            for (LabelVariant labelVariant : namespace.labelVariants()) {
                Optional<List<Policy>> other = policyReselection.of(labelVariant);
                if (other.isPresent()) {
                    labelVariant.select(other.get());
                    labelVariant.pods.forEach(pods::add);
                }
            }
        }
        reassign(pods, new FactChange.OfPolicy(policy));
    }

    /** Determines again which policies select the pods of a namespace, and returns the pods for which this changed. */
    private List<PodEntry> reselect(NamespaceEntry namespace) {
        List<PodEntry> pods = new ArrayList<>();
        for (LabelVariant labelVariant : namespace.labelVariants()) {
            List<Policy> selecting = ruleAssignment.selecting(labelVariant);
            if (!selecting.equals(labelVariant.policies())) {
                labelVariant.select(selecting);
                labelVariant.pods.forEach(pods::add);
            }
        }
        return pods;
    }

    /**
     * Assigns rules to pods again when no count has changed. Each pod stays in its verdict groups for the rules that it
     * still has.
     */
    private void reassign(List<PodEntry> pods, FactChange factChange) {
        ResolvedRules[] after = new ResolvedRules[pods.size()];
        for (int i = 0; i < after.length; i++) {
            PodEntry pod = pods.get(i);
            after[i] = i == 0
                    ? ruleAssignment.acquire(pod)
                    : ruleAssignment.acquireLike(pods.get(i - 1), after[i - 1], pod);
        }
        dirtyGroups.settle(listener, factChange);
        ResolvedRulesChange to = new ResolvedRulesChange(ResolvedRules.NONE, ResolvedRules.NONE);
        for (int i = 0; i < after.length; i++) {
            PodEntry pod = pods.get(i);
            if (!to.isBetween(pod.resolvedRules, after[i])) {
                to = new ResolvedRulesChange(pod.resolvedRules, after[i]);
            }
            groupMembership.changeRules(pod, to, factChange);
            ruleAssignment.release(pod.labelVariant, to.before());
        }
    }

    /**
     * Applies a change that affects many pods: removes them from their verdict groups, runs the update, and then
     * assigns rules and verdict groups again.
     *
     * @param update changes the objects and the counts
     */
    private void revise(List<PodEntry> pods, FactChange factChange, Runnable update) {
        GroupMembership.BeforeLeaving[] beforeLeaving = new GroupMembership.BeforeLeaving[pods.size()];
        for (int i = 0; i < beforeLeaving.length; i++) {
            beforeLeaving[i] = groupMembership.leave(pods.get(i));
        }
        update.run();
        for (PodEntry pod : pods) {
            pod.resolvedRules = ruleAssignment.acquire(pod);
        }
        dirtyGroups.settle(listener, factChange);
        for (int i = 0; i < beforeLeaving.length; i++) {
            groupMembership.join(pods.get(i), beforeLeaving[i], factChange);
            ruleAssignment.release(pods.get(i).labelVariant, beforeLeaving[i].resolvedRules());
        }
    }
}
