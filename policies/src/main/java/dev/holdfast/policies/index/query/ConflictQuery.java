package dev.holdfast.policies.index.query;

import dev.holdfast.policies.index.count.LiveAntiAffinity;
import dev.holdfast.policies.index.pods.ClusterCache;
import dev.holdfast.policies.index.pods.PartnerIndex;
import dev.holdfast.policies.index.pods.PodEntry;
import dev.holdfast.policies.index.query.PartnerQuery.TermDomain;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.RuleIdentity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Cached queries about anti-affinity conflicts: the partners in a domain, and which pods conflict with one another. The
 * results are valid until the next cluster event.
 *
 * @param <T> the type of a summary, which a given function computes from the partners in a domain
 */
public final class ConflictQuery<T> {
    private final ClusterCache clusterCache;
    private final PartnerQuery partnerQuery;
    private final Function<List<Pod>, T> summary;
    private final Map<TermDomain, T> summaries = new HashMap<>();
    private final Map<String, Set<String>> conflicts = new HashMap<>();

    public ConflictQuery(ClusterCache clusterCache, PartnerIndex partnerIndex, Function<List<Pod>, T> summary) {
        this.clusterCache = clusterCache;
        this.partnerQuery = new PartnerQuery(clusterCache, partnerIndex);
        this.summary = summary;
    }

    /**
     * {@return the summary of all partners in the domain of the pod's node, including the pod if the term matches it;
     * empty unless the rule is an anti-affinity term that the pod violates} All rule owners in the domain get the same
     * instance.
     */
    public Optional<T> partners(String podUid, RuleIdentity rule) {
        return clusterCache.entry(podUid).flatMap(holder -> {
            int slot = holder.resolvedRules().slot(rule);
            return slot >= 0
                            && holder.broken(slot)
                            && holder.resolvedRules().live(slot) instanceof LiveAntiAffinity live
                    ? holder.judgedOn()
                            .flatMap(live::domain)
                            .map(domain -> summary(new TermDomain(live, domain), holder))
                    : Optional.empty();
        });
    }

    private T summary(TermDomain termDomain, PodEntry holder) {
        T known = summaries.get(termDomain);
        if (known == null) {
            List<Pod> pods = new ArrayList<>();
            partnerQuery.all(termDomain, holder).forEach(entry -> pods.add(entry.pod()));
            known = summary.apply(pods);
            summaries.put(termDomain, known);
        }
        return known;
    }

    /**
     * {@return the UIDs of a pod and of all pods that are connected to it by anti-affinity conflicts, directly or
     * through other pods; empty for an unknown pod}
     */
    public Set<String> around(String podUid) {
        Set<String> known = conflicts.get(podUid);
        if (known == null) {
            Optional<PodEntry> start = clusterCache.entry(podUid);
            if (start.isEmpty()) {
                return Set.of();
            }
            known = ConflictComponents.around(start.get(), partnerQuery);
            for (String uid : known) {
                conflicts.put(uid, known);
            }
        }
        return known;
    }
}
