package dev.holdfast.policies.engine;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.PodRules;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.RuleIdentity;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.WeakHashMap;

/** Which rules are asked for which pod, and by whom. Owned by one thread. */
final class RuleBook {
    private final NavigableMap<PolicyId, Policy> policies = new TreeMap<>();
    private final Map<String, List<AskedRule>> asked = new HashMap<>();
    private final Map<String, Set<PolicyId>> selectedBy = new HashMap<>();
    private final Map<PolicyId, Integer> selected = new HashMap<>();

    /** Hashing a rule's content costs more than looking it up, and pods of a template share theirs. */
    private final Map<Rule, RuleIdentity> identities = new WeakHashMap<>();

    void put(Policy policy) {
        policies.put(policy.id(), policy);
    }

    void remove(PolicyId id) {
        policies.remove(id);
        selected.remove(id);
    }

    boolean has(PolicyId id) {
        return policies.containsKey(id);
    }

    Collection<Policy> policies() {
        return Collections.unmodifiableCollection(policies.values());
    }

    /** {@return the rules asked for a pod, in a fixed order} */
    List<AskedRule> of(String podUid) {
        return asked.getOrDefault(podUid, List.of());
    }

    Optional<AskedRule> find(String podUid, RuleIdentity rule) {
        return of(podUid).stream().filter(it -> it.identity().equals(rule)).findFirst();
    }

    /** {@return how many pods the policy selects} */
    int selected(PolicyId policy) {
        return selected.getOrDefault(policy, 0);
    }

    /** {@return the policies that select the pod, in order} */
    Set<PolicyId> selecting(String podUid) {
        return selectedBy.getOrDefault(podUid, Set.of());
    }

    /** Works out anew what is asked for a pod; what was asked before keeps its time unless it now goes further. */
    void refresh(Pod pod, ClusterView view, Instant now) {
        Set<PolicyId> selecting = new TreeSet<>();
        NavigableMap<RuleIdentity, AskedRule> after = new TreeMap<>();
        for (Policy policy : policies.values()) {
            if (policy.selects(pod, view)) {
                selecting.add(policy.id());
                wanted(policy, pod).forEach(wanted -> add(wanted, policy.id(), after, now));
            }
        }
        for (AskedRule before : of(pod.uid())) {
            after.computeIfPresent(before.identity(), (_, asked) -> asked.after(before));
        }
        asked.put(pod.uid(), List.copyOf(after.values()));
        count(pod.uid(), selecting);
    }

    private void add(Wanted wanted, PolicyId policy, NavigableMap<RuleIdentity, AskedRule> after, Instant now) {
        RuleIdentity identity = identities.computeIfAbsent(wanted.rule(), Rule::identity);
        AskedRule.Ask ask = new AskedRule.Ask(policy, wanted.name(), wanted.enforcement(), wanted.own());
        after.merge(identity, new AskedRule(wanted.rule(), identity, List.of(ask), now), AskedRule::and);
    }

    void forget(String podUid) {
        asked.remove(podUid);
        count(podUid, Set.of());
        selectedBy.remove(podUid);
    }

    /** {@return the pods of which anything is remembered} */
    int remembered() {
        return asked.size() + selectedBy.size();
    }

    private void count(String podUid, Set<PolicyId> selecting) {
        for (PolicyId id : selecting(podUid)) {
            selected.computeIfPresent(id, (_, pods) -> pods - 1);
        }
        selecting.forEach(id -> selected.merge(id, 1, Integer::sum));
        selectedBy.put(podUid, selecting);
    }

    private record Wanted(Rule rule, String name, Enforcement enforcement, boolean own) {}

    private static List<Wanted> wanted(Policy policy, Pod pod) {
        List<Wanted> wanted = new ArrayList<>();
        for (Rule rule : policy.podRules().isEmpty() ? List.<Rule>of() : PodRules.of(pod.scheduling())) {
            Enforcement enforcement = policy.podRules().get(rule.kind());
            if (enforcement != null && enforcement.mode() != Mode.OFF) {
                wanted.add(new Wanted(rule, rule.kind().label(), enforcement, true));
            }
        }
        for (Policy.NamedRule rule : policy.rules()) {
            if (rule.enforcement().mode() != Mode.OFF) {
                wanted.add(new Wanted(rule.rule(), rule.name(), rule.enforcement(), false));
            }
        }
        return wanted;
    }
}
