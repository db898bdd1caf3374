package dev.holdfast.policies.engine.planning;

import dev.holdfast.policies.engine.breaker.Breakers;
import dev.holdfast.policies.engine.ledger.LedgerState;
import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.report.BrakeReport;
import dev.holdfast.policies.engine.state.Readiness;
import dev.holdfast.policies.engine.state.RequestedRules;
import dev.holdfast.policies.engine.state.ViolationBook;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.rule.Rule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Updates the breakers and backlogs before each plan and before each revalidation of a move. */
public final class BreakerUpdate {
    private static final int MOST_WAITING = 1_000;

    private final LiveCluster cluster;
    private final Breakers breakers;
    private final Readiness readiness;
    private final LedgerState ledger;
    private final RequestedRules requested;
    private final ViolationBook book;
    private final CandidateFactory candidates;
    private final ClusterPlanner planner;

    /** Whether another replica may have led since this one last reported which breakers and backlogs there are. */
    private boolean anotherMayHaveLed = true;

    /** The latest reports from before this replica led; not all, because another may lead for weeks. */
    private final List<BrakeReport> waiting = new ArrayList<>();

    public BreakerUpdate(
            LiveCluster cluster,
            Breakers breakers,
            Readiness readiness,
            LedgerState ledger,
            RequestedRules requested,
            ViolationBook book,
            CandidateFactory candidates,
            ClusterPlanner planner) {
        this.cluster = cluster;
        this.breakers = breakers;
        this.readiness = readiness;
        this.ledger = ledger;
        this.requested = requested;
        this.book = book;
        this.candidates = candidates;
        this.planner = planner;
    }

    /**
     * Opens and closes breakers if something has changed, and reports the breakers and backlogs that opened or closed.
     * Only a leader that knows the ledger reports them: each replica opens them by itself, and users acknowledge the
     * ids of the leader. If another replica may have led, the open breakers are reported first.
     */
    public void run(Instant now, List<Effect> effects) {
        boolean reports = readiness.isLeading() && ledger.isKnown();
        if (reports) {
            report(anotherMayHaveLed ? breakers.takenOver() : waiting, effects);
            anotherMayHaveLed = false;
            waiting.clear();
        }
        if (breakers.isStale()) {
            if (readiness.acknowledge(breakers.acknowledged())) {
                effects.add(new Effect.Compared(0, readiness.distrust()));
            }
            Predicate<Candidate> byNewDomain = planner.isByNewDomain(now);
            List<BrakeReport> news = breakers.update(
                    key -> isByNewDomain(key, byNewDomain, now), new ImpossibleRules(cluster, requested), now);
            if (reports) {
                report(news, effects);
            } else if (!anotherMayHaveLed) {
                waiting.addAll(news);
                waiting.subList(0, Math.max(0, waiting.size() - MOST_WAITING)).clear();
            }
        }
    }

    private static void report(List<BrakeReport> reports, List<Effect> effects) {
        reports.forEach(report -> effects.add(new Effect.Braked(report)));
    }

    /** Records that this replica leads, and that another one may have led before. */
    public void lead() {
        anotherMayHaveLed = true;
        waiting.clear();
    }

    private boolean isByNewDomain(ViolationKey key, Predicate<Candidate> byNewDomain, Instant now) {
        return requested
                        .find(key)
                        .filter(held -> held.rule() instanceof Rule.TopologySpread)
                        .isPresent()
                && book.find(key)
                        .filter(violation -> byNewDomain.test(candidates.candidate(violation, now)))
                        .isPresent();
    }
}
