package dev.holdfast.policies.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.IndexedRule;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.provider.Arguments;

/** A sequence of cluster changes and of expected verdicts on one rule. */
final class VerdictScenario {
    private final String name;
    private final ReferenceCluster referenceCluster;
    private final IndexedRule indexed;
    private final Rule rule;
    private final List<Runnable> steps = new ArrayList<>();

    VerdictScenario(String name, ClusterBuilder cluster, Rule rule) {
        this.name = name;
        this.referenceCluster = cluster.build();
        this.indexed = IndexedRule.after(cluster.facts(), rule);
        this.rule = rule;
    }

    /** Expects a verdict on the rule for the pod with this UID at this point, and returns this scenario. */
    VerdictScenario judged(String pod, Expected expected) {
        steps.add(() -> {
            Verdict verdict = expected.in(referenceCluster);
            assertThat(Evaluator.judge(rule, referenceCluster.pod(pod).orElseThrow(), referenceCluster))
                    .as("%s; the verdict on %s", name, pod)
                    .isEqualTo(verdict);
            assertThat(indexed.breach(pod))
                    .as("%s; the verdict on %s by the index", name, pod)
                    .isEqualTo(Expected.breachOf(verdict));
        });
        return this;
    }

    /** Adds changes of the cluster, and returns this scenario. */
    VerdictScenario then(ClusterEvent... changes) {
        steps.add(() -> {
            for (ClusterEvent change : changes) {
                referenceCluster.apply(change);
                indexed.apply(change);
            }
        });
        return this;
    }

    Arguments arguments() {
        return argumentSet(name, this);
    }

    void applyAll() {
        steps.forEach(Runnable::run);
    }
}
