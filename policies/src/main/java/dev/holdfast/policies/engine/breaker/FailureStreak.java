package dev.holdfast.policies.engine.breaker;

import dev.holdfast.policies.engine.protocol.BrakeId;
import dev.holdfast.policies.engine.protocol.BreakerSettings;
import dev.holdfast.policies.engine.protocol.ledger.RememberedBrakes;
import dev.holdfast.policies.engine.report.BrakeReport;
import dev.holdfast.policies.engine.report.BreakerReport;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.move.BreakerScope;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.plan.move.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The current streak of failed moves, in one namespace or cluster-wide. Three in a row open the breaker of a namespace.
 * In the cluster-wide streak each {@linkplain Tenants tenant} counts once, so that no tenant supplies most of the
 * evidence against the others.
 */
final class FailureStreak {
    private static final int FAILURES = 3;
    private static final int NAMED = 3;
    private static final Duration KEPT = Duration.ofDays(1);
    private static final String WHAT = "moves";

    private final BreakerSettings settings;
    private final Tenants tenants;

    /** The namespace of all these moves; absent if the moves of all namespaces are counted. */
    private final Optional<String> namespace;

    /** The failed moves, oldest first; more than the breaker needs if more were in flight. */
    private final List<MissingReplacement> failed = new ArrayList<>();

    private Optional<BreakerOpening> open = Optional.empty();

    /** Why the open breaker can close; empty if it is closed or must stay open. */
    private Optional<String> healed = Optional.empty();

    private FailureStreak(BreakerSettings settings, Tenants tenants, Optional<String> namespace) {
        this.settings = settings;
        this.tenants = tenants;
        this.namespace = namespace;
    }

    static FailureStreak clusterWide(BreakerSettings settings, Tenants tenants) {
        return new FailureStreak(settings, tenants, Optional.empty());
    }

    static FailureStreak of(String namespace, BreakerSettings settings, Tenants tenants) {
        return new FailureStreak(settings, tenants, Optional.of(namespace));
    }

    RememberedBrakes.Streak remembered() {
        return new RememberedBrakes.Streak(
                namespace,
                failed.stream().map(missing -> missing.move().id()).toList(),
                open.map(BreakerOpening::remembered));
    }

    /**
     * Takes over the streak that an earlier process stored.
     *
     * @param missing the moves that ended without a Ready replacement, by plan ID
     */
    void recall(RememberedBrakes.Streak remembered, Map<String, MissingReplacement> missing) {
        failed.clear();
        remembered.moves().stream()
                .flatMap(id -> Stream.ofNullable(missing.get(id)))
                .forEach(failed::add);
        healed = Optional.empty();
        open = remembered.opening().map(BreakerOpening::of);
    }

    /** {@return the report that the breaker is open, for a replica that begins to lead; empty if it is closed} */
    Optional<BreakerReport> takenOver() {
        return open.map(opening ->
                new BreakerOpening(opening.id(), full(opening.id())).takenOver(Reason.OUTCOME_BREAKER, scope()));
    }

    /** {@return whether the breaker is open, and opened after an instant} */
    boolean isOpenSince(Instant instant) {
        return open.filter(opening -> opening.isAfter(instant)).isPresent();
    }

    void failed(MissingReplacement missing) {
        failed.add(missing);
    }

    /** Records a move whose replacement became Ready in time: the streak ends. */
    void succeeded(Move move) {
        heal("a replacement of " + nameOf(move) + " is Ready");
        failed.clear();
    }

    /** Records that a missing replacement is Ready after all: only later moves are still in the streak. */
    void replaced(MissingReplacement missing) {
        int at = failed.indexOf(missing);
        if (at >= 0) {
            heal("a replacement of " + nameOf(missing.move()) + " is Ready");
            failed.subList(0, at + 1).clear();
        }
    }

    boolean counts(MissingReplacement missing) {
        return failed.contains(missing);
    }

