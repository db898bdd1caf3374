package dev.holdfast.policies.index.count;

import dev.holdfast.policies.index.lookup.FindableRule;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.selector.LabelAnchor;
import dev.holdfast.policies.selector.TermMatcher;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A rule that at least one pod is held to, with its partner counts. Label keys such as {@code matchLabelKeys} are
 * merged into the selectors, and the namespace of the rule owner is filled in. Pods whose rules are equal after that
 * share one instance.
 */
public abstract sealed class LiveRule implements FindableRule permits LiveNodeRule, LiveAffinity, DomainCountRule {
    private final List<TermMatcher> terms;

    private final boolean hasPartners;
    private final boolean readsNodePairs;
    private final boolean followsNamespaceLabels;
    private final List<LabelAnchor> anchors;
    private final List<LabelAnchor> ownAnchors;

    /**
     * How many {@code ResolvedRules} (lists of all rules that a pod is held to, shared by similar pods) contain this
     * rule; updated by {@link LiveRules}.
     */
    int users;

    /** The usage of the namespace that is charged for the heap of this rule; null while no pod has the rule. */
    private @Nullable RuleUsage usage;

    /** The heap that this rule takes, in bytes. */
    private int bytes;

    /** The number of {@link #users} of the namespace for which the rule counts. */
    private int usersOfUsage;

    /** The number of {@link #users} of each other namespace; null while there is none. */
    private @Nullable NavigableMap<String, Integer> otherUsers;

    /** @param terms a partner matches all of these terms; empty for a rule without partners */
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

    /**
     * {@return whether exactly one {@code ResolvedRules} instance (a list of all rules that some pods are held to)
     * contains this rule} After {@link LiveRules#acquire} this means that the rule is new.
     */
    public final boolean hasOneProfile() {
        return users == 1;
    }

    /** {@return whether a pod can be a partner; false, for example, for node rules and selectors that match nothing} */
    public final boolean hasPartners() {
        return hasPartners;
    }

    /**
     * {@return whether pods with these labels are partners, provided that the rule can match pods of their namespace}
     */
    public final boolean matches(Labels labels) {
        for (TermMatcher term : terms) {
            if (!term.pods().matches(labels)) {
                return false;
            }
        }
        return true;
    }

    /**
     * {@return whether pods of the namespace can be partners}
     *
     * @param labels the labels of the namespace; absent if there is no Namespace object
     */
    public boolean appliesTo(String namespace, Optional<Labels> labels) {
        for (TermMatcher term : terms) {
            if (!term.appliesTo(namespace, labels)) {
                return false;
            }
        }
        return true;
    }

    /** {@return whether the labels of a namespace decide whether its pods can be partners} */
    public final boolean followsNamespaceLabels() {
        return followsNamespaceLabels;
    }

    /** {@return the keys of the namespace labels that the rule's namespaceSelectors read, each once} */
    public final List<String> namespaceKeys() {
        return terms.stream().flatMap(TermMatcher::namespaceKeys).distinct().toList();
    }

    /**
     * {@return whether a selector of the rule reads a label that the API server copies from nodes to pods, such as the
     * zone}
     */
    public final boolean readsNodePairs() {
        return readsNodePairs;
    }

    @Override
    public final List<LabelAnchor> anchors() {
        return anchors;
    }

    /**
     * {@return labels to search partners by: every partner has at least one of them} For example {@code app=a} and
     * {@code app=b} for {@code app In [a b]}. Labels copied from nodes, such as the zone, are left out. Empty if the
     * rule requires no other label.
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

    /** Adds a partner on a node to the counts. */
    public abstract void came(Pod partner, Node node);

    /**
     * Removes a partner on a node from the counts. Pod and node must be in the same state as when the partner was
     * added.
     */
    public abstract void left(Pod partner, Node node);

    /**
     * Finds or creates the verdict group for a rule owner on a node, and returns it. The caller must add the rule owner
     * to the group. Null means that a pod on this node cannot violate the rule, whatever the counts are.
     */
    public abstract @Nullable VerdictGroup join(RuleOwner ruleOwner, Node node);

    /** {@return the heap that this rule takes, in bytes: an estimate without the rule itself} */
    public final int bytes() {
        return bytes;
    }

    /** Records that this rule takes more heap, or less if negative. */
    public final void takes(int more) {
        bytes += more;
        if (usage != null) {
            usage.take(more);
        }
    }

    /** {@return whether the heap of this rule counts for the namespace} */
    public final boolean countsFor(String namespace) {
        return usage != null && usage.namespace().equals(namespace);
    }

    /** Adds a use of this rule by pods of a namespace. */
    final void usedBy(String namespace, RuleLimits limits) {
        users++;
        if (usage == null) {
            usage = limits.of(namespace);
            usage.add(bytes);
        }
        if (usage.namespace().equals(namespace)) {
            usersOfUsage++;
            return;
        }
        if (otherUsers == null) {
            otherUsers = new TreeMap<>();
        }
        otherUsers.merge(namespace, 1, Integer::sum);
    }

    /** Removes a use of this rule by pods of a namespace. The heap then counts for another user. */
    final void unusedBy(String namespace, RuleLimits limits) {
        users--;
        RuleUsage charged = Objects.requireNonNull(usage);
        if (charged.namespace().equals(namespace)) {
            usersOfUsage--;
            if (usersOfUsage == 0) {
                charged.remove(bytes);
                usage = null;
                countForAnother(limits);
            }
        } else if (otherUsers != null) {
            otherUsers.computeIfPresent(namespace, (_, uses) -> uses == 1 ? null : uses - 1);
            otherUsers = otherUsers.isEmpty() ? null : otherUsers;
        }
    }

    private void countForAnother(RuleLimits limits) {
        if (otherUsers == null) {
            return;
        }
        Map.Entry<String, Integer> next = Objects.requireNonNull(otherUsers.pollFirstEntry());
        otherUsers = otherUsers.isEmpty() ? null : otherUsers;
        usage = limits.of(next.getKey());
        usage.add(bytes);
        usersOfUsage = next.getValue();
    }

    /** Called when no {@code ResolvedRules} instance contains this rule any more. */
    void retired() {}
}
