package dev.holdfast.policies.index.pods;

import dev.holdfast.policies.index.count.DirtyGroups;
import dev.holdfast.policies.index.count.DomainSet;
import dev.holdfast.policies.index.count.LiveRule;
import dev.holdfast.policies.index.count.LiveRules;
import dev.holdfast.policies.index.lookup.RuleLookup;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.rule.Rule;
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

/** Which classes of pods are partners of which live rules. */
public final class PartnerIndex {
    /** So many keys whose last rule is gone stay listed: rules of CronJobs come and go by the minute. */
    static final int MOST_IDLE = 32;

    private final IndexedCluster indexedCluster;
    private final LiveRules rules;

    /** Rules by the labels of the workload, and those that read labels copied from nodes. */
    private final RuleLookup<LiveRule> file = new RuleLookup<>();

    private final RuleLookup<LiveRule> fileOfNodePairs = new RuleLookup<>();
    private final NamespaceLabelRules namespaceLabelRules = new NamespaceLabelRules();

    /** By how many rules each key is looked for, so that classes are listed by no other. */
    private final Map<String, Integer> lookedFor = new HashMap<>();

    /** Keys last looked for, kept listed: the only rule of a key may come and go with one pod. */
    private final LinkedHashSet<String> idle = new LinkedHashSet<>();

    public PartnerIndex(IndexedCluster indexedCluster, Set<String> exemptNamespaces, DirtyGroups dirtyGroups) {
        this.indexedCluster = indexedCluster;
        this.rules = new LiveRules(exemptNamespaces, dirtyGroups, indexedCluster.nodes());
    }

    public boolean isEmpty() {
        return rules.isEmpty()
                && file.isEmpty()
                && fileOfNodePairs.isEmpty()
                && namespaceLabelRules.isEmpty()
                && lookedFor.isEmpty();
    }

    /** {@return the live rule for pods with these labels and scheduling; absent when it cannot be parsed} */
    @Nullable
    LiveRule acquire(Rule rule, Scheduling owner, String namespace, Labels labels) {
        LiveRule live = rules.acquire(rule, owner, namespace, labels);
        if (live != null && live.hasOneProfile()) {
            attach(live);
        }
        return live;
    }

    void release(LiveRule rule) {
        if (rules.release(rule)) {
            detach(rule);
        }
    }

    /** {@return what makes domains of nodes, for every set of nodes that any spread counts on} */
    public Collection<DomainSet> domainSets() {
        return rules.domainSets();
    }

    private void attach(LiveRule rule) {
        if (!rule.hasPartners()) {
            return;
        }
        (rule.readsNodePairs() ? fileOfNodePairs : file).add(rule);
        if (rule.followsNamespaceLabels()) {
            namespaceLabelRules.add(rule);
        }
        lookedFor(rule).ifPresent(key -> {
            lookedFor.merge(key, 1, Integer::sum);
            idle.remove(key);
        });
        reached(rule).forEach(namespace -> attach(rule, namespace));
    }

    private void forgetIdle() {
        while (idle.size() > MOST_IDLE) {
            String key = idle.removeFirst();
            indexedCluster.namespaceEntries().forEach(namespace -> namespace.forget(key));
        }
    }

    /** {@return the key by which namespaces find the classes of a rule; absent when it may match any} */
    private static Optional<String> lookedFor(LiveRule rule) {
        return rule.ownAnchors().stream().map(LabelAnchor::key).findFirst();
    }

    private void detach(LiveRule rule) {
        if (!rule.hasPartners()) {
            return;
        }
        (rule.readsNodePairs() ? fileOfNodePairs : file).remove(rule);
        if (rule.followsNamespaceLabels()) {
            namespaceLabelRules.remove(rule);
        }
        reached(rule).forEach(namespace -> unmatch(rule, namespace, _ -> {}));
        lookedFor(rule).ifPresent(key -> {
            if (lookedFor.merge(key, -1, (one, other) -> one + other == 0 ? null : one + other) == null) {
                idle.add(key);
                forgetIdle();
            }
        });
    }

    private Stream<NamespaceEntry> reached(LiveRule rule) {
        return rule.onlyNamespaces()
                .map(only -> only.stream().sorted().flatMap(name -> indexedCluster.namespaceEntryIfUsed(name).stream()))
                .orElseGet(() -> indexedCluster.namespaceEntries().stream())
                .filter(entry -> rule.reaches(entry.name, entry.labels()));
    }

