package dev.holdfast.policies.engine.status;

import dev.holdfast.policies.effect.NoEffect;
import dev.holdfast.policies.effect.RuleEffect;
import dev.holdfast.policies.effect.RuleFinding;
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
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Finds which rules of policies can do nothing in the cluster as it is. All policies are searched at most once a
 * minute; an edited policy, and one that selects its first pod, are searched at once. Of pods with equal constraints,
 * one is enough.
 *
 * <p>One search examines a limited number of things, which its policies share. What one policy leaves is for the next.
 * The policies that got too little take turns as the first, which gets half of all. Until its turn, such a policy keeps
 * what was found before.
 */
public final class PolicyEffects {
    private static final Duration EVERY = Duration.ofMinutes(1);

    /** How many nodes, pods and sets of labels one search examines: a fraction of a second. */
    private static final long MOST_EXAMINED = 600_000;

    /** The most pods of policies that are searched by their pods, and not by the sets of rules of all pods. */
    private static final int FEW_PODS = 10_000;

    private static final Comparator<NoEffect> FIRST =
            Comparator.comparing(NoEffect::kind).thenComparing(NoEffect::why);

    private final LiveCluster cluster;
    private final long mostExamined;
    private final Map<PolicyId, Known> known = new HashMap<>();
    private Optional<Instant> next = Optional.empty();
    private boolean stale;

    /** The policy that is the first of the next search of all policies; empty if no policy got too little. */
    private Optional<PolicyId> turn = Optional.empty();

    /** @param selects whether the policy selected any pod */
    private record Known(long generation, boolean selects, PolicyEffect effect) {}

    /** What is known of the rules of one name. */
    private static final class RuleSearch {
        private Optional<NoEffect> none = Optional.empty();
        private boolean isUnknown;
        private boolean over;

        /** The namespaces for which a rule was judged that a policy has for all its pods. */
        private final Set<String> namespaces = new HashSet<>();

        /** {@return whether pods may differ from all that were judged} A policy's rule is judged once per namespace. */
        private boolean isUndecidedFor(RuleSet pods, Rule rule, AppliedRule.Request request) {
            boolean sameInNamespace = request.source() == RuleSource.POLICY && rule.kind() != RuleKind.TOPOLOGY_SPREAD;
            return !over && (!sameInNamespace || namespaces.add(pods.key().namespace()));
        }

        private void add(RuleFinding found, boolean forAllPods) {
            switch (found) {
                case RuleFinding.Nothing(NoEffect why) -> {
                    none = none.filter(before -> FIRST.compare(before, why) <= 0)
                            .or(() -> Optional.of(why));
                    over = forAllPods;
                }
                case RuleFinding.Something _ -> {
                    none = Optional.empty();
                    over = true;
                }
                case RuleFinding.NotExamined _ -> isUnknown = true;
            }
        }

        private boolean isNotExamined() {
            return isUnknown && !over;
        }
    }

    public PolicyEffects(LiveCluster cluster) {
        this(cluster, MOST_EXAMINED);
    }

