package dev.holdfast.policies.index;

import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/** Finds the pods that an anti-affinity term counts in a domain: they are counted, not listed, since few ask for them. */
final class Partners {
    private final Roster roster;
    private final Matching matching;

    Partners(Roster roster, Matching matching) {
        this.roster = roster;
        this.matching = matching;
    }

    /**
     * {@return so many partners in the domain of a node, the holder left out, by UID} Those on the node itself are found
     * first: where a domain is one node, nothing else is looked at.
     */
    List<Pod> some(LiveAntiAffinity rule, PodEntry holder, Node node, int most) {
        List<PodEntry> found = new ArrayList<>();
        Predicate<PodEntry> stranger = pod -> pod != holder && pod.counted;
        for (PodEntry pod : roster.nodeEntry(node.name()).pods) {
            if (found.size() < most && stranger.test(pod) && pod.variant.isMatchedBy(rule)) {
                found.add(pod);
            }
        }
        if (found.size() < most) {
            String domain = rule.domain(node).orElse("");
            matching.forEachMatched(rule, pod -> {
                if (stranger.test(pod) && pod.node != holder.node && isIn(rule, domain, pod)) {
                    found.add(pod);
                }
                return found.size() < most;
            });
        }
        return found.stream()
                .map(entry -> entry.pod)
                .sorted(Comparator.comparing(Pod::uid))
                .toList();
    }

    /** {@return all partners in a domain} */
    List<PodEntry> all(LiveAntiAffinity rule, String domain) {
        int count = rule.partnersIn(domain);
        List<PodEntry> found = new ArrayList<>(count);
        matching.forEachMatched(rule, pod -> {
            if (pod.counted && isIn(rule, domain, pod)) {
                found.add(pod);
            }
            return found.size() < count;
        });
        return found;
    }

    private static boolean isIn(LiveAntiAffinity rule, String domain, PodEntry pod) {
        return pod.countsOn().flatMap(rule::domain).filter(domain::equals).isPresent();
    }
}
