package dev.holdfast.policies.engine.ledger;

import dev.holdfast.policies.engine.backlog.PolicyBacklogs;
import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.protocol.ledger.Ledger;
import dev.holdfast.policies.engine.protocol.ledger.RememberedBrakes;
import dev.holdfast.policies.engine.protocol.ledger.RememberedProtection;
import dev.holdfast.policies.engine.state.ActivePauses;
import dev.holdfast.policies.engine.state.Decisions;
import dev.holdfast.policies.engine.state.Readiness;
import dev.holdfast.policies.engine.state.RecordedDecision;
import dev.holdfast.policies.engine.state.RequestedRules;
import dev.holdfast.policies.engine.state.ViolationBook;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.forgive.Cause;
import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.check.Checks;
import dev.holdfast.policies.plan.controls.DisruptionControls.StandingException;
import dev.holdfast.policies.plan.controls.WallClock;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Finds the violating pods that a pause, an exception or the operator's configuration held, and that none of these
 * holds now. Such pods count for the backlogs of their policies, even if another hold hid the end of the first one.
 *
 * <p>Removed exceptions are ignored: the removal is an edit of the policy, after which all its pods count.
 */
public final class EndedHolds {
    private final LiveCluster cluster;
    private final Readiness readiness;
    private final RequestedRules requested;
    private final ActivePauses pauses;
    private final ViolationBook book;
    private final Decisions decisions;
    private final PolicyBacklogs backlogs;
    private final RememberedProtection protection;

    /** The last look for ends with a wall clock that was trusted, or the first look; absent before. */
    private Optional<Look> last = Optional.empty();

    /** A look for ends. The wall clock may make a small step between two looks. */
    private record Look(Instant at, WallClock wallClock) {
        /** {@return the time of this look by its wall clock, or by a later one if its wall clock was not trusted} */
        Instant wallTime(WallClock later) {
            return (wallClock.problem().isEmpty() ? wallClock : later).wallTime(at);
        }
    }

    /**
     * The ledger that was taken over while the wall clock was not trusted; its holds are counted again once the clock
     * is trusted.
     */
    private Optional<Unfinished> unfinished = Optional.empty();

    private record Unfinished(Ledger ledger, Instant written) {}

    public EndedHolds(
            LiveCluster cluster,
            Readiness readiness,
            RequestedRules requested,
            ActivePauses pauses,
            ViolationBook book,
            Decisions decisions,
            PolicyBacklogs backlogs,
            RememberedProtection protection) {
        this.cluster = cluster;
        this.readiness = readiness;
        this.requested = requested;
        this.pauses = pauses;
        this.book = book;
        this.decisions = decisions;
        this.backlogs = backlogs;
        this.protection = protection;
    }

    /** {@return the pauses that apply, for the next process of the operator} */
    List<RememberedBrakes.Paused> remembered(Instant now) {
        return pauses.remembered(now);
    }

    /** {@return which pods the configuration keeps from eviction, for the next process of the operator} */
    RememberedProtection protection() {
        return protection;
    }

    /**
     * Counts the pods that a pause, an exception or the configuration held when a ledger was written.
     *
     * @param ledger the last ledger of the earlier process
     * @param written when the ledger was written
     * @param enforced the present violations of enforced rules
     */
    void count(Ledger ledger, Instant written, Collection<Violation> enforced, Instant now) {
        countHolds(ledger, written, enforced, now);
        ledger.protection()
                .filter(before -> !before.equals(protection))
                .ifPresent(before -> enforced.forEach(violation -> countUnprotected(violation, before)));
        backlogs.decide(now);
    }

    private void countHolds(Ledger ledger, Instant written, Collection<Violation> enforced, Instant now) {
        List<RememberedBrakes.Paused> present = pauses.remembered(now);
        List<RememberedBrakes.Paused> paused = ledger.brakes().pauses().orElse(List.of()).stream()
                .filter(one -> !isPresent(one, present))
                .toList();
        Map<String, Optional<String>> ended = new HashMap<>();
        Function<Pod, Optional<String>> pauseOf =
                pod -> ended.computeIfAbsent(pod.namespace(), _ -> endedPause(pod, paused, now));
        Instant from = readiness.wallClock().wallTime(written.minus(Ledger.INEXACT));
        unfinished = readiness.wallClock().problem().map(_ -> new Unfinished(ledger, written));
        enforced.forEach(violation -> count(violation, pauseOf, from, now));
    }

