package dev.holdfast.policies.index.count;

import dev.holdfast.policies.index.lookup.FindableRule;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.selector.LabelAnchor;
import dev.holdfast.policies.selector.TermMatcher;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A rule that at least one pod is held to, with its counts. Label keys are merged and namespaces resolved; all pods for
 * which the result is equal share one instance.
 */
public abstract sealed class LiveRule implements FindableRule permits LiveNodeRule, LiveAffinity, DomainCountRule {
    private final List<TermMatcher> terms;

    private final boolean hasPartners;
    private final boolean readsNodePairs;
    private final boolean followsNamespaceLabels;
    private final List<LabelAnchor> anchors;
    private final List<LabelAnchor> ownAnchors;

    /** The number of {@code ResolvedRules} that contain it; maintained by {@link LiveRules}. */
    int profiles;

    /** @param terms a partner matches all of them; empty for a rule that counts no partners */
    LiveRule(List<TermMatcher> terms) {
        this.terms = List.copyOf(terms);
        this.hasPartners =
                !terms.isEmpty() && terms.stream().noneMatch(term -> term.pods().matchesNothing());
        this.readsNodePairs = terms.stream().anyMatch(LiveRule::readsNodePairs);
        this.followsNamespaceLabels = terms.stream().anyMatch(TermMatcher::followsNamespaceLabels);
        this.ownAnchors = anchors(terms, Labels.NODE_KEYS);
        this.anchors = ownAnchors.isEmpty() ? anchors(terms, List.of()) : ownAnchors;
    }

    private static boolean readsNodePairs(TermMatcher term) {
        return Labels.NODE_KEYS.stream().anyMatch(key -> term.pods().reads(key));
    }

    /** {@return whether exactly one {@code ResolvedRules} contains it} */
    public final boolean hasOneProfile() {
        return profiles == 1;
    }

    /** {@return whether any pod can ever be a partner} */
    public final boolean hasPartners() {
        return hasPartners;
    }

    /** {@return whether pods with these labels are partners, provided that the rule reaches their namespace} */
    public final boolean matches(Labels labels) {
        for (TermMatcher term : terms) {
            if (!term.pods().matches(labels)) {
                return false;
            }
        }
        return true;
    }

    /**
     * {@return whether pods of the namespace can be partners; the labels are absent if there is no Namespace object}
     */
    public boolean reaches(String namespace, Optional<Labels> labels) {
        for (TermMatcher term : terms) {
            if (!term.reaches(namespace, labels)) {
                return false;
            }
        }
        return true;
    }

    /** {@return whether namespace labels decide which namespaces it reaches} */
    public final boolean followsNamespaceLabels() {
        return followsNamespaceLabels;
    }

    /** {@return the keys of the namespace labels that decide which namespaces it reaches, each once} */
    public final List<String> namespaceKeys() {
        return terms.stream().flatMap(TermMatcher::namespaceKeys).distinct().toList();
    }

    /** {@return whether a selector of the rule reads a label that the API server copies from nodes to pods} */
    public final boolean readsNodePairs() {
        return readsNodePairs;
    }

    @Override
    public final List<LabelAnchor> anchors() {
        return anchors;
    }

    /**
     * {@return labels such that every partner has at least one of them; none is copied from nodes, empty if there are
     * none}
     */
    public final List<LabelAnchor> ownAnchors() {
        return ownAnchors;
    }

    private static List<LabelAnchor> anchors(List<TermMatcher> terms, List<String> not) {
        List<LabelAnchor> rarest = List.of();
        for (TermMatcher term : terms) {
            rarest = LabelAnchor.rarer(rarest, term.pods().anchors(not));
        }
        return rarest;
    }

    @Override
    public final Optional<Set<String>> onlyNamespaces() {
        return terms.stream().flatMap(term -> term.onlyNamespaces().stream()).findFirst();
    }

    /** Counts a partner that was added on a node. */
    public abstract void came(Pod partner, Node node);

    /** Removes a partner on a node from the counts; the pod must be in the state in which it was counted. */
    public abstract void left(Pod partner, Node node);

    /**
     * {@return the group for a holder on a node, which the caller must add the holder to; null if nothing can violate
     * the rule there}
     */
    abstract @Nullable public VerdictGroup join(RuleOwner ruleOwner, Node node);

    /** Called when no {@code ResolvedRules} contains it any more. */
    void retired() {}
}
