package dev.holdfast.operator.reconcile.status;

import dev.holdfast.crds.v1alpha1.choice.Mode;
import dev.holdfast.crds.v1alpha1.status.EffectiveLimits;
import dev.holdfast.crds.v1alpha1.status.EffectivePolicy;
import dev.holdfast.crds.v1alpha1.status.HoldCount;
import dev.holdfast.crds.v1alpha1.status.Outlook;
import dev.holdfast.crds.v1alpha1.status.PodCounts;
import dev.holdfast.crds.v1alpha1.status.PolicyCondition;
import dev.holdfast.crds.v1alpha1.status.PolicyEviction;
import dev.holdfast.crds.v1alpha1.status.PolicyLeader;
import dev.holdfast.crds.v1alpha1.status.PolicyStatus;
import dev.holdfast.crds.v1alpha1.status.PolicyViolation;
import dev.holdfast.operator.publish.Wording;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.plan.controls.MaxUnavailable;
import dev.holdfast.policies.plan.controls.PolicyLimits.HourlyWorkloadLimit;
import dev.holdfast.policies.plan.move.Outcome;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Builds a policy's status. The same arguments always give the same status, so an equal draft means that there is
 * nothing to write.
 */
public final class StatusDraft {
    private static final int MAX_CONDITION_MESSAGE = 1_024;
    private static final int MAX_MESSAGE = 300;
    private static final int MAX_CAUSE = 200;

    private static final KubernetesSerialization JSON = new KubernetesSerialization();

    private StatusDraft() {}

    /**
     * {@return the status of a policy as of {@code now}} The status is at most {@link PolicyStatus#MAX_BYTES} long: the
     * newest violations and the oldest evictions are left out if need be.
     *
     * @param leader the replica that leads, which is this one; absent while none is known
     * @param before the conditions that the policy has now; a condition that keeps its {@code status} also keeps its
     *     {@code lastTransitionTime}
     */
    public static PolicyStatus of(
            StatusInput statusInput, Optional<PolicyLeader> leader, List<PolicyCondition> before, Instant now) {
        return shortened(whole(statusInput, leader, before, now));
    }

    private static PolicyStatus shortened(PolicyStatus status) {
        PolicyStatus shorter = status;
        while (length(shorter) > PolicyStatus.MAX_BYTES
                && !(shorter.violations().isEmpty() && shorter.recentEvictions().isEmpty())) {
            shorter =
                    shorter.recentEvictions().size() * 2 > shorter.violations().size()
                            ? shorter.withRecentEvictions(allButLast(shorter.recentEvictions()))
                            : shorter.withViolations(allButLast(shorter.violations()));
        }
        return shorter;
    }

    private static int length(PolicyStatus status) {
        return JSON.asJson(status).getBytes(StandardCharsets.UTF_8).length;
    }

    private static <T> List<T> allButLast(List<T> list) {
        return list.subList(0, list.size() - 1);
    }

    private static PolicyStatus whole(
            StatusInput statusInput, Optional<PolicyLeader> leader, List<PolicyCondition> before, Instant now) {
        Optional<PolicyReport> report = statusInput.evaluated();
        return new PolicyStatus(
                statusInput.entry().generation(),
                PolicyConditions.of(statusInput, now).stream()
                        .map(conditionContent -> condition(statusInput, conditionContent, before, now))
                        .toList(),
                orNull(report.map(it -> effective(statusInput.entry(), it))),
                orNull(report.map(StatusDraft::pods)),
                report.map(StatusDraft::holds).orElse(List.of()),
                orNull(report.map(it -> outlook(it.outlook()))),
                orNull(report.flatMap(PolicyReport::nextDeadline).map(StatusDraft::second)),
                report.map(StatusDraft::violations).orElse(List.of()),
                report.map(StatusDraft::evictions).orElse(List.of()),
                orNull(leader));
    }

    private static PolicyCondition condition(
            StatusInput statusInput, ConditionContent conditionContent, List<PolicyCondition> before, Instant now) {
        Instant since = before.stream()
                .filter(it -> it.type().equals(conditionContent.type().label())
                        && it.status().equals(conditionContent.status()))
                .map(PolicyCondition::lastTransitionTime)
                .findFirst()
                .orElseGet(() -> second(now));
        return new PolicyCondition(
                conditionContent.type().label(),
                conditionContent.status(),
                conditionContent.reason(),
                conditionMessage(conditionContent.message()),
                since,
                statusInput.entry().generation());
    }

