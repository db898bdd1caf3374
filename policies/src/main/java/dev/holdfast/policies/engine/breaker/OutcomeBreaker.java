package dev.holdfast.policies.engine.breaker;

import dev.holdfast.policies.engine.protocol.BreakerSettings;
import dev.holdfast.policies.engine.report.BrakeReport;
import dev.holdfast.policies.engine.report.BreakerReport;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.plan.move.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The breaker for replacements that do not become Ready: it opens after three moves in a row without a Ready
 * replacement, of any workloads and within a day. A move counts only if its replacement {@linkplain
 * Move#expectsReadyReplacement should} become Ready. Such failures have a common cause more often than not, for example
 * a registry or an admission webhook that is down. Each further move would lose another pod. The breaker closes when a
 * replacement is Ready, or when a user acknowledges the opening.
 *
 * <p>It also closes when the workloads of all these moves want no replacement any more, because then nothing is left to
 * wait for.
 */
public final class OutcomeBreaker {
    static final int FAILURES = 3;
    private static final int NAMED = 3;
    private static final Duration KEPT = Duration.ofDays(1);
    private static final String WHAT = "moves";

    private final BreakerSettings settings;

    /** The last moves in a row without a Ready replacement, oldest first; more than three if more were in flight. */
    private final List<Missing> failed = new ArrayList<>();

    private Optional<BreakerOpening> open = Optional.empty();

    /** Why the open breaker can close; empty if it is closed or must stay open. */
    private Optional<String> healed = Optional.empty();

    /**
     * A move that ended without a Ready replacement.
     *
     * @param at when it ended
     * @param ownerWasKnown whether the victim's controller was known when the eviction was requested: if it is unknown
     *     now, it was deleted
     */
    public record Missing(Move move, Instant at, boolean ownerWasKnown) {}

    OutcomeBreaker(BreakerSettings settings) {
        this.settings = settings;
    }

    /** Records a move that ended without a Ready replacement, although one was expected. */
    public void failed(Missing missing) {
        failed.add(missing);
    }

    /** Records a move whose replacement became Ready in time: replacements can start, and no move is in a row. */
    public void succeeded(Move move) {
        heal("a replacement of " + nameOf(move) + " is Ready");
        failed.clear();
    }

    /**
     * Records that a missing replacement is Ready after all: only later moves are still in a row. A move that did not
     * count when it failed does not count now.
     */
    public void replaced(Missing missing) {
        int at = failed.indexOf(missing);
        if (at >= 0) {
            heal("a replacement of " + nameOf(missing.move()) + " is Ready");
            failed.subList(0, at + 1).clear();
        }
    }

    /** {@return whether a move is one of those in a row, so that its replacement may close the breaker} */
    public boolean counts(Missing missing) {
        return failed.contains(missing);
    }

    /** Records that the workload of a move wants no replacement any more. */
    public void unwanted(Missing missing) {
        if (failed.remove(missing) && failed.isEmpty()) {
            heal("the workloads of the moves without a Ready replacement want none any more");
        }
    }

    private void heal(String why) {
        if (open.isPresent()) {
            healed = Optional.of(why);
        }
    }

    /** Forgets failures that are older than a day, unless the breaker is open because of them. */
    void forgetOld(Instant now) {
        if (open.isEmpty()) {
            failed.removeIf(missing -> missing.at().isBefore(now.minus(KEPT)));
        }
    }

    /** {@return whether the breaker should be checked, because it may have to open or close} */
    boolean isStale() {
        return healed.isPresent() || (open.isEmpty() && failed.size() >= FAILURES);
    }

    /**
     * Opens or closes the breaker, if necessary.
     *
     * @param acknowledged the ids that users have acknowledged
     * @return the report that the breaker opened or closed; empty if it did neither
     */
    Optional<BreakerReport> update(Set<String> acknowledged, Instant now) {
        if (open.filter(it -> acknowledged.contains(it.id())).isPresent()) {
            return Optional.of(closed(
                    BrakeReport.Change.ACKNOWLEDGED, "a user acknowledged that replacements do not become Ready"));
        }
        if (healed.isPresent()) {
            return Optional.of(closed(BrakeReport.Change.HEALED, healed.get()));
        }
        return isStale() ? Optional.of(opened(now)) : Optional.empty();
    }

    private BreakerReport opened(Instant now) {
        String id = BreakerOpening.newId(WHAT, now);
        open = Optional.of(new BreakerOpening(
                id,
                message("") + ". The event EnforcementFrozen in namespace " + settings.namespace()
                        + " names the workloads, and how to acknowledge it"));
        String full = message(" (" + names() + ")") + ": " + BreakerOpening.acknowledging(id, settings)
                + ". If the pods of one namespace cannot start, pause that namespace first with an EnforcementPause";
        return new BreakerOpening(id, full).opened(Reason.OUTCOME_BREAKER, Optional.empty());
    }

    /**
     * {@return what happened and what ends it} The holds of all policies show it without the names, because some
     * workloads are of other tenants.
     */
    private String message(String which) {
        return "the last " + failed.size() + " moves got no Ready replacement in time" + which
                + ", so another move would probably lose another pod."
                + " No pod is evicted until one of these replacements is Ready,"
                + " or until an administrator acknowledges that evictions shall go on";
    }

    private String names() {
        List<String> names = failed.stream()
                .map(missing -> nameOf(missing.move()))
                .distinct()
                .toList();
        return names.stream().limit(NAMED).collect(Collectors.joining(", "))
                + (names.size() > NAMED ? " and " + (names.size() - NAMED) + " others" : "");
    }

    private static String nameOf(Move move) {
        return move.workload()
                .map(Workload::toString)
                .orElseGet(() -> "pod " + move.victim().name());
    }

    private BreakerReport closed(BrakeReport.Change change, String why) {
        BreakerOpening opening = open.orElseThrow();
        open = Optional.empty();
        healed = Optional.empty();
        failed.clear();
        return opening.closedBySlowStart(Reason.OUTCOME_BREAKER, change, why);
    }

    /** {@return the hold of all violations; empty while the breaker is closed} */
    Optional<Hold> against() {
        return open.map(opening -> opening.hold(Reason.OUTCOME_BREAKER));
    }

    /** {@return the id with which users acknowledge the open breaker; empty while it is closed} */
    Optional<String> id() {
        return open.map(BreakerOpening::id);
    }

    /** {@return the number of moves that the breaker stores} */
    int size() {
        return failed.size();
    }
}
