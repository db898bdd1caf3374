package dev.holdfast.policies.index.pods;

import dev.holdfast.policies.index.count.Injected;
import dev.holdfast.policies.index.count.LiveRule;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.PolicyScheduling;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.RuleIdentity;
import dev.holdfast.policies.rule.RuleSource;
import dev.holdfast.policies.rule.WhenRequired;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.WeakHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Stores the policies, and determines which rules they hold each pod to. */
public final class RuleAssignment {
    private static final String ANY_NAMESPACE = "";
    private static final NavigableMap<PolicyId, Policy> NONE = Collections.emptyNavigableMap();

    private final PartnerIndex partnerIndex;
    private final NavigableMap<PolicyId, Policy> policies = new TreeMap<>();

    /** The policies with rules that are required only where possible. */
    private final Set<PolicyId> wherePossible = new HashSet<>();

    /** All policies by namespace, or {@link #ANY_NAMESPACE}. The generation is left out: it does not affect rules. */
    private final Map<String, NavigableMap<PolicyId, Policy>> ofNamespace = new HashMap<>();

    private final Map<RuleSet.Key, RuleSet> ruleSets = new HashMap<>();

    /** The node label keys that the rules in {@link #ruleSets} depend on. */
    private final NodeKeyReaders nodeKeys = new NodeKeyReaders();

    /** The number of pods that each policy selects; a policy that selects no pod has no entry. */
    private final Map<PolicyId, RuleSet.Selected> selected = new HashMap<>();

    /**
     * The cached identities of rules. Hashing the content of a rule costs more than a lookup, and pods of one template
     * share their rules.
     */
    private final Map<Rule, RuleIdentity> identities = new WeakHashMap<>();

    public RuleAssignment(PartnerIndex partnerIndex) {
        this.partnerIndex = partnerIndex;
    }

    public boolean isEmpty() {
        return policies.isEmpty()
                && ofNamespace.isEmpty()
                && ruleSets.isEmpty()
                && nodeKeys.isEmpty()
                && selected.isEmpty();
    }

    void put(Policy policy) {
        policies.put(policy.id(), policy);
        wherePossible.remove(policy.id());
        if (policy.rules().stream()
                .anyMatch(rule -> rule.enforcement().whenRequired() == WhenRequired.POSSIBLE_AT_SCHEDULING)) {
            wherePossible.add(policy.id());
        }
        ofNamespace
                .computeIfAbsent(namespace(policy.id()), _ -> new TreeMap<>())
                .put(policy.id(), policy.withoutGeneration());
    }

    void remove(PolicyId policy) {
        policies.remove(policy);
        wherePossible.remove(policy);
        ofNamespace.computeIfPresent(
                namespace(policy), (_, some) -> some.remove(policy) != null && some.isEmpty() ? null : some);
    }

    private static String namespace(PolicyId policy) {
        return policy.namespace().orElse(ANY_NAMESPACE);
    }

    public Collection<Policy> policies() {
        return Collections.unmodifiableCollection(policies.values());
    }

    /** {@return the sets of rules that pods are held to, in no order; a view that changes with the pods} */
    public Collection<RuleSet> ruleSets() {
        return Collections.unmodifiableCollection(ruleSets.values());
    }

    /** {@return whether any policy has a rule that is required only where possible} */
    public boolean anyRequiredWherePossible() {
        return !wherePossible.isEmpty();
    }

    public Optional<Policy> policy(PolicyId id) {
        return Optional.ofNullable(policies.get(id));
    }

    /**
     * {@return the number of pods that a policy selects; if the policy has a node selector, only pods on matching
     * nodes}
     */
    public int selected(PolicyId policy) {
        RuleSet.Selected some = selected.get(policy);
        return some == null ? 0 : some.pods;
    }

    /** {@return the outcomes of the rules that a policy injects, in the spec of the pods that it selects} */
    public Injected injected(PolicyId policy) {
        RuleSet.Selected some = selected.get(policy);
        return some == null ? Injected.NONE : some.injections.now();
    }

    private void count(ResolvedRules resolvedRules, int more) {
        resolvedRules.pods += more;
        List<RuleSet.Selected> selections = resolvedRules.ruleSet().selected();
        for (int i = 0; i < selections.size(); i++) {
            RuleSet.Selected some = selections.get(i);
            some.pods += more;
            some.injections.count(resolvedRules.ruleSet().injections().get(i), more);
            if (some.pods == 0) {
                selected.remove(some.policy);
            }
        }
    }