    private static EffectivePolicy effective(PolicyEntry entry, PolicyReport report) {
        Mode mode = switch (report.mode()) {
            case DISABLED -> Mode.DISABLED;
            case AUDIT -> Mode.AUDIT;
            case ENFORCE -> Mode.ENFORCE;
        };
        long seconds = entry.inForce().map(it -> it.forgiveness().toSeconds()).orElse(0L);
        return new EffectivePolicy(mode, Math.toIntExact(seconds), limits(report.limits()));
    }

    private static EffectiveLimits limits(dev.holdfast.policies.plan.controls.EffectiveLimits limits) {
        return new EffectiveLimits(
                limits.concurrent(),
                limits.perHour(),
                limits.minReplicas(),
                switch (limits.maxUnavailable()) {
                    case MaxUnavailable.Unlimited _ -> new IntOrString("100%");
                    case MaxUnavailable.Pods(int number) -> new IntOrString(number);
                    case MaxUnavailable.Percent(int percent) -> new IntOrString(percent + "%");
                },
                new EffectiveLimits.PerWorkload(
                        limits.workloadConcurrent(),
                        switch (limits.workloadPerHour()) {
                            case HourlyWorkloadLimit.Unlimited _ -> null;
                            case HourlyWorkloadLimit.Pods(int number) -> new IntOrString(number);
                            case HourlyWorkloadLimit.Percent(int percent) -> new IntOrString(percent + "%");
                        }));
    }

    private static PodCounts pods(PolicyReport report) {
        PolicyReport.Pods pods = report.pods();
        return new PodCounts(pods.selected(), pods.violating(), pods.due(), pods.held());
    }

    private static Outlook outlook(dev.holdfast.policies.engine.report.Outlook outlook) {
        return new Outlook(
                outlook.evictions(),
                outlook.perHour(),
                orNull(outlook.atLeast().map(it -> Math.toIntExact(it.toSeconds()))));
    }

    private static List<HoldCount> holds(PolicyReport report) {
        return report.holds().entrySet().stream()
                .sorted(PolicyConditions.MOST_FIRST)
                .map(it -> new HoldCount(it.getKey().label(), it.getValue()))
                .toList();
    }

    private static List<PolicyViolation> violations(PolicyReport report) {
        return report.oldest().stream()
                .limit(PolicyStatus.MAX_VIOLATIONS)
                .map(StatusDraft::violation)
                .toList();
    }

    private static PolicyViolation violation(ViolationReport violation) {
        return new PolicyViolation(
                violation.pod().namespace(),
                violation.pod().name(),
                violation.key().node(),
                violation.rule(),
                second(violation.since()),
                second(violation.deadline()),
                violation.state().label(),
                orNull(violation.hold().map(hold -> hold.reason().label())),
                cut(message(violation), MAX_MESSAGE));
    }

    private static String message(ViolationReport violation) {
        String another = violation.isSubstitute()
                ? "; pod " + violation.victim().name() + ", whose priority is lower, is evicted instead"
                : "";
        Wording wording = new Wording(violation, violation.since());
        String rest = ", since " + violation.cause().describe() + "; heals when " + wording.healing()
                + wording.leftOut() + another
                + violation.hold().map(hold -> "; held: " + hold.message()).orElse("");
        // A person needs the hold, which stands last, more than the whole breach.
        return cut(violation.violationDetail().describe(), Math.max(60, MAX_MESSAGE - rest.length())) + rest;
    }

    private static List<PolicyEviction> evictions(PolicyReport report) {
        return report.recent().stream()
                .limit(PolicyStatus.MAX_EVICTIONS)
                .map(it -> new PolicyEviction(
                        second(it.time()),
                        it.pod().namespace(),
                        it.pod().name(),
                        it.fromNode(),
                        orNull(it.toNode()),
                        it.rule(),
                        cut(it.cause(), MAX_CAUSE),
                        orNull(it.outcome().map(Outcome::label))))
                .toList();
    }

    private static Instant second(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS);
    }

    /** {@return the message of a condition, cut off after {@value #MAX_CONDITION_MESSAGE} characters} */
    public static String conditionMessage(String text) {
        return cut(text, MAX_CONDITION_MESSAGE);
    }

    private static String cut(String text, int most) {
        return text.length() <= most ? text : text.substring(0, most - 3) + "...";
    }

    private static <T> @Nullable T orNull(Optional<T> value) {
        return value.orElse(null);
    }
}
