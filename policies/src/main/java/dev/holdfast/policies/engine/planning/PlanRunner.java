package dev.holdfast.policies.engine.planning;

import dev.holdfast.policies.engine.ledger.EndedHolds;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.state.PlanSchedule;
import dev.holdfast.policies.plan.Plan;
import java.time.Instant;
import java.util.List;

/** Plans the due violations at the scheduled times. */
public final class PlanRunner {
    private final PlanSchedule schedule;
    private final EndedHolds endedHolds;
    private final BreakerUpdate breakers;
    private final CandidateFactory candidates;
    private final DueCandidates dueCandidates;
    private final ClusterPlanner planner;
    private final PlanExecution execution;

    public PlanRunner(
            PlanSchedule schedule,
            EndedHolds endedHolds,
            BreakerUpdate breakers,
            CandidateFactory candidates,
            DueCandidates dueCandidates,
            ClusterPlanner planner,
            PlanExecution execution) {
        this.schedule = schedule;
        this.endedHolds = endedHolds;
        this.breakers = breakers;
        this.candidates = candidates;
        this.dueCandidates = dueCandidates;
        this.planner = planner;
        this.execution = execution;
    }

    /** Makes a plan and carries it out, if the schedule says that it is time. */
    public void run(Instant now, List<Effect> effects) {
        if (schedule.isDue(now)) {
            plan(now, effects);
        }
    }

    private void plan(Instant now, List<Effect> effects) {
        schedule.begin(now);
        endedHolds.countSinceLast(now);
        breakers.run(now, effects);
        CandidateFactory.Batch batch = candidates.batch();
        DueCandidates.Selection selection = dueCandidates.select(batch, now, effects);
        schedule.pace(selection.turn().size(), selection.standing());
        dueCandidates.scheduleNext(selection, schedule, now);
        Plan plan = planner.plan(selection.candidates(), batch, now);
        plan.nextLook().ifPresent(schedule::planBy);
        execution.carryOut(plan, now, effects);
        if (selection.isPartial()) {
            schedule.planAgain(now);
            execution.queueUndecided(selection.due(), now);
        }
    }
}
