package dev.holdfast.policies.index.pods;

import dev.holdfast.policies.index.count.DirtyGroups;
import dev.holdfast.policies.index.count.DomainSet;
import dev.holdfast.policies.index.count.LiveRule;
import dev.holdfast.policies.index.count.LiveRules;
import dev.holdfast.policies.index.count.RuleLimits;
import dev.holdfast.policies.index.lookup.RuleLookup;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.SpreadDomains;
import dev.holdfast.policies.selector.LabelAnchor;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Stores which pods are partners of which rules, and keeps the partner counts of the rules up to date. Pods with equal
 * labels are partners of the same rules, so these rules are stored once for all of them: in a {@link LabelVariant}.
 * Rules that read no labels copied from nodes, such as the zone, are stored in a {@link LabelClass}: its pods may
 * differ in those labels.
 */
public final class PartnerIndex {
    /**
     * The largest number of idle keys: label keys by which pods stay indexed although no rule uses them any more. Rules
     * of CronJobs, for example, disappear and come again every minute, with the same keys.
     */
    static final int MOST_IDLE = 32;

    private final ClusterCache clusterCache;
    private final LiveRules rules;

    /** The rules whose selectors read no labels copied from nodes; {@link #nodePairRules} has the others. */
    private final RuleLookup<LiveRule> workloadRules = new RuleLookup<>();

    private final RuleLookup<LiveRule> nodePairRules = new RuleLookup<>();
    private final NamespaceLabelRules namespaceLabelRules = new NamespaceLabelRules();

    /**
     * For each label key, how many rules find their partners by it. A rule with {@code app In (web)}, for example, uses
     * the key {@code app}. Pods are indexed only by these keys and by {@link #idleKeys}.
     */
    private final Map<String, Integer> rulesByKey = new HashMap<>();

    /**
     * Label keys by which pods stay indexed for a while although no rule uses them any more, oldest first. A new rule
     * may soon use the same key.
     */
    private final LinkedHashSet<String> idleKeys = new LinkedHashSet<>();

    public PartnerIndex(ClusterCache clusterCache, Set<String> exemptNamespaces, DirtyGroups dirtyGroups) {
        this.clusterCache = clusterCache;
        this.rules = new LiveRules(exemptNamespaces, dirtyGroups, clusterCache.nodes());
    }

    public boolean isEmpty() {
        return rules.isEmpty()
                && workloadRules.isEmpty()
                && nodePairRules.isEmpty()
                && namespaceLabelRules.isEmpty()
                && rulesByKey.isEmpty();
    }

    /** {@return the limits of what the rules of a namespace take of the heap} */
    RuleLimits limits() {
        return rules.limits();
    }

    /**
     * Finds or creates the live rule (the rule with its partner counts) for rule owners with this scheduling, namespace
     * and labels. Returns null if the rule cannot be parsed. A new live rule counts its partners at once. The caller
     * must release the live rule.
     */
    @Nullable
    LiveRule acquire(Rule rule, Scheduling owner, String namespace, Labels labels) {
        LiveRule live = rules.acquire(rule, owner, namespace, labels);
        if (live != null && live.hasOneProfile()) {
            attach(live);
        }
        return live;
    }

    /** Releases a live rule that pods of a namespace had. */
    void release(LiveRule rule, String namespace) {
        if (rules.release(rule, namespace)) {
            detach(rule);
        }
    }

    /** {@return the domains in which spread constraints count pods, for all constraints that pods are held to} */
    public Collection<DomainSet> domainSets() {
        return rules.domainSets();
    }

    /** {@return what decides where spread constraints count pods, for all constraints that pods are held to} */
    public Set<SpreadDomains> spreadDomains() {
        return rules.spreadDomains();
    }

    /** {@return the domains with an eligible node; empty if no constraint that pods are held to counts in them} */
    public Optional<Set<String>> domainNames(SpreadDomains of) {
        return rules.domains(of).map(DomainSet::names);
    }

    private void attach(LiveRule rule) {
        if (!rule.hasPartners()) {
            return;
        }
        (rule.readsNodePairs() ? nodePairRules : workloadRules).add(rule);
        if (rule.followsNamespaceLabels()) {
            namespaceLabelRules.add(rule);
        }
        lookedFor(rule).ifPresent(key -> {
            rulesByKey.merge(key, 1, Integer::sum);
            idleKeys.remove(key);
        });
        reached(rule).forEach(namespace -> attach(rule, namespace));
    }

    private void forgetIdle() {
        while (idleKeys.size() > MOST_IDLE) {
            String key = idleKeys.removeFirst();
            clusterCache.namespaceEntries().forEach(namespace -> namespace.forget(key));
        }
    }

