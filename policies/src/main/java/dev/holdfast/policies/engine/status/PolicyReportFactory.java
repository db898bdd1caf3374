package dev.holdfast.policies.engine.status;

import dev.holdfast.policies.engine.breaker.Breakers;
import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.memory.History;
import dev.holdfast.policies.engine.memory.Readiness;
import dev.holdfast.policies.engine.memory.RequestedRules;
import dev.holdfast.policies.engine.memory.ViolationBook;
import dev.holdfast.policies.engine.report.Outlook;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.plan.conduct.PolicyLimits;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Instant;
import java.util.List;

/** Describes policies for people and machines. */
public final class PolicyReportFactory {
    private static final int OLDEST = 20;

    private final LiveCluster cluster;
    private final Readiness readiness;
    private final RequestedRules requested;
    private final ViolationBook book;
    private final Breakers breakers;
    private final History history;
    private final Reports reports;
    private final int perHour;

    /** @param perHour how many evictions the operator's own limits allow in an hour */
    public PolicyReportFactory(
            LiveCluster cluster,
            Readiness readiness,
            RequestedRules requested,
            ViolationBook book,
            Breakers breakers,
            History history,
            Reports reports,
            int perHour) {
        this.cluster = cluster;
        this.readiness = readiness;
        this.requested = requested;
        this.book = book;
        this.breakers = breakers;
        this.history = history;
        this.reports = reports;
        this.perHour = perHour;
    }

    /** {@return how a policy stands now} */
    PolicyReport of(Policy policy, Tally tally, Instant now) {
        return new PolicyReport(
                policy.id(),
                policy.generation(),
                policy.mode().atMost(readiness.ceiling()),
                tally.pods(cluster.index().selected(policy.id())),
                tally.byRule(),
                tally.holds(),
                readiness.distrust(),
                breakers.backlog(policy.id()).map(Hold::message),
                outlook(policy.id(), tally),
                tally.nextDeadline(),
                oldest(policy.id(), tally, now),
                history.of(policy.id()));
    }

    private Outlook outlook(PolicyId policy, Tally tally) {
        PolicyLimits own = requested.conductOf(policy).limits();
        // A pod without a workload is never moved, since nothing would replace it.
        return own.allowAnyOfWorkloads() ? new Outlook(tally.toEvict(), perHour(own)) : new Outlook(0, 0);
    }

    private int perHour(PolicyLimits own) {
        boolean allowsAny = own.concurrent().orElse(1) > 0;
        return allowsAny ? Math.min(perHour, own.perHour().orElse(perHour)) : 0;
    }

    private List<ViolationReport> oldest(PolicyId policy, Tally tally, Instant now) {
        return tally.oldest(OLDEST).stream()
                .flatMap(key -> book.find(key).stream())
                .map(violation -> reports.asSeenBy(policy, violation, now))
                .toList();
    }
}