    /**
     * {@return whether a remembered pause applies now, as far as its entry can be compared} An entry without namespaces
     * may have had too many of them, or stand for several pauses. An earlier version of Holdfast wrote none of the
     * windows.
     */
    private static boolean isPresent(RememberedBrakes.Paused one, List<RememberedBrakes.Paused> present) {
        boolean sameEntry = one.namespaces().isEmpty() && present.contains(one);
        boolean sameMessage = one.windows().isEmpty()
                && present.stream()
                        .anyMatch(other ->
                                other.windows().isPresent() && other.message().equals(one.message()));
        return sameEntry || sameMessage;
    }

    /** Counts a violation for each policy that may evict its pod because the configuration changed. */
    private void countUnprotected(Violation violation, RememberedProtection before) {
        cluster.pod(violation.key().podUid()).ifPresent(pod -> {
            for (PolicyId policy : requested.get(violation.key()).requestingPolicies(requested.ceiling())) {
                unprotected(violation, pod, policy, before)
                        .ifPresent(since -> backlogs.widened(policy, violation.key(), () -> since));
            }
        });
    }

    /**
     * {@return the protection that no longer keeps a policy from evicting a pod; empty if there was none, or if one is
     * left}
     */
    private Optional<String> unprotected(Violation violation, Pod pod, PolicyId policy, RememberedProtection before) {
        Set<Reason> allowed = requested.controlsOf(policy).allowed();
        if (Checks.heldFromTheStart(pod, protection.pods(), allowed).isPresent()) {
            return Optional.empty();
        }
        return Checks.heldFromTheStart(pod, before.pods(), allowed)
                .map(hold -> "the operator's configuration protects fewer pods (before: " + hold.message() + ")")
                .or(() -> requested.violationDetail(violation.key()).stream()
                        .flatMap(detail -> detail.partners().stream())
                        .filter(partner -> before.exempts(partner) && !protection.exempts(partner))
                        .findFirst()
                        .map(_ -> "the operator's configuration exempts fewer namespaces from anti-affinity"));
    }

    /**
     * Counts the pods of due violations whose pause or exception ended since the last call. Called before each plan, so
     * that no pod is evicted meanwhile, and before each write of the ledger, which has no pause that ended. Violations
     * that were not due yet do not count: nothing held them. A violation that was found at the start may have been due
     * before its clock started again.
     */
    public void countSinceLast(Instant now) {
        List<ActivePauses.Ended> ended = pauses.takeEnded(now);
        WallClock wallClock = readiness.wallClock();
        unfinished.filter(_ -> wallClock.problem().isEmpty()).ifPresent(one -> {
            // The wall clock says nothing about what the configuration protected.
            countHolds(one.ledger(), one.written(), book.running(), now);
            backlogs.decide(now);
        });
        Look look = new Look(now, wallClock);
        Instant from = last.orElse(look).wallTime(wallClock);
        if (last.isEmpty() || wallClock.problem().isEmpty()) {
            last = Optional.of(look);
        }
        Collection<Violation> concerned = concernedBy(ended, from, wallClock.certainWallTime(now));
        if (concerned.isEmpty()) {
            return;
        }
        for (Violation violation : concerned) {
            if (violation.cause() instanceof Cause.FoundAtStart
                    || book.isDue(violation.key(), now)
                    || decisions.find(violation.key()).isPresent()) {
                count(
                        violation,
                        pod -> pauses.heldBy(ended, pod, now).or(() -> shownPause(violation, pod, ended, now)),
                        from,
                        now);
            }
        }
        backlogs.decide(now);
    }

    /**
     * {@return the violations that ended pauses or exceptions may have held} A tenant may let exceptions end one after
     * the other, so violations of other policies cost no time. If many policies have such an exception, all violations
     * cost less.
     */
    private Collection<Violation> concernedBy(List<ActivePauses.Ended> ended, Instant from, Instant to) {
        if (!ended.isEmpty()) {
            return book.running();
        }
        List<PolicyId> policies = requested.withEndedException(from, to);
        int selected = policies.stream().mapToInt(cluster.index()::selected).sum();
        return selected > book.count()
                ? book.running()
                : policies.stream()
                        .flatMap(policy -> book.of(policy).stream())
                        .distinct()
                        .toList();
    }

