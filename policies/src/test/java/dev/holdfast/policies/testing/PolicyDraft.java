package dev.holdfast.policies.testing;

import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.PolicyScheduling;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.RuleKind;
import dev.holdfast.policies.selector.LabelMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Builds a policy by the names of its fields. At first it selects all pods and has no rule. */
public final class PolicyDraft {
    private final PolicyId id;
    private final Mode mode;
    private long generation = 1;
    private LabelMatcher pods = Demands.matcher(LabelSelector.everything());
    private Optional<LabelMatcher> nodes = Optional.empty();
    private Optional<LabelMatcher> namespaces = Optional.empty();
    private Map<RuleKind, Enforcement> podRules = Map.of();
    private List<Policy.NamedRule> rules = List.of();
    private PolicyScheduling scheduling = PolicyScheduling.NONE;
    private Optional<Enforcement> annotationRules = Optional.empty();

    private PolicyDraft(PolicyId id, Mode mode) {
        this.id = id;
        this.mode = mode;
    }

    public static PolicyDraft of(PolicyId id, Mode mode) {
        return new PolicyDraft(id, mode);
    }

    public PolicyDraft generation(long number) {
        generation = number;
        return this;
    }

    public PolicyDraft pods(LabelMatcher selected) {
        pods = selected;
        return this;
    }

    public PolicyDraft nodes(LabelMatcher selected) {
        nodes = Optional.of(selected);
        return this;
    }

    public PolicyDraft namespaces(LabelMatcher selected) {
        namespaces = Optional.of(selected);
        return this;
    }

    public PolicyDraft podRules(Map<RuleKind, Enforcement> enforcements) {
        podRules = enforcements;
        return this;
    }

    /** Adds a rule. */
    public PolicyDraft rule(String name, Rule rule, Enforcement enforcement) {
        List<Policy.NamedRule> all = new ArrayList<>(rules);
        all.add(new Policy.NamedRule(name, rule, enforcement));
        return rules(all);
    }

    public PolicyDraft rules(List<Policy.NamedRule> named) {
        rules = named;
        return this;
    }

    public PolicyDraft scheduling(PolicyScheduling kind) {
        scheduling = kind;
        return this;
    }

    public PolicyDraft annotationRules(Enforcement enforcement) {
        annotationRules = Optional.of(enforcement);
        return this;
    }

    public Policy policy() {
        return new Policy(id, generation, mode, pods, nodes, namespaces, podRules, rules, scheduling, annotationRules);
    }
}
