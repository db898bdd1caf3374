package dev.holdfast.policies.engine.status;

import dev.holdfast.policies.effect.NoEffect;
import dev.holdfast.policies.effect.RuleEffect;
import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.report.PolicyEffect;
import dev.holdfast.policies.index.pods.RuleSet;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.RuleKind;
import dev.holdfast.policies.rule.RuleSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds which rules of policies can do nothing in the cluster as it is. All policies are searched at most once a
 * minute; an edited policy, and one that selects its first pod, are searched at once. Of pods with equal constraints,
 * one is enough.
 */
public final class PolicyEffects {
    private static final Duration EVERY = Duration.ofMinutes(1);

    /**
     * For how many sets of pods, or namespaces, the rules of one name are judged. If they do nothing for all of these,
     * nothing is said.
     */
    private static final int MOST_JUDGED = 200;

    /** How many pods one search examines: a fraction of a second. */
    private static final long MOST_EXAMINED = 300_000;

    /** The most pods of policies that are searched by their pods, and not by the sets of rules of all pods. */
    private static final int FEW_PODS = 10_000;

    private static final Comparator<NoEffect> FIRST =
            Comparator.comparing(NoEffect::kind).thenComparing(NoEffect::why);

    private final LiveCluster cluster;
    private final Map<PolicyId, Known> known = new HashMap<>();
    private Optional<Instant> next = Optional.empty();
    private boolean stale;

    /** @param selects whether the policy selected any pod */
    private record Known(long generation, boolean selects, PolicyEffect effect) {}

    /** What is known of the rules of one name. */
    private static final class RuleSearch {
        private Optional<NoEffect> none = Optional.empty();
        private int number;
        private boolean over;

        /** The namespaces for which a rule was judged that a policy has for all its pods. */
        private final Set<String> namespaces = new HashSet<>();

        /** {@return whether pods may differ from all that were judged} A policy's rule is judged once per namespace. */
        private boolean isUndecidedFor(RuleSet pods, Rule rule, AppliedRule.Request request) {
            boolean sameInNamespace = request.source() == RuleSource.POLICY && rule.kind() != RuleKind.TOPOLOGY_SPREAD;
            return !over && (!sameInNamespace || namespaces.add(pods.key().namespace()));
        }

        private void add(Optional<NoEffect> found, boolean forAllPods) {
            number++;
            over = found.isEmpty() || forAllPods || number == MOST_JUDGED;
            none = found.isEmpty() || number == MOST_JUDGED
                    ? Optional.empty()
                    : none.filter(before -> FIRST.compare(before, found.get()) <= 0)
                            .or(() -> found);
        }
    }

    public PolicyEffects(LiveCluster cluster) {
        this.cluster = cluster;
    }

    /** Records that the cluster changed. */
    void changed() {
        stale = true;
    }

    /** Forgets a deleted policy. */
    void forget(PolicyId policy) {
        known.remove(policy);
    }

    /** {@return when all policies will be searched; empty if nothing changed since, or if it can be done at once} */
    Optional<Instant> nextLook() {
        return next.filter(_ -> stale);
    }

    /** {@return the effect of a policy, as last found; no rules before {@link #update}} */
    PolicyEffect of(PolicyId policy) {
        Known found = known.get(policy);
        return found == null ? PolicyEffect.NO_RULES : found.effect();
    }

    /** Searches policies that are not known as they are now, and all policies if a minute has passed since. */
    void update(Collection<Policy> policies, Instant now) {
        boolean all = stale && next.filter(now::isBefore).isEmpty();
        Map<PolicyId, Policy> searched = policies.stream()
                .filter(policy -> all || !isKnown(policy))
                .collect(Collectors.toMap(Policy::id, policy -> policy));
        if (!searched.isEmpty()) {
            search(searched);
        }
        if (all) {
            stale = false;
            next = Optional.of(now.plus(EVERY));
        }
    }

    private boolean isKnown(Policy policy) {
        Known before = known.get(policy.id());
        // A policy that no longer selects any pod is called so, whatever is known of its rules.
        return before != null
                && before.generation() == policy.generation()
                && (before.selects() || !selects(policy.id()));
    }