    /** Makes the pods of a namespace partners of a rule that has come to reach it, and counts them. */
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
                    labelVariant.match(rule);
                    labelVariant.pods.forEach(action);
                }
            });
            return;
        }
        for (LabelClass kind : namespace.withOneOf(rule.ownAnchors())) {
            if (rule.matches(kind.labels)) {
                kind.matchedRules.add(rule);
                kind.labelVariants().forEach(labelVariant -> labelVariant.pods.forEach(action));
            }
        }
    }

    private static void unmatch(LiveRule rule, NamespaceEntry namespace, Consumer<PodEntry> action) {
        if (rule.readsNodePairs()) {
            forEachVariant(rule, namespace, labelVariant -> {
                if (labelVariant.isMatchedBy(rule)) {
                    labelVariant.unmatch(rule);
                    labelVariant.pods.forEach(action);
                }
            });
            return;
        }
        for (LabelClass kind : namespace.withOneOf(rule.ownAnchors())) {
            if (rule.matches(kind.labels)) {
                kind.matchedRules.remove(rule);
                kind.labelVariants().forEach(labelVariant -> labelVariant.pods.forEach(action));
            }
        }
    }

    /** Shows the variants of a namespace that have one of the labels a rule is filed under. */
    private static void forEachVariant(LiveRule rule, NamespaceEntry namespace, Consumer<LabelVariant> action) {
        for (LabelClass kind : namespace.withOneOf(rule.ownAnchors())) {
            kind.labelVariants().forEach(action);
        }
    }

    /** Shows the pods that a rule matches, wherever they run, for as long as the visitor wants to see more. */
    public void forEachMatched(LiveRule rule, Predicate<PodEntry> visitor) {
        boolean _ = reached(rule)
                .flatMap(namespace -> namespace.withOneOf(rule.ownAnchors()).stream())
                .flatMap(kind -> kind.labelVariants().stream())
                .filter(labelVariant -> labelVariant.isMatchedBy(rule))
                .flatMap(labelVariant -> StreamSupport.stream(labelVariant.pods.spliterator(), false))
                .allMatch(visitor);
    }

    /** {@return the rules that come to reach the namespace, or no longer do, with labels other than these} */
    List<LiveRule> turning(NamespaceEntry namespace, Optional<Labels> before) {
        return namespaceLabelRules.between(before, namespace.labels()).stream()
                .filter(rule ->
                        rule.reaches(namespace.name, before) != rule.reaches(namespace.name, namespace.labels()))
                .toList();
    }

    /** Counts the pods of a namespace with rules that come to reach it, and no longer with those that reached it. */
    void turn(List<LiveRule> turning, NamespaceEntry namespace) {
        for (LiveRule rule : turning) {
            if (rule.reaches(namespace.name, namespace.labels())) {
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

    /** {@return the variant for pods with these labels, made if there is none} */
    LabelVariant variant(NamespaceEntry namespace, Labels labels) {
        Optional<LabelVariant> known = namespace.variant(labels);
        if (known.isPresent()) {
            return known.get();
        }
        Labels own = labels.own();
        LabelClass kind = namespace.kind(own).orElseGet(() -> kind(namespace, own));
        Labels nodePairs = indexedCluster.labelPool.acquire(labels.nodePairs());
        LabelVariant labelVariant = new LabelVariant(kind, kind.labels.withNodePairsOf(nodePairs));
        namespace.add(labelVariant);
        fileOfNodePairs.forEach(namespace.name, labels, rule -> {
            if (rule.matches(labels) && rule.reaches(namespace.name, namespace.labels())) {
                labelVariant.match(rule);
            }
        });
        return labelVariant;
    }

    private LabelClass kind(NamespaceEntry namespace, Labels own) {
        LabelClass kind = new LabelClass(namespace, indexedCluster.labelPool.acquire(own));
        namespace.add(kind);
        file.forEach(namespace.name, own, rule -> {
            if (rule.matches(own) && rule.reaches(namespace.name, namespace.labels())) {
                kind.matchedRules.add(rule);
            }
        });
        return kind;
    }

    /** Drops a variant that has no pods left, and its class with the last of its variants. */
    void dropIfUnused(LabelVariant labelVariant) {
        if (labelVariant.pods.isEmpty()) {
            NamespaceEntry namespace = labelVariant.kind.namespace;
            namespace.remove(labelVariant);
            indexedCluster.labelPool.release(labelVariant.labels.nodePairs());
            if (labelVariant.kind.labelVariants().isEmpty()) {
                namespace.remove(labelVariant.kind);
                indexedCluster.labelPool.release(labelVariant.kind.labels);
            }
            indexedCluster.dropIfUnused(namespace);
        }
    }

    /** Counts a pod with every rule whose partner it is. */
    static void count(PodEntry pod, Node node) {
        Pod partner = pod.pod;
        pod.labelVariant.forEachMatch(rule -> rule.came(partner, node));
        pod.counted = true;
    }

    /** Counts a pod that was relabelled, and counts where it was, with the rules alone that match one of its labels only. */
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

    /** Takes a pod out of every count. */
    static void uncount(PodEntry pod, Node node) {
        Pod partner = pod.pod;
        pod.labelVariant.forEachMatch(rule -> rule.left(partner, node));
        pod.counted = false;
    }
}
