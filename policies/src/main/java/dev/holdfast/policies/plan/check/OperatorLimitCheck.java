package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.controls.OperatorLimits;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.plan.move.Moves;
import dev.holdfast.policies.plan.move.Workload;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Holds a candidate while the operator's limits are reached: on moves in flight or on evictions within an hour. A tenth
 * of the hour's evictions is for namespaces that had none within the hour, so that one namespace cannot use up the hour
 * before another has its first violation due.
 *
 * <p>Example: the limit is 120 in an hour. After 108 evictions of namespace a, further pods of a are held, and a pod of
 * namespace b may still go.
 */
final class OperatorLimitCheck implements Check {
    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        OperatorLimits operatorLimits = situation.planLimits().operatorLimits();
        Optional<Workload> workload = candidate.workload();
        if (workload.isPresent()
                && reached(operatorLimits.perWorkload(), situation, move -> workload.equals(move.workload()))) {
            return hold(Reason.WORKLOAD_LIMIT, operatorLimits.perWorkload(), "of " + workload.get());
        }
        if (reached(operatorLimits.perNode(), situation, move -> move.fromNode().equals(candidate.node()))) {
            return hold(Reason.NODE_LIMIT, operatorLimits.perNode(), "from node " + candidate.node());
        }
        String namespace = candidate.pod().namespace();
        if (reached(
                operatorLimits.perNamespace(),
                situation,
                move -> move.victim().namespace().equals(namespace))) {
            return hold(Reason.NAMESPACE_LIMIT, operatorLimits.perNamespace(), "in namespace " + namespace);
        }
        if (reached(operatorLimits.cluster(), situation, _ -> true)) {
            return hold(Reason.CLUSTER_LIMIT, operatorLimits.cluster(), "in the cluster");
        }
        return hourly(candidate, operatorLimits, situation);
    }

    private static boolean reached(int limit, Situation situation, Predicate<Move> sharing) {
        return situation.moves().inFlight(sharing) >= limit;
    }

    private static Optional<Hold> hold(Reason reason, int limit, String where) {
        return Optional.of(
                Hold.untilChange(reason, limit + " of " + limit + " evictions " + where + " are in flight or planned"));
    }

    private static Optional<Hold> hourly(Candidate candidate, OperatorLimits operatorLimits, Situation situation) {
        Moves.Hour hour = situation.moves().hour(_ -> true, situation.now());
        String limit = new EvictionCount(hour.evictions(), "in the cluster").withinHour() + ", and the limit is "
                + operatorLimits.perHour();
        if (hour.evictions() >= operatorLimits.perHour()) {
            return Optional.of(new Hold(Reason.HOURLY_LIMIT, limit, hour.next()));
        }
        return KeptForOthers.against(
                candidate, situation, operatorLimits.perHour(), _ -> true, Reason.HOURLY_LIMIT, limit);
    }
}
