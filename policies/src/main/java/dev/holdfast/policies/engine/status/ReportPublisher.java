package dev.holdfast.policies.engine.status;

import dev.holdfast.policies.engine.breaker.Breakers;
import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.report.InjectionReport;
import dev.holdfast.policies.engine.report.PolicyEffect;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.engine.state.EvictionHistory;
import dev.holdfast.policies.engine.state.Readiness;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Publishes the status of policies, at most once a second. A change after a quiet second is published at once. Details
 * of violations may change while the counts of a policy do not. Therefore the full report of such a policy is compared
 * too, but only every ten seconds.
 */
public final class ReportPublisher {
    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final Duration ALL_EVERY = Duration.ofSeconds(10);

    private final LiveCluster cluster;
    private final Readiness readiness;
    private final Breakers breakers;
    private final EvictionHistory evictionHistory;
    private final ViolationTallies violationTallies;
    private final UninjectedPods uninjectedPods;
    private final PolicyEffects effects;
    private final PolicyReportFactory reports;
    private final Map<PolicyId, Published> published = new HashMap<>();

    /**
     * The earliest instant at which policies with changed counts are published. Policies with the same counts as before
     * wait until {@link #nextOfAll}.
     */
    private Optional<Instant> next = Optional.empty();

    private Optional<Instant> nextOfAll = Optional.empty();
    private boolean stale;
    private boolean allStale;

    public ReportPublisher(
            LiveCluster cluster,
            Readiness readiness,
            Breakers breakers,
            EvictionHistory evictionHistory,
            ViolationTallies violationTallies,
            UninjectedPods uninjectedPods,
            PolicyEffects effects,
            PolicyReportFactory reports) {
        this.cluster = cluster;
        this.readiness = readiness;
        this.breakers = breakers;
        this.evictionHistory = evictionHistory;
        this.violationTallies = violationTallies;
        this.uninjectedPods = uninjectedPods;
        this.effects = effects;
        this.reports = reports;
    }

    /** The report of a policy that was last published, and the numbers it was made from. */
    private record Published(Numbers numbers, PolicyReport report) {}

    /**
     * Values that are cheap to compare. While none of them changes, the full report of a policy is created only every
     * ten seconds.
     *
     * @param tally the version of the policy's violation counts
     */
    private record Numbers(
            Policy policy,
            Mode ceiling,
            Optional<String> distrust,
            Optional<Hold> backlog,
            Optional<Instant> lostLedgerUntil,
            Selection selection,
            long tally,
            List<PolicyReport.EvictionRecord> recent,
            Optional<InjectionReport> injection) {}

    /** The number of pods that a policy selects, and which of their rules can do something. */
    private record Selection(int pods, PolicyEffect effect) {}

    /** Records that reports may differ from what was published. */
    public void changed() {
        stale = true;
        allStale = true;
        effects.changed();
    }

    /** Forgets the report of a deleted policy, so that a new policy of the same name gets its first report. */
    public void forget(PolicyId policy) {
        published.remove(policy);
        effects.forget(policy);
    }

    public void run(Instant now, List<Effect> reported) {
        if (!stale || nextLook().filter(now::isBefore).isPresent()) {
            return;
        }
        boolean all = nextOfAll.filter(now::isBefore).isEmpty();
        violationTallies.count(now);
        effects.update(cluster.index().policies(), now);
        allStale &= !all;
        for (Policy policy : cluster.index().policies()) {
            publish(policy, all, now, reported);
        }
        next = Optional.of(now.plus(EVERY));
        stale = false;
        if (all) {
            nextOfAll = Optional.of(now.plus(ALL_EVERY));
        }
    }

    private void publish(Policy policy, boolean all, Instant now, List<Effect> reported) {
        ViolationTally violationTally = violationTallies.of(policy.id());
        Optional<Instant> lostLedgerUntil = reports.lostLedgerUntil(policy, now);
        // The time at which this is over is no event.
        allStale |= lostLedgerUntil.isPresent() || uninjectedPods.isUnsettled(policy.id(), now);
        Numbers numbers = new Numbers(
                policy,
                readiness.ceiling(),
                readiness.distrust(),
                breakers.policyBacklogs().against(policy.id()),
                lostLedgerUntil,
                new Selection(cluster.index().selected(policy.id()), effects.of(policy.id())),
                violationTally.version(),
                evictionHistory.of(policy.id()),
                reports.injection(policy, now));
        Published before = published.get(policy.id());
        if (before != null && before.numbers().equals(numbers) && (!all || violationTally.isEmpty())) {
            return;
        }
        PolicyReport report = reports.of(policy, violationTally, effects.of(policy.id()), now);
        published.put(policy.id(), new Published(numbers, report));
        if (before == null || !before.report().equals(report)) {
            reported.add(new Effect.Publish(report));
        }
    }

    /**
     * {@return when pending changes will be published; empty if there are none, or if they can be published at once}
     */
    public Optional<Instant> nextLook() {
        if (stale) {
            return next;
        }
        return Stream.of(allStale ? nextOfAll : Optional.<Instant>empty(), effects.nextLook())
                .flatMap(Optional::stream)
                .min(Comparator.naturalOrder());
    }
}
