package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.SlowStart;
import dev.holdfast.policies.rule.Mode;
import java.util.Map;
import java.util.Optional;

/**
 * Holds a candidate while the slow start is used up: as many moves are in flight in the cluster, or in the pod's
 * namespace, as the outcomes of the last moves allow. Moves in mode Audit have no outcome, so the slow start does not
 * hold them.
 */
final class SlowStartCheck implements Check {
    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        if (candidate.mode() != Mode.ENFORCE) {
            return Optional.empty();
        }
        SlowStart slowStart = situation.moves().slowStart();
        String namespace = candidate.pod().namespace();
        Map<String, Integer> inFlight = situation.moves().inFlightByNamespace();
        if (!slowStart.clusterAllows(namespace, inFlight, situation.now())) {
            int all = situation.moves().inFlight(_ -> true);
            return hold(new EvictionCount(all, "in the cluster"), "", slowStart.allowed(situation.now()));
        }
        int own = inFlight.getOrDefault(namespace, 0);
        int allowed = slowStart.allowedIn(namespace, situation.now());
        return own < allowed
                ? Optional.empty()
                : hold(new EvictionCount(own, "in namespace " + namespace), " of this namespace", allowed);
    }

    private static Optional<Hold> hold(EvictionCount inFlight, String whose, int allowed) {
        return Optional.of(Hold.untilChange(
                Reason.SLOW_START,
                inFlight.inFlight() + ", and the outcomes of the last moves" + whose + " allow " + allowed
                        + "; each replacement that becomes Ready allows one more"));
    }
}