    /**
     * {@return the label key by which the index finds the partners of a rule, for example {@code app}; empty if the
     * rule requires no label of a partner}
     */
    private static Optional<String> lookedFor(LiveRule rule) {
        return rule.ownAnchors().stream().map(LabelAnchor::key).findFirst();
    }

    private void detach(LiveRule rule) {
        if (!rule.hasPartners()) {
            return;
        }
        (rule.readsNodePairs() ? nodePairRules : workloadRules).remove(rule);
        if (rule.followsNamespaceLabels()) {
            namespaceLabelRules.remove(rule);
        }
        reached(rule).forEach(namespace -> unmatch(rule, namespace, _ -> {}));
        lookedFor(rule).ifPresent(key -> {
            if (rulesByKey.merge(key, -1, (one, other) -> one + other == 0 ? null : one + other) == null) {
                idleKeys.add(key);
                forgetIdle();
            }
        });
    }

    private Stream<NamespaceEntry> reached(LiveRule rule) {
        return rule.onlyNamespaces()
                .map(only -> only.stream().sorted().flatMap(name -> clusterCache.namespaceEntryIfUsed(name).stream()))
                .orElseGet(() -> clusterCache.namespaceEntries().stream())
                .filter(entry -> rule.appliesTo(entry.name, entry.labels()));
    }

    /**
     * Makes the matching pods of a namespace partners of a rule, and counts them. The rule must apply to the namespace.
     */
    private void attach(LiveRule rule, NamespaceEntry namespace) {
        match(rule, namespace, pod -> {
            if (pod.counted) {
                pod.countsOn().ifPresent(node -> rule.came(pod.pod, node));
            }
        });
    }

    private static void match(LiveRule rule, NamespaceEntry namespace, Consumer<PodEntry> action) {
        if (rule.readsNodePairs()) {
            forEachVariant(rule, namespace, labelVariant -> {
                if (rule.matches(labelVariant.labels)) {
                    match(labelVariant, rule);
                    labelVariant.pods.forEach(action);
                }
            });
            return;
        }
        for (LabelClass kind : namespace.withOneOf(rule.ownAnchors())) {
            if (rule.matches(kind.labels)) {
                match(kind, rule);
                kind.labelVariants().forEach(labelVariant -> labelVariant.pods.forEach(action));
            }
        }
    }

    private static void unmatch(LiveRule rule, NamespaceEntry namespace, Consumer<PodEntry> action) {
        if (rule.readsNodePairs()) {
            forEachVariant(rule, namespace, labelVariant -> {
                if (labelVariant.isMatchedBy(rule)) {
                    labelVariant.unmatch(rule);
                    rule.takes(-RuleLimits.MATCH);
                    labelVariant.pods.forEach(action);
                }
            });
            return;
        }
        for (LabelClass kind : namespace.withOneOf(rule.ownAnchors())) {
            if (rule.matches(kind.labels)) {
                kind.matchedRules.remove(rule);
                rule.takes(-RuleLimits.MATCH);
                kind.labelVariants().forEach(labelVariant -> labelVariant.pods.forEach(action));
            }
        }
    }

    /**
     * Calls the action for the label variants (pods with equal labels) of a namespace that the rule may match. Every
     * matching pod has one of the labels {@link LiveRule#ownAnchors}, so only variants with one of them are searched.
     * If there are no such labels, the action is called for every variant.
     */
    private static void forEachVariant(LiveRule rule, NamespaceEntry namespace, Consumer<LabelVariant> action) {
        for (LabelClass kind : namespace.withOneOf(rule.ownAnchors())) {
            kind.labelVariants().forEach(action);
        }
    }

    /**
     * Passes each pod that a rule matches to a visitor, until the visitor returns false. Pods that are not counted, for
     * example because they are not bound, are included.
     */
    public void forEachMatched(LiveRule rule, Predicate<PodEntry> visitor) {
        boolean _ = reached(rule)
                .flatMap(namespace -> namespace.withOneOf(rule.ownAnchors()).stream())
                .flatMap(kind -> kind.labelVariants().stream())
                .filter(labelVariant -> labelVariant.isMatchedBy(rule))
                .flatMap(labelVariant -> StreamSupport.stream(labelVariant.pods.spliterator(), false))
                .allMatch(visitor);
    }

    /**
     * {@return the rules that began or ceased to apply to a namespace because its labels changed}
     *
     * @param before the labels before the change; absent if there was no Namespace object
     */
    List<LiveRule> rulesChangingReach(NamespaceEntry namespace, Optional<Labels> before) {
        return namespaceLabelRules.between(before, namespace.labels()).stream()
                .filter(rule ->
                        rule.appliesTo(namespace.name, before) != rule.appliesTo(namespace.name, namespace.labels()))
                .toList();
    }

