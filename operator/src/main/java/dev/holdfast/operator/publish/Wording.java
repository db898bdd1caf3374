package dev.holdfast.operator.publish;

import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.evaluate.ViolationDetail;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.rule.Mode;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * All sentences about one violation, for events, log and status. They speak of the pod without naming it, since an
 * event and a line of a status already belong to one.
 */
public final class Wording {
    private static final int MAX_DEMAND = 200;
    private static final int NAMED_PARTNERS = 3;

    private final ViolationReport violation;
    private final Instant now;

    /** Words for a violation, told now. */
    public Wording(ViolationReport violation, Instant now) {
        this.violation = violation;
        this.now = now;
    }

    /** {@return what broke, what would heal it, and what follows when nothing does} */
    public String violated() {
        return "Rule " + rule() + " broken since " + violation.cause().describe() + ": "
                + violation.violationDetail().describe() + ". " + due() + " unless " + healing() + policy();
    }

    /** {@return that it ended by itself} */
    public String healed() {
        return "Rule " + rule() + " holds again after " + DurationText.of(age()) + "; the pod was not touched"
                + policy();
    }

    /** {@return that forgiveness has passed and nothing follows, because the policy only audits} */
    public String wouldEvict(Optional<String> target) {
        String who = violation.anotherGoes() ? " pod " + violation.victim().name() + ", whose priority is lower," : "";
        return "Would evict" + who + " from " + node() + ": rule " + rule() + since() + room(target) + policy();
    }

    /** {@return that an eviction is asked for} */
    public String evicting(Optional<String> target) {
        return "Evicting" + why() + room(target) + policy();
    }

    /** {@return that an eviction was accepted} */
    public String evicted() {
        return "Evicted" + why() + policy();
    }

    /** {@return who is in the way, and when it is tried again} */
    public String held(Hold hold) {
        String next = hold.nextLook()
                .map(it -> "next try in " + DurationText.of(Duration.between(now, it)))
                .orElse("next try when that changes");
        return audited("Would not evict", "Not evicting") + " from "
                + violation.key().node() + " ("
                + hold.reason().label() + "): " + hold.message() + "; " + next + "; rule " + rule() + since()
                + policy();
    }

    /** {@return that the move did what it was for} */
    public String moved(Optional<String> toNode, Instant evictedAt) {
        String what = violation.anotherGoes()
                ? "out of the way of " + violation.pod() + " with rule " + rule()
                : "rule " + rule() + " holds";
        return "Moved from " + node() + to(toNode) + " within " + DurationText.of(Duration.between(evictedAt, now))
                + ": " + what + policy();
    }

    /** {@return that the move did not help, since the replacement breaks the rule too} */
    public String brokenAgain(Optional<String> toNode, Instant evictedAt) {
        return futile(toNode, evictedAt) + "the replacement is ready and breaks rule " + rule() + ofOwner() + " again"
                + policy();
    }

    /** {@return that the move did not help, since no replacement became ready in time} */
    public String notReady(Optional<String> toNode, Instant evictedAt) {
        String who = toNode.isPresent() ? "the replacement is not ready" : "no replacement runs on a node";
        return futile(toNode, evictedAt) + who + "; it was for rule " + rule() + ofOwner() + policy();
    }

    private String futile(Optional<String> toNode, Instant evictedAt) {
        return "Moving from " + node() + to(toNode) + " did not help: "
                + DurationText.of(Duration.between(evictedAt, now)) + " after the eviction ";
    }

    /** {@return that nobody wanted a replacement} */
    public String notReplaced() {
        return "Nobody replaced the pod evicted from " + node() + " for rule " + rule() + ofOwner() + policy();
    }

    /** {@return what would heal it, as the end of "unless"} */
    public String healing() {
        return switch (violation.violationDetail()) {
            case ViolationDetail.NodeMismatch(String node, String demanded) ->
                node + " comes to match " + cut(demanded);
            case ViolationDetail.NoTopologyKey(String node, String key) -> node + " gets the label " + key;
            case ViolationDetail.NoPartner(String key, String domain, String _) ->
                "a matching pod comes to " + key + "=" + domain;
            case ViolationDetail.Conflict(String key, String domain, List<Pod> partners, int count) ->
                names(partners, count) + (count == 1 ? " leaves " : " leave ") + key + "=" + domain;
            case ViolationDetail.Skew(String key, String domain, int _, int _, int _, int maxSkew) ->
                "the skew of " + key + "=" + domain + " falls to " + maxSkew;
        };
    }

    private String why() {
        return " from " + node() + ": rule " + rule() + ofOwner() + since();
    }

    /** Whose rule it is, where that is not the pod that is spoken of. */
    private String ofOwner() {
        return violation.anotherGoes() ? " of " + violation.pod() + ", whose priority is higher," : "";
    }

    private String since() {
        return " broken since " + violation.cause().describe() + " " + DurationText.of(age()) + " ago; forgiveness "
                + DurationText.of(violation.forgiveness());
    }

    /** Nobody knows yet whether it will be evicted: of an over-full domain only some pods must go. */
    private String due() {
        Optional<String> held = violation.protection().map(Reason::label);
        String at = second(violation.deadline()) + " (forgiveness " + DurationText.of(violation.forgiveness()) + ")";
        return held.map(reason -> "Due at " + at + ", then held (" + reason + "),")
                .orElseGet(() -> audited("Would be due for eviction at ", "Due for eviction at ") + at);
    }

    private String rule() {
        return violation.rule() + " (" + cut(violation.demand()) + ")";
    }

    private String policy() {
        return "; policy " + violation.policy() + audited(" (Audit)", "") + ".";
    }

    private String node() {
        return violation.victim().node();
    }

    private Duration age() {
        return Duration.between(violation.since(), now);
    }

    private String audited(String inAudit, String inEnforce) {
        return violation.mode() == Mode.ENFORCE ? inEnforce : inAudit;
    }

    private static String room(Optional<String> target) {
        return target.map(node -> "; " + node + " would take it").orElse("");
    }

    private static String to(Optional<String> node) {
        return node.map(it -> " to " + it).orElse("");
    }

    private static String second(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static String names(List<Pod> partners, int count) {
        String named = partners.stream()
                .limit(NAMED_PARTNERS)
                .map(pod -> pod.name().toString())
                .collect(Collectors.joining(", "));
        int more = count - Math.min(partners.size(), NAMED_PARTNERS);
        return more > 0 ? named + " and " + more + " more" : named;
    }

    private static String cut(String text) {
        return text.length() <= MAX_DEMAND ? text : text.substring(0, MAX_DEMAND) + "...";
    }
}