    /** Records that the workload of a move wants no replacement any more. */
    void unwanted(MissingReplacement missing) {
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
        return healed.isPresent() || (open.isEmpty() && isTooMuch());
    }

    private boolean isTooMuch() {
        return failed.size() >= FAILURES && (namespace.isPresent() || tenants.areIndependent(namespaces()));
    }

    private List<String> namespaces() {
        return failed.stream().map(MissingReplacement::namespace).distinct().toList();
    }

    /**
     * Forgets the moves of a namespace whose own breaker closed. If the other moves would not have opened this breaker,
     * it closes too.
     */
    void forget(String namespace) {
        if (failed.removeIf(missing -> missing.namespace().equals(namespace)) && healed.isEmpty() && !isTooMuch()) {
            heal("the breaker of namespace " + namespace + " closed, and the failed moves of others are too few");
        }
    }

    /** {@return whether the breaker is open, and a user has acknowledged that} */
    boolean isAcknowledged(Set<String> acknowledged) {
        return open.filter(it -> acknowledged.contains(it.id())).isPresent();
    }

    /** Forgets all moves, because a user accepts them; the report says that the breaker closed if it was open. */
    Optional<BreakerReport> acknowledge() {
        if (open.isEmpty()) {
            failed.clear();
            return Optional.empty();
        }
        return Optional.of(
                closed(BrakeReport.Change.ACKNOWLEDGED, "a user acknowledged that replacements do not become Ready"));
    }

    /** Opens or closes the breaker, if necessary. */
    Optional<BreakerReport> update(Set<String> acknowledged, Instant now) {
        if (isAcknowledged(acknowledged)) {
            return acknowledge();
        }
        if (healed.isPresent()) {
            return Optional.of(closed(BrakeReport.Change.HEALED, healed.get()));
        }
        return isStale() ? Optional.of(opened(now)) : Optional.empty();
    }

    private BreakerReport opened(Instant now) {
        String id = BrakeId.of(namespace.map(name -> WHAT + "-" + name).orElse(WHAT), now);
        open = Optional.of(new BreakerOpening(
                id,
                message("") + ". The event EnforcementFrozen about namespace " + settings.namespace()
                        + ", which is in namespace default, names the workloads, and how to acknowledge it"));
        return new BreakerOpening(id, full(id)).opened(Reason.OUTCOME_BREAKER, scope());
    }

    /** {@return the message for administrators, which names the workloads and how to acknowledge} */
    private String full(String id) {
        return message(" (" + names() + ")"
                        + namespace.map(_ -> "").orElseGet(() -> " of " + tenants.names(namespaces())))
                + ": " + BrakeId.acknowledging(id, settings);
    }

    /**
     * {@return the message: what happened and what ends the hold} The holds of all policies show it without the names,
     * because some workloads are of other tenants.
     */
    private String message(String which) {
        return "the last " + failed.size() + " moves" + within() + " got no Ready replacement in time" + which
                + ", so another move would probably lose another pod. No pod" + within()
                + " is evicted until one of these replacements is Ready,"
                + " or until an administrator acknowledges that evictions shall go on";
    }

    private BreakerScope scope() {
        return namespace.<BreakerScope>map(BreakerScope.OneNamespace::new).orElseGet(BreakerScope.Everything::new);
    }

    private String within() {
        return namespace.map(name -> " in namespace " + name).orElse("");
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
        return opening.closedBySlowStart(Reason.OUTCOME_BREAKER, scope(), change, why);
    }

    /** {@return the hold of the violations that the breaker concerns; empty while it is closed} */
    Optional<Hold> against() {
        return open.map(opening -> opening.hold(Reason.OUTCOME_BREAKER));
    }

    /** {@return the id with which users acknowledge the open breaker; empty while it is closed} */
    Optional<String> id() {
        return open.map(BreakerOpening::id);
    }

    /** {@return whether the breaker is closed and the streak has no move} */
    boolean isEmpty() {
        return failed.isEmpty() && open.isEmpty();
    }

    int size() {
        return failed.size();
    }
}
