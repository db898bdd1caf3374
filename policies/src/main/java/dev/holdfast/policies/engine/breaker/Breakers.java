package dev.holdfast.policies.engine.breaker;

import dev.holdfast.policies.engine.backlog.PolicyBacklogs;
import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.protocol.BreakerSettings;
import dev.holdfast.policies.engine.protocol.ledger.RememberedBrakes;
import dev.holdfast.policies.engine.report.BrakeReport;
import dev.holdfast.policies.engine.report.BreakerReport;
import dev.holdfast.policies.engine.report.UnknownAcknowledgement;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.forgive.Cause;
import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.DisruptionAnnotations;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.controls.OperatorLimits;
import dev.holdfast.policies.plan.input.BrakeGate;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.Resumption;
import dev.holdfast.policies.plan.move.ChangeCounter;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The breakers and backlogs, and the slow resumption of evictions after a breaker closed. */
public final class Breakers implements BrakeGate {
    private static final Duration SWEEP = Duration.ofMinutes(10);

    private final LiveCluster cluster;
    private final BreakerSettings settings;
    private final OperatorLimits operatorLimits;
    private final ChangeCounter changes;
    private final LabelBreaker label;
    private final VolumeBreaker volume;
    private final OutcomeBreaker outcome;
    private final PolicyBacklogs policyBacklogs;
    private final List<Resumption> resumptions = new ArrayList<>();

    /** Whether the annotation with which users acknowledge breakers may have changed since the last {@link #update}. */
    private boolean marked = true;

    /**
     * The acknowledged ids at the last {@link #update}, so that each unknown id is reported only once; absent before
     * the first.
     */
    private Optional<Set<String>> known = Optional.empty();

    private Instant nextSweep = Instant.MIN;

    /** Whether the present change makes a node unread, so that a rule that seems broken may in fact hold. */
    private boolean unread;

    /** @param changes counts the changes of everything that the ledger stores */
    public Breakers(
            LiveCluster cluster, BreakerSettings settings, OperatorLimits operatorLimits, ChangeCounter changes) {
        this.cluster = cluster;
        this.changes = changes;
        this.settings = settings;
        this.operatorLimits = operatorLimits;
        this.label = new LabelBreaker(cluster, settings, changes);
        Tenants tenants = new Tenants(cluster, settings);
        this.volume = new VolumeBreaker(cluster, settings, tenants);
        this.outcome = new OutcomeBreaker(settings, tenants);
        this.policyBacklogs = new PolicyBacklogs(cluster.index(), settings, changes);
    }

    /**
     * {@return the change without acknowledged ids that nothing reads: only the operator's own namespace acknowledges
     * breakers}
     */
    public ClusterEvent withoutUnusedIds(ClusterEvent fact) {
        return fact instanceof ClusterEvent.NamespaceChanged(Namespace namespace)
                        && !namespace.name().equals(settings.namespace())
                ? new ClusterEvent.NamespaceChanged(namespace.withoutAcknowledgements())
                : fact;
    }

    /**
     * Records what a change means for the breakers, for example a node that loses a label. Must be called before the
     * change is applied to the cluster state.
     */
    public void beforeChange(ClusterEvent fact, Instant now) {
        label.beforeChange(fact, now);
        policyBacklogs.beforeChange(fact);
        unread = fact instanceof ClusterEvent.NodeUnread;
        marked |= fact instanceof ClusterEvent.NamespaceChanged(Namespace namespace)
                && namespace.name().equals(settings.namespace());
        if (!now.isBefore(nextSweep)) {
            nextSweep = now.plus(SWEEP);
            label.sweep(now);
            outcome.forgetOld(now);
            policyBacklogs.sweep(now);
            resumptions.removeIf(resumption -> resumption.isOver(operatorLimits, now));
        }
    }

    /**
     * Counts a new violation for the backlogs. The volume breaker also counts the violation if a policy enforces the
     * rule, with three exceptions. A policy edit or the operator's start caused the violation. The scheduler placed the
     * pod so, because the rule is required only where possible. The node is no longer read, and may still satisfy the
     * rule.
     */
    public void begin(Violation violation, boolean enforced) {
        policyBacklogs.begin(violation.key());
        label(violation);
        boolean placed = violation.cause() instanceof Cause.PodPlaced && isRequiredWherePossible(violation);
        if (enforced && violation.cause().isClusterChange() && !placed && !unread) {
            volume.begin(violation, namespaceOf(violation.key()), countsAs(violation.key()));
        }
    }

    private void label(Violation violation) {
        ViolationKey key = violation.key();
        cluster.pod(key.podUid())
                .ifPresent(pod -> cluster.index()
                        .rule(key.podUid(), key.rule())
                        .ifPresent(rule -> label.broke(pod, rule, violation.cause(), violation.since())));
    }

    private boolean isRequiredWherePossible(Violation violation) {
        return cluster.index()
                .rule(violation.key().podUid(), violation.key().rule())
                .filter(AppliedRule::isRequiredWherePossible)
                .isPresent();
    }

