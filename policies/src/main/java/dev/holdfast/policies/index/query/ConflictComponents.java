package dev.holdfast.policies.index.query;

import dev.holdfast.policies.index.count.LiveAntiAffinity;
import dev.holdfast.policies.index.pods.PodEntry;
import dev.holdfast.policies.index.query.PartnerQuery.TermDomain;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * Connected components of pods that conflict by anti-affinity, across all terms. Example: a conflicts with b by one
 * rule, and b with c by another. Then a, b and c are one component, because moving b may heal both conflicts.
 */
final class ConflictComponents {
    private final PartnerQuery partnerQuery;
    private final Set<TermDomain> seen = new HashSet<>();
    private final Deque<PodEntry> open = new ArrayDeque<>();
    private final Set<String> reached = new TreeSet<>();

    private ConflictComponents(PartnerQuery partnerQuery) {
        this.partnerQuery = partnerQuery;
    }

    /**
     * {@return the UIDs of the given pod and of all pods connected to it by conflicts, directly or through other pods}
     */
    static Set<String> around(PodEntry start, PartnerQuery partnerQuery) {
        ConflictComponents conflictComponents = new ConflictComponents(partnerQuery);
        conflictComponents.open.add(start);
        while (!conflictComponents.open.isEmpty()) {
            conflictComponents.from(conflictComponents.open.removeFirst());
        }
        return Collections.unmodifiableSet(conflictComponents.reached);
    }

    private void from(PodEntry pod) {
        if (!reached.add(pod.pod().uid())) {
            return;
        }
        for (int slot = 0; slot < pod.resolvedRules().size(); slot++) {
            if (pod.broken(slot) && pod.resolvedRules().live(slot) instanceof LiveAntiAffinity rule) {
                visit(rule, pod);
            }
        }
        if (pod.isCounted()) {
            pod.forEachMatch(rule -> {
                if (rule instanceof LiveAntiAffinity term) {
                    visit(term, pod);
                }
            });
        }
    }

    /**
     * Queues the rule owners that violate this rule in the pod's domain, and the pods there that break it. Does nothing
     * if this rule and domain were visited before.
     */
    private void visit(LiveAntiAffinity rule, PodEntry pod) {
        if (rule.isClusterWide()) {
            // It would connect all pods of a zone, although no other pod moves because of it.
            return;
        }
        pod.countsOn()
                .flatMap(rule::domain)
                .map(domain -> new TermDomain(rule, domain))
                .filter(seen::add)
                .ifPresent(termDomain -> {
                    int before = open.size();
                    rule.forEachBroken(termDomain.domain(), ruleOwner -> open.add(PodEntry.of(ruleOwner)));
                    if (open.size() > before) {
                        open.addAll(partnerQuery.all(termDomain, pod));
                    }
                });
    }
}
