package dev.holdfast.policies.engine.breaker;

import dev.holdfast.policies.engine.protocol.BreakerSettings;
import dev.holdfast.policies.engine.protocol.ledger.RememberedBrakes;
import dev.holdfast.policies.engine.report.BrakeReport;
import dev.holdfast.policies.engine.report.BreakerReport;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Move;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The breaker for replacements that do not become Ready. The breaker opens after moves in a row without a Ready
 * replacement, of any workloads and within a day. A move counts only if its replacement {@linkplain
 * Move#expectsReadyReplacement should} become Ready. Such failures have a common cause more often than not, for example
 * a registry or an admission webhook that is down. Each further move would lose another pod. The breaker closes when a
 * replacement is Ready, or when a user acknowledges the opening.
 *
 * <p>Three failures in a row of one namespace hold this namespace: its own quota or image may be the cause. Failures in
 * a row of three different {@linkplain Tenants tenants} hold all evictions. Each tenant counts once, so no tenant can
 * stop the others with one more failure of another tenant. More namespaces must fail if their tenants are unknown.
 *
 * <p>Example: if no replacement can start anywhere and three namespaces have due pods, each of them loses one pod. In
 * the worst case seven pods are lost from a quiet start. Two namespaces lose three each before a pod of a third is due.
 * If only one or two namespaces have due pods, each loses three, and its own breaker stops it.
 *
 * <p>The breaker also closes when the workloads of all these moves no longer want a replacement, because then nothing
 * is left to wait for.
 */
public final class OutcomeBreaker {
    private final BreakerSettings settings;
    private final Tenants tenants;
    private final FailureStreak clusterWide;
    private final Map<String, FailureStreak> byNamespace = new TreeMap<>();

    OutcomeBreaker(BreakerSettings settings, Tenants tenants) {
        this.settings = settings;
        this.tenants = tenants;
        this.clusterWide = FailureStreak.clusterWide(settings, tenants);
    }

    /** {@return the streaks of failed moves that a move may be in: of all namespaces, and of its own} */
    private List<FailureStreak> streaks(Move move) {
        return Stream.concat(
                        Stream.of(clusterWide),
                        Stream.ofNullable(byNamespace.get(move.victim().namespace())))
                .toList();
    }

    private Collection<FailureStreak> allStreaks() {
        List<FailureStreak> streaks = new ArrayList<>(byNamespace.values());
        streaks.addFirst(clusterWide);
        return streaks;
    }

    List<RememberedBrakes.Streak> remembered() {
        return allStreaks().stream()
                .filter(streak -> !streak.isEmpty())
                .map(FailureStreak::remembered)
                .toList();
    }

    /**
     * Takes over the streaks that an earlier process stored. A breaker that this process opened later stays open.
     *
     * @param written when the earlier process last wrote the ledger
     */
    void recall(List<RememberedBrakes.Streak> remembered, Instant written, Map<String, MissingReplacement> missing) {
        byNamespace.values().removeIf(streak -> !streak.isOpenSince(written));
        if (!clusterWide.isOpenSince(written)) {
            clusterWide.recall(new RememberedBrakes.Streak(Optional.empty(), List.of(), Optional.empty()), missing);
        }
        for (RememberedBrakes.Streak one : remembered) {
            FailureStreak streak = one.namespace()
                    .map(namespace ->
                            byNamespace.computeIfAbsent(namespace, it -> FailureStreak.of(it, settings, tenants)))
                    .orElse(clusterWide);
            if (!streak.isOpenSince(written)) {
                streak.recall(one, missing);
            }
        }
    }

    /** {@return a report of each open breaker, for a replica that begins to lead} */
    List<BreakerReport> takenOver() {
        return allStreaks().stream()
                .flatMap(streak -> streak.takenOver().stream())
                .toList();
    }

    /** Records a move that ended without a Ready replacement, although one was expected. */
    public void failed(MissingReplacement missing) {
        byNamespace.computeIfAbsent(missing.namespace(), namespace -> FailureStreak.of(namespace, settings, tenants));
        streaks(missing.move()).forEach(streak -> streak.failed(missing));
    }

    /** Records a move whose replacement became Ready in time: replacements can start, and no move is in a streak. */
    public void succeeded(Move move) {
        streaks(move).forEach(streak -> streak.succeeded(move));
    }

    /**
     * Records that a missing replacement is Ready after all: only later moves are still in a streak. A move that did
     * not count when it failed does not count now.
     */
    public void replaced(MissingReplacement missing) {
        streaks(missing.move()).forEach(streak -> streak.replaced(missing));
    }

    /** {@return whether a move belongs to the failures in a row, so that a late replacement may close the breaker} */
    public boolean counts(MissingReplacement missing) {
        return streaks(missing.move()).stream().anyMatch(streak -> streak.counts(missing));
    }

    /** Records that the workload of a move wants no replacement any more. */
    public void unwanted(MissingReplacement missing) {
        streaks(missing.move()).forEach(streak -> streak.unwanted(missing));
    }

    /** Forgets failures that are older than a day, unless the breaker is open because of them. */
    void forgetOld(Instant now) {
        allStreaks().forEach(streak -> streak.forgetOld(now));
        byNamespace.values().removeIf(FailureStreak::isEmpty);
    }

    /** {@return whether the breaker should be checked, because it may have to open or close} */
    boolean isStale() {
        return clusterWide.isStale() || byNamespace.values().stream().anyMatch(FailureStreak::isStale);
    }

    /**
     * Opens or closes the breaker, if necessary. Moves that a namespace's own breaker accepted when it closed no longer
     * count for all namespaces. A user who acknowledges the opening for all namespaces accepts it for each of them.
     *
     * @param acknowledged the ids that users have acknowledged
     * @return the reports that the breaker opened or closed, for all namespaces or for one
     */
    List<BreakerReport> update(Set<String> acknowledged, Instant now) {
        List<BreakerReport> reports = new ArrayList<>();
        boolean all = clusterWide.isAcknowledged(acknowledged);
        byNamespace.forEach((namespace, streak) -> {
            Optional<BreakerReport> report = all ? streak.acknowledge() : streak.update(acknowledged, now);
            report.filter(it -> it.change() != BrakeReport.Change.OPENED).ifPresent(_ -> clusterWide.forget(namespace));
            report.ifPresent(reports::add);
        });
        clusterWide.update(acknowledged, now).ifPresent(reports::addFirst);
        byNamespace.values().removeIf(FailureStreak::isEmpty);
        return reports;
    }

    /** {@return the hold of all violations of pods of a namespace; empty while the breaker is closed for it} */
    Optional<Hold> against(String namespace) {
        return clusterWide
                .against()
                .or(() -> Optional.ofNullable(byNamespace.get(namespace)).flatMap(FailureStreak::against));
    }

    /** {@return whether the breaker is open for a namespace, alone or with all others} */
    public boolean holds(String namespace) {
        return against(namespace).isPresent();
    }

    /** {@return the ids with which users acknowledge that the breaker is open; empty while it is closed} */
    List<String> ids() {
        return allStreaks().stream().flatMap(streak -> streak.id().stream()).toList();
    }

    /** {@return the number of moves that the breaker stores} */
    int size() {
        return allStreaks().stream().mapToInt(FailureStreak::size).sum();
    }
}