    /**
     * Updates the partners of these rules after a change of the namespace's labels. Pods of the namespace become
     * partners of the rules that apply to it now. The other rules no longer count its pods.
     *
     * @param turning the rules that {@link #rulesChangingReach} returned
     */
    void applyReach(List<LiveRule> turning, NamespaceEntry namespace) {
        for (LiveRule rule : turning) {
            if (rule.appliesTo(namespace.name, namespace.labels())) {
                attach(rule, namespace);
            } else {
                unmatch(rule, namespace, pod -> uncount(rule, pod));
            }
        }
    }

    private static void uncount(LiveRule rule, PodEntry pod) {
        if (pod.counted) {
            pod.countsOn().ifPresent(node -> rule.left(pod.pod, node));
        }
    }

    /** Finds or creates the label variant for pods with these labels, and returns it. */
    LabelVariant variant(NamespaceEntry namespace, Labels labels) {
        Optional<LabelVariant> known = namespace.variant(labels);
        if (known.isPresent()) {
            return known.get();
        }
        Labels own = labels.own();
        LabelClass kind = namespace.labelClass(own).orElseGet(() -> labelClass(namespace, own));
        Labels nodePairs = clusterCache.labelPool.acquire(labels.nodePairs());
        LabelVariant labelVariant = new LabelVariant(kind, kind.labels.withNodePairsOf(nodePairs));
        namespace.add(labelVariant);
        nodePairRules.forEach(namespace.name, labels, rule -> {
            if (rule.matches(labels) && rule.appliesTo(namespace.name, namespace.labels())) {
                match(labelVariant, rule);
            }
        });
        return labelVariant;
    }

    private LabelClass labelClass(NamespaceEntry namespace, Labels own) {
        LabelClass kind = new LabelClass(namespace, clusterCache.labelPool.acquire(own));
        namespace.add(kind);
        workloadRules.forEach(namespace.name, own, rule -> {
            if (rule.matches(own) && rule.appliesTo(namespace.name, namespace.labels())) {
                match(kind, rule);
            }
        });
        return kind;
    }

    private static void match(LabelClass kind, LiveRule rule) {
        kind.matchedRules.add(rule);
        rule.takes(RuleLimits.MATCH);
    }

    private static void match(LabelVariant labelVariant, LiveRule rule) {
        labelVariant.match(rule);
        rule.takes(RuleLimits.MATCH);
    }

    /**
     * Drops a label variant if it has no pods. Then also drops its label class if the class has no other variant, and
     * the namespace if nothing uses it.
     */
    void dropIfUnused(LabelVariant labelVariant) {
        if (labelVariant.pods.isEmpty()) {
            NamespaceEntry namespace = labelVariant.labelClass.namespace;
            namespace.remove(labelVariant);
            labelVariant.forEachNodePairMatch(rule -> rule.takes(-RuleLimits.MATCH));
            clusterCache.labelPool.release(labelVariant.labels.nodePairs());
            if (labelVariant.labelClass.labelVariants().isEmpty()) {
                namespace.remove(labelVariant.labelClass);
                labelVariant.labelClass.matchedRules.forEach(rule -> rule.takes(-RuleLimits.MATCH));
                clusterCache.labelPool.release(labelVariant.labelClass.labels);
            }
            clusterCache.dropIfUnused(namespace);
        }
    }

    /** Adds a pod to the counts of all rules that have it as a partner. */
    static void count(PodEntry pod, Node node) {
        Pod partner = pod.pod;
        pod.labelVariant.forEachMatch(rule -> rule.came(partner, node));
        pod.counted = true;
    }

    /**
     * Updates the counts for a relabelled pod: only those of rules that match either the old or the new labels, but not
     * both.
     *
     * @param before the label variant of the old labels
     */
    static void recount(PodEntry pod, LabelVariant before) {
        Node node = pod.countsOn().orElseThrow();
        Pod partner = pod.pod;
        LabelVariant now = pod.labelVariant;
        before.forEachMatch(rule -> {
            if (!now.isMatchedBy(rule)) {
                rule.left(partner, node);
            }
        });
        now.forEachMatch(rule -> {
            if (!before.isMatchedBy(rule)) {
                rule.came(partner, node);
            }
        });
    }

    /** Removes a pod from the counts of all rules that have it as a partner. */
    static void uncount(PodEntry pod, Node node) {
        Pod partner = pod.pod;
        pod.labelVariant.forEachMatch(rule -> rule.left(partner, node));
        pod.counted = false;
    }
}