    /**
     * {@return the policies that select pods with these labels, sorted by id, without generation} The node selectors of
     * policies are ignored, so a policy may select such pods only on some nodes.
     */
    List<Policy> selecting(LabelVariant labelVariant) {
        if (policies.isEmpty()) {
            return List.of();
        }
        List<Policy> selecting = new ArrayList<>();
        // Cluster policies first, as in the order of policy ids.
        for (Map<PolicyId, Policy> some : List.of(
                ofNamespace.getOrDefault(ANY_NAMESPACE, NONE),
                ofNamespace.getOrDefault(labelVariant.labelClass.namespace.name, NONE))) {
            for (Policy policy : some.values()) {
                if (labelVariant.isSelectedBy(policy)) {
                    selecting.add(policy);
                }
            }
        }
        return List.copyOf(selecting);
    }

    /**
     * Finds or creates the resolved rules of a pod (the rules that it is held to) on its current node, and returns
     * them. Counts the pod as their user; the caller must release them.
     */
    ResolvedRules acquire(PodEntry pod) {
        LabelVariant labelVariant = pod.labelVariant;
        List<Policy> selecting =
                labelVariant.isSelectedAnywhere() ? labelVariant.policies() : onNode(labelVariant.policies(), pod.node);
        if (selecting.isEmpty()) {
            return ResolvedRules.NONE;
        }
        NamespaceEntry namespace = labelVariant.labelClass.namespace;
        Scheduling scheduling = pod.pod.scheduling();
        RuleSet.Key key =
                new RuleSet.Key(namespace.name, scheduling, selecting, leftOut(namespace, scheduling, selecting));
        ResolvedRules resolvedRules = labelVariant.resolvedRules(key).orElseGet(() -> {
            ResolvedRules made = make(labelVariant, key, pod.resolvedRules.ruleSet());
            labelVariant.add(made);
            return made;
        });
        count(resolvedRules, 1);
        return resolvedRules;
    }

    /** {@return which of the rules that the policies request are left out for pods of the namespace} Usually none. */
    private Set<RuleIdentity> leftOut(NamespaceEntry namespace, Scheduling scheduling, List<Policy> policies) {
        if (namespace.leftOut().isEmpty()) {
            return Set.of();
        }
        Set<RuleIdentity> leftOut = new TreeSet<>();
        policies.stream()
                .flatMap(policy -> Stream.concat(
                        policy.requestedOf(scheduling).stream().map(Policy.RequestedPodRule::rule),
                        policy.rules().stream().map(Policy.NamedRule::rule)))
                .map(rule -> identities.computeIfAbsent(rule, Rule::identity))
                .filter(namespace.leftOut()::contains)
                .forEach(leftOut::add);
        return leftOut;
    }

    /**
     * Does the same as {@link #acquire} for {@code pod}, but without the search if {@code pod} is so similar to {@code
     * other} that both are held to the same rules.
     *
     * @param acquired the resolved rules that were just acquired for {@code other}; returned again for a similar {@code
     *     pod}
     */
    ResolvedRules acquireLike(PodEntry other, ResolvedRules acquired, PodEntry pod) {
        boolean alike = other.labelVariant == pod.labelVariant
                && other.resolvedRules == pod.resolvedRules
                && other.pod.scheduling().equals(pod.pod.scheduling())
                && pod.labelVariant.isSelectedAnywhere();
        if (!alike || acquired.isNone()) {
            return acquire(pod);
        }
        count(acquired, 1);
        return acquired;
    }

    void release(LabelVariant labelVariant, ResolvedRules resolvedRules) {
        if (resolvedRules.isNone()) {
            return;
        }
        count(resolvedRules, -1);
        if (resolvedRules.pods == 0) {
            labelVariant.remove(resolvedRules);
            forget(resolvedRules);
        }
    }

    private void forget(ResolvedRules resolvedRules) {
        RuleSet set = resolvedRules.ruleSet();
        set.users--;
        if (set.users == 0) {
            ruleSets.remove(set.key());
            countNodeKeys(set, -1);
        }
        if (set.users == 0 || set.readsLabels()) {
            for (int slot = 0; slot < resolvedRules.size(); slot++) {
                LiveRule live = resolvedRules.live(slot);
                if (live != null) {
                    partnerIndex.release(live, set.key().namespace());
                }
            }
        }
    }

