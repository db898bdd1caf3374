package dev.holdfast.policies.index.count;

import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.SpreadDomains;
import dev.holdfast.policies.selector.ParseResult;
import dev.holdfast.policies.selector.TermMatcher;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All rules that pods are held to, with their counts: one {@link LiveRule} for each {@link LiveRuleKey}. A live rule is
 * dropped when no {@code ResolvedRules} instance contains it. Spread constraints with the same eligible nodes share one
 * {@link DomainSet}.
 */
public final class LiveRules {
    private final Set<String> exemptNamespaces;
    private final DirtyGroups dirtyGroups;
    private final Collection<Node> nodes;
    private final Map<LiveRuleKey, LiveRule> rules = new HashMap<>();
    private final Map<LiveRule, LiveRuleKey> liveRuleKeys = new HashMap<>();
    private final Map<SpreadDomains, DomainSet> domainSets = new LinkedHashMap<>();
    private final RuleLimits limits = new RuleLimits();

    /**
     * @param exemptNamespaces anti-affinity does not count pods in these namespaces, and is not evaluated for such pods
     * @param nodes all nodes; the collection changes with the cluster
     */
    public LiveRules(Set<String> exemptNamespaces, DirtyGroups dirtyGroups, Collection<Node> nodes) {
        this.exemptNamespaces = exemptNamespaces;
        this.dirtyGroups = dirtyGroups;
        this.nodes = nodes;
    }

    public boolean isEmpty() {
        return rules.isEmpty() && liveRuleKeys.isEmpty() && domainSets.isEmpty() && limits.isEmpty();
    }

    /** {@return the limits of what rules take of the heap} */
    public RuleLimits limits() {
        return limits;
    }

    /**
     * Finds or creates the live rule for rule owners with this scheduling, namespace and labels, adds 1 to its number
     * of uses, and returns it. If this is its only use, the live rule is new and has counted no pods yet. Null means
     * that the rule cannot be parsed.
     */
    @Nullable
    public LiveRule acquire(Rule rule, Scheduling owner, String namespace, Labels labels) {
        LiveRuleKey liveRuleKey = LiveRuleKey.of(rule, owner, namespace, labels);
        LiveRule known = rules.get(liveRuleKey);
        if (known == null) {
            known = make(liveRuleKey, namespace);
            if (known == null) {
                return null;
            }
            rules.put(liveRuleKey, known);
            liveRuleKeys.put(known, liveRuleKey);
        }
        known.usedBy(namespace, limits);
        return known;
    }

    /**
     * Removes one use of a live rule by pods of a namespace. Drops the live rule if this was the last use, and returns
     * whether it did.
     */
    public boolean release(LiveRule rule, String namespace) {
        rule.unusedBy(namespace, limits);
        if (rule.users > 0) {
            return false;
        }
        rules.remove(liveRuleKeys.remove(rule));
        rule.retired();
        if (rule instanceof LiveSpread spread && spread.domains().rules.isEmpty()) {
            domainSets.remove(spread.domains().spreadDomains());
        }
        return true;
    }

    /** {@return the domain sets of all spread constraints that pods are held to} */
    public Collection<DomainSet> domainSets() {
        return Collections.unmodifiableCollection(domainSets.values());
    }

    /** {@return the domain set of the spread constraints that count in these domains; empty if none does} */
    public Optional<DomainSet> domains(SpreadDomains of) {
        return Optional.ofNullable(domainSets.get(of));
    }

    /** {@return what decides which nodes the domain sets contain} The set changes with the rules. */
    public Set<SpreadDomains> spreadDomains() {
        return Collections.unmodifiableSet(domainSets.keySet());
    }

    private @Nullable LiveRule make(LiveRuleKey liveRuleKey, String namespace) {
        return switch (liveRuleKey.rule()) {
            case Rule.OfNode node -> new LiveNodeRule(node);
            case Rule.PodAffinity(List<PodAffinityTerm> terms) -> {
                List<TermMatcher> usable = usable(terms, namespace);
                yield usable.size() == terms.size() ? new LiveAffinity(usable, dirtyGroups) : null;
            }
            case Rule.PodAntiAffinity(PodAffinityTerm term) -> {
                List<TermMatcher> usable = usable(List.of(term), namespace);
                yield usable.isEmpty() ? null : new LiveAntiAffinity(usable.getFirst(), exemptNamespaces, dirtyGroups);
            }
            case Rule.TopologySpread(TopologySpreadConstraint constraint, var _) -> {
                PodAffinityTerm counted = new PodAffinityTerm(
                        constraint.labelSelector(),
                        List.of(),
                        Optional.empty(),
                        constraint.topologyKey(),
                        List.of(),
                        List.of());
                List<TermMatcher> usable = usable(List.of(counted), namespace);
                yield usable.isEmpty() ? null : spread(constraint, usable.getFirst(), liveRuleKey);
            }
        };
    }

    private static List<TermMatcher> usable(List<PodAffinityTerm> terms, String namespace) {
        List<TermMatcher> usable = new ArrayList<>();
        for (PodAffinityTerm term : terms) {
            if (TermMatcher.of(term, namespace) instanceof ParseResult.Usable<TermMatcher>(TermMatcher matcher)) {
                usable.add(matcher);
            }
        }
        return usable;
    }

    private LiveSpread spread(TopologySpreadConstraint constraint, TermMatcher pods, LiveRuleKey liveRuleKey) {
        DomainSet domains = domainSets.computeIfAbsent(liveRuleKey.counting(), spreadDomains -> {
            DomainSet made = new DomainSet(spreadDomains);
            nodes.forEach(made::came);
            return made;
        });
        boolean matchesEverything =
                constraint.labelSelector().filter(LabelSelector::isEmpty).isPresent();
        return new LiveSpread(constraint, Optional.of(pods).filter(_ -> !matchesEverything), domains, dirtyGroups);
    }
}
