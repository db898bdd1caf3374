package dev.holdfast.policies.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.model.view.HidingView;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.Ghosts;
import dev.holdfast.policies.testing.IndexedRule;
import java.util.List;
import org.junit.jupiter.params.provider.Arguments;

/**
 * One row of a table of verdicts: a cluster, a rule owner, its rule and the expected verdict.
 *
 * @param pod the UID of the rule owner
 */
record VerdictRow(String name, ClusterBuilder cluster, String pod, Rule rule, Expected expected) {
    private static final int ORDERS = 8;

    Arguments arguments() {
        return argumentSet(name, this);
    }

    /** Asserts the verdict, also for shuffled events, by the index, and with pods that do not count. */
    void check() {
        ReferenceCluster facts = cluster.build();
        Verdict verdict = expected.in(facts);
        assertThat(judged(facts)).as(name).isEqualTo(verdict);
        anyOrderOfTheFactsGivesTheSame(verdict);
        theIndexSaysTheSame(verdict);
        podsThatCountForNothingChangeNothing(verdict);
        theRuleOwnerItselfIsLeftOut(facts, verdict);
    }

    private void anyOrderOfTheFactsGivesTheSame(Verdict verdict) {
        for (int seed = 0; seed < ORDERS; seed++) {
            assertThat(judged(cluster.shuffled(seed)))
                    .as("%s; events in the order of seed %d", name, seed)
                    .isEqualTo(verdict);
        }
    }

    private void theIndexSaysTheSame(Verdict verdict) {
        for (int seed = 0; seed < ORDERS; seed++) {
            assertThat(IndexedRule.after(cluster.shuffledFacts(seed), rule).breach(pod))
                    .as("%s; by the index, with events in the order of seed %d", name, seed)
                    .isEqualTo(Expected.breachOf(verdict));
        }
    }

    private void podsThatCountForNothingChangeNothing(Verdict verdict) {
        ReferenceCluster withGhosts = cluster.build();
        List<Pod> ghosts = withGhosts.pods().stream().flatMap(Ghosts::of).toList();
        ghosts.forEach(ghost -> withGhosts.apply(new ClusterEvent.PodChanged(ghost)));
        assertThat(judged(withGhosts))
                .as("%s; with ghosts of all pods (W-1 to W-3)", name)
                .isEqualTo(verdict);
    }

    private void theRuleOwnerItselfIsLeftOut(ReferenceCluster facts, Verdict verdict) {
        Pod owner = facts.pod(pod).orElseThrow();
        HidingView without = new HidingView(facts, other -> other.uid().equals(pod));
        assertThat(Evaluator.judge(rule, owner, without))
                .as("%s; the rule owner left out (X-2, X-3, X-5)", name)
                .isEqualTo(verdict);
    }

    private Verdict judged(ReferenceCluster facts) {
        return Evaluator.judge(rule, facts.pod(pod).orElseThrow(), facts);
    }
}
