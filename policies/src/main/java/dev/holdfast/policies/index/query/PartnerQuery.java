package dev.holdfast.policies.index.query;

import dev.holdfast.policies.index.count.LiveAntiAffinity;
import dev.holdfast.policies.index.pods.IndexedCluster;
import dev.holdfast.policies.index.pods.PartnerIndex;
import dev.holdfast.policies.index.pods.PodEntry;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Finds the pods that an anti-affinity term counts in a domain: they are counted, not listed, since few ask for them. */
public final class PartnerQuery {
    private final IndexedCluster indexedCluster;
    private final PartnerIndex partnerIndex;

    /** All partners of a rule by domain, of those rules that were asked for all of them. */
    private final Map<LiveAntiAffinity, Map<String, List<PodEntry>>> byDomain = new HashMap<>();

    /** One domain of a term. */
    record Place(LiveAntiAffinity rule, String domain) {}

    public PartnerQuery(IndexedCluster indexedCluster, PartnerIndex partnerIndex) {
        this.indexedCluster = indexedCluster;
        this.partnerIndex = partnerIndex;
    }

    /**
     * {@return so many partners in the domain of a node, the holder left out, by UID} Those on the node itself are found
     * first: where a domain is one node, nothing else is looked at.
     */
    List<Pod> some(LiveAntiAffinity rule, PodEntry holder, Node node, int most) {
        List<PodEntry> found = new ArrayList<>();
        Predicate<PodEntry> stranger = pod -> pod != holder && pod.isCounted();
        for (PodEntry pod : indexedCluster.entriesOn(node.name())) {
            if (found.size() < most && stranger.test(pod) && pod.isMatchedBy(rule)) {
                found.add(pod);
            }
        }
        if (found.size() < most) {
            String domain = rule.domain(node).orElse("");
            partnerIndex.forEachMatched(rule, pod -> {
                if (stranger.test(pod) && !pod.sharesNodeWith(holder) && isIn(rule, domain, pod)) {
                    found.add(pod);
                }
                return found.size() < most;
            });
        }
        return found.stream()
                .map(PodEntry::pod)
                .sorted(Comparator.comparing(Pod::uid))
                .toList();
    }

    /**
     * {@return all partners in a domain, in no particular order} Remembered for the other domains of the rule, so that
     * this is good only until the next event.
     *
     * @param there a pod that counts in the domain: where a domain is one node, nothing but its node is looked at
     */
    List<PodEntry> all(Place place, PodEntry there) {
        LiveAntiAffinity rule = place.rule();
        List<PodEntry> found = new ArrayList<>();
        for (PodEntry pod : there.entriesOnNode()) {
            if (pod.isCounted() && pod.isMatchedBy(rule)) {
                found.add(pod);
            }
        }
        return found.size() == rule.partnersIn(place.domain())
                ? found
                : byDomain.computeIfAbsent(rule, this::byDomain).getOrDefault(place.domain(), List.of());
    }

    private Map<String, List<PodEntry>> byDomain(LiveAntiAffinity rule) {
        Map<String, List<PodEntry>> found = new HashMap<>();
        partnerIndex.forEachMatched(rule, pod -> {
            if (pod.isCounted()) {
                pod.countsOn()
                        .flatMap(rule::domain)
                        .ifPresent(domain -> found.computeIfAbsent(domain, _ -> new ArrayList<>())
                                .add(pod));
            }
            return true;
        });
        return found;
    }

    private static boolean isIn(LiveAntiAffinity rule, String domain, PodEntry pod) {
        return pod.countsOn().flatMap(rule::domain).filter(domain::equals).isPresent();
    }
}