    private static List<Policy> onNode(List<Policy> policies, @Nullable NodeEntry node) {
        Optional<Node> known = node == null ? Optional.empty() : node.node();
        return policies.stream()
                .filter(policy -> policy.nodes().isEmpty()
                        || known.filter(it -> policy.nodes().get().matches(it.labels()))
                                .isPresent())
                .toList();
    }

    /** @param last the previous rule set of the pod; used without a search if it has this key, as it usually does */
    private ResolvedRules make(LabelVariant labelVariant, RuleSet.Key key, RuleSet last) {
        RuleSet set = last.key().equals(key) ? last : ruleSets.computeIfAbsent(key, this::rulesOf);
        set.users++;
        return new ResolvedRules(
                set,
                set.readsLabels() ? live(set, labelVariant.labels) : set.live(() -> live(set, labelVariant.labels)));
    }

    private @Nullable LiveRule[] live(RuleSet set, Labels labels) {
        @Nullable LiveRule[] live = new @Nullable LiveRule[set.rules().size()];
        for (int slot = 0; slot < live.length; slot++) {
            Rule rule = set.rules().get(slot).rule();
            live[slot] =
                    partnerIndex.acquire(rule, set.key().scheduling(), set.key().namespace(), labels);
        }
        return live;
    }

    private RuleSet rulesOf(RuleSet.Key key) {
        NavigableMap<RuleIdentity, AppliedRule> held = new TreeMap<>();
        for (Policy policy : key.policies()) {
            assign(policy, key.scheduling(), held);
        }
        held.keySet().removeAll(key.leftOut());
        List<RuleSet.Selected> counted = key.policies().stream()
                .map(policy -> selected.computeIfAbsent(policy.id(), RuleSet.Selected::new))
                .toList();
        RuleSet made = new RuleSet(key, List.copyOf(held.values()), counted);
        countNodeKeys(made, 1);
        return made;
    }

    private void countNodeKeys(RuleSet set, int more) {
        for (AppliedRule held : set.rules()) {
            nodeKeys.count(held, set.key().scheduling(), more);
        }
    }

    /** {@return whether any rule that a pod is held to depends on the node label with this key} */
    public boolean dependsOnNodeLabel(String nodeKey) {
        return nodeKeys.has(nodeKey);
    }

    /** {@return whether any rule that a pod is held to can break when the node label with this key goes} */
    public boolean needsNodeLabel(String nodeKey) {
        return nodeKeys.needs(nodeKey);
    }

    /**
     * {@return the longest forgiveness with which policies enforce a rule that depends on the node label with this key,
     * by their namespace; that of cluster policies has an empty key} Policies without such a rule of a pod are absent.
     */
    public Map<Optional<String>, Duration> longestForgiveness(String nodeKey) {
        return nodeKeys.longestForgiveness(nodeKey);
    }

    private void assign(Policy policy, Scheduling pod, NavigableMap<RuleIdentity, AppliedRule> held) {
        for (Policy.RequestedPodRule requested : policy.requestedOf(pod)) {
            assign(
                    requested.rule(),
                    new AppliedRule.Request(
                            policy.id(),
                            requested.name(),
                            requested.enforcement(),
                            requested.source(),
                            requested.source() == RuleSource.POD_ANNOTATION && policy.injectsAnnotationRules()),
                    held);
        }
        for (Policy.NamedRule rule : policy.rules()) {
            assign(
                    rule.rule(),
                    new AppliedRule.Request(
                            policy.id(),
                            rule.name(),
                            rule.enforcement(),
                            RuleSource.POLICY,
                            policy.scheduling() == PolicyScheduling.INJECT
                                    && rule.enforcement().whenRequired() == WhenRequired.ALWAYS),
                    held);
        }
    }

    private void assign(Rule rule, AppliedRule.Request request, NavigableMap<RuleIdentity, AppliedRule> held) {
        if (request.enforcement().mode() != Mode.DISABLED) {
            RuleIdentity identity = identities.computeIfAbsent(rule, Rule::identity);
            held.merge(identity, new AppliedRule(rule, identity, List.of(request)), AppliedRule::and);
        }
    }
}
