package dev.holdfast.policies.index.query;

import dev.holdfast.policies.evaluate.ViolationDetail;
import dev.holdfast.policies.index.count.LiveAffinity;
import dev.holdfast.policies.index.count.LiveAntiAffinity;
import dev.holdfast.policies.index.count.LiveNodeRule;
import dev.holdfast.policies.index.count.LiveRule;
import dev.holdfast.policies.index.count.LiveSpread;
import dev.holdfast.policies.index.pods.PodEntry;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.NodeEligibility;
import dev.holdfast.policies.rule.Rule;
import java.util.List;
import java.util.Optional;

/**
 * Describes how a pod violates a rule, read from the rule's counts. The package {@code evaluate} gives the same result,
 * except that it lists all partners of an anti-affinity conflict and not only some.
 */
public final class ViolationDetailReader {
    private final PartnerQuery partnerQuery;
    private final LeastCounts leastCounts;

    /**
     * @param partnerQuery finds the pods to list for an anti-affinity conflict
     * @param view the nodes, to find the domains that a spread constraint leaves out
     */
    public ViolationDetailReader(PartnerQuery partnerQuery, ClusterView view) {
        this.partnerQuery = partnerQuery;
        this.leastCounts = new LeastCounts(view);
    }

    /**
     * {@return how a rule owner on a node violates a rule}
     *
     * @param live the violated rule with its counts
     * @param holder the rule owner
     * @param rule the violated rule, with label keys such as {@code matchLabelKeys} merged into its selectors
     */
    public ViolationDetail read(LiveRule live, PodEntry holder, Node node, Rule rule) {
        return switch (live) {
            case LiveNodeRule ofNode -> ofNode.violationDetail(node).orElseThrow();
            case LiveAffinity affinity -> noPartner(affinity, holder, node, rule);
            case LiveAntiAffinity term -> conflict(term, holder, node);
            case LiveSpread spread -> skew(spread, holder, node);
        };
    }

    /**
     * {@return why no partner is near: the node lacks a topology key, or one of its domains, for example its zone, has
     * no partner except the rule owner itself} The result names the first such key or domain.
     */
    private static ViolationDetail noPartner(LiveAffinity affinity, PodEntry holder, Node node, Rule rule) {
        int self = self(affinity, holder);
        Optional<LiveAffinity.Domain> lonely = Optional.empty();
        for (String key : affinity.keys()) {
            Optional<String> value = node.labels().get(key);
            if (value.isEmpty()) {
                return new ViolationDetail.NoTopologyKey(node.name(), key);
            }
            LiveAffinity.Domain domain = new LiveAffinity.Domain(key, value.get());
            if (lonely.isEmpty() && affinity.partnersIn(domain) <= self) {
                lonely = Optional.of(domain);
            }
        }
        return new ViolationDetail.NoPartner(
                lonely.map(LiveAffinity.Domain::key).orElse(""),
                lonely.map(LiveAffinity.Domain::value).orElse(""),
                rule instanceof Rule.PodAffinity(var terms) ? terms.size() : 1,
                self,
                rule.describe());
    }

    private ViolationDetail conflict(LiveAntiAffinity term, PodEntry holder, Node node) {
        String domain = term.domain(node).orElse("");
        int others = term.partnersIn(domain) - self(term, holder);
        List<Pod> some = partnerQuery.some(term, holder, node, Math.min(others, ViolationDetail.NAMED_PARTNERS));
        return new ViolationDetail.Conflict(term.topologyKey(), domain, some, others);
    }

    private ViolationDetail skew(LiveSpread spread, PodEntry holder, Node node) {
        Optional<String> domain = node.labels().get(spread.topologyKey());
        if (domain.isEmpty()) {
            return new ViolationDetail.NoTopologyKey(node.name(), spread.topologyKey());
        }
        int self = self(spread, holder);
        int counted = self == 1 && spread.domains().includes(node) ? 1 : 0;
        int others = spread.counted(domain.get()) - counted;
        return new ViolationDetail.Skew(
                spread.topologyKey(),
                domain.get(),
                others,
                self,
                leastCounts.of(
                        spread,
                        new LeastCounts.Owner(
                                domain.get(),
                                others,
                                self,
                                NodeEligibility.ofPod(holder.pod().scheduling()))),
                spread.constraint().maxSkew());
    }

    /** Forgets what was read for the details, because an event may change it. */
    public void forget() {
        leastCounts.forget();
    }

    private static int self(LiveRule live, PodEntry holder) {
        return holder.isMatchedBy(live) ? 1 : 0;
    }
}
