package dev.holdfast.policies.engine;

import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.HeldRule;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Instant;
import java.util.List;

/** Describes violations and policies for people and machines. */
final class Reports {
    private static final int OLDEST = 20;

    private final State state;

    Reports(State state) {
        this.state = state;
    }

    /** {@return the violation as the policy sees it that speaks for its rule} */
    ViolationReport describe(Violation violation, Instant now) {
        HeldRule asked = state.asked(violation.key()).orElseThrow();
        return describe(violation, asked, asked.leading(state.ceiling), now);
    }

    private ViolationReport describe(Violation violation, HeldRule asked, HeldRule.Ask ask, Instant now) {
        Pod pod = state.cluster.pod(violation.key().podUid()).orElseThrow();
        return new ViolationReport(
                violation.key(),
                pod.name(),
                pod.protection().controller(),
                ask.policy(),
                ask.name(),
                asked.rule().describe(),
                ask.enforcement().mode().atMost(state.ceiling),
                violation.cause(),
                state.breach(violation),
                violation.since(),
                asked.forgiveness(state.ceiling),
                state.deadlines.of(violation.key()),
                state.stateOf(violation, now),
                state.hold(violation, now));
    }

    /** {@return how a policy stands now} */
    PolicyReport of(Policy policy, Tally tally, Instant now) {
        return new PolicyReport(
                policy.id(),
                policy.generation(),
                policy.mode().atMost(state.ceiling),
                tally.pods(state.cluster.index.selected(policy.id())),
                tally.byRule(),
                tally.holds(),
                state.distrust(),
                tally.nextDeadline(),
                oldest(policy.id(), tally, now),
                state.history.of(policy.id()));
    }

    private List<ViolationReport> oldest(PolicyId policy, Tally tally, Instant now) {
        return tally.oldest(OLDEST).stream()
                .map(key -> {
                    HeldRule asked = state.asked(key).orElseThrow();
                    HeldRule.Ask ask = asked.strongestAsks().stream()
                            .filter(it -> it.policy().equals(policy))
                            .findFirst()
                            .orElseThrow();
                    return describe(state.clocks.find(key).orElseThrow(), asked, ask, now);
                })
                .toList();
    }
}
