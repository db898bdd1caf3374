package dev.holdfast.policies.engine;

import dev.holdfast.policies.evaluate.Breach;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.Checks;
import dev.holdfast.policies.plan.Hold;
import dev.holdfast.policies.plan.Move;
import dev.holdfast.policies.plan.PolicyLimits;
import dev.holdfast.policies.rule.HeldRule;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.VictimChoice;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Describes violations and policies for people and machines. */
final class Reports {
    private static final int OLDEST = 20;

    private final State state;

    Reports(State state) {
        this.state = state;
    }

    /** {@return the violation as the policy sees it that speaks for its rule} */
    ViolationReport describe(Violation violation, Instant now) {
        return state.asked(violation.key())
                .flatMap(asked -> describe(violation, asked, asked.leading(state.ceiling), now))
                .orElseGet(() -> asLastTold(violation));
    }

    /** Where the index is wrong about a violation, it is still told of, and that nothing is done about it. */
    private ViolationReport asLastTold(Violation violation) {
        return Objects.requireNonNull(state.told.get(violation.key()), "a violation nobody was told of");
    }

    private Optional<ViolationReport> describe(Violation violation, HeldRule asked, HeldRule.Ask ask, Instant now) {
        return state.breach(violation).map(breach -> describe(violation, asked, ask, breach, now));
    }

    private ViolationReport describe(
            Violation violation, HeldRule asked, HeldRule.Ask ask, Breach breach, Instant now) {
        Pod pod = state.cluster.pod(violation.key().podUid()).orElseThrow();
        return new ViolationReport(
                violation.key(),
                pod.name(),
                pod.protection().controller(),
                BoundPod.of(victim(violation.key()).orElse(pod)),
                ask.policy(),
                ask.name(),
                asked.rule().describe(),
                ask.enforcement().mode().atMost(state.ceiling),
                violation.cause(),
                breach,
                violation.since(),
                state.forgiveness(violation),
                state.deadlines.of(violation.key()),
                heldFromTheStart(pod, ask),
                state.stateOf(violation, now),
                state.hold(violation, now));
    }

    /** {@return the pod that is decided to go for a violation; empty where nothing is} */
    private Optional<Pod> victim(ViolationKey key) {
        return state.disposition(key).flatMap(disposition -> switch (disposition) {
            case Disposition.Held _ -> Optional.empty();
            case Disposition.WouldEvict(Pod victim, var _) -> Optional.of(victim);
            case Disposition.Evicting(String planId) -> state.moves.find(planId).map(Move::victim);
        });
    }

    /** Where others may go instead, nothing is certain from the start. */
    private Optional<Reason> heldFromTheStart(Pod pod, HeldRule.Ask ask) {
        return Optional.of(ask)
                .filter(it -> it.enforcement().victim() == VictimChoice.RULE_OWNER)
                .flatMap(it -> Checks.heldFromTheStart(
                        pod,
                        state.settings.protectedNamespaces(),
                        state.conductOf(it.policy()).allowed()))
                .map(Hold::reason);
    }

    /** {@return how a policy stands now} */
    PolicyReport of(Policy policy, Tally tally, Instant now) {
        return new PolicyReport(
                policy.id(),
                policy.generation(),
                policy.mode().atMost(state.ceiling),
                tally.pods(state.cluster.index().selected(policy.id())),
                tally.byRule(),
                tally.holds(),
                state.distrust(),
                state.breakers.backlog(policy.id()).map(Hold::message),
                outlook(policy.id(), tally),
                tally.nextDeadline(),
                oldest(policy.id(), tally, now),
                state.history.of(policy.id()));
    }

    private Outlook outlook(PolicyId policy, Tally tally) {
        PolicyLimits own = state.conductOf(policy).limits();
        // A pod without a workload is never moved, since nobody would replace it.
        return own.allowAnyOfWorkloads() ? new Outlook(tally.toEvict(), perHour(own)) : new Outlook(0, 0);
    }

    private int perHour(PolicyLimits own) {
        int ofAll = state.settings.limits().perHour();
        boolean allowsAny = own.concurrent().orElse(1) > 0;
        return allowsAny ? Math.min(ofAll, own.perHour().orElse(ofAll)) : 0;
    }

    private List<ViolationReport> oldest(PolicyId policy, Tally tally, Instant now) {
        return tally.oldest(OLDEST).stream()
                .flatMap(key -> state.clocks.find(key).stream())
                .map(violation -> asSeenBy(policy, violation, now))
                .toList();
    }

    /** {@return the violation as one of the policies sees it that ask for its rule} */
    ViolationReport asSeenBy(PolicyId policy, Violation violation, Instant now) {
        return state.asked(violation.key())
                .flatMap(asked -> asked.strongestAsks().stream()
                        .filter(ask -> ask.policy().equals(policy))
                        .findFirst()
                        .flatMap(ask -> describe(violation, asked, ask, now)))
                .orElseGet(() -> asLastTold(violation));
    }
}
