package dev.holdfast.policies.testing;

import dev.holdfast.policies.evaluate.ViolationDetail;
import dev.holdfast.policies.index.Index;
import dev.holdfast.policies.index.change.VerdictListener;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.WhenInfeasible;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** An index where one policy requests one rule for every pod. Tests use it to compare the index with the evaluators. */
public final class IndexedRule {
    private final Index index = new Index(Set.of(), VerdictListener.NONE);
    private final Rule rule;

    private IndexedRule(Rule rule) {
        this.rule = rule;
    }

    /** {@return an index after these events in this order; the rule is requested after half of the events} */
    public static IndexedRule after(List<ClusterEvent> facts, Rule rule) {
        IndexedRule indexed = new IndexedRule(rule);
        int half = facts.size() / 2;
        facts.subList(0, half).forEach(indexed::apply);
        indexed.index.put(asking(rule));
        facts.subList(half, facts.size()).forEach(indexed::apply);
        return indexed;
    }

    private static Policy asking(Rule rule) {
        Enforcement audit = new Enforcement(Mode.AUDIT, Duration.ZERO, WhenInfeasible.WAIT);
        return PolicyDraft.of(PolicyId.cluster("asking"), Mode.AUDIT)
                .rule("rule", rule, audit)
                .policy();
    }

    /** Applies one more event to the index. */
    public void apply(ClusterEvent fact) {
        index.apply(fact);
    }

    /** {@return the violation that the index reports for the pod with this UID; absent if the rule holds} */
    public Optional<ViolationDetail> breach(String pod) {
        return index.violationDetail(pod, rule.identity());
    }
}
