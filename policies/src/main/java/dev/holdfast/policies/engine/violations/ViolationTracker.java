package dev.holdfast.policies.engine.violations;

import dev.holdfast.policies.compact.CompactSortedSet;
import dev.holdfast.policies.engine.breaker.Breakers;
import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.live.VerdictChanges;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.engine.state.RequestedRules;
import dev.holdfast.policies.engine.state.SharedValues;
import dev.holdfast.policies.engine.state.ViolationBook;
import dev.holdfast.policies.engine.state.ViolationMemory;
import dev.holdfast.policies.engine.status.ReportFactory;
import dev.holdfast.policies.forgive.Cause;
import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.index.Index;
import dev.holdfast.policies.index.change.FactChange;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.Taint;
import dev.holdfast.policies.plan.capacity.LeavingNodes;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.VictimChoice;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Starts and stops the clocks of violations. The tracker applies each change to the incremental index, which reports
 * the verdicts that changed.
 */
public final class ViolationTracker {
    private final LiveCluster cluster;
    private final Index index;
    private final RequestedRules requested;
    private final ViolationBook book;
    private final Breakers breakers;
    private final ReportFactory reportFactory;
    private final ViolationEnds ends;
    private final IgnoredAnnotations annotations;
    private final List<ViolationMemory> memories;
    private final SharedValues<Cause> causes = new SharedValues<>();

    /** The policies that may move other pods instead of the rule owner. */
    private final Set<PolicyId> movePartners = new HashSet<>();

    /** @param memories the components that must forget a violation when it ends */
    public ViolationTracker(
            LiveCluster cluster,
            RequestedRules requested,
            ViolationBook book,
            Breakers breakers,
            ReportFactory reportFactory,
            ViolationEnds ends,
            IgnoredAnnotations annotations,
            List<ViolationMemory> memories) {
        this.cluster = cluster;
        this.index = cluster.index();
        this.requested = requested;
        this.book = book;
        this.breakers = breakers;
        this.reportFactory = reportFactory;
        this.ends = ends;
        this.annotations = annotations;
        this.memories = memories;
    }

    /** Applies a change of a cluster object, and starts and stops the clocks of violations accordingly. */
    public void fact(ClusterEvent event, Instant now, List<Effect> effects) {
        cluster.apply(event);
        settle(now, effects);
    }

    /** Applies a new or edited policy, and starts and stops the clocks of violations accordingly. */
    public void policy(Policy policy, Instant now, List<Effect> effects) {
        index.put(policy);
        movePartners.remove(policy.id());
        if (policy.enforcements().anyMatch(it -> it.victim() == VictimChoice.LOWEST_PRIORITY)) {
            movePartners.add(policy.id());
        }
        settle(now, effects);
    }

    /** Removes a policy, and stops the clocks of violations whose rule no other policy requests. */
    public void policyGone(PolicyId id, Instant now, List<Effect> effects) {
        index.remove(id);
        movePartners.remove(id);
        settle(now, effects);
    }

    /** Called when all views have synced for the first time: starts the clocks of all violations that exist then. */
    public void first(Instant now, List<Effect> effects) {
        cluster.verdictChanges().listen();
        Set<VerdictChanges.PodRule> broken = new CompactSortedSet<>();
        index.forEachBroken((pod, rule) -> broken.add(new VerdictChanges.PodRule(pod.uid(), rule.identity())));
        broken.forEach(podRule -> start(
                index.rule(podRule.podUid(), podRule.rule()).orElseThrow(),
                cluster.pod(podRule.podUid()).orElseThrow(),
                new Cause.FoundAtStart(),
                now,
                effects));
    }

    private void settle(Instant now, List<Effect> effects) {
        Map<VerdictChanges.PodRule, VerdictChanges.LastReport> podRules =
                cluster.verdictChanges().take();
        // Most events change no verdict.
        if (!podRules.isEmpty()) {
            podRules.forEach((podRule, lastReport) -> settle(podRule, lastReport, now, effects));
        }
    }

    private void settle(
            VerdictChanges.PodRule podRule, VerdictChanges.LastReport lastReport, Instant now, List<Effect> effects) {
        Optional<Violation> running = book.find(podRule.podUid(), podRule.rule());
        if (!index.isBroken(podRule.podUid(), podRule.rule())) {
            running.ifPresent(violation -> end(violation.key(), effects));
            return;
        }
        AppliedRule rule = index.rule(podRule.podUid(), podRule.rule()).orElseThrow();
        if (running.isEmpty()) {
            Pod pod = cluster.pod(podRule.podUid()).orElseThrow();
            Cause cause = lastReport.factChange().cause(rule.rule(), pod);
            start(rule, pod, cause, now, effects);
            if (widens(lastReport, cause)) {
                rule.policies()
                        .filter(policy -> lastReport.newlyHeld() || requested.trusts(policy, rule.rule(), pod, cause))
                        .forEach(policy -> widened(policy, keyOf(rule, pod), cause));
            }
        } else {
            lastReport.before().ifPresent(before -> ruleChanged(running.get(), before, rule, lastReport, now));
            breakers.requestsChanged(running.get().key(), isEnforced(rule));
        }
    }

