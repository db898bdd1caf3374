package dev.holdfast.policies.index;

import dev.holdfast.policies.evaluate.Breach;
import dev.holdfast.policies.evaluate.Bystanders;
import dev.holdfast.policies.evaluate.Repulsion;
import dev.holdfast.policies.index.change.Holders;
import dev.holdfast.policies.index.change.VerdictListener;
import dev.holdfast.policies.index.count.Docket;
import dev.holdfast.policies.index.count.DomainSet;
import dev.holdfast.policies.index.count.LiveRule;
import dev.holdfast.policies.index.count.LiveSpread;
import dev.holdfast.policies.index.pods.Asking;
import dev.holdfast.policies.index.pods.IndexUpdater;
import dev.holdfast.policies.index.pods.Matching;
import dev.holdfast.policies.index.pods.PodEntry;
import dev.holdfast.policies.index.pods.Repellers;
import dev.holdfast.policies.index.pods.Roster;
import dev.holdfast.policies.index.query.BreachReader;
import dev.holdfast.policies.index.query.MoveImpact;
import dev.holdfast.policies.index.query.Partners;
import dev.holdfast.policies.index.query.Survey;
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
    private final Roster roster = new Roster();
    private final Docket docket = new Docket();
    private final Matching matching;
    private final Asking asking;
    private final IndexUpdater updater;
    private final BreachReader breaches;
    private final Repellers repellers;

    /** @param exemptNamespaces pods in them are no partners in the verdict of anti-affinity, either way */
    public Index(Set<String> exemptNamespaces, VerdictListener listener) {
        this.matching = new Matching(roster, Set.copyOf(exemptNamespaces), docket);
        this.asking = new Asking(matching);
        this.breaches = new BreachReader(new Partners(roster, matching));
        this.repellers = new Repellers(roster);
        this.updater = new IndexUpdater(roster, matching, asking, repellers, docket, listener);
    }

    /** {@return the facts as they are now} */
    public ClusterView view() {
        return roster;
    }

    /** {@return the rules asked for a pod, by identity; none for one that is not known} */
    public List<HeldRule> rulesOf(String podUid) {
        return roster.entry(podUid)
                .map(entry -> entry.profile().ruleSet().rules())
                .orElse(List.of());
    }

    /** {@return whether the rule is asked for the pod and Violated} */
    public boolean isBroken(String podUid, RuleIdentity rule) {
        return roster.entry(podUid)
                .map(entry -> {
                    int slot = entry.profile().slot(rule);
                    return slot >= 0 && entry.broken(slot);
                })
                .orElse(false);
    }

    /** {@return the rule as it is asked for the pod; absent when it is not} */
    public Optional<HeldRule> rule(String podUid, RuleIdentity rule) {
        return roster.entry(podUid).flatMap(entry -> {
            int slot = entry.profile().slot(rule);
            return slot < 0 ? Optional.empty() : Optional.of(entry.profile().rule(slot));
        });
    }

    /**
     * {@return how the rule is broken for the pod; absent when it is not} Of pods that conflict by anti-affinity only as
     * many as a message names.
     */
    public Optional<Breach> breach(String podUid, RuleIdentity rule) {
        return roster.entry(podUid).flatMap(entry -> {
            int slot = entry.profile().slot(rule);
            LiveRule live = slot >= 0 && entry.broken(slot) ? entry.profile().live(slot) : null;
            Optional<Node> node = entry.judgedOn();
            if (live == null || node.isEmpty()) {
                return Optional.empty();
            }
            Rule merged =
                    entry.profile().rule(slot).rule().mergedFor(entry.pod().labels());
            return Optional.of(breaches.breach(live, entry, node.get(), merged));
        });
    }

    /**
     * {@return those of some domains for which alone the spread is broken for the pod, in the same order; none where it is
     * broken without all of them too, or is not broken}
     */
    public List<String> brokenOnlyBy(List<String> domains, String podUid, RuleIdentity rule) {
        Optional<LiveSpread> spread = roster.entry(podUid).flatMap(entry -> {
            int slot = entry.profile().slot(rule);
            return slot >= 0 && entry.profile().live(slot) instanceof LiveSpread live
                    ? Optional.of(live)
                    : Optional.empty();
        });
        return spread.isPresent() && breach(podUid, rule).orElse(null) instanceof Breach.Skew skew
                ? spread.get().brokenOnlyBy(domains, skew)
                : List.of();
    }

    /** {@return the topologyKeys of the spreads that pods are held to, each once} */
    public Set<String> spreadKeys() {
        return matching.domainSets().stream().map(DomainSet::topologyKey).collect(Collectors.toSet());
    }

    /**
     * {@return what can be asked about conflicts until the next event}
     *
     * @param summary of the partners in one domain, in no particular order: made once for all holders there
     */
    public <T> Survey<T> survey(Function<List<Pod>, T> summary) {
        return new Survey<>(roster, matching, summary);
    }

    /** {@return whom the anti-affinity of all pods keeps out, kept by increments} */
    public Repulsion repulsion() {
        return repellers;
    }

    /** {@return how the rules of all others come out of a move, by the counts as they are kept} */
    public Bystanders bystanders() {
        return new MoveImpact(roster);
    }

    /** {@return the policies, by id} */
    public Collection<Policy> policies() {
        return asking.policies();
    }

    /** {@return the policy in force under this id} */
    public Optional<Policy> policy(PolicyId id) {
        return asking.policy(id);
    }

    /** {@return whether a policy selects the pod where it is now} */
    public boolean isSelected(String podUid, PolicyId policy) {
        return roster.entry(podUid)
                .filter(entry -> entry.profile().ruleSet().key().policies().stream()
                        .anyMatch(it -> it.id().equals(policy)))
                .isPresent();
    }

    /** {@return whether a rule that is asked for a pod depends on the node labels of this key} */
    public boolean speaksOf(String nodeKey) {
        return asking.speaksOf(nodeKey);
    }

    /** {@return the first pod at a place or after it; whoever asks for all places in turn has seen every pod} */
    public Optional<Pod> podAt(int place) {
        return roster.entryAt(place).map(PodEntry::pod);
    }

    /** {@return how many pods a policy selects} */
    public int selected(PolicyId policy) {
        return asking.selected(policy);
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
        return roster.isEmpty() && repellers.isEmpty() && matching.isEmpty() && asking.isEmpty() && docket.isEmpty();
    }

    /** Shows all holders of broken rules. */
    public void forEachBroken(Holders.Visitor visitor) {
        for (PodEntry entry : roster.entries()) {
            for (int slot = 0; slot < entry.profile().size(); slot++) {
                if (entry.broken(slot)) {
                    visitor.see(entry.pod(), entry.profile().rule(slot));
                }
            }
        }
    }
}
