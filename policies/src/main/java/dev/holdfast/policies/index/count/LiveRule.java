package dev.holdfast.policies.index.count;

import dev.holdfast.policies.index.lookup.Indexed;
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
 * A rule that at least one pod holds, label keys merged and namespaces resolved, with its counts. All pods for whom it
 * means the same share one.
 */
public abstract sealed class LiveRule implements Indexed permits LiveNodeRule, LiveAffinity, DomainCountRule {
    private final List<TermMatcher> terms;

    private final boolean hasPartners;
    private final boolean readsNodePairs;
    private final boolean followsNamespaceLabels;
    private final List<LabelAnchor> anchors;
    private final List<LabelAnchor> ownAnchors;

    /** How many profiles have it; counted by {@link LiveRules}. */
    int profiles;

    /** @param terms of which a partner matches all; none for a rule that counts nobody */
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

    /** {@return whether exactly one profile has it} */
    public final boolean hasOneProfile() {
        return profiles == 1;
    }

    /** {@return whether any pod can ever be a partner} */
    public final boolean hasPartners() {
        return hasPartners;
    }

    /** {@return whether pods with these labels are partners, in a namespace it reaches} */
    public final boolean matches(Labels labels) {
        for (TermMatcher term : terms) {
            if (!term.pods().matches(labels)) {
                return false;
            }
        }
        return true;
    }

    /** {@return whether pods of the namespace can be partners} */
    public boolean reaches(String namespace, Optional<Labels> labels) {
        for (TermMatcher term : terms) {
            if (!term.reaches(namespace, labels)) {
                return false;
            }
        }
        return true;
    }

    /** {@return whether what it reaches depends on the labels of namespaces} */
    public final boolean followsNamespaceLabels() {
        return followsNamespaceLabels;
    }

    /** {@return the keys of namespace labels that what it reaches depends on, each once} */
    public final List<String> namespaceKeys() {
        return terms.stream().flatMap(TermMatcher::namespaceKeys).distinct().toList();
    }

    /** {@return whether its partners are told apart by a label that the API server copies from nodes} */
    public final boolean readsNodePairs() {
        return readsNodePairs;
    }

    @Override
    public final List<LabelAnchor> anchors() {
        return anchors;
    }

    /** {@return labels, none of them copied from nodes, of which every partner has one; empty if there are none such} */
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

    /** Counts a partner that came to a node. */
    public abstract void came(Pod partner, Node node);

    /** Uncounts a partner that left a node; the pod is as it was when it was counted. */
    public abstract void left(Pod partner, Node node);

    /** {@return the group of a holder on a node; absent where nothing can break the rule} */
    abstract @Nullable public VerdictGroup seat(Holder holder, Node node);

    /** Called when nobody holds it any more. */
    void retired() {}
}
