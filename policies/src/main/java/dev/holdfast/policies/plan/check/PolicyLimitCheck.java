package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.controls.PolicyLimits;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Moves;
import dev.holdfast.policies.plan.move.Workload;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;

/**
 * Holds a candidate while a limit of its policy is reached: on evictions for the policy, or on evictions of the pod's
 * workload. Of the hourly limit of a cluster policy, a part is {@linkplain KeptForOthers kept} for namespaces without
 * an eviction.
 */
final class PolicyLimitCheck implements Check {
    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        PolicyLimits limits = candidate.requestingPolicy().disruptionControls().limits();
        Predicate<Moves.PastEviction> ofPolicy = pastEviction ->
                pastEviction.policy().equals(candidate.requestingPolicy().policy());
        Predicate<Moves.PastEviction> ofWorkload =
                pastEviction -> pastEviction.workload().equals(candidate.workload());
        String policy = "for policy " + candidate.requestingPolicy().policy();
        String workload = "of " + candidate.workload().map(Workload::toString).orElse("no workload");
        return concurrent(Reason.POLICY_LIMIT, limits.concurrent(), ofPolicy, policy, situation)
                .or(() ->
                        concurrent(Reason.WORKLOAD_LIMIT, limits.workloadConcurrent(), ofWorkload, workload, situation))
                .or(() -> hourly(Reason.POLICY_LIMIT, limits.perHour(), ofPolicy, policy, situation))
                .or(() -> keptForOthers(candidate, limits.perHour(), ofPolicy, policy, situation))
                .or(() -> hourly(
                        Reason.WORKLOAD_LIMIT, workloadPerHour(candidate, situation), ofWorkload, workload, situation));
    }

    private static OptionalInt workloadPerHour(Candidate candidate, Situation situation) {
        PolicyLimits.HourlyWorkloadLimit hourlyWorkloadLimit =
                candidate.requestingPolicy().disruptionControls().limits().workloadPerHour();
        return hourlyWorkloadLimit instanceof PolicyLimits.HourlyWorkloadLimit.Unlimited
                        || candidate.workload().isEmpty()
                ? OptionalInt.empty()
                : hourlyWorkloadLimit.of(situation
                        .cluster()
                        .replicaCounts()
                        .all(candidate.workload().get()));
    }

    private static Optional<Hold> concurrent(
            Reason reason,
            OptionalInt limit,
            Predicate<Moves.PastEviction> sharing,
            String whose,
            Situation situation) {
        if (limit.isEmpty()) {
            return Optional.empty();
        }
        int inFlight = situation.moves().inFlight(move -> sharing.test(Moves.PastEviction.of(move, situation.now())));
        return inFlight < limit.getAsInt()
                ? Optional.empty()
                : Optional.of(Hold.untilChange(
                        reason,
                        limit.getAsInt() == 0
                                ? noneAllowed(whose)
                                : new EvictionCount(inFlight, whose).inFlight() + ", and the policy allows "
                                        + limit.getAsInt()));
    }

    private static Optional<Hold> hourly(
            Reason reason,
            OptionalInt limit,
            Predicate<Moves.PastEviction> sharing,
            String whose,
            Situation situation) {
        if (limit.isEmpty()) {
            return Optional.empty();
        }
        Moves.Hour hour = situation.moves().hour(sharing, situation.now());
        if (hour.evictions() < limit.getAsInt()) {
            return Optional.empty();
        }
        return Optional.of(
                limit.getAsInt() == 0
                        ? Hold.untilChange(reason, noneAllowed(whose))
                        : new Hold(
                                reason,
                                new EvictionCount(limit.getAsInt(), whose).withinHour()
                                        + ", which is what the policy allows",
                                hour.next()));
    }

    /** {@return the hold by the part of a cluster policy's hourly limit that is kept for other namespaces} */
    private static Optional<Hold> keptForOthers(
            Candidate candidate,
            OptionalInt limit,
            Predicate<Moves.PastEviction> ofPolicy,
            String whose,
            Situation situation) {
        if (limit.isEmpty() || !candidate.requestingPolicy().policy().isOfCluster()) {
            return Optional.empty();
        }
        int evictions = situation.moves().hour(ofPolicy, situation.now()).evictions();
        return KeptForOthers.against(
                candidate,
                situation,
                limit.getAsInt(),
                ofPolicy,
                Reason.POLICY_LIMIT,
                new EvictionCount(evictions, whose).withinHour() + ", and the policy allows " + limit.getAsInt());
    }

    private static String noneAllowed(String whose) {
        return "the policy's limits allow no eviction " + whose;
    }
}