    /**
     * {@return whether a pod began to violate a rule that nothing broke: it was not held to the rule before, or a user
     * or controller chose other labels of a namespace or a pod, or another taint of a node}
     */
    private static boolean widens(VerdictChanges.LastReport lastReport, Cause cause) {
        return lastReport.isOfKnown()
                && (lastReport.newlyHeld()
                        || lastReport.factChange() instanceof FactChange.OfNamespace
                        || isChosen(cause));
    }

    /**
     * {@return whether a user or controller chose the change: a label of a pod, or a taint without a cause in its node}
     */
    private static boolean isChosen(Cause cause) {
        return switch (cause) {
            case Cause.PodLabelChanged _, Cause.PartnerLabelChanged _ -> true;
            case Cause.TaintCame(var _, Taint taint) -> !LeavingNodes.followsFromState(taint);
            case Cause.TaintLeft(var _, Taint taint) -> !LeavingNodes.followsFromState(taint);
            case Cause.Redacted(Cause full, var _) -> isChosen(full);
            case Cause.FoundAtStart _,
                    Cause.PolicyChanged _,
                    Cause.PodPlaced _,
                    Cause.NodeLabelChanged _,
                    Cause.TolerationsChanged _,
                    Cause.AnnotationRulesChanged _,
                    Cause.NamespaceLabelChanged _,
                    Cause.PartnerCame _,
                    Cause.PartnerLeft _,
                    Cause.NodeCame _,
                    Cause.NodeLeft _,
                    Cause.DomainChanged _,
                    Cause.NamespaceChanged _ -> false;
        };
    }

    private void ruleChanged(
            Violation violation,
            AppliedRule before,
            AppliedRule rule,
            VerdictChanges.LastReport lastReport,
            Instant now) {
        Pod pod = cluster.pod(violation.key().podUid()).orElseThrow();
        book.ruleChanged(violation, before, rule, now)
                .forEach(policy ->
                        widened(policy, violation.key(), lastReport.factChange().cause(rule.rule(), pod)));
    }

    private void widened(PolicyId policy, ViolationKey key, Cause cause) {
        breakers.policyBacklogs()
                .widened(
                        policy,
                        key,
                        () -> policy.namespace()
                                .map(cause::disclosedTo)
                                .orElse(cause)
                                .describe());
    }

    private static ViolationKey keyOf(AppliedRule rule, Pod pod) {
        return new ViolationKey(pod.uid(), pod.nodeName().orElse(""), rule.identity());
    }

    private void start(AppliedRule rule, Pod pod, Cause cause, Instant now, List<Effect> effects) {
        ViolationKey key = keyOf(rule, pod);
        Violation violation = new Violation(key, now, causes.of(cause));
        book.begin(violation);
        breakers.begin(violation, isEnforced(rule));
        ViolationReport report = book.reported(reportFactory.describe(violation, now));
        effects.add(new Effect.Notify(new Notification.Started(report)));
        annotations.report(pod, key, () -> report, effects);
    }

    /** {@return whether a policy enforces the rule, even if the mode ceiling is weaker at present} */
    private static boolean isEnforced(AppliedRule rule) {
        return rule.mode(Mode.ENFORCE) == Mode.ENFORCE;
    }

    /** Handles changed annotations: updates deadlines and reports malformed annotations. */
    public void annotationsChanged(AnnotationChanges.Change change, Instant now, List<Effect> effects) {
        NavigableSet<ViolationKey> ofPartners = new TreeSet<>();
        for (Pod pod : change.pods()) {
            for (Violation violation : book.of(pod.uid())) {
                if (change.releases()) {
                    book.released(violation, now);
                }
                book.update(violation);
                annotations.report(pod, violation.key(), () -> reportFactory.describe(violation, now), effects);
            }
            if (change.releases() && !movePartners.isEmpty()) {
                index.forEachBrokenBy(
                        pod.uid(),
                        (owner, rule) -> book.find(owner.uid(), rule.identity())
                                .filter(book::mayMovePartners)
                                .ifPresent(violation -> ofPartners.add(violation.key())));
            }
        }
        ofPartners.forEach(key -> book.find(key).ifPresent(violation -> {
            book.partnerReleased(violation, now);
            book.update(violation);
        }));
    }

    private void end(ViolationKey key, List<Effect> effects) {
        book.lastReport(key)
                .ifPresent(last -> effects.add(new Effect.Notify(new Notification.Ended(last, ends.of(key)))));
        breakers.end(key);
        memories.forEach(violationMemory -> violationMemory.forget(key));
    }
}
