package dev.holdfast.policies.engine;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.Hold;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Describes violations and policies for people and machines. */
final class Reports {
    private static final int OLDEST = 20;

    private final State state;

    Reports(State state) {
        this.state = state;
    }

    /** {@return the violation as the policy sees it that speaks for its rule} */
    ViolationReport describe(Violation violation, AskedRule asked, Instant now) {
        return describe(violation, asked, asked.leading(state.ceiling), now);
    }

    private ViolationReport describe(Violation violation, AskedRule asked, AskedRule.Ask ask, Instant now) {
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
                violation.breach(),
                violation.since(),
                asked.forgiveness(state.ceiling),
                state.deadline(violation).orElseThrow(),
                state.stateOf(violation, now),
                hold(violation, now));
    }

    private Optional<Hold> hold(Violation violation, Instant now) {
        if (state.stateOf(violation, now) == ViolationState.FORGIVING) {
            return Optional.empty();
        }
        return state.dispositions.get(violation.key()) instanceof Disposition.Held(Hold hold)
                ? Optional.of(hold)
                : Optional.empty();
    }

    /** {@return how every policy stands now, by policy} */
    List<PolicyReport> all(Instant now) {
        Map<PolicyId, Tally> tallies = new HashMap<>();
        for (Violation violation : state.clocks.all()) {
            Optional<AskedRule> asked = state.asked(violation.key());
            asked.ifPresent(rule -> rule.strongestAsks()
                    .forEach(ask -> tallies.computeIfAbsent(ask.policy(), _ -> new Tally())
                            .add(describe(violation, rule, ask, now))));
        }
        return state.book.policies().stream()
                .map(policy -> report(policy, tallies.getOrDefault(policy.id(), new Tally())))
                .toList();
    }

    private PolicyReport report(Policy policy, Tally tally) {
        Mode mode = policy.mode().atMost(state.ceiling);
        return new PolicyReport(
                policy.id(),
                policy.generation(),
                mode,
                new PolicyReport.Pods(
                        state.book.selected(policy.id()), tally.violating.size(), tally.due.size(), tally.held.size()),
                tally.byRule,
                tally.holds,
                tally.nextDeadline,
                tally.oldest(),
                state.history.of(policy.id()));
    }

    /** What one policy's violations add up to. */
    private static final class Tally {
        private final Set<String> violating = new HashSet<>();
        private final Set<String> due = new HashSet<>();
        private final Set<String> held = new HashSet<>();
        private final Map<PolicyReport.RuleState, Integer> byRule = new HashMap<>();
        private final Map<Reason, Integer> holds = new EnumMap<>(Reason.class);
        private final List<ViolationReport> reports = new ArrayList<>();
        private Optional<Instant> nextDeadline = Optional.empty();

        void add(ViolationReport report) {
            String uid = report.key().podUid();
            violating.add(uid);
            byRule.merge(new PolicyReport.RuleState(report.rule(), report.state()), 1, Integer::sum);
            reports.add(report);
            if (report.state().due()) {
                due.add(uid);
            } else if (nextDeadline.filter(report.deadline()::isAfter).isEmpty()) {
                nextDeadline = Optional.of(report.deadline());
            }
            if (report.hold().isPresent()) {
                held.add(uid);
                holds.merge(report.hold().get().reason(), 1, Integer::sum);
            }
        }

        List<ViolationReport> oldest() {
            return reports.stream()
                    .sorted(Comparator.comparing(ViolationReport::since).thenComparing(ViolationReport::key))
                    .limit(OLDEST)
                    .toList();
        }
    }
}