    private String countsAs(ViolationKey key) {
        boolean isSpread = cluster.index()
                .rule(key.podUid(), key.rule())
                .filter(asked -> asked.rule() instanceof Rule.TopologySpread)
                .isPresent();
        return isSpread ? namespaceOf(key) + "/" + key.rule() : key.podUid();
    }

    private String namespaceOf(ViolationKey key) {
        return cluster.pod(key.podUid()).map(Pod::namespace).orElse("");
    }

    /** Stops counting a violation for the volume breaker and for backlogs if no policy enforces its rule any more. */
    public void requestsChanged(ViolationKey key, boolean enforced) {
        policyBacklogs.requestsChanged(key);
        if (!enforced) {
            volume.end(key);
        }
    }

    /** Stops counting a violation that has ended. */
    public void end(ViolationKey key) {
        volume.end(key);
        policyBacklogs.end(key);
    }

    /** {@return the breaker for replacements that do not become Ready, which must be given the outcome of each move} */
    public OutcomeBreaker outcome() {
        return outcome;
    }

    public PolicyBacklogs policyBacklogs() {
        return policyBacklogs;
    }

    /**
     * {@return whether {@link #update} has something to do: a change may open or close a breaker, or a report about a
     * backlog waits}
     */
    public boolean isStale() {
        return marked || label.isStale() || volume.isStale() || outcome.isStale() || policyBacklogs.hasNews();
    }

    /**
     * Opens and closes breakers.
     *
     * @param uncounted a test for violations that the volume breaker does not count: of a spread, if only a new domain
     *     caused them, for example a zone that was added after the pod was bound
     * @param impossible a test for violations that the volume breaker does not count for now: the rule is required only
     *     where possible, and no node satisfies it
     * @return the reports since the last check: of breakers that opened or closed, of backlogs that began or ended, and
     *     of acknowledged ids that are unknown
     */
    public List<BrakeReport> update(
            Predicate<ViolationKey> uncounted, Predicate<ViolationKey> impossible, Instant now) {
        if (!isStale()) {
            return List.of();
        }
        marked = false;
        Set<String> acknowledged = acknowledged();
        List<BrakeReport> unknown = unknown(acknowledged);
        List<BrakeReport> reports = new ArrayList<>(label.update(acknowledged, now));
        List<BreakerReport> turned = new ArrayList<>();
        reports.forEach(report -> {
            if (report instanceof BreakerReport breaker) {
                turned.add(breaker);
            }
        });
        reports.removeAll(turned);
        turned.addAll(volume.update(uncounted, impossible, acknowledged, now));
        turned.forEach(report -> turned(report, now));
        // It needs no slow resumption, because the slow start of moves lets only one move start after failures.
        turned.addAll(outcome.update(acknowledged, now));
        policyBacklogs.acknowledgedForAll(acknowledged);
        if (!turned.isEmpty()) {
            changes.changed();
        }
        reports.addAll(turned);
        reports.addAll(policyBacklogs.news());
        reports.addAll(unknown);
        if (known.isEmpty()) {
            // Ids that were acknowledged before the operator's start belong to breakers that it does not know.
            reports.removeIf(UnknownAcknowledgement.class::isInstance);
        }
        known = Optional.of(acknowledged);
        return reports;
    }

    /** {@return the ids that users have acknowledged} */
    public Set<String> acknowledged() {
        return cluster.namespace(settings.namespace())
                .map(Namespace::disruptionAnnotations)
                .map(DisruptionAnnotations::acknowledged)
                .orElse(Set.of());
    }

    private List<BrakeReport> unknown(Set<String> acknowledged) {
        List<String> open = Stream.of(
                        label.ids().stream(),
                        volume.ids().stream(),
                        outcome.ids().stream(),
                        policyBacklogs.idsOfAll().stream())
                .flatMap(ids -> ids)
                .toList();
        Set<String> ids = new TreeSet<>(acknowledged);
        known.ifPresent(ids::removeAll);
        open.forEach(ids::remove);
        return ids.isEmpty() ? List.of() : List.of(UnknownAcknowledgement.of(Optional.empty(), ids, open));
    }

    private void turned(BreakerReport report, Instant now) {
        resumptions.removeIf(resumption -> resumption.scope().equals(report.scope()));
        if (report.change() != BrakeReport.Change.OPENED) {
            resumptions.add(
                    report.change() == BrakeReport.Change.HEALED
                            ? Resumption.afterHealing(report.id(), report.scope(), now)
                            : new Resumption(report.id(), report.scope(), now, now));
        }
    }

