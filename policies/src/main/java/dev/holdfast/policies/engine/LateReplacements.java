package dev.holdfast.policies.engine;

import dev.holdfast.policies.engine.breaker.OutcomeBreaker;
import dev.holdfast.policies.engine.memory.PlanSchedule;
import dev.holdfast.policies.plan.move.Move;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Watches for the replacements of moves that ended without a Ready one. If such a replacement becomes Ready later, the
 * outcome breaker stays closed or closes.
 */
final class LateReplacements {
    private final OutcomeBreaker outcomeBreaker;
    private final WorkloadPods workloadPods;
    private final PlanSchedule schedule;

    LateReplacements(OutcomeBreaker outcomeBreaker, WorkloadPods workloadPods, PlanSchedule schedule) {
        this.outcomeBreaker = outcomeBreaker;
        this.workloadPods = workloadPods;
        this.schedule = schedule;
    }

    /**
     * Checks the moves that ended without a Ready replacement and that an event may affect.
     *
     * @param concerned a test: whether the present event may affect a move
     */
    void run(Predicate<Move> concerned) {
        for (OutcomeBreaker.Missing missing : outcomeBreaker.awaited()) {
            if (concerned.test(missing.move()) && missing.move().stage() instanceof Move.Stage.Sent sent) {
                run(missing, sent.siblings());
            }
        }
    }

    private void run(OutcomeBreaker.Missing missing, Set<String> siblings) {
        if (workloadPods.hasReadyReplacement(missing.move(), siblings)) {
            outcomeBreaker.replaced(missing);
            schedule.invalidate();
        } else if (workloadPods.noReplacementExpected(missing.move(), siblings, missing.ownerWasKnown())) {
            outcomeBreaker.unwanted(missing);
            schedule.invalidate();
        }
    }
}