    /**
     * {@return the message of the pause that was shown for a violation; the pause may be that of another pod to evict}
     */
    private Optional<String> shownPause(Violation violation, Pod pod, List<ActivePauses.Ended> ended, Instant now) {
        return shown(violation)
                .map(RecordedDecision.Held::hold)
                .filter(hold -> hold.reason() == Reason.PAUSED)
                .map(Hold::message)
                .filter(message -> ended.stream()
                        .anyMatch(one -> one.namespace().isEmpty()
                                && one.pause().wrote(message)
                                && !pauses.wasAnnounced(one, pod, now)));
    }

    /** {@return the message of the exception that was shown and is over; it may have selected another pod to evict} */
    private Optional<String> shownException(Violation violation, PolicyId policy, Instant now) {
        return shown(violation)
                .map(held -> held.of(policy))
                .filter(hold -> hold.reason() == Reason.EXCEPTION)
                .filter(hold ->
                        hold.nextLook().filter(end -> !now.isBefore(end)).isPresent())
                .map(Hold::message);
    }

    private Optional<RecordedDecision.Held> shown(Violation violation) {
        return decisions
                .find(violation.key())
                .flatMap(it -> it instanceof RecordedDecision.Held held ? Optional.of(held) : Optional.empty());
    }

    /**
     * Records that policies may evict the pod of a violation because a pause or an exception ended. Nothing is recorded
     * yet while a pause without windows holds the pod. While the wall clock is not trusted, a pause with windows has
     * the same effect.
     *
     * @param pauseOf finds the message of the ended pause that held a pod
     * @param from the wall-clock time after which an exception must have ended to count
     */
    private void count(Violation violation, Function<Pod, Optional<String>> pauseOf, Instant from, Instant now) {
        cluster.pod(violation.key().podUid())
                .filter(pod -> !pauses.holdUnannounced(pod, now))
                .filter(pod -> unfinished.isEmpty() || pauses.against(pod, now).isEmpty())
                .ifPresent(pod -> {
                    Optional<String> pause = pauseOf.apply(pod).map(message -> "a pause ended (" + message + ")");
                    for (PolicyId policy : requested.get(violation.key()).requestingPolicies(requested.ceiling())) {
                        pause.or(() -> endedException(policy, pod, from, now)
                                        .or(() -> shownException(violation, policy, now))
                                        .map(message -> "an exception ended (" + message + ")"))
                                .ifPresent(since -> backlogs.widened(policy, violation.key(), () -> since));
                    }
                });
    }

    /** {@return the message of the pause that held a pod and all others of its namespace; empty if none did} */
    private Optional<String> endedPause(Pod pod, List<RememberedBrakes.Paused> paused, Instant now) {
        return paused.stream()
                .filter(one -> one.namespaces()
                        .filter(namespaces -> !namespaces.contains(pod.namespace()))
                        .isEmpty())
                .filter(one -> !pauses.wasAnnounced(one, pod, now))
                .map(RememberedBrakes.Paused::message)
                .findFirst();
    }

    /**
     * {@return the exception of a policy that selected a pod and ended since; empty if there is none, or if one still
     * selects the pod}
     */
    private Optional<String> endedException(PolicyId policy, Pod pod, Instant from, Instant now) {
        WallClock wallClock = readiness.wallClock();
        List<StandingException> matching = requested.controlsOf(policy).exceptions().stream()
                .filter(exception -> exception.pods().matches(pod.labels()))
                .toList();
        return matching.stream().allMatch(exception -> exception.isOver(wallClock, now))
                ? matching.stream()
                        .filter(exception ->
                                exception.until().filter(from::isBefore).isPresent())
                        .findFirst()
                        .map(exception -> "exception '" + exception.name()
                                + "' of the policy named it"
                                + exception
                                        .until()
                                        .map(end -> " until " + Hold.second(end))
                                        .orElse("")
                                + ": " + exception.reason())
                : Optional.empty();
    }
}
