package dev.holdfast.policies.engine.planning;

import dev.holdfast.policies.engine.breaker.Breakers;
import dev.holdfast.policies.engine.live.DirectEvaluation;
import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.protocol.EngineSettings;
import dev.holdfast.policies.engine.state.MovesInFlight;
import dev.holdfast.policies.engine.state.PlannerMemory;
import dev.holdfast.policies.engine.state.Readiness;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.plan.Plan;
import dev.holdfast.policies.plan.Planner;
import dev.holdfast.policies.plan.capacity.ClusterFacts;
import dev.holdfast.policies.plan.capacity.PendingMoves;
import dev.holdfast.policies.plan.check.Checks;
import dev.holdfast.policies.plan.controls.PlanLimits;
import dev.holdfast.policies.plan.controls.WindowCache;
import dev.holdfast.policies.plan.domain.NodeHealth;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.ClusterSignals;
import dev.holdfast.policies.plan.input.RememberingView;
import dev.holdfast.policies.plan.input.RuleQueries;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.plan.move.Moves;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;

/**
 * Calls the planner with the present state of the engine. Only this class builds a {@link Situation} (all input of a
 * plan except the candidates).
 */
public final class ClusterPlanner {
    private final EngineSettings settings;
    private final LiveCluster cluster;
    private final DirectEvaluation evaluation;
    private final Readiness readiness;
    private final PlannerMemory memory;
    private final MovesInFlight moves;
    private final Breakers breakers;

    public ClusterPlanner(
            EngineSettings settings,
            LiveCluster cluster,
            DirectEvaluation evaluation,
            Readiness readiness,
            PlannerMemory memory,
            MovesInFlight moves,
            Breakers breakers) {
        this.settings = settings;
        this.cluster = cluster;
        this.evaluation = evaluation;
        this.readiness = readiness;
        this.memory = memory;
        this.moves = moves;
        this.breakers = breakers;
    }

    /**
     * {@return a plan for the candidates} The incremental index finds the partners and domains that break rules.
     *
     * @param batch the factory that created the candidates
     */
    Plan plan(List<Candidate> candidates, CandidateFactory.Batch batch, Instant now) {
        memory.volumeTopology().forgetOld(now);
        Situation situation = situationBySpreadCounts(now)
                .finding(
                        (candidate, _) -> batch.partners(candidate.violation().key()),
                        cluster.index().existingAntiAffinityView())
                .finding(this::remains)
                .remembering(cluster.resourceFit());
        return Planner.plan(candidates, situation, memory.placementCache(), settings.checks());
    }

    /**
     * {@return the decision whether the candidate of a move may still be evicted} The reference evaluators, not the
     * incremental index, find the partners and domains that break the rule.
     */
    public Plan.Decision revalidate(Candidate candidate, Move move, Instant now) {
        return Planner.revalidate(
                candidate,
                move.target(),
                situation(moves.without(move), now),
                memory.placementCache(),
                settings.checks());
    }

    /**
     * {@return a test whether only new domains break a candidate's topology spread, for example a zone that was added
     * after its pod was bound}
     */
    Predicate<Candidate> isByNewDomain(Instant now) {
        Situation situation = situationBySpreadCounts(now);
        return candidate -> Checks.isHeldForNewDomain(candidate, situation);
    }

    private Situation situationBySpreadCounts(Instant now) {
        return situation(moves.moves(), now).finding((domains, candidate, _) -> domainsCausing(domains, candidate));
    }

    private List<String> domainsCausing(List<String> domains, Candidate candidate) {
        ViolationKey key = candidate.violation().key();
        return cluster.index().domainsCausing(domains, key.podUid(), key.rule());
    }

    private boolean remains(Candidate candidate, PendingMoves pendingMoves) {
        ViolationKey key = candidate.violation().key();
        return cluster.index()
                .verdictAfterMoves()
                .isBroken(key.podUid(), key.rule(), pendingMoves.leaving(), pendingMoves.arriving());
    }

    private Situation situation(Moves others, Instant now) {
        ClusterView view = new RememberingView(cluster);
        return new Situation(
                ClusterFacts.of(view, memory.volumeTopology(), memory.formerNodes()),
                RuleQueries.judged(
                                view,
                                evaluation.withoutExempt(),
                                cluster.index().impactOnOthers())
                        .with(pod -> cluster.index().createdAgain(pod.uid())),
                new ClusterSignals(
                        memory.workloadDisturbances(),
                        memory.domains(),
                        new NodeHealth(cluster, memory.vanished(), now),
                        breakers),
                new PlanLimits(
                        settings.operatorLimits(),
                        settings.protectedPods(),
                        readiness.wallClock(),
                        new WindowCache(readiness.wallClock(), now)),
                others,
                now);
    }
}
