package dev.holdfast.policies.index.query;

import dev.holdfast.policies.index.count.LiveAntiAffinity;
import dev.holdfast.policies.index.pods.ClusterCache;
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

/**
 * Finds the pods that an anti-affinity term counts in a domain. The counts themselves keep no list of these pods,
 * because such a list is rarely needed.
 */
public final class PartnerQuery {
    private final ClusterCache clusterCache;
    private final PartnerIndex partnerIndex;

    /**
     * A cache for {@link #all}: the partners of an anti-affinity term in each domain. Contains only terms for which
     * pods on several nodes had to be searched.
     */
    private final Map<LiveAntiAffinity, Map<String, List<PodEntry>>> byDomain = new HashMap<>();

    /** An anti-affinity term and one domain, for example zone a: {@link PartnerQuery#all} finds the partners there. */
    record TermDomain(LiveAntiAffinity rule, String domain) {}

    public PartnerQuery(ClusterCache clusterCache, PartnerIndex partnerIndex) {
        this.clusterCache = clusterCache;
        this.partnerIndex = partnerIndex;
    }

    /**
     * {@return up to {@code most} partners in the domain of a node, except the rule owner {@code holder}, sorted by
     * UID} Pods on the node are searched first. Pods on other nodes are searched only if these are fewer than {@code
     * most}.
     */
    List<Pod> some(LiveAntiAffinity rule, PodEntry holder, Node node, int most) {
        List<PodEntry> found = new ArrayList<>();
        Predicate<PodEntry> isOther = pod -> pod != holder && pod.isCounted();
        for (PodEntry pod : clusterCache.entriesOn(node.name())) {
            if (found.size() < most && isOther.test(pod) && pod.isMatchedBy(rule)) {
                found.add(pod);
            }
        }
        if (found.size() < most) {
            String domain = rule.domain(node).orElse("");
            partnerIndex.forEachMatched(rule, pod -> {
                if (isOther.test(pod) && !pod.sharesNodeWith(holder) && isIn(rule, domain, pod)) {
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
     * {@return all partners in a domain, in no particular order} The result may be cached, so it is valid only until
     * the next event.
     *
     * @param there a pod that is counted in the domain; if its node has all partners of the domain, no other nodes are
     *     searched
     */
    List<PodEntry> all(TermDomain termDomain, PodEntry there) {
        LiveAntiAffinity rule = termDomain.rule();
        List<PodEntry> found = new ArrayList<>();
        for (PodEntry pod : there.entriesOnNode()) {
            if (pod.isCounted() && pod.isMatchedBy(rule)) {
                found.add(pod);
            }
        }
        return found.size() == rule.partnersIn(termDomain.domain())
                ? found
                : byDomain.computeIfAbsent(rule, this::byDomain).getOrDefault(termDomain.domain(), List.of());
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
