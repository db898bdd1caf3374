package dev.holdfast.operator.publish;

import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.evaluate.LeastCount;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.evaluate.ViolationDetail;
import dev.holdfast.policies.model.QuotedText;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.rule.Mode;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * The sentences about one violation in events, the log and the status. The sentences do not name the pod, because the
 * event, log line or status entry already does.
 */
public final class Wording {
    private static final int MAX_DEMAND = 200;
    private static final int NAMED_PARTNERS = 3;

    private final ViolationReport violation;
    private final Optional<String> namespace;
    private final Instant now;

    /** Creates the sentences about a violation as of {@code now}, for readers who may see all names. */
    public Wording(ViolationReport violation, Instant now) {
        this(violation, Optional.empty(), now);
    }

    /**
     * Creates the sentences about a violation as of {@code now}.
     *
     * @param namespace the namespace whose readers see them; absent for readers who may see all names
     */
    Wording(ViolationReport violation, Optional<String> namespace, Instant now) {
        this.violation = namespace.map(violation::disclosedTo).orElse(violation);
        this.namespace = namespace;
        this.now = now;
    }

    /** {@return the message of a new violation: its cause, its deadline and what would heal it} */
    public String violated() {
        return "Rule " + rule() + " broken since " + violation.cause().describe() + ": "
                + violation.violationDetail().describe() + ". " + due() + " unless " + healing() + leftOut() + policy();
    }

    /** {@return why the API server leaves the rule out of the pod's spec; empty if the rule is not left out} */
    public String leftOut() {
        return violation
                .leftOut()
                .map(outcome -> "; not injected (" + outcome.label() + "): " + outcome.describe())
                .orElse("");
    }

    /** {@return the message of a healed violation} */
    public String healed() {
        return "Rule " + rule() + " holds again after " + DurationText.of(age()) + "; the pod was not touched"
                + policy();
    }

    /** {@return the message when mode Enforce would evict the pod now, but the mode is Audit} */
    public String wouldEvict(Optional<String> target) {
        String who = violation.isSubstitute() ? " pod " + violation.victim().name() + ", whose priority is lower," : "";
        return "Would evict" + who + " from " + node() + ": rule " + rule() + since() + room(target) + policy();
    }

    /** {@return the message when the eviction is requested} */
    public String evicting(Optional<String> target) {
        return "Evicting" + why() + room(target) + policy();
    }

    /** {@return the message when the API server has accepted the eviction} */
    public String evicted() {
        return "Evicted" + why() + policy();
    }

    /** {@return the message of a hold: why the violation is held, and when it is checked again} */
    public String held(Hold hold) {
        String next = hold.nextLook()
                .map(it -> "next try in " + DurationText.of(Duration.between(now, it)))
                .orElse("next try when the cause of the hold changes");
        return audited("Would not evict", "Not evicting") + " from "
                + violation.key().node() + " ("
                + hold.reason().label() + "): " + hold.advised() + "; " + next + "; rule " + rule() + since()
                + policy();
    }

    /** {@return the message of a move with outcome Moved} */
    public String moved(Optional<String> toNode, Instant evictedAt) {
        String what = violation.isSubstitute()
                ? "the replacement does not violate rule " + rule() + " of " + owner()
                : "rule " + rule() + " holds";
        return "Moved from " + node() + to(toNode) + " within " + DurationText.of(Duration.between(evictedAt, now))
                + ": " + what + policy();
    }

    /** {@return the message of a futile move whose replacement violates the rule again} */
    public String brokenAgain(Notification.Moved moved) {
        String futile = futile(moved.toNode(), moved.evictedAt()) + "the replacement is ready and breaks ";
        return moved.broken().isEmpty()
                ? futile + "rule " + rule() + ofOwner() + " again" + policy()
                : futile + String.join(", ", moved.broken()) + "; it was for rule " + rule() + ofOwner() + policy();
    }

    /** {@return the message of a futile move whose replacement was not Ready in time} */
    public String notReady(Optional<String> toNode, Instant evictedAt) {
        String who = toNode.isPresent() ? "the replacement is not ready" : "no replacement runs on a node";
        return futile(toNode, evictedAt) + who + "; it was for rule " + rule() + ofOwner() + policy();
    }

    private String futile(Optional<String> toNode, Instant evictedAt) {
        return "Moving from " + node() + to(toNode) + " did not help: "
                + DurationText.of(Duration.between(evictedAt, now)) + " after the eviction ";
    }

    /** {@return the message of an evicted pod that was not replaced} */
    public String notReplaced() {
        return "The pod evicted from " + node() + " for rule " + rule() + ofOwner() + " was not replaced" + policy();
    }

    /** {@return what would heal the violation, as a clause such as {@code node-7 gets the label zone}} */
    public String healing() {
        return healing(violation.violationDetail());
    }

    /** {@return what would heal a violation, as a clause such as {@code node-7 gets the label zone}} */
    public static String healing(ViolationDetail detail) {
        return switch (detail) {
            case ViolationDetail.NodeMismatch(String node, String demanded, String _) ->
                node + " matches " + cut(demanded);
            case ViolationDetail.UnmatchableRule _ -> "a rule that a node can match replaces it";
            case ViolationDetail.NoTopologyKey(String node, String key) -> node + " gets the label " + key;
            case ViolationDetail.NoPartner(String key, String domain, int _, int self, String _) ->
                (self == 0 ? "a" : "another") + " matching pod runs in " + key + "=" + QuotedText.value(domain);
            case ViolationDetail.Conflict conflict ->
                conflict.named(NAMED_PARTNERS) + (conflict.count() == 1 ? " leaves " : " leave ")
                        + conflict.topologyKey() + "=" + QuotedText.value(conflict.domain());
            case ViolationDetail.Skew(String key, String domain, int _, int _, LeastCount _, int maxSkew) ->
                "the skew of " + key + "=" + QuotedText.value(domain) + " falls to " + maxSkew;
        };
    }

    private String why() {
        return " from " + node() + ": rule " + rule() + ofOwner() + since();
    }

    /**
     * {@return words that name the pod that has the rule, if another pod is evicted instead: {@code of shop/web-1,
     * whose priority is higher,}} The empty string if the pod that has the rule is evicted itself.
     */
    private String ofOwner() {
        if (!violation.isSubstitute()) {
            return "";
        }
        return " of " + owner() + ", whose priority is higher,";
    }

    /** {@return the name of the pod that has the rule, as the readers may see it} */
    private String owner() {
        String own = violation.pod().namespace();
        return namespace.filter(it -> !it.equals(own)).isEmpty()
                ? violation.pod().toString()
                : "a pod of another namespace";
    }

    private String since() {
        return " broken since " + violation.cause().describe() + " " + DurationText.of(age()) + " ago; forgiveness "
                + DurationText.of(violation.forgiveness());
    }

    /**
     * {@return the part of a sentence that gives the deadline} The text says "due", not "will be evicted", because a
     * due pod may stay. For example, of the pods in a domain above maxSkew, only some are evicted.
     */
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
        return target.map(node -> "; " + node + " would take the pod").orElse("");
    }

    private static String to(Optional<String> node) {
        return node.map(it -> " to " + it).orElse("");
    }

    private static String second(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static String cut(String text) {
        return text.length() <= MAX_DEMAND ? text : text.substring(0, MAX_DEMAND) + "...";
    }
}