    /** @param mostExamined how many nodes, pods and sets of labels one search examines */
    PolicyEffects(LiveCluster cluster, long mostExamined) {
        this.cluster = cluster;
        this.mostExamined = mostExamined;
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
        boolean tooLittle = !searched.isEmpty() && search(searched, all);
        if (all) {
            stale = false;
            next = Optional.of(now.plus(EVERY));
        }
        stale |= tooLittle;
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

    /** {@return whether policies got too little to examine all their rules} */
    private boolean search(Map<PolicyId, Policy> policies, boolean all) {
        RuleEffect effect = new RuleEffect(cluster.view(), cluster.index()::domainNames, 0);
        Map<PolicyId, List<RuleSet>> setsByPolicy = setsByPolicy(policies.keySet());
        List<PolicyId> order = inTurn(policies.keySet());
        NavigableSet<PolicyId> tooLittle = new TreeSet<>();
        long left = mostExamined;
        for (int i = 0; i < order.size(); i++) {
            PolicyId id = order.get(i);
            boolean first = i == 0;
            long share = first && order.size() > 1 ? left / 2 : left / (order.size() - i);
            effect.allow(share);
            PolicyEffect found = judge(id, setsByPolicy.getOrDefault(id, List.of()), effect);
            left -= share - effect.left();
            if (!found.notExamined().isEmpty()) {
                tooLittle.add(id);
            }
            know(Objects.requireNonNull(policies.get(id)), found, first);
        }
        if (all) {
            turn = Optional.ofNullable(tooLittle.higher(order.getFirst()))
                    .or(() -> tooLittle.stream().findFirst());
        }
        return !tooLittle.isEmpty();
    }

    private List<PolicyId> inTurn(Set<PolicyId> policies) {
        TreeSet<PolicyId> sorted = new TreeSet<>(policies);
        List<PolicyId> order =
                new ArrayList<>(turn.map(it -> sorted.tailSet(it, true)).orElse(sorted));
        turn.ifPresent(it -> order.addAll(sorted.headSet(it, false)));
        return order;
    }

    private void know(Policy policy, PolicyEffect found, boolean first) {
        PolicyEffect kept = Optional.ofNullable(known.get(policy.id()))
                .filter(_ -> !first && !found.notExamined().isEmpty())
                .filter(before -> before.selects() && before.generation() == policy.generation())
                .map(Known::effect)
                .orElse(found);
        known.put(policy.id(), new Known(policy.generation(), selects(policy.id()), kept));
    }

    private static PolicyEffect judge(PolicyId policy, List<RuleSet> sets, RuleEffect effect) {
        Map<String, RuleSearch> byName = new HashMap<>();
        for (RuleSet pods : sets) {
            for (AppliedRule applied : pods.rules()) {
                for (AppliedRule.Request request : applied.requests()) {
                    if (request.policy().equals(policy)) {
                        RuleSearch found = byName.computeIfAbsent(request.name(), _ -> new RuleSearch());
                        if (found.isUndecidedFor(pods, applied.rule(), request)) {
                            judge(pods, applied.rule(), request, effect, found);
                        }
                    }
                }
            }
        }
        return effect(byName);
    }

    private Map<PolicyId, List<RuleSet>> setsByPolicy(Set<PolicyId> policies) {
        Map<PolicyId, List<RuleSet>> sets = new HashMap<>();
        policies.forEach(policy -> sets.put(policy, new ArrayList<>()));
        for (RuleSet pods : ruleSets(policies)) {
            for (Policy policy : pods.key().policies()) {
                List<RuleSet> ofPolicy = sets.get(policy.id());
                if (ofPolicy != null) {
                    ofPolicy.add(pods);
                }
            }
        }
        return sets;
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
        RuleFinding finding = effect.ofAny(
                rule, pods.key().namespace(), pods.key().scheduling(), mayKnowPods(rule, request.policy()));
        found.add(
                finding,
                request.source() == RuleSource.POLICY
                        && finding.none()
                                .filter(it -> isForAllPods(it, rule, request.policy(), effect))
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
    private static boolean isForAllPods(NoEffect none, Rule rule, PolicyId policy, RuleEffect effect) {
        return switch (none.kind()) {
            case KEY_NOWHERE, UNMATCHABLE -> true;
            case NO_POD ->
                !policy.isOfCluster()
                        || (!terms(rule).isEmpty() && terms(rule).stream().noneMatch(PodAffinityTerm::ofOwnNamespace));
            case ONE_DOMAIN ->
                rule instanceof Rule.TopologySpread spread
                        && effect.isOneDomain(spread.constraint().topologyKey());
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
        Map<String, NoEffect> without = new HashMap<>();
        Set<String> notExamined = new HashSet<>();
        searches.forEach((name, found) -> {
            if (found.isNotExamined()) {
                notExamined.add(name);
            } else {
                found.none.ifPresent(why -> without.put(name, why));
            }
        });
        return new PolicyEffect(searches.size(), without, notExamined);
    }
}
