package dev.holdfast.policies.index;

import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.PolicyScheduling;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.RuleKind;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.selector.ParseResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** Generates random policies that use all fields. There are few names, so policies are often edited and overlap. */
final class RandomPolicies {
    private final Random random;
    private final RandomDemands demands;
    private final Reordering reordering;

    RandomPolicies(Random random, RandomDemands demands) {
        this.random = random;
        this.demands = demands;
        this.reordering = new Reordering(random);
    }

    /** {@return the policy after an edit: its rules are written in another order, and the forgiveness may differ} */
    Policy edited(Policy policy, long generation) {
        Duration forgiveness = Duration.ofMinutes(demands.chance(50) ? 5 : 6);
        Map<RuleKind, Enforcement> podRules = new HashMap<>();
        policy.podRules()
                .forEach((kind, enforcement) -> podRules.put(kind, enforcement(enforcement.mode(), forgiveness)));
        List<Policy.NamedRule> rules = new ArrayList<>();
        for (Policy.NamedRule rule : policy.rules()) {
            rules.add(new Policy.NamedRule(
                    rule.name(),
                    reordering.of(rule.rule()),
                    enforcement(rule.enforcement().mode(), forgiveness)));
        }
        return new Policy(
                policy.id(),
                generation,
                policy.mode(),
                policy.pods(),
                policy.nodes(),
                policy.namespaces(),
                podRules,
                rules,
                policy.scheduling(),
                policy.annotationRules().map(it -> enforcement(it.mode(), forgiveness)));
    }

    Policy next(long generation) {
        Map<RuleKind, Enforcement> podRules = new HashMap<>();
        for (RuleKind kind : RuleKind.values()) {
            if (demands.chance(75)) {
                podRules.put(kind, enforcement(demands.chance(95) ? Mode.AUDIT : Mode.DISABLED));
            }
        }
        List<Policy.NamedRule> rules = new ArrayList<>();
        while (demands.chance(45)) {
            Mode mode = demands.chance(90) ? Mode.AUDIT : Mode.DISABLED;
            rules.add(new Policy.NamedRule("rule-" + rules.size(), rule(), enforcement(mode)));
        }
        return new Policy(
                id(),
                generation,
                demands.chance(93) ? Mode.AUDIT : Mode.DISABLED,
                matcher(demands.chance(60) ? LabelSelector.everything() : demands.selector()),
                demands.chance(20) ? Optional.of(matcher(nodePool())) : Optional.empty(),
                demands.chance(40) ? Optional.of(matcher(demands.namespaceSelector())) : Optional.empty(),
                podRules,
                rules,
                PolicyScheduling.NONE,
                demands.chance(50) ? Optional.of(enforcement(Mode.AUDIT)) : Optional.empty());
    }

    private PolicyId id() {
        String name = "policy-" + random.nextInt(4);
        return demands.chance(40)
                ? PolicyId.namespaced(demands.one(RandomDemands.NAMESPACES), name)
                : PolicyId.cluster(name);
    }

    private LabelSelector nodePool() {
        return new LabelSelector(Labels.of("disk", demands.one(RandomDemands.DISKS)), List.of());
    }

    private Rule rule() {
        return switch (random.nextInt(4)) {
            case 0 -> new Rule.NodeAffinity(Labels.none(), Optional.of(demands.nodeSelector()));
            case 1 -> new Rule.PodAffinity(List.of(demands.term()));
            case 2 -> new Rule.PodAntiAffinity(demands.term());
            default -> new Rule.TopologySpread(demands.spread(), List.of());
        };
    }

    private static Enforcement enforcement(Mode mode) {
        return enforcement(mode, Duration.ofMinutes(5));
    }

    private static Enforcement enforcement(Mode mode, Duration forgiveness) {
        return new Enforcement(mode, forgiveness, WhenInfeasible.WAIT);
    }

    private static LabelMatcher matcher(LabelSelector selector) {
        return switch (LabelMatcher.of(Optional.of(selector))) {
            case ParseResult.Usable<LabelMatcher>(LabelMatcher matcher) -> matcher;
            case ParseResult.Unusable<LabelMatcher> _ -> LabelMatcher.nothing();
        };
    }
}
