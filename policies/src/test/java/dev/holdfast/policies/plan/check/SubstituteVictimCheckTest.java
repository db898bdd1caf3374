package dev.holdfast.policies.plan.check;

import static dev.holdfast.policies.plan.Due.NOW;
import static dev.holdfast.policies.plan.Due.POLICY;
import static dev.holdfast.policies.plan.Due.candidate;
import static dev.holdfast.policies.plan.Due.requestedBy;
import static dev.holdfast.policies.plan.Due.requesting;
import static dev.holdfast.policies.plan.Due.situation;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static dev.holdfast.policies.testing.PodTraits.priority;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.plan.ShuffledPlanner;
import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.plan.controls.MaxUnavailable;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.SubstituteVictim;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Moves;
import dev.holdfast.policies.plan.move.Workload;
import dev.holdfast.policies.testing.ControlsDraft;
import dev.holdfast.policies.testing.PodTrait;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Tests that no pod makes way for {@code web} while the next one that must make way could not: {@code batch} would go
 * first, and {@code queue-1} after it.
 */
class SubstituteVictimCheckTest {
    private static final DisruptionControls AT_MOST_ONE_UNAVAILABLE =
            ControlsDraft.plain().maxUnavailable(new MaxUnavailable.Pods(1)).controls();

    /** {@return the cluster, with four Ready pods of {@code queue}, one of them in the way of {@code web}} */
    private static ReferenceCluster facts(int desired) {
        return cluster()
                .node("a", labels(HOSTNAME, "a"))
                .node("b", labels(HOSTNAME, "b"))
                .replicaSet("queue", desired)
                .pod("web", on("a"), replicaOf("web"), priority(1_000), apartFrom(term(app("batch"), HOSTNAME)))
                .pod("batch", on("a"), replicaOf("batch"), priority(10))
                .pod("queue-1", on("a"), ofQueue(), labels("app", "batch"), priority(20))
                .pod("first", on("b"), ofQueue())
                .pod("second", on("b"), ofQueue())
                .pod("third", on("b"), ofQueue())
                .build();
    }

    private static PodTrait ofQueue() {
        return ownedBy("ReplicaSet", "queue", "queue");
    }

    private static Candidate batch(ReferenceCluster facts) {
        Candidate owner = requestedBy(candidate(facts, "web"), requesting(POLICY, AT_MOST_ONE_UNAVAILABLE));
        return SubstituteVictim.first(owner, List.of(instead(owner, "batch", facts), instead(owner, "queue-1", facts)));
    }

    private static Candidate instead(Candidate owner, String name, ReferenceCluster facts) {
        Pod pod = facts.pod(name).orElseThrow();
        return owner.withVictim(pod, List.of(), Workload.of(pod, facts));
    }

    private static Optional<Hold> hold(ReferenceCluster facts, Moves moves) {
        return ShuffledPlanner.hold(new SubstituteVictimCheck(), batch(facts), situation(facts, moves));
    }

    @Test
    void thePodGoesFirstIfTheNextOneCanFollow() {
        assertThat(hold(facts(4), new Moves())).isEmpty();
    }

    @Test
    void thePodStaysIfTheWorkloadOfTheNextOneIsNotWhole() {
        assertThat(hold(facts(6), new Moves()))
                .hasValueSatisfying(hold -> assertThat(hold.reason()).isEqualTo(Reason.WORKLOAD_DEGRADED))
                .hasValueSatisfying(hold ->
                        assertThat(hold.message()).startsWith("pod shop/queue-1 must be moved too: 3 of the 6"));
    }

    @Test
    void thePodStaysIfTheNextOneIsTheOutcomeOfThreeMovesToAndFro() {
        ReferenceCluster facts = facts(4);
        Candidate owner = candidate(facts, "web");
        Moves moves = new Moves();
        List<String> chain = List.of("first", "second", "third", "queue-1");
        for (int i = 0; i + 1 < chain.size(); i++) {
            moves.history()
                    .replaced(
                            instead(owner, chain.get(i), facts).plannedMove(Optional.of("b"), NOW),
                            NOW.minus(Duration.ofMinutes(9 - i)),
                            facts.pod(chain.get(i + 1)).orElseThrow().uid(),
                            NOW.minus(Duration.ofMinutes(8 - i)));
        }

        assertThat(hold(facts, moves).map(Hold::reason)).contains(Reason.RESTLESS);
    }
}
