package dev.holdfast.policies.index.query;

import dev.holdfast.policies.index.count.LiveAntiAffinity;
import dev.holdfast.policies.index.pods.IndexedCluster;
import dev.holdfast.policies.index.pods.PartnerIndex;
import dev.holdfast.policies.index.pods.PodEntry;
import dev.holdfast.policies.index.query.PartnerQuery.Place;
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
 * What is found out of conflicts by anti-affinity once, for as many holders as ask before the next event: who is in a
 * domain together, and which pods conflict with one another.
 *
 * @param <T> what the partners in a domain come to
 */
public final class ConflictQuery<T> {
    private final IndexedCluster indexedCluster;
    private final PartnerQuery partnerQuery;
    private final Function<List<Pod>, T> summary;
    private final Map<Place, T> summaries = new HashMap<>();
    private final Map<String, Set<String>> conflicts = new HashMap<>();

    public ConflictQuery(IndexedCluster indexedCluster, PartnerIndex partnerIndex, Function<List<Pod>, T> summary) {
        this.indexedCluster = indexedCluster;
        this.partnerQuery = new PartnerQuery(indexedCluster, partnerIndex);
        this.summary = summary;
    }

    /**
     * {@return what all partners in the holder's domain come to, the same thing for all holders there, and the holder
     * itself among them if the term matches it; absent where the rule is no anti-affinity or not broken}
     */
    public Optional<T> partners(String podUid, RuleIdentity rule) {
        return indexedCluster.entry(podUid).flatMap(holder -> {
            int slot = holder.resolvedRules().slot(rule);
            return slot >= 0
                            && holder.broken(slot)
                            && holder.resolvedRules().live(slot) instanceof LiveAntiAffinity live
                    ? holder.judgedOn().flatMap(live::domain).map(domain -> summary(new Place(live, domain), holder))
                    : Optional.empty();
        });
    }

    private T summary(Place place, PodEntry holder) {
        T known = summaries.get(place);
        if (known == null) {
            List<Pod> pods = new ArrayList<>();
            partnerQuery.all(place, holder).forEach(entry -> pods.add(entry.pod()));
            known = summary.apply(pods);
            summaries.put(place, known);
        }
        return known;
    }

    /** {@return the UIDs of the pods that conflict with this one by anti-affinity, or with one of these; its own too} */
    public Set<String> around(String podUid) {
        Set<String> known = conflicts.get(podUid);
        if (known == null) {
            Optional<PodEntry> start = indexedCluster.entry(podUid);
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
