package dev.holdfast.policies.engine;

import dev.holdfast.policies.engine.breaker.Breakers;
import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.live.VerdictChanges;
import dev.holdfast.policies.engine.memory.SharedValues;
import dev.holdfast.policies.engine.memory.ViolationBook;
import dev.holdfast.policies.engine.memory.ViolationMemory;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.engine.status.ReportFactory;
import dev.holdfast.policies.evaluate.Cause;
import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.index.Index;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Starts and stops the clocks of violations. It applies each change to the incremental index, which reports the
 * verdicts that changed.
 */
final class ViolationTracker {
    private final LiveCluster cluster;
    private final Index index;
    private final ViolationBook book;
    private final Breakers breakers;
    private final ReportFactory reportFactory;
    private final ViolationEnds ends;
    private final IgnoredAnnotations annotations;
    private final List<ViolationMemory> memories;
    private final SharedValues<Cause> causes = new SharedValues<>();

    /** @param memories the components that must forget a violation when it ends */
    ViolationTracker(
            LiveCluster cluster,
            ViolationBook book,
            Breakers breakers,
            ReportFactory reportFactory,
            ViolationEnds ends,
            IgnoredAnnotations annotations,
            List<ViolationMemory> memories) {
        this.cluster = cluster;
        this.index = cluster.index();
        this.book = book;
        this.breakers = breakers;
        this.reportFactory = reportFactory;
        this.ends = ends;
        this.annotations = annotations;
        this.memories = memories;
    }

    /** Applies a change of a cluster object, and starts and stops the clocks of violations accordingly. */
    void fact(ClusterEvent event, Instant now, List<Effect> effects) {
        cluster.apply(event);
        settle(now, effects);
    }

    /** Applies a new or edited policy, and starts and stops the clocks of violations accordingly. */
    void policy(Policy policy, Instant now, List<Effect> effects) {
        index.put(policy);
        settle(now, effects);
    }

    /** Removes a policy, and stops the clocks of violations whose rule no other policy requests. */
    void policyGone(PolicyId id, Instant now, List<Effect> effects) {
        index.remove(id);
        settle(now, effects);
    }

    /** Called when all views have synced for the first time: starts the clocks of all violations that exist then. */
    void first(Instant now, List<Effect> effects) {
        cluster.verdictChanges().listen();
        Map<VerdictChanges.PodRule, Pod> broken = new TreeMap<>();
        index.forEachBroken((pod, rule) -> broken.put(new VerdictChanges.PodRule(pod.uid(), rule.identity()), pod));
        broken.forEach((podRule, pod) -> start(
                index.rule(podRule.podUid(), podRule.rule()).orElseThrow(),
                pod,
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
            start(rule, pod, lastReport.factChange().cause(rule.rule(), pod), now, effects);
        } else {
            lastReport.before().ifPresent(before -> book.ruleChanged(running.get(), before, rule, now));
            if (!isEnforced(rule)) {
                breakers.notEnforced(running.get().key());
            }
        }
    }

    private void start(AppliedRule rule, Pod pod, Cause cause, Instant now, List<Effect> effects) {
        ViolationKey key = new ViolationKey(pod.uid(), pod.nodeName().orElse(""), rule.identity());
        Violation violation = new Violation(key, now, causes.of(cause));
        book.begin(violation);
        breakers.begin(violation, isEnforced(rule));
        ViolationReport report = book.reported(reportFactory.describe(violation, now));
        effects.add(new Effect.Notify(new Notification.Started(report)));
        annotations.report(pod, report, effects);
    }

    /** {@return whether a policy enforces the rule, even if the mode ceiling is weaker at present} */
    private static boolean isEnforced(AppliedRule rule) {
        return rule.mode(Mode.ENFORCE) == Mode.ENFORCE;
    }

    /** Handles changed annotations: updates deadlines and reports malformed annotations. */
    void annotationsChanged(AnnotationChanges.Change change, Instant now, List<Effect> effects) {
        for (Violation violation : List.copyOf(book.running())) {
            if (releasesPartner(change, violation)) {
                book.partnerReleased(violation, now);
                book.update(violation);
            }
            Optional<Pod> pod = cluster.pod(violation.key().podUid()).filter(change.concerned());
            if (pod.isPresent()) {
                if (change.released().test(pod.get())) {
                    book.released(violation, now);
                }
                book.update(violation);
                annotations.report(pod.get(), reportFactory.describe(violation, now), effects);
            }
        }
    }

    /**
     * {@return whether annotations protect a pod less than before that a policy would move instead of the rule owner}
     */
    private boolean releasesPartner(AnnotationChanges.Change change, Violation violation) {
        return book.mayMovePartners(violation)
                && index
                        .violationDetail(
                                violation.key().podUid(), violation.key().rule())
                        .stream()
                        .flatMap(detail -> detail.partners().stream())
                        .anyMatch(change.concerned().and(change.released()));
    }

    private void end(ViolationKey key, List<Effect> effects) {
        book.lastReport(key)
                .ifPresent(last -> effects.add(new Effect.Notify(new Notification.Ended(last, ends.of(key)))));
        breakers.end(key);
        memories.forEach(violationMemory -> violationMemory.forget(key));
    }
}