    /**
     * {@return the brakes for the next process of the operator}
     *
     * @param failedCheck the failed check of verdicts, which stops all evictions too
     * @param pauses the pauses that apply
     */
    public RememberedBrakes remembered(
            Optional<RememberedBrakes.Opening> failedCheck, List<RememberedBrakes.Paused> pauses) {
        return new RememberedBrakes(
                label.rememberedChanges(),
                label.rememberedOpenings(),
                label.rememberedAcceptances(),
                volume.remembered(),
                volume.rememberedNamespaces(),
                outcome.remembered(),
                policyBacklogs.remembered(),
                resumptions.stream().map(Breakers::slowResumption).toList(),
                Optional.of(label.rememberedGone()),
                failedCheck,
                Optional.of(label.rememberedDynamic()),
                Optional.of(pauses));
    }

    /**
     * Takes over the breakers that an earlier process stored.
     *
     * @param written when the earlier process last wrote the ledger
     * @param missing the moves that ended without a Ready replacement, by plan ID
     * @param present the violations of enforced rules
     */
    public void recall(
            RememberedBrakes remembered,
            Instant written,
            Map<String, MissingReplacement> missing,
            Collection<Violation> present,
            Instant now) {
        label.recall(remembered, written, now);
        volume.recall(remembered, written, counted(present), now);
        outcome.recall(remembered.streaks(), written, missing);
        resumptions.clear();
        remembered.resumptions().forEach(one -> resumptions.add(resumption(one)));
        // Users may have acknowledged a breaker while no process ran.
        marked = true;
    }

    /**
     * Takes over the backlogs that an earlier process stored.
     *
     * @param written when the earlier process last wrote the ledger
     * @param steadyAhead how far the engine's clock is ahead of the one that the creation times of pods follow
     * @param present the violations of enforced rules
     */
    public void recallBacklogs(
            List<RememberedBrakes.Backlog> remembered,
            Instant written,
            Duration steadyAhead,
            Collection<Violation> present,
            Instant now) {
        Instant created = written.minus(BreakerOpening.INEXACT).minus(steadyAhead);
        policyBacklogs.recall(remembered, written, created, keys(present), now);
    }

    /**
     * {@return a report of each open breaker and each backlog, for a replica that begins to lead} An earlier leader may
     * have opened these breakers, or this replica while it followed.
     */
    public List<BrakeReport> takenOver() {
        List<BrakeReport> reports = new ArrayList<>(label.takenOver());
        reports.addAll(volume.takenOver());
        reports.addAll(outcome.takenOver());
        reports.addAll(policyBacklogs.takenOver());
        return reports;
    }

    /** {@return the number of open breakers, by the reason of the holds that they cause} */
    public Map<Reason, Integer> open() {
        return Map.of(
                Reason.LABEL_BREAKER, label.ids().size(),
                Reason.VOLUME_BREAKER, volume.ids().size(),
                Reason.OUTCOME_BREAKER, outcome.ids().size());
    }

    private static Resumption resumption(RememberedBrakes.SlowResumption one) {
        return one.healed()
                ? Resumption.afterHealing(one.breaker(), one.scope(), one.closed())
                : new Resumption(one.breaker(), one.scope(), one.closed(), one.closed());
    }

    private static RememberedBrakes.SlowResumption slowResumption(Resumption one) {
        return new RememberedBrakes.SlowResumption(
                one.breaker(), one.scope(), one.closed(), one.begins().isAfter(one.closed()));
    }

    /**
     * Counts all present violations of enforced rules as if they began now, because nothing is known about the time
     * before. Too many such violations open the volume breaker.
     */
    public void countAll(Collection<Violation> present, Instant now) {
        volume.count(counted(present), now);
        marked = true;
    }

    /**
     * Counts the present violations of policies as newly enforced, because no operator enforced these policies as they
     * are now.
     *
     * @param since why no operator enforced them, after "since"; absent if the policy was created or edited
     */
    public void unseen(
            Collection<Policy> policies, Optional<String> since, Collection<Violation> present, Instant now) {
        policyBacklogs.unseen(policies, since, keys(present), now);
    }

    private List<VolumeBreaker.Counted> counted(Collection<Violation> present) {
        return present.stream()
                .map(one -> new VolumeBreaker.Counted(one, namespaceOf(one.key()), countsAs(one.key())))
                .toList();
    }

    private static List<ViolationKey> keys(Collection<Violation> present) {
        return present.stream().map(Violation::key).toList();
    }

    @Override
    public Optional<Hold> against(Candidate candidate) {
        String namespace = candidate.pod().namespace();
        Optional<Hold> all = volume.against(namespace).or(() -> outcome.against(namespace));
        // Almost always no breaker is open.
        return all.isEmpty() && label.isOpen()
                ? label.against(
                        candidate.nodeKeys(), candidate.requestingPolicy().policy())
                : all;
    }

    @Override
    public Optional<Hold> backlog(PolicyId policy, ViolationKey violation) {
        return policyBacklogs.against(policy, violation);
    }

    @Override
    public List<Resumption> resumptions() {
        return List.copyOf(resumptions);
    }

    /** {@return the number of entries that the breakers and backlogs store} */
    public int size() {
        return label.size() + volume.size() + outcome.size() + policyBacklogs.size() + resumptions.size();
    }
}