    private boolean selects(PolicyId policy) {
        return cluster.index().selected(policy) > 0;
    }

    private void search(Map<PolicyId, Policy> policies) {
        RuleEffect effect = new RuleEffect(cluster.view(), cluster.index()::domainNames, MOST_EXAMINED);
        Map<PolicyId, Map<String, RuleSearch>> searches = new HashMap<>();
        policies.keySet().forEach(policy -> searches.put(policy, new HashMap<>()));
        for (RuleSet pods : ruleSets(policies.keySet())) {
            for (AppliedRule applied : pods.rules()) {
                for (AppliedRule.Request request : applied.requests()) {
                    Map<String, RuleSearch> byName = searches.get(request.policy());
                    if (byName != null) {
                        RuleSearch found = byName.computeIfAbsent(request.name(), _ -> new RuleSearch());
                        if (found.isUndecidedFor(pods, applied.rule(), request)) {
                            judge(pods, applied.rule(), request, effect, found);
                        }
                    }
                }
            }
        }
        policies.forEach((id, policy) -> known.put(
                id, new Known(policy.generation(), selects(id), effect(searches.getOrDefault(id, Map.of())))));
    }

    /**
     * {@return the sets of rules of the pods that policies may select} What one tenant can change reads no set of the
     * others.
     */
    private Collection<RuleSet> ruleSets(Set<PolicyId> policies) {
        if (policies.stream().mapToInt(cluster.index()::selected).sum() > FEW_PODS) {
            return cluster.index().ruleSets();
        }
        Set<RuleSet> selected = new LinkedHashSet<>();
        policies.forEach(policy -> cluster.index()
                .forEachSelected(
                        policy, pod -> cluster.index().ruleSetOf(pod.uid()).ifPresent(selected::add)));
        return selected;
    }

    private static void judge(
            RuleSet pods, Rule rule, AppliedRule.Request request, RuleEffect effect, RuleSearch found) {
        Optional<NoEffect> none = effect.ofAny(
                rule, pods.key().namespace(), pods.key().scheduling(), mayKnowPods(rule, request.policy()));
        found.add(
                none,
                request.source() == RuleSource.POLICY
                        && none.filter(it -> isForAllPods(it, rule, request.policy()))
                                .isPresent());
    }

    /** {@return whether readers of the policy may know which pods match: tenants learn nothing of other namespaces} */
    private static boolean mayKnowPods(Rule rule, PolicyId policy) {
        return policy.isOfCluster() || terms(rule).stream().allMatch(term -> isOfOwnNamespace(term, policy));
    }

    private static boolean isOfOwnNamespace(PodAffinityTerm term, PolicyId policy) {
        return term.ofOwnNamespace()
                || (term.namespaceSelector().isEmpty()
                        && policy.namespace()
                                .filter(it -> term.namespaces().equals(List.of(it)))
                                .isPresent());
    }

    /** {@return whether a rule that a policy has for all its pods can do nothing for any of them, as for one pod} */
    private static boolean isForAllPods(NoEffect none, Rule rule, PolicyId policy) {
        return switch (none.kind()) {
            case KEY_NOWHERE, UNMATCHABLE -> true;
            case NO_POD ->
                !policy.isOfCluster()
                        || (!terms(rule).isEmpty() && terms(rule).stream().noneMatch(PodAffinityTerm::ofOwnNamespace));
            case ONE_DOMAIN -> false;
        };
    }

    private static List<PodAffinityTerm> terms(Rule rule) {
        return switch (rule) {
            case Rule.PodAffinity(List<PodAffinityTerm> terms) -> terms;
            case Rule.PodAntiAffinity anti -> List.of(anti.term());
            case Rule.NodeAffinity _, Rule.TopologySpread _ -> List.of();
        };
    }

    private static PolicyEffect effect(Map<String, RuleSearch> searches) {
        return new PolicyEffect(
                searches.size(),
                searches.entrySet().stream()
                        .filter(it -> it.getValue().none.isPresent())
                        .collect(Collectors.toMap(
                                Map.Entry::getKey, it -> it.getValue().none.orElseThrow())));
    }
}
